"""Trains a net on stored scenes: `python -m tools train train NET FOLDER... --out FILE`."""

from __future__ import annotations

import argparse
import itertools
import math
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn
from torch.utils.data import DataLoader, IterableDataset

from tools.training.colour_crops import Crops, scene_crops
from tools.training.crops import LARGEST, PATCH, SMALLEST, Crop, Scenes, face_crop, figure_crop, finder_patch
from tools.training.dataset import load_shards
from tools.training.labels import NOT_SAID
from tools.training.nets import (
    CLOSE_CROP,
    CROP,
    HARMONICS,
    POSE_FEATURES,
    POSE_OUTPUTS,
    STRIDE,
    CloseNet,
    ColourNet,
    FaceNet,
    FigureNet,
    Finder,
    PoseNet,
    harmonics,
)
from tools.training.pose_crops import PoseCrop, pose_crop, usable
from vision.classification.classes import CLASSES, PLAIN, STATES, of_digit
from vision.decision.trust import finder_face
from vision.dice_sets import BODIES
from vision.roll import BALL_COLOURS

REFERENCE_EDGE = 24.0
"""The finder says log(edge / REFERENCE_EDGE)."""


_BALL_PAINTS = frozenset(BODIES.index(name) for name in BALL_COLOURS)
"""Seven plain faces of these colours are drawn for one of a brown, grey or ivory die."""

_BALLS_PAINT = 0.4
"""Share of them whose colour is taught: else a brown face would be taken for an orange one."""

_DRAWN_MORE = tuple(math.log(2.5) if of_digit(1) <= number <= of_digit(6) else 0.0 for number in range(CLASSES))
"""By class: the logarithm of how much more often it is drawn than its like. It is added where the net learns, so that
what the net says is free of it (Menon et al. 2021, "Long-tail learning via logit adjustment"): a nine is not to be
taken for a six because it is rarer."""

_MOST_TOGETHER = 8
"""Dice of one picture at most that the net learns on together which names colours."""

FalseFinds = dict[str, npt.NDArray[np.float32]]
"""By the name of a scene: x, y, edge of what a finder wrongly took for dice (see mine.py)."""


