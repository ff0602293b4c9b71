"""The commands' access to the configuration. Faults raise ConfigError, which `companion.cli` reports."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from companion.config import ConfigError, data_folder, load_config
from companion.language import Language


def language_of(chosen: Path | None) -> Language:
    """Return the configured language. Raises: ConfigError."""
    return Language(load_config(chosen).display.language)


def terminal_language(chosen: Path | None, environ: Mapping[str, str] = os.environ) -> Language:
    """Return the configured language; with an invalid configuration, the language of the environment."""
    try:
        return language_of(chosen)
    except ConfigError:
        return Language("fr" if _locale(environ).startswith("fr") else "en")


def named_config(arguments: Sequence[str]) -> Path | None:
    """Return the file given by `--config` on a command line that is not parsed yet; None without it."""
    for place, argument in enumerate(arguments):
        option, equals, file = argument.partition("=")
        if option == "--config":
            return Path(file) if equals else Path(arguments[place + 1]) if place + 1 < len(arguments) else None
        if not argument.startswith("-"):
            return None
    return None


def data_folder_of(chosen: Path | None) -> Path:
    """Return the configured folder of the matches. Raises: ConfigError."""
    return data_folder(load_config(chosen))


def _locale(environ: Mapping[str, str]) -> str:
    """Return the locale of messages according to POSIX; French if no variable is set."""
    candidates = (environ.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    return next(filter(None, candidates), "fr")
