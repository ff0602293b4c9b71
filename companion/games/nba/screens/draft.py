"""The draft dealt by the app (NBA-9.3): five rounds, in which each side chooses from five cards that only it sees."""

from __future__ import annotations

from typing import Literal

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.page import load_kv
from companion.app.widgets.button import PushButton
from companion.app.widgets.components import Card, Grid, Scroller, VBox, fill
from companion.app.widgets.marks import SideBadge
from companion.app.widgets.secret_cover import secret_cover
from companion.app.widgets.text import BoldText, Name, Text
from companion.games.nba.market_deck import Draft, cost
from companion.games.nba.scene import SIDE_COLOURS
from companion.games.nba.screens.court import CardToken, positions_text, skills_text
from companion.games.nba.screens.preparation_page import PreparationPage
from companion.games.nba.tables import DRAFT_COMMON, MINI_MARKET_SIZE, SIDES

load_kv(__file__)

_BUTTON_TALL, _ROW_TALL = 60, 40


class DraftPage(PreparationPage):
    """The round of the side whose turn it is, covered until it is alone at the screen; at the end, the result."""

    secret = True
    """The choices on this page are never spoken."""

    def build(self) -> None:
        self._picked: list[str] = []
        draft = self.plan.draft
        if draft is None:
            self._ask_start()
        elif draft.side is None:
            self._result(draft)
        else:
            rounds = {"n": draft.round, "of": MINI_MARKET_SIZE}
            self.ids.bar.title = self.app.translate("app.nba.draft.round", **rounds)
            self.ids.bar.mark(SideBadge(colour=self._colour(draft.side), letter=self._letter(draft.side), side=32))
            self._cover(draft.side)

    def _colour(self, side: str) -> str:
        return SIDE_COLOURS[SIDES.index(side)]

    def _letter(self, side: str) -> str:
        return self.plan.settings.name(side).strip()[:1].upper()

    # Before, and after

    def _ask_start(self) -> None:
        self.ids.bar.title = self.app.translate("app.nba.draft.title")
        draft = PushButton(self.app.translate("app.nba.draft.deal"), icon="cards", style="chalk", tall=_BUTTON_TALL)
        draft.bind(on_tap=lambda *_: self._start_draft())
        text = Text(self.app.translate("app.nba.draft.rule"), halign="left")
        fill(self.ids.body, text, draft, Widget())

    def _result(self, draft: Draft) -> None:
        """Show the personal markets; the deck is on its own page."""
        translate = self.app.translate
        self.ids.bar.title = translate("app.nba.draft.title")
        again = PushButton(translate("app.nba.draft.again"), icon="undo", hug=True, act=self._start_draft)
        again.needs_long_press = True
        done = PushButton(translate("app.nba.team.done"), style="chalk", hug=True, pad=16, act=self.app.back)
        self.ids.bar.at_end(again, done)
        self.ids.body.add_widget(Text(translate("app.nba.draft.over"), halign="left"))
        cards = self.plan.cards
        columns = []
        for side in self.plan.settings.people:
            names = [BoldText(self.plan.settings.name(side), kind="bouton", halign="left")]
            for id in draft.mini(side):
                args = {"card": self.player(id).name, "cost": cost(cards, id)}
                names.append(Name(translate("app.nba.draft.card", **args), halign="left", tall=_ROW_TALL))
            columns.append(Card(*names, side=self._colour(side), padding=(dp(10), dp(6)), spacing=dp(2), grows=True))
        grid = Grid(*columns, cols=1 if self.portrait else 2, spacing=dp(8), grows=True)
        self.ids.body.add_widget(Scroller(grid))

    # A round of one side

    def _cover(self, side: str) -> None:
        settings = self.plan.settings
        others = ", ".join(settings.name(other) for other in settings.people if other != side)
        reason = self.app.translate("app.nba.draft.why", side=settings.name(side))
        if not others:
            self._uncover()
            return
        self.ids.body.add_widget(secret_cover(self._colour(side), others, reason, self._uncover))

    def _uncover(self) -> None:
        body: BoxLayout = self.ids.body
        body.clear_widgets()
        draft = self.plan.draft
        assert draft is not None
        assert draft.side is not None
        wanted = 1 + DRAFT_COMMON - len(self._picked)
        question = "own" if not self._picked else "common" if wanted else "box"
        head = BoldText(self.app.translate(f"app.nba.draft.ask_{question}", n=wanted), kind="corps", halign="left")
        tokens = [self._token(id, draft.side) for id in draft.hand]
        grid = Grid(*tokens, cols=1 if self.portrait else 2, spacing=dp(6), padding=(0, 0, dp(10), 0), grows=True)
        done = PushButton(self.app.translate("app.nba.draft.choose"), tall=_BUTTON_TALL, act=self._choose)
        done.style = "dashed" if wanted else "chalk"
        fill(body, head, Scroller(grid), VBox(done, tall=_BUTTON_TALL))

    def _token(self, id: str, side: str) -> CardToken:
        """Return a card of the hand with its cost, and where it goes once it is picked."""
        card = self.player(id)
        place = self._picked.index(id) if id in self._picked else None
        where = "" if place is None else self.app.translate("app.nba.draft.common" if place else "app.nba.draft.own")
        detail = f"{positions_text(card)} · {skills_text(card)}"
        price = self.app.translate("app.nba.prepare.cost", n=card.cost)
        state: Literal["", "chosen"] = "" if place is None else "chosen"
        token = CardToken(card, self._colour(side), state=state)
        token.describe(f"{where or price} · {detail}")
        token.bind(on_tap=lambda *_: self._pick(id))
        return token

    def _pick(self, id: str) -> None:
        if id in self._picked:
            self._picked.remove(id)
        elif len(self._picked) <= DRAFT_COMMON:
            self._picked.append(id)
        self._uncover()

    def _choose(self) -> None:
        if len(self._picked) <= DRAFT_COMMON:
            self.app.show_error(self.app.translate("app.nba.draft.more"))
            return
        own, *common = self._picked
        chance = self.app.idle_monitor.platform.random
        if not self.app.attempt(lambda: self.plan.choose_draft_cards(own, common)):
            return
        over = self.plan.draft is not None and self.plan.draft.side is None
        plan = self.plan
        self.app.redraw()
        if over:
            self.app.attempt(lambda: plan.draw_deck(chance))

    def _start_draft(self) -> None:
        if self.app.attempt(lambda: self.plan.start_draft(self.app.idle_monitor.platform.random)):
            self.app.redraw()
