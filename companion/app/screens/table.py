"""Screen 04, the table: generated from what the game awaits and what there is to see; gives back a choice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from kivy.clock import Clock
from kivy.metrics import dp
from kivy.properties import NumericProperty
from kivy.uix.widget import Widget

from companion.app.asks.number import KEYS
from companion.app.asks.sheet import AskSheet
from companion.app.boards.registry import PANELS
from companion.app.figures.choice import ChoiceButton
from companion.app.figures.words import say, text
from companion.app.page import load_kv
from companion.app.screens.editor_page import editor_of
from companion.app.screens.match_page import MatchPage
from companion.app.screens.table_edge import Keys, Offer
from companion.app.screens.table_memory import NOTICE_SHOWN, Reason, TableMemory
from companion.app.screens.table_pieces import Pieces
from companion.app.screens.table_plan import choices_of, seats
from companion.games.base import Choice, Die, Refusal, Scene, SideScene
from companion.games.figures import Headline
from companion.table.dice import fresh_dice
from companion.table.session import StaleTap, StorageTrouble

load_kv(__file__)

TRAY_PAUSE = 0.1
"""Seconds between two pictures of the tray at least (SCREENS 9)."""


class TablePage(MatchPage):
    """What must outlive a redraw is in `kept`."""

    board_height = NumericProperty(0)
    bar_height = NumericProperty(0)
    edge_height = NumericProperty(0)

    def compose(self) -> None:
        self.kept = TableMemory(self.memory, self.session)
        low = not self.portrait and self.app.room.height < dp(460)
        panel = PANELS[type(self.session.scene().board)]
        self.board_height = dp(panel.portrait if self.portrait else (panel.low if low else panel.landscape))
        self.bar_height = dp(64 if self.portrait else (54 if low else 56))
        self._places: set[tuple[str, int, str]] = set()
        self.pieces: Any = Pieces(self)
        self.shown: tuple[float, bytes] = (0.0, b"")
        """When a picture of the tray came to the screen, and which."""
        self._ask: AskSheet | None = None

    def changed(self) -> None:
        """Draws the whole table for the present state."""
        if self.kept.new_state() and self._ask is not None:
            self.take(self._ask)
            self._ask = None
        scene, awaits = self.session.scene(), self.session.awaits()
        either = [self.offer(choice, filled=choice.rank == 1) for choice in choices_of(awaits, None)]
        if self.session.game.finished(self.session.state):
            if self.app.kiosk.plays(self.session):
                either.append(Offer(say("app.tournament.to_confirm"), self.app.kiosk.go, rank=1))
            else:
                either.append(Offer(say("app.table.menu_home"), self.app.home))
            for words, name in ((say("app.table.menu_timeline"), "timeline"), (say("app.report.open"), "report")):
                either.append(Offer(words, partial(self.app.open, name, session=self.session)))
        self.pieces.show(scene, awaits, either)
        self._places = rest(self.pieces.buttons, self._places)

    def show_tray(self) -> None:
        """Show a picture of the tray every `TRAY_PAUSE` at most, while dice are awaited."""
        now, picture = Clock.get_time(), self.session.dice.picture
        photograph = self.pieces.centre.photograph if self.pieces.centre else None
        since = max(self.shown[0], self.app.guard.last)  # what a tap does comes first
        if photograph is not None and now - since >= TRAY_PAUSE and picture is not self.shown[1]:
            self.shown = (now, picture)
            photograph.show(picture)

    # What a finger asks for

    def offer(self, choice: Choice, filled: bool = False) -> Offer:
        """A choice as a button of this state."""
        sequence = self.session.sequence
        return Offer(
            text=text(choice.label) + ("…" if choice.asks else ""),
            tap=lambda: self.choose(choice, sequence),
            rank=1 if filled else max(2, choice.rank),
            detail=text(choice.detail),
            effect=choice.effect or "",
            barred=choice.barred is not None,
            held=choice.held,
            marked=self.app.pressing.marks(choice, self.session),
            keys=self._keys(choice, sequence),
        )

    def _keys(self, choice: Choice, sequence: int) -> Keys | None:
        """A choice of a side that asks for nothing but a small number is typed at its edge."""
        asks = choice.asks
        if choice.barred is not None or choice.side is None or len(asks) != 1 or asks[0].kind != "value":
            return None
        ask = asks[0]
        larger = replace(choice, asks=(replace(ask, kind="count", suggested=ask.least + KEYS),))
        return Keys(
            ask,
            lambda value: self.record({**choice.event, ask.field: value}, sequence),
            lambda: self.choose(larger, sequence),
        )

    def choose(self, choice: Choice, sequence: int) -> None:
        """A choice was tapped: it explains itself, asks what is missing, or is recorded."""
        if choice.barred is not None:
            self.explain(Reason(text(choice.label), text(choice.barred.reason), choice.barred.rule))
        elif sequence != self.session.sequence:
            self.changed()
        elif (editor := editor_of(choice)) is not None:
            self.app.open(editor, session=self.session, side=choice.side, choice=choice)
        elif len(choice.asks) == 1 and choice.asks[0].kind == "counts" and choice.asks[0].secret:
            self.app.open("tactics", session=self.session, side=choice.side, ask=choice.asks[0])
        elif choice.asks:
            self._open_ask(choice, sequence)
        else:
            self.record(choice.event, sequence)

    def enter_dice(self, dice: Sequence[Die]) -> None:
        """Dice told by touch."""
        try:
            self.session.enter(dice, self.session.sequence)
        except StaleTap:
            self.changed()
        except Refusal as refusal:
            self.refused(refusal)
        except StorageTrouble as trouble:
            self.app.sorry(text(trouble.message))
        self.look()

    @property
    def order(self) -> tuple[SideScene, SideScene]:
        """The sides at the left and the right edge."""
        acting = self.session.awaits().sides
        return seats(self.session.scene(), self.app.preferences.swapped, acting, self.kept.opponent)

    def pick_opponent(self, side: str) -> None:
        """Another opponent comes to the other edge."""
        self.kept.opponent = side
        self.changed()

    def type_dice(self, wanted: bool) -> None:
        """Rows of faces stand in for the slots, or no longer."""
        self.kept.typing = wanted
        self.changed()

    def explain(self, reason: Reason) -> None:
        """Says why, until the next event or for six seconds."""
        self.app.hearing.refuse(reason.text)
        self.tell(reason)

    def tell(self, reason: Reason) -> None:
        """A sentence that stays until the next event or for six seconds."""
        self.kept.explain(reason)
        self.changed()
        Clock.schedule_once(lambda *_: self.changed() if self.parent else None, NOTICE_SHOWN + 0.05)

    def refused(self, refusal: Refusal) -> None:
        self.explain(Reason("", text(refusal.message), refusal.rule))

    def put(self, name: str, piece: Widget) -> None:
        """A piece into its place on the table, in the place of the one before."""
        place = self.ids[name]
        place.clear_widgets()
        place.add_widget(piece)

    # Inside

    def _open_ask(self, choice: Choice, sequence: int) -> None:
        side = self.sides().get(choice.side or "")
        self._ask = AskSheet(
            choice,
            partial(self.record, sequence=sequence),
            side=side,
            other=next((other for other in self.order if side and other.side != side.side), None),
            badge=badge_of(self.session.scene()),
            lying=fresh_dice(self.session.dice),
            **self.pieces.sheet_place(choice.side),
        )
        self.app.room.lay(self._ask, side=choice.side)


def badge_of(scene: Scene) -> str | None:
    """The ball's colour in the headline, if it has one."""
    return next((figure.badge for figure in scene.figures if isinstance(figure, Headline) and figure.badge), None)


def rest(edges: Sequence[Sequence[ChoiceButton]], before: set[tuple[str, int, str]]) -> set[tuple[str, int, str]]:
    """Choices that have just come under a finger stay dead for a moment; those that stayed where they were do not."""
    now = set()
    for edge in edges:
        for place, button in enumerate(edge):
            where = (button.side, place, button.text)
            now.add(where)
            if before and where not in before:
                button.sleep()
    return now
