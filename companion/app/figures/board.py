"""The board of a match: result, course of the score, scorers, counts by side, luck, best moment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.display import display, percent, text, translate
from companion.app.figures.charts import Curve, score_chart
from companion.app.widgets.components import HBox, VBox
from companion.app.widgets.marks import Icon, SideBadge
from companion.app.widgets.text import BoldText, Name, Text
from companion.games.base import SideScene
from companion.games.figures import Headline
from companion.games.summary import Scorer
from companion.table.board import BestMoment, MatchBoard, MeasureDifference
from companion.table.history import headline_of
from companion.table.session import Session

_LINE, _CELL, _NARROW_CELL, _BADGE = 27, 56, 38, 22
"""Height of a line, width of a value (narrow: of more than two sides) and size of a badge, in dp."""
_WINNER_BADGE = 40
"""Size of the winner's crest in dp."""
_TWO_SIDES = 2


def score_lines(sides: Sequence[SideScene], score: Mapping[str, int], stacked: bool = False) -> list[Widget]:
    """Return a line with both names and the score; if `stacked`, or for more than two sides, a line for each side."""
    points = [BoldText(str(score.get(side.side, 0)), kind="grand", flow="line", middle=True) for side in sides]
    kinds = ["titre", "bouton", "corps", "mini"]
    names = [Name(side.name, kinds=kinds, initials=True, halign="left") for side in sides]
    badges = [_badge(side, 34) for side in sides]
    if len(sides) == _TWO_SIDES and not stacked:
        names[1].halign = "right"
        dash = BoldText("–", kind="grand", flow="line", middle=True)
        pieces = (badges[0], names[0], points[0], dash, points[1], names[1], badges[1])
        return [HBox(*pieces, spacing=dp(10), tall=64)]
    return [HBox(*pieces, spacing=dp(10), tall=48) for pieces in zip(badges, names, points, strict=True)]


class ResultHeading(VBox):
    """The winner's name in the side's colour, as large as fits, or the draw; below it how the match was won."""

    def __init__(self, headline: Headline | None, winner: SideScene | None, **kwargs: Any) -> None:
        super().__init__(spacing=dp(2), grows=True, **kwargs)
        result = text(headline.text) if headline else ""
        if winner is not None:
            word = BoldText(translate("app.end.winner"), kind="bouton", tone="laiton", halign="left", middle=True)
            crest = [_badge(winner, _WINNER_BADGE)] if winner.crest else []  # the name needs its whole line
            self.add_widget(HBox(*crest, word, spacing=dp(10), grows=True))
            result = winner.name
        tone = winner.colour if winner is not None else "laiton"
        name = Name(result, kinds=["fort", "grand", "titre"], initials=True, halign="left", leading=0.95, tone=tone)
        name.size_hint_y, name.height = None, display.theme.type("fort") * 1.15
        self.add_widget(name)
        if headline is not None and headline.detail is not None:
            self.add_widget(Text(text(headline.detail), tone="craie2", halign="left"))


def result_headline(session: Session) -> Headline | None:
    """Return the headline of a finished match. If a side gave it up, the detail says which."""
    ledger, game = session.ledger, session.game
    headline = headline_of(game, session.state)
    if headline is None or headline.detail is not None or not ledger.events:
        return headline
    *earlier, newest = ledger.events
    before = earlier[-1].state_after if earlier else ledger.initial_state
    if not any(
        choice.menu and choice.event["event"] == newest.fields["event"] for choice in game.decision(before).choices
    ):
        return headline
    return replace(headline, detail=game.describe(newest.state_after, newest.fields, newest.outcome))


def course_chart(board: MatchBoard, sides: Sequence[SideScene], unit: str) -> Widget:
    """Return the course of the score over turns called `unit`; an empty widget while nobody has scored."""
    if not board.steps:
        return Widget()
    curves = [
        Curve(
            side.colour, side.letter, tuple((float(step.turn_number), float(step.points[at])) for step in board.steps)
        )
        for at, side in enumerate(sides)
    ]
    return score_chart(curves, board.turns, unit)


