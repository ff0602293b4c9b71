"""Screen 04, the table: generated from what the game awaits and what there is to see; gives back a choice."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

from kivy.clock import Clock
from kivy.metrics import dp
from kivy.properties import NumericProperty
from kivy.uix.widget import Widget

from companion.app.asks.dice import can_tell
from companion.app.asks.sheet import KEYS, Asked, AskSheet, SheetPlace
from companion.app.display import display, say, text
from companion.app.figures.choice import ChoiceButton
from companion.app.figures.scoreboard import BoardPanel
from companion.app.game_screens import editor_of, panel_of
from companion.app.help.rules import GUIDED, known, open_rule, rules_of, rules_sheet
from companion.app.page import load_kv
from companion.app.screens.match_page import MatchPage
from companion.app.screens.table_bar import Bar, last_fact
from companion.app.screens.table_centre import Centre
from companion.app.screens.table_edge import Edge, Keys, Offer
from companion.app.screens.table_state import (
    NOTICE_SHOWN,
    PORTRAIT_FITS,
    Reason,
    TableMemory,
    choices_of,
    dice_due,
    filled,
    menu_choices,
    plan_edge,
    seats,
)
from companion.app.widgets.pieces import Grid, Scroller
from companion.app.widgets.push import Push, Tap
from companion.app.widgets.sheet import Sheet
from companion.games.base import Awaits, Choice, Die, Refusal, Scene, SideScene
from companion.games.figures import Headline
from companion.table.dice import fresh_dice
from companion.table.session import Session, StaleTap

if TYPE_CHECKING:
    from companion.app.context import AppContext


def role(awaits: Awaits, side: str) -> str:
    """What is expected of a side now."""
    due = dice_due(awaits, side)
    legal = [choice for choice in choices_of(awaits, side) if choice.barred is None]
    if due and side in awaits.sides and not legal:
        return say("app.table.throws", n=due)
    if side in awaits.sides:
        return say("app.table.to_play")
    return say("app.table.may_act") if legal else say("app.table.waits")


class TablePieces(Protocol):
    """What stands on a table, beside each other or face to face."""

    centre: Centre | None

    @property
    def buttons(self) -> list[list[ChoiceButton]]: ...

    def show(self, scene: Scene, awaits: Awaits, either: list[Offer]) -> None: ...

    def show_bar(self) -> None: ...

    def sheet_place(self, side: str | None) -> SheetPlace: ...


class Pieces:
    """Shows a state of the match with the widgets of the state before, as far as they can show it."""

    def __init__(self, page: TablePage) -> None:
        self._page = page
        self._board: BoardPanel | None = None
        self._on_board: tuple[Any, ...] = ()
        self._edges: tuple[Edge, ...] = ()
        self._bar: Bar | None = None
        self.centre: Centre | None = None

    def show(self, scene: Scene, awaits: Awaits, either: list[Offer]) -> None:
        """Everything; `either` are the choices that belong to no side."""
        order = self._page.order
        self._show_board(scene, order, awaits)
        self._show_edges(order, awaits)
        self.centre = Centre(self._page, scene, awaits, either, before=self.centre)
        self.centre.fbind("worth", self._level)
        self._page.put("centre", self.centre)
        self.show_bar()

    def show_bar(self) -> None:
        """The bar as it must be now."""
        if self._bar is None or not self._bar.show():
            self._bar = Bar(self._page)
            self._page.put("bar", self._bar)

    @property
    def buttons(self) -> list[list[ChoiceButton]]:
        """The choices at each edge."""
        return [edge.buttons for edge in self._edges]

    def sheet_place(self, side: str | None) -> SheetPlace:
        """Where a sheet that asks a side opens: over the centre and that side's column, from its edge."""
        page = self._page
        left, right = page.ids.left.width, page.ids.right.width
        if page.portrait:
            edge, insets = "bottom", (0.0, 0.0)
        elif side is None:
            edge, insets = "bottom", (left, right)
        else:
            first = side == page.order[0].side
            edge, insets = ("left", (0.0, right)) if first else ("right", (left, 0.0))
        return SheetPlace((insets[0], page.bar_height, insets[1], page.board_height), edge)

    def _show_board(self, scene: Scene, order: tuple[SideScene, SideScene], awaits: Awaits) -> None:
        """The panel of the match shows the state, unless it shows it already."""
        kept = self._page.kept
        named = tuple((side.side, side.name, side.colour, side.letter) for side in order)
        if (scene.board, named, awaits.sides) == self._on_board:
            return
        self._on_board = (scene.board, named, awaits.sides)
        shown = (scene.board, order, awaits.sides, kept.score)
        if self._board is not None:
            self._board.show(*shown)
        else:
            self._board = panel_of(self._page.session.game.id).make(*shown)
            self._page.put("board", self._board)
        kept.score = scene.board.score

    def _show_edges(self, order: tuple[SideScene, SideScene], awaits: Awaits) -> None:
        page = self._page
        if tuple(edge.colour for edge in self._edges) != tuple(side.colour for side in order):
            self._edges = tuple(Edge(side.colour, right=place == 1) for place, side in enumerate(order))
            for name, edge in zip(("left", "right"), self._edges, strict=True):
                edge.fbind("need", self._level)
                page.put(name, edge)
        fits = PORTRAIT_FITS if page.portrait else panel_of(page.session.game.id).fits
        for edge, side in zip(self._edges, order, strict=True):
            edge.show(side, role(awaits, side.side), page.edge_offers(awaits, side.side, fits))
        self._level()

    def _level(self, *_: object) -> None:
        """In portrait both edges are as tall as the fuller one needs; for the middle they go without their facts."""
        page = self._page
        if page.portrait:
            room = page.height - page.board_height - page.bar_height - (self.centre.worth if self.centre else 0)
            least = max(edge.bare for edge in self._edges)
            page.edge_height = max(least, min(room, max(edge.need for edge in self._edges)))


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
        low = display.low
        panel = panel_of(self.session.game.id)
        self.board_height = dp(panel.portrait if self.portrait else (panel.low if low else panel.landscape))
        self.bar_height = dp(64 if self.portrait else (54 if low else 56))
        self._places: set[tuple[str, int, str]] = set()
        self.pieces: TablePieces = Pieces(self)
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
        since = max(self.shown[0], Tap.guard.last)  # what a tap does comes first
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
            marked=self.app.presses.marks(choice, self.session),
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
        """A choice was tapped: it explains itself, asks what is missing, or is recorded; a late tap is dropped."""
        if sequence != self.session.sequence:
            self.changed()
        elif choice.barred is not None:
            self.explain(Reason(text(choice.label), text(choice.barred.reason), choice.barred.rule))
        elif (editor := editor_of(self.session.game.id, choice)) is not None:
            self.app.open(editor, session=self.session, side=choice.side, choice=choice)
        elif len(choice.asks) == 1 and choice.asks[0].kind == "counts" and choice.asks[0].secret:
            self.app.open("tactics", session=self.session, side=choice.side, ask=choice.asks[0])
        elif choice.asks:
            self._open_ask(choice, sequence)
        else:
            self.record(choice.event, sequence)

    def enter_dice(self, dice: Sequence[Die]) -> None:
        """Dice told by touch, unless others have counted since they were asked for."""
        if self.kept.stale:
            self.changed()
            return
        try:
            self.attempt(lambda: self.session.enter(dice, self.session.sequence))
        except StaleTap:
            self.changed()
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
        self.app.sounds.refuse(reason.text)
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
            Asked(
                self.app.recent,
                side,
                other=next((other for other in self.order if side and other.side != side.side), None),
                badge=badge_of(self.session.scene()),
                lying=tuple(fresh_dice(self.session.dice)),
            ),
            self.pieces.sheet_place(choice.side),
        )
        self.app.room.lay(self._ask, side=choice.side)

    def is_guided(self) -> bool:
        return bool(self.memory.get(GUIDED))

    def guide(self, wanted: bool) -> None:
        """Shows the hints at the table, or closes them."""
        self.memory[GUIDED] = wanted
        self.pieces.show_bar()

    def menu_sheet(self) -> Sheet:
        """Pause, settings, home, and what the game keeps out of the way."""
        app, guided = self.app, self.is_guided()
        grid = Grid(cols=1 if display.portrait else 2, spacing=dp(8), grows=True)
        plain = (
            ("play", say("app.table.menu_resume"), lambda: None),
            ("clock", say("app.table.menu_pause"), app.standby.rest),
            ("list", say("app.table.menu_timeline"), lambda: app.open("timeline", session=self.session)),
            (
                "swap",
                say("app.table.menu_places"),
                app.swap_sides,
            ),
            ("help", say("app.help.phase"), lambda: app.lay(_phase_rules(self.session))),
            ("eye", say("app.help.hide_guide" if guided else "app.help.show_guide"), lambda: self.guide(not guided)),
            ("gear", say("app.table.menu_settings"), lambda: app.open("settings")),
            ("house", say("app.table.menu_home"), app.home),
            *self._tournament_acts(),
        )
        for icon, words, act in plain:
            push = Push(words, icon=icon, look="outlined", left=True, pad=14, tall=58)
            push.bind(on_tap=lambda _, act=act: _lifted(app, act))
            grid.add_widget(push)
        scenes = self.sides()
        for choice in menu_choices(self.session.awaits()):
            offer = self.offer(choice)
            scene = scenes.get(choice.side or "")
            button = ChoiceButton(
                text=offer.text,
                detail=scene.name if scene else offer.detail,
                rank=2,
                barred=offer.barred,
                held=offer.held,
                side=scene.colour if scene else "",
            )
            if offer.held:
                button.detail = say("app.table.hold", name=button.detail)
            button.bind(on_tap=lambda _, offer=offer: _lifted(app, offer.tap))
            grid.add_widget(button)
        return Sheet(say("app.table.menu"), Scroller(grid))

    def _tournament_acts(self) -> list[tuple[str, str, Callable[[], object]]]:
        """The way to the tournament's page, and this match's code for phones."""
        app, desk = self.app, self.app.kiosk.desk
        if desk is None or not app.kiosk.plays(self.session):
            return []

        def code() -> None:
            from companion.app.screens.tournament import qr_sheet

            app.lay(qr_sheet(desk.standing()))

        look = desk.hub.look()
        shown: list[tuple[str, str, Callable[[], object]]] = [("cup", say("app.tournament.title"), app.kiosk.go)]
        return [*shown, ("phone", say("app.tournament.qr.title"), code)] if look.address or look.pages else shown

    def more_sheet(self, side: str, choices: tuple[Choice, ...]) -> Sheet:
        """The choices of an edge that did not fit."""
        scene = self.sides()[side]
        grid = Grid(cols=1 if display.portrait else 2, spacing=dp(8), grows=True)
        for choice in choices:
            offer = self.offer(choice)
            detail = offer.detail
            if choice.barred is not None:
                detail = say(
                    "app.table.refused", reason=text(choice.barred.reason).rstrip("."), rule=choice.barred.rule
                )
            button = ChoiceButton(
                text=offer.text,
                detail=detail,
                effect=offer.effect,
                rank=offer.rank,
                barred=offer.barred,
                held=offer.held,
                side=scene.colour,
            )
            button.bind(on_tap=lambda _, offer=offer, choice=choice: _take(self.app, offer, choice))
            grid.add_widget(button)
        return Sheet(say("app.table.more_of", name=scene.name), Scroller(grid))

    def take_back(self, by: str = "touch") -> None:
        """Takes back the newest fact and keeps it in sight for a moment; by touch only the one that was shown."""
        if by == "touch" and self.kept.stale:
            self.changed()
            return
        last = last_fact(self.session)
        try:
            fields = self.session.undo(by)
        except Refusal as refusal:
            self.refused(refusal)
            return
        if fields is not None and last is not None:
            self.kept.take_back(last, fields)
        self.look()

    def edge_offers(self, awaits: Awaits, side: str, fits: int) -> list[Offer]:
        """The buttons of an edge in their order, at most `fits`."""
        tell = self._tell_dice(awaits, side)
        choices = choices_of(awaits, side)
        plan = plan_edge(choices, fits - len(tell))
        first = filled(plan)
        offers = [self.offer(choice, filled=choice is first) for choice in plan.shown]
        if plan.more:
            words = say("app.table.more", count=len(plan.more))
            offers.append(Offer(words, partial(self._open_more, side, plan.more, self.session.sequence), rank=3))
        return offers + tell

    def _open_more(self, side: str, choices: tuple[Choice, ...], sequence: int) -> None:
        """Opens the list of an edge's further choices, unless they belong to another state."""
        if sequence != self.session.sequence:
            self.changed()
        else:
            self.app.room.lay(self.more_sheet(side, choices), side=side)

    def _tell_dice(self, awaits: Awaits, side: str) -> list[Offer]:
        """ "Saisir les dés…" whenever dice are awaited and a camera watches; with one die missing, the two ways out."""
        owner = min(awaits.dice, key=lambda dice: dice.order).side if awaits.dice else None
        holds = side == owner or (owner is None and side == self.session.game.sides[0])
        camera = self.session.dice.camera
        if not holds or camera is None or not camera.present or not can_tell(awaits.dice):
            return []
        if self.kept.typing:
            return [Offer(say("app.table.back_to_camera"), lambda: self.type_dice(False), rank=3)]
        slots = self.session.dice.slots()
        if any(slot.face for slot in slots):
            return [
                Offer(say("app.table.tell_this_die"), lambda: self.type_dice(True), rank=1),
                Offer(say("app.table.throw_all_again"), lambda: self.session.dice.dismiss(every=True), rank=2),
            ]
        due = dice_due(awaits, side) or len(slots)
        return [Offer(say("app.table.tell_dice", n=due), lambda: self.type_dice(True), rank=3)]


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


def _phase_rules(session: Session) -> Sheet:
    """What matters in the present phase, and why what is barred cannot be done."""
    barred = [choice.barred.rule for choice in session.awaits().choices if choice.barred is not None]
    rules = dict.fromkeys((*rules_of(session.game.id, session.state.phase), *filter(known, barred)))
    return rules_sheet(say("app.help.phase"), tuple(rules))


def _take(context: AppContext, offer: Offer, choice: Choice) -> None:
    """A choice that is barred opens the rule that bars it."""
    if choice.barred is not None:
        open_rule(context, choice.barred.rule)
    else:
        _lifted(context, offer.tap)


def _lifted(context: AppContext, act: Callable[[], object]) -> None:
    context.lift()
    act()
