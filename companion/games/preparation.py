"""The preparation of a match of any game (screen 03): two columns of rows, each changed by a tap. Pure, no widgets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, Protocol

from companion.games.base import JsonObject, Message, Option, Prompt
from companion.games.catalogue import CardSource
from companion.games.wording import literal

Memory = dict[str, Any]
"""The choices stored for a page, by key."""

SetupRowKind = Literal["pick", "list", "text", "switch", "count", "page"]
"""How a row is edited:

- `pick`: one of `options`: in a sheet, or side by side if there are few
- `list`: one of `options`, always in a sheet: their names may be long
- `text`: typed
- `switch`: toggled at once
- `count`: a number from `minimum` to `maximum`
- `page`: opens a page of its own (`page`), with the arguments `page_args` besides those of the preparation
"""


@dataclass(frozen=True, slots=True)
class SetupRow:
    """One setting. `done` is False while it must still be chosen; it is then drawn in brass.

    `quotation` holds the rulebook's own sentences on a point that it leaves open. Such rows are on a page of their own,
    with `rule`, and with `usual`, the value of the rules of record. Without `options` that value is fixed, and `detail`
    says it. With `decided` a tournament has chosen the value.
    """

    id: str
    label: Message
    detail: Message
    kind: SetupRowKind = "pick"
    icon: str = "edit"
    value: object = None
    options: tuple[Option, ...] = ()
    minimum: int = 0
    maximum: int = 0
    page: str = ""
    page_args: tuple[tuple[str, str], ...] = ()
    done: bool = True
    quotation: Message | None = None
    usual: object = None
    rule: str = ""
    decided: bool = False


def fixed_readings(prefix: str, rules: Mapping[str, str]) -> Iterator[SetupRow]:
    """Yield the points that a rulebook leaves open and that the rules of record fix.

    Args: prefix: the prefix of their message ids; rules: the number of the rule that fixes each point, by its id.
    """
    for id, rule in rules.items():
        label, quotation, reading = (Message(f"{prefix}{id}{end}") for end in ("", ".words", ".ours"))
        yield SetupRow(f"reading.{id}", label, reading, quotation=quotation, rule=rule)


def decided_row(row: SetupRow) -> SetupRow:
    """Return a row whose value a tournament has chosen: it is shown and cannot be changed."""
    value = tuple(row.value) if isinstance(row.value, list) else row.value
    chosen = next((option.label for option in row.options if option.value == value), row.detail)
    icon = "check" if row.icon == "edit" else row.icon
    return replace(row, kind="list", detail=chosen, icon=icon, quotation=None, decided=True)


@dataclass(frozen=True, slots=True)
class SetupColumn:
    """The rows of one side (`side` and its colour token), or those of the match itself (`side` None).

    A first row of kind `text` is the side's name: it is drawn as the column's heading, with a pencil. `letter` is the
    letter of the side's badge; by default, the first letter of the title.
    """

    side: str | None
    colour: str
    title: Message
    rows: tuple[SetupRow, ...]
    letter: str = ""


class MatchPreparation(Protocol):
    """A game's preparation. It stores every choice in `memory`, so that a rebuilt page loses nothing."""

    def __init__(self, memory: Memory, cards: CardSource) -> None:
        """Args: cards: the cards of the table (the players' own, or the samples)."""

    def columns(self) -> tuple[SetupColumn, ...]:
        """Return the two sides' columns, then the row or column of the match itself, if there is one."""
        ...

    def choose(self, row: str, value: object) -> None:
        """Set the value of a row. Raises: Refusal for a value that the rules do not allow."""
        ...

    def missing(self) -> tuple[Message, ...]:
        """Return what is still missing before the match can start, one sentence each."""
        ...

    def header(self) -> JsonObject:
        """Return the header of the match as chosen. A side's name may be a Message, which the page translates.

        Raises: Refusal, with the rule number.
        """
        ...


class DefaultPreparation:
    """The preparation (`MatchPreparation`) of a game that declares its settings as asks, as in `Game.decision`.

    Each side has a name; the answer to each ask (`pick`, `count` or `text`) becomes a key of `setup`.
    """

    def __init__(self, game: str, sides: Mapping[str, str], memory: Memory, prompts: Sequence[Prompt] = ()) -> None:
        """Args: sides: the game's sides with their colour tokens."""
        self._game, self._sides, self._prompts = game, sides, prompts
        self._names: dict[str, str] = memory.setdefault("names", {})
        self._answers: dict[str, object] = memory.setdefault(
            "setup", {prompt.field: prompt.suggested for prompt in prompts}
        )

    def columns(self) -> tuple[SetupColumn, ...]:
        sides = tuple(self._side(side, colour) for side, colour in self._sides.items())
        match = SetupColumn(
            None, "", Message("app.prepare.match"), tuple(self._row(prompt) for prompt in self._prompts)
        )
        return (*sides, match) if self._prompts else sides

    def choose(self, row: str, value: object) -> None:
        kind, _, key = row.partition(".")
        if kind == "name":
            self._names[key] = str(value or "")
        else:
            self._answers[key] = value

    def missing(self) -> tuple[Message, ...]:
        required = (
            prompt for prompt in self._prompts if not prompt.optional and self._answers[prompt.field] in (None, "")
        )
        return tuple(ask.title for ask in required)

    def header(self) -> JsonObject:
        names = {side: {"name": self._name(side)} for side in self._sides}
        setup = {field: value for field, value in self._answers.items() if value not in (None, "")}
        return {"journal": 1, "game": self._game, "sides": names, "setup": setup}

    def _name(self, side: str) -> str:
        return self._names.get(side) or side.capitalize()

    def _side(self, side: str, colour: str) -> SetupColumn:
        name = literal(self._name(side))
        row = SetupRow(f"name.{side}", Message("app.prepare.name"), name, "text", value=self._names.get(side, ""))
        return SetupColumn(side, colour, name, (row,))

    def _row(self, prompt: Prompt) -> SetupRow:
        value = self._answers[prompt.field]
        chosen = next((option.label for option in prompt.options if option.value == value), None)
        displayed = chosen or (prompt.title if value is None else literal(value))
        kind: SetupRowKind = "count" if prompt.kind == "count" else "text" if prompt.kind == "text" else "pick"
        done = prompt.optional or value not in (None, "")
        row = SetupRow(
            f"setup.{prompt.field}", prompt.title, displayed, kind, value=value, options=prompt.options, done=done
        )
        return replace(row, minimum=prompt.minimum, maximum=prompt.maximum)
