"""Which games and sets of dice benchmarks, trials and training take (`games.toml`)."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any, Final

SETTINGS: Final[dict[str, Any]] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))


def shares(what: str) -> tuple[tuple[str, float], ...]:
    """How often the training draws each set of dice, in parts of 1."""
    return tuple((name, share / 100) for name, share in SETTINGS["training"][what].items())
