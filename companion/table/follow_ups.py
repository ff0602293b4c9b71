"""The finished matches after which the players want no next one, such as the last of a campaign that they stopped."""

from __future__ import annotations

from pathlib import Path

import msgspec

from companion.table.catalogues.card_store import CardStoreError
from vision.files import read_state, write_atomically

CLOSED_FILE = "closed_follow_ups.json"
MAX_CLOSED = 200
"""Matches remembered; the home page looks back on fewer."""

_DECODER = msgspec.json.Decoder(list[str])


class ClosedFollowUps:
    """The ids of these matches, newest last, in a file of a folder that need not exist yet."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / CLOSED_FILE

    def __contains__(self, match_id: str) -> bool:
        return match_id in self._read()

    def close(self, match_id: str) -> None:
        """Remember that nothing follows this match. Raises: CardStoreError."""
        self._write([*(id for id in self._read() if id != match_id), match_id])

    def reopen(self, match_id: str) -> None:
        """Forget it again. Raises: CardStoreError."""
        if match_id in self:
            self._write([id for id in self._read() if id != match_id])

    def _read(self) -> list[str]:
        return read_state(self._path, _DECODER.decode) or []

    def _write(self, ids: list[str]) -> None:
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(self._path, msgspec.json.encode(ids[-MAX_CLOSED:]))
        except OSError as error:
            raise CardStoreError(self._path, error) from error
