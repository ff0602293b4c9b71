"""Screen 19: what the players may set, applied at once and kept in the configuration. Only what exists is shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout

from companion.app.page import Page, load_kv
from companion.app.theme import CONTRASTS, TEXT_SIZES
from companion.app.widgets.pieces import Segments
from companion.app.widgets.text import Name, Text

load_kv(__file__)


class SettingsPage(Page):
    """Language, text size, contrast, places, motion."""

    def build(self) -> None:
        say = self.app.say
        now = self.app.preferences
        self.ids.bar.title = say("app.settings.title")
        self.ids.bar.sub = say("app.settings.at_once") if self.app.theme.roomy else ""
        self._row("language", [("fr", "Français"), ("en", "English")], now.language, say("app.settings.language.other"))
        sizes = [(size, say(f"app.settings.text_scale.{size}")) for size in TEXT_SIZES]
        self._row("text_scale", sizes, now.text_scale)
        contrasts = [(contrast, say(f"app.settings.contrast.{contrast}")) for contrast in CONTRASTS]
        self._row("contrast", contrasts, now.contrast)
        motions = [(False, say("app.settings.motion.full")), (True, say("app.settings.motion.less"))]
        self._row("less_motion", motions, now.less_motion)
        places = [(False, say("app.settings.places.left")), (True, say("app.settings.places.right"))]
        self._row("swapped", places, now.swapped)

    def _row(self, name: str, options: Sequence[tuple[Any, str]], value: Any, detail: str = "") -> None:
        def choose(chosen: Any) -> None:
            if chosen != getattr(self.app.preferences, name):
                self.app.prefer(replace(self.app.preferences, **{name: chosen}))

        kind = "corps" if self.portrait or not self.app.theme.roomy else "bouton"
        self._line(name, Segments(options, value, choose, kind=kind), detail)

    def _line(self, name: str, segments: Segments, detail: str) -> None:
        over = self.portrait and not self.app.theme.roomy
        line = BoxLayout(spacing=dp(4 if over else 12), size_hint_y=None, height=dp(92 if over else 58))
        line.orientation = "vertical" if over else "horizontal"
        words = BoxLayout(orientation="vertical")
        if over:
            words.size_hint_y, words.height = None, dp(30)
        else:
            words.size_hint_x, words.width = None, dp(130 if self.portrait else 160)
        words.add_widget(Name(self.app.say(f"app.settings.{name}"), kinds=["bouton", "corps"], halign="left"))
        if detail and self.app.theme.roomy:
            words.add_widget(Text(detail, kind="mini", tone="craie2", flow="box", halign="left", valign="top"))
        line.add_widget(words)
        line.add_widget(segments)
        self.ids.rows.add_widget(line)
