"""Settings beside screen and sound: the configuration as it is now, and one key of it kept at a time."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from pathlib import Path

from companion.config import Config, ConfigError, save_setting, with_setting
from companion.games.base import Message

log = logging.getLogger(__name__)


@dataclass(slots=True)
class Settled:
    """`file` is where settings are kept, None: nowhere. `config` is what holds now, kept or not."""

    config: Config
    file: Path | None

    def keep(self, section: str, key: str, value: bool | int | str) -> Message | None:
        """A setting holds from now on; why it could not be written, if so."""
        self.config = with_setting(self.config, section, key, value)
        if self.file is None:
            return None
        try:
            save_setting(self.file, section, key, value)
        except ConfigError as fault:
            log.warning("setting not kept: %s", fault)
            return fault.message
        return None
