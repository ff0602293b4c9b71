"""What a match is: the rows of a game's preparation whose values a tournament fixes for all its tables."""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.base import Fields, Message
from companion.games.registry import SPECS

CHOICES = "choices"
"""Key of the header of a called match with the value of each row that the tournament has fixed."""

_YES_OR_NO = ((False, Message("common.no")), (True, Message("common.yes")))


@dataclass(frozen=True, slots=True)
class MatchSetting:
    """A row that a tournament may fix: its label, its values as JSON with their labels, and the usual value."""

    id: str
    label: Message
    options: tuple[tuple[object, Message], ...]
    usual: object


def match_rows(game: str) -> tuple[MatchSetting, ...]:
    """Return the rows that a tournament of a game may fix, in their order."""
    return tuple(
        MatchSetting(
            row.id,
            row.label,
            _YES_OR_NO
            if row.kind == "switch"
            else tuple((_as_json(option.value), option.label) for option in row.options),
            _as_json(row.value),
        )
        for row in SPECS[game].match_rows()
    )


def unknown_choice(game: str, choices: Fields) -> str | None:
    """Return the id of the first choice that is not one of the game's, or None."""
    values = {row.id: [value for value, _ in row.options] for row in match_rows(game)}
    return next((id for id, value in choices.items() if value not in values.get(id, ())), None)


def _as_json(value: object) -> object:
    """Return the value of an option as JSON: a tuple becomes a list."""
    return list(value) if isinstance(value, tuple) else value
