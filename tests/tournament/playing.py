"""Plays tournaments for the tests: enters, draws, reports, all through `decide` and `apply`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from random import Random

from companion.tournament import facts as fa
from companion.tournament.course import Match, course
from companion.tournament.facts import State, begin
from companion.tournament.rules import apply, decide, propose_draw, propose_seed
from companion.tournament.values import Plan

Score = Callable[[Match], tuple[int, int]]


def told(state: State, *facts: fa.Fact) -> State:
    """The state after facts that must not be refused."""
    for fact in facts:
        assert (reason := decide(state, fact)) is None, f"{fact}: {reason}"
        state = apply(state, fact)
    return state


def refused(state: State, fact: fa.Fact) -> str:
    """The reason why a fact is refused."""
    reason = decide(state, fact)
    assert reason is not None, fact
    return reason.rule


def started(plan: Plan, entries: int | Iterable[str]) -> State:
    """A tournament of e1, e2, … (or of those named) at its start."""
    names = [f"e{number}" for number in range(1, entries + 1)] if isinstance(entries, int) else entries
    return told(begin(plan), *(fa.Enter(name, name.upper()) for name in names), fa.Start())


def result(match: Match, score: tuple[int, int]) -> fa.Result:
    """The result of a match, between those who sit there."""
    return fa.Result(match.id, match.home or "", match.away or "", score)


def ready(state: State) -> list[Match]:
    """The matches that can be played now."""
    return [match for match in course(state).matches.values() if match.status in ("ready", "called")]


def home_wins(match: Match) -> tuple[int, int]:
    """The host wins every match."""
    return 2, 1


def better_seed(match: Match) -> tuple[int, int]:
    """Of e1, e2, … the one with the lower number wins."""
    home, away = (int(str(seat)[1:]) for seat in match.seats)
    return (1, 0) if home < away else (0, 1)


def chance(random: Random, draws: bool = True) -> Score:
    """Scores at random."""

    def score(match: Match) -> tuple[int, int]:
        home, away = random.randrange(4), random.randrange(4)
        return (home + 1, away) if home == away and not draws else (home, away)

    return score


def play_all(state: State, score: Score) -> State:
    """Plays what can be played, draws and seeds what follows, until there is nothing left."""
    while True:
        while open_now := ready(state):
            for match in open_now:
                state = told(state, result(match, score(match)))
        if course(state).over:
            return state
        state = told(state, next_round(state))


def next_round(state: State) -> fa.Fact:
    """The draw or the seeding that is due."""
    swiss = state.plan.stages[0].kind == "swiss" and len(state.draws) < state.plan.stages[0].rounds
    return propose_draw(state) if swiss else propose_seed(state)
