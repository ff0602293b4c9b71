"""The dark bar of screen 17: menu, tournament, stage, and how the link to the hub stands."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kivy.app import App
from kivy.clock import Clock
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.figures.words import say, text
from companion.app.screens.tournament_sheets import qr_sheet
from companion.app.widgets.framed import Framed
from companion.app.widgets.marks import Icon
from companion.app.widgets.push import Push
from companion.app.widgets.text import Head, Name, Text
from companion.table.hub_port import HubLook
from companion.table.tournament_desk import Standing


class TournamentBar(Framed, BoxLayout):
    """One line, or two where that has no room."""

    def __init__(self, standing: Standing, menu: Callable[[], object], **kwargs: Any) -> None:
        app = App.get_running_app()
        super().__init__(padding=(dp(8), dp(2), dp(4), dp(2)), spacing=dp(8), radius=0, **kwargs)
        self.fill = app.theme.nuit
        look = standing.look
        self._menu = Push("", icon="menu", icon_side=28, look="quiet", spoken=say("app.table.menu"), size_hint_x=None)
        self._menu.width = dp(52)
        self._menu.bind(on_tap=lambda *_: menu())
        self._name = look.tournament or say("app.tournament.title")
        self._sub = stage_words(standing)
        self._said, self._warns = link_words(look)
        self._icon = Icon("wifi" if look.link.online else "wifi_off", tone="laiton" if self._warns else "craie2")
        self._qr: Push | None = None
        if look.address or look.pages:
            self._qr = Push(say("app.tournament.qr"), icon="phone", look="quiet", hug=True, pad=8, size_hint_x=None)
            self._qr.spoken = say("app.tournament.qr.title")
            self._qr.bind(on_tap=lambda *_: app.lay(qr_sheet(standing)))
        self._fill_soon = Clock.create_trigger(self._fill, -1)
        self.fbind("width", self._fill_soon)
        if self._qr is not None:
            self._qr.fbind("width", self._fill_soon)
        self._fill_soon()

    def _fill(self, *_: object) -> None:
        """All of it on one line where it fits; else without the stage; else what matters most under the name."""
        title = Head(self._name, kind="titre", flow="line")
        sub = Text(self._sub, flow="line", tone="craie2")
        said = Text(self._said, flow="line", tone="laiton" if self._warns else "craie2")
        for label in (title, sub, said):
            label.texture_update()
            label.size = label.texture_size
        ends = [self._icon, *([self._qr] if self._qr is not None else [])]
        lines = ([title, sub, said], [title, said])
        fits = next((line for line in lines if self._needs([*line, self._menu, *ends]) <= self.width), None)
        self.clear_widgets()
        if fits is None:
            pieces = [self._menu, self._stacked(), *ends]
        else:
            pieces = [self._menu, title, *([sub] if sub in fits else []), Widget(), self._icon, said, *ends[1:]]
        for piece in pieces:
            if isinstance(piece, (Icon, Text)):
                piece.pos_hint = {"center_y": 0.5}
            self.add_widget(piece)

    def _stacked(self) -> BoxLayout:
        """The name over the state of the link, or over the stage while that is well."""
        box = BoxLayout(orientation="vertical")
        box.add_widget(Name(self._name, kinds=["bouton", "corps", "mini"], halign="left", size_hint_y=1.3))
        under = self._said if self._warns or not self._sub else self._sub
        tone = "laiton" if self._warns else "craie2"
        box.add_widget(Name(under, kinds=["mini"], halign="left", tone=tone, plain=True, strong=False))
        return box

    def _needs(self, pieces: list[Any]) -> float:
        shown = [piece for piece in pieces if piece.width > 0]
        return sum(float(piece.width) for piece in shown) + dp(12) + dp(8) * (len(shown) + 1)


def stage_words(standing: Standing) -> str:
    """The round of this table's match; without one, that there is none."""
    if standing.match is not None:
        return text(standing.match.title)
    return say("app.tournament.no_match")


def link_words(look: HubLook) -> tuple[str, bool]:
    """How the link stands, and whether that should be noticed."""
    moment = App.get_running_app().kiosk.moment
    link = look.link
    if link.trouble is not None:
        return say("app.tournament.link.trouble"), True
    if not link.online:
        if link.since is None:
            return say("app.tournament.link.never"), True
        return say("app.tournament.link.off", since=moment(link.since)), True
    return (say("app.tournament.link.on", at=moment(look.told)) if look.told else ""), False
