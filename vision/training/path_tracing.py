"""Traces the light of a rendered scene with Mitsuba 3: solid dice, ground, rim, lamps and room before a thin lens.

It needs LLVM of 16 or later as a shared library; `DRJIT_LIBLLVM_PATH` names one that is not found by itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import drjit as dr
import mitsuba as mi
import numpy as np
import numpy.typing as npt

from vision.training.rendered_dice import Floats, Points, mesh_of
from vision.training.rendered_room import Lamp, Room
from vision.training.rendered_scene import SHAPE, Camera, RestingDie, box_of, paths

mi.set_variant("llvm_ad_rgb")

_BOUNCES = 4
_BRIGHTEST = 60.0
"""Times the usual light: single paths that bring more are strays."""

_RIM_HEIGHT = 1.6
_NO_TRAY = 195.0
_TABLE = 400.0
"""Edge of the ground, in edges of a die."""


def trace(room: Room, dice: Sequence[RestingDie], camera: Camera, samples: int, seed: int) -> tuple[Floats, Floats]:
    """Light and albedo (H, W, 3; red, green, blue) of every pixel: `samples` paths about the dice, fewer elsewhere."""
    scene: dict[str, Any] = {"type": "scene", "sensor": _sensor(camera)}
    scene["sky"] = {"type": "envmap", "bitmap": mi.Bitmap(room.sky), "to_world": _upright()}
    scene["ground"] = _ground(room)
    scene |= {f"lamp{number}": _lamp(lamp) for number, lamp in enumerate(room.lamps)}
    scene |= {f"rim{number}": bar for number, bar in enumerate(_rim(room))}
    scene |= {f"die{number}": _die(die, number) for number, die in enumerate(dice)}
    boxes = [box_of(die.spot, die.made.form, camera) for die in dice]
    return _sampled(mi.load_dict(scene), np.repeat(np.arange(SHAPE[0] * SHAPE[1]), paths(boxes, samples).ravel()), seed)


def _sampled(scene: Any, pixels: npt.NDArray[np.int64], seed: int) -> tuple[Floats, Floats]:
    """The means of one path through each of `pixels`, numbered by lines, however often each is named."""
    sampler = mi.load_dict({"type": "independent"})
    sampler.seed(seed, len(pixels))
    number = mi.UInt32(pixels.astype(np.uint32))
    corner = mi.Vector2f(number % SHAPE[1], number // SHAPE[1])
    at = (corner + sampler.next_2d()) / mi.Vector2f(SHAPE[1], SHAPE[0])
    ray, _ = scene.sensors()[0].sample_ray(0.0, sampler.next_1d(), at, sampler.next_2d())
    tracer = mi.load_dict({"type": "path", "max_depth": _BOUNCES, "rr_depth": 3})
    light, _, _ = tracer.sample(scene, sampler, ray)
    hit = scene.ray_intersect(ray)
    albedo = hit.bsdf(ray).eval_diffuse_reflectance(hit, hit.is_valid())
    dr.eval(light, albedo)
    brightest = _BRIGHTEST * max(float(np.median(np.array(light))), 1e-6)
    return _means(np.minimum(np.array(light), brightest), pixels), _means(np.array(albedo), pixels)


def _means(values: Floats, pixels: npt.NDArray[np.int64]) -> Floats:
    count = np.maximum(np.bincount(pixels, minlength=SHAPE[0] * SHAPE[1]), 1)
    sums = [np.bincount(pixels, part, minlength=SHAPE[0] * SHAPE[1]) for part in values]
    return np.asarray((np.stack(sums, 1) / count[:, None]).reshape(*SHAPE, 3), np.float32)


def _upright() -> Any:
    """The room's up is z, that of a picture of surroundings y."""
    return mi.ScalarTransform4f().rotate([1, 0, 0], 90)


def _sensor(camera: Camera) -> dict[str, Any]:
    return {
        "type": "thinlens",
        "fov": camera.width_angle,
        "fov_axis": "x",
        "aperture_radius": camera.aperture,
        "focus_distance": camera.distance,
        "to_world": mi.ScalarTransform4f().look_at(list(camera.eye), list(camera.target), list(camera.up)),
        "film": {"type": "hdrfilm", "width": SHAPE[1], "height": SHAPE[0], "rfilter": {"type": "box"}},
    }


def _paint(colours: Floats, scale: float = 1.0) -> dict[str, Any]:
    bitmap = mi.Bitmap(np.clip(colours, 0, 0.95).astype(np.float32))
    stretched = mi.ScalarTransform3f().scale([scale, scale])
    return {"type": "bitmap", "bitmap": bitmap, "raw": True, "wrap_mode": "repeat", "to_uv": stretched}


def _surface(paint: dict[str, Any], roughness: float) -> dict[str, Any]:
    """Paint under a coat of that roughness; matt without one."""
    if not roughness:
        return {"type": "diffuse", "reflectance": paint}
    return {"type": "roughplastic", "distribution": "ggx", "alpha": roughness, "diffuse_reflectance": paint}


def _ground(room: Room) -> dict[str, Any]:
    paint = _paint(room.ground.paint, _TABLE / room.ground.tile)
    spread = mi.ScalarTransform4f().scale([_TABLE / 2, _TABLE / 2, 1])
    return {"type": "rectangle", "to_world": spread, "bsdf": _surface(paint, room.ground.gloss)}


def _lamp(lamp: Lamp) -> dict[str, Any]:
    facing = mi.ScalarTransform4f().look_at(lamp.place.tolist(), [0, 0, 0], [0.1, 0.2, 1])
    return {
        "type": "rectangle",
        "to_world": facing @ mi.ScalarTransform4f().scale([lamp.size[0] / 2, lamp.size[1] / 2, 1]),
        "emitter": {"type": "area", "radiance": {"type": "rgb", "value": lamp.light.tolist()}},
    }


def _rim(room: Room) -> list[dict[str, Any]]:
    """Four bars about the dice; far out of sight without a tray, so that all scenes are of the same parts."""
    off = room.rim or _NO_TRAY
    bars = []
    for x, y in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        place = mi.ScalarTransform4f().translate([x * off, y * off, _RIM_HEIGHT / 2])
        size = [0.6 if x else off + 0.6, 0.6 if y else off + 0.6, _RIM_HEIGHT / 2]
        bsdf = _surface({"type": "rgb", "value": room.rim_paint.tolist()}, 0.2)
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
    parts["vertex_positions"] = die.placed(mesh.points.astype(float)).astype(np.float32).ravel()
    parts["vertex_normals"] = _turned_only(die, mesh.normals).ravel()
    parts["vertex_texcoords"] = mesh.places.ravel()
    parts["faces"] = mesh.corners.ravel()
    parts.update()
    return shape


def _turned_only(die: RestingDie, normals: Floats) -> Floats:
    away: Points = die.placed(normals.astype(float)) - die.placed(np.zeros((1, 3)))
    return np.asarray(away / die.spot.edge, np.float32)
