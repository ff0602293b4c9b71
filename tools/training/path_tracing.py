"""Path tracing of a scene with Mitsuba 3: solid dice, ground, rim, lamps and room, seen through a thin lens.

Needs LLVM 16 or later as a shared library. `DRJIT_LIBLLVM_PATH` gives its path if it is not detected.
"""

from __future__ import annotations

import gc
from collections.abc import Sequence
from typing import Any

import drjit as dr
import mitsuba as mi
import numpy as np
import numpy.typing as npt

from tools.training.rendered_dice import Floats, Points, mesh_of
from tools.training.rendered_environment import RIM, Environment, RenderedLamp
from tools.training.rendered_scene import MAX_DICE, SHAPE, RenderCamera, RestingDie

mi.set_variant("llvm_ad_rgb")

_BOUNCES = 4
_BRIGHTEST = 60.0
"""Maximum radiance of a path relative to the usual light. Brighter paths are outliers."""

_GRAZING = 0.01
_NO_TRAY = 195.0
_TABLE = 400.0
"""Edge of the ground, in edges of a die."""


def trace(
    environment: Environment, dice: Sequence[RestingDie], camera: RenderCamera, paths: npt.NDArray[np.int64], seed: int
) -> tuple[Floats, Floats, Floats]:
    """Return light and albedo (H, W, 3; red, green, blue) of every pixel, and its share (H, W) above the ground.

    `paths` (H, W): number of light paths for each pixel.
    """
    scene: dict[str, Any] = {"type": "scene"}
    scene["sky"] = {"type": "envmap", "bitmap": mi.Bitmap(environment.sky), "to_world": _upright()}
    scene["ground"] = _ground(environment)
    scene |= {f"lamp{number}": _lamp(lamp, number) for number, lamp in enumerate(environment.lamps)}
    scene |= {f"rim{number}": bar for number, bar in enumerate(_rim(environment))}
    scene |= {f"die{number}": _die(die, number) for number, die in enumerate(dice)}
    scene |= {f"die{number}": _unseen(number) for number in range(len(dice), MAX_DICE)}
    gc.collect()  # otherwise remains of earlier scenes are compiled too
    return _sampled(mi.load_dict(scene), camera, np.repeat(np.arange(paths.size), paths.ravel()), seed)


def _sampled(
    scene: Any, camera: RenderCamera, pixels: npt.NDArray[np.int64], seed: int
) -> tuple[Floats, Floats, Floats]:
    """Return the means of one path through each of `pixels` (row-major indices), which may contain repetitions."""
    sampler = mi.load_dict({"type": "independent"})
    sampler.seed(dr.opaque(mi.UInt32, seed), len(pixels))
    ray = _rays(camera, pixels, sampler)
    tracer = mi.load_dict({"type": "path", "max_depth": _BOUNCES, "rr_depth": 3})
    light, _, _ = tracer.sample(scene, sampler, ray)
    hit = scene.ray_intersect(ray)
    albedo = hit.bsdf(ray).eval_diffuse_reflectance(hit, hit.is_valid())
    lifted = dr.select(hit.is_valid() & (hit.p.z > _GRAZING), mi.Float(1), mi.Float(0))
    dr.eval(light, albedo, lifted)
    brightest = _BRIGHTEST * max(float(np.median(np.array(light))), 1e-6)
    seen = _means(np.minimum(np.array(light), brightest), pixels), _means(np.array(albedo), pixels)
    return *seen, _means(np.array(lifted)[None], pixels)[..., 0]


