"""The cards of a game as table rows: columns, kinds of catalogues with their checks, and clubs stored one per file.

Import, export and the editor's form are all derived from the columns.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import resources
from typing import Any, Literal, Protocol

from companion.games.base import Fields, JsonObject, Message, Refusal
from companion.games.wording import literal

ColumnType = Literal["text", "whole", "pick", "picks", "switch", "texts"]
"""The type of a column's value:

- `text`: a short text; one that is an option is stored as its identifier
- `whole`: an integer
- `pick`: one of the options
- `picks`: several of the options
- `switch`: yes or no
- `texts`: short texts; one that is an option is stored as its identifier
"""

LIST_SEPARATORS = "/|+&,;"
"""Signs that separate the options in a cell; an option that players name has none of them."""
NONE_CELL = "-"
"""A cell that means "none", where an empty cell means something else."""
Row = dict[str, Any]
"""A row of a catalogue: the values of its columns by key. Empty columns are absent."""


@dataclass(frozen=True, slots=True)
class CatalogueColumn:
    """One column. `options` are identifiers; `option_prefix` is the prefix of the message ids of their labels.

    Without a prefix, options are shown unchanged.

    - `maximum`: the maximum of a number, or of the options picked
    - `row_sorts`: the sorts of row that have the column (empty: all)
    - `default`: the value of an empty cell
    - `has_empty_marker`: True if an empty list differs from an empty cell
    - `rule`: the number of the rule that sets the column's limits; `rules`: the same for certain sorts of row
    - `short_label`: the message of a shorter label for lists
    - `own_options_from`: the kind of catalogue whose titles are options too
    - `synonyms`: further headings of the column in an imported table: earlier ones, and abbreviations on the cards
    - `own_options`: these, once they are known: options that the players named themselves, shown unchanged
    """

    key: str
    type: ColumnType = "text"
    options: tuple[str, ...] = ()
    option_prefix: str = ""
    minimum: int = 0
    maximum: int = 99
    required: bool = False
    row_sorts: tuple[str, ...] = ()
    default: str = ""
    has_empty_marker: bool = False
    rule: str = ""
    short_label: str = ""
    rules: tuple[tuple[str, str], ...] = ()
    own_options_from: str = ""
    own_options: tuple[str, ...] = ()
    synonyms: tuple[str, ...] = ()

    @property
    def label(self) -> Message:
        """Return the column's label."""
        return Message(f"catalogues.column.{self.key}")

    def option_label(self, option: str) -> Message:
        """Return an option's label."""
        if not self.option_prefix or option in self.own_options:
            return literal(option)
        return Message(f"{self.option_prefix}{option}")

    def with_own_options(self, own: Iterable[str]) -> CatalogueColumn:
        """Return the column with more options, which the players named themselves."""
        new = tuple(dict.fromkeys(option for option in own if option not in self.options))
        maximum = self.maximum + len(new) if self.type == "picks" else self.maximum
        return replace(self, options=(*self.options, *new), own_options=new, maximum=maximum)

    def rule_for(self, sort: str) -> str:
        """Return the number of the rule that limits the column in rows of this sort."""
        return dict(self.rules).get(sort, self.rule)

    def applies_to(self, sort: str) -> bool:
        """Return True if rows of this sort have the column."""
        return not self.row_sorts or sort in self.row_sorts


@dataclass(frozen=True, slots=True)
class RowError:
    """A rule violation in a row: the column, the sentence and the rule number (may be empty)."""

    column: str
    reason: Message
    rule: str = ""


RowCheck = Callable[[Row], RowError | None]
CatalogueCheck = Callable[[Sequence[Row]], Iterator[tuple[int, RowError]]]
"""Validates rows against each other; each row is already valid alone. Yields the row's index and the violation."""


def no_row_errors(_: Sequence[Row]) -> Iterator[tuple[int, RowError]]:
    """Yield no violations: the check of a kind whose rows do not depend on each other."""
    yield from ()


def rows_by_value(rows: Sequence[Row], key: str) -> dict[str, list[int]]:
    """Group the rows by their value in a column. Returns row indices by value, in order of appearance."""
    found: dict[str, list[int]] = {}
    for at, row in enumerate(rows):
        found.setdefault(str(row[key]), []).append(at)
    return found


