"""FootClub's cards as immutable values: team cards, squads and numbered match cards (chapter 1)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import cast

from companion.games.base import JsonObject
from companion.games.event_schema import is_count
from companion.games.footclub.messages import card_message as card_word
from companion.games.footclub.refusals import refusal
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


@dataclass(frozen=True, slots=True)
class PlayerCard:
    """An outfield player as printed (FC-1.3). `name` is his name on screens."""

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
    """The team cards of a catalogue, from which the market and the transfers draw."""

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
    """A numbered match card of the catalogue (FC-1.7); `ribbon` is None for a type without one."""

    type: str
    ribbon: tuple[Section, ...] | None


# Reads the team cards and match cards of a header for `setup`, and refuses invalid cards (chapter 1).

STYLE_SUM = 10
MATCH_CARD_NUMBERS = {str(number): number for number in range(1, 43)}


def parse_object(value: object, path: str, required: tuple[str, ...], optional: tuple[str, ...] = ()) -> JsonObject:
    """Check the keys of a part of the setup and return it (FC-1.11)."""
    if not isinstance(value, dict):
        raise refusal("FC-1.11", "value", key=path)
    for key in value:
        if key not in required and key not in optional:
            raise refusal("FC-1.11", "unknown_key", key=f"{path}.{key}")
    for key in required:
        if key not in value:
            raise refusal("FC-1.11", "missing_key", key=f"{path}.{key}")
    return value


def _parse_card(value: object, path: str) -> tuple[JsonObject, str, str]:
    """Return the object of a team card, its id and its name on screens."""
    if not isinstance(value, dict):
        raise refusal("FC-1.11", "value", key=path)
    id = value.get("id")
    if not isinstance(id, str) or not id:
        raise refusal("FC-1.11", "id", key=path)
    name = value.get("name")
    return value, id, name if isinstance(name, str) and name else id


def _is_level(value: object) -> bool:
    return type(value) is int and 1 <= value <= 5


def parse_coach(value: object, path: str) -> Coach:
    card, id, name = _parse_card(value, path)
    style = card.get("style")
    if not _is_level(card.get("level")):
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


def parse_goalkeeper(value: object, path: str) -> Goalkeeper:
    card, id, name = _parse_card(value, path)
    if not _is_level(card.get("level")):
        raise refusal("FC-1.4", "level", name=name)
    return Goalkeeper(id, card["level"], name)


def parse_player(value: object, path: str) -> PlayerCard:
    card, id, name = _parse_card(value, path)
    posts = _parse_one_or_two(card.get("posts"), POSTS)
    profiles = _parse_one_or_two(card.get("profiles"), PROFILES)
    level, strength = card.get("level"), card.get("strength")
    if not posts:
        raise refusal("FC-1.3", "posts", name=name)
    if not _is_level(level):
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


def _are_names(value: object, known: tuple[str, ...]) -> bool:
    return isinstance(value, list) and all(isinstance(entry, str) and entry in known for entry in value)


def _parse_one_or_two(value: object, known: tuple[str, ...]) -> tuple[str, ...]:
    """Return the one or two names of a list; empty if it is anything else."""
    return tuple(cast("list[str]", value)) if _are_names(value, known) and len(cast("list[str]", value)) <= 2 else ()


def parse_section(value: object, width: int) -> Section | None:
    """Return a ribbon section that names `width` places, or None if it is malformed (FC-1.8)."""
    if width == 1:
        return (value,) if isinstance(value, str) and value in PLACES else None
    if not isinstance(value, list) or len(value) != width or not _are_names(value, PLACES):
        return None
    return tuple(value)


def parse_ribbon(value: object, width: int) -> tuple[Section, ...] | None:
    """Return a ribbon of six sections, or None if it is malformed (FC-1.8)."""
    if not isinstance(value, list) or len(value) != 6:
        return None
    sections = tuple(parse_section(entry, width) for entry in value)
    return cast("tuple[Section, ...]", sections) if None not in sections else None


def parse_match_cards(value: object) -> tuple[MatchCard | None, ...]:
    """Return the match cards by number (index 0 is unused). Checks numbers and types first, then ribbons."""
    if not isinstance(value, dict):
        raise refusal("FC-1.7", "catalogue")
    for number, entry in value.items():
        if number not in MATCH_CARD_NUMBERS:
            raise refusal("FC-1.7", "number", number=number)
        type_ = entry.get("type") if isinstance(entry, dict) else None
        if not isinstance(type_, str) or type_ not in COPIES:
            raise refusal("FC-1.7", "type", number=number)
        parse_object(entry, f"setup.catalogue.match_cards.{number}", ("type",), ("ribbon",))
    for type_, count in Counter(entry["type"] for entry in value.values()).items():
        if count > COPIES[type_]:
            raise refusal("FC-1.7", "copies", card=card_word(type_), n=COPIES[type_])
    cards: list[MatchCard | None] = [None] * (len(MATCH_CARD_NUMBERS) + 1)
    for number, entry in value.items():
        width = RIBBON_WIDTH.get(entry["type"])
        sections = parse_ribbon(entry.get("ribbon"), width) if width else None
        if (sections is None) != (width is None) or (width is None and "ribbon" in entry):
            raise refusal("FC-1.8", "catalogue", number=number)
        cards[MATCH_CARD_NUMBERS[number]] = MatchCard(entry["type"], sections)
    return tuple(cards)
