"""Reads the header of a journal into the cards and settings of a match (OC-1.1, chapter 12)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar, cast

from companion.games.base import Fields, JsonObject
from companion.games.event_schema import FieldParser, InvalidValue, integer, list_of, one_of, text
from companion.games.occasion.cards import (
    Chance,
    InvalidCard,
    PlayerCard,
    check_posts,
    read_chance_card,
    read_player_card,
)
from companion.games.occasion.refusals import refusal
from companion.games.occasion.tables import DEFAULT_POSTS, MAX_VISIBLE_CHANCES, SIDES, Side, side_index

Card = TypeVar("Card", PlayerCard, Chance)
Value = TypeVar("Value")
_goals = integer(1)
_ids = list_of(text)


@dataclass(frozen=True, slots=True)
class Setup:
    """The fixed settings of a match. `names` are (home, away), `posts` map to their lines."""

    names: tuple[str, str]
    posts: Mapping[str, str] = field(hash=False)
    goals_to_win: int | None = None

    def name(self, side: Side) -> str:
        return self.names[side_index(side)]


@dataclass(frozen=True, slots=True)
class Opening:
    """The start of a match as its header defines it. Pairs are (home, away)."""

    setup: Setup
    first_attack: Side
    players: tuple[Mapping[str, PlayerCard], Mapping[str, PlayerCard]]
    occasions: Mapping[str, Chance]
    visible: tuple[tuple[str, ...], tuple[str, ...]]


def read_header(header: Fields) -> Opening:
    """Read the header. Raises: Refusal by OC-1.1."""
    if type(header.get("journal")) is not int or header["journal"] != 1 or header.get("game") != "occasion":
        raise refusal("OC-1.1", "header")
    names = _names(header.get("sides"))
    setup = header.get("setup", {})
    if not isinstance(setup, dict):
        raise refusal("OC-1.1", "value", key="setup")
    first = _value(setup, "first_attack", one_of(*SIDES), "home")
    posts = _value(setup, "posts", _posts, dict(DEFAULT_POSTS))
    home_players, away_players = _by_side(setup, "players", dict)
    players = (_cards(home_players, read_player_card, posts), _cards(away_players, read_player_card, posts))
    occasions = _cards(_value(setup, "occasions", _object, {}), read_chance_card, posts)
    home, away = _by_side(setup, "visible", list)
    visible = (_visible(home, occasions), _visible(away, occasions))
    goals = _value(setup, "goals_to_win", _goals_or_none, None)
    return Opening(Setup(names, posts, goals), first, players, occasions, visible)


def _names(sides: object) -> tuple[str, str]:
    if not isinstance(sides, dict) or set(sides) != set(SIDES):
        raise refusal("OC-1.1", "sides")
    names = [entry.get("name") if isinstance(entry, dict) else None for entry in (sides["home"], sides["away"])]
    if not all(isinstance(name, str) for name in names):
        raise refusal("OC-1.1", "sides")
    return cast("tuple[str, str]", tuple(names))


def _value(setup: JsonObject, key: str, read: FieldParser, default: Any) -> Any:
    if key not in setup:
        return default
    try:
        return read(setup[key])
    except InvalidValue:
        raise refusal("OC-1.1", "value", key=f"setup.{key}") from None


def _object(value: object) -> JsonObject:
    if not isinstance(value, dict):
        raise InvalidValue
    return value


def _posts(value: object) -> dict[str, str]:
    return {post: text(line) for post, line in _object(value).items()}


def _goals_or_none(value: object) -> int | None:
    return None if value is None else cast("int", _goals(value))


def _by_side(setup: JsonObject, key: str, kind: type[Value]) -> tuple[Value, Value]:
    """Return an object's values for home and away, an empty one for a side that it omits."""

    def read(value: object) -> tuple[Value, Value]:
        entries = _object(value)
        home, away = (entries.get(side, kind()) for side in SIDES)
        if not entries.keys() <= set(SIDES) or not isinstance(home, kind) or not isinstance(away, kind):
            raise InvalidValue
        return home, away

    return cast("tuple[Value, Value]", _value(setup, key, read, (kind(), kind())))


def _cards(value: JsonObject, read: Callable[[str, object], Card], posts: Mapping[str, str]) -> dict[str, Card]:
    found: dict[str, Card] = {}
    for id, entry in value.items():
        try:
            found[id] = read(id, entry)
            check_posts(found[id], posts)
        except InvalidCard as fault:
            raise refusal("OC-1.1", "card", card=id, reason=fault.message) from None
    return found


def _visible(value: list[object], known: Mapping[str, Chance]) -> tuple[str, ...]:
    try:
        ids: tuple[str, ...] = _ids(value)
    except InvalidValue:
        raise refusal("OC-1.1", "value", key="setup.visible") from None
    if len(ids) > MAX_VISIBLE_CHANCES or len(set(ids)) < len(ids) or any(id not in known for id in ids):
        raise refusal("OC-1.1", "visible")
    return ids
