"""The court of an NBA side: several substitutions at once, with what each changes, checked by the game as it goes."""

from __future__ import annotations

from typing import Any

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.floatlayout import FloatLayout
from kivy.uix.gridlayout import GridLayout
from kivy.uix.widget import Widget

from companion.app.asks.number import Steps
from companion.app.court.draft import CourtDraft
from companion.app.court.tokens import CardToken, Totals, gain
from companion.app.page import load_kv
from companion.app.screens.editor_page import EditorPage
from companion.app.widgets.chalk import ChalkLines
from companion.app.widgets.marks import SideBadge
from companion.app.widgets.pieces import Card, Scroller
from companion.app.widgets.push import Push
from companion.app.widgets.text import Head, Text
from companion.games.base import Awaits, Fields, SideScene
from companion.games.nba.awaits_actions import CourtData
from companion.games.nba.cards import PlayerCard
from companion.games.nba.tables import STATS
from companion.games.wording import short_name

load_kv(__file__)

_COURT = "M20 -10v380M508 -10v380M20 12h488M176 12v118h176V12M192 130a72 72 0 0 0 144 0M60 12v60a204 204 0 0 0 408 0V12"
_WHERE = {"pg": (0.5, 0.12), "sg": (0.19, 0.34), "sf": (0.81, 0.34), "pf": (0.22, 0.78), "c": (0.72, 0.72)}
"""Where each position stands, as fractions of the court from its lower left corner."""
_TOKEN = (164, 78)


