"""NBA Deck-Building: player cards, tactics and six kinds of dice; rules of record NBA-0 to NBA-17."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from companion.games.base import Awaits, Die, Fields, JournalRules, Message, Outcome, Scene
from companion.games.nba import awaits, describe, moves, parsing, rulebook, scene, throws, turns, view
from companion.games.nba.events import Event
from companion.games.nba.invention import random_header
from companion.games.nba.setup import read_header
from companion.games.nba.state import State
from companion.games.nba.tables import SIDES


class Nba:
    """The game as the rest of the house knows it (`companion.games.base.Game`).

    `sides` are those of a match for two that the program sets up itself; a journal names its own (NBA-1.1).
    """

    id: str = "nba"
    sides: tuple[str, ...] = SIDES[:2]
    journal_rules: JournalRules = JournalRules(
        unreadable="NBA-1.2",
        malformed="NBA-1.2",
        nothing_standing="NBA-1.5",
        nested="NBA-1.2",
    )

    def begin(self, header: Fields) -> State:
        return turns.begin(read_header(header))

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
        return throws.faces(state.setup.dice_set, kind)

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


NBA = Nba()
