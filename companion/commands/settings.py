"""The configuration as the commands need it: read once, a fault told in one sentence."""

from __future__ import annotations

import os
from pathlib import Path

from companion.language import LANGUAGES, Language


def language_of(config: Path | None) -> Language:
    """The player's language: `TAPIS_VERT_LANGUAGE`, else the system's if it is French, else English for the terminal."""
    told = os.environ.get("TAPIS_VERT_LANGUAGE") or os.environ.get("LANG", "")
    return Language(told[:2] if told[:2] in LANGUAGES else "en")
