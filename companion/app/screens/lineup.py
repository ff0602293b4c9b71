"""Screen 13: the line-up editor, for the team sheet before a match and for changes during it."""

from __future__ import annotations

from kivy.metrics import dp

from companion.app.lineup.draft import Draft
from companion.app.lineup.filling import Spot
from companion.app.lineup.info import InfoPanel
from companion.app.lineup.pitch import Pitch
from companion.app.lineup.reckoning import event
from companion.app.page import load_kv
from companion.app.screens.editor_page import EditorPage
from companion.app.widgets.choosing import Entry, list_sheet
from companion.app.widgets.marks import SideBadge
from companion.app.widgets.pieces import Card
from companion.app.widgets.push import Push
from companion.app.widgets.text import Text
from companion.games.base import Fields
from companion.games.footclub.tables import FORMATIONS, Formation
from companion.games.footclub.team import written

load_kv(__file__)


class LineupPage(EditorPage):
    """The team sheet before a match, or changes during it."""

    def build(self) -> None:
        club = self.state.club(self.side)
        if self.memory.get("sequence") != self.session.sequence:
            draft = Draft.sheet(club) if club.lineup is None else Draft.change(club)
            if draft is not None and self.was is not None:
                draft.take(self.was)
            self.memory.update(sequence=self.session.sequence, draft=draft)
        draft = self.memory["draft"]
        self._head(draft)
        if draft is None:
            self.ids.body.add_widget(Text(self.app.say("app.lineup.short"), flow="box", halign="center"))
            return
        self._draft: Draft = draft
        self._pitch = Pitch(draft, self._pitch_tapped)
        self._info = InfoPanel(draft, self._bench_tapped)
        if self.portrait:
            self._info.size_hint_y, self._info.height = None, dp(330)
        else:
            self._info.size_hint_x, self._info.width = None, dp(272)
        self.ids.body.add_widget(self._pitch)
        self.ids.body.add_widget(self._info)
        self._show_worth()

    # The bar

    def _head(self, draft: Draft | None) -> None:
        bar = self.ids.bar
        bar.mark(SideBadge(colour=self.side, letter=self.app.say(f"app.letter.{self.side}"), side=32))
        name = self.session.header["sides"][self.side]["name"]
        kind = "sheet" if draft is None or draft.before is None else "change"
        if not self.portrait:
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
        self._valid.bind(on_tap=lambda *_: self.validate())
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
        self._info.show()
        self._show_worth()

    def _show_worth(self) -> None:
        self._valid.look = "chalk" if self.refusal() is None else "dashed"

    def event(self) -> Fields:
        return event(self._draft)