@dataclass(frozen=True, slots=True)
class CatalogueKind:
    """One kind of catalogue.

    - `identity`: the columns that identify a row
    - `title`: the column that names a row
    - `group`: rows with the same value here belong together (a club, a chance card)
    - `sort`: the column that holds the sort of the row
    - `name`: the file's name
    - `rule`: the number of the rule that ids must be unique
    - `summary_columns`: the columns that a list shows beside the title
    - `id_prefix`: the prefix of the identifier of a new row, before its number
    - `has_cards`: False for sets of other material, which have no pictures
    """

    name: str
    game: str
    columns: tuple[CatalogueColumn, ...]
    identity: tuple[str, ...]
    title: str
    check_row: RowCheck
    check_rows: CatalogueCheck = no_row_errors
    group: str = ""
    sort: str = ""
    rule: str = ""
    summary_columns: tuple[str, ...] = ()
    id_prefix: str = "c"
    has_cards: bool = True
    card_catalogue: CatalogueKind | None = None
    """The catalogue that holds the same cards and their pictures."""

    @property
    def label(self) -> Message:
        """Return the catalogue's label."""
        return Message(f"catalogues.kind.{self.name}")

    def count_label(self, count: int) -> Message:
        """Return the number of rows of a card that has several."""
        return Message(f"catalogues.count.{self.name}", {"n": count})

    def column(self, key: str) -> CatalogueColumn:
        """Return the column of that key. Raises: StopIteration if there is none."""
        return next(column for column in self.columns if column.key == key)

    def columns_of(self, row: Row) -> tuple[CatalogueColumn, ...]:
        """Return the columns of this row's sort."""
        sort = str(row.get(self.sort, "")) if self.sort else ""
        return tuple(column for column in self.columns if column.applies_to(sort))

    def identity_of(self, row: Row) -> tuple[object, ...]:
        """Return the values that identify the row."""
        return tuple(row.get(key) for key in self.identity)


def row_error_from(refused: Refusal, keys: dict[str, str], default: str) -> RowError:
    """Convert a game's refusal of a card to a violation in a row. `keys` maps suffixes of message ids to columns."""
    id = refused.message.id
    key = next((key for end, key in keys.items() if id.endswith(end)), default)
    return RowError(key, refused.message, refused.rule)


def comma_separated(texts: Sequence[Message]) -> Message:
    """Join messages with commas."""
    first, *rest = texts
    return Message("catalogues.words", {"first": first, "rest": comma_separated(rest)}) if rest else first


SAMPLE_LANGUAGE = "fr"
"""The language in which the sample cards of all games are written."""


@cache
def sample_names(game: str, language: str) -> Mapping[str, str]:
    """Return the names on a game's sample cards in a language, by their names in `SAMPLE_LANGUAGE`.

    Names that are the same in both languages, such as those of persons, may be absent.
    """
    file = resources.files(f"companion.games.{game}") / "samples" / f"names.{language}.toml"
    return tomllib.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}


def with_sample_names(row: Row, names: Mapping[str, str]) -> Row:
    """Return a sample row with each of its texts replaced by its name in another language, if it has one."""

    def named(value: object) -> object:
        if isinstance(value, list):
            return [named(one) for one in value]
        return names.get(value, value) if isinstance(value, str) else value

    return {key: named(value) for key, value in row.items()}


class CardSource(Protocol):
    """The cards of a table: the players' own catalogues if they have any, otherwise the sample catalogues."""

    @property
    def language(self) -> str:
        """The code of the language in which the sample cards have their names."""
        ...

    def is_own(self, kind: CatalogueKind) -> bool:
        """Return True if the players have a catalogue of their own."""
        ...

    def rows(self, kind: CatalogueKind) -> tuple[Row, ...]:
        """Return the valid cards."""
        ...


class NoCards:
    """A source (`CardSource`) without cards, for what a preparation offers without any."""

    language = SAMPLE_LANGUAGE

    def is_own(self, kind: CatalogueKind) -> bool:
        return False

    def rows(self, kind: CatalogueKind) -> tuple[Row, ...]:
        return ()


class SquadFileError(Exception):
    """A squad file that cannot be used. `message` names the file, the position in it and the error."""

    def __init__(self, message: Message) -> None:
        super().__init__(str(message))
        self.message = message


@dataclass(frozen=True, slots=True)
class SquadClub:
    """A club's name and its squad, as the journal's header holds it."""

    name: str
    squad: Fields = field(hash=False)


@dataclass(frozen=True, slots=True)
class Clubs:
    """How a game that stores each club in a file loads and saves clubs.

    - `kind`: the catalogue of all clubs
    - `club`: makes a club from a file's name and decoded content. Raises: SquadFileError.
    - `content`: the file content for the rows of one club
    - `rows`: the rows of a club
    - `missing`: why rows do not make a complete club
    """

    kind: CatalogueKind
    club: Callable[[str, object], SquadClub]
    content: Callable[[Sequence[Row]], JsonObject]
    rows: Callable[[SquadClub], list[Row]]
    samples: Callable[[], Sequence[SquadClub]]
    missing: Callable[[Sequence[Row]], Sequence[Message]]
