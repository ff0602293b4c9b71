"""The cards of FootClub as frozen values: team cards, squads and numbered match cards (chapter 1)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import cast

from companion.games.base import JsonObject
from companion.games.footclub.refusing import refusal
from companion.games.footclub.tables import (
    COPIES,
    PLACES,
    POSTS,
    PROFILES,
    RIBBON_WIDTH,
    STRENGTHS,
    VERSATILE_POSTS,
    Section,
)
from companion.games.footclub.words import card as card_word
from companion.games.forms import is_count


@dataclass(frozen=True, slots=True)
class PlayerCard:
    """An outfield player as printed (FC-1.3). `name` is what a screen calls him."""

    id: str
    posts: tuple[str, ...]
    level: int
    profiles: tuple[str, ...]
    strength: str | None
    name: str = field(compare=False)


@dataclass(frozen=True, slots=True)
class Coach:
    """A coach: `style` is how many players of each of PROFILES he wants, `preferred` his preferred profile (FC-1.4)."""

    id: str
    level: int
    style: tuple[int, int, int]
    preferred: str
    name: str = field(compare=False)


@dataclass(frozen=True, slots=True)
class Goalkeeper:
    id: str
    level: int
    name: str = field(compare=False)


@dataclass(frozen=True, slots=True)
class Squad:
    coach: Coach
    goalkeeper: Goalkeeper
    players: tuple[PlayerCard, ...]


@dataclass(frozen=True, slots=True)
class TeamCards:
    """The team cards of a catalogue: what the market and the transfers draw from."""

    coaches: tuple[Coach, ...] = ()
    goalkeepers: tuple[Goalkeeper, ...] = ()
    players: tuple[PlayerCard, ...] = ()

    def coach(self, id: str) -> Coach | None:
        return next((card for card in self.coaches if card.id == id), None)

    def goalkeeper(self, id: str) -> Goalkeeper | None:
        return next((card for card in self.goalkeepers if card.id == id), None)

    def player(self, id: str) -> PlayerCard | None:
        return next((card for card in self.players if card.id == id), None)


@dataclass(frozen=True, slots=True)
class MatchCard:
    """A numbered match card of the catalogue (FC-1.7); `ribbon` is None for a type that carries none."""

    type: str
    ribbon: tuple[Section, ...] | None


# Reads the team cards and match cards of a header and refuses what is no card (chapter 1), for `setup`.

STYLE_SUM = 10
MATCH_CARD_NUMBERS = {str(number): number for number in range(1, 43)}


def object_of(value: object, where: str, required: tuple[str, ...], optional: tuple[str, ...] = ()) -> JsonObject:
    """A part of the setup with its keys checked (FC-1.11)."""
    if not isinstance(value, dict):
        raise refusal("FC-1.11", "value", key=where)
    for key in value:
        if key not in required and key not in optional:
            raise refusal("FC-1.11", "unknown_key", key=f"{where}.{key}")
    for key in required:
        if key not in value:
            raise refusal("FC-1.11", "missing_key", key=f"{where}.{key}")
    return value


def _card(value: object, where: str) -> tuple[JsonObject, str, str]:
    """The object of a team card, its id and the name that a screen calls it."""
    if not isinstance(value, dict):
        raise refusal("FC-1.11", "value", key=where)
    id = value.get("id")
    if not isinstance(id, str) or not id:
        raise refusal("FC-1.11", "id", key=where)
    name = value.get("name")
    return value, id, name if isinstance(name, str) and name else id


def _level(value: object) -> bool:
    return type(value) is int and 1 <= value <= 5


def coach(value: object, where: str) -> Coach:
    card, id, name = _card(value, where)
    style = card.get("style")
    if not _level(card.get("level")):
        raise refusal("FC-1.4", "level", name=name)
    if not isinstance(style, dict) or set(style) != set(PROFILES) or not all(is_count(n) for n in style.values()):
        raise refusal("FC-1.4", "style", name=name)
    if sum(style.values()) != STYLE_SUM:
        raise refusal("FC-1.4", "style", name=name)
    highest = [profile for profile in PROFILES if style[profile] == max(style.values())]
    preferred = card["preferred"] if "preferred" in card else highest[0] if len(highest) == 1 else None
    if preferred not in highest:
        raise refusal("FC-1.4", "preferred", name=name)
    counts = (style["technical"], style["physical"], style["tactical"])
    return Coach(id, card["level"], counts, preferred, name)


def goalkeeper(value: object, where: str) -> Goalkeeper:
    card, id, name = _card(value, where)
    if not _level(card.get("level")):
        raise refusal("FC-1.4", "level", name=name)
    return Goalkeeper(id, card["level"], name)


def player(value: object, where: str) -> PlayerCard:
    card, id, name = _card(value, where)
    posts = _one_or_two(card.get("posts"), POSTS)
    profiles = _one_or_two(card.get("profiles"), PROFILES)
    level, strength = card.get("level"), card.get("strength")
    if not posts:
        raise refusal("FC-1.3", "posts", name=name)
    if not _level(level):
        raise refusal("FC-1.3", "level", name=name)
    if not profiles or len(set(profiles)) < len(profiles):
        raise refusal("FC-1.3", "profiles", name=name)
    if strength is not None and not (isinstance(strength, str) and strength in STRENGTHS):
        raise refusal("FC-1.3", "strength", name=name)
    two_posts = len(posts) == 2
    if two_posts != (strength == "versatile") or (two_posts and frozenset(posts) not in VERSATILE_POSTS):
        raise refusal("FC-1.5", name=name)
    if len(profiles) == 2 and strength is not None:
        raise refusal("FC-1.6", name=name)
    return PlayerCard(id, posts, cast("int", level), profiles, strength, name)


def _names(value: object, known: tuple[str, ...]) -> bool:
    return isinstance(value, list) and all(isinstance(entry, str) and entry in known for entry in value)


def _one_or_two(value: object, known: tuple[str, ...]) -> tuple[str, ...]:
    """The one or two names of a list; empty if it is none such."""
    return tuple(cast("list[str]", value)) if _names(value, known) and len(cast("list[str]", value)) <= 2 else ()


def section(value: object, width: int) -> Section | None:
    """A section of a ribbon that names `width` places, or None if it is malformed (FC-1.8)."""
    if width == 1:
        return (value,) if isinstance(value, str) and value in PLACES else None
    if not isinstance(value, list) or len(value) != width or not _names(value, PLACES):
        return None
    return tuple(value)


def ribbon(value: object, width: int) -> tuple[Section, ...] | None:
    """A ribbon of six sections, or None if it is malformed (FC-1.8)."""
    if not isinstance(value, list) or len(value) != 6:
        return None
    sections = tuple(section(entry, width) for entry in value)
    return cast("tuple[Section, ...]", sections) if None not in sections else None


def match_cards(value: object) -> tuple[MatchCard | None, ...]:
    """The catalogue of match cards by number (index 0 is unused): first its numbers and types, then its ribbons."""
    if not isinstance(value, dict):
        raise refusal("FC-1.7", "catalogue")
    for number, entry in value.items():
        if number not in MATCH_CARD_NUMBERS:
            raise refusal("FC-1.7", "number", number=number)
        type_ = entry.get("type") if isinstance(entry, dict) else None
        if not isinstance(type_, str) or type_ not in COPIES:
            raise refusal("FC-1.7", "type", number=number)
        object_of(entry, f"setup.catalogue.match_cards.{number}", ("type",), ("ribbon",))
    for type_, count in Counter(entry["type"] for entry in value.values()).items():
        if count > COPIES[type_]:
            raise refusal("FC-1.7", "copies", card=card_word(type_), n=COPIES[type_])
    cards: list[MatchCard | None] = [None] * (len(MATCH_CARD_NUMBERS) + 1)
    for number, entry in value.items():
        width = RIBBON_WIDTH.get(entry["type"])
        sections = ribbon(entry.get("ribbon"), width) if width else None
        if (sections is None) != (width is None) or (width is None and "ribbon" in entry):
            raise refusal("FC-1.8", "catalogue", number=number)
        cards[MATCH_CARD_NUMBERS[number]] = MatchCard(entry["type"], sections)
    return tuple(cards)
