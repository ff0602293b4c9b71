"""How a tie ended: from the reports of its match or its two legs to who goes on and who does not."""

from __future__ import annotations

from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Literal

from companion.games.base import Message
from companion.tournament.nodes import Node
from companion.tournament.state import State
from companion.tournament.values import (
    BYE,
    DOUBLE_FORFEIT,
    FORFEIT,
    NOBODY,
    WITHDRAWAL,
    Report,
    Seat,
    Side,
    winner_by_score,
)

Status = Literal["waiting", "ready", "called", "done", "walkover", "annulled", "not_needed"]


@dataclass(frozen=True, slots=True)
class Match:
    """A match as it stands: who sits at home and away, how it stands, and what it ended in.

    `walkover` is over without anyone playing (a bye, a withdrawal, a place nobody took); `annulled` does not count,
    because one side withdrew early from a round robin; `not_needed` is the second final when the first decided.
    """

    id: str
    tie: str
    stage: int
    kind: str
    round: int
    number: int
    leg: int
    group: str | None
    home: Seat
    away: Seat
    status: Status
    score: tuple[int, int] | None = None
    winner: Side | None = None
    by: str = ""
    table: int | None = None

    @property
    def over(self) -> bool:
        """Whether nobody waits for it any more."""
        return self.status in ("done", "walkover", "annulled", "not_needed")

    @property
    def seats(self) -> tuple[Seat, Seat]:
        """Home and away."""
        return self.home, self.away


@dataclass(frozen=True, slots=True)
class Question:
    """What only the organiser can decide, with the choices; for `order` the answer brings the `entries` in their order.

    `subject` is the tie, the stage, the group or the round that it is about, `entries` whom it concerns.
    """

    id: str
    kind: Literal["drawn", "corrected", "qualified", "level", "redraw"]
    subject: str
    choices: tuple[str, ...]
    entries: tuple[str, ...]

    @property
    def message(self) -> Message:
        """The question as a sentence."""
        return Message(f"tournament.question.{self.kind}", {"subject": self.subject})


@dataclass(frozen=True, slots=True)
class Tie:
    """A tie as it stands: its sides, its matches, and once it is decided who won and who lost (nobody, perhaps)."""

    node: Node
    home: Seat
    away: Seat
    matches: tuple[Match, ...]
    winner: Seat = None
    loser: Seat = None
    question: Question | None = None

    @property
    def over(self) -> bool:
        """Whether it is decided and done."""
        return all(match.over for match in self.matches) and self.question is None


def mark(entries: tuple[str, ...]) -> str:
    """A short mark of some entries in their order, for the id of a question about them."""
    return sha256("\n".join(entries).encode()).hexdigest()[:12]


def standing_report(state: State, match: str, home: Seat, away: Seat) -> Report | None:
    """The report that counts: the newest, if it is of those who sit there now."""
    reports = state.reports.get(match, ())
    newest = reports[-1] if reports else None
    return newest if newest and (newest.home, newest.away) == (home, away) else None


def played(state: State, node: Node, home: Seat, away: Seat) -> Tie:
    """The tie between the two as it stands by the reports and the rulings."""
    if NOBODY in (home, away):
        return _walkover(state, node, home, away)
    matches = []
    for leg, id in enumerate(node.matches(), 1):
        seats = (home, away) if leg == 1 else (away, home)
        matches.append(_match(state, node, id, leg if node.legs > 1 else 0, seats))
    tie = Tie(node, home, away, tuple(matches))
    if home is None or away is None or not all(match.over for match in matches):
        return _forfeited(tie)
    winner = _winner(state, tie)
    if winner is not None:
        return _won(tie, winner)
    if all(match.by == DOUBLE_FORFEIT for match in matches):
        return replace(tie, winner=NOBODY, loser=NOBODY)
    return tie if node.kind in ("group", "swiss") else _undecided(state, tie)


