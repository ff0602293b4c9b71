"""Measures the shipped reader on the simulated tray: `python -m vision.training.throws [--count N] [--set footclub]`.

Every throw has its own dice, bodies, places, sizes, ground and light. Printed: shares of throws read exactly,
wrongly with
certainty, and asked about; for the ball, the share of its colours read right.
"""

from __future__ import annotations

import argparse
import collections

import cv2
import numpy as np

from vision import dice_sets
from vision.drawing.looks import BALL_COLOURS
from vision.drawing.material import BODIES, Light
from vision.drawing.tray import SIZE, DrawnDie, draw_tray, make_ground
from vision.pipeline import Reader
from vision.roll import Face, Roll, Status

_RIM = 55.0


def random_throw(kinds: list[str], rng: np.random.Generator) -> list[DrawnDie]:
    """Dice of `kinds` anywhere in the tray, none upon another; some touch."""
    edge = float(rng.uniform(34, 54))
    dice: list[DrawnDie] = []
    while len(dice) < len(kinds):
        x, y = rng.uniform(_RIM, SIZE[1] - _RIM), rng.uniform(_RIM, SIZE[0] - _RIM)
        if all(np.hypot(x - die.x, y - die.y) > 1.45 * edge for die in dice):
            body = (
                str(rng.choice(list(BODIES)))
                if kinds[len(dice)] == "pips"
                else str(rng.choice(["white", "black", "beige"]))
            )
            dice.append(
                DrawnDie(
                    kinds[len(dice)],
                    body,
                    int(rng.integers(1, 7)),
                    float(x),
                    float(y),
                    float(rng.uniform(0, 6.28)),
                    edge,
                )
            )
    return dice


def random_light(rng: np.random.Generator) -> Light:
    """A room's light: from any side, weak or strong, as warm or cold as a camera's white balance leaves it."""
    angle, height = rng.uniform(0, 6.28), rng.uniform(0.7, 1.5)
    warm = rng.normal(0, 0.05)
    return Light(
        (float(np.cos(angle) * np.cos(height)), float(np.sin(angle) * np.cos(height)), float(np.sin(height))),
        float(rng.uniform(0.35, 0.7)),
        float(rng.uniform(0.25, 0.5)),
        (float(1 - warm), 1.0, float(1 + warm)),
        float(rng.uniform(0.2, 0.55)),
        float(rng.uniform(0.05, 0.2)),
    )


def faces_of(dice: list[DrawnDie]) -> collections.Counter[Face]:
    """What the reader should say."""
    names = list(BALL_COLOURS)
    return collections.Counter(
        Face(die.face) if die.kind == "pips" else Face(colour=names[die.face - 1]) for die in dice
    )


def outcome(roll: Roll, dice: list[DrawnDie]) -> str:
    """exact, wrong or asked."""
    if roll.status is Status.ASK:
        return "asked"
    return "exact" if collections.Counter(die.face for die in roll.dice) == faces_of(dice) else "wrong"


def main() -> None:
    """Reads the command line and prints the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--set", default="footclub", choices=["pips", "ball", "footclub"])
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--save", help="folder for the pictures that were not read exactly")
    args = parser.parse_args()
    reader = Reader(dice_sets.load(args.set))
    figures: collections.Counter[str] = collections.Counter()
    times = []
    for number in range(args.count):
        rng = np.random.default_rng([args.seed, number])
        choices = {"pips": ["pips"], "ball": ["ball"], "footclub": ["pips", "ball"]}[args.set]
        dice = random_throw([str(kind) for kind in rng.choice(choices, int(rng.integers(1, 7)))], rng)
        picture = draw_tray(
            dice, rng, ground=make_ground(rng), light=random_light(rng), noise=float(rng.uniform(0.003, 0.02))
        )
        roll = reader.read(picture)
        said = outcome(roll, dice)
        figures[said] += 1
        times.append(roll.ms)
        if args.save and said != "exact":
            cv2.imwrite(f"{args.save}/{said}_{number}.png", picture)
    shares = " ".join(f"{name} {100 * figures[name] / args.count:.2f}%" for name in ("exact", "wrong", "asked"))
    print(f"{args.count} throws, set {args.set}: {shares}, median {np.median(times):.0f} ms")


if __name__ == "__main__":
    main()
