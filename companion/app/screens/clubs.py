"""Screen 03: a FootClub match being prepared: clubs, home, kop, format; then team sheets and tactical choices.

Up to the first team sheet the choices live in the memory of the place. From there on the match exists: its header is
in the journal, and whatever is done next is recorded at once, so that a restart comes back here with all of it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.cards.drawer import own_match_cards
from companion.app.page import Page, load_kv
from companion.app.preparing.choice import Found, clubs
from companion.app.preparing.panel import ClubPanel
from companion.app.preparing.preparation import Preparation, squad_of, tactics_ask
from companion.app.widgets.naming import naming_sheet
from companion.app.widgets.pieces import Segments
from companion.app.widgets.push import Push
from companion.app.widgets.sheet import Entry, list_sheet
from companion.app.widgets.text import Name
from companion.games.base import Refusal
from companion.games.footclub.tables import KOPS, SIDES
from companion.table.session import Session, StorageTrouble
from companion.table.squads import Club, header

load_kv(__file__)

FORMATS = ("single", "league")


class ClubsPage(Page):
    """`args`: `session` once the match exists; `decided`, what a tournament has decided of its header."""

    def build(self) -> None:
        say = self.app.say
        self._decided = self.place.args.get("decided")
        self._plan = Preparation(self.memory, self.place.args.get("session"), self._decided)
        bar = self.ids.bar
        bar.title = say("app.clubs.title" if not self.portrait else "app.game.footclub")
        if self.app.theme.roomy:
            bar.sub = say("app.step", step=2 if self._plan.session is None else 3, steps=3)
        kick = Push(say("app.clubs.kick_off"), end="right", hug=True, pad=16, size_hint_x=None)
        kick.look = "dashed" if self._plan.missing() else "chalk"
        kick.bind(on_tap=lambda *_: self._kick_off())
        bar.at_end(kick)
        left, right = reversed(SIDES) if self.app.preferences.swapped else SIDES
        for piece in (
            ClubPanel(self._plan, left, self._tapped, right=False),
            self._swap(),
            ClubPanel(self._plan, right, self._tapped, right=not self.portrait),
        ):
            self.ids.body.add_widget(piece)
        self._options()

    def back(self) -> bool:
        if self._plan.session is None or self._decided is not None:
            return False
        self.app.home()
        return True

    # What is seen between and under the two clubs

    def _swap(self) -> BoxLayout:
        tall = self.portrait
        box = BoxLayout(size_hint=(1, None) if tall else (None, 1), padding=dp(4))
        push = Push(self.app.say("app.clubs.places"), icon="swap", icon_side=28, kind="mini", stacked=not tall, pad=6)
        push.bind(on_tap=lambda *_: self._swap_sides())
        if tall:
            box.height, push.size_hint_x, push.width, push.kind = dp(56), None, dp(160), "bouton"
            for piece in (Widget(), push, Widget()):
                box.add_widget(piece)
        else:
            least = dp(64) * self.app.theme.text / 100
            box.width = least
            push.size_hint, push.height, push.pos_hint, push.hug = (None, None), dp(96), {"center_y": 0.5}, True
            push.bind(width=lambda _, wide: setattr(box, "width", max(least, wide + dp(8))))
            box.add_widget(push)
        return box

    def _options(self) -> None:
        say = self.app.say
        options: dict[str, list[tuple[str, str]]] = {
            "home": [(side, say("app.clubs.home", club=self._plan.name(side))) for side in SIDES],
            "kop": [(kop, say(f"app.clubs.kop.{kop}")) for kop in KOPS],
            "format": [(format, say(f"app.clubs.format.{format}")) for format in FORMATS],
        }
        second = BoxLayout(spacing=dp(16), size_hint_y=None, height=dp(58))
        if self._decided is not None:
            for name in options.keys() & self._decided["setup"].keys():
                value = self._plan.setup(name)
                options[name] = [choice for choice in options[name] if choice[0] == value] or [
                    (value, say(f"app.clubs.format.{value}"))
                ]
        for name, choices in options.items():
            line = BoxLayout(spacing=dp(10), size_hint_y=None, height=dp(58))
            if self.app.theme.roomy or not self.portrait:
                words = Name(say(f"app.clubs.option.{name}"), halign="left", size_hint_x=None, width=dp(84))
                words.strong = False
                line.add_widget(words)
            line.add_widget(Segments(choices, self._plan.setup(name), self._chooser(name), kind="corps"))
            row = self.ids.options if self.portrait or name == "home" else second
            row.add_widget(line)
        if not self.portrait:
            self.ids.options.add_widget(second)

    # What taps do

    def _tapped(self, what: str, side: str) -> None:
        begun = self._plan.session is not None
        if what in ("name", "squad"):
            if begun:
                self.app.sorry(self.app.say("app.clubs.settled"))
            elif what == "name" and self._decided is not None:
                self.app.sorry(self.app.say("app.tournament.decided"))
            elif what == "name" and self._plan.club(side) is not None:
                self._rename(side)
            else:
                self._choose_club(side)
        elif getattr(self._plan, what)(side).done:
            self.app.sorry(self.app.say("app.clubs.settled"))
        else:
            self._prepare(what, side)

    def _chooser(self, name: str) -> Callable[[Any], None]:
        def choose(value: Any) -> None:
            if value == self._plan.setup(name):
                return
            if self._plan.session is not None:
                self.app.sorry(self.app.say("app.clubs.settled"))
                return
            self._plan.choose(name, value)
            self.app.redraw()

        return choose

    def _swap_sides(self) -> None:
        now = self.app.preferences
        self.app.prefer(replace(now, swapped=not now.swapped))

    def _choose_club(self, side: str) -> None:
        entries = [self._entry(found, side) for found in clubs(self.app.squads)]
        self.app.lay(list_sheet(self.app.say("app.clubs.choose", side=self.app.say(f"app.side.{side}")), entries))

    def _entry(self, found: Found, side: str) -> Entry:
        club, other = found.club, self._plan.club("red" if side == "blue" else "blue")
        if club is None:
            reason = self.app.text(found.fault) if found.fault else found.file
            return Entry(found.name, lambda: None, self.app.say("app.clubs.faulty"), "alert", barred=reason)
        barred = ""
        if other is not None:
            try:
                header(club, other)
            except Refusal as refusal:
                barred = self.app.ruled(refusal)
        detail = self.app.text(squad_of(club.squad))
        return Entry(club.name, lambda: self._take(side, club), detail, "users", barred=barred)

    def _take(self, side: str, club: Club) -> None:
        self._plan.take(side, club)
        self.app.redraw()

    def _rename(self, side: str) -> None:
        club = self._plan.club(side)
        if club is not None:
            take = lambda name: self._take(side, replace(club, name=name))  # noqa: E731
            self.app.lay(naming_sheet(self.app.say("app.clubs.name"), club.name, take))

    def _prepare(self, what: str, side: str) -> None:
        session = self._begin()
        if session is None:
            return
        if what == "sheet":
            self.app.open("lineup", session=session, side=side)
            return
        ask = tactics_ask(session, side)
        if ask is not None:
            self.app.open("tactics", session=session, side=side, ask=ask)

    def _begin(self) -> Session | None:
        """The match itself, made from what was chosen the first time it is needed; None when something is missing."""
        if self._plan.session is not None:
            return self._plan.session
        try:
            made = self._plan.header(own_match_cards(self.app))
            if made is None:
                self._tell_missing()
                return None
            session: Session = self.app.begin("footclub", made)
        except Refusal as refusal:
            self.app.sorry(self.app.ruled(refusal))
            return None
        except StorageTrouble as trouble:
            self.app.sorry(self.app.text(trouble.message))
            return None
        self.place.args["session"] = session
        return session

    def _tell_missing(self) -> None:
        self.app.sorry("\n".join(self.app.text(message) for message in self._plan.missing()))

    def _kick_off(self) -> None:
        if self._plan.missing():
            self._tell_missing()
        else:
            self.app.room.go_home_to("table", session=self._plan.session)
