"""Train the detectors and classifiers on scenes that are drawn during training.

`python -m tools train train OUT [--minutes M] [--device cpu|cuda] [--workers N] [--kept SHARDS...] [--start FOLDER]
[--imagenet FILE]`.

OUT/NAME.pt holds the weights, averaged over the training. An interrupted run resumes when it is started again with the
same OUT. OUT/report.json and the last lines of the output give the results on held-out scenes.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn import functional

from tools.training.batches import (
    Batch,
    colours_batch,
    faces_batch,
    figures_batch,
    finder_batch,
    mine_hard_negatives,
    pose_batch,
)
from tools.training.labels import UNLABELLED
from tools.training.losses import colours_loss, faces_loss, figures_loss, finder_loss, pose_loss
from tools.training.nets import CloseNet, ColourNet, FaceNet, FigureNet, FinderNet, LiteFaceNet, LiteFinder, PoseNet
from tools.training.scene_pool import ScenePool, SceneWorkers, drawn_scenes
from vision.classification.classes import CLASSES

_MINED_EVERY, _MINED, _KEPT_MINED = 20, 24, 0.12
"""Settings of the search for false finds: its interval in steps, the number of scenes, the share of kept scenes.

The finder learns from the false finds as negative examples.
"""

_CROPS_A_SCENE = 32
"""Minimum number of crops of a batch for each new scene.

With few cores, this leaves processor time for the training.
"""

_SAVED_EVERY = 60.0
"""Interval between two checkpoints, in seconds."""

_WARM_UP = 0.03
"""Share of the training time for the warm-up of the learning rate."""

_FIRST_SCENES = 48
"""Number of scenes to wait for before the first step."""

_TEST_SCENES, _TEST_SEED = 160, 8_000_000
_HEAT = 0.5
"""Minimum score of a find in the report."""


def _finder_scores(out: Tensor, targets: dict[str, Tensor]) -> dict[str, float]:
    """Return the share of the dice that are found and the share of the finds that are dice."""
    heat = torch.sigmoid(out[:, 0])
    peaks = (heat == functional.max_pool2d(heat[:, None], 3, 1, 1)[:, 0]) & (heat > _HEAT)
    dice = targets["heat"] == 1
    near = functional.max_pool2d(dice[:, None].float(), 3, 1, 1)[:, 0] > 0
    found = functional.max_pool2d(peaks[:, None].float(), 3, 1, 1)[:, 0][dice].mean()
    right = near[peaks & (targets["weight"] > 0)].float().mean()
    return {"dice found": float(found), "finds that are dice": float(right)}


def _face_scores(out: Tensor, targets: dict[str, Tensor]) -> dict[str, float]:
    """Return the share of correct classes among all crops and among crops that show a die."""
    right = (out[:, :CLASSES].argmax(1) == targets["face"]).float()
    return {"crops right": float(right.mean()), "faces right": float(right[targets["face"] > 0].mean())}


def _figure_scores(out: Tensor, targets: dict[str, Tensor]) -> dict[str, float]:
    return {"figures right": float((out.argmax(1) == targets["figure"]).float().mean())}


def _colour_scores(out: Tensor, targets: dict[str, Tensor]) -> dict[str, float]:
    labelled = targets["colour"] != UNLABELLED
    return {"colours right": float((out.argmax(1) == targets["colour"])[labelled].float().mean())}


def _pose_scores(out: Tensor, targets: dict[str, Tensor]) -> dict[str, float]:
    """Return the share of clearly tilted dice classified as tilted, and of flat dice classified as flat."""
    predicted_leaning = (out[:, -2:] > 0).float().mean(1)
    clear, leaning = targets["weight"] == 1, targets["leaning"] > 0
    return {
        "leaning told": float(predicted_leaning[clear & leaning].mean()),
        "flat told": float(1 - predicted_leaning[clear & ~leaning].mean()),
    }


@dataclass(frozen=True, slots=True)
class LearningTask:
    """A task for training: its batches, its loss, and the scores in the report.

    `share`: batch size relative to the requested size.
    """

    batch: Callable[[ScenePool, int], Batch]
    loss: Callable[[Tensor, dict[str, Tensor]], Tensor]
    scores: Callable[[Tensor, dict[str, Tensor]], dict[str, float]]
    share: float = 1.0


FINDING = LearningTask(finder_batch, finder_loss, _finder_scores, 0.25)
READING = LearningTask(faces_batch, faces_loss, _face_scores)
FIGURES = LearningTask(figures_batch, figures_loss, _figure_scores, 0.5)
COLOURS = LearningTask(colours_batch, colours_loss, _colour_scores, 0.5)
POSES = LearningTask(pose_batch, pose_loss, _pose_scores, 0.75)

_EVERY_STEP, _IN_TURN = (FINDING, READING), (POSES, COLOURS, FIGURES)
"""Tasks of every step, and tasks that take turns from step to step."""


@dataclass(frozen=True, slots=True)
class TrainedNet:
    """A network to train: constructor, task, and settings.

    - `pretrained`: whether it starts from ImageNet weights.
    - `shrunk`: factor by which its images are downscaled.
    """

    make: Callable[[], nn.Module]
    task: LearningTask
    pretrained: bool = False
    shrunk: int = 1


NETS = {
    "finder": TrainedNet(FinderNet, FINDING),
    "second": TrainedNet(FinderNet, FINDING),
    "lite_finder": TrainedNet(LiteFinder, FINDING, pretrained=True),
    "faces": TrainedNet(FaceNet, READING, shrunk=2),
    "close": TrainedNet(CloseNet, READING),
    "lite_faces": TrainedNet(LiteFaceNet, READING, pretrained=True),
    "pose": TrainedNet(PoseNet, POSES),
    "top_colour": TrainedNet(ColourNet, COLOURS),
    "six_or_nine": TrainedNet(FigureNet, FIGURES),
}
"""All networks.

