"""The page that says what is wrong since the start: matches that cannot be written, settings with a fault."""

from __future__ import annotations

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout

from companion.app.display import translate
from companion.app.intervals import repeat
from companion.app.page import Page, load_kv
from companion.app.start_trouble import StartTrouble
from companion.app.widgets.button import PushButton
from companion.app.widgets.components import Grid, Scroller, VBox
from companion.app.widgets.text import BoldText, Text
from companion.config import ConfigError

load_kv(__file__)

REOPEN_INTERVAL_S = 5.0
"""Seconds between two tries to open the matches for writing while the page is open."""


class TroublePage(Page):
    """Says what is wrong, tries to go on by itself, and offers what players can do."""

    def build(self) -> None:
        trouble = self.app.start_trouble or StartTrouble()
        self._messages = trouble.messages
        self.ids.bar.title = translate("app.trouble.title")
        heading = "app.trouble.read_only" if trouble.is_read_only else "app.trouble.settings"
        if not trouble.messages:
            heading = "app.trouble.over"
        column = Grid(cols=1, spacing=dp(12), padding=(dp(4), dp(4), dp(10), dp(4)), grows=True)
        column.add_widget(BoldText(translate(heading), kind="titre", tone="laiton", halign="left"))
        for message in trouble.messages:
            column.add_widget(Text(self.app.text(message), halign="left"))
        self.ids.body.add_widget(Scroller(column))
        self.ids.body.add_widget(self._buttons(trouble))
        self._retry = repeat(self._reopen, REOPEN_INTERVAL_S) if trouble.is_read_only else None

    def leave(self) -> None:
        if self._retry is not None:
            self._retry.cancel()

    def _buttons(self, trouble: StartTrouble) -> BoxLayout:
        column = VBox(spacing=dp(10))
        if not self.portrait:
            column.size_hint_x, column.width, column.pos_hint = None, dp(272), {"top": 1}
        first = "chalk"
        for is_offered, id, icon, act in (
            (trouble.restore_settings is not None, "app.trouble.restore", "undo", self._restore_settings),
            (trouble.is_read_only, "app.trouble.again", "roll", self._reopen),
            (True, "app.trouble.home", "list", self.app.home),
            (trouble.restart is not None and bool(trouble.messages), "app.trouble.restart", "power", self._restart),
        ):
            if is_offered:
                push = PushButton(translate(id), icon=icon, style=first, act=lambda act=act: act(), tall=64, pad=14)
                column.add_widget(push)
                first = "outlined"
        return column

    def _reopen(self, *_: object) -> None:
        """Try to open the matches for writing, and show what is wrong now."""
        trouble = self.app.start_trouble
        if trouble is None or not trouble.is_read_only:
            return
        if self.app.reopen_matches() or trouble.messages != self._messages:
            self.app.redraw()

    def _restore_settings(self) -> None:
        trouble = self.app.start_trouble
        if trouble is None or trouble.restore_settings is None:
            return
        try:
            trouble.restore_settings()
        except ConfigError as fault:
            self.app.show_error(self.app.text(fault.message))
            return
        self._restart()

    def _restart(self) -> None:
        if self.app.start_trouble is not None and self.app.start_trouble.restart is not None:
            self.app.start_trouble.restart()
