"""What the editors of a line-up share: an event that the game judges while it grows, and its recording at the end."""

from __future__ import annotations

from abc import abstractmethod

from companion.app.page import Page
from companion.games.base import Fields, Refusal
from companion.table.session import Session, StaleTap, StorageTrouble


class EditorPage(Page):
    """`args`: `session` and `side`. What is begun stays in the memory of the place until it is recorded.

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

    @abstractmethod
    def event(self) -> Fields:
        """The event as it stands now."""

    def refusal(self) -> Refusal | None:
        """Why the event cannot be recorded as it stands; None if it can."""
        game = self.session.game
        try:
            game.decide(self.session.state, game.parse(self.event()))
        except Refusal as refusal:
            return refusal
        return None

    def validate(self) -> None:
        """Records the event and goes back; what speaks against it is told, and nothing is lost."""
        refusal = self.refusal()
        if refusal is not None:
            self.app.sorry(self.app.ruled(refusal))
            return
        try:
            self.session.record(self.event(), sequence=self.memory["sequence"])
        except StaleTap:
            self.app.redraw()
        except StorageTrouble as trouble:
            self.app.sorry(self.app.text(trouble.message))
        else:
            self.app.room.go_back()
