"""Checks a USD file of ooze with OpenUSD against a list of what it must hold: check_usd.py FILE.usdc EXPECTED.json"""

import json
import math
import sys

from pxr import Gf, Usd, UsdGeom, UsdShade, UsdValidation

stage = Usd.Stage.Open(sys.argv[1])
expected = json.load(open(sys.argv[2]))
frames = expected["frames"]
root = "/_2_goos"


def same(found, wanted, what, tolerance=0.0):
    assert len(found) == len(wanted), f"{what}: {len(found)} items instead of {len(wanted)}"
    for index, (one, other) in enumerate(zip(found, wanted)):
        # Most of what is compared is the same to the last bit, which is quick to see.
        if one == other or (hasattr(one, "__len__") and list(one) == other):
            continue
        pairs = zip(one, other) if hasattr(one, "__len__") else [(one, other)]
        near = all(abs(a - b) <= tolerance for a, b in pairs)
        assert near, f"{what}, item {index}: {one} instead of {other}"


def sampled_everywhere(attribute):
    samples = attribute.GetTimeSamples()
    assert samples == frames, f"{attribute.GetPath()} has samples at {samples}"
    return attribute


def check_stage():
    assert UsdGeom.GetStageUpAxis(stage) == UsdGeom.Tokens.y
    assert UsdGeom.GetStageMetersPerUnit(stage) == 1.0
    assert stage.GetTimeCodesPerSecond() == expected["frame_rate"]
    assert stage.GetFramesPerSecond() == expected["frame_rate"]
    assert (stage.GetStartTimeCode(), stage.GetEndTimeCode()) == (frames[0], frames[-1])
    assert stage.GetDefaultPrim().GetPath() == root
    validators = UsdValidation.ValidationRegistry().GetOrLoadAllValidators()
    assert len(validators) > 10
    errors = UsdValidation.ValidationContext(validators).Validate(stage)
    assert not errors, [error.GetErrorAsString() for error in errors]


def check_material(prim, refractive_index):
    material, _ = UsdShade.MaterialBindingAPI(prim).ComputeBoundMaterial()
    assert material, f"{prim.GetPath()} has no material"
    shader, _, _ = material.ComputeSurfaceSource()
    assert shader.GetIdAttr().Get() == "UsdPreviewSurface"
    assert abs(shader.GetInput("ior").Get() - refractive_index) < 1e-6
    assert 0 <= shader.GetInput("roughness").Get() <= 1
    return shader


def check_extent(prim, points, time, margin=0.0):
    extent = sampled_everywhere(prim.GetExtentAttr()).Get(time)
    if not points:
        assert Gf.Range3f(*extent).IsEmpty()
        return
    box = [[side(p[axis] for p in points) for axis in range(3)] for side in (min, max)]
    box = [[c + sign * margin for c in corner] for corner, sign in zip(box, (-1, 1))]
    same(extent, box, f"extent at {time}", 1e-6)


def check_surface(name):
    mesh = UsdGeom.Mesh(stage.GetPrimAtPath(f"{root}/liquids/{name}"))
    assert mesh.GetSubdivisionSchemeAttr().Get() == "none"
    assert mesh.GetOrientationAttr().Get() == "rightHanded"
    assert mesh.GetNormalsInterpolation() == "vertex"
    for frame, wanted in zip(frames, expected["surfaces"][name]):
        points = sampled_everywhere(mesh.GetPointsAttr()).Get(frame)
        corners = sampled_everywhere(mesh.GetFaceVertexIndicesAttr()).Get(frame)
        counts = sampled_everywhere(mesh.GetFaceVertexCountsAttr()).Get(frame)
        what = f"{name} at {frame}"
        same(points, wanted["points"], f"points of {what}")
        same(sampled_everywhere(mesh.GetVelocitiesAttr()).Get(frame), wanted["velocities"], f"velocities of {what}")
        same(sampled_everywhere(mesh.GetNormalsAttr()).Get(frame), wanted["normals"], f"normals of {what}")
        assert list(corners) == [c for triangle in wanted["triangles"] for c in triangle], what
        assert list(counts) == [3] * len(wanted["triangles"]), what
        assert UsdGeom.Mesh.ValidateTopology(corners, counts, len(points))[0], what
        check_extent(mesh, wanted["points"], frame)
    shader = check_material(mesh.GetPrim(), expected["refractive_index"][name])
    assert shader.GetInput("opacity").Get() < 1, "both liquids are clear"
    colour = UsdGeom.PrimvarsAPI(mesh).GetPrimvar("displayColor")
    same(colour.Get(), [shader.GetInput("diffuseColor").Get()], f"colour of {name}")


def check_particles():
    prim = stage.GetPrimAtPath(f"{root}/particles")
    if expected["particles"] is None:
        assert not prim
        return
    points = UsdGeom.Points(prim)
    assert UsdGeom.Imageable(prim).ComputePurpose() == "guide"
    primvars = UsdGeom.PrimvarsAPI(prim)
    (width,) = points.GetWidthsAttr().Get()
    assert abs(width - 0.005) < 1e-6 and points.GetWidthsInterpolation() == "constant"
    for frame, wanted in zip(frames, expected["particles"]):
        same(sampled_everywhere(points.GetPointsAttr()).Get(frame), wanted["points"], "particles")
        same(sampled_everywhere(points.GetVelocitiesAttr()).Get(frame), wanted["velocities"], "their velocities")
        same(sampled_everywhere(points.GetIdsAttr()).Get(frame), wanted["ids"], "their identities")
        for name in ("age", "material"):
            primvar = primvars.GetPrimvar(name)
            assert primvar.GetInterpolation() == "vertex"
            same(primvar.Get(frame), wanted[name], name)
        colours = primvars.GetPrimvar("displayColor").Get(frame)
        assert len(set(map(tuple, colours))) == len(set(wanted["material"]))
        check_extent(points, wanted["points"], frame, width / 2)


def check_paddle():
    wanted = expected["paddle"]
    prim = stage.GetPrimAtPath(f"{root}/colliders/paddle")
    mesh = UsdGeom.Mesh(prim)
    assert not mesh.GetPointsAttr().GetTimeSamples(), "a rigid body is moved as a whole"
    sampled_everywhere(prim.GetAttribute("xformOp:transform"))
    assert check_material(prim, 1.5).GetInput("metallic").Get() == 1.0
    low, high = mesh.GetExtentAttr().Get()
    same(high - low, wanted["size"], "size of the paddle", 0.002)
    for frame in frames:
        placement = mesh.ComputeLocalToWorldTransform(frame)
        same(placement.ExtractTranslation(), wanted["centre"], "centre of the paddle", 1e-6)
        angle = math.tau * wanted["turns_per_second"] * frame / expected["frame_rate"]
        tip = placement.TransformDir(Gf.Vec3d(1, 0, 0))
        same(tip, [math.cos(angle), math.sin(angle), 0], f"direction of the paddle at {frame}", 1e-5)


def check_camera():
    camera = UsdGeom.Camera(stage.GetPrimAtPath(f"{root}/camera"))
    frustum = camera.GetCamera(frames[0]).frustum
    for name, surfaces in expected["surfaces"].items():
        for frame, surface in zip(frames, surfaces):
            outside = [p for p in surface["points"] if not frustum.Intersects(Gf.Vec3d(*p))]
            assert len(outside) <= 0.02 * len(surface["points"]), f"{name} at {frame} is not in the picture"


check_stage()
for liquid in expected["surfaces"]:
    check_surface(liquid)
check_particles()
check_paddle()
check_camera()
