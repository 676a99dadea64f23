#!/usr/bin/env python3
"""Brings a USD file of ooze into Blender, checks what arrived, and renders one frame.

    ooze export out/pour --format usd
    python3 tools/blender_render.py out/pour/export/pour.usdc --frame 60 --output pour.png

Needs Blender 5.0, as PyPI's `bpy` (a Python module for Python 3.11) or installed:

    blender --background --python tools/blender_render.py -- out/pour/export/pour.usdc

docs/blender.md describes the same steps by hand.
"""

import argparse
import math
import os
import sys

import bpy
from mathutils import Vector


def read_arguments():
    # Inside of Blender, what follows `--` is ours.
    words = sys.argv[sys.argv.index("--") + 1 :] if "--" in sys.argv else sys.argv[1:]
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("usd", help="file written by `ooze export --format usd`")
    parser.add_argument("--frame", type=int, help="frame to render [default: the middle one]")
    parser.add_argument("--output", default="blender.png", help="picture to write")
    parser.add_argument("--size", default="640x360", help="width and height of the picture")
    parser.add_argument("--samples", type=int, default=64, help="samples a pixel")
    parser.add_argument("--no-motion-blur", action="store_true", help="render a sharp picture")
    return parser.parse_args(words)


def check(holds, message):
    if not holds:
        sys.exit(f"error: {message}")


def bring_in(path):
    """An empty file with the content of the USD file, and the scene's frame range and rate set from it."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    check(os.path.isfile(path), f"{path} does not exist")
    done = bpy.ops.wm.usd_import(
        filepath=os.path.abspath(path),
        set_frame_range=True,
        import_guide=False,  # the particles, which lie inside of the surface
    )
    check("FINISHED" in done, f"Blender could not import {path}")
    # The importer sets the range of frames but leaves their rate as it was; velocities for motion blur need it.
    bpy.utils.expose_bundled_modules()
    from pxr import Usd

    rate = Usd.Stage.Open(path).GetTimeCodesPerSecond()
    scene = bpy.context.scene
    scene.render.fps = max(1, round(rate))
    scene.render.fps_base = scene.render.fps / rate


def evaluated(thing):
    return thing.evaluated_get(bpy.context.evaluated_depsgraph_get()).data


def liquids():
    """The meshes that change from frame to frame."""
    return [
        thing
        for thing in bpy.data.objects
        if thing.type == "MESH" and any(m.type == "MESH_SEQUENCE_CACHE" for m in thing.modifiers)
    ]


def look_over(scene):
    """Finds out whether everything arrived; tells what did."""
    frames = scene.frame_end - scene.frame_start + 1
    rate = scene.render.fps / scene.render.fps_base
    print(f"frames {scene.frame_start} to {scene.frame_end} at {rate:g} a second")
    meshes = [thing for thing in bpy.data.objects if thing.type == "MESH"]
    check(meshes, "no mesh arrived")
    check(scene.camera or any(t.type == "CAMERA" for t in bpy.data.objects), "no camera arrived")
    for thing in meshes:
        names = [slot.material.name for slot in thing.material_slots if slot.material]
        check(names, f"{thing.name} has no material")
    moving = liquids()
    check(moving or frames == 1, "no mesh changes with time")
    for thing in moving:
        counts = []
        for frame in sorted({scene.frame_start, (scene.frame_start + scene.frame_end) // 2, scene.frame_end}):
            scene.frame_set(frame)
            mesh = evaluated(thing)
            counts.append(len(mesh.polygons))
            check(
                len(mesh.vertices) == 0 or "velocity" in mesh.attributes,
                f"{thing.name} has no velocities in frame {frame}",
            )
        print(f"{thing.name}: {counts} triangles at the start, in the middle and at the end")
        check(any(counts), f"{thing.name} is empty in all frames")


def let_light_through():
    """Turns the transparency of clear materials into refraction, which USD's preview material has no word for."""
    for material in bpy.data.materials:
        if material.node_tree is None:
            continue
        for node in material.node_tree.nodes:
            if node.type == "BSDF_PRINCIPLED" and node.inputs["Alpha"].default_value < 1.0:
                node.inputs["Alpha"].default_value = 1.0
                node.inputs["Transmission Weight"].default_value = 1.0


def set_the_stage(scene):
    """Light, and a floor below everything."""
    corners = [
        thing.matrix_world @ Vector(corner)
        for thing in bpy.data.objects
        if thing.type == "MESH"
        for corner in thing.bound_box
    ]
    lower = Vector(min(corner[axis] for corner in corners) for axis in range(3))
    upper = Vector(max(corner[axis] for corner in corners) for axis in range(3))
    size, centre = (upper - lower).length, (lower + upper) / 2

    bpy.ops.mesh.primitive_plane_add(size=30 * size, location=(centre.x, centre.y, lower.z - 0.001 * size))
    floor = bpy.data.materials.new("floor")
    floor.node_tree.nodes["Principled BSDF"].inputs["Base Color"].default_value = (0.6, 0.6, 0.6, 1)
    bpy.context.object.data.materials.append(floor)

    lamp = bpy.data.lights.new("key", "AREA")
    lamp.size = size
    lamp.energy = 60 * size * size
    light = bpy.data.objects.new("key", lamp)
    light.location = centre + size * Vector((1.0, -0.6, 1.5))
    light.rotation_euler = (centre - light.location).to_track_quat("-Z", "Y").to_euler()
    scene.collection.objects.link(light)

    sky = bpy.data.worlds.new("sky")
    sky.node_tree.nodes["Background"].inputs["Color"].default_value = (0.75, 0.85, 1.0, 1)
    sky.node_tree.nodes["Background"].inputs["Strength"].default_value = 0.6
    scene.world = sky


def render(scene, arguments):
    scene.camera = next(thing for thing in bpy.data.objects if thing.type == "CAMERA")
    scene.render.engine = "CYCLES"
    scene.cycles.device = "CPU"
    scene.cycles.samples = arguments.samples
    scene.cycles.use_denoising = bool(getattr(bpy.app.build_options, "openimagedenoise", False))
    scene.render.use_motion_blur = not arguments.no_motion_blur
    scene.render.motion_blur_shutter = 0.5
    width, height = map(int, arguments.size.split("x"))
    scene.render.resolution_x, scene.render.resolution_y = width, height
    scene.render.resolution_percentage = 100
    scene.render.image_settings.file_format = "PNG"
    scene.render.filepath = os.path.abspath(arguments.output)
    middle = math.floor((scene.frame_start + scene.frame_end) / 2)
    scene.frame_set(middle if arguments.frame is None else arguments.frame)
    bpy.ops.render.render(write_still=True)
    print(f"wrote {scene.render.filepath}")


def main():
    arguments = read_arguments()
    bring_in(arguments.usd)
    scene = bpy.context.scene
    look_over(scene)
    let_light_through()
    set_the_stage(scene)
    render(scene, arguments)


main()