Networks of one task learn from the same batches. Their random initial weights differ, so they make different mistakes.
"""

SHIPPED = ("finder", "second", "faces", "close", "pose", "top_colour", "six_or_nine")
"""The shipped networks. The `lite` networks are slower on a CPU and need a GPU for training."""


class NetTraining:
    """The training state of one network: weights, averaged weights and optimiser."""

    def __init__(self, name: str, args: argparse.Namespace) -> None:
        self.name, self.kind = name, NETS[name]
        self.device = torch.device(args.device)
        self.net, self.averaged = self.kind.make(), self.kind.make()
        start = args.start / f"{name}.pt" if args.start else None
        if start is not None and start.exists():
            self.net.load_state_dict(torch.load(start, weights_only=True))
        elif isinstance(self.net, LiteFinder | LiteFaceNet) and args.imagenet:
            self.net.backbone.load_imagenet(torch.load(args.imagenet, weights_only=True))
        self.averaged.load_state_dict(self.net.state_dict())
        self.averaged.to(self.device).eval()
        self.net.to(self.device, memory_format=torch.channels_last).train()
        fused = self.device.type == "cuda"
        self.optimiser = torch.optim.AdamW(
            self.net.parameters(), lr=args.rate, weight_decay=1e-3, betas=(0.9, 0.98), fused=fused
        )
        self.loss = torch.zeros((), device=self.device)

    def answer(self, net: nn.Module, pictures: Tensor, given: Tensor | None = None) -> Tensor:
        """Return the network's output in single precision.

        - `pictures`: (n, channels, h, w) in 0..1.
        - `given`: the network's second input, if it has one.
        """
        if self.kind.shrunk > 1:
            pictures = functional.avg_pool2d(pictures, self.kind.shrunk)
        pictures = pictures.contiguous(memory_format=torch.channels_last)
        with torch.autocast(self.device.type, torch.bfloat16, enabled=self.device.type == "cuda"):
            out: Tensor = net(pictures) if given is None else net(pictures, given)
        return out.float()

    def step(self, pictures: Tensor, targets: dict[str, Tensor], rate: float, number: int) -> None:
        """Run one optimiser step with the learning rate `rate`. `number` counts from 1."""
        for group in self.optimiser.param_groups:
            group["lr"] = rate
        loss = self.kind.task.loss(self.answer(self.net, pictures, targets.get("given")), targets)
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(self.net.parameters(), 5.0)
        self.optimiser.step()
        self.loss = self.loss.lerp(loss.detach(), 1 / min(number, 100))
        self._average(min(0.999, number / (number + 20)))

    @torch.no_grad()
    def _average(self, decay: float) -> None:
        kept, now = self.averaged.state_dict(), self.net.state_dict()
        names = [name for name, value in kept.items() if value.dtype.is_floating_point]
        torch._foreach_lerp_([kept[name] for name in names], [now[name] for name in names], 1 - decay)

    def state(self) -> dict[str, object]:
        """Return the state needed to resume the training."""
        parts = {"net": self.net, "averaged": self.averaged, "optimiser": self.optimiser}
        return {name: part.state_dict() for name, part in parts.items()}

    def load(self, state: dict[str, dict[str, Tensor]]) -> None:
        """Restore a state returned by `state`."""
        for name, part in (("net", self.net), ("averaged", self.averaged), ("optimiser", self.optimiser)):
            part.load_state_dict(state[name])


class Training:
    """The training of all networks: their states, the pool of scenes, and the progress."""

    def __init__(self, args: argparse.Namespace) -> None:
        self._args = args
        args.out.mkdir(parents=True, exist_ok=True)
        self._cut = args.out / "training.run"
        device = torch.device(args.device)
        torch.manual_seed(args.seed)
        self.pool = ScenePool(args.capacity, device)
        for folder in args.kept:
            self.pool.keep(folder)
        self.nets = [NetTraining(name, args) for name in args.nets]
        self.steps, self.seconds = 0, 0.0
        if self._cut.exists():
            state = torch.load(self._cut, weights_only=True, map_location=device)
            for net in self.nets:
                net.load(state[net.name])
            self.steps, self.seconds = state["steps"], state["seconds"]

    def save(self) -> None:
        """Save the weights and a checkpoint. Each file is replaced atomically."""
        state = {net.name: net.state() for net in self.nets}
        self._write(self._cut, {**state, "steps": self.steps, "seconds": self.seconds})
        for net in self.nets:
            weights = {name: value.cpu() for name, value in net.averaged.state_dict().items()}
            self._write(self._args.out / f"{net.name}.pt", weights)

    @staticmethod
    def _write(path: Path, content: object) -> None:
        fresh = path.with_suffix(path.suffix + ".new")
        torch.save(content, fresh)
        fresh.replace(path)

    def run(self, workers: SceneWorkers) -> None:
        """Train until `minutes` are over. The learning rate follows a cosine of the elapsed time."""
        while self.pool.drawn < _FIRST_SCENES:
            self.pool.add(workers.next())
        begun, saved = time.monotonic() - self.seconds, time.monotonic()
        while (part := (time.monotonic() - begun) / (self._args.minutes * 60)) < 1:
            for scene in islice(workers.ready(), max(1, self._args.batch // _CROPS_A_SCENE)):
                self.pool.add(scene)
            self._step(part)
            self.seconds = time.monotonic() - begun
            if self.steps % 100 == 0:
                self._print()
            if time.monotonic() - saved > _SAVED_EVERY:
                self.save()
                print(f"{self.seconds:5.0f} s saved", flush=True)
                saved = time.monotonic()
        self.save()
        self._cut.unlink()

    def _step(self, part: float) -> None:
        """Train every network on one batch. `part`: elapsed share of the training time, 0..1."""
        self.steps += 1
        cosine = 0.01 + 0.99 * 0.5 * (1 + math.cos(math.pi * part))
        rate = self._args.rate * min(1.0, (part + 1e-3) / _WARM_UP) * cosine
        for task in (*_EVERY_STEP, _IN_TURN[self.steps % len(_IN_TURN)]):
            nets = [net for net in self.nets if net.kind.task is task]
            pictures, targets = task.batch(self.pool, round(self._args.batch * task.share)) if nets else ((), {})
            if len(pictures):
                for net in nets:
                    net.step(pictures, targets, rate, self.steps)
        if self.steps % _MINED_EVERY == 0:
            self._mine()

    @torch.no_grad()
    def _mine(self) -> None:
        """Search for false finds at one of two scales, with each finder in turn."""
        finders = [net for net in self.nets if net.kind.task is FINDING]
        if not finders:
            return
        finder = finders[self.steps // _MINED_EVERY % len(finders)]
        scale = 0.5 ** int(torch.randint(2, ()))
        scenes = self.pool.sample(_MINED, _KEPT_MINED)
        pictures = self.pool.pictures[scenes].float() / 255
        if scale < 1:
            pictures = functional.avg_pool2d(pictures, round(1 / scale))
        mine_hard_negatives(self.pool, scenes, finder.answer(finder.averaged, pictures), scale)

    def _print(self) -> None:
        losses = " ".join(f"{net.name} {float(net.loss):.3f}" for net in self.nets)
        print(f"{self.seconds:5.0f} s step {self.steps} scenes {self.pool.drawn} {losses}", flush=True)

    @torch.no_grad()
    def report(self) -> dict[str, dict[str, float]]:
        """Return the loss and the scores (shares, 0..1) of each network on held-out scenes with a separate seed."""
        pool = ScenePool(_TEST_SCENES, self.pool.device)
        for scene in islice(drawn_scenes(_TEST_SEED + self._args.seed, 0), _TEST_SCENES):
            pool.add(scene)
        torch.manual_seed(_TEST_SEED)
        batches = {task: task.batch(pool, 4 * _TEST_SCENES) for task in (*_EVERY_STEP, *_IN_TURN)}
        figures = {}
        for net in self.nets:
            task = net.kind.task
            pictures, targets = batches[task]
            out = net.answer(net.averaged, pictures, targets.get("given"))
            figures[net.name] = {"loss": float(task.loss(out, targets)), **task.scores(out, targets)}
        return figures


def main() -> None:
    """Parse the arguments and train."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path, help="folder for the weights")
    parser.add_argument("--nets", nargs="+", choices=sorted(NETS), default=SHIPPED)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    parser.add_argument("--workers", type=int, default=1, help="processes that draw scenes")
    parser.add_argument("--capacity", type=int, default=1500, help="scenes that are held (0.6 MB each)")
    parser.add_argument("--kept", type=Path, nargs="*", default=[], help="shards of photographs or rendered scenes")
    parser.add_argument("--start", type=Path, help="folder of weights to go on from, NAME.pt")
    parser.add_argument("--imagenet", type=Path, help="weights of EfficientNet-Lite0 to start from")
    parser.add_argument("--rate", type=float, default=1e-3)
    parser.add_argument("--batch", type=int, default=96, help="crops for the face nets a step; the others follow")
    parser.add_argument("--threads", type=int, help="of the training itself (default: all cores)")
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    if args.threads:
        torch.set_num_threads(args.threads)
    training = Training(args)
    with SceneWorkers(args.workers, args.seed) as workers:
        training.run(workers)
    report = training.report()
    (args.out / "report.json").write_text(json.dumps(report, indent=1) + "\n", "utf-8")
    for name, figures in report.items():
        print(name, ", ".join(f"{what} {value:.4f}" for what, value in figures.items()))


if __name__ == "__main__":
    main()
