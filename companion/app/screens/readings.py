"""The readings of the rules: points that a rulebook leaves open, with its words, our reading and the players' choice.

A game marks such settings by a `quotation` (`companion.games.preparation.SetupRow`).
"""

from __future__ import annotations

from typing import Any

from kivy.metrics import dp
from kivy.uix.widget import Widget

from companion.app.help.rules import open_rule
from companion.app.page import Page, load_kv
from companion.app.screens.prepare import planned, readings
from companion.app.widgets.button import PushButton
from companion.app.widgets.components import Card, HBox, SegmentedControl
from companion.app.widgets.text import BoldText, Text
from companion.games.preparation import SetupRow

load_kv(__file__)

_RULE_HEIGHT = 56


class ReadingsPage(Page):
    """`args`: `game`, and `chosen`, the memory of its preparation, which this page changes.

    `decided`: ids of rows that are left out.
    """

    def build(self) -> None:
        self.ids.bar.title = self.app.translate("app.readings.title")
        self._plan = planned(self.app, self.route.args["game"], self.route.args["chosen"])
        decided = self.route.args.get("decided", ())
        rows = [row for column in self._plan.columns() for row in readings(column) if row.id not in decided]
        chosen, fixed = ([row for row in rows if bool(row.options) is wanted] for wanted in (True, False))
        for row in chosen:
            self.ids.body.add_widget(self._card(row))
        if fixed:
            self.ids.body.add_widget(Text(self.app.translate("app.readings.fixed"), tone="craie2", halign="left"))
        for row in fixed:
            self.ids.body.add_widget(self._card(row))
        self.ids.scroller.scroll_y = self.memory.get("down", 1.0)
        self.ids.scroller.bind(scroll_y=lambda _, down: self.memory.update(down=down))

    def _card(self, row: SetupRow) -> Widget:
        """Return the title with the rule, the book's words, our reading, and the options of a row if it has any."""
        assert row.quotation is not None
        usual = next((option.label for option in row.options if option.value == row.usual), row.detail)
        card = Card(
            self._title(row),
            Text(self.app.text(row.quotation), halign="left"),
            Text(self.app.translate("app.readings.ours", reading=usual), tone="craie2", halign="left"),
            surface="nuit",
            padding=(dp(12), dp(10)),
            spacing=dp(6),
            grows=True,
        )
        if row.options:
            options = [(option.value, self.app.text(option.label)) for option in row.options]
            choose = lambda value: self._choose(row, value)  # noqa: E731
            card.add_widget(HBox(SegmentedControl(options, row.value, choose, kind="corps"), tall=58))
        return card

    def _title(self, row: SetupRow) -> Widget:
        title = BoldText(self.app.text(row.label), kind="bouton", halign="left", middle=True)
        if not row.rule:
            return title
        rule = PushButton(
            row.rule, icon="help", icon_side=22, style="quiet", kind="corps", hug=True, pad=10, tall=_RULE_HEIGHT
        )
        rule.bind(on_tap=lambda *_: open_rule(self.app, row.rule))
        return HBox(title, rule, spacing=dp(8), tall=_RULE_HEIGHT)

    def _choose(self, row: SetupRow, value: Any) -> None:
        if self.app.attempt(lambda: self._plan.choose(row.id, value)):
            self.app.redraw()
