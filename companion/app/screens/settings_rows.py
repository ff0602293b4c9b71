"""The rows that settings are made of: a name and what can be chosen, set at once. Shared with the first steps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.screens.sizing import lay_sizing
from companion.app.widgets.marks import Icon
from companion.app.widgets.pieces import Segments
from companion.app.widgets.push import Push
from companion.app.widgets.rail import Rail
from companion.app.widgets.text import Name, Text

if TYPE_CHECKING:
    from companion.app.app import TapisVertApp

ROTATIONS = (0, 90, 180, 270)
STEP = 5
"""Percent that a rail moves by."""


class Rows:
    """Fills a column with rows; a setting by its name in `Preferences`, its words under `app.settings.<name>`."""

    def __init__(self, app: TapisVertApp, column: BoxLayout, portrait: bool) -> None:
        self._app, self._column, self._portrait = app, column, portrait

    def named(self, name: str, values: Sequence[Any]) -> list[tuple[Any, str]]:
        """Values with their words."""
        return [(value, self._app.say(f"app.settings.{name}.{value}")) for value in values]

    def row(self, name: str, options: Sequence[tuple[Any, str]], detail: str = "") -> None:
        """One of a few values of a preference."""
        self.choice(name, options, getattr(self._app.preferences, name), lambda to: self._prefer(name, to), detail)

    def choice(
        self,
        name: str,
        options: Sequence[tuple[Any, str]],
        value: Any,
        chosen: Callable[[Any], None],
        detail: str = "",
    ) -> None:
        """One of a few values of anything."""
        kind = "corps" if self._portrait or not self._app.theme.roomy or len(options) > 3 else "bouton"
        self.line(name, Segments(options, value, chosen, kind=kind), detail)

    def slide(self, name: str, icon: str, least: int) -> None:
        """A preference in percent on a rail; brightness shines while it moves."""
        rail = Rail(
            max(least, getattr(self._app.preferences, name)),
            least,
            100,
            STEP,
            name=self._app.say(f"app.settings.{name}"),
            moved=self._app.manners.shine if name == "brightness" else lambda _: None,
            done=lambda chosen: self._prefer(name, chosen),
        )
        row = BoxLayout(spacing=dp(8))
        row.add_widget(Icon(icon, side=26, pos_hint={"center_y": 0.5}))
        row.add_widget(rail)
        self.line(name, row, "")

    def pushes(self, *actions: tuple[str, str, Callable[[], object], bool]) -> None:
        """Buttons beside each other: icon, message id, what a tap does, whether it is held."""
        narrow = self._portrait and len(actions) > 2
        line = BoxLayout(spacing=dp(10), size_hint_y=None, height=dp(58))
        if narrow:
            line.orientation, line.height = "vertical", dp(58 * len(actions) + 10 * (len(actions) - 1))
        for icon, word, act, held in actions:
            line.add_widget(self.push(word, act, icon=icon, held=held))
        self._column.add_widget(line)

    def push(self, word: str, act: Callable[[], object], **kwargs: Any) -> Push:
        """A button by its message id."""
        push = Push(self._app.say(word), kind="corps", pad=8, **kwargs)
        push.bind(on_tap=lambda *_: act())
        return push

    def panel(self) -> None:
        """How the panel stands, where the app has it for itself, and how large its picture is."""
        if self._app.manners.house.kiosk:
            self.row("rotation", self.named("rotation", ROTATIONS))
        push = self.push("app.settings.sizing.with", lambda: lay_sizing(self._app), icon="cards")
        self.line("sizing", push, "")

    def sentence(self, word: str) -> None:
        """What a page is about, by its message id."""
        self._column.add_widget(Text(self._app.say(word), tone="craie2", halign="left"))

    def note(self, sentence: str) -> None:
        """A quiet sentence."""
        self._column.add_widget(Text(sentence, kind="mini", tone="craie2", halign="left"))

    def line(self, name: str, what: Widget, detail: str) -> None:
        """A name, with a quiet detail, before anything that can be touched."""
        over = self._portrait or not self._app.theme.roomy
        line = BoxLayout(spacing=dp(4 if over else 12), size_hint_y=None, height=dp(96 if over else 58))
        line.orientation = "vertical" if over else "horizontal"
        words = BoxLayout(orientation="horizontal" if over else "vertical", spacing=dp(8))
        if over:
            words.size_hint_y, words.height = None, dp(32)
        else:
            words.size_hint_x, words.width = None, dp(150)
        name_ = Name(self._app.say(f"app.settings.{name}"), kinds=["bouton", "corps"], halign="left")
        name_.valign = "bottom" if detail and self._app.theme.roomy and not over else "middle"
        words.add_widget(name_)
        if detail and self._app.theme.roomy:
            quiet = Text(
                detail, kind="mini", tone="craie2", flow="box", halign="left", valign="middle" if over else "top"
            )
            words.add_widget(quiet)
        line.add_widget(words)
        line.add_widget(what)
        self._column.add_widget(line)

    def _prefer(self, name: str, value: Any) -> None:
        if value != getattr(self._app.preferences, name):
            self._app.prefer(replace(self._app.preferences, **{name: value}))
