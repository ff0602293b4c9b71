"""The folders of the games. Importing this module loads no game."""

from __future__ import annotations

from pathlib import Path
from pkgutil import iter_modules

import companion.games


def game_folders() -> dict[str, Path]:
    """Return the folder of each game by its name, sorted by name."""
    found = {
        name: Path(path) / name
        for path in companion.games.__path__
        for _, name, is_package in iter_modules([path])
        if is_package
    }
    return dict(sorted(found.items()))
