"""The folders of the games; nothing of them is loaded."""

from __future__ import annotations

from pathlib import Path
from pkgutil import iter_modules

import companion.games


def folders() -> dict[str, Path]:
    """The folder of every game by its name, in the order of their names."""
    found = {
        name: Path(place) / name
        for place in companion.games.__path__
        for _, name, is_package in iter_modules([place])
        if is_package
    }
    return dict(sorted(found.items()))
