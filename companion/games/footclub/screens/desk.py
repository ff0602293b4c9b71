"""Keeps a market or a draft on the disk after every pick, and finds it again after a power cut."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.app.cards.rows import catalogue_folder
from companion.games.base import Refusal
from companion.games.footclub.draft import Draft
from companion.games.footclub.mercato import Mercato
from companion.journal.files import write_atomically
from companion.table.catalogues.card_store import ASIDE_SUFFIX, CardStoreError

if TYPE_CHECKING:
    from companion.app.context import AppContext


Deal = Mercato | Draft


class Desk:
    """One file of a folder for the deal under way; the folder need not exist yet."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "market.json"

    def load(self) -> Deal | None:
        """The deal that was under way; a file that holds none is set aside. Raises CardStoreError."""
        try:
            content = self._path.read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise CardStoreError(self._path, error) from error
        try:
            return _deal(json.loads(content))
        except (ValueError, KeyError, TypeError, AttributeError, StopIteration, IndexError, Refusal):
            self._move()
            return None

    def save(self, deal: Deal) -> None:
        """On the disk on return. Raises CardStoreError."""
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(self._path, json.dumps(_written(deal), ensure_ascii=False).encode())
        except OSError as error:
            raise CardStoreError(self._path, error) from error

    def clear(self) -> None:
        """The deal is over, or given up: its file is set aside. Raises CardStoreError."""
        if self._path.exists():
            self._move()

    def _move(self) -> None:
        try:
            self._path.replace(self._path.with_name(self._path.name + ASIDE_SUFFIX))
        except OSError as error:
            raise CardStoreError(self._path, error) from error


def _written(deal: Deal) -> dict[str, Any]:
    if isinstance(deal, Draft):
        return {"draft": {"clubs": deal.clubs, "rows": deal.rows, "first": deal.first, "picks": deal.picks}}
    return {"mercato": {"header": deal.header, "lower": deal.lower, "upper": deal.upper, "events": deal.events}}


def _deal(read: dict[str, Any]) -> Deal:
    """The deal as written. Raises what a wrong file makes the game or Python raise."""
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


def desk(app: AppContext) -> Desk:
    """The market or draft under way."""
    return Desk(catalogue_folder(app))
