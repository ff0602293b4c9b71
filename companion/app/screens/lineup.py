"""Screen 13: the line-up editor, for the team sheet before a match and for changes during it."""

from __future__ import annotations

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout

from companion.app.lineup.draft import Draft
from companion.app.lineup.filling import Spot
from companion.app.lineup.pitch import Pitch
from companion.app.lineup.tokens import BenchRow
from companion.app.page import Page, load_kv
from companion.app.widgets.choosing import Entry, list_sheet
from companion.app.widgets.marks import Icon, SideBadge
from companion.app.widgets.pieces import Card, Chip, Scroller
from companion.app.widgets.push import Push
from companion.app.widgets.text import Head, Name, Text
from companion.games.base import Refusal
from companion.games.footclub.tables import FORMATIONS, Formation
from companion.games.footclub.team import written
from companion.games.footclub.words import short_name
from companion.table.session import Session, StaleTap

load_kv(__file__)


class LineupPage(Page):
    """`args`: `session` and `side`. What is begun stays in the memory of the place until it is recorded."""

    def build(self) -> None:
        self._session: Session = self.place.args["session"]
        self._side: str = self.place.args["side"]
        club = self._session.state.club(self._side)
        if self.memory.get("sequence") != self._session.sequence:
            draft = Draft.sheet(club) if club.lineup is None else Draft.change(club)
            self.memory.update(sequence=self._session.sequence, draft=draft)
        draft = self.memory["draft"]
        self._head(draft)
        if draft is None:
            self.ids.body.add_widget(Text(self.app.say("app.lineup.short"), flow="box", halign="center"))
            return
        self._draft: Draft = draft
        self._pitch = Pitch(draft, self._pitch_tapped)
        self._info = Card(side=self._side, radius=0, padding=(dp(12), dp(8)), spacing=dp(6))
        if self.portrait:
            self._info.size_hint_y, self._info.height = None, dp(330)
        else:
            self._info.size_hint_x, self._info.width = None, dp(272)
        self.ids.body.add_widget(self._pitch)
        self.ids.body.add_widget(self._info)
        self._show_info()

    # The bar

    def _head(self, draft: Draft | None) -> None:
        bar = self.ids.bar
        bar.mark(SideBadge(colour=self._side, letter=self.app.say(f"app.letter.{self._side}"), side=32))
        name = self._session.header["sides"][self._side]["name"]
        kind = "sheet" if draft is None or draft.before is None else "change"
        if not self.portrait and self.app.theme.roomy:
            bar.title = self.app.say(f"app.lineup.title.{kind}", club=name)
        if draft is None:
            return
        box = Card(orientation="horizontal", surface="creux", size_hint_x=None)
        for icon, step in (("left", -1), ("right", 1)):
            push = Push("", icon=icon, look="quiet", spoken=self.app.say(f"app.lineup.formation.{icon}"))
            push.size_hint_x, push.width = None, dp(48)
            push.bind(on_tap=lambda _, step=step: self._step(step))
            box.add_widget(push)
        self._formation = Push(written(draft.formation), look="quiet", hug=True, pad=4, size_hint_x=None)
        self._formation.kind = "titre" if self.app.theme.roomy else "corps"
        self._formation.bind(on_tap=lambda *_: self._list())
        box.add_widget(self._formation, index=1)
        self._formation.bind(width=lambda *_: setattr(box, "width", self._formation.width + dp(96)))
        bar.at_end(box)
        self._valid = Push(self.app.say("app.lineup.validate"), look="chalk", hug=True, pad=16, size_hint_x=None)
        self._valid.bind(on_tap=lambda *_: self._validate())
        bar.at_end(self._valid)

    def _step(self, step: int) -> None:
        choices = self._draft.formations()
        at = choices.index(self._draft.formation) if self._draft.formation in choices else 0
        self._reform(choices[(at + step) % len(choices)])

    def _list(self) -> None:
        offered = self._draft.formations()
        entries = [self._formation_entry(formation, formation in offered) for formation in sorted(FORMATIONS)]
        self.app.lay(
            list_sheet(
                self.app.say("app.lineup.formations"),
                entries,
                cols=4 - self.portrait * (1 + (not self.app.theme.roomy)),
                height=54,
            )
        )

    def _formation_entry(self, formation: Formation, offered: bool) -> Entry:
        barred = "" if offered else self.app.say("app.lineup.cannot", formation=written(formation))
        return Entry(
            written(formation),
            lambda: self._reform(formation),
            barred=barred,
            on=formation == self._draft.formation,
        )

    def _reform(self, formation: Formation) -> None:
        self._draft.reform(formation)
        self._formation.text = written(self._draft.formation)
        self._show()

    # Taps on players

    def _pitch_tapped(self, spot: Spot) -> None:
        draft = self._draft
        id = draft.placed[spot]
        if draft.goes(spot):
            draft.move(spot)
        elif draft.picked == id:
            self._lead(id)
        else:
            draft.picked = id
        self._show()

    def _lead(self, id: str) -> None:
        draft = self._draft
        draft.picked = None
        if draft.before is not None and draft.captain in draft.placed.values() and draft.captain != id:
            self.app.sorry(self.app.say("app.lineup.armband_stays"))
        elif draft.can_lead(id):
            draft.lead(id)
        else:
            self.app.sorry(self.app.say("app.lineup.no_captain", player=self._draft.club.players[id].card.name))

    def _bench_tapped(self, id: str) -> None:
        draft = self._draft
        if draft.comes(id):
            spot = next(spot for spot, other in draft.placed.items() if other == draft.picked)
            draft.picked = id
            draft.move(spot)
        else:
            draft.pick(id)
        self._show()

    # What is seen

    def _show(self) -> None:
        self._pitch.show()
        self._show_info()

    def _show_info(self) -> None:
        kept = getattr(self, "_scroller", None)
        scrolled = kept.scroll_y if kept is not None else 1.0
        self._info.clear_widgets()
        self._info.add_widget(self._sums())
        if self.app.theme.roomy:
            self._info.add_widget(self._profiles())
            self._info.add_widget(self._staff())
        picked = self._draft.picked
        if picked is None:
            words = self.app.say("app.lineup.bench")
        else:
            name = short_name(self._draft.club.players[picked].card.name)
            on_pitch = picked in self._draft.placed.values()
            words = self.app.say("app.lineup.with_whom" if on_pitch else "app.lineup.for_whom", player=name)
        self._info.add_widget(Head(words, kind="mini", tone="craie2", halign="left"))
        grid = GridLayout(cols=2 if self.portrait else 1, spacing=dp(5), size_hint_y=None, padding=(0, 0, dp(8), 0))
        grid.bind(minimum_height=grid.setter("height"))
        for id in self._draft.bench:
            row = BenchRow(self._draft.club.players[id], self._side, picked=picked == id, comes=self._draft.comes(id))
            row.bind(on_tap=lambda _, id=id: self._bench_tapped(id))
            grid.add_widget(row)
        self._scroller = Scroller(scroll_y=scrolled)
        self._scroller.add_widget(grid)
        self._info.add_widget(self._scroller)
        self._valid.look = "chalk" if self._refusal() is None else "dashed"

    def _sums(self) -> BoxLayout:
        theme = self.app.theme
        attack, defence, optimised = self._draft.sums()
        large = theme.text / 100
        line = BoxLayout(size_hint_y=None, height=dp(56) * large, spacing=dp(10))
        for name, value in (("ATT", attack), ("DEF", defence)):
            column = BoxLayout(orientation="vertical", size_hint_x=None, width=dp(44) * large)
            column.add_widget(
                Text(name, kind="mini", tone="craie2", flow="box", halign="left", size_hint_y=0.5, leading=1.0)
            )
            column.add_widget(Head(str(value), kind="grand", flow="box", halign="left", leading=0.9))
            line.add_widget(column)
        words = self.app.say("app.lineup.optimised" if optimised else "app.lineup.not_optimised")
        line.add_widget(Name(words, tone=self._side if optimised else "craie3", halign="right"))
        if optimised:
            line.add_widget(Icon("check", side=22, tone=self._side, weight=1.3, pos_hint={"center_y": 0.5}))
        return line

    def _profiles(self) -> BoxLayout:
        line = BoxLayout(size_hint_y=None, height=dp(26), spacing=dp(6))
        for name, have, want in self._draft.profiles():
            tone = "craie" if have == want else "laiton"
            line.add_widget(Chip(self.app.say(f"app.profile.{name}.short"), f"{have}/{want}", tone, kind="mini"))
        return line

    def _staff(self) -> Text:
        club = self._draft.club
        goalkeeper, coach = club.goalkeeper, club.coach
        sentence = self.app.say(
            "app.lineup.staff",
            goalkeeper=short_name(goalkeeper.name),
            g=goalkeeper.level,
            coach=short_name(coach.name),
            c=coach.level,
        )
        return Text(sentence, kind="mini", tone="craie2", halign="left", leading=1.0)

    # Recording

    def _refusal(self) -> Refusal | None:
        game = self._session.game
        try:
            game.decide(self._session.state, game.parse(self._draft.fields()))
        except Refusal as refusal:
            return refusal
        return None

    def _validate(self) -> None:
        refusal = self._refusal()
        if refusal is not None:
            self.app.sorry(self.app.ruled(refusal))
            return
        try:
            self._session.record(self._draft.fields(), sequence=self.memory["sequence"])
        except StaleTap:
            self.app.redraw()
            return
        self.app.room.go_back()