def finder_batch(
    scenes: Scenes, count: int, rng: np.random.Generator, others: FalseFinds | None
) -> tuple[Tensor, dict[str, Tensor]]:
    """`count` patches and their targets on the finder's grid."""
    cells = PATCH // STRIDE
    pictures = np.zeros((count, PATCH, PATCH, 3), np.uint8)
    heat = np.zeros((count, cells, cells), np.float32)
    weight = np.ones((count, cells, cells), np.float32)
    centres: list[list[float]] = []
    grid_y, grid_x = (np.mgrid[:cells, :cells] + 0.5) * STRIDE
    for n in range(count):
        scene = scenes[int(rng.integers(len(scenes)))]
        pictures[n], dice = finder_patch(scene, rng, others.get(scene.name) if others else None)
        for x, y, edge, _lx, _ly, left, top, right, bottom, face, _paint, _ink, _state, seen in dice:
            far = np.hypot(grid_x - x, grid_y - y) / edge
            if edge < SMALLEST * 0.62 or edge > LARGEST * 1.5 or seen < 0.12:
                continue
            if edge < SMALLEST * 0.9 or edge > LARGEST * 1.1 or seen < 0.62:
                weight[n][far < max(0.35, STRIDE / edge)] = 0
                continue
            column, line = int(x // STRIDE), int(y // STRIDE)
            if not (0 <= column < cells and 0 <= line < cells):
                continue
            bump = np.exp(-0.5 * (far / max(0.13, 0.45 * STRIDE / edge)) ** 2)
            np.maximum(heat[n], np.minimum(bump, 0.97), out=heat[n])
            heat[n, line, column] = 1.0
            box = [(x - left) / edge, (y - top) / edge, (right - x) / edge, (bottom - y) / edge]
            offset = [x / STRIDE - column - 0.5, y / STRIDE - line - 0.5]
            centres.append([n, line, column, np.log(edge / REFERENCE_EDGE), *offset, *box, finder_face(int(face))])
    targets = {"heat": torch.from_numpy(heat), "weight": torch.from_numpy(weight)}
    targets["centres"] = torch.tensor(centres, dtype=torch.float32).reshape(-1, 11)
    return torch.from_numpy(pictures), targets


def finder_loss(out: Tensor, targets: dict[str, Tensor]) -> Tensor:
    """Penalty-reduced focal loss on the centres (Law and Deng 2018), L1 on geometry, cross entropy on the face."""
    logit = out[:, 0]
    heat, weight = targets["heat"], targets["weight"]
    centres = targets["centres"]
    number = max(1, len(centres))
    chance = torch.sigmoid(logit).clamp(1e-5, 1 - 1e-5)
    hit = heat == 1
    positive = -((1 - chance) ** 2 * torch.log(chance))[hit].sum()
    negative = -((1 - heat) ** 4 * chance**2 * torch.log(1 - chance) * weight)[~hit].sum()
    loss = (positive + negative) / number
    if len(centres):
        n, line, column = (centres[:, i].long() for i in range(3))
        at = out[n, :, line, column]
        loss = loss + nn.functional.l1_loss(at[:, 1:4], centres[:, 3:6]) * 2
        loss = loss + nn.functional.smooth_l1_loss(at[:, 4:8], centres[:, 6:10], beta=0.1)
        loss = loss + 0.7 * nn.functional.cross_entropy(at[:, 8:], centres[:, 10].long())
    return loss


def faces_batch(
    scenes: Scenes, count: int, rng: np.random.Generator, others: FalseFinds | None, size: int = CROP
) -> tuple[Tensor, dict[str, Tensor]]:
    """`count` crops of `size` pixels and their classes."""
    crops: list[Crop] = []
    for _ in range(count):
        scene = scenes[int(rng.integers(len(scenes)))]
        crop = face_crop(scene, rng, size, others.get(scene.name) if others else None)
        if crop.face == PLAIN and crop.paint in _BALL_PAINTS and rng.random() > _BALLS_PAINT:
            crop = replace(crop, paint=NOT_SAID)
        crops.append(crop)
    pictures = torch.from_numpy(np.stack([c.picture for c in crops]))
    targets = {
        "face": torch.tensor([c.face for c in crops]),
        "paint": torch.tensor([c.paint for c in crops]),
        "ink": torch.tensor([c.ink for c in crops]),
        "state": torch.tensor([c.state for c in crops]),
        "lean": torch.tensor([c.lean for c in crops]),
    }
    return pictures, targets


def figures_batch(
    scenes: Scenes, count: int, rng: np.random.Generator, _others: FalseFinds | None
) -> tuple[Tensor, dict[str, Tensor]]:
    """`count` crops for the net that tells a six from a nine, and which of FIGURES each is."""
    crops = [figure_crop(scenes[int(rng.integers(len(scenes)))], rng) for _ in range(count)]
    pictures = torch.from_numpy(np.stack([c.picture for c in crops]))
    return pictures, {"figure": torch.tensor([c.face for c in crops])}


def figures_loss(out: Tensor, targets: dict[str, Tensor]) -> Tensor:
    """Cross entropy."""
    return nn.functional.cross_entropy(out, targets["figure"], label_smoothing=0.01)


def colours_batch(
    scenes: Scenes, count: int, rng: np.random.Generator, _others: FalseFinds | None
) -> tuple[Tensor, dict[str, Tensor]]:
    """`count` crops for the net that names colours, the index of each among BODIES, and which lie in one picture."""
    crops: Crops = []
    groups: list[int] = []
    for group in itertools.count():
        crops += scene_crops(scenes[int(rng.integers(len(scenes)))], rng, int(rng.integers(1, _MOST_TOGETHER + 1)))
        groups += [group] * (len(crops) - len(groups))
        if len(crops) >= count:
            break
    pictures, names = zip(*crops[:count], strict=True)
    return torch.from_numpy(np.stack(pictures)), {"colour": torch.tensor(names), "given": torch.tensor(groups[:count])}


def colours_loss(out: Tensor, targets: dict[str, Tensor]) -> Tensor:
    """Cross entropy where a colour is taught."""
    return nn.functional.cross_entropy(out, targets["colour"], ignore_index=NOT_SAID)


_DICE_OF_A_SCENE = 4
"""Dice of one scene that follow each other where the net learns how they lie."""

_LEAST_SPREAD, _MOST_SPREAD = 0.01, 0.6
"""How sure it may be how a flat die is seen: standard deviations of its lean."""


def pose_batch(
    scenes: Scenes, count: int, rng: np.random.Generator, _others: FalseFinds | None
) -> tuple[Tensor, dict[str, Tensor]]:
    """`count` crops, how their dice lie, and two guesses of how a flat one would be seen there."""
    crops: list[PoseCrop] = []
    while len(crops) < count:
        scene = scenes[int(rng.integers(len(scenes)))]
        dice = usable(scene)
        crops += [pose_crop(scene, int(i), rng) for i in rng.permutation(dice)[:_DICE_OF_A_SCENE]]
    crops = crops[:count]
    spread = np.exp(rng.uniform(np.log(_LEAST_SPREAD), np.log(_MOST_SPREAD), (count, 2, 1)))
    ups = np.stack([c.flat for c in crops])[:, None] + spread * rng.normal(0, 1, (count, 2, 2))
    ups *= np.minimum(1, 0.95 / np.maximum(np.hypot(ups[..., :1], ups[..., 1:]), 1e-6))
    axes = torch.from_numpy(np.stack([c.axes for c in crops]))
    targets = {
        "lean": torch.from_numpy(np.stack([c.lean for c in crops])),
        "cube": harmonics(axes.reshape(-1, 3)).reshape(count, 3, HARMONICS).sum(1),
        "box": torch.from_numpy(np.stack([c.box for c in crops])),
        "leaning": torch.tensor([c.leaning for c in crops]),
        "weight": torch.tensor([c.weight for c in crops]),
        "given": torch.from_numpy(np.concatenate([ups, spread], 2).astype(np.float32)),
    }
    return torch.from_numpy(np.stack([c.picture for c in crops])), targets


def pose_loss(out: Tensor, targets: dict[str, Tensor]) -> Tensor:
    """The lean's likelihood with the error that the net itself says, squares of the cube's harmonics, smooth L1 on the
    box, cross entropy on whether the die leans."""
    error = torch.sqrt(((out[:, :2] - targets["lean"]) ** 2).sum(1) + 1e-4)
    spread = out[:, 2].clamp(-4, 1)
    loss = 0.5 * (error * torch.exp(-spread) + 1.5 * spread).mean()
    loss = loss + 6 * ((out[:, 3 : 3 + HARMONICS] - targets["cube"]) ** 2).sum(1).mean()
    loss = loss + 4 * nn.functional.smooth_l1_loss(out[:, POSE_OUTPUTS - 3 : POSE_OUTPUTS], targets["box"], beta=0.03)
    said = out[:, POSE_OUTPUTS + POSE_FEATURES :]
    leaning, weight = (targets[name][:, None].expand_as(said) for name in ("leaning", "weight"))
    return loss + 2 * nn.functional.binary_cross_entropy_with_logits(said, leaning, weight)


def faces_loss(out: Tensor, targets: dict[str, Tensor]) -> Tensor:
    """Cross entropy on classes, paints, inks and states, each where it is taught; L1 on the lean."""
    logits = out[:, :CLASSES] + torch.tensor(_DRAWN_MORE)
    loss = nn.functional.cross_entropy(logits, targets["face"], label_smoothing=0.01)
    begin = CLASSES
    for name, width, weight in (("paint", len(BODIES), 0.3), ("ink", len(BODIES), 0.2), ("state", len(STATES), 0.2)):
        taught = targets[name] != NOT_SAID
        if taught.any():
            told = out[taught, begin : begin + width]
            loss = loss + weight * nn.functional.cross_entropy(told, targets[name][taught])
        begin += width
    dice = targets["face"] > 0
    if dice.any():
        loss = loss + 0.5 * nn.functional.l1_loss(out[dice, begin:], targets["lean"][dice])
    return loss


@dataclass(frozen=True)
class Lesson:
    """How one net is taught: its batches, each with what is to be said of it (`given`: what the net is told besides),
    and how far off an answer is."""

    net: type[nn.Module]
    batch: Callable[[Scenes, int, np.random.Generator, FalseFinds | None], tuple[Tensor, dict[str, Tensor]]]
    loss: Callable[[Tensor, dict[str, Tensor]], Tensor]


_LESSONS = {
    "finder": Lesson(Finder, finder_batch, finder_loss),
    "faces": Lesson(FaceNet, faces_batch, faces_loss),
    "close": Lesson(CloseNet, partial(faces_batch, size=CLOSE_CROP), faces_loss),
    "six_or_nine": Lesson(FigureNet, figures_batch, figures_loss),
    "pose": Lesson(PoseNet, pose_batch, pose_loss),
    "top_colour": Lesson(ColourNet, colours_batch, colours_loss),
}


class Batches(IterableDataset[tuple[Tensor, dict[str, Tensor]]]):
    """Endless batches, cut out beside the training in a process of lower priority."""

    def __init__(self, kind: str, args: argparse.Namespace) -> None:
        self._batch, self._args = _LESSONS[kind].batch, args

    def __iter__(self) -> Iterator[tuple[Tensor, dict[str, Tensor]]]:
        args = self._args
        cv2.setNumThreads(1)
        os.nice(2)
        scenes = Scenes([shard for folder in args.folders for shard in load_shards(folder)])
        rng = np.random.default_rng(args.seed)
        others = dict(np.load(args.others)) if args.others else None
        for number in itertools.count(1):
            if number % 1000 == 0:
                scenes = Scenes([shard for folder in args.folders for shard in load_shards(folder)])
            yield self._batch(scenes, args.batch, rng, others)


def _average(kept: nn.Module, now: nn.Module, decay: float) -> None:
    with torch.no_grad():
        for a, b in zip(kept.state_dict().values(), now.state_dict().values(), strict=True):
            if a.dtype.is_floating_point:
                a.lerp_(b, 1 - decay)
            else:
                a.copy_(b)


class Run:
    """A training under way: the net, its averaged copy, the optimiser, and how far it has come; kept in one file."""

    def __init__(self, kind: str, args: argparse.Namespace) -> None:
        make = _LESSONS[kind].net
        torch.manual_seed(args.seed)
        self.net: nn.Module = make()
        if args.start:
            weights = torch.load(args.start, weights_only=True)
            (self.net.begin if isinstance(self.net, CloseNet) else self.net.load_state_dict)(weights)
        self.kept: nn.Module = make()
        self.kept.load_state_dict(self.net.state_dict())
        self.net = self.net.to(memory_format=torch.channels_last).train()
        self.optimiser = torch.optim.AdamW(self.net.parameters(), lr=args.rate, weight_decay=1e-3, betas=(0.9, 0.98))
        self.step, self.seconds = 0, 0.0
        self._out, self._under_way = args.out, args.out.with_suffix(".run")
        if self._under_way.exists():
            state = torch.load(self._under_way, weights_only=True)
            for part in ("net", "kept", "optimiser"):
                getattr(self, part).load_state_dict(state[part])
            self.step, self.seconds = state["step"], state["seconds"]

    def save(self) -> None:
        """Writes the weights, and all that is needed to go on after a cut, each file at once."""
        parts = {part: getattr(self, part).state_dict() for part in ("net", "kept", "optimiser")}
        for path, held in (
            (self._out, self.kept.state_dict()),
            (self._under_way, {**parts, "step": self.step, "seconds": self.seconds}),
        ):
            fresh = path.with_suffix(path.suffix + ".new")
            torch.save(held, fresh)
            fresh.replace(path)

    def finish(self) -> None:
        """Writes the weights; nothing is left to go on from."""
        self.save()
        self._under_way.unlink()


def train(kind: str, args: argparse.Namespace) -> None:
    """Trains for `args.minutes` with a one-cycle rate by the clock; goes on where a run with the same --out was cut."""
    run = Run(kind, args)
    batches = iter(DataLoader(Batches(kind, args), batch_size=None, num_workers=1, prefetch_factor=4))
    # Without the processor's own instructions for bfloat16 it is three to eleven times slower than single precision.
    fast = torch.cpu._is_avx512_bf16_supported() or torch.cpu._is_amx_tile_supported()
    begun, running, saved = time.monotonic() - run.seconds, 0.0, time.monotonic()
    while (part := (time.monotonic() - begun) / (args.minutes * 60)) < 1:
        rate = args.rate * min(1.0, (run.step + 1) / 100) * (0.01 + 0.99 * 0.5 * (1 + math.cos(math.pi * part)))
        for group in run.optimiser.param_groups:
            group["lr"] = rate
        pictures, targets = next(batches)
        pictures = (pictures.permute(0, 3, 1, 2).float() / 255).contiguous(memory_format=torch.channels_last)
        with torch.autocast("cpu", torch.bfloat16, enabled=fast):
            out = run.net(pictures, targets["given"]) if "given" in targets else run.net(pictures)
        loss = _LESSONS[kind].loss(out.float(), targets)
        run.optimiser.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(run.net.parameters(), 5.0)
        run.optimiser.step()
        run.step += 1
        _average(run.kept, run.net, min(0.998, run.step / (run.step + 20)))
        running += (float(loss.detach()) - running) / min(run.step, 100)
        run.seconds = time.monotonic() - begun
        if run.step % 100 == 0:
            print(f"{run.seconds:6.0f} s step {run.step} loss {running:.4f} rate {rate:.5f}", flush=True)
        if time.monotonic() - saved > 60:
            run.save()
            saved = time.monotonic()
    run.finish()


def main() -> None:
    """Reads the command line and trains."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("net", choices=sorted(_LESSONS))
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--start", type=Path, help="weights to go on from")
    parser.add_argument("--others", type=Path, help="false finds by scene, for the classifier")
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    train(args.net, args)


if __name__ == "__main__":
    main()