class BoardLines(VBox):
    """The lines of a board, as high as their content."""

    def __init__(self, board: MatchBoard, sides: Sequence[SideScene]) -> None:
        self._sides = sides
        lines = [*(self._scorer(scorer) for scorer in board.figures.scorers), *self._counts(board)]
        if board.best is not None:
            lines += self._best(board.best)
        super().__init__(*lines, spacing=dp(2), padding=(0, 0, dp(10), 0), grows=True)

    def _scorer(self, scorer: Scorer) -> Widget:
        side = next(side for side in self._sides if side.side == scorer.side)
        name = scorer.name or translate("app.end.goal")
        when = Text(text(scorer.when), kind="mini", tone="craie2", flow="line", middle=True)
        label = Name(name, kinds=["corps", "mini"], initials=True, halign="left")
        return _line(_badge(side), label, when)

    def _counts(self, board: MatchBoard) -> list[Widget]:
        rows = [
            (text(row.label), [row.values.get(side.side, "") for side in self._sides]) for row in board.figures.rows
        ]
        rows += [(self._luck_label(row), self._luck_values(row)) for row in board.differences]
        if not rows:
            return []
        return [self._heads(), *(self._count(label, values) for label, values in rows)]

    def _luck_label(self, row: MeasureDifference) -> str:
        return translate("app.end.luck", measure=translate(f"cli.stats.what.{row.measure}"))

    def _luck_values(self, row: MeasureDifference) -> list[str]:
        return [_signed(row.by_side[side.side]) if side.side in row.by_side else "" for side in self._sides]

    def _heads(self) -> Widget:
        """Return the badges above the values."""
        centred = len(self._sides) == _TWO_SIDES
        wide = _CELL if centred else _NARROW_CELL
        badges = [HBox(Widget(), _badge(side), Widget(), wide=wide) for side in self._sides]
        if centred:
            return _line(badges[0], Widget(), badges[1])
        return HBox(Widget(), *badges, spacing=dp(4), tall=_LINE)

    def _count(self, label: str, values: Sequence[str]) -> Widget:
        centred = len(values) == _TWO_SIDES
        name = Text(label, tone="craie2", halign="center" if centred else "left", leading=1.0, middle=True)
        tall = _LINE * max(1.0, display.theme.text / 100)
        wide = _CELL if centred else _NARROW_CELL
        cells = [
            Name(value, kinds=["corps", "mini"], halign="center", middle=True, wide=wide, tall=tall) for value in values
        ]
        pieces = (cells[0], name, cells[1]) if centred else (name, *cells)
        return HBox(*pieces, spacing=dp(8 if centred else 4), grows=True)

    def _best(self, best: BestMoment) -> list[Widget]:
        side = next(side for side in self._sides if side.side == best.side)
        word = translate("app.end.best")
        if best.chance is not None:
            word = translate("app.end.best_chance", chance=percent(max(1, round(100 * best.chance))))
        star = Icon("star", side=20, tone="laiton", middle=True)
        head = HBox(star, BoldText(word, kind="corps", halign="left", middle=True), spacing=dp(8), grows=True)
        return [head, HBox(_badge(side), Text(text(best.text), halign="left"), spacing=dp(8), grows=True)]


def _badge(side: SideScene, size: float = _BADGE) -> SideBadge:
    return SideBadge(colour=side.colour, letter=side.letter, crest=side.crest, side=size, middle=True)


def _line(*pieces: Widget) -> BoxLayout:
    return HBox(*pieces, spacing=dp(8), size_hint_y=None, height=dp(_LINE) * max(1.0, display.theme.text / 100))


def _signed(value: Fraction) -> str:
    number = display.language.decimal(f"{abs(float(value)):.1f}")
    if not number.strip("0.,"):
        return number
    return f"+{number}" if value > 0 else f"\N{MINUS SIGN}{number}"
