"""The readings of the rules: points that a rulebook leaves open, with its words, our reading and the players' choice.

A game marks such settings by a `quotation` (`companion.games.preparation.SetupRow`).
"""

from __future__ import annotations

from typing import Any

from kivy.metrics import dp
from kivy.uix.widget import Widget

from companion.app.page import Page, load_kv
from companion.app.screens.prepare import planned, readings
from companion.app.widgets.components import Card, HBox, SegmentedControl
from companion.app.widgets.text import BoldText, Text
from companion.games.preparation import SetupRow

load_kv(__file__)


class ReadingsPage(Page):
    """`args`: `game`, and `chosen`, the memory of its preparation, which this page changes."""

    def build(self) -> None:
        self.ids.bar.title = self.app.translate("app.readings.title")
        self._plan = planned(self.app, self.route.args["game"], self.route.args["chosen"])
        for column in self._plan.columns():
            for row in readings(column):
                self.ids.body.add_widget(self._card(row))
        self.ids.scroller.scroll_y = self.memory.get("down", 1.0)
        self.ids.scroller.bind(scroll_y=lambda _, down: self.memory.update(down=down))

    def _card(self, row: SetupRow) -> Widget:
        """Return the title, the book's words, our reading and the options of a row."""
        usual = next(option.label for option in row.options if option.value == row.usual)
        options = [(option.value, self.app.text(option.label)) for option in row.options]
        assert row.quotation is not None
        return Card(
            BoldText(self.app.text(row.label), kind="bouton", halign="left"),
            Text(self.app.text(row.quotation), halign="left"),
            Text(self.app.translate("app.readings.ours", reading=usual), tone="craie2", halign="left"),
            HBox(SegmentedControl(options, row.value, lambda value: self._choose(row, value), kind="corps"), tall=58),
            surface="nuit",
            padding=(dp(12), dp(10)),
            spacing=dp(6),
            grows=True,
        )

    def _choose(self, row: SetupRow, value: Any) -> None:
        if self.app.attempt(lambda: self._plan.choose(row.id, value)):
            self.app.redraw()
