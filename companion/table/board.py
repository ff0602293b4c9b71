"""The board of a match at half-time and at its end: course, scorers, counts, luck, best moment. Pure.

It is computed in steps, because the expected results of a long match take a while.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from companion.games.base import DiceStatistics, ExpectedVsActual, GameState, Message
from companion.games.registry import SPECS
from companion.games.summary import MatchFigures, PlayedEvent
from companion.journal.ledger import AnyLedger
from companion.table.history import score_of
from companion.table.parts import PartCounter

MAX_MEASURES = 2
"""Measures of luck on a board: those with the most rolls."""


@dataclass(frozen=True, slots=True)
class ScoreStep:
    """The points in the order of the sides after an event of a turn; turns count from 1."""

    turn_number: int
    points: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class MeasureDifference:
    """How far a measure came out above what the odds gave, by side. `trials` are the rolls that it covers."""

    measure: str
    by_side: Mapping[str, Fraction]
    trials: int


@dataclass(frozen=True, slots=True)
class BestMoment:
    """The score that was the least to be expected: its line of the timeline.

    `chance` is its probability before the dice, if the score is a single success.
    """

    side: str
    text: Message
    chance: Fraction | None


@dataclass(frozen=True, slots=True)
class MatchBoard:
    """What a board shows of a match up to now. `turns` is the length of the course."""

    steps: tuple[ScoreStep, ...] = ()
    turns: int = 0
    figures: MatchFigures = field(default_factory=MatchFigures)
    differences: tuple[MeasureDifference, ...] = ()
    best: BestMoment | None = None


def played_events(ledger: AnyLedger) -> tuple[PlayedEvent[GameState], ...]:
    """Return the events that count, each with the states around it."""
    before, played = ledger.initial_state, []
    for event in ledger.events:
        played.append(PlayedEvent(before, event.fields, event.outcome, event.state_after))
        before = event.state_after
    return tuple(played)


def match_figures(ledger: AnyLedger) -> MatchFigures:
    """Return the scorers and the counts of a match so far."""
    return SPECS[ledger.game.id].summary(played_events(ledger))


class BoardBuilder:
    """Builds the board of a match. `run` yields after each event; `board` is complete at its end."""

    def __init__(self, ledger: AnyLedger, chances: DiceStatistics[GameState]) -> None:
        self._ledger, self._chances = ledger, chances
        self._sides: tuple[str, ...] = tuple(ledger.header["sides"])
        self._samples: dict[str, list[ExpectedVsActual]] = {}
        self._best: tuple[tuple[Fraction, int], BestMoment] | None = None
        self.board = MatchBoard()

    def run(self) -> Iterator[None]:
        """Build the board in steps."""
        ledger, steps = self._ledger, []
        played = played_events(ledger)
        points = self._points(ledger.initial_state)
        counter = PartCounter(ledger.game.id)
        for step in played:
            counter.enter(step.before)
            samples = self._chances.expected_vs_actual(step.before, step.fields, step.outcome, step.after)
            for sample in samples:
                self._samples.setdefault(sample.measure, []).append(sample)
            after = self._points(step.after)
            if after != points:
                steps.append(ScoreStep(counter.turns, after))
                self._rate(step, samples, dict(zip(self._sides, map(int.__sub__, after, points), strict=True)))
            points = after
            yield
        figures = SPECS[ledger.game.id].summary(played)
        best = None if self._best is None else self._best[1]
        self.board = MatchBoard(tuple(steps), counter.turns, figures, self._difference_rows(), best)

    def _points(self, state: GameState) -> tuple[int, ...]:
        score = score_of(self._ledger.game, state)
        return tuple(score.get(side, 0) for side in self._sides)

    def _rate(
        self, step: PlayedEvent[GameState], samples: tuple[ExpectedVsActual, ...], gains: Mapping[str, int]
    ) -> None:
        """Compare a score with the best one so far: by what it exceeds the odds, then by its points; the later wins."""
        if not samples and self._ledger.game.dice_from_event(step.fields):
            return  # the odds of these dice are not known
        side, gain = max(gains.items(), key=lambda entry: entry[1])
        if gain <= 0 or step.fields["event"] in ("ruling", "concede", "forfeit"):
            return
        own = [sample for sample in samples if sample.side == side]
        surplus = max((sample.actual - sample.expected for sample in own), default=Fraction(0))
        if self._best is None or (surplus, gain) >= self._best[0]:
            single = [sample for sample in own if sample.actual == 1 and sample.expected < 1]
            text = self._ledger.game.describe(step.after, step.fields, step.outcome)
            self._best = (surplus, gain), BestMoment(side, text, single[0].expected if len(single) == 1 else None)

    def _difference_rows(self) -> tuple[MeasureDifference, ...]:
        rows = []
        for measure, samples in self._samples.items():
            sums = dict.fromkeys((sample.side for sample in samples), Fraction(0))
            for sample in samples:
                sums[sample.side] += sample.actual - sample.expected
            rows.append(MeasureDifference(measure, sums, len(samples)))
        most = sorted(rows, key=lambda row: -row.trials)[:MAX_MEASURES]
        return tuple(sorted(most, key=lambda row: row.measure))  # the same order at half-time and at the end
