"""A pool of drawn scenes on the training device, filled by worker processes."""

from __future__ import annotations

import os
import queue
from collections.abc import Callable, Iterator, Sequence
from itertools import count, islice
from multiprocessing import get_context
from multiprocessing.context import SpawnContext
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import Tensor

from tools.training.bold_scenes import bold_scene
from tools.training.dataset import POSE, SCENE, LabelledScene, load_scenes
from tools.training.figure_scenes import figure_scene
from tools.training.labels import Label
from tools.training.leaning_scenes import leaning_scene
from tools.training.own_scenes import coloured_scene, own_scene
from tools.training.scenes import bare_scene, random_scene
from vision.pictures import Picture

DICE, SIDES, FALSE_FINDS = 40, 64, 8
"""Maximum numbers of dice, side faces and false finds stored for a scene."""

X, Y, EDGE, LEAN, BOX, FACE, PAINT, INK, STATE, SEEN = 0, 1, 2, slice(3, 5), slice(5, 9), 9, 10, 11, 12, 13
"""Columns of `ScenePool.dice`: `dataset.COLUMNS`."""

_QUEUED = 128
"""Maximum number of scenes in the queue."""

_MAKERS: dict[str, tuple[Callable[[int, np.random.Generator], tuple[Picture, list[Label]]], float]] = {
    "random": (random_scene, 0.43),
    "own": (own_scene, 0.12),
    "bare": (bare_scene, 0.1),
    "coloured": (coloured_scene, 0.09),
    "bold": (bold_scene, 0.07),
    "figures": (figure_scene, 0.07),
    "leaning": (leaning_scene, 0.12),
}
"""The generator of each kind of scenes, and the share of the kind."""

KINDS = (*_MAKERS, "kept")


def drawn_scenes(seed: int, worker: int) -> Iterator[LabelledScene]:
    """Yield scenes of all kinds without end. The same seed and worker give the same scenes."""
    shares = [share for _, share in _MAKERS.values()]
    for number in count():
        rng = np.random.default_rng([seed, worker, number])
        kind = str(rng.choice(list(_MAKERS), p=shares))
        yield LabelledScene.of(*_MAKERS[kind][0](SCENE, rng), kind)


def _draw_into(waiting: queue.Queue[LabelledScene], seed: int, worker: int) -> None:
    cv2.setNumThreads(1)
    os.nice(5)
    for scene in drawn_scenes(seed, worker):
        waiting.put(scene)


class SceneWorkers:
    """Processes that draw scenes; a context manager that ends them."""

    def __init__(self, workers: int, seed: int) -> None:
        self._context: SpawnContext = get_context("spawn")
        self._waiting: queue.Queue[LabelledScene] = self._context.Queue(_QUEUED)  # type: ignore[assignment]
        self._processes = [
            self._context.Process(target=_draw_into, args=(self._waiting, seed, number), daemon=True)
            for number in range(workers)
        ]

    def __enter__(self) -> SceneWorkers:
        for process in self._processes:
            process.start()
        return self

    def __exit__(self, *_: object) -> None:
        for process in self._processes:
            process.terminate()

    def next(self) -> LabelledScene:
        """Wait for a scene. Raises RuntimeError when every process has ended."""
        while True:
            try:
                return self._waiting.get(timeout=10)
            except queue.Empty:
                if not any(process.is_alive() for process in self._processes):
                    raise RuntimeError("the processes that draw scenes have ended") from None

    def ready(self) -> Iterator[LabelledScene]:
        """Yield the scenes in the queue."""
        try:
            while True:
                yield self._waiting.get_nowait()
        except queue.Empty:
            return


class ScenePool:
    """Up to `capacity` scenes on `device`. When it is full, a new drawn scene replaces the oldest one.

    - Photographs and rendered scenes (`keep`) come first and stay.
    - `pictures`: (N, 3, SCENE, SCENE) uint8.
    - `dice`: (N, DICE, 14); the first `dice_count` of each scene are valid.
    - `sides`, `false_finds`: (N, ..., 3), likewise.
    - `poses`: (N, DICE, POSE) parallel to `dice` where `has_poses`.
    - `kinds`: (N,) among KINDS.
    """

    def __init__(self, capacity: int, device: torch.device) -> None:
        self.device = device
        self.pictures = torch.zeros(capacity, 3, SCENE, SCENE, dtype=torch.uint8, device=device)
        self.dice = torch.zeros(capacity, DICE, 14, device=device)
        self.sides = torch.zeros(capacity, SIDES, 3, device=device)
        self.false_finds = torch.zeros(capacity, FALSE_FINDS, 3, device=device)
        self.poses = torch.zeros(capacity, DICE, POSE, device=device)
        self.dice_count, self.side_count, self.false_count, self.kinds, self.has_poses = (
            torch.zeros(capacity, dtype=torch.long, device=device) for _ in range(5)
        )
        self._capacity, self.kept, self.drawn = capacity, 0, 0

    @property
    def filled(self) -> int:
        """Number of scenes in the pool."""
        return min(self._capacity, self.kept + self.drawn)

    def keep(self, folder: Path) -> None:
        """Add the scenes of the shards of `folder` permanently. Call it before the first `add`."""
        for scene in islice(load_scenes(folder, "kept"), self._capacity - 1 - self.kept):
            self._set(self.kept, scene)
            self.kept += 1

    def add(self, scene: LabelledScene) -> None:
        """Add a drawn scene."""
        self._set(self.kept + self.drawn % (self._capacity - self.kept), scene)
        self.drawn += 1

    def _set(self, place: int, scene: LabelledScene) -> None:
        self.pictures[place] = torch.from_numpy(np.array(scene.picture)).to(self.device).permute(2, 0, 1)
        self.kinds[place] = KINDS.index(scene.kind)
        for rows, counts, given, most in (
            (self.dice, self.dice_count, scene.dice, DICE),
            (self.sides, self.side_count, scene.sides, SIDES),
            (self.poses, self.has_poses, scene.poses, DICE),
        ):
            values = torch.from_numpy(np.array(given[:most]))
            rows[place, : len(values)] = values.to(self.device)
            counts[place] = len(values)
        self.false_count[place] = 0

    def sample(self, number: int, kept_share: float) -> Tensor:
        """Return indices (number,) of scenes. `kept_share`: share of kept scenes, if there are any."""
        drawn = torch.randint(self.kept, max(self.filled, self.kept + 1), (number,), device=self.device)
        if not self.kept:
            return drawn
        kept = torch.randint(self.kept, (number,), device=self.device)
        return torch.where(torch.rand(number, device=self.device) < kept_share, kept, drawn)

    def sample_kinds(self, number: int, kinds: Sequence[str]) -> Tensor:
        """Return indices (number,) of scenes of these kinds, none if there are none yet."""
        wanted = torch.tensor([KINDS.index(kind) for kind in kinds], device=self.device)
        chosen = torch.nonzero(torch.isin(self.kinds[: self.filled], wanted))[:, 0]
        if not len(chosen):
            return chosen
        return chosen[torch.randint(len(chosen), (number,), device=self.device)]

    def is_die(self, scenes: Tensor) -> Tensor:
        """Return (n, DICE): which rows of `dice` of these scenes hold a die."""
        return torch.arange(DICE, device=self.device) < self.dice_count[scenes][:, None]
