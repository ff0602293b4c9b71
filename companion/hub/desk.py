"""The desk: the facts of the tournaments, each with when, by whom and why; what may be recorded the rules decide."""

from __future__ import annotations

from companion.games.base import Fields
from companion.hub.words import Assignment, Recorded, TournamentRow
from companion.tournament.course import Course
from companion.tournament.facts import Fact
from companion.tournament.schedule import Schedule
from companion.tournament.state import State


class Desk:
    """The tournaments of the hub. Safe to call from any thread; states are frozen values."""

    def create(self, plan: Fields, by: str) -> str:
        """A new tournament from its plan as JSON; returns its id. Raises `Refusal` for what is no plan."""
        raise RuntimeError("not built yet")

    def tournaments(self) -> tuple[TournamentRow, ...]:
        """All tournaments, the newest first."""
        raise RuntimeError("not built yet")

    def state(self, tournament: str) -> State:
        """All facts as they are now. Raises UnknownTournament."""
        raise RuntimeError("not built yet")

    def course(self, tournament: str) -> Course:
        """How it stands now, with the questions to the organiser (`course.questions`)."""
        raise RuntimeError("not built yet")

    def public(self, tournament: str) -> tuple[State, bool]:
        """What the public sees: the state before anything was under review, and whether something is."""
        raise RuntimeError("not built yet")

    def schedule(self, tournament: str) -> Schedule:
        """Who plays next, where and when, by the clock of now."""
        raise RuntimeError("not built yet")

    def decide(self, tournament: str, fact: Fact, by: str, why: str = "") -> int:
        """Records a fact, on the disk on return; returns its number. Raises `Refusal`, then nothing has changed."""
        raise RuntimeError("not built yet")

    def proposals(self, tournament: str) -> tuple[Fact, ...]:
        """What could be decided now without a choice: the next draw, the seeds of a stage, the calls to tables."""
        raise RuntimeError("not built yet")

    def trace(self, tournament: str, after: int = 0) -> tuple[Recorded, ...]:
        """The facts after a number, with when, by whom and why."""
        raise RuntimeError("not built yet")

    def assignment(self, table: str) -> Assignment | None:
        """The match that is called to a table, None if there is none."""
        raise RuntimeError("not built yet")

    def count(self, table: str, epoch: int, tournament: str, match: str, by: str) -> None:
        """The organiser says that a journal is that match's, wherever it was played. Raises `Refusal`."""
        raise RuntimeError("not built yet")

    def choose(self, table: str, epoch: int, branch: int, by: str) -> None:
        """The organiser says which of a copied card's journals counts. Raises `Refusal`."""
        raise RuntimeError("not built yet")
