"""Reads the header of an NBA journal into a frozen setup, with the checks of NBA-1.7 in their order."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, TypeVar

from companion.games.base import Fields
from companion.games.forms import Reader, Wrong, boolean, count, one_of, whole
from companion.games.nba.cards import Card, Catalogue, PlayerCard, TacticCard, read_cards
from companion.games.nba.dice_set import RULEBOOK, DiceSet, read_dice_set
from companion.games.nba.refusing import refusal
from companion.games.nba.rosters import Roster, Selection, check_between, check_mini_market, read_roster
from companion.games.nba.tables import (
    BEYOND_MARKET,
    CHEAP,
    CLOCKS,
    CUSTOM,
    DURATIONS,
    FATIGUE_PILE,
    LEAST_CHEAP,
    LEAST_MARKET,
    LEVELS,
    MOST_FATIGUE,
    MOST_MARKET,
    MOST_TOKENS,
    POWERS,
    PROFILES,
    REMOVED_TO,
    RESOURCES,
    SKILLS,
    STATS,
)

_power = one_of(*POWERS)
_stat = one_of(*STATS)
_die = one_of(*SKILLS)
_profile = one_of(*PROFILES)
_stage = whole(1)


@dataclass(frozen=True, slots=True)
class Coach:
    """A coach (NBA-9.5). `extra` belongs to `second_tactic`, `skill` and `least` to `discount`, `die` to `reroll`."""

    power: str = ""
    extra: int = 0
    skill: str = ""
    least: int = 0
    die: str = ""


@dataclass(frozen=True, slots=True)
class Legacy:
    """What was kept from earlier stages (NBA-13.2): side → card ids."""

    stage: int
    threshold: int
    kept: Mapping[str, tuple[str, ...]] = field(hash=False)


@dataclass(frozen=True, slots=True)
class Solo:
    """The solo opponent (NBA-12.1). `weights` are in the order of STATS."""

    side: str
    resources: int = RESOURCES
    profile: str = "drivers"
    weights: tuple[int, ...] = PROFILES["drivers"]


def read_coaches(value: object, sides: tuple[str, ...]) -> dict[str, Coach]:
    """Raises `Refusal` by NBA-9.5."""
    if not isinstance(value, dict) or not value.keys() <= set(sides):
        raise refusal("NBA-9.5", "coaches")
    return {side: _coach(side, coach) for side, coach in value.items()}


def _coach(side: str, value: object) -> Coach:
    try:
        if not isinstance(value, dict):
            raise Wrong
        power = _power(value.get("power"))
        if power == "second_tactic":
            return Coach(power, extra=count(value.get("extra", 1)))
        if power == "discount":
            return Coach(power, skill=_stat(value.get("skill")), least=count(value.get("min")))
        if power == "reroll":
            return Coach(power, die=_die(value.get("die")))
        return Coach(power)
    except Wrong:
        raise refusal("NBA-9.5", "coach", side=side) from None


def read_legacy(value: object, sides: tuple[str, ...], cards: Catalogue) -> Legacy | None:
    """Null is none. Raises `Refusal` by NBA-13.2."""
    if value is None:
        return None
    try:
        if not isinstance(value, dict):
            raise Wrong
        stage, threshold, kept = _stage(value.get("stage")), count(value.get("threshold")), value.get("kept")
        if not isinstance(kept, dict) or not kept.keys() <= set(sides):
            raise Wrong
        for ids in kept.values():
            if not isinstance(ids, list) or not all(isinstance(id, str) and id in cards for id in ids):
                raise Wrong
    except Wrong:
        raise refusal("NBA-13.2", "legacy") from None
    for side, ids in kept.items():
        _check_kept(side, ids, stage, threshold, cards)
    return Legacy(stage, threshold, {side: tuple(ids) for side, ids in kept.items()})


def _check_kept(side: str, ids: list[str], stage: int, threshold: int, cards: Catalogue) -> None:
    players = sum(isinstance(cards[id], PlayerCard) for id in ids)
    if max(players, len(ids) - players) > stage - 1:
        raise refusal("NBA-13.2", "too_many", side=side, most=stage - 1)
    for id in ids:
        if cards[id].cost > threshold:
            raise refusal("NBA-13.2", "too_dear", card=cards[id].name, threshold=threshold)


def read_market(value: object, size: int, draft: bool, cards: Catalogue) -> tuple[str, ...]:
    """The player deck from top to bottom. Raises `Refusal` by NBA-3.5."""
    if not isinstance(value, list) or len(value) != size:
        raise refusal("NBA-3.5", "size", cards=size)
    deck = [cards.get(id) if isinstance(id, str) else None for id in value]
    players = [card for card in deck if isinstance(card, PlayerCard) and card.role == "nba"]
    if len(players) < size or len(set(value)) < size:
        raise refusal("NBA-3.5", "cards")
    if not draft:
        costs = [card.cost for card in players]
        if sum(cost in CHEAP for cost in costs) < LEAST_CHEAP:
            raise refusal("NBA-3.5", "cheap", least=LEAST_CHEAP)
        if costs != sorted(costs):
            raise refusal("NBA-3.5", "order")
    return tuple(value)


def read_solo(
    value: object, setup: Fields, sides: tuple[str, ...], full: bool, mismatch: int, cards: Catalogue
) -> Solo | None:
    """Null is none. Raises `Refusal` by NBA-12.1."""
    if value is None:
        return None
    try:
        if not isinstance(value, dict):
            raise Wrong
        side: str = one_of(*sides)(value.get("side"))
        resources = count(value.get("resources", RESOURCES))
        profile, weights = _weights(value.get("profile", "drivers"))
    except Wrong:
        raise refusal("NBA-12.1", "solo") from None
    if not full or len(sides) != 2 or mismatch:
        raise refusal("NBA-12.1", "needs")
    tactics = setup["rosters"][side].get("tactics")
    if not isinstance(tactics, list) or not tactics:
        raise refusal("NBA-12.1", "tactics")
    if not all(isinstance(id, str) and isinstance(cards.get(id), TacticCard) for id in tactics):
        raise refusal("NBA-12.1", "tactics")
    return Solo(side, resources, profile, weights)


def _weights(value: object) -> tuple[str, tuple[int, ...]]:
    if isinstance(value, dict):
        if not value.keys() <= set(STATS):
            raise Wrong
        return CUSTOM, tuple([count(value.get(stat, 0)) for stat in STATS])
    profile: str = _profile(value)
    return profile, PROFILES[profile]


LEAST_SIDES, MOST_SIDES = 2, 4
NO_COACH = Coach()

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Variants:
    """`mismatch` is how many tokens each side may play (chapters 9 and 10)."""

    team_selection: bool = False
    draft: bool = False
    money_time: bool = False
    decisive: bool = False
    mismatch: int = 0


NO_VARIANTS = Variants()


@dataclass(frozen=True, slots=True)
class Setup:
    """The header of a match. `sides` is the header order, which is the seating order (NBA-1.1)."""

    sides: tuple[str, ...]
    names: Mapping[str, str] = field(hash=False)
    first: str
    level: str = "scores"
    market_cards: int = DURATIONS["normal"]
    clock: str = "turns"
    variants: Variants = NO_VARIANTS
    fatigue_cards: int = FATIGUE_PILE[2]
    removed_to: str = "pile"
    dice_set: DiceSet = RULEBOOK
    cards: Catalogue = field(default_factory=dict, hash=False)
    coaches: Mapping[str, Coach] = field(default_factory=dict, hash=False)
    legacy: Legacy | None = None
    rosters: Mapping[str, Roster] = field(default_factory=dict, hash=False)
    market_list: tuple[str, ...] | None = None
    solo: Solo | None = None

    @property
    def full(self) -> bool:
        """Whether courts, tactics, purchases and whole rolls are logged (NBA-1.6)."""
        return self.level == "full"

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """The matches: every pair of sides in header order (NBA-11.1)."""
        return tuple(combinations(self.sides, 2))

    @property
    def limit(self) -> int | None:
        """Turns of normal time, or None when the market is the clock (NBA-8.3)."""
        if self.clock == "market":
            return None
        rounds = -(-(self.market_cards + BEYOND_MARKET) // len(self.sides))
        return rounds * len(self.sides)

    def opponents(self, side: str) -> tuple[str, ...]:
        """All other sides, in header order."""
        return tuple(other for other in self.sides if other != side)

    def after(self, side: str) -> str:
        """Whose turn follows (NBA-4.1)."""
        return self.sides[(self.sides.index(side) + 1) % len(self.sides)]

    def coach(self, side: str) -> Coach:
        """The coach of a side; one without a power if there is none."""
        return self.coaches.get(side, NO_COACH)

    def is_solo(self, side: str | None) -> bool:
        """Whether a side is the solo opponent."""
        return self.solo is not None and self.solo.side == side

    def card(self, id: str) -> Card:
        return self.cards[id]

    def player(self, id: str) -> PlayerCard:
        """A card known to be a player's. Raises KeyError for any other."""
        card = self.cards[id]
        if not isinstance(card, PlayerCard):
            raise KeyError(id)
        return card

    def tactic(self, id: str) -> TacticCard:
        """A card known to be a tactic. Raises KeyError for any other."""
        card = self.cards[id]
        if not isinstance(card, TacticCard):
            raise KeyError(id)
        return card


