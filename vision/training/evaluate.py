"""Measures the shipped reader on labelled photographs: `python -m vision.training.evaluate MANIFEST [--curve]
[--wrong]`.

Per source: exact, wrong when certain, asked (as a share of the pictures), and how often the best guess is right.
"""

from __future__ import annotations

import argparse
import collections
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from vision import dice_sets
from vision.find import Candidate
from vision.pictures import Picture, load_picture
from vision.pipeline import Reader, Strictness
from vision.read import Look
from vision.roll import Roll, Status


@dataclass(frozen=True)
class Seen:
    """A photograph with what the nets made of it, so that other thresholds need no second look."""

    image: str
    source: str
    values: tuple[int, ...]
    picture: Picture
    candidates: Sequence[Candidate]
    looks: Sequence[Look]


class Replayed(Reader):
    """A reader whose nets have already spoken."""

    def judge(self, seen: Seen, strictness: Strictness) -> Roll:
        """The roll under these thresholds."""
        self._strict = strictness
        return self._decide(seen.picture, seen.candidates, seen.looks, None)


def look_at(manifest: Path, reader: Reader, part: str = "") -> list[Seen]:
    """Runs the nets over every photograph of a manifest (one JSON object a line: image, source, dice)."""
    out = []
    for line in manifest.read_text("utf-8").splitlines():
        truth = json.loads(line)
        if part not in truth["source"]:
            continue
        picture = load_picture(manifest.parent / truth["image"])
        candidates, looks = reader.look(picture)
        values = tuple(sorted(die["value"] for die in truth["dice"]))
        out.append(Seen(truth["image"], truth["source"], values, picture, candidates, looks))
    return out


def outcome(roll: Roll, values: tuple[int, ...]) -> str:
    """exact, wrong or asked."""
    if roll.status is Status.ASK:
        return "asked"
    return "exact" if best_guess(roll) == values else "wrong"


def best_guess(roll: Roll) -> tuple[int, ...]:
    """The values read, sorted; a die without a value counts as 0."""
    return tuple(sorted(die.face.value or 0 for die in roll.dice))


def figures(seen: Sequence[Seen], reader: Replayed, strictness: Strictness) -> dict[str, dict[str, float]]:
    """By source: shares of exact, wrong and asked pictures, and of right best guesses."""
    found: dict[str, list[tuple[str, bool]]] = collections.defaultdict(list)
    for one in seen:
        roll = reader.judge(one, strictness)
        found[one.source].append((outcome(roll, one.values), best_guess(roll) == one.values))
    return {
        source: {
            "n": float(len(rows)),
            **{name: float(np.mean([row[0] == name for row in rows])) for name in ("exact", "wrong", "asked")},
            "best": float(np.mean([row[1] for row in rows])),
        }
        for source, rows in sorted(found.items())
    }


def mean_of(table: dict[str, dict[str, float]]) -> dict[str, float]:
    """Sources count equally."""
    return {name: float(np.mean([row[name] for row in table.values()])) for name in ("exact", "wrong", "asked", "best")}


def main() -> None:
    """Reads the command line and prints the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("manifest", type=Path)
    parser.add_argument("--source", default="")
    parser.add_argument("--curve", action="store_true", help="wrong against asked for other thresholds")
    parser.add_argument("--wrong", action="store_true", help="list what was read wrong with certainty")
    args = parser.parse_args()
    reader = Replayed(dice_sets.load("pips"))
    seen = look_at(args.manifest, reader, args.source)
    usual = Strictness()
    table = figures(seen, reader, usual)
    for source, row in (*table.items(), ("mean", mean_of(table))):
        print(f"{source:40}", " ".join(f"{k} {v:.0f}" if k == "n" else f"{k} {100 * v:5.1f}%" for k, v in row.items()))
    if args.wrong:
        for one in seen:
            roll = reader.judge(one, usual)
            if outcome(roll, one.values) != "exact":
                print(
                    outcome(roll, one.values),
                    one.image,
                    one.values,
                    best_guess(roll),
                    [d.doubt for d in roll.dice if d.doubt],
                )
    if args.curve:
        for sure in (0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99):
            row = mean_of(figures(seen, reader, replace(usual, sure=sure)))
            print(f"sure {sure:.2f}", " ".join(f"{k} {100 * v:5.1f}%" for k, v in row.items()))


if __name__ == "__main__":
    main()