def _rays(camera: RenderCamera, pixels: npt.NDArray[np.int64], sampler: Any) -> Any:
    """Return a ray through each pixel and the lens. It compiles no numbers in, so scenes share one program."""
    number = mi.UInt32(pixels.astype(np.uint32))
    at = mi.Vector2f(number % SHAPE[1], number // SHAPE[1]) + sampler.next_2d() - mi.Vector2f(SHAPE[1], SHAPE[0]) / 2
    right, down, onwards = (_opaque(axis) for axis in camera.axes())
    on_lens = mi.warp.square_to_uniform_disk_concentric(sampler.next_2d()) * dr.opaque(mi.Float, camera.aperture)
    lens = right * on_lens.x + down * on_lens.y
    reach = dr.opaque(mi.Float, camera.distance)
    sharp = (right * at.x + down * at.y) * (reach / dr.opaque(mi.Float, camera.focal)) + onwards * reach
    return mi.RayDifferential3f(mi.Point3f(_opaque(camera.position) + lens), dr.normalize(sharp - lens))


def _opaque(vector: Sequence[float] | Points) -> Any:
    return mi.Vector3f(*(dr.opaque(mi.Float, float(part)) for part in vector))


def _means(values: Floats, pixels: npt.NDArray[np.int64]) -> Floats:
    count = np.maximum(np.bincount(pixels, minlength=SHAPE[0] * SHAPE[1]), 1)
    sums = [np.bincount(pixels, part, minlength=SHAPE[0] * SHAPE[1]) for part in values]
    return np.asarray((np.stack(sums, 1) / count[:, None]).reshape(*SHAPE, len(sums)), np.float32)


def _upright() -> Any:
    """Return the rotation from y up (environment images) to z up (the room)."""
    return mi.ScalarTransform4f().rotate([1, 0, 0], 90)


def _paint(colours: Floats) -> dict[str, Any]:
    bitmap = mi.Bitmap(np.clip(colours, 0, 0.95).astype(np.float32))
    return {"type": "bitmap", "bitmap": bitmap, "raw": True, "wrap_mode": "repeat"}


def _surface(paint: dict[str, Any], roughness: float) -> dict[str, Any]:
    """Return a paint under a coat of that roughness; matt without one."""
    if not roughness:
        return {"type": "diffuse", "reflectance": paint}
    return {"type": "roughplastic", "distribution": "ggx", "alpha": roughness, "diffuse_reflectance": paint}


def _ground(environment: Environment) -> Any:
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * _TABLE / 2
    points = np.column_stack([corners, np.zeros(4)])
    return _square(
        "ground",
        points,
        "bsdf",
        _surface(_paint(environment.ground.paint), environment.ground.gloss),
        environment.ground.tile,
    )


def _lamp(lamp: RenderedLamp, number: int) -> Any:
    onwards = -lamp.place / np.linalg.norm(lamp.place)
    right = np.cross(onwards, [0.1, 0.2, 1.0])
    right /= np.linalg.norm(right)
    half = np.array([right * lamp.size[0], np.cross(onwards, right) * lamp.size[1]]) / 2
    points = lamp.place + np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) @ half
    light = {"type": "area", "radiance": {"type": "rgb", "value": lamp.light.tolist()}}
    return _square(f"lamp{number}", points, "emitter", light)


def _square(name: str, points: Points, part: str, made: dict[str, Any], tile: float = 1.0) -> Any:
    """Return a square of two triangles, so that the compiled program does not depend on its size."""
    carried = mi.Properties()
    carried[part] = mi.load_dict(made)
    shape = mi.Mesh(name, 4, 2, props=carried, has_vertex_texcoords=True)
    parts = mi.traverse(shape)
    parts["vertex_positions"] = points.astype(np.float32).ravel()
    parts["vertex_texcoords"] = (points[:, :2] / tile).astype(np.float32).ravel()
    parts["faces"] = np.array([0, 1, 2, 0, 2, 3], np.uint32)
    parts.update()
    return shape


def _rim(environment: Environment) -> list[dict[str, Any]]:
    """Return four bars around the dice; far out of sight without a tray, so that all scenes have the same parts."""
    off, (wide, high) = environment.rim or _NO_TRAY, RIM
    bars = []
    for x, y in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        place = mi.ScalarTransform4f().translate([x * off, y * off, high / 2])
        size = [wide if x else off + wide, wide if y else off + wide, high / 2]
        bsdf = _surface({"type": "rgb", "value": environment.rim_paint.tolist()}, 0.2)
        bars.append({"type": "cube", "to_world": place @ mi.ScalarTransform4f().scale(size), "bsdf": bsdf})
    return bars


def _die(die: RestingDie, number: int) -> Any:
    mesh = mesh_of(die.made)
    carried = mi.Properties()
    carried["bsdf"] = mi.load_dict(_surface(_paint(die.made.paint), die.made.roughness))
    shape = mi.Mesh(
        f"die{number}",
        len(mesh.points),
        len(mesh.corners),
        props=carried,
        has_vertex_normals=True,
        has_vertex_texcoords=True,
    )
    parts = mi.traverse(shape)
    parts["vertex_positions"] = die.to_world(mesh.points.astype(float)).astype(np.float32).ravel()
    parts["vertex_normals"] = _turned_only(die, mesh.normals).ravel()
    parts["vertex_texcoords"] = mesh.places.ravel()
    parts["faces"] = mesh.corners.ravel()
    parts.update()
    return shape


def _unseen(number: int) -> Any:
    """Return a hidden part of a die's surface below the table.

    Scenes with equal numbers of surfaces share one compiled program.
    """
    points = np.array([[0, 0, -9], [1, 0, -9], [1, 1, -9], [0, 1, -9]], float)
    return _square(f"die{number}", points, "bsdf", _surface(_paint(np.zeros((2, 2, 3), np.float32)), 0.1))


def _turned_only(die: RestingDie, normals: Floats) -> Floats:
    rotated: Points = die.to_world(normals.astype(float)) - die.to_world(np.zeros((1, 3)))
    return np.asarray(rotated / die.spot.edge, np.float32)
