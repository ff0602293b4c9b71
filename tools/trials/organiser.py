"""An organiser who never tires: draws, seeds, calls matches to tables and answers what the hub asks, all at the desk.

Used for simulated tournaments. It does nothing that a person could not do, and goes on after a restart from the facts.
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
from companion.tournament.course import Question
from companion.tournament.planning import stage_of
from companion.tournament.values import Plan, Stage

log = logging.getLogger(__name__)

NAME = "program"
"""Who decided, in the trace."""
QUALIFIED = 4
"""So many go on from the Swiss to a knock-out, where there are enough."""
AGAIN = ("replay", "redraw")
"""Answers by which something would be played anew; this organiser wants to go home."""
LOOKS_EVERY = 0.5
"""Seconds until the organiser looks again when nobody says that something changed."""


def plan_of(game: str, tables: int, rounds: int) -> Plan:
    """A Swiss for all tables, then a knock-out of the best; no rest, for these players need none."""
    entries = 2 * tables
    swiss = Stage("swiss", rounds=min(rounds, entries - 1), advance=QUALIFIED if entries > QUALIFIED else 0)
    stages = [swiss] + ([Stage("knock_out", third_place=True)] if swiss.advance else [])
    return Plan(
        f"Simulation {tables}", game, tuple(stage_of(game, stage) for stage in stages), tables, minutes=1, rest=0
    )


def planned(plan: Plan, entries: int) -> int:
    """How many matches will be played in all."""
    found = plan.stages[0].rounds * (entries // 2)
    return found + (plan.stages[0].advance if len(plan.stages) > 1 else 0)


class Organiser:
    """Runs one tournament to its end, on a thread of its own. `finished` is set when all is played and answered."""

    def __init__(self, core: Core, game: str, tables: int, rounds: int, seed: int) -> None:
        self._core, self._random = core, Random(f"{seed} organiser")
        self._plan, self._entries = plan_of(game, tables, rounds), 2 * tables
        self._changed, self._ended = threading.Event(), False
        self.finished = threading.Event()
        self.tournament = self._known() or core.tournaments.create(planning.fields(self._plan), NAME)
        self._thread = threading.Thread(target=self._run, name="organiser", daemon=True)

    def told(self) -> dict[str, Any]:
        """How the tournament stands, for whoever watches: its name, the share of matches played, the first table."""
        state, course = self._core.tournaments.state(self.tournament), self._core.tournaments.course(self.tournament)
        done = sum(match.status == "done" for match in course.matches.values())
        due = planned(self._plan, self._entries)
        found = standing_tables(state)
        rows = found[0].rows if found else ()
        standing = [[row.rank, row.name, row.played, row.scored - row.conceded, row.points] for row in rows]
        return {"name": state.plan.name, "played": min(1.0, done / due), "standing": standing}

    def start(self) -> None:
        """Goes to work."""
        self._leave: Callable[[], None] = self._core.views.listen(lambda _: self._changed.set())
        self._thread.start()

    def stop(self) -> None:
        """Goes home; what was decided is in the facts."""
        self._ended = True
        self._changed.set()
        self._thread.join()
        self._leave()

    def step(self) -> bool:
        """Does everything that can be done now; whether anything was."""
        done = False
        if not self._core.tournaments.state(self.tournament).started:
            done = self._enter()
        for question in self._core.tournaments.course(self.tournament).questions:
            done |= self._decide(self._answer(question))
        for fact in self._core.tournaments.proposals(self.tournament):
            done |= self._decide(fact)
        if self._core.tournaments.course(self.tournament).over:
            self.finished.set()
        return done

    def _run(self) -> None:
        while not self._ended:
            self._changed.clear()
            if not self.step():
                self._changed.wait(LOOKS_EVERY)

    def _known(self) -> str | None:
        """The tournament, where the hub has it already."""
        return next((row.id for row in self._core.tournaments.all() if row.name == self._plan.name), None)

    def _enter(self) -> bool:
        entered = self._core.tournaments.state(self.tournament).entries
        for number in range(1, self._entries + 1):
            if f"e{number}" not in entered:
                self._decide(fa.Enter(f"e{number}", f"Équipe {number}", seed=number))
        return self._decide(fa.Start())

    def _answer(self, question: Question) -> fa.Rule:
        choice = self._random.choice([each for each in question.choices if each not in AGAIN] or question.choices)
        order = self._random.sample(question.entries, len(question.entries)) if choice == "order" else ()
        return fa.Rule(question.id, choice, tuple(order), why="simulation")

    def _decide(self, fact: Any) -> bool:
        try:
            self._core.tournaments.decide(self.tournament, fact, NAME)
        except Refusal as reason:  # it came too late: a result or a correction was quicker
            log.info("%s: %s", fact, reason)
            return False
        return True
