#!/usr/bin/env python3
"""The same dropped cube in ooze's relaxation liquid and in SPlisHSPlasH's DFSPH: CPU seconds for each simulated second.

    cargo build --release
    python3 benches/peers/splishsplash/race.py [particles along an edge ...]

Installs PyPI's pysplishsplash in a virtual environment under target/peers. Particles of radius 0.025 m fill a cube that
hangs 0.1 m above the floor of a box 2.5 times as wide; 15 frames of 1/30 s. Set-up counts for neither, and is printed apart for
the peer; ooze's time includes writing its frames.

The peer solves until the mean density error is within TOLERANCE per cent. Where its version reads the tolerance from differs, so
the driver sets it on the solver itself and prints what the solver says it uses; a race with another tolerance is refused. The
compression that each ends with is printed, since the two are not equally stiff.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
ENVIRONMENT = ROOT / "target" / "peers" / "splishsplash"
PACKAGE = "pysplishsplash==2.19"
SPACING = 0.05
FRAMES = 15
FRAME_RATE = 30
GAP = 0.1
# Mean density error of the peer's solver, in per cent.
TOLERANCE = 0.1

# Runs inside the virtual environment: simulates a scene and prints CPU time of set-up and steps, steps, particles, the
# tolerance of the solver, and the mean excess of density at the end in per cent.
DRIVER = """
import sys, time
import pysplishsplash as sph
scene, folder, seconds, tolerance = sys.argv[1], sys.argv[2], float(sys.argv[3]), float(sys.argv[4])
begun = time.process_time()
base = sph.Exec.SimulatorBase()
base.init(sceneFile=scene, useGui=False, initialPause=False, outputDir=folder, stopAt=seconds, useCache=False)
base.setUseGUI(False)
base.initSimulation()
solver = sph.Simulation.getCurrent().getTimeStep()
solver.setValueFloat(solver.MAX_ERROR, tolerance)
times = []
# Boundaries are sampled when the simulation begins: that is set-up too, and ends with the first step.
base.setTimeStepCB(lambda: times.append(time.process_time()))
base.runSimulation()
liquid = sph.Simulation.getCurrent().getFluidModel(0)
count = liquid.numActiveParticles()
excess = [max(liquid.getDensity(index) / 1000 - 1, 0) for index in range(count)]
used = solver.getValueFloat(solver.MAX_ERROR)
# The first step, which the set-up hides, is taken to cost as much as the mean of the others.
steps = (times[-1] - times[0]) * len(times) / (len(times) - 1)
setup = times[-1] - begun - steps
print("RESULT", setup, steps, len(times), count, used, 100 * sum(excess) / count)
"""

BOX = """v 0 0 0
v 1 0 0
v 1 1 0
v 0 1 0
v 0 0 1
v 1 0 1
v 1 1 1
v 0 1 1
f 1 3 2
f 1 4 3
f 5 6 7
f 5 7 8
f 1 2 6
f 1 6 5
f 4 7 3
f 4 8 7
f 1 8 4
f 1 5 8
f 2 3 7
f 2 7 6
"""


def measures(edge):
    """Side of the cube, width of the box and the cube's lowest x and z, on multiples of the spacing."""
    side = edge * SPACING
    width = round(2.5 * edge / 2) * 2 * SPACING
    return side, width, (edge * 3 // 4) * SPACING


def environment():
    """The Python with the peer in it."""
    python = ENVIRONMENT / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(ENVIRONMENT)], check=True)
        subprocess.run([str(python), "-m", "pip", "install", "--quiet", PACKAGE], check=True)
    return python


