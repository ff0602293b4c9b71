"""Trains the nets again from nothing: `python -m tools train again FOLDER [--manifest PHOTOS.jsonl] [--hours H]`.

Draws scenes and renders some, trains the nets on them, then goes on with the photographs that may be used for it and
with what the first nets wrongly took for dice; writes the ONNX files to FOLDER/models. Every step leaves a file behind
and is not done again; a training that was cut goes on where it stood.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from tools import module_environment
from tools.games import SETTINGS

_SHARDS, _OWN, _BARE, _BOLD, _FIGURES, _COLOURED, _LEANING = 40, 15, 3, 14, 20, 30, 20
"""Shards of any dice anywhere, of the product's own sets, of tables without dice, of grounds that hide dice, of sixes
and nines, of dice told by their colours, and of dice that lean."""

_FIGURES_SHARE, _COLOURS_SHARE, _POSE_SHARE = 0.15, 0.2, 0.2
"""Of the hours: what the nets take besides that tell a six from a nine, name colours, and see how dice lie."""

_SCENES_A_SHARD = 400

_RENDERED, _RENDERED_SEED, _PATHS = 250, 100, 20
"""Rendered pictures of balls and as many of coloured dice, their seed (others measure the reader) and paths a pixel."""

_RENDERED_TIMES = 10
"""How often each of them is counted among the scenes of the net that names colours: about one in seven."""


def _step(*words: object) -> subprocess.Popen[bytes]:
    """Starts one of the training's commands on one processor core."""
    command = [sys.executable, "-m", f"tools.training.{words[0]}", *map(str, words[1:])]
    return subprocess.Popen(command, env=module_environment(OMP_NUM_THREADS="1"))


def _together(*steps: Sequence[object]) -> None:
    """Runs steps beside each other. Raises CalledProcessError for the first that failed."""
    for run in [_step(*words) for words in steps]:
        if run.wait():
            raise subprocess.CalledProcessError(run.returncode, run.args)


def _trained(out: Path, given: Sequence[object], minutes: float, name: str, before: str = "") -> None:
    """The nets, unless they are there: finder and faces together, then the finder that looks again (the same net from
    another seed) and the one that looks closely, from the faces."""
    for nets, share in ((("finder", "faces"), 0.5), (("second", "close"), 0.5)):
        steps = []
        for net in nets:
            done, cut = out / f"{net}_{name}.pt", out / f"{net}_{name}.run"
            start = out / (f"{net}_{before}.pt" if before else f"faces_{name}.pt" if net == "close" else "none")
            begun = ("--start", start) if before or net == "close" else ()
            if not done.exists() or cut.exists():
                kind, batch = (net, 128) if net in ("faces", "close") else ("finder", 32)
                how = ("--minutes", minutes * share, "--batch", batch, "--seed", int(net == "second"))
                steps.append(("train", kind, *given, *begun, "--out", done, *how))
        _together(*steps)


def _exported(folder: Path, name: str) -> None:
    weights = [folder / f"{net}_{name}.pt" for net in ("finder", "second", "faces", "close")]
    weights += [folder / "six_or_nine.pt", folder / "top_colour.pt", folder / "pose.pt"]
    shown = [folder / name for name in ("scenes", "figures", "coloured", "leaning")]
    _together(("export", *weights, *shown, folder / "models"))


def again(folder: Path, manifest: Path | None, hours: float) -> None:
    """All steps in order; `hours` are those of the training alone, on two cores."""
    scenes, photographs, false = folder / "scenes", folder / "photographs", folder / "false.npz"
    folder.mkdir(parents=True, exist_ok=True)
    half = _SHARDS // 2
    _together(("draw", scenes, 0, half - 1, _SCENES_A_SHARD), ("draw", scenes, half, _SHARDS - 1, _SCENES_A_SHARD))
    own, bare, bold = folder / "own", folder / "bare", folder / "bold"
    _together(
        ("draw", own, _SHARDS, _SHARDS + _OWN - 1, _SCENES_A_SHARD, "--own"),
        ("draw", bare, 2 * _SHARDS, 2 * _SHARDS + _BARE - 1, _SCENES_A_SHARD, "--bare"),
        ("draw", bold, 5 * _SHARDS, 5 * _SHARDS + _BOLD - 1, _SCENES_A_SHARD, "--bold"),
    )
    figures, coloured, leaning = folder / "figures", folder / "coloured", folder / "leaning"
    for dice, kind, begin, count in (
        (figures, "--figures", 3, _FIGURES),
        (coloured, "--coloured", 6, _COLOURED),
        (leaning, "--leaning", 9, _LEANING),
    ):
        first, middle, last = begin * _SHARDS, begin * _SHARDS + count // 2, begin * _SHARDS + count
        _together(
            ("draw", dice, first, middle - 1, _SCENES_A_SHARD, kind),
            ("draw", dice, middle, last - 1, _SCENES_A_SHARD, kind),
        )
    rendered, traced = folder / "rendered", folder / "traced"
    if not traced.exists():
        how = ("--count", _RENDERED, "--seed", _RENDERED_SEED, "--samples", _PATHS, "--any-colours")
        sets = (part for name in SETTINGS["training"]["rendered"] for part in ("--set", name))
        _together(("rendered", rendered, *sets, *how))
        _together(("rendered_shards", rendered, traced))
    steps = []
    for net, given, share in (
        ("pose", (leaning,), _POSE_SHARE),
        ("six_or_nine", (figures,), _FIGURES_SHARE),
        ("top_colour", (*(coloured,) * 3, own, bold, scenes, *(traced,) * _RENDERED_TIMES), _COLOURS_SHARE),
    ):
        out = folder / f"{net}.pt"
        if not out.exists() or out.with_suffix(".run").exists():
            steps.append(("train", net, *given, "--out", out, "--minutes", hours * 60 * share, "--batch", 128))
    _together(*steps)
    everything = (scenes, own, bare, bold)
    drawn = 0.7 if manifest else 1.0
    _trained(folder, everything, hours * 60 * drawn, "drawn")
    _exported(folder, "drawn")
    if manifest is None:
        return
    os.environ["TAPIS_VERT_MODELS"] = str(folder / "models")
    if not false.exists():
        _together(("photographs", manifest, photographs))
        _together(("mine", false, photographs, *everything, "--every", 4))
    mixed = [photographs, photographs, *everything, "--others", false]
    _trained(folder, mixed, hours * 60 * (1 - drawn), "photographed", "drawn")
    _exported(folder, "photographed")


def main() -> None:
    """Reads the command line and trains."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--manifest", type=Path, help="labelled photographs; those marked train are used")
    parser.add_argument("--hours", type=float, default=2.0)
    args = parser.parse_args()
    again(args.folder, args.manifest, args.hours)


if __name__ == "__main__":
    main()
