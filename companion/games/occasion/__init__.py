"""OFUSAIDO, the card game of chances and duels, as far as its rules are known; rules of record OC-0 to OC-16."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from companion.games.base import Awaits, Die, Fields, JournalRules, Message, Outcome, Scene
from companion.games.occasion import awaits, describe, moves, parsing, rulebook, scene, throws, view
from companion.games.occasion.events import Event
from companion.games.occasion.invention import random_header
from companion.games.occasion.setup import read_header
from companion.games.occasion.state import State
from companion.games.occasion.tables import SIDES


class Occasion:
    """The game as the rest of the house knows it (`companion.games.base.Game`)."""

    id: str = "occasion"
    sides: tuple[str, ...] = SIDES
    journal_rules: JournalRules = JournalRules(
        unreadable="OC-1.2",
        malformed="OC-1.2",
        nothing_standing="OC-1.5",
        nested="OC-1.2",
    )

    def begin(self, header: Fields) -> State:
        opening = read_header(header)
        return State(opening.setup, opening.players, opening.occasions, opening.first_attack, visible=opening.visible)

    def parse(self, fields: Fields) -> Event:
        return parsing.parse(fields)

    def decide(self, state: State, event: Event) -> None:
        rulebook.decide(state, event)

    def apply(self, state: State, event: Event) -> tuple[State, Outcome]:
        return rulebook.apply(state, event)

    def view(self, state: State) -> dict[str, Any]:
        return view.view(state)

    def finished(self, state: State) -> bool:
        return state.phase == "over"

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


OCCASION = Occasion()
