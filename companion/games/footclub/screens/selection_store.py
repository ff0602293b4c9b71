"""Saves a market or a draft to disk after every pick, and restores it after a power cut."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.app.cards.rows import catalogue_folder
from companion.games.base import Refusal
from companion.games.footclub.draft import Draft
from companion.games.footclub.mercato import Mercato
from companion.table.catalogues.card_store import ASIDE_SUFFIX, CardStoreError
from vision.files import read_state, write_atomically

if TYPE_CHECKING:
    from companion.app.context import AppContext


SquadSelection = Mercato | Draft


class SelectionStore:
    """The file of the current deal; its folder need not exist yet."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "market.json"

    def load(self) -> SquadSelection | None:
        """Return the saved deal; None if there is none or its file was damaged, which is then set aside."""
        return read_state(self._path, _decode)

    def save(self, selection: SquadSelection) -> None:
        """Save the deal; it is on disk when this returns. Raises: CardStoreError."""
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(self._path, json.dumps(_to_json(selection), ensure_ascii=False).encode())
        except OSError as error:
            raise CardStoreError(self._path, error) from error

    def clear(self) -> None:
        """Move the file of a finished or abandoned deal aside. Raises: CardStoreError."""
        if self._path.exists():
            self._move()

    def _move(self) -> None:
        try:
            self._path.replace(self._path.with_name(self._path.name + ASIDE_SUFFIX))
        except OSError as error:
            raise CardStoreError(self._path, error) from error


def _to_json(selection: SquadSelection) -> dict[str, Any]:
    if isinstance(selection, Draft):
        return {
            "draft": {
                "clubs": selection.clubs,
                "rows": selection.rows,
                "first": selection.first,
                "picks": selection.picks,
            }
        }
    return {
        "mercato": {
            "header": selection.header,
            "lower": selection.lower,
            "upper": selection.upper,
            "events": selection.events,
        }
    }


def _decode(content: bytes) -> SquadSelection:
    """Parse the file of a deal. Raises: ValueError and the other errors of damaged content."""
    try:
        return _from_json(json.loads(content))
    except (StopIteration, Refusal) as fault:
        raise ValueError(str(fault)) from fault


def _from_json(read: dict[str, Any]) -> SquadSelection:
    """Parse a saved deal. An invalid file raises the exceptions of the game or of Python."""
    if "draft" in read:
        kept = read["draft"]
        one, two = kept["clubs"]
        draft = Draft((str(one), str(two)), tuple(kept["rows"]), "red" if kept["first"] == "red" else "blue")
        for id in kept["picks"]:
            draft = draft.pick(id)
        return draft
    kept = read["mercato"]
    lists = tuple(kept["lower"]), tuple(kept["upper"]), tuple(kept["events"])
    mercato = Mercato(kept["header"], *lists)
    if mercato.picks < 0 or mercato.state.setup.names[0] != mercato.names["blue"]:
        raise ValueError("no market under way")
    return mercato


def selection_store(app: AppContext) -> SelectionStore:
    """Return the desk of the current market or draft."""
    return SelectionStore(catalogue_folder(app))
