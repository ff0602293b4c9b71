"""`companion read`: dice in pictures as JSON lines; the stages of a reading; what players corrected, read again."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from companion.commands.settings import data_folder_of
from companion.table.misreads import FOLDER

REFUSED = 2


def run_read_command(
    config: Path | None,
    images: Sequence[str],
    dice_set: str,
    count: int | None,
    explain: Path | None,
    regressions: bool,
    told: bool = False,
) -> int:
    """Reads `images`, or with `regressions` the kept misreadings of the one folder named there (none: the usual one).

    `told`: a set or a number was given, which kept misreadings have of their own. Returns the exit status. Raises
    ConfigError.
    """
    from vision.reading_json import run_read
    from vision.regressions import run_regressions

    if regressions and len(images) > 1:
        print("--regressions takes one folder, or none for the usual one", file=sys.stderr)
        return REFUSED
    if regressions and explain is not None:
        print("--explain takes pictures: name those of the folder that --regressions reads", file=sys.stderr)
        return REFUSED
    if regressions and told:
        print("--regressions reads each picture as it was kept: leave --set and --count out", file=sys.stderr)
        return REFUSED
    if regressions:
        folder = Path(images[0]) if images else data_folder_of(config) / FOLDER
        return run_regressions(folder, bool(images), sys.stdout, sys.stderr)
    if not images:
        print("no picture to read: name one or more, or --regressions", file=sys.stderr)
        return REFUSED
    return run_read(images, dice_set, count, sys.stdout, sys.stderr, explain)
