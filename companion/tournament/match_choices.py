"""What a match is: the rows of a game's preparation whose values a tournament fixes for all its tables."""

from __future__ import annotations

from collections.abc import Mapping
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


@dataclass(frozen=True, slots=True)
class SettingDifference:
    """A row that a match was played with otherwise than the tournament has fixed it, with both values."""

    label: Message
    played: Message
    fixed: Message


def played_settings(game: str, setup: Fields) -> dict[str, object]:
    """Return the value of each comparable row that a match was played with, from its header's `setup`."""
    places = SPECS[game].tournament.played_settings
    return {id: _value_at(setup, path, default) for id, (path, default) in places.items()}


def different_setting(game: str, choices: Fields, played: Fields) -> SettingDifference | None:
    """Return the first row in which a match differs from what the tournament has fixed, or None."""
    for row in match_rows(game):
        if row.id in choices and row.id in played and played[row.id] != choices[row.id]:
            return SettingDifference(row.label, _label(row, played[row.id]), _label(row, choices[row.id]))
    return None


def _label(row: MatchSetting, value: object) -> Message:
    found = next((label for option, label in row.options if option == value), None)
    return found or Message("common.literal", {"text": str(value)})


def _value_at(setup: Fields, path: str, default: object) -> object:
    found: object = setup
    for key in path.split("."):
        if not isinstance(found, Mapping) or key not in found:
            return default
        found = found[key]
    return found


def _as_json(value: object) -> object:
    """Return the value of an option as JSON: a tuple becomes a list."""
    return list(value) if isinstance(value, tuple) else value
