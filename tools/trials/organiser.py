"""An automatic organiser: draws, seeds, calls matches to tables and answers the hub's questions, all at the desk.

Used for simulated tournaments. It uses only functions that a person has, and resumes after a restart from the facts.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from random import Random
from typing import Any

from companion.games.base import Refusal
from companion.hub.core import Core
from companion.messages.tournament import standing_tables
from companion.tournament import facts as fa
from companion.tournament import planning
from companion.tournament.planning import stage_of
from companion.tournament.progress import OrganiserQuestion
from companion.tournament.rules import RANKING_CHOICES
from companion.tournament.values import Plan, Stage

log = logging.getLogger(__name__)

NAME = "program"
"""The name recorded for its decisions."""
QUALIFIED = 4
"""Number of entries that advance from the Swiss stage to a knock-out, if there are enough."""
REPLAY_ANSWERS = ("replay", "redraw")
"""Answers that would repeat a match or a draw. This organiser avoids them."""
LOOKS_EVERY = 0.5
"""Polling interval in seconds while no change is reported."""


def plan_of(game: str, tables: int, rounds: int) -> Plan:
    """Return a plan: a Swiss for all tables, then a knock-out of the best, without rest times."""
    entries = 2 * tables
    swiss = Stage("swiss", rounds=min(rounds, entries - 1), advance=QUALIFIED if entries > QUALIFIED else 0)
    stages = [swiss] + ([Stage("knock_out", third_place=True)] if swiss.advance else [])
    return Plan(
        f"Simulation {tables}", game, tuple(stage_of(game, stage) for stage in stages), tables, minutes=1, rest=0
    )


def planned(plan: Plan, entries: int) -> int:
    """Return the total number of matches of a plan."""
    found = plan.stages[0].rounds * (entries // 2)
    return found + (plan.stages[0].advance if len(plan.stages) > 1 else 0)


class Organiser:
    """A runner for one tournament, on a separate thread. `finished` is set when all is played and answered."""

    def __init__(self, core: Core, game: str, tables: int, rounds: int, seed: int) -> None:
        self._core, self._random = core, Random(f"{seed} organiser")
        self._plan, self._entries = plan_of(game, tables, rounds), 2 * tables
        self._changed, self._ended = threading.Event(), False
        self.finished = threading.Event()
        self.tournament = self._known() or core.tournaments.create(planning.to_json(self._plan), NAME)
        self._thread = threading.Thread(target=self._run, name="organiser", daemon=True)

    def status(self) -> dict[str, Any]:
        """Return the state of the tournament for display: name, share of matches played, first standings table."""
        state, course = self._core.tournaments.state(self.tournament), self._core.tournaments.progress(self.tournament)
        done = sum(match.status == "done" for match in course.matches.values())
        due = planned(self._plan, self._entries)
        found = standing_tables(state)
        rows = found[0].rows if found else ()
        standing = [[row.rank, row.name, row.played, row.scored - row.conceded, row.points] for row in rows]
        return {"name": state.plan.name, "played": min(1.0, done / due), "standing": standing}

    def start(self) -> None:
        """Start the thread."""
        self._leave: Callable[[], None] = self._core.views.listen(lambda _: self._changed.set())
        self._thread.start()

    def stop(self) -> None:
        """Stop the thread. Its decisions are stored in the facts."""
        self._ended = True
        self._changed.set()
        self._thread.join()
        self._leave()

    def step(self) -> bool:
        """Do everything that is possible now. Return whether anything was done."""
        done = False
        if not self._core.tournaments.state(self.tournament).started:
            done = self._enter()
        for question in self._core.tournaments.progress(self.tournament).questions:
            done |= self._decide(self._answer(question))
        for fact in self._core.tournaments.proposals(self.tournament):
            done |= self._decide(fact)
        if self._core.tournaments.progress(self.tournament).over:
            self.finished.set()
        return done

    def _run(self) -> None:
        while not self._ended:
            self._changed.clear()
            if not self.step():
                self._changed.wait(LOOKS_EVERY)

    def _known(self) -> str | None:
        """Return the tournament if it exists at the hub."""
        return next((row.id for row in self._core.tournaments.all() if row.name == self._plan.name), None)

    def _enter(self) -> bool:
        entered = self._core.tournaments.state(self.tournament).entries
        for number in range(1, self._entries + 1):
            if f"e{number}" not in entered:
                self._decide(fa.Enter(f"e{number}", f"Équipe {number}", seed=number))
        return self._decide(fa.Start())

    def _answer(self, question: OrganiserQuestion) -> fa.Rule:
        choice = self._random.choice(
            [each for each in question.choices if each not in REPLAY_ANSWERS] or question.choices
        )
        order = self._random.sample(question.entries, len(question.entries)) if choice in RANKING_CHOICES else ()
        return fa.Rule(question.id, choice, tuple(order), why="simulation")

    def _decide(self, fact: Any) -> bool:
        try:
            self._core.tournaments.decide(self.tournament, fact, NAME)
        except Refusal as reason:  # too late: a result or a correction came first
            log.info("%s: %s", fact, reason)
            return False
        return True
