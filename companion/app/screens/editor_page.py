"""What the editors of a line-up share: an event that the game judges while it grows, and what becomes of it at the end.

An editor that corrects a fact starts from the situation in which that was recorded, and hands its event back.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

from companion.app.page import Page
from companion.games.base import Choice, Fields, Refusal
from companion.games.nba.awaits_actions import CourtData
from companion.games.occasion.card_form import CardForm
from companion.table.session import Session, StaleTap, StorageTrouble


def editor_of(choice: Choice) -> str | None:
    """The page on which this choice is made; None where its asks are answered one by one."""
    data = next((ask.data for ask in choice.asks if ask.kind == "lineup"), None)
    if isinstance(data, CardForm):
        return "new_card"
    if isinstance(data, CourtData):
        return "court"
    return "lineup" if any(ask.kind == "lineup" for ask in choice.asks) else None


class EditorPage(Page):
    """`args`: `session`, `side`; to correct a fact also `state`, `was` (its fields) and `told`, which gets the event.

    What is begun stays in the memory of the place until it is recorded.

    Subclasses keep in `memory["sequence"]` the state that they edit, and say in `event` what they come to.
    """

    @property
    def session(self) -> Session:
        """The match."""
        session: Session = self.place.args["session"]
        return session

    @property
    def side(self) -> str:
        """Whose line-up it is."""
        side: str = self.place.args["side"]
        return side

    @property
    def state(self) -> Any:
        """The situation that the event is for."""
        return self.place.args.get("state", self.session.state)

    @property
    def was(self) -> Fields | None:
        """What is corrected."""
        was: Fields | None = self.place.args.get("was")
        return was

    @abstractmethod
    def event(self) -> Fields:
        """The event as it stands now."""

    def refusal(self) -> Refusal | None:
        """Why the event cannot be recorded as it stands; None if it can."""
        game = self.session.game
        try:
            game.decide(self.state, game.parse(self.event()))
        except Refusal as refusal:
            return refusal
        return None

    def validate(self) -> None:
        """Records the event and goes back; what speaks against it is told, and nothing is lost."""
        refusal = self.refusal()
        if refusal is not None:
            self.app.sorry(self.app.ruled(refusal))
            return
        if "told" in self.place.args:
            self.place.args["told"](self.event())
            self.app.room.go_back()
            return
        try:
            self.session.record(self.event(), sequence=self.memory["sequence"])
        except StaleTap:
            self.app.redraw()
        except StorageTrouble as trouble:
            self.app.sorry(self.app.text(trouble.message))
        else:
            self.app.room.go_back()
