"""The deck of the player market: drawn by the app and listed in order, or counted and checked by the players."""

from __future__ import annotations

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.page import load_kv
from companion.app.widgets.button import PushButton
from companion.app.widgets.components import Card, Grid, HBox, Scroller, fill
from companion.app.widgets.text import Name, Text
from companion.games.nba.market_deck import cost, count_cheap
from companion.games.nba.screens.preparation_page import PreparationPage
from companion.games.nba.tables import CHEAP_COSTS, MIN_CHEAP_CARDS

load_kv(__file__)

_ROW_TALL, _BUTTON_TALL = 40, 60


class DeckPage(PreparationPage):
    """The deck for the length and the variants chosen so far (NBA-3.5, NBA-9.3)."""

    def build(self) -> None:
        translate, settings = self.app.translate, self.plan.settings
        self.ids.bar.title = translate("app.nba.deck.title")
        back = PushButton(translate("app.nba.team.done"), style="chalk", hug=True, pad=16, act=self.app.back)
        self.ids.bar.at_end(back)
        deck = settings.drawn_deck
        limits = {"n": settings.market_cards, "least": MIN_CHEAP_CARDS, "low": CHEAP_COSTS[0], "high": CHEAP_COSTS[-1]}
        rule = "draft" if self.route.args["chosen"]["draft"] else "sorted"
        buttons = HBox(
            PushButton(translate("app.nba.deck.draw"), icon="cards", style="chalk" if deck else "outlined"),
            PushButton(
                translate("app.nba.deck.count"), icon="check", style="chalk" if settings.deck_counted else "outlined"
            ),
            spacing=dp(8),
            tall=_BUTTON_TALL,
        )
        draw, count = reversed(buttons.children)
        draw.bind(on_tap=lambda *_: self._draw())
        count.bind(on_tap=lambda *_: self._count())
        fill(self.ids.body, Text(translate(f"app.nba.deck.rule_{rule}", **limits), halign="left"), buttons)
        self.ids.body.add_widget(self._list(deck) if deck else Widget())

    def _list(self, deck: tuple[str, ...]) -> BoxLayout:
        """Return the drawn cards from top to bottom, and what was checked."""
        cards = self.plan.cards
        counts = {"n": len(deck), "cheap": count_cheap(cards, deck)}
        head = Text(self.app.translate("app.nba.deck.checked", **counts), tone="craie2", halign="left")
        grid = Grid(cols=1 if self.portrait else 2, spacing=(dp(12), dp(2)), padding=(0, 0, dp(10), 0), grows=True)
        for number, id in enumerate(deck, 1):
            args = {"n": number, "card": self.player(id).name, "cost": cost(cards, id)}
            grid.add_widget(Name(self.app.translate("app.nba.deck.card", **args), halign="left", tall=_ROW_TALL))
        return Card(head, Scroller(grid), surface="nuit", padding=(dp(10), dp(6)), spacing=dp(4))

    def _draw(self) -> None:
        if self.app.attempt(lambda: self.plan.draw_deck(self.app.idle_monitor.platform.random)):
            self.app.redraw()

    def _count(self) -> None:
        self.plan.count_deck()
        self.app.redraw()