@dataclass(frozen=True, slots=True)
class _Plain:
    """The keys of NBA-3.1 that have no rule of their own."""

    level: str
    first: str
    market_cards: int
    clock: str
    variants: Variants
    fatigue_cards: int
    removed_to: str


def read_header(header: Fields) -> Setup:
    """Raises `Refusal` in the order of NBA-1.7."""
    if type(header.get("journal")) is not int or header.get("journal") != 1 or header.get("game") != "nba":
        raise refusal("NBA-3.1", "header")
    names = _names(header.get("sides"))
    setup = header.get("setup", {})
    if not isinstance(setup, dict):
        raise refusal("NBA-3.1", "value", key="setup")
    sides = tuple(names)
    plain = _plain(setup, sides)
    full = plain.level == "full"
    dice_set = read_dice_set(setup.get("dice_set"))
    if full and "cards" not in setup:
        raise refusal("NBA-3.2", "missing")
    cards = read_cards(setup.get("cards", {}))
    coaches = read_coaches(setup.get("coaches", {}), sides)
    legacy = read_legacy(setup.get("legacy"), sides, cards)
    rosters = _rosters(setup, sides, cards, plain.variants, legacy) if full else {}
    market = None
    if "market_list" in setup:
        market = read_market(setup["market_list"], plain.market_cards, plain.variants.draft, cards)
    check_mini_market(rosters, market)
    solo = read_solo(setup.get("solo"), setup, sides, full, plain.variants.mismatch, cards)
    return Setup(
        sides,
        names,
        plain.first,
        plain.level,
        plain.market_cards,
        plain.clock,
        plain.variants,
        plain.fatigue_cards,
        plain.removed_to,
        dice_set,
        cards,
        coaches,
        legacy,
        rosters,
        market,
        solo,
    )


