"""The games and dice sets that benchmarks, trials and training use (`games.toml`)."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any, Final

SETTINGS: Final[dict[str, Any]] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))


def dice_set_shares(section: str) -> tuple[tuple[str, float], ...]:
    """Return the share (0..1) of each dice set in the training scenes."""
    return tuple((name, share / 100) for name, share in SETTINGS["training"][section].items())
