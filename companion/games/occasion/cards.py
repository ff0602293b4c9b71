"""The cards as immutable values: a player's card, a chance card and its zones (chapter 12)."""

from __future__ import annotations

from collections.abc import Callable, Container
from dataclasses import dataclass
from typing import Any, TypeVar

from companion.games.base import JsonObject, Message
from companion.games.event_schema import FieldParser, InvalidValue, boolean, count, integer, list_of, text
from companion.games.occasion.tables import DEFAULT_POSTS, RULED_ABILITIES, STATS
from companion.games.wording import literal


@dataclass(frozen=True, slots=True)
class PlayerCard:
    """A player. `points` are pass, dribble, int and tak; `name` is the id if the card has no name."""

    id: str
    name: str
    post: str
    points: tuple[int, int, int, int]
    abilities: tuple[str, ...] = ()

    def stat(self, name: str) -> int:
        """Return printed points by their identifier."""
        passing, dribbling, interception, tackle = self.points
        return {"pass": passing, "dribble": dribbling, "int": interception, "tak": tackle}[name]

    @property
    def free_abilities(self) -> tuple[str, ...]:
        """The abilities that the players declare themselves (OC-6.3), each once."""
        return tuple(name for name in dict.fromkeys(self.abilities) if name not in RULED_ABILITIES)


@dataclass(frozen=True, slots=True)
class Zone:
    """A step of a chance card. `next` are the zones it leads to (OC-2.4), the posts those that get a bonus."""

    id: str
    row: int
    shot: bool
    attack_posts: tuple[str, ...]
    defence_posts: tuple[str, ...]
    next: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Chance:
    """A chance card with its zones in card order."""

    id: str
    name: str
    zones: tuple[Zone, ...]

    def zone(self, id: str) -> Zone:
        """Return the zone with this id. Raises: StopIteration if the card has none."""
        return next(zone for zone in self.zones if zone.id == id)

    @property
    def starts(self) -> tuple[str, ...]:
        """The zones of the lowest row (OC-2.3)."""
        lowest = min(zone.row for zone in self.zones)
        return tuple(zone.id for zone in self.zones if zone.row == lowest)

    @property
    def shooting_zones(self) -> tuple[str, ...]:
        return tuple(zone.id for zone in self.zones if zone.shot)

    @property
    def rows(self) -> tuple[tuple[Zone, ...], ...]:
        """The zones row by row, the lowest row first."""
        levels = sorted({zone.row for zone in self.zones})
        return tuple(tuple(zone for zone in self.zones if zone.row == level) for level in levels)


# Reads player cards and chance cards from the header or `define_card`, with the checks of chapter 12.

Value = TypeVar("Value")
_texts = list_of(text)
_row = integer(1)


class InvalidCard(Exception):
    """An invalid card. `message` gives the reason without the card's name."""

    def __init__(self, case: str, **args: object) -> None:
        self.message = Message(f"occasion.card_fault.{case}", args)
        super().__init__(str(self.message))


def read_player_card(id: str, value: object) -> PlayerCard:
    """Read a player's card; `check_posts` checks its post against the match later. Raises: InvalidCard."""
    card = _object(value)
    name = _optional(card, "name", text, id)
    post = _required(card, "post", text)
    passing, dribbling, interception, tackle = (_required(card, stat, count) for stat in STATS)
    abilities: tuple[str, ...] = _optional(card, "abilities", _texts, ())
    return PlayerCard(id, name, post, (passing, dribbling, interception, tackle), abilities)


def read_chance_card(id: str, value: object) -> Chance:
    """Read a chance card; `check_posts` checks its posts against the match later. Raises: InvalidCard."""
    card = _object(value)
    name = _optional(card, "name", text, id)
    zones = [_zone(entry) for entry in _required(card, "zones", _list)]
    if not zones:
        raise InvalidCard("no_zones")
    seen: set[str] = set()
    for zone in zones:
        if zone["id"] in seen:
            raise InvalidCard("repeated_zone", zone=zone["id"])
        seen.add(zone["id"])
    made = tuple(_whole_zone(zone, zones, seen) for zone in zones)
    if not any(zone.shot for zone in made):
        raise InvalidCard("no_shot")
    return Chance(id, name, made)


def check_posts(card: PlayerCard | Chance, posts: Container[str]) -> None:
    """Check that every post of the card is one of these. Raises: InvalidCard."""
    if isinstance(card, PlayerCard):
        named: list[str] = [card.post]
    else:
        named = [post for zone in card.zones for post in (*zone.attack_posts, *zone.defence_posts)]
    for post in named:
        if post not in posts:
            raise InvalidCard("post", post=default_post_message(post))


def default_post_message(id: str) -> Message:
    """Return a post's name when no match is available to tell whether it is a usual one."""
    return Message(f"occasion.post.{id}") if id in DEFAULT_POSTS else literal(id)


def _zone(value: object) -> JsonObject:
    """Read the keys of one zone; `defence_posts` and `next` only if they are given."""
    zone = _object(value)
    read = {"id": _required(zone, "id", text), "row": _required(zone, "row", _row)}
    read["shot"] = _optional(zone, "shot", boolean, False)
    read["attack_posts"] = _optional(zone, "attack_posts", _texts, ())
    read["defence_posts"] = _optional(zone, "defence_posts", _texts, read["attack_posts"])
    read["next"] = _optional(zone, "next", _texts, None)
    return read


def _whole_zone(zone: JsonObject, zones: list[JsonObject], known: set[str]) -> Zone:
    """Return the zone with the zones it leads to (OC-2.4): those it names, or all of the next higher row of the
    card."""
    following = zone["next"]
    if following is None:
        higher = min((other["row"] for other in zones if other["row"] > zone["row"]), default=None)
        following = [other["id"] for other in zones if other["row"] == higher]
    for id in following:
        if id not in known:
            raise InvalidCard("unknown_next", zone=zone["id"], next=id)
    if not following and not zone["shot"]:
        raise InvalidCard("dead_end", zone=zone["id"])
    return Zone(**{**zone, "next": tuple(dict.fromkeys(following))})


def _object(value: object) -> JsonObject:
    if not isinstance(value, dict):
        raise InvalidCard("not_object")
    return value


def _list(value: object) -> list[object]:
    if not isinstance(value, list):
        raise InvalidValue
    return value


def _required(card: JsonObject, key: str, read: FieldParser) -> Any:
    if key not in card:
        raise InvalidCard("missing", key=key)
    return _read(card, key, read)


def _optional(card: JsonObject, key: str, read: Callable[[Any], Value], default: Value) -> Value:
    return _read(card, key, read) if key in card else default


def _read(card: JsonObject, key: str, read: Callable[[Any], Value]) -> Value:
    try:
        return read(card[key])
    except InvalidValue:
        raise InvalidCard("value", key=key) from None
