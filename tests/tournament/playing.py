"""Plays tournaments for tests: entries, draws and results, all through `decide` and `apply`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from random import Random

from companion.tournament import facts as fa
from companion.tournament.facts import TournamentState, initial_state
from companion.tournament.progress import Match, progress_of
from companion.tournament.rules import apply, decide, propose_draw, propose_seed
from companion.tournament.values import Plan

Score = Callable[[Match], tuple[int, int]]


def with_facts(state: TournamentState, *facts: fa.Fact) -> TournamentState:
    """Return the state after facts that must be accepted."""
    for fact in facts:
        assert (reason := decide(state, fact)) is None, f"{fact}: {reason}"
        state = apply(state, fact)
    return state


def refused(state: TournamentState, fact: fa.Fact) -> str:
    """Return the reason why a fact is refused."""
    reason = decide(state, fact)
    assert reason is not None, fact
    return reason.rule


def started(plan: Plan, entries: int | Iterable[str]) -> TournamentState:
    """Return a started tournament of e1, e2, … (or of the given names)."""
    names = [f"e{number}" for number in range(1, entries + 1)] if isinstance(entries, int) else entries
    return with_facts(initial_state(plan), *(fa.Enter(name, name.upper()) for name in names), fa.Start())


def result(match: Match, score: tuple[int, int]) -> fa.Result:
    """Return the result of a match between its current entries."""
    return fa.Result(match.id, match.home or "", match.away or "", score)


def ready(state: TournamentState) -> list[Match]:
    """Return the matches that can be played now."""
    return [match for match in progress_of(state).matches.values() if match.status in ("ready", "called")]


def home_wins(match: Match) -> tuple[int, int]:
    """Return a score with the host as the winner."""
    return 2, 1


def better_seed(match: Match) -> tuple[int, int]:
    """Return a score with the lower number of e1, e2, … as the winner."""
    home, away = (int(str(seat)[1:]) for seat in match.seats)
    return (1, 0) if home < away else (0, 1)


def chance(random: Random, draws: bool = True) -> Score:
    """Return a function for random scores."""

    def score(match: Match) -> tuple[int, int]:
        home, away = random.randrange(4), random.randrange(4)
        return (home + 1, away) if home == away and not draws else (home, away)

    return score


def play_all(state: TournamentState, score: Score) -> TournamentState:
    """Play all possible matches, draws and seedings until none is left."""
    while True:
        while open_now := ready(state):
            for match in open_now:
                state = with_facts(state, result(match, score(match)))
        if progress_of(state).over:
            return state
        state = with_facts(state, next_round(state))


def next_round(state: TournamentState) -> fa.Fact:
    """Return the draw or the seeding that is due."""
    swiss = state.plan.stages[0].kind == "swiss" and len(state.draws) < state.plan.stages[0].rounds
    return propose_draw(state) if swiss else propose_seed(state)