def peer(edge, folder):
    """CPU seconds that the peer's set-up and steps take, its steps and particles, and its compression in per cent."""
    side, width, low = measures(edge)
    # The last layer of particles lies on the end of a block.
    end = side + SPACING
    (folder / "box.obj").write_text(BOX)
    scene = {
        "Configuration": {
            "particleRadius": SPACING / 2,
            "simulationMethod": 4,
            "gravitation": [0, -9.81, 0],
            "cflMethod": 1,
            "cflFactor": 1,
            "cflMaxTimeStepSize": 0.005,
            "boundaryHandlingMethod": 2,
            "maxIterations": 100,
            "enableDivergenceSolver": True,
            "pause": False,
            "stopAt": FRAMES / FRAME_RATE,
        },
        "Fluid": {"density0": 1000, "viscosityMethod": 1, "viscosity": 0.01},
        "RigidBodies": [
            {
                "geometryFile": str(folder / "box.obj"),
                "translation": [0, 0, 0],
                "rotationAxis": [1, 0, 0],
                "rotationAngle": 0,
                "scale": [width, width, width],
                "isDynamic": False,
                "isWall": True,
                "mapInvert": True,
                "mapThickness": 0.0,
                "mapResolution": [20, 20, 20],
            }
        ],
        "FluidBlocks": [
            {
                "denseMode": 0,
                "start": [low, GAP, low],
                "end": [low + end, GAP + end, low + end],
                "translation": [0, 0, 0],
                "scale": [1, 1, 1],
            }
        ],
    }
    path = folder / "scene.json"
    path.write_text(json.dumps(scene))
    variables = dict(os.environ, OMP_WAIT_POLICY="passive")
    # The wheel's own copy of this library does not load.
    for folder_of_library in ("/usr/lib/x86_64-linux-gnu", "/usr/lib64", "/usr/lib"):
        library = Path(folder_of_library) / "libGLdispatch.so.0"
        if library.exists():
            variables["LD_PRELOAD"] = str(library)
            break
    command = [str(environment()), "-c", DRIVER, str(path), str(folder / "out"), str(FRAMES / FRAME_RATE), str(TOLERANCE)]
    done = subprocess.run(command, env=variables, capture_output=True, text=True, cwd=folder)
    for line in done.stdout.splitlines():
        if line.startswith("RESULT"):
            setup, seconds, steps, count, tolerance, excess = line.split()[1:]
            if abs(float(tolerance) / TOLERANCE - 1) > 1e-3:
                raise SystemExit(f"the peer solves to {tolerance} % instead of {TOLERANCE} %: the race would not be fair")
            return float(setup), float(seconds), int(steps), int(count), float(excess)
    raise SystemExit(f"the peer failed:\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}")


def ours(edge, folder):
    """CPU seconds that ooze's steps take, its steps and particles, and its compression in per cent."""
    side, width, low = measures(edge)
    scene = f"""
name = "dropped-cube"
method = "clavet"
gravity = [0, -9.81, 0]

[domain]
size = [{width}, {width}, {width}]
cell_size = {2 * SPACING}

[domain.sides]
top = "closed"

[time]
frame_rate = {FRAME_RATE}
frames = {FRAMES}

[materials.liquid]
base = "water"
viscosity = 10.0

[[liquid]]
material = "liquid"
shape.box = {{ lower = [{low}, {GAP}, {low}], upper = [{low + side}, {GAP + side}, {low + side}] }}
"""
    path = folder / "cube.toml"
    path.write_text(scene)
    program = ROOT / "target" / "release" / "ooze"
    command = [str(program), "run", str(path), "-o", str(folder / "run"), "--no-video", "--quiet", "--json"]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        raise SystemExit(f"ooze failed:\n{done.stderr}")
    frames = [json.loads(line) for line in done.stdout.splitlines()]
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    excess = 100 * frames[-1]["density_error"]["mean"]
    return seconds, sum(frame["substeps"] for frame in frames), frames[-1]["particles"], excess


def main():
    edges = [int(text) for text in sys.argv[1:]] or [22, 32, 46]
    simulated = FRAMES / FRAME_RATE
    print(f"CPU seconds a simulated second; the peer solves to a mean density error of {TOLERANCE} %")
    print(
        f"{'particles':>9}  {'SPlisHSPlasH':>12} {'steps':>6} {'set-up':>7} {'excess':>7}  "
        f"{'ooze':>8} {'steps':>6} {'excess':>7}  {'ahead':>6}"
    )
    for edge in edges:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            their_setup, theirs, their_steps, their_count, their_excess = peer(edge, folder)
            own, own_steps, own_count, own_excess = ours(edge, folder)
        if their_count != own_count:
            print(f"note: {their_count} particles there, {own_count} here")
        print(
            f"{own_count:9}  {theirs / simulated:12.2f} {their_steps:6} {their_setup:6.2f}s {their_excess:6.2f}%  "
            f"{own / simulated:8.2f} {own_steps:6} {own_excess:6.2f}%  {theirs / own:5.1f}x"
        )


if __name__ == "__main__":
    main()
