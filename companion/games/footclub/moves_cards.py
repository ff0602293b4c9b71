"""Random plays of cards with a ribbon for the random player: how the card is named, how it is paid, in which mode."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from random import Random
from typing import Any

from companion.games.base import Refusal
from companion.games.footclub.invention import ribbon
from companion.games.footclub.match_cards import unplayable
from companion.games.footclub.offensives import stands_barred
from companion.games.footclub.rulebook import RULEBOOK
from companion.games.footclub.state import State
from companion.games.footclub.tables import PLACES, RIBBON_WIDTH, Side
from companion.games.footclub.targeting import at_section

TRIES = 6
"""Sections looked at before the random player names the whole ribbon."""


def reference(state: State, side: Side, type: str, random: Random) -> dict[str, Any]:
    """One of the three ways to name a card (19.2), nearly always one that names somebody."""
    width = RIBBON_WIDTH[type]
    way = random.random()
    if way < 0.5:
        numbers = [n for n, card in enumerate(state.setup.match_cards) if card is not None and card.type == type]
        if numbers:
            return {"card": random.choice(numbers)}
    if way < 0.8:
        for _ in range(TRIES):
            section = tuple(random.choices(PLACES, k=width))
            if at_section(state.club(side), section) is not None:
                return {"section": section[0] if width == 1 else list(section)}
    return {"ribbon": ribbon(random, width)}


def presses(state: State, side: Side, random: Random) -> Iterator[dict[str, Any]]:
    """A pressing with the first payment that the club can make."""
    if unplayable(state.club(side), "pressing"):
        return
    event = {"event": "press", "side": side, **reference(state, side, "pressing", random)}
    if random.random() < 0.5:
        yield event
    means = list(product(("token", "supporter", "kop"), repeat=2))
    for pay in random.sample(means, len(means)):
        yield {**event, "pay": list(pay)}


def duels(state: State, side: Side, type: str, random: Random) -> Iterator[dict[str, Any]]:
    """A tackle or a defensive support."""
    if unplayable(state.club(side), type):
        return
    event = {"event": type, "side": side, **reference(state, side, type, random)}
    mode = random.choice(("regular", "aggressive", None))
    if mode is not None:
        yield {**event, "mode": mode}
    yield event


def offensives(state: State, side: Side, kinds: tuple[str, ...], random: Random) -> Iterator[dict[str, Any]]:
    """Offensives of these kinds, with a strength that is paid or not."""
    club = state.club(side)
    for kind in random.sample(kinds, len(kinds)):
        if unplayable(club, kind) or stands_barred(club, kind):
            continue
        event = {"event": "offensive", "side": side, "kind": kind, **reference(state, side, kind, random)}
        if kind == "solo_effort":
            for skill in random.sample(("freshness", "supporter", "kop"), 3):
                yield {**event, "skill": skill}
        yield event


def first_legal(state: State, candidates: Iterator[dict[str, Any]]) -> dict[str, Any] | None:
    """The first of these events that the rules let pass."""
    return next((fields for fields in candidates if why_not(state, fields) is None), None)


def why_not(state: State, fields: dict[str, Any]) -> Refusal | None:
    """Why the event of these fields is not legal now, or None."""
    return RULEBOOK.legal(state, RULEBOOK.parse(fields))
