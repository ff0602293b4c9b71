"""This table's link to a tournament's hub, begun when there is one; a table that plays alone loads none of it."""

from __future__ import annotations

import secrets
from pathlib import Path

from companion.clock import Clock
from companion.config import Config
from companion.games.base import Message
from companion.link.notes import FILE
from companion.table.hub_port import HubLook, HubPort, Side, Signer

ALONE = HubLook()


class LateLink:
    """`HubPort` that is nobody until a hub was joined: before, in the settings' file, or now."""

    def __init__(self, store: Path, folder: Path, clock: Clock, configured: tuple[str, str] | None) -> None:
        """`store` is the file of the matches, `folder` that of the link's notes, `configured` as `TableLink` has it."""
        self._store, self._folder, self._clock = store, folder, clock
        self._link: HubPort | None = None
        if configured is not None or (folder / FILE).exists():
            self._begin(configured)

    def look(self) -> HubLook:
        return ALONE if self._link is None else self._link.look()

    def join(self, address: str, token: str) -> Message | None:
        return (self._link or self._begin(None)).join(address, token)

    def leave(self) -> None:
        if self._link is not None:
            self._link.leave()

    def grew(self) -> None:
        if self._link is not None:
            self._link.grew()

    def check_in(self, match: str, side: Side, present: bool) -> None:
        if self._link is not None:
            self._link.check_in(match, side, present)

    def confirm(self, match: str, journal: str, line: int, by: Signer, given: bool = True) -> None:
        if self._link is not None:
            self._link.confirm(match, journal, line, by, given)

    def close(self) -> None:
        if self._link is not None:
            self._link.close()

    def _begin(self, configured: tuple[str, str] | None) -> HubPort:
        from companion.link.table_link import TableLink

        made = TableLink(self._store, self._folder, self._clock, secrets.token_hex(8))
        if configured is not None:
            made.configure(*configured)
        self._link = made
        return made


def configured_hub(config: Config) -> tuple[str, str] | None:
    """Address and token that the settings' file names, None unless it names both."""
    address, token = config.hub.address, config.hub.token
    return None if address is None or token is None else (address, token)
