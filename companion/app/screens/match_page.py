"""What the pages of a running match share: news of the session, its questions about dice, recording an event."""

from __future__ import annotations

import logging
from abc import abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from kivy.clock import Clock

from companion.app.display import text, translate
from companion.app.page import Overlay, Page, Route
from companion.app.prompts.roll_correction import RollSheet, newest_roll
from companion.games.base import Fields, GameState, JsonObject, Refusal, SideScene
from companion.table.ports import News, NewsKind
from companion.table.session import Session, StaleChoice, StorageError

if TYPE_CHECKING:
    from companion.app.screens.question import QuestionSheet

log = logging.getLogger(__name__)


class MatchPage(Page):
    """A page of the match in `place.args["session"]`. Subclasses fill `compose` and `changed`.

    It listens to `session.outputs` and draws in the next frame; `companion.app.match_runner` keeps the match running.
    """

    def build(self) -> None:
        self.question_sheet: QuestionSheet | None = None
        self.seen: tuple[Any, ...] = (-1,)
        """What `watched` told when the page was last put together; first the sequence of the state."""
        self.compose()
        self._update_soon = Clock.create_trigger(self._update)
        self.session.outputs.subscribe(self._on_news)
        self._update_soon()

    def compose(self) -> None:
        """Puts the page together."""

    def changed(self) -> None:
        """Something that the page shows is different now."""

    def show_tray(self) -> None:
        """There is a new picture of the tray."""

    @property
    def session(self) -> Session:
        """The match."""
        session: Session = self.route.args["session"]
        return session

    def sides(self) -> dict[str, SideScene]:
        """The sides of the match by identifier."""
        return {scene.side: scene for scene in self.session.scene().sides}

    def leave(self) -> None:
        self.session.outputs.unsubscribe(self._on_news)
        self._update_soon.cancel()

    def record(self, fields: Fields, sequence: int | None = None) -> bool:
        """Writes an event down; False if it was too late or refused, and then the players know why."""
        return self.try_write(lambda: self.session.record(fields, sequence=sequence))

    def redo(self, sequence: int) -> bool:
        """Writes down anew what was just taken back."""
        return self.try_write(lambda: self.session.redo(sequence))

    def try_write(self, write: Callable[[], None]) -> bool:
        """Does what writes to the journal; False if it was too late or refused, and then the players know why."""
        try:
            done = self.attempt(write)
        except StaleChoice:
            log.info("a late tap was dropped")
            return False
        if done:
            self.refresh()
        return done

    def attempt(self, write: Callable[[], object]) -> bool:
        """Do what writes to the journal; False if it was refused, and the players know why. Raises StaleChoice."""
        try:
            write()
        except Refusal as refusal:
            self.show_refusal(refusal)
        except StorageError as trouble:
            self.app.show_error(text(trouble.message))
        else:
            return True
        return False

    def show_refusal(self, refusal: Refusal) -> None:
        """Tells the players which rule speaks against it."""
        self.app.audio.announce_refusal(text(refusal.message))
        self.app.show_error(translate("app.table.refused", reason=text(refusal.message).rstrip("."), rule=refusal.rule))

    def state_key(self) -> tuple[object, ...]:
        """What makes the page draw itself anew when it is another."""
        dice = self.session.dice
        camera = dice.camera.present if dice.camera else None
        signs = self.app.hardware_buttons.device_status()
        return self.session.sequence, dice.question, dice.notice, dice.placed_dice, camera, signs

    def remove_sheet(self, sheet: Overlay) -> None:
        """Takes one sheet away, wherever it lies."""
        navigator = self.app.navigator
        if sheet in navigator.sheets:
            navigator.sheets.remove(sheet)
            navigator.remove_widget(sheet)

    def refresh(self) -> None:
        """Shows at once what has changed, without waiting for the next frame."""
        now = self.state_key()
        if now != self.seen:
            self.seen = now
            self.changed()

    def _on_news(self, news: News) -> None:
        if news.kind in (NewsKind.TRAY, NewsKind.DICE):
            self.show_tray()
        if news.kind is not NewsKind.TRAY:
            self._update_soon()

    def _update(self, *_: object) -> None:
        self.refresh()
        if self.parent is not None:  # otherwise what it showed has led to another page
            self._show_question()

    def _show_question(self) -> None:
        """The question about a die comes up by itself and goes when it is answered, by touch or by new dice."""
        from companion.app.screens.question import QuestionSheet

        question = self.session.dice.question
        open_sheet = self.question_sheet
        if open_sheet is not None and (question is not open_sheet.question or open_sheet.parent is None):
            self.remove_sheet(open_sheet)
            self.question_sheet = None
        if question is not None and self.question_sheet is None:
            self.question_sheet = QuestionSheet(self, question)
            self.app.navigator.show_sheet(self.question_sheet, side=question.side)

    def fix_newest_roll(self) -> bool:
        """Opens the newest roll to be mended; False if there is none."""
        roll = newest_roll(self.session)
        if roll is None:
            return False
        self.app.show_sheet(RollSheet(self, roll))
        return True

    def correct_line(self, line: int, fields: Fields, entered: JsonObject) -> None:
        """Corrects the newest fact at once; of an older one it first shows what would change.

        Nothing if the fact has been taken back since it was shown.
        """
        session = self.session
        newest = session.ledger.newest
        if all(event.line != line for event in session.ledger.events):
            log.info("a late correction was dropped")
            self.refresh()
            return
        if newest is None or newest.line != line:
            self.app.navigator.push(Route("correct", {"session": session, "line": line}, {"fields": fields, **entered}))
            return
        self.attempt(lambda: session.correct(line, fields))
        self.refresh()


class EditorPage(Page):
    """`args`: `session`, `side`; to correct a fact also `state`, `was` (its fields) and `told`, which gets the event.

    What is begun stays in the memory of the place until it is recorded.

    Subclasses keep in `memory["sequence"]` the state that they edit, and say in `event` what they come to.
    """

    @property
    def session(self) -> Session:
        """The match."""
        session: Session = self.route.args["session"]
        return session

    @property
    def side(self) -> str:
        """Whose line-up it is."""
        side: str = self.route.args["side"]
        return side

    @property
    def state(self) -> GameState:
        """The situation that the event is for."""
        return self.route.args.get("state", self.session.state)

    @property
    def was(self) -> Fields | None:
        """What is corrected."""
        was: Fields | None = self.route.args.get("was")
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
            self.app.show_error(self.app.format_refusal(refusal))
            return
        if "told" in self.route.args:
            self.route.args["told"](self.event())
            self.app.navigator.go_back()
            return
        try:
            self.session.record(self.event(), sequence=self.memory["sequence"])
        except StaleChoice:
            self.app.redraw()
        except StorageError as trouble:
            self.app.show_error(self.app.text(trouble.message))
        else:
            self.app.navigator.go_back()
