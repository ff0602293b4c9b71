"""Names of matches, rounds and seats: who plays, or where they will come from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from companion.hub.web.words import Words
from companion.tournament.course import Course, StageCourse
from companion.tournament.naming import ROUNDS_BY_NAME, match_title
from companion.tournament.nodes import Source
from companion.tournament.outcomes import Match, Tie
from companion.tournament.state import State
from companion.tournament.values import NOBODY, UNPLAYED, Seat


class Names:
    """The names of one tournament in one language, by its state and course."""

    def __init__(self, words: Words, state: State, course: Course) -> None:
        self.words, self.state, self.course = words, state, course

    def seat(self, seat: Seat) -> str:
        """A seat that is taken, or that nobody takes."""
        if seat is None:
            return self.words.t("web.seat.unknown")
        if seat == NOBODY:
            return self.words.t("web.seat.nobody")
        entry = self.state.entries.get(seat)
        return entry.name if entry else seat

    def side(self, match: Match, home: bool) -> str:
        """Who sits at a side of a match, or where they come from while that is not known."""
        seat = match.home if home else match.away
        tie = self.course.ties.get(match.tie)
        if seat is not None or tie is None:
            return self.seat(seat)
        first = home == (match.leg != 2)
        return self.source(tie.node.home if first else tie.node.away)

    def source(self, source: Source) -> str:
        """Where a side comes from."""
        if source.kind == "entry":
            return self.seat(source.of)
        if source.kind == "seed":
            return self.words.t("web.seat.seed", seed=source.of)
        tie = self.course.ties.get(source.of)
        label = self.tie(tie) if tie else source.of
        return self.words.t(f"web.seat.{source.kind}", of=label)

    def both(self, match: Match) -> str:
        """Home and away in one."""
        return f"{self.side(match, True)} \N{EN DASH} {self.side(match, False)}"

    def tie(self, tie: Tie) -> str:
        """A tie by its place: "Demi-finale 1"."""
        return self.match(replace(tie.matches[0], leg=0))

    def match(self, match: Match) -> str:
        """A match by its place: its round, its group, its leg."""
        return self.words.say(match_title(self.state, match))

    def column(self, stage: StageCourse, kind: str, round: int) -> str:
        """The head of a round in a bracket: the nearer to the final, the better known."""
        ties = sum((tie.node.kind, tie.node.round) == (kind, round) for tie in stage.ties)
        named = kind == "winners" and stage.plan.kind == "knock_out" and ties in ROUNDS_BY_NAME
        name = ROUNDS_BY_NAME[ties] if named else kind
        return self.words.t(f"web.column.{name}", round=round)

    def stage(self, stage: StageCourse) -> str:
        """What a stage is."""
        return self.words.t(f"web.stage.{stage.plan.kind}")

    def ended(self, match: Match) -> str:
        """How a match ended when it was not simply played to its end; empty otherwise."""
        if match.by in UNPLAYED or match.by in ("shootout", "extra_time", "concession"):
            return self.words.t(f"web.by.{match.by}")
        return self.words.t("web.status.annulled") if match.status == "annulled" else ""


def entries_by_name(state: State) -> Mapping[str, str]:
    """Names of the entries in the order of the alphabet, by id."""
    return {entry.id: entry.name for entry in sorted(state.entries.values(), key=lambda each: each.name.casefold())}
