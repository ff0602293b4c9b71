"""`companion read`: dice in pictures as JSON lines; the stages of a reading; what players corrected, read again."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from companion.commands.exit_codes import REFUSED
from companion.commands.settings import data_folder_of
from companion.table.misreads import FOLDER


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """The arguments of `companion read`.

    With `regressions`, `images` names one folder of kept misreadings, or none for the default folder. `dice_given`:
    a dice set or a count was typed; kept misreadings have their own.
    """

    images: Sequence[str]
    dice_set: str
    count: int | None
    explain: Path | None
    regressions: bool
    dice_given: bool


def run_read_command(config: Path | None, options: ReadOptions) -> int:
    """Read pictures or kept misreadings. Returns the exit status. Raises ConfigError."""
    images, explain, regressions = options.images, options.explain, options.regressions
    from vision.commands import run_read, run_regressions

    if regressions and len(images) > 1:
        print("--regressions takes one folder, or none for the usual one", file=sys.stderr)
        return REFUSED
    if regressions and explain is not None:
        print("--explain takes pictures: name those of the folder that --regressions reads", file=sys.stderr)
        return REFUSED
    if regressions and options.dice_given:
        print("--regressions reads each picture as it was kept: leave --set and --count out", file=sys.stderr)
        return REFUSED
    if regressions:
        folder = Path(images[0]) if images else data_folder_of(config) / FOLDER
        return run_regressions(folder, bool(images), sys.stdout, sys.stderr)
    if not images:
        print("no picture to read: name one or more, or --regressions", file=sys.stderr)
        return REFUSED
    return run_read(images, options.dice_set, options.count, sys.stdout, sys.stderr, explain)