def _walkover(state: State, node: Node, home: Seat, away: Seat) -> Tie:
    """A bye. Who had withdrawn before it came to that does not go on by it: then nobody does."""
    known = home is not None and away is not None
    alone = home if away == NOBODY else away
    left = alone in state.withdrawn and _settled(state, node.id, (home, away)) is None
    side: Side | None = None if home == away or left else "home" if away == NOBODY else "away"
    match = Match(
        node.id,
        node.id,
        node.stage,
        node.kind,
        node.round,
        node.number,
        0,
        node.group,
        home,
        away,
        "walkover" if known else "waiting",
        winner=side if known else None,
        by="" if not known else DOUBLE_FORFEIT if left else BYE,
    )
    if not known:
        return Tie(node, home, away, (match,))
    return Tie(node, home, away, (match,), NOBODY if left else alone, NOBODY)


def _settled(state: State, match: str, seats: tuple[Seat, Seat]) -> Side | None:
    """Who won a walkover that stands since a withdrawal; None if those seats were not known then, or all are in."""
    stands = state.settled.get(match)
    return stands.winner if stands is not None and (stands.home, stands.away) == seats else None


def _match(state: State, node: Node, id: str, leg: int, seats: tuple[Seat, Seat]) -> Match:
    home, away = seats
    bare = Match(id, node.id, node.stage, node.kind, node.round, node.number, leg, node.group, home, away, "waiting")
    if home is None or away is None:
        return bare
    report = standing_report(state, id, home, away)
    if report is not None:
        if f"drawn:{id}:{len(state.reports[id])}" in _replays(state):
            return _open(state, bare)
        return replace(bare, status="done", score=report.score, winner=report.winner, by=report.by)
    gone = [seat in state.withdrawn for seat in seats]
    if any(gone):
        side = _settled(state, id, seats) or (None if all(gone) else "away" if gone[0] else "home")
        if side is None:
            return replace(bare, status="walkover", score=(0, 0), by=DOUBLE_FORFEIT)
        won, lost = state.plan.stages[node.stage - 1].points.forfeit
        score = (lost, won) if side == "away" else (won, lost)
        return replace(bare, status="walkover", score=score, winner=side, by=WITHDRAWAL)
    return _open(state, bare)


def _replays(state: State) -> frozenset[str]:
    return frozenset(id for id, rule in state.rulings.items() if rule.choice == "replay" and id.startswith("drawn:"))


def _open(state: State, match: Match) -> Match:
    call = state.calls.get(match.id)
    return replace(match, status="called", table=call.table) if call else replace(match, status="ready")


def _forfeited(tie: Tie) -> Tie:
    """A second leg that was forfeited decides the tie, whatever the first was (FC-16.7)."""
    second = tie.matches[-1]
    if tie.node.legs == 2 and second.by in (FORFEIT, WITHDRAWAL) and second.winner:
        return _won(tie, second.home if second.winner == "home" else second.away)
    return tie


def _winner(state: State, tie: Tie) -> Seat:
    """Who goes on: of two legs by the sum, then by the goals away, then by the shoot-out (FC-16.2)."""
    last = tie.matches[-1]
    by_last = None if last.winner is None else last.home if last.winner == "home" else last.away
    if tie.node.legs == 1 or last.by in (FORFEIT, WITHDRAWAL):
        return by_last
    first = tie.matches[0]
    if first.score is None or last.score is None or last.by == DOUBLE_FORFEIT:
        return None
    sums = first.score[0] + last.score[1], first.score[1] + last.score[0]
    side = winner_by_score(sums) or winner_by_score((last.score[1], first.score[1]))
    if side is not None:
        return tie.home if side == "home" else tie.away
    return by_last if last.winner != winner_by_score(last.score) else None


def _won(tie: Tie, winner: Seat) -> Tie:
    return replace(tie, winner=winner, loser=tie.away if winner == tie.home else tie.home)


def _undecided(state: State, tie: Tie) -> Tie:
    """A draw where one must go on: the organiser says who, or has the last match played again."""
    last = tie.matches[-1].id
    id = f"drawn:{last}:{len(state.reports.get(last, ()))}"
    ruling = state.rulings.get(id)
    if ruling is not None and ruling.choice in ("home", "away"):
        return _won(tie, tie.home if ruling.choice == "home" else tie.away)
    entries = tuple(seat for seat in (tie.home, tie.away) if seat)
    return replace(tie, question=Question(id, "drawn", tie.node.id, ("home", "away", "replay"), entries))
