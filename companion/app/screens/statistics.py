"""Statistics of a match: course of the score, luck of each side, fairness of each die."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.background import IdleTask
from companion.app.display import display, text, translate
from companion.app.figures.charts import Curve, LegendEntry, bars_chart, curves_chart, score_chart
from companion.app.page import Page, load_kv
from companion.app.screens.table_edge import FactRow
from companion.app.widgets.button import PushButton
from companion.app.widgets.components import Card, Grid, HBox, Scroller, SegmentedControl, VBox, fill
from companion.app.widgets.marks import BallMark, SideBadge
from companion.app.widgets.text import BoldText, Name, Text
from companion.games.base import Message, SideScene, SideStat
from companion.games.registry import DICE_STATISTICS
from companion.games.summary import MatchFigures
from companion.table.board import match_figures
from companion.table.history import DieCount, ExpectedVsActualTotal, HistoryTally
from companion.table.report import ScoreCourse, score_course
from companion.table.session import Session

load_kv(__file__)

_SHORT = 4
"""Face identifiers shorter than this many characters fit on one line."""
TABS = ("score", "sides", "luck", "dice")


class StatisticsPage(Page):
    """Statistics page. `args`: `session` (not necessarily the open match). The route stores the selected tab."""

    def build(self) -> None:
        self._tally = HistoryTally()
        self._course = ScoreCourse()
        self._figures = MatchFigures()
        self._idle_task: IdleTask[None] | None = None
        self.sides = self.session.scene().sides
        self.ids.bar.title = translate("app.statistics.title")
        self.ids.bar.sub = " – ".join(side.name for side in self.sides) if self.app.theme.roomy else ""
        self.ids.body.add_widget(Text(translate("app.statistics.counting"), tone="craie2", flow="box", halign="center"))
        self._idle_task = IdleTask(self._work(), self._show)

    @property
    def session(self) -> Session:
        """The session of the match."""
        session: Session = self.route.args["session"]
        return session

    def leave(self) -> None:
        if self._idle_task is not None:
            self._idle_task.stop()

    def _work(self) -> Iterator[None]:
        ledger = self.session.ledger
        yield from self._tally.add_stepwise(ledger, DICE_STATISTICS[ledger.game.id])
        self._course = score_course(ledger)
        self._figures = match_figures(ledger)

    def _show_tab(self, tab: str) -> None:
        self.memory["tab"] = tab
        self.app.redraw()

    def _show(self) -> None:
        self.ids.body.clear_widgets()
        contents = {
            "score": self._score,
            "sides": self._facts,
            "luck": self._expected_vs_actual,
            "dice": self._dice,
        }
        tabs = [name for name in TABS if self._has(name)]
        tab = self.memory.get("tab", TABS[0])
        tab = tab if tab in tabs else tabs[0]
        kind = "corps" if self.portrait else "bouton"
        self.ids.tabs.clear_widgets()
        options = [(name, translate(f"app.statistics.{name}")) for name in tabs]
        self.ids.tabs.add_widget(SegmentedControl(options, tab, self._show_tab, kind=kind))
        fill(self.ids.body, *contents[tab]())

    def _has(self, tab: str) -> bool:
        """True if the tab has something to show: a game without dice has no luck, for example."""
        if tab == "sides":
            return bool(self._figures.rows) or any(side.stats for side in self.sides)
        if tab == "luck":
            return any(side.expected_vs_actual for side in self._tally.sides.values())
        return tab == "score" or any(die.counts for die in self._tally.dice.values())

    # What the game counts for each side: its counts on the board of the end, and its facts beside the table

    def _facts(self) -> list[Widget]:
        columns = (VBox if self.portrait else HBox)(spacing=dp(24), padding=(0, 0, dp(10), 0), grows=True)
        for side in self.sides:
            column = VBox(LegendEntry(side, ""), spacing=dp(4), pos_hint={"top": 1}, grows=True)
            counts = [SideStat(row.label, row.values[side.side]) for row in self._figures.rows]
            labels = {text(stat.label) for stat in counts}
            more = [stat for stat in side.stats if text(stat.label) not in labels]
            fill(column, *(FactRow(stat, big=True) for stat in (*counts, *more)))
            columns.add_widget(column)
        return [Scroller(columns)]

    # Course of the score

    def _score(self) -> list[Widget]:
        if not self._course.changes:
            return [_nothing("app.statistics.no_score")]
        curves = [
            Curve(
                side.colour,
                side.letter,
                tuple((change.turn_number, change.scores[at]) for change in self._course.changes),
            )
            for at, side in enumerate(self.sides)
        ]
        points = self._course.changes[-1].scores
        keys = [LegendEntry(side, str(points[at])) for at, side in enumerate(self.sides)]
        chart = score_chart(curves, self._course.turns, self._course.unit)
        return [chart, _beside(keys, self.portrait)]

    # Luck

    def _expected_vs_actual(self) -> list[Widget]:
        measures = list(dict.fromkeys(what for side in self._tally.sides.values() for what in side.expected_vs_actual))
        at = self.memory.get("measure", 0) % len(measures)
        what = measures[at]
        curves, keys, most = [], [], 1
        for side in self.sides:
            share = self._tally.sides[side.name]
            course = share.course.get(what, [])
            most = max(most, len(course))
            steps = tuple((float(place), float(value)) for place, value in enumerate(course, 1))
            curves.append(Curve(side.colour, side.letter, steps))
            keys.append(
                LegendEntry(
                    side,
                    _difference(share.expected_vs_actual.get(what)),
                    _measure_text(share.expected_vs_actual.get(what)),
                )
            )
        under = Text(translate("app.statistics.tries"), kind="mini", tone="craie2", halign="center")
        pager = self._pager(translate(f"cli.stats.what.{what}"), at, len(measures))
        return [*pager, curves_chart(curves, most), under, _beside(keys, self.portrait)]

    def _pager(self, title: str, at: int, of: int) -> list[Widget]:
        """Return the header of the shown measure, with buttons for the other measures."""
        if of < 2:
            return [BoldText(title, kind="bouton", halign="center")]
        line = HBox(spacing=dp(8), tall=52)
        for icon, by, spoken in (("left", -1, "app.statistics.before"), ("right", 1, "app.statistics.next")):
            push = PushButton(icon=icon, style="outlined", spoken=translate(spoken), wide=64)
            push.bind(on_tap=lambda _, by=by: self._show_measure(at + by))
            line.add_widget(push)
        name = Name(
            translate("app.statistics.measure", what=title, at=at + 1, of=of), kinds=["bouton", "corps", "mini"]
        )
        line.add_widget(name, index=1)
        return [line]

    def _show_measure(self, at: int) -> None:
        self.memory["measure"] = at
        self._show()

    # Dice

    def _dice(self) -> list[Widget]:
        dice = [die for die in self._tally.dice.values() if die.counts]
        columns = 1 if self.portrait or len(dice) == 1 else 2
        grid = Grid(cols=columns, spacing=dp(10), padding=(0, 0, dp(10), 0), grows=True)
        names = {side.name: side for side in self.sides}
        game_id = self.session.game.id
        fill(grid, *(DieCard(die, names.get(die.side or ""), self._kind(die), game_id, len(dice)) for die in dice))
        note = Text(translate("app.statistics.fair"), kind="mini", tone="craie2", halign="left")
        body = Scroller(grid)
        return [note, body]

    def _kind(self, die: DieCount) -> str:
        own = next((side.name for side in self.sides if side.side == die.kind), None)
        return "" if own is not None else translate(f"sheet.kind.{die.kind}")


class DieCard(Card):
    """Statistics of one kind of dice of one side: bars of its faces, actual and expected counts, the test result."""

    def __init__(self, die: DieCount, side: SideScene | None, kind: str, game_id: str, tests: int) -> None:
        theme = display.theme
        super().__init__(padding=(dp(12), dp(8)), spacing=dp(4), size_hint_y=None)
        tested = die.fairness
        faces = list(die.probabilities)
        due = [float(die.probabilities[face] * tested.throws) for face in faces]
        odd = tested.is_suspicious(tests)
        head = HBox(size_hint_y=None, height=theme.type("corps") * 1.5, spacing=dp(8))
        if side is not None:
            head.add_widget(SideBadge(colour=side.colour, letter=side.letter, side=26, middle=True))
        title = ", ".join(part for part in (side.name if side else translate("report.nobody"), kind) if part)
        head.add_widget(Name(title, kinds=["corps", "mini"], halign="left"))
        chart = bars_chart([die.counts[face] for face in faces], due, odd)
        chart.size_hint_y, chart.height = None, dp(84)
        lines = 2.6 if all(len(face) < _SHORT for face in faces) else 3.9
        columns = HBox(size_hint_y=None, height=theme.type("mini") * lines + dp(4))
        fill(columns, *(_face(face, die, expected, game_id) for face, expected in zip(faces, due, strict=True)))
        fill(self, head, chart, columns, _answer(die, tests, odd))
        self.bind(minimum_height=self.setter("height"))


def _face(face: str, die: DieCount, due: float, game_id: str) -> BoxLayout:
    """Return the column below a bar: the face as mark or word, its actual count and its expected count."""
    column = VBox()
    if die.kind == "ball":
        column.add_widget(HBox(Widget(), BallMark(colour=face, side=20, middle=True), Widget()))
    else:
        word = face if face.lstrip("-").isdigit() else text(Message(f"{game_id}.symbol.{face}"))
        column.add_widget(Text(word, kind="mini", plain=False, strong=True, flow="box", halign="center"))
    label = translate("app.statistics.seen", seen=die.counts[face], due=_format_number(Fraction(due), 1))
    under = Text(label, kind="mini", plain=False, tone="craie2", flow="box", halign="center")
    under.size_hint_y, under.height = None, display.theme.type("mini") * 1.3
    column.add_widget(under)
    return column


def _answer(die: DieCount, tests: int, odd: bool) -> Text:
    tested = die.fairness
    chance = _format_number(Fraction(tested.p_value), 3)
    result = translate("app.statistics.p", n=tested.throws, p=chance)
    if odd:
        verdict = translate("app.statistics.odd")
    else:
        verdict = (
            translate("app.statistics.few", n=tested.throws_needed)
            if tested.throws_needed
            else translate("app.statistics.fine")
        )
    return Text(f"{result}. {verdict}", kind="mini", tone="laiton" if odd else "craie", halign="left")


def _beside(keys: Sequence[LegendEntry], portrait: bool) -> BoxLayout:
    """Return the legend of the curves in columns, or in one column if there is too little space."""
    columns = 1 if portrait and any(key.has_detail for key in keys) else min(2, len(keys))
    return Grid(*keys, cols=columns, spacing=(dp(24), dp(4)), grows=True)


def _nothing(id: str) -> Text:
    return Text(translate(id), tone="craie2", flow="box", halign="center")


def _difference(measure: ExpectedVsActualTotal | None) -> str:
    if measure is None:
        return "–"
    return f"{'+' if measure.difference > 0 else ''}{_format_number(measure.difference, 1)}"


def _measure_text(measure: ExpectedVsActualTotal | None) -> str:
    if measure is None:
        return translate("app.statistics.none_of_these")
    numbers = {"got": _format_number(measure.actual, 1), "expected": _format_number(measure.expected, 1)}
    return translate("app.statistics.told", n=measure.trials, **numbers)


def _format_number(value: Fraction, places: int) -> str:
    number = f"{float(value):.{places}f}".replace("-", "\N{MINUS SIGN}")
    return display.language.decimal(number)