class CourtPage(EditorPage):
    """The court, the bench, and what the changes come to."""

    def build(self) -> None:
        self._scene: SideScene = next(one for one in self.session.scene().sides if one.side == self.side)
        data = court_of(self.session.game.awaits(self.state), self.side)
        if self.memory.get("sequence") != self.session.sequence:
            self.memory.update(sequence=self.session.sequence, draft=CourtDraft(data) if data else None)
            if data and self.was is not None:
                self.memory["draft"].take(self.was)
        draft: CourtDraft | None = self.memory["draft"]
        self.ids.bar.mark(SideBadge(colour=self._scene.colour, letter=self._scene.letter, side=32))
        self.ids.bar.title = self.app.say("app.court.title", side=self._scene.name)
        if draft is None:
            self.ids.body.add_widget(Text(self.app.say("app.court.too_late"), flow="box", halign="center"))
            return
        self._draft = draft
        again = Push(self.app.say("app.court.reset"), icon="undo", look="outlined", hug=True, size_hint_x=None)
        again.bind(on_tap=lambda *_: self._reset())
        self._valid = Push(self.app.say("app.lineup.validate"), look="chalk", hug=True, pad=16, size_hint_x=None)
        self._valid.bind(on_tap=lambda *_: self.validate())
        self.ids.bar.at_end(again, self._valid)
        self._show()

    def _card(self, id: str) -> PlayerCard:
        card: PlayerCard = self.state.setup.player(id)
        return card

    # What is seen

    def _show(self) -> None:
        self.ids.body.clear_widgets()
        self.ids.body.add_widget(self._court())
        info = self._info()
        if self.portrait:
            info.size_hint_y = 0.62
        else:
            info.size_hint_x, info.width = None, dp(300)
        self.ids.body.add_widget(info)
        self._valid.look = "chalk" if self.refusal() is None else "dashed"

    def _court(self) -> FloatLayout:
        draft = self._draft
        court = FloatLayout()
        court.add_widget(
            ChalkLines(path=_COURT, view_width=528, view_height=360, strength=0.2, pos_hint={"x": 0, "y": 0})
        )
        for position, id in draft.placed.items():
            card, effect, opens = self._card(id), "", False
            if draft.picked is not None and draft.picked != id:
                opens = self._goes(position)
                effect = (
                    gain(self._card(draft.picked), card) if opens and draft.picked not in draft.placed.values() else ""
                )
            token = CardToken(
                card,
                self._scene.colour,
                place=position,
                picked=draft.picked == id,
                open_=opens,
                entered=id in draft.entered,
                effect=effect,
                size_hint=(None, None),
                size=(dp(_TOKEN[0]), dp(_TOKEN[1])),
            )
            x, y = _WHERE[position]
            token.pos_hint = {"center_x": x, "center_y": y}
            token.bind(on_tap=lambda _, position=position: self._court_tapped(position))
            court.add_widget(token)
        return court

    def _goes(self, position: str) -> bool:
        """Whether the picked card may stand there, and the one it meets on the court where it came from."""
        draft = self._draft
        picked = str(draft.picked)
        if not draft.stands(picked, position, self._card(picked).positions):
            return False
        mine = next((where for where, id in draft.placed.items() if id == picked), None)
        other = draft.placed[position]
        return mine is None or draft.stands(other, mine, self._card(other).positions)

    def _info(self) -> Card:
        draft = self._draft
        card = Card(side=self._scene.colour, radius=0, padding=(dp(12), dp(8)), spacing=dp(6))
        totals = {stat: sum(self._card(id).stat(stat) for id in draft.placed.values()) for stat in STATS}
        card.add_widget(Totals(totals))
        if draft.most_fatigue:
            card.add_widget(self._fatigue())
        card.add_widget(Head(self._question(), kind="corps", tone="craie2", halign="left"))
        grid = GridLayout(cols=2 if self.portrait else 1, spacing=dp(5), padding=(0, 0, dp(8), 0), size_hint_y=None)
        grid.bind(minimum_height=grid.setter("height"))
        for id in draft.bench:
            token = CardToken(
                self._card(id), self._scene.colour, picked=draft.picked == id, size_hint_y=None, height=dp(54)
            )
            token.bind(on_tap=lambda _, id=id: self._bench_tapped(id))
            grid.add_widget(token)
        scroller = Scroller()
        scroller.add_widget(grid)
        card.add_widget(scroller)
        return card

    def _question(self) -> str:
        picked = self._draft.picked
        if picked is None:
            return str(self.app.say("app.court.who"))
        return str(self.app.say("app.court.where", player=short_name(self._card(picked).name)))

    def _fatigue(self) -> Widget:
        draft = self._draft
        line = BoxLayout(size_hint_y=None, height=dp(58), spacing=dp(8))
        words = self.app.say("app.court.fatigue")
        line.add_widget(Text(words, flow="box", halign="left"))

        def step(by: int) -> None:
            if 0 <= draft.fatigue + by <= draft.most_fatigue:
                draft.removed = draft.fatigue + by
                self._show()

        steps = Steps(self._scene.colour, step, words, size_hint_x=None, width=dp(170))
        steps.show(draft.fatigue, draft.fatigue > 0, draft.fatigue < draft.most_fatigue)
        line.add_widget(steps)
        return line

    # Taps

    def _court_tapped(self, position: str) -> None:
        draft = self._draft
        if draft.picked is not None and draft.picked != draft.placed[position] and self._goes(position):
            draft.place(position)
        else:
            draft.pick(draft.placed[position])
        self._show()

    def _bench_tapped(self, id: str) -> None:
        draft = self._draft
        on_court = next((where for where, other in draft.placed.items() if other == draft.picked), None)
        if on_court is not None and draft.stands(id, on_court, self._card(id).positions):
            draft.picked = id
            draft.place(on_court)
        else:
            draft.pick(id)
        self._show()

    def _reset(self) -> None:
        self._draft.reset()
        self._show()

    def event(self) -> Fields:
        return self._draft.event


def court_of(awaits: Awaits, side: str) -> CourtData | None:
    """What the game gives for the editor of this side's court; None if it cannot be changed now."""
    for choice in awaits.choices:
        if choice.side != side or choice.barred is not None:
            continue
        data: Any = next((ask.data for ask in choice.asks if isinstance(ask.data, CourtData)), None)
        if data is not None:
            return data if isinstance(data, CourtData) else None
    return None