def _names(value: object) -> dict[str, str]:
    """The names of the sides in header order (NBA-1.1)."""
    if not isinstance(value, dict) or not LEAST_SIDES <= len(value) <= MOST_SIDES:
        raise refusal("NBA-3.1", "sides")
    for entry in value.values():
        if not isinstance(entry, dict) or not isinstance(entry.get("name"), str):
            raise refusal("NBA-3.1", "names")
    return {side: entry["name"] for side, entry in value.items()}


def _plain(setup: Fields, sides: tuple[str, ...]) -> _Plain:
    duration = _value(setup, "duration", one_of(*DURATIONS), "normal")
    cards = DURATIONS[duration] * len(sides) // 2
    variants = _object(setup, "variants")
    fatigue = _object(setup, "fatigue")
    return _Plain(
        _value(setup, "level", one_of(*LEVELS), "scores"),
        _value(setup, "first", one_of(*sides), sides[0]),
        _value(setup, "market_cards", whole(LEAST_MARKET, MOST_MARKET), cards),
        _value(setup, "clock", one_of(*CLOCKS), "turns"),
        Variants(
            _value(variants, "team_selection", boolean, False),
            _value(variants, "draft", boolean, False),
            _value(variants, "money_time", boolean, False),
            _value(variants, "decisive", boolean, False),
            _value(variants, "mismatch", whole(0, MOST_TOKENS), 0),
        ),
        _value(fatigue, "cards", whole(0, MOST_FATIGUE), FATIGUE_PILE[len(sides)]),
        _value(fatigue, "removed_to", one_of(*REMOVED_TO), "pile"),
    )


def _value(fields: Fields, key: str, read: Callable[[Any], Value] | Reader, default: Value) -> Value:
    if key not in fields:
        return default
    try:
        value: Value = read(fields[key])
    except Wrong:
        raise refusal("NBA-3.1", "value", key=key) from None
    return value


def _object(setup: Fields, key: str) -> Fields:
    value = setup.get(key, {})
    if not isinstance(value, dict):
        raise refusal("NBA-3.1", "value", key=key)
    return value


def _rosters(
    setup: Fields, sides: tuple[str, ...], cards: Catalogue, variants: Variants, legacy: Legacy | None
) -> dict[str, Roster]:
    """Side by side NBA-3.3, NBA-3.4 or NBA-9.2, NBA-9.3, then the cards on two courts."""
    given = setup.get("rosters")
    if not isinstance(given, dict):
        raise refusal("NBA-3.3", "missing")
    solo = setup.get("solo")
    opponent = solo.get("side") if isinstance(solo, dict) else None
    rosters: dict[str, Roster] = {}
    for side in sides:
        kept = legacy.kept.get(side, ()) if legacy else ()
        selection = Selection(side, kept, variants.team_selection, side == opponent)
        rosters[side] = read_roster(given.get(side), selection, cards, variants.draft, rosters)
    check_between(rosters, cards)
    return rosters
