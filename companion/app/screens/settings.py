"""Screen 19: what the players may set, applied at once and kept in the configuration. Only what exists is shown."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.page import Page, load_kv
from companion.app.screens.settings_lock import LockRow
from companion.app.theme import CONTRASTS, TEXT_SIZES
from companion.app.widgets.marks import Icon
from companion.app.widgets.pieces import Segments
from companion.app.widgets.push import Push
from companion.app.widgets.rail import Rail
from companion.app.widgets.text import Name, Text

load_kv(__file__)

ROOMS = {"screen": "globe", "sound": "sound", "seats": "users", "house": "lock"}
"""The groups of settings, each with its icon."""
SAVER_MINUTES = (5, 10, 30, 0)
LEAST_LIGHT = 20
"""The darkest that can be set: the screen must stay readable enough to make it brighter."""
STEP = 5


class SettingsPage(Page):
    """One group at a time; which one is kept in the place's memory."""

    def build(self) -> None:
        say = self.app.say
        self.ids.bar.title = say("app.settings.title")
        self.ids.bar.sub = say("app.settings.at_once") if self.app.theme.roomy else ""
        here = self.memory.setdefault("room", "screen")
        for room, icon in ROOMS.items():
            push = Push(say(f"app.settings.room.{room}"), icon=icon, icon_side=24, left=True, pad=12)
            push.look, push.size_hint_y, push.height = "raised" if room == here else "quiet", None, dp(56)
            push.kind = "bouton" if self.app.theme.roomy else "corps"
            push.bind(on_tap=lambda _, room=room: self._enter(room))
            self.ids.rooms.add_widget(push)
        {"screen": self._screen, "sound": self._sound, "seats": self._seats, "house": self._house}[here]()

    def _enter(self, room: str) -> None:
        self.memory["room"] = room
        self.app.redraw()

    # The groups

    def _screen(self) -> None:
        say, now = self.app.say, self.app.preferences
        self._row("language", [("fr", "Français"), ("en", "English")], now.language, say("app.settings.language.other"))
        self._row("text_scale", self._named("text_scale", TEXT_SIZES), now.text_scale)
        self._row("contrast", self._named("contrast", CONTRASTS), now.contrast)
        motions = [(False, say("app.settings.motion.full")), (True, say("app.settings.motion.less"))]
        self._row("less_motion", motions, now.less_motion)
        self._slide("brightness", "sun", now.brightness, LEAST_LIGHT)

    def _sound(self) -> None:
        say, now = self.app.say, self.app.preferences
        detail = "" if self.app.manners.house.voice else say("app.settings.voice.none")
        voices = self._named("voice", ("off", "results", "all"))
        self._row("voice", voices, now.voice, detail or say("app.settings.voice.detail"))
        if now.voice == "all":
            self._note(say("app.settings.voice.explored"))
        detail = "" if self.app.manners.house.chimes else say("app.settings.effects.none")
        self._row("effects", [(True, say("app.settings.on")), (False, say("app.settings.off"))], now.effects, detail)
        self._slide("volume", "sound", now.volume, 0)

    def _seats(self) -> None:
        say, now = self.app.say, self.app.preferences
        self._row("seats", self._named("seats", ("beside", "facing")), now.seats)
        if now.facing:
            self._note(say("app.settings.seats.explained"))
        self._row("hand", self._named("hand", ("right", "left")), now.hand)
        places = [(False, say("app.settings.places.left")), (True, say("app.settings.places.right"))]
        self._row("swapped", places, now.swapped, say("app.settings.swapped.detail"))

    def _house(self) -> None:
        say, now = self.app.say, self.app.preferences
        minutes = [
            (m, say("app.settings.saver.after", minutes=m) if m else say("app.settings.off")) for m in SAVER_MINUTES
        ]
        self._row("saver_minutes", minutes, now.saver_minutes, say("app.settings.saver_minutes.detail"))
        self._row("keyboard", self._named("keyboard", ("auto", "shown", "hidden")), now.keyboard)
        lock = self.app.manners.house.lock
        if lock is not None:
            self._line(
                "lock", LockRow(self.app, lock), say("app.settings.lock.on" if lock.set else "app.settings.lock.off")
            )
        actions = [("pulse", "app.settings.diagnostic", lambda: self.app.open("diagnostic"))]
        if self.app.manners.house.kiosk:
            actions.append(("power", "app.settings.leave", self.app.stop))
        line = BoxLayout(spacing=dp(10), size_hint_y=None, height=dp(58))
        for icon, word, act in actions:
            line.add_widget(self._push(say(word), act, icon=icon, held=word == "app.settings.leave"))
        self.ids.rows.add_widget(line)

    # Their rows

    def _named(self, name: str, values: Sequence[Any]) -> list[tuple[Any, str]]:
        return [(value, self.app.say(f"app.settings.{name}.{value}")) for value in values]

    def _prefer(self, name: str, value: Any) -> None:
        if value != getattr(self.app.preferences, name):
            self.app.prefer(replace(self.app.preferences, **{name: value}))

    def _row(self, name: str, options: Sequence[tuple[Any, str]], value: Any, detail: str = "") -> None:
        kind = "corps" if self.portrait or not self.app.theme.roomy or len(options) > 3 else "bouton"
        self._line(name, Segments(options, value, lambda chosen: self._prefer(name, chosen), kind=kind), detail)

    def _slide(self, name: str, icon: str, value: int, least: int) -> None:
        rail = Rail(
            max(least, value),
            least,
            100,
            STEP,
            name=self.app.say(f"app.settings.{name}"),
            moved=self.app.manners.shine if name == "brightness" else lambda _: None,
            done=lambda chosen: self._prefer(name, chosen),
        )
        row = BoxLayout(spacing=dp(8))
        row.add_widget(Icon(icon, side=26, pos_hint={"center_y": 0.5}))
        row.add_widget(rail)
        self._line(name, row, "")

    def _push(self, text: str, act: Callable[[], object], **kwargs: Any) -> Push:
        push = Push(text, kind="corps", pad=8, **kwargs)
        push.bind(on_tap=lambda *_: act())
        return push

    def _note(self, sentence: str) -> None:
        self.ids.rows.add_widget(Text(sentence, kind="mini", tone="craie2", halign="left"))

    def _line(self, name: str, what: Widget, detail: str) -> None:
        over = self.portrait or not self.app.theme.roomy
        line = BoxLayout(spacing=dp(4 if over else 12), size_hint_y=None, height=dp(96 if over else 58))
        line.orientation = "vertical" if over else "horizontal"
        words = BoxLayout(orientation="horizontal" if over else "vertical", spacing=dp(8))
        if over:
            words.size_hint_y, words.height = None, dp(32)
        else:
            words.size_hint_x, words.width = None, dp(150)
        name_ = Name(self.app.say(f"app.settings.{name}"), kinds=["bouton", "corps"], halign="left")
        name_.valign = "bottom" if detail and self.app.theme.roomy and not over else "middle"
        words.add_widget(name_)
        if detail and self.app.theme.roomy:
            quiet = Text(
                detail, kind="mini", tone="craie2", flow="box", halign="left", valign="middle" if over else "top"
            )
            words.add_widget(quiet)
        line.add_widget(words)
        line.add_widget(what)
        self.ids.rows.add_widget(line)
