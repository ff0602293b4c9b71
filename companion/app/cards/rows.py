"""The rows of the catalogue or club that a page edits, and their folders."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from companion.app.page import PageArgs
from companion.games.base import Message
from companion.games.catalogue import CatalogueKind, Row, rows_by_value
from companion.table.catalogues.card_store import CardStore, ClubFile, ExchangeFolders, fault_message, slug
from companion.table.catalogues.csv_tables import CLUBS, KINDS, parse_cell

if TYPE_CHECKING:
    from companion.app.context import AppContext


class CardRows:
    """Rows of a catalogue or club.

    `args` are those of the route: `kind`, and for a club `file` (own club) or `club` (sample or new club).

    Reading and writing raise CardStoreError.
    """

    def __init__(self, store: CardStore, args: PageArgs) -> None:
        self.kind: CatalogueKind = store.with_own_options(KINDS[args["kind"]])
        self.store, self._args = store, args
        self.rows: tuple[Row, ...] = ()
        self.faults: tuple[Message, ...] = ()
        if self.kind.name == CLUBS:
            self._load_club()
        else:
            reading = store.load(self.kind)
            self.rows = reading.valid_rows
            self.faults = tuple(fault_message(fault) for fault in reading.faults)

    @property
    def is_own(self) -> bool:
        """True if the players have their own version; otherwise it is a sample."""
        return "file" in self._args if self.kind.name == CLUBS else self.store.is_own(self.kind)

    @property
    def args(self) -> PageArgs:
        """The arguments of a route that edits the same rows."""
        return {key: value for key, value in self._args.items() if key in ("kind", "file", "club", "new")}

    @property
    def name(self) -> str:
        """The club's name."""
        return str(self.rows[0]["club"]) if self.rows else str(self._args.get("club", ""))

    def groups(self) -> dict[str, list[int]]:
        """Return the row indices of each multi-row card."""
        return rows_by_value(self.rows, self.kind.group)

    def save(self, rows: Sequence[Row]) -> None:
        """Save these rows. A sample becomes the players' own version."""
        if self.kind.name != CLUBS:
            self.store.save(self.kind, rows)
        elif rows or "file" in self._args:
            own = self._args.get("file")
            self._args["club"] = str(rows[0]["club"]) if rows else self.name
            self._args["file"] = str(self.store.save_club(rows or self.rows[:0], Path(own) if own else None))
        self.rows = tuple(rows)

    def rename(self, name: str) -> None:
        """Rename the club."""
        rows = [{**row, "club": name} for row in self.rows]
        self._args["club"] = name
        self.save(rows)

    def put(self, row: Row, instead: tuple[object, ...] | None = None) -> None:
        """Save a row. It replaces the row with the identity `instead`, or is added at the end of its group."""
        rows = list(self.rows)
        at = next((at for at, one in enumerate(rows) if self.kind.identity_of(one) == instead), None)
        if at is not None:
            rows[at] = row
        else:
            rows.insert(self._end(row), row)
        if self.kind.group and "name" in row and self.kind.name != CLUBS:
            rows = [{**one, "name": row["name"]} if self._together(one, row) else one for one in rows]
        self.save(rows)

    def remove(self, row: Row) -> None:
        """Remove a row."""
        self.save([one for one in self.rows if self.kind.identity_of(one) != self.kind.identity_of(row)])

    def _end(self, row: Row) -> int:
        own = [at for at, one in enumerate(self.rows) if self.kind.group and self._together(one, row)]
        return own[-1] + 1 if own else len(self.rows)

    def _together(self, one: Row, other: Row) -> bool:
        return bool(one.get(self.kind.group) == other.get(self.kind.group))

    def _load_club(self) -> None:
        own = self._args.get("file")
        if own:
            club: ClubFile | None = self.store.club(Path(own))
        else:
            clubs = (club for club in self.store.all_clubs() if club.path is None)
            club = next((club for club in clubs if club.name == self._args.get("club")), None)
        if club is not None and not self._args.get("new"):
            self.rows, self.faults = club.rows, (club.fault,) if club.fault else ()


def new_row(card_rows: CardRows, group: str | None = None, like: Row | None = None) -> Row:
    """Return a new row of this group with a unique identity, copied from `like` if given."""
    kind = card_rows.kind
    row: Row = dict(like or {})
    if kind.group and group is not None:
        row[kind.group] = group
    for column in kind.columns:
        if column.default:
            row.setdefault(column.key, parse_cell(column, column.default))
    key = kind.identity[-1]
    column = kind.column(key)
    taken = {one.get(key) for one in card_rows.rows if not kind.group or one.get(kind.group) == row.get(kind.group)}
    if column.type == "whole":
        row[key] = next((n for n in range(column.minimum, column.maximum + 1) if n not in taken), column.maximum)
    else:
        stem = str(row.get(key, _stem(card_rows))).rstrip("0123456789")
        row[key] = next(f"{stem}{n}" for n in range(1, len(taken) + 2) if f"{stem}{n}" not in taken)
    return row


def _stem(card_rows: CardRows) -> str:
    """Return the prefix of new ids. Ids of a club start with its name, which makes them unique (FC-1.11)."""
    if card_rows.kind.name == CLUBS:
        return f"{slug(card_rows.name)}-"
    return card_rows.kind.id_prefix


CATALOGUES, EXCHANGE = "catalogues", "exchange"


def catalogue_folder(app: AppContext) -> Path:
    """Return the folder of the catalogues."""
    return _clubs(app).parent / CATALOGUES


def card_store(app: AppContext) -> CardStore:
    """Return the store of the table's catalogues and clubs."""
    return CardStore(catalogue_folder(app), _clubs(app), app.translate.code)


def exchange(app: AppContext) -> ExchangeFolders:
    """Return the folders for import and export of tables."""
    return ExchangeFolders(_clubs(app).parent / EXCHANGE)


def _clubs(app: AppContext) -> Path:
    if app.squads is None:
        raise ValueError("the app was given no folder for clubs")
    return app.squads
