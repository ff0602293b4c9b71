"""Random matches of any game: played to their end, replayed, and mixed with arbitrary events."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import Any, ClassVar

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from companion.games.base import Game, Refusal

Event = dict[str, Any]
Player = Callable[[Any, Random], Event]


def played(
    game: Game[Any, Any], seed: int, longest: int, player: Player | None = None
) -> tuple[Event, list[Event], Any]:
    """Return the header, the events and the final state of a match that a player (default: random) plays for all
    sides."""
    random = Random(seed)
    header = game.random_header(random)
    state, events = game.initial_state(header), []
    while not game.finished(state) and len(events) < longest:
        fields = (player or game.random_event)(state, random)
        event = game.parse(fields)
        game.validate(state, event)
        state, _ = game.apply(state, event)
        events.append(fields)
    return header, events, state


class AnyMatch(RuleBasedStateMachine):
    """A match played by the random player, with arbitrary events tried in between.

    A game sets its id, the `anything` function for arbitrary events, and the names of events that would end the match.
    """

    game: ClassVar[Game[Any, Any]]
    anything: ClassVar[Player]
    giving_up: ClassVar[tuple[str, ...]]

    @initialize(seed=st.integers(0, 2**32))
    def start_match(self, seed: int) -> None:
        self.header = self.game.random_header(Random(seed))
        self.state = self.game.initial_state(self.header)
        self.events: list[Event] = []

    def play(self, fields: Event) -> None:
        event = self.game.parse(fields)
        self.game.validate(self.state, event)
        self.state, _ = self.game.apply(self.state, event)
        self.events.append(fields)

    @precondition(lambda self: not self.game.finished(self.state))
    @rule(seed=st.integers(0, 2**32), count=st.integers(1, 25))
    def some_legal_events(self, seed: int, count: int) -> None:
        random = Random(seed)
        for _ in range(count):
            if not self.game.finished(self.state):
                self.play(self.game.random_event(self.state, random))

    @rule(seed=st.integers(0, 2**32))
    def whatever_comes_to_mind(self, seed: int) -> None:
        random = Random(seed)
        for _ in range(10):
            fields = type(self).anything(self.state, random)
            if fields["event"] in self.giving_up:
                continue
            before = self.state
            with suppress(Refusal):
                self.play(fields)
                continue
            assert self.state is before

    @rule()
    def replay(self) -> None:
        state = self.game.initial_state(self.header)
        for fields in self.events:
            state, _ = self.game.apply(state, self.game.parse(fields))
        assert state == self.state
        assert hash(state) == hash(self.state)
