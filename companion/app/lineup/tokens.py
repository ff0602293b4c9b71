"""Players as the line-up editor shows them: tokens on the pitch and rows of the bench."""

from __future__ import annotations

from typing import Any

from kivy.app import App
from kivy.metrics import dp
from kivy.properties import StringProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.floatlayout import FloatLayout

from companion.app.theme import RGBA, faded
from companion.app.widgets.framed import Framed
from companion.app.widgets.marks import Icon
from companion.app.widgets.tap import Tap
from companion.app.widgets.text import Head, Name, Text
from companion.games.base import Message
from companion.games.footclub.state import Player
from companion.games.footclub.words import word
from companion.games.wording import short_name, signed


def worth(player: Player, tone: str, strong: bool = False) -> BoxLayout:
    """`3★ Te/Ta`: level in play and profiles."""
    say = App.get_running_app().say
    box = BoxLayout(size_hint=(None, None), spacing=dp(2))
    profiles = "/".join(say(f"app.profile.{profile}") for profile in player.card.profiles)
    kind = Head if strong else Text
    for piece in (
        kind(str(player.level), kind="corps" if strong else "mini", flow="line", tone=tone, leading=1.0),
        Icon("star", side=13, tone=tone),
        kind(" " + profiles, kind="corps" if strong else "mini", flow="line", tone=tone, leading=1.0),
    ):
        if isinstance(piece, Text):
            piece.texture_update()
            piece.size = piece.texture_size
        piece.pos_hint = {"center_y": 0.5}
        box.add_widget(piece)
    box.height = max(piece.height for piece in box.children)
    box.width = sum(piece.width for piece in box.children) + 2 * dp(2)
    return box


def effect_text(attack: int, defence: int) -> str:
    """`ATT −1`, `DEF +2`, `ATT, DEF −1` or `±0`."""
    if attack and attack == defence:
        return f"ATT, DEF {signed(attack)}"
    parts = [f"{name} {signed(value)}" for name, value in (("ATT", attack), ("DEF", defence)) if value]
    return " ".join(parts) or signed(0)


class PlayerToken(Tap, Framed, FloatLayout):
    """A player on the pitch. `effect` (with brass dashes) says what putting the picked one here would change.

    `shown` is for whoever made it to remember what it shows.
    """

    text = StringProperty("")
    shown: Any = None

    def __init__(
        self, player: Player, side: str, *, effect: str | None, picked: bool, captain: bool, **kwargs: Any
    ) -> None:
        app = App.get_running_app()
        theme, tone = app.theme, app.theme.sides[side]
        name = short_name(player.card.name)
        super().__init__(text=name, size_hint=(None, None), **kwargs)
        ink = "laiton_encre" if picked else "craie"
        self.fill = theme.laiton if picked else tone.panel
        self.line = theme.laiton if picked or effect is not None else tone.main
        self.line_width, self.dash = (3, 5) if effect is not None else (2, 0)
        column = BoxLayout(
            orientation="vertical",
            padding=(dp(7 if theme.roomy else 5), dp(3), dp(3), dp(3)),
            pos_hint={"x": 0, "y": 0},
        )
        share = 1.0 if theme.roomy or effect is None else 0.6
        column.add_widget(Name(name, halign="left", tone=ink, leading=0.9, size_hint=(1, share)))
        if player.status == "injured_off":
            column.add_widget(Text(app.say("app.lineup.injured"), kind="mini", flow="box", halign="left", tone=ink))
        elif theme.roomy or effect is None:
            line = BoxLayout()
            mark = worth(player, "laiton_encre" if picked else "craie2")
            mark.pos_hint = {"center_y": 0.5}
            line.add_widget(mark)
            column.add_widget(line)
        if effect is not None:
            column.add_widget(Name(effect, kinds=["mini"], halign="left", tone="laiton", leading=0.85))
        self.add_widget(column)
        if captain:
            badge = Framed(size_hint=(None, None), size=(dp(22), dp(22)), radius=6, fill=theme.craie)
            letter = Head(app.say("app.lineup.captain_letter"), kind="mini", flow="box", halign="center", tone="encre")
            self.bind(pos=lambda *_: self._pin(badge, letter), size=lambda *_: self._pin(badge, letter))
            self.add_widget(badge)
            self.add_widget(letter)

    def _pin(self, badge: Framed, letter: Head) -> None:
        badge.pos = (self.x + self.width - dp(13), self.y + self.height - dp(11))
        letter.size_hint, letter.size, letter.pos = (None, None), badge.size, badge.pos


class BenchRow(Tap, Framed, BoxLayout):
    """A player who could come on. `shown` is for whoever made it to remember what it shows."""

    text = StringProperty("")
    shown: Any = None

    def __init__(self, player: Player, side: str, *, picked: bool, comes: bool, **kwargs: Any) -> None:
        app = App.get_running_app()
        theme, tone = app.theme, app.theme.sides[side]
        name = short_name(player.card.name)
        super().__init__(text=name, size_hint_y=None, height=dp(52), padding=(dp(10), dp(3)), spacing=dp(6), **kwargs)
        ink = "laiton_encre" if picked else "craie"
        clear: RGBA = (0.0, 0.0, 0.0, 0.0)
        self.fill = theme.laiton if picked else clear
        self.line = theme.laiton if picked or comes else faded(tone.main, 0.6)
        self.dash = 5 if comes and not picked else 0
        words = BoxLayout(orientation="vertical")
        words.add_widget(Name(name, halign="left", tone=ink))
        quiet = ink if picked else "craie2"
        posts = self._posts(player)
        words.add_widget(Name(posts, kinds=["mini"], strong=False, halign="left", tone=quiet, leading=0.95))
        self.add_widget(words)
        mark = worth(player, ink, strong=True)
        mark.pos_hint = {"center_y": 0.5}
        self.add_widget(mark)

    def _posts(self, player: Player) -> str:
        app = App.get_running_app()
        posts = [word("post", post) for post in player.card.posts]
        text: str = app.text(posts[0])
        if len(posts) > 1:
            text = app.text(Message("app.lineup.or", {"first": posts[0], "second": posts[1]}))
        if app.theme.roomy and player.card.strength and player.card.strength != "versatile":
            text += ", " + app.text(word("strength", player.card.strength)).lower()
        return text
