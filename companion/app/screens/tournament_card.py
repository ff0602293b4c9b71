"""This table's match on screen 17: who plays, who is there, and the one thing to do next."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from kivy.app import App
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.figures.words import say
from companion.app.fonts import CONDENSED
from companion.app.screens.tournament_sheets import ask_confirmation, ask_presence, ask_presences, ask_referee
from companion.app.typeset import Setting, typeset
from companion.app.widgets.pieces import Card
from companion.app.widgets.push import Push
from companion.app.widgets.text import Head, Name, Text
from companion.table.hub_port import Side
from companion.table.tournament_desk import SIDES, colour_of, name_of

if TYPE_CHECKING:
    from companion.app.screens.tournament import TournamentPage

_TARGET = 56
_ACTING = ("gathering", "ready", "going", "confirming")
"""Steps at which somebody at this table has something to do."""


class MatchCard(Card):
    """As high as what stands in it."""

    def __init__(self, page: TournamentPage, **kwargs: Any) -> None:
        super().__init__(surface="nuit", padding=(dp(14), dp(10)), spacing=dp(8), size_hint_y=None, **kwargs)
        self.bind(minimum_height=self.setter("height"))
        self._page, self._standing = page, page.standing
        self._match = self._standing.match
        theme = App.get_running_app().theme
        self._scale = theme.text / 100
        acting = self._standing.step in _ACTING
        self.line, self.line_width = (theme.laiton, 3) if acting else (theme.bord, 2)
        self.add_widget(self._head("laiton" if acting else "craie2"))
        for line in self._names():
            self.add_widget(line)
        for piece in {
            "gathering": self._presence,
            "ready": self._start,
            "going": self._going,
            "confirming": self._confirming,
            "confirmed": self._done,
            "sent": self._done,
            "review": self._done,
        }[self._standing.step]():
            self.add_widget(piece)

    # The pieces

    def _head(self, tone: str) -> BoxLayout:
        look, match = self._standing.look, self._match
        line = BoxLayout(size_hint_y=None, height=dp(24 * self._scale), spacing=dp(8))
        words = say(f"app.tournament.step.{self._standing.step}")
        if look.table is not None:
            words = say("app.tournament.table_step", n=look.table, step=words)
        line.add_widget(Name(words, kinds=["corps", "mini"], tone=tone, halign="left"))
        if match is not None and match.called is not None and self._standing.step in ("gathering", "ready"):
            at = Head(App.get_running_app().kiosk.moment(match.called), kind="corps", tone=tone, flow="line")
            at.pos_hint = {"center_y": 0.5}
            line.add_widget(at)
        return line

    def _names(self) -> list[BoxLayout]:
        """Beside each other where both fit in large letters, else one under the other."""
        home, away = (self._match.home, self._match.away) if self._match is not None else ("", "")
        scored = self._standing.played is not None
        between = f"{self._standing.score('home')} – {self._standing.score('away')}" if scored else ""
        room = self._room() - _wide(between or say("app.tournament.against"), "titre") - dp(16)
        if max(_wide(home, "bouton"), _wide(away, "bouton")) <= room / 2 and _wide(home + away, "bouton") <= room:
            line = BoxLayout(size_hint_y=None, height=dp(36 * self._scale), spacing=dp(8))
            middle: Text = (
                Head(between, kind="titre", flow="line")
                if scored
                else Text(say("app.tournament.against"), flow="line", tone="craie2")
            )
            middle.pos_hint = {"center_y": 0.5}
            share = _wide(home, "titre") / max(1.0, _wide(home + away, "titre"))
            for piece in (
                Name(home, kinds=["titre", "bouton"], halign="left", size_hint_x=share),
                middle,
                Name(away, kinds=["titre", "bouton"], halign="right", size_hint_x=1 - share),
            ):
                line.add_widget(piece)
            return [line]
        return [self._named(name, side, scored) for name, side in ((home, SIDES[0]), (away, SIDES[1]))]

    def _named(self, name: str, side: Side, scored: bool) -> BoxLayout:
        line = BoxLayout(size_hint_y=None, height=dp(32 * self._scale), spacing=dp(8))
        line.add_widget(Name(name, kinds=["titre", "bouton", "corps", "mini"], halign="left", initials=True))
        if scored:
            line.add_widget(Head(str(self._standing.score(side)), kind="titre", flow="line"))
        return line

    def _presence(self) -> list[Widget]:
        match = self._match
        present = match.present if match is not None else frozenset()
        return [self._pair({side: side in present for side in SIDES}, partial(ask_presence, self._page))]

    def _start(self) -> list[Widget]:
        line = BoxLayout(size_hint_y=None, height=dp(_TARGET), spacing=dp(8))
        start = Push(say("app.tournament.begin"), icon="play", look="chalk", kind="titre", icon_side=26)
        start.bind(on_tap=lambda *_: self._page.begin())
        who = Push("", icon="users", look="outlined", spoken=say("app.tournament.presence"), size_hint_x=None)
        who.width = dp(60)
        who.bind(on_tap=lambda *_: ask_presences(self._page))
        for piece in (start, who):
            line.add_widget(piece)
        return [line]

    def _going(self) -> list[Widget]:
        resume = Push(say("app.home.resume"), icon="play", look="chalk", kind="titre", icon_side=26)
        resume.size_hint_y, resume.height = None, dp(_TARGET)
        resume.bind(on_tap=lambda *_: self._page.resume())
        return [resume]

    def _confirming(self) -> list[Widget]:
        match = self._match
        if match is None:
            return []
        given = match.confirmed
        pieces: list[Widget] = [
            self._pair({side: side in given for side in SIDES}, partial(ask_confirmation, self._page)),
        ]
        line = BoxLayout(size_hint_y=None, height=dp(_TARGET), spacing=dp(8))
        if match.referee:
            there = "referee" in given
            words = say("app.tournament.referee")
            words = words if there else say("app.tournament.asked", name=words)
            referee = Push(words, icon="check" if there else "gavel", look="chalk" if there else "todo", pad=6)
            referee.bind(on_tap=lambda *_: ask_referee(self._page))
            line.add_widget(referee)
        review = Push(say("app.tournament.look_back"), icon="list", look="outlined", pad=6, kind="corps")
        review.bind(on_tap=lambda *_: self._page.resume())
        line.add_widget(review)
        pieces.append(line)
        return pieces

    def _done(self) -> list[Widget]:
        words = Text(say(f"app.tournament.done.{self._standing.step}"), tone="craie2", halign="left")
        if self._standing.played is None:
            return [words]
        review = Push(say("app.tournament.look_back"), icon="list", look="outlined", kind="corps")
        review.size_hint_y, review.height = None, dp(_TARGET)
        review.bind(on_tap=lambda *_: self._page.resume())
        return [words, review]

    # Both sides

    def _pair(self, there: dict[Side, bool], act: Any) -> BoxLayout:
        """A target for each side; one under the other, each a whole row, where a name is long."""
        match = self._match
        box = BoxLayout(spacing=dp(8), size_hint_y=None, height=dp(_TARGET))
        names = {side: name_of(match, side) for side in SIDES} if match is not None else {}
        words = {side: name if there[side] else say("app.tournament.asked", name=name) for side, name in names.items()}
        room, kind = (self._room() - dp(8)) / 2 - dp(12), "bouton"
        if max(self._taken(name, kind) for name in names.values()) > room:
            kind = "corps"
        if max(self._taken(name, kind) for name in names.values()) > room:
            high, kind = max(_TARGET, 30 * self._scale + 8), "bouton"
            box.orientation, box.height = "vertical", dp(2 * high + 8)
        for side in SIDES:
            push = Push(words[side], side=colour_of(match, side) if match else "blue", pad=6, kind=kind, icon_side=20)
            push.look, push.icon = ("side", "check") if there[side] else ("side_outlined", "")
            push.bind(on_tap=lambda _, side=side: act(side))
            box.add_widget(push)
        return box

    @staticmethod
    def _taken(name: str, kind: str) -> float:
        """The room of a name on a target, whether it stands as a question or with a tick."""
        return max(_wide(name, kind) + dp(30), _wide(say("app.tournament.asked", name=name), kind))

    def _room(self) -> float:
        """The width within the card, known before it is laid out."""
        app = App.get_running_app()
        from companion.app.screens.tournament import RIGHT

        return (app.room.width if app.portrait else dp(RIGHT)) - dp(32 + 28)


def _wide(words: str, kind: str) -> float:
    """How wide bold condensed words are on one line."""
    size = int(App.get_running_app().theme.type(kind))
    return float(typeset(Setting(words, CONDENSED, size, bold=True)).texture.width) if words.strip() else 0.0
