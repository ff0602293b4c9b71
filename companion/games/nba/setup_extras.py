"""Parts of the setup with rules of their own: coaches, legacy, the market's deck, the solo opponent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from companion.games.base import Fields
from companion.games.forms import Wrong, count, one_of, whole
from companion.games.nba.cards import Catalogue, PlayerCard, TacticCard
from companion.games.nba.refusing import refusal
from companion.games.nba.tables import (
    CHEAP,
    CUSTOM,
    LEAST_CHEAP,
    POWERS,
    PROFILES,
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


def read_coaches(value: Any, sides: tuple[str, ...]) -> dict[str, Coach]:
    """Raises `Refusal` by NBA-9.5."""
    if not isinstance(value, dict) or not value.keys() <= set(sides):
        raise refusal("NBA-9.5", "coaches")
    return {side: _coach(side, coach) for side, coach in value.items()}


def _coach(side: str, value: Any) -> Coach:
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


def read_legacy(value: Any, sides: tuple[str, ...], cards: Catalogue) -> Legacy | None:
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


def read_market(value: Any, size: int, draft: bool, cards: Catalogue) -> tuple[str, ...]:
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
    value: Any, setup: Fields, sides: tuple[str, ...], full: bool, mismatch: int, cards: Catalogue
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


def _weights(value: Any) -> tuple[str, tuple[int, ...]]:
    if isinstance(value, dict):
        if not value.keys() <= set(STATS):
            raise Wrong
        return CUSTOM, tuple([count(value.get(stat, 0)) for stat in STATS])
    profile: str = _profile(value)
    return profile, PROFILES[profile]
