"""Screen 03: a FootClub match being prepared: clubs, home, kop, format; then team sheets and tactical choices.

Up to the first team sheet the choices live in the memory of the place. From there on the match exists: its header is
in the journal, and whatever is done next is recorded at once, so that a restart comes back here with all of it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from kivy.app import App
from kivy.graphics import Color, Rectangle
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.club_choice import Found, cards, clubs
from companion.app.page import Page, load_kv
from companion.app.widgets.choosing import Entry, list_sheet
from companion.app.widgets.marks import SideBadge
from companion.app.widgets.naming import naming_sheet
from companion.app.widgets.pieces import Card, Segments
from companion.app.widgets.push import Push
from companion.app.widgets.text import Text
from companion.games.base import Ask, Refusal
from companion.games.footclub.tables import SIDES
from companion.games.footclub.team import attack, defence, written
from companion.table.session import Session, StorageTrouble
from companion.table.squads import Club, header

load_kv(__file__)

FORMATS = ("single", "league")


class ClubPanel(Card):
    """One side's column, its edge in the side's colour."""

    def __init__(self, side: str, right: bool, **kwargs: Any) -> None:
        tall = App.get_running_app().portrait
        super().__init__(side=side, radius=0, spacing=dp(6 if tall else 8), **kwargs)
        self.padding = (dp(10), dp(6), dp(16), dp(6)) if right else (dp(16), dp(6), dp(10), dp(6))
        self._right = right
        self.bind(pos=self._edge, size=self._edge)

    def _edge(self, *_: object) -> None:
        self.canvas.after.clear()
        width = dp(6)
        with self.canvas.after:
            Color(*App.get_running_app().theme.tone(self.side))
            Rectangle(pos=(self.right - width if self._right else self.x, self.y), size=(width, self.height))


class ClubsPage(Page):
    """`args`: `session` once the match exists."""

    def build(self) -> None:
        self._session: Session | None = self.place.args.get("session")
        if not self.memory:
            self.memory.update(clubs={}, home="blue", kop="K01", format="single")
        bar = self.ids.bar
        bar.title = self.app.say("app.clubs.title" if not self.portrait else "app.game.footclub")
        if self.app.theme.roomy:
            bar.sub = self.app.say("app.step", step=2 if self._session is None else 3, steps=3)
        missing = self._missing()
        kick = Push(self.app.say("app.clubs.kick_off"), end="right", hug=True, pad=16, size_hint_x=None)
        kick.look = "dashed" if missing else "chalk"
        kick.bind(on_tap=lambda *_: self._kick_off())
        bar.at_end(kick)
        left, right = reversed(SIDES) if self.app.preferences.swapped else SIDES
        body: BoxLayout = self.ids.body
        body.add_widget(self._panel(left, right=False))
        body.add_widget(self._swap())
        body.add_widget(self._panel(right, right=not self.portrait))
        self._options()

    # What is known

    def _name(self, side: str) -> str:
        if self._session is not None:
            return str(self._session.header["sides"][side]["name"])
        club: Club | None = self.memory["clubs"].get(side)
        return club.name if club else self.app.say(f"app.side.{side}")

    def _setup(self, key: str) -> Any:
        return self._session.header["setup"][key] if self._session is not None else self.memory[key]

    def _missing(self) -> list[str]:
        """What stands between the players and the kick-off, in sentences."""
        say = self.app.say
        missing = []
        for side in SIDES:
            if self._session is None:
                if side not in self.memory["clubs"]:
                    missing.append(say("app.clubs.missing.squad", club=self._name(side)))
                    continue
                undone = ["sheet", "tactics"]
            else:
                club = self._session.state.club(side)
                undone = ["sheet"] * (club.lineup is None) + ["tactics"] * (club.tactics_known is None)
            missing += [say(f"app.clubs.missing.{what}", club=self._name(side)) for what in undone]
        return missing

    # The two clubs

    def _panel(self, side: str, right: bool) -> ClubPanel:
        say = self.app.say
        panel = ClubPanel(side, right)
        name = Push(self._name(side), look="quiet", kind="titre", left=True, pad=4, end="edit", end_tone=side)
        name.mark(SideBadge(colour=side, letter=say(f"app.letter.{side}"), side=34))
        name.spoken = say("app.clubs.rename", club=self._name(side))
        name.size_hint_y, name.height = None, dp(48 if self.portrait else 52)
        name.bind(on_tap=lambda *_: self._rename(side))
        panel.add_widget(name)
        panel.add_widget(self._squad_row(side))
        panel.add_widget(self._sheet_row(side))
        panel.add_widget(self._tactics_row(side))
        panel.add_widget(Widget())
        return panel

    def _row(self, side: str, what: str, icon: str, detail: str, done: bool) -> Push:
        row = Push(
            self.app.say(f"app.clubs.{what}"), detail=detail if self.app.theme.roomy or not done else "", icon=icon
        )
        row.left, row.icon_side, row.side = True, 26, side
        row.look, row.end, row.end_tone = ("side_thin", "check", side) if done else ("todo", "right", side)
        row.size_hint_y, row.height = None, dp(54 if self.portrait else 56)
        row.spoken = f"{self._name(side)} {row.text}"
        return row

    def _squad_row(self, side: str) -> Push:
        say = self.app.say
        known = self._session is not None or side in self.memory["clubs"]
        if self._session is not None:
            squad = self._session.header["setup"].get("squads", {}).get(side)
            detail = (
                say("app.clubs.squad_of", n=len(squad["players"]) + 2, coach=squad["coach"].get("name", ""))
                if squad
                else ""
            )
        elif known:
            club: Club = self.memory["clubs"][side]
            detail = say("app.clubs.squad_of", n=cards(club), coach=club.squad["coach"].get("name", ""))
        else:
            detail = say("app.clubs.squad_todo")
        row = self._row(side, "squad", "users", detail, known)
        row.bind(on_tap=lambda *_: self._choose_club(side))
        return row

    def _sheet_row(self, side: str) -> Push:
        say = self.app.say
        club = self._session.state.club(side) if self._session is not None else None
        if club is not None and club.lineup is not None:
            detail = f"{written(club.formation)}, ATT {attack(club)}, DEF {defence(club)}"
            row = self._row(side, "sheet", "board", detail, True)
            row.bind(on_tap=lambda *_: self._settled())
        else:
            row = self._row(side, "sheet", "board", say("app.clubs.sheet_todo"), False)
            row.bind(on_tap=lambda *_: self._go("lineup", side))
        return row

    def _tactics_row(self, side: str) -> Push:
        say = self.app.say
        known = self._session.state.club(side).tactics_known if self._session is not None else None
        if known is None:
            row = self._row(side, "tactics", "lock", say("app.clubs.tactics_todo"), False)
            row.bind(on_tap=lambda *_: self._go("tactics", side))
        else:
            detail = say("app.clubs.tactics_known" if known else "app.clubs.tactics_secret")
            row = self._row(side, "tactics", "lock", detail, True)
            row.bind(on_tap=lambda *_: self._settled())
        return row

    def _swap(self) -> BoxLayout:
        tall = self.portrait
        box = BoxLayout(size_hint=(1, None) if tall else (None, 1), padding=dp(4))
        push = Push(self.app.say("app.clubs.places"), icon="swap", icon_side=28, kind="mini", stacked=not tall, pad=2)
        if tall:
            box.height, push.size_hint_x, push.width = dp(56), None, dp(160)
            push.kind, push.pos_hint = "bouton", {"center_x": 0.5}
        else:
            box.width = dp(64) * self.app.theme.text / 100
            push.size_hint_y, push.height, push.pos_hint = None, dp(96), {"center_y": 0.5}
        push.bind(on_tap=lambda *_: self.app.swap())
        if tall:
            box.add_widget(Widget())
        box.add_widget(push)
        if tall:
            box.add_widget(Widget())
        return box

    # Home, kop, format

    def _options(self) -> None:
        say = self.app.say
        homes = [(side, say("app.clubs.home", club=self._name(side))) for side in SIDES]
        kops = [(kop, say(f"app.clubs.kop.{kop}")) for kop in ("K01", "K02")]
        formats = [(format, say(f"app.clubs.format.{format}")) for format in FORMATS]
        for name, options in (("home", homes), ("kop", kops), ("format", formats)):
            line = BoxLayout(spacing=dp(10), size_hint_y=None, height=dp(58))
            if not (self.portrait and not self.app.theme.roomy):
                words = Text(say(f"app.clubs.option.{name}"), flow="box", halign="left", size_hint_x=None, width=dp(84))
                line.add_widget(words)
            line.add_widget(Segments(options, self._setup(name), self._chooser(name), kind="corps"))
            self._option_row(name).add_widget(line)

    def _option_row(self, name: str) -> BoxLayout:
        if self.portrait or name == "home":
            row: BoxLayout = self.ids.options
            return row
        if "last_row" not in self.__dict__:
            self.last_row = BoxLayout(spacing=dp(16), size_hint_y=None, height=dp(58))
            self.ids.options.add_widget(self.last_row)
        return self.last_row

    def _chooser(self, name: str) -> Any:
        def choose(value: Any) -> None:
            if value == self._setup(name):
                return
            if self._session is not None:
                self._settled()
                return
            self.memory[name] = value
            self.app.redraw()

        return choose

    # What taps do

    def _choose_club(self, side: str) -> None:
        if self._session is not None:
            self._settled()
            return
        entries = [self._entry(found, side) for found in clubs(self.app.squads)]
        self.app.lay(list_sheet(self.app.say("app.clubs.choose", side=self.app.say(f"app.side.{side}")), entries))

    def _entry(self, found: Found, side: str) -> Entry:
        say, club = self.app.say, found.club
        if club is None:
            reason = self.app.text(found.fault) if found.fault else found.file
            return Entry(found.name, lambda: None, detail=say("app.clubs.faulty"), icon="alert", barred=reason)
        coach = club.squad["coach"].get("name", "")
        detail = say("app.clubs.squad_of", n=cards(club), coach=coach)
        other = self.memory["clubs"].get("red" if side == "blue" else "blue")
        barred = ""
        if other is not None:
            try:
                header(club, other)
            except Refusal as refusal:
                barred = self.app.ruled(refusal)
        return Entry(club.name, lambda: self._take(side, club), detail=detail, icon="users", barred=barred)

    def _take(self, side: str, club: Club) -> None:
        self.memory["clubs"][side] = club
        self.app.redraw()

    def _rename(self, side: str) -> None:
        if self._session is not None:
            self._settled()
        elif side not in self.memory["clubs"]:
            self._choose_club(side)
        else:
            self.app.lay(
                naming_sheet(self.app.say("app.clubs.name"), self._name(side), lambda name: self._named(side, name))
            )

    def _named(self, side: str, name: str) -> None:
        self._take(side, replace(self.memory["clubs"][side], name=name))

    def _settled(self) -> None:
        """The journal has it: says so, and how to begin again."""
        self.app.sorry(self.app.say("app.clubs.settled"))

    def _begin(self) -> Session | None:
        """The match itself, made from what was chosen the first time it is needed; None when something is missing."""
        if self._session is not None:
            return self._session
        chosen = self.memory["clubs"]
        if len(chosen) < len(SIDES):
            self.app.sorry("\n".join(self._missing()))
            return None
        try:
            made = header(chosen["blue"], chosen["red"], self.memory["home"], self.memory["kop"], self.memory["format"])
            session: Session = self.app.begin("footclub", made)
        except Refusal as refusal:
            self.app.sorry(self.app.ruled(refusal))
            return None
        except StorageTrouble as trouble:
            self.app.sorry(self.app.text(trouble.message))
            return None
        self.place.args["session"] = session
        return session

    def _go(self, page: str, side: str) -> None:
        session = self._begin()
        if session is None:
            return
        if page == "lineup":
            self.app.open("lineup", session=session, side=side)
            return
        ask = tactics_ask(session, side)
        if ask is not None:
            self.app.open("tactics", session=session, side=side, ask=ask)

    def _kick_off(self) -> None:
        missing = self._missing()
        if missing:
            self.app.sorry("\n".join(missing))
        else:
            self.app.room.go_home_to("table", session=self._session)

    def back(self) -> bool:
        if self._session is not None:
            self.app.home()
            return True
        return False


def tactics_ask(session: Session, side: str) -> Ask | None:
    """The game's ask for this side's tactical choice, None if it is not due."""
    for choice in session.awaits().choices:
        if choice.event.get("event") == "tactics" and choice.side == side:
            return next((ask for ask in choice.asks if ask.kind == "counts"), None)
    return None
