"""FootClub (2018): two clubs, two hands of cards, two dice and a ball of six colours; rules of record FC-0 to FC-22."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from companion.games.base import Awaits, Die, Fields, JournalRules, Message, Outcome, Scene
from companion.games.footclub import awaits, describe, market, moves, parsing, rulebook, scene, throws, view
from companion.games.footclub.events import Event
from companion.games.footclub.invention import random_header
from companion.games.footclub.setup import read_header
from companion.games.footclub.state import Market, State
from companion.games.footclub.tables import SIDES


class FootClub:
    """The game as the rest of the house knows it (`companion.games.base.Game`)."""

    id: str = "footclub"
    sides: tuple[str, ...] = SIDES
    journal_rules: JournalRules = JournalRules(
        unreadable="FC-18.1",
        malformed="FC-18.2",
        nothing_standing="FC-18.8",
        nested="FC-18.8",
        unlisted_refused=True,
    )

    def begin(self, header: Fields) -> State:
        setup = read_header(header)
        if setup.squads is None:
            return State(setup, "market", market=Market())
        clubs = tuple(market.club_of(setup, side, squad) for side, squad in zip(SIDES, setup.squads, strict=True))
        return State(setup, "pre_match", clubs)

    def parse(self, fields: Fields) -> Event:
        return parsing.parse(fields)

    def decide(self, state: State, event: Event) -> None:
        rulebook.decide(state, event)

    def apply(self, state: State, event: Event) -> tuple[State, Outcome]:
        return rulebook.apply(state, event)

    def view(self, state: State) -> dict[str, Any]:
        return view.view(state)

    def finished(self, state: State) -> bool:
        return state.phase == "finished"

    def throw(self, state: State, dice: Sequence[Die]) -> Fields | None:
        return throws.throw(state, dice)

    def dice(self, fields: Fields) -> tuple[Die, ...]:
        return throws.dice(fields)

    def faces(self, state: State, kind: str) -> tuple[Die, ...]:
        return throws.faces(kind)

    def awaits(self, state: State) -> Awaits:
        return awaits.awaits(state)

    def scene(self, state: State) -> Scene:
        return scene.scene(state)

    def describe(self, state: State, fields: Fields, outcome: Outcome) -> Message:
        return describe.describe(state, fields, outcome)

    def random_header(self, random: Random) -> dict[str, Any]:
        return random_header(random)

    def random_event(self, state: State, random: Random) -> dict[str, Any]:
        return moves.random_event(state, random)


FOOTCLUB = FootClub()
