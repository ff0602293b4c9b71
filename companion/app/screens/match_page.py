"""Base classes of the pages of a running match: session news, questions about dice, recording of events."""

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
    """A page of the match in `route.args["session"]`. Subclasses implement `compose` and `changed`.

    It subscribes to `session.outputs` and redraws in the next frame; `companion.app.match_runner` polls the session.
    """

    def build(self) -> None:
        self.question_sheet: QuestionSheet | None = None
        self.seen: tuple[Any, ...] = (-1,)
        """Result of `state_key` at the last redraw; its first element is the sequence number of the state."""
        self.compose()
        self._update_soon = Clock.create_trigger(self._update)
        self.session.outputs.subscribe(self._on_news)
        self._update_soon()

    def compose(self) -> None:
        """Create the widgets of the page."""

    def changed(self) -> None:
        """Called when something shown on the page has changed."""

    def show_tray(self) -> None:
        """Called when there is a new tray picture."""

    @property
    def session(self) -> Session:
        """The session of the match."""
        session: Session = self.route.args["session"]
        return session

    def sides(self) -> dict[str, SideScene]:
        """Return the sides of the match by identifier."""
        return {scene.side: scene for scene in self.session.scene().sides}

    def leave(self) -> None:
        self.session.outputs.unsubscribe(self._on_news)
        self._update_soon.cancel()

    def record(self, fields: Fields, sequence: int | None = None) -> bool:
        """Record an event. Returns False if it was stale or refused; a refusal is shown to the players."""
        return self.try_write(lambda: self.session.record(fields, sequence=sequence))

    def redo(self, sequence: int) -> bool:
        """Redo the event that was just undone."""
        return self.try_write(lambda: self.session.redo(sequence))

    def try_write(self, write: Callable[[], None]) -> bool:
        """Run a write to the journal. Returns False if it was stale or refused; a refusal is shown to the players."""
        try:
            done = self.attempt(write)
        except StaleChoice:
            log.info("a late tap was dropped")
            return False
        if done:
            self.refresh()
        return done

    def attempt(self, write: Callable[[], object]) -> bool:
        """Run a write to the journal. Returns False if refused, after showing the reason. Raises: StaleChoice."""
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
        """Show the rule that a refused event breaks."""
        self.app.audio.announce_refusal(text(refusal.message))
        self.app.show_error(translate("app.table.refused", reason=text(refusal.message).rstrip("."), rule=refusal.rule))

    def state_key(self) -> tuple[object, ...]:
        """Return the values that trigger a redraw when they change."""
        dice = self.session.dice
        camera = (dice.camera.sees, dice.camera.trouble) if dice.camera else None
        signs = self.app.hardware_buttons.device_status()
        return self.session.sequence, dice.question, dice.notice, dice.placed_dice, dice.armed, camera, signs

    def remove_sheet(self, sheet: Overlay) -> None:
        """Remove a sheet, even if it is not the top one."""
        navigator = self.app.navigator
        if sheet in navigator.sheets:
            navigator.sheets.remove(sheet)
            navigator.remove_widget(sheet)

    def refresh(self) -> None:
        """Show changes now, without waiting for the next frame."""
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
        if self.parent is not None:  # otherwise the update has led to another page
            self._show_question()

    def _show_question(self) -> None:
        """Open the question about a die automatically; close it when it is answered by touch or by new dice."""
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
        """Open the newest roll for correction. Returns False if there is none."""
        roll = newest_roll(self.session)
        if roll is None:
            return False
        self.app.show_sheet(RollSheet(self, roll))
        return True

    def correct_line(self, line: int, fields: Fields, entered: JsonObject) -> None:
        """Correct the newest event at once. For an older event, first show what would change.

        Does nothing if the event was undone since it was shown.
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
    """A page that edits one event. `args`: `session`, `side`; for corrections also `state`, `was` and `told`.

    `was` contains the fields of the event to correct; `told` is a callback that receives the new event. Unfinished
    input stays in the route's memory until it is recorded.

    Subclasses store the sequence number of the edited state in `memory["sequence"]` and build the event in `event`.
    """

    @property
    def session(self) -> Session:
        """The session of the match."""
        session: Session = self.route.args["session"]
        return session

    @property
    def side(self) -> str:
        """The side whose line-up is edited."""
        side: str = self.route.args["side"]
        return side

    @property
    def state(self) -> GameState:
        """The game state in which the event is recorded."""
        return self.route.args.get("state", self.session.state)

    @property
    def was(self) -> Fields | None:
        """The fields of the event to correct."""
        was: Fields | None = self.route.args.get("was")
        return was

    @abstractmethod
    def event(self) -> Fields:
        """Return the event for the current input."""

    def refusal(self) -> Refusal | None:
        """Return why the event cannot be recorded, or None if it can."""
        game = self.session.game
        try:
            game.validate(self.state, game.parse(self.event()))
        except Refusal as refusal:
            return refusal
        return None

    def validate(self) -> None:
        """Record the event and go back. A refusal is shown and the input is kept."""
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
