"""`companion read` and `companion watch`: print dice as JSON lines, explain a reading, read misreads again."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from companion.commands.exit_codes import REFUSED
from companion.commands.settings import data_folder_of, language_of
from companion.table.misreads import FOLDER
from vision.messages import message_printer

if TYPE_CHECKING:
    from vision.commands import WatchOptions


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """The arguments of `companion read`.

    - `images`: with `regressions`, one folder of stored misreads, or empty for the default folder
    - `dice_given`: a dice set or count was given; stored misreads have their own
    """

    images: Sequence[str]
    dice_set: str
    count: int | None
    explain: Path | None
    regressions: bool
    dice_given: bool


def run_read_command(config: Path | None, options: ReadOptions) -> int:
    """Read pictures or stored misreads. Returns the exit status. Raises: ConfigError."""
    images, explain, regressions = options.images, options.explain, options.regressions
    from vision.commands import run_read, run_regressions

    language = language_of(config)
    notify = message_printer(sys.stderr, language.text)
    refusal = _refusal(options)
    if refusal is not None:
        print(language(refusal), file=sys.stderr)
        return REFUSED
    if regressions:
        folder = Path(images[0]) if images else data_folder_of(config) / FOLDER
        return run_regressions(folder, bool(images), sys.stdout, notify)
    return run_read(images, options.dice_set, options.count, sys.stdout, notify, explain)


def run_watch_command(config: Path | None, source: str, dice_set: str, options: WatchOptions) -> int:
    """Read the rolls of a moving source. Returns the exit status. Raises: ConfigError."""
    from vision.commands import run_watch

    return run_watch(source, dice_set, options, sys.stdout, message_printer(sys.stderr, language_of(config).text))


def _refusal(options: ReadOptions) -> str | None:
    """Return the message id for arguments that cannot be combined; None if they are valid."""
    if not options.regressions:
        return None if options.images else "cli.read.no_picture"
    if len(options.images) > 1:
        return "cli.read.one_folder"
    if options.explain is not None:
        return "cli.read.explain"
    return "cli.read.kept_as_it_was" if options.dice_given else None
