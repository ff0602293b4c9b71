"""Reads the header of an NBA journal into an immutable setup, with the checks of NBA-1.7 in order."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, TypeVar

from companion.games.base import Fields
from companion.games.event_schema import FieldParser, InvalidValue, boolean, count, integer, one_of
from companion.games.nba.cards import Card, Catalogue, PlayerCard, TacticCard, read_cards
from companion.games.nba.dice_set import RULEBOOK_DICE, NbaDiceSet, read_dice_set
from companion.games.nba.refusals import refusal
from companion.games.nba.rosters import Roster, Selection, check_courts, check_mini_market, read_roster
from companion.games.nba.tables import (
    CHEAP_COSTS,
    CLOCKS,
    COACH_POWERS,
    CUSTOM,
    DEFAULT_RESOURCES,
    DURATIONS,
    EXTRA_TURNS,
    FATIGUE_PILE,
    LEVELS,
    MAX_FATIGUE,
    MAX_MARKET_CARDS,
    MAX_TOKENS,
    MIN_CHEAP_CARDS,
    MIN_MARKET_CARDS,
    REMOVED_TO,
    SKILLS,
    SOLO_PROFILES,
    STATS,
)

_power = one_of(*COACH_POWERS)
_stat = one_of(*STATS)
_die = one_of(*SKILLS)
_profile = one_of(*SOLO_PROFILES)
_stage = integer(1)


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
    """Cards kept from earlier stages (NBA-13.2): side → card ids."""

    stage: int
    threshold: int
    kept: Mapping[str, tuple[str, ...]] = field(hash=False)


@dataclass(frozen=True, slots=True)
class Solo:
    """The solo opponent (NBA-12.1). `weights` are in the order of STATS."""

    side: str
    resources: int = DEFAULT_RESOURCES
    profile: str = "drivers"
    weights: tuple[int, ...] = SOLO_PROFILES["drivers"]


def read_coaches(value: object, sides: tuple[str, ...]) -> dict[str, Coach]:
    """Read the coaches. Raises: Refusal by NBA-9.5."""
    if not isinstance(value, dict) or not value.keys() <= set(sides):
        raise refusal("NBA-9.5", "coaches")
    return {side: _coach(side, coach) for side, coach in value.items()}


def _coach(side: str, value: object) -> Coach:
    try:
        if not isinstance(value, dict):
            raise InvalidValue
        power = _power(value.get("power"))
        if power == "second_tactic":
            return Coach(power, extra=count(value.get("extra", 1)))
        if power == "discount":
            return Coach(power, skill=_stat(value.get("skill")), least=count(value.get("min")))
        if power == "reroll":
            return Coach(power, die=_die(value.get("die")))
        return Coach(power)
    except InvalidValue:
        raise refusal("NBA-9.5", "coach", side=side) from None


def read_legacy(value: object, sides: tuple[str, ...], cards: Catalogue) -> Legacy | None:
    """Read the kept cards; null is none. Raises: Refusal by NBA-13.2."""
    if value is None:
        return None
    try:
        if not isinstance(value, dict):
            raise InvalidValue
        stage, threshold, kept = _stage(value.get("stage")), count(value.get("threshold")), value.get("kept")
        if not isinstance(kept, dict) or not kept.keys() <= set(sides):
            raise InvalidValue
        for ids in kept.values():
            if not isinstance(ids, list) or not all(isinstance(id, str) and id in cards for id in ids):
                raise InvalidValue
    except InvalidValue:
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
    """Read the player deck from top to bottom. Raises: Refusal by NBA-3.5."""
    if not isinstance(value, list) or len(value) != size:
        raise refusal("NBA-3.5", "size", cards=size)
    deck = [cards.get(id) if isinstance(id, str) else None for id in value]
    players = [card for card in deck if isinstance(card, PlayerCard) and card.role == "nba"]
    if len(players) < size or len(set(value)) < size:
        raise refusal("NBA-3.5", "cards")
    if not draft:
        costs = [card.cost for card in players]
        if sum(cost in CHEAP_COSTS for cost in costs) < MIN_CHEAP_CARDS:
            raise refusal("NBA-3.5", "cheap", least=MIN_CHEAP_CARDS)
        if costs != sorted(costs):
            raise refusal("NBA-3.5", "order")
    return tuple(value)


def read_solo(
    value: object, setup: Fields, sides: tuple[str, ...], full: bool, mismatch: int, cards: Catalogue
) -> Solo | None:
    """Read the solo opponent; null is none. Raises: Refusal by NBA-12.1."""
    if value is None:
        return None
    try:
        if not isinstance(value, dict):
            raise InvalidValue
        side: str = one_of(*sides)(value.get("side"))
        resources = count(value.get("resources", DEFAULT_RESOURCES))
        profile, weights = _weights(value.get("profile", "drivers"))
    except InvalidValue:
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
            raise InvalidValue
        return CUSTOM, tuple([count(value.get(stat, 0)) for stat in STATS])
    profile: str = _profile(value)
    return profile, SOLO_PROFILES[profile]


MIN_SIDES, MAX_SIDES = 2, 4
NO_COACH = Coach()

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Variants:
    """The variants. `mismatch` is the number of tokens that each side may play (chapters 9 and 10)."""

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
    dice_set: NbaDiceSet = RULEBOOK_DICE
    cards: Catalogue = field(default_factory=dict, hash=False)
    coaches: Mapping[str, Coach] = field(default_factory=dict, hash=False)
    legacy: Legacy | None = None
    rosters: Mapping[str, Roster] = field(default_factory=dict, hash=False)
    market_list: tuple[str, ...] | None = None
    solo: Solo | None = None

    @property
    def full(self) -> bool:
        """True if courts, tactics, purchases and whole rolls are logged (NBA-1.6)."""
        return self.level == "full"

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """The matches: every pair of sides in header order (NBA-11.1)."""
        return tuple(combinations(self.sides, 2))

    @property
    def limit(self) -> int | None:
        """The turns of normal time, or None if the market is the clock (NBA-8.3)."""
        if self.clock == "market":
            return None
        rounds = -(-(self.market_cards + EXTRA_TURNS) // len(self.sides))
        return rounds * len(self.sides)

    def opponents(self, side: str) -> tuple[str, ...]:
        """Return all other sides, in header order."""
        return tuple(other for other in self.sides if other != side)

    def next_side(self, side: str) -> str:
        """Return the side whose turn follows (NBA-4.1)."""
        return self.sides[(self.sides.index(side) + 1) % len(self.sides)]

    def coach(self, side: str) -> Coach:
        """Return the coach of a side; a coach without a power if it has none."""
        return self.coaches.get(side, NO_COACH)

    def is_solo(self, side: str | None) -> bool:
        """Return True if a side is the solo opponent."""
        return self.solo is not None and self.solo.side == side

    def card(self, id: str) -> Card:
        return self.cards[id]

    def player(self, id: str) -> PlayerCard:
        """Return a player card by its id. Raises: KeyError if the id is not a player card."""
        card = self.cards[id]
        if not isinstance(card, PlayerCard):
            raise KeyError(id)
        return card

    def tactic(self, id: str) -> TacticCard:
        """Return a tactic by its id. Raises: KeyError if the id is not a tactic."""
        card = self.cards[id]
        if not isinstance(card, TacticCard):
            raise KeyError(id)
        return card


@dataclass(frozen=True, slots=True)
class _BasicSetup:
    """The keys of NBA-3.1 that have no rule of their own."""

    level: str
    first: str
    market_cards: int
    clock: str
    variants: Variants
    fatigue_cards: int
    removed_to: str


def read_header(header: Fields) -> Setup:
    """Read the header. Raises: Refusal in the order of NBA-1.7."""
    if type(header.get("journal")) is not int or header.get("journal") != 1 or header.get("game") != "nba":
        raise refusal("NBA-3.1", "header")
    names = _names(header.get("sides"))
    setup = header.get("setup", {})
    if not isinstance(setup, dict):
        raise refusal("NBA-3.1", "value", key="setup")
    sides = tuple(names)
    basics = _read_basics(setup, sides)
    full = basics.level == "full"
    dice_set = read_dice_set(setup.get("dice_set"))
    if full and "cards" not in setup:
        raise refusal("NBA-3.2", "missing")
    cards = read_cards(setup.get("cards", {}))
    coaches = read_coaches(setup.get("coaches", {}), sides)
    legacy = read_legacy(setup.get("legacy"), sides, cards)
    rosters = _rosters(setup, sides, cards, basics.variants, legacy) if full else {}
    market = None
    if "market_list" in setup:
        market = read_market(setup["market_list"], basics.market_cards, basics.variants.draft, cards)
    check_mini_market(rosters, market)
    solo = read_solo(setup.get("solo"), setup, sides, full, basics.variants.mismatch, cards)
    return Setup(
        sides,
        names,
        basics.first,
        basics.level,
        basics.market_cards,
        basics.clock,
        basics.variants,
        basics.fatigue_cards,
        basics.removed_to,
        dice_set,
        cards,
        coaches,
        legacy,
        rosters,
        market,
        solo,
    )


def _names(value: object) -> dict[str, str]:
    """Return the names of the sides in header order (NBA-1.1)."""
    if not isinstance(value, dict) or not MIN_SIDES <= len(value) <= MAX_SIDES:
        raise refusal("NBA-3.1", "sides")
    for entry in value.values():
        if not isinstance(entry, dict) or not isinstance(entry.get("name"), str):
            raise refusal("NBA-3.1", "names")
    return {side: entry["name"] for side, entry in value.items()}


def _read_basics(setup: Fields, sides: tuple[str, ...]) -> _BasicSetup:
    duration = _value(setup, "duration", one_of(*DURATIONS), "normal")
    cards = DURATIONS[duration] * len(sides) // 2
    variants = _object(setup, "variants")
    fatigue = _object(setup, "fatigue")
    return _BasicSetup(
        _value(setup, "level", one_of(*LEVELS), "scores"),
        _value(setup, "first", one_of(*sides), sides[0]),
        _value(setup, "market_cards", integer(MIN_MARKET_CARDS, MAX_MARKET_CARDS), cards),
        _value(setup, "clock", one_of(*CLOCKS), "turns"),
        Variants(
            _value(variants, "team_selection", boolean, False),
            _value(variants, "draft", boolean, False),
            _value(variants, "money_time", boolean, False),
            _value(variants, "decisive", boolean, False),
            _value(variants, "mismatch", integer(0, MAX_TOKENS), 0),
        ),
        _value(fatigue, "cards", integer(0, MAX_FATIGUE), FATIGUE_PILE[len(sides)]),
        _value(fatigue, "removed_to", one_of(*REMOVED_TO), "pile"),
    )


def _value(fields: Fields, key: str, read: Callable[[Any], Value] | FieldParser, default: Value) -> Value:
    if key not in fields:
        return default
    try:
        value: Value = read(fields[key])
    except InvalidValue:
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
    """Read each side's roster by NBA-3.3, NBA-3.4 or NBA-9.2, NBA-9.3, then check for cards on two courts."""
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
    check_courts(rosters, cards)
    return rosters
