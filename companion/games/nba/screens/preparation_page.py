"""The base of NBA's pages of the preparation: the preparation whose memory they change, and its cards."""

from __future__ import annotations

from functools import cached_property

from companion.app.page import Page
from companion.app.screens.prepare import planned
from companion.games.nba.cards import PlayerCard, TacticCard, read_cards
from companion.games.nba.preparation import NbaPreparation


class PreparationPage(Page):
    """`args`: `game`, `row` (the row that opened the page), `chosen` (the memory of the preparation)."""

    @cached_property
    def plan(self) -> NbaPreparation:
        """The preparation. It keeps every change in `chosen`, so that a rebuilt page loses nothing."""
        made = planned(self.app, self.route.args["game"], self.route.args["chosen"])
        assert isinstance(made, NbaPreparation)
        self._read = read_cards({id: dict(card) for id, card in made.cards.items()})
        return made

    def player(self, id: str) -> PlayerCard:
        """Return a player card of the catalogue."""
        card = self._read[id]
        assert isinstance(card, PlayerCard)
        return card

    def tactic(self, id: str) -> TacticCard:
        """Return a tactic of the catalogue."""
        card = self._read[id]
        assert isinstance(card, TacticCard)
        return card
