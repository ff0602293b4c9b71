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

from companion.app.display import display, text, translate
from companion.app.figures.choice import ChoiceButton
from companion.app.figures.scoreboard import BoardPanel
from companion.app.game_screens import editor_of, panel_of
from companion.app.help.rules import GUIDED, open_rule, rule_exists, rules_of, rules_sheet
from companion.app.page import load_kv
from companion.app.prompts.dice import can_enter_manually
from companion.app.prompts.sheet import MAX_KEYPAD_KEYS, AskSheet, PromptContext, SheetPlacement
from companion.app.screens.match_page import MatchPage
from companion.app.screens.table_bar import Bar, last_event_text
from companion.app.screens.table_centre import Centre
from companion.app.screens.table_edge import Edge, KeypadOffer, Offer
from companion.app.screens.table_state import (
    MAX_PORTRAIT_CHOICES,
    REASON_NOTICE_S,
    Reason,
    TableMemory,
    choices_of,
    dice_due,
    menu_choices,
    plan_edge,
    primary_choice,
    seat_order,
)
from companion.app.widgets.button import PushButton, Tappable
from companion.app.widgets.components import Grid, Scroller
from companion.app.widgets.sheet import Sheet
from companion.games.base import Awaits, Choice, Die, Refusal, Scene, SideScene
from companion.games.figures import Headline
from companion.table.dice import new_dice
from companion.table.session import Session, StaleChoice

if TYPE_CHECKING:
    from companion.app.context import AppContext


def role(decision: Awaits, side: str) -> str:
    """What is expected of a side now."""
    due = dice_due(decision, side)
    legal = [choice for choice in choices_of(decision, side) if choice.barred is None]
    if due and side in decision.sides and not legal:
        return translate("app.table.throws", n=due)
    if side in decision.sides:
        return translate("app.table.to_play")
    return translate("app.table.may_act") if legal else translate("app.table.waits")


class TablePieces(Protocol):
    """What stands on a table, beside each other or face to face."""

    centre: Centre | None

    @property
    def buttons(self) -> list[list[ChoiceButton]]: ...

    def show(self, scene: Scene, decision: Awaits, either: list[Offer]) -> None: ...

    def show_bar(self) -> None: ...

    def sheet_place(self, side: str | None) -> SheetPlacement: ...


class Pieces:
    """Shows a state of the match with the widgets of the state before, as far as they can show it."""

    def __init__(self, page: TablePage) -> None:
        self._page = page
        self._board: BoardPanel | None = None
        self._on_board: tuple[Any, ...] = ()
        self._edges: tuple[Edge, ...] = ()
        self._bar: Bar | None = None
        self.centre: Centre | None = None

    def show(self, scene: Scene, decision: Awaits, either: list[Offer]) -> None:
        """Everything; `either` are the choices that belong to no side."""
        order = self._page.order
        self._show_board(scene, order, decision)
        self._show_edges(order, decision)
        self.centre = Centre(self._page, scene, decision, either, before=self.centre)
        self.centre.fbind("worth", self._equalize_edges)
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

    def sheet_place(self, side: str | None) -> SheetPlacement:
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
        return SheetPlacement((insets[0], page.bar_height, insets[1], page.board_height), edge)

    def _show_board(self, scene: Scene, order: tuple[SideScene, SideScene], decision: Awaits) -> None:
        """The panel of the match shows the state, unless it shows it already."""
        kept = self._page.table_memory
        named = tuple((side.side, side.name, side.colour, side.letter) for side in order)
        if (scene.board, named, decision.sides) == self._on_board:
            return
        self._on_board = (scene.board, named, decision.sides)
        board_args = (scene.board, order, decision.sides, kept.score)
        if self._board is not None:
            self._board.show(*board_args)
        else:
            self._board = panel_of(self._page.session.game.id).make(*board_args)
            self._page.put("board", self._board)
        kept.score = scene.board.score

    def _show_edges(self, order: tuple[SideScene, SideScene], decision: Awaits) -> None:
        page = self._page
        if tuple(edge.colour for edge in self._edges) != tuple(side.colour for side in order):
            self._edges = tuple(Edge(side.colour, right=place == 1) for place, side in enumerate(order))
            for name, edge in zip(("left", "right"), self._edges, strict=True):
                edge.fbind("need", self._equalize_edges)
                page.put(name, edge)
        fits = MAX_PORTRAIT_CHOICES if page.portrait else panel_of(page.session.game.id).max_choices
        for edge, side in zip(self._edges, order, strict=True):
            edge.show(side, role(decision, side.side), page.edge_offers(decision, side.side, fits))
        self._equalize_edges()

    def _equalize_edges(self, *_: object) -> None:
        """In portrait both edges are as tall as the fuller one needs; for the middle they go without their facts."""
        page = self._page
        if page.portrait:
            available_height = (
                page.height - page.board_height - page.bar_height - (self.centre.worth if self.centre else 0)
            )
            least = max(edge.bare for edge in self._edges)
            page.edge_height = max(least, min(available_height, max(edge.need for edge in self._edges)))


load_kv(__file__)

TRAY_UPDATE_INTERVAL_S = 0.1
"""Seconds between two pictures of the tray at least (SCREENS 9)."""


class TablePage(MatchPage):
    """What must outlive a redraw is in `kept`."""

    board_height = NumericProperty(0)
    bar_height = NumericProperty(0)
    edge_height = NumericProperty(0)

    def compose(self) -> None:
        self.table_memory = TableMemory(self.memory, self.session)
        low = display.is_low
        panel = panel_of(self.session.game.id)
        self.board_height = dp(panel.portrait if self.portrait else (panel.low if low else panel.landscape))
        self.bar_height = dp(64 if self.portrait else (54 if low else 56))
        self._places: set[tuple[str, int, str]] = set()
        self.pieces: TablePieces = Pieces(self)
        self.last_tray_picture: tuple[float, bytes] = (0.0, b"")
        """When a picture of the tray came to the screen, and which."""
        self._ask: AskSheet | None = None

    def changed(self) -> None:
        """Draws the whole table for the present state."""
        if self.table_memory.new_state() and self._ask is not None:
            self.remove_sheet(self._ask)
            self._ask = None
        scene, decision = self.session.scene(), self.session.decision()
        either = [self.offer(choice, filled=choice.rank == 1) for choice in choices_of(decision, None)]
        if self.session.game.finished(self.session.state):
            if self.app.tournament_follower.is_tournament_match(self.session):
                either.append(
                    Offer(translate("app.tournament.to_confirm"), self.app.tournament_follower.open_page, prominence=1)
                )
            else:
                either.append(Offer(translate("app.table.menu_home"), self.app.home))
            for label, name in (
                (translate("app.table.menu_timeline"), "timeline"),
                (translate("app.report.open"), "report"),
            ):
                either.append(Offer(label, partial(self.app.open, name, session=self.session)))
        self.pieces.show(scene, decision, either)
        self._places = disarm_new_buttons(self.pieces.buttons, self._places)

    def show_tray(self) -> None:
        """Show a picture of the tray every `TRAY_PAUSE` at most, while dice are awaited."""
        now, picture = Clock.get_time(), self.session.dice.picture
        photograph = self.pieces.centre.photograph if self.pieces.centre else None
        since = max(self.last_tray_picture[0], Tappable.guard.last_tap_at)  # what a tap does comes first
        if (
            photograph is not None
            and now - since >= TRAY_UPDATE_INTERVAL_S
            and picture is not self.last_tray_picture[1]
        ):
            self.last_tray_picture = (now, picture)
            photograph.show(picture)

    # What a finger asks for

    def offer(self, choice: Choice, filled: bool = False) -> Offer:
        """A choice as a button of this state."""
        sequence = self.session.sequence
        return Offer(
            text=text(choice.label) + ("…" if choice.asks else ""),
            tap=lambda: self.choose(choice, sequence),
            prominence=1 if filled else max(2, choice.rank),
            detail=text(choice.detail),
            effect=choice.effect or "",
            is_unavailable=choice.barred is not None,
            needs_long_press=choice.held,
            marked=self.app.hardware_buttons.is_default_choice(choice, self.session),
            keys=self._keys(choice, sequence),
        )

    def _keys(self, choice: Choice, sequence: int) -> KeypadOffer | None:
        """A choice of a side that asks for nothing but a small number is typed at its edge."""
        prompts = choice.asks
        if choice.barred is not None or choice.side is None or len(prompts) != 1 or prompts[0].kind != "value":
            return None
        ask = prompts[0]
        larger = replace(choice, asks=(replace(ask, kind="count", suggested=ask.least + MAX_KEYPAD_KEYS),))
        return KeypadOffer(
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

    def enter_manual_dice(self, dice: Sequence[Die]) -> None:
        """Dice told by touch, unless others have counted since they were asked for."""
        if self.table_memory.is_stale:
            self.changed()
            return
        try:
            self.attempt(lambda: self.session.enter_dice(dice, self.session.sequence))
        except StaleChoice:
            self.changed()
        self.refresh()

    @property
    def order(self) -> tuple[SideScene, SideScene]:
        """The sides at the left and the right edge."""
        acting = self.session.decision().sides
        return seat_order(self.session.scene(), self.app.preferences.swapped, acting, self.table_memory.opponent)

    def pick_opponent(self, side: str) -> None:
        """Another opponent comes to the other edge."""
        self.table_memory.opponent = side
        self.changed()

    def set_manual_entry(self, wanted: bool) -> None:
        """Rows of faces stand in for the slots, or no longer."""
        self.table_memory.is_manual_entry = wanted
        self.changed()

    def explain(self, reason: Reason) -> None:
        """Says why, until the next event or for six seconds."""
        self.app.audio.announce_refusal(reason.text)
        self.show_reason(reason)

    def show_reason(self, reason: Reason) -> None:
        """A sentence that stays until the next event or for six seconds."""
        self.table_memory.explain(reason)
        self.changed()
        Clock.schedule_once(lambda *_: self.changed() if self.parent else None, REASON_NOTICE_S + 0.05)

    def show_refusal(self, refusal: Refusal) -> None:
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
            PromptContext(
                self.app.recent_picks,
                side,
                other=next((other for other in self.order if side and other.side != side.side), None),
                badge=badge_of(self.session.scene()),
                tray_dice=tuple(new_dice(self.session.dice)),
            ),
            self.pieces.sheet_place(choice.side),
        )
        self.app.navigator.show_sheet(self._ask, side=choice.side)

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
            ("play", translate("app.table.menu_resume"), lambda: None),
            ("clock", translate("app.table.menu_pause"), app.idle_monitor.start_screen_saver),
            ("list", translate("app.table.menu_timeline"), lambda: app.open("timeline", session=self.session)),
            (
                "swap",
                translate("app.table.menu_places"),
                app.swap_sides,
            ),
            ("help", translate("app.help.phase"), lambda: app.show_sheet(_phase_rules(self.session))),
            (
                "eye",
                translate("app.help.hide_guide" if guided else "app.help.show_guide"),
                lambda: self.guide(not guided),
            ),
            ("gear", translate("app.table.menu_settings"), lambda: app.open("settings")),
            ("house", translate("app.table.menu_home"), app.home),
            *self._tournament_acts(),
        )
        for icon, label, act in plain:
            push = PushButton(label, icon=icon, style="outlined", left=True, pad=14, tall=58)
            push.bind(on_tap=lambda _, act=act: _close_sheet_and_run(app, act))
            grid.add_widget(push)
        scenes = self.sides()
        for choice in menu_choices(self.session.decision()):
            offer = self.offer(choice)
            scene = scenes.get(choice.side or "")
            button = ChoiceButton(
                text=offer.text,
                detail=scene.name if scene else offer.detail,
                prominence=2,
                is_unavailable=offer.is_unavailable,
                needs_long_press=offer.needs_long_press,
                side=scene.colour if scene else "",
            )
            if offer.needs_long_press:
                button.detail = translate("app.table.hold", name=button.detail)
            button.bind(on_tap=lambda _, offer=offer: _close_sheet_and_run(app, offer.tap))
            grid.add_widget(button)
        return Sheet(translate("app.table.menu"), Scroller(grid))

    def _tournament_acts(self) -> list[tuple[str, str, Callable[[], object]]]:
        """The way to the tournament's page, and this match's code for phones."""
        app, desk = self.app, self.app.tournament_follower.desk
        if desk is None or not app.tournament_follower.is_tournament_match(self.session):
            return []

        def code() -> None:
            from companion.app.screens.tournament import qr_sheet

            app.show_sheet(qr_sheet(desk.status()))

        snapshot = desk.hub.snapshot()
        entries: list[tuple[str, str, Callable[[], object]]] = [
            ("cup", translate("app.tournament.title"), app.tournament_follower.open_page)
        ]
        return (
            [*entries, ("phone", translate("app.tournament.qr.title"), code)]
            if snapshot.address or snapshot.pages
            else entries
        )

    def more_sheet(self, side: str, choices: tuple[Choice, ...]) -> Sheet:
        """The choices of an edge that did not fit."""
        scene = self.sides()[side]
        grid = Grid(cols=1 if display.portrait else 2, spacing=dp(8), grows=True)
        for choice in choices:
            offer = self.offer(choice)
            detail = offer.detail
            if choice.barred is not None:
                detail = translate(
                    "app.table.refused", reason=text(choice.barred.reason).rstrip("."), rule=choice.barred.rule
                )
            button = ChoiceButton(
                text=offer.text,
                detail=detail,
                effect=offer.effect,
                prominence=offer.prominence,
                is_unavailable=offer.is_unavailable,
                needs_long_press=offer.needs_long_press,
                side=scene.colour,
            )
            button.bind(on_tap=lambda _, offer=offer, choice=choice: _choose_from_list(self.app, offer, choice))
            grid.add_widget(button)
        return Sheet(translate("app.table.more_of", name=scene.name), Scroller(grid))

    def undo(self, by: str = "touch") -> None:
        """Takes back the newest fact and keeps it in sight for a moment; by touch only the one that was shown."""
        if by == "touch" and self.table_memory.is_stale:
            self.changed()
            return
        last = last_event_text(self.session)
        try:
            fields = self.session.undo(by)
        except Refusal as refusal:
            self.show_refusal(refusal)
            return
        if fields is not None and last is not None:
            self.table_memory.remember_undo(last, fields)
        self.refresh()

    def edge_offers(self, decision: Awaits, side: str, fits: int) -> list[Offer]:
        """The buttons of an edge in their order, at most `fits`."""
        dice_offers = self._manual_dice_offers(decision, side)
        choices = choices_of(decision, side)
        plan = plan_edge(choices, fits - len(dice_offers))
        first = primary_choice(plan)
        offers = [self.offer(choice, filled=choice is first) for choice in plan.visible]
        if plan.more:
            label = translate("app.table.more", count=len(plan.more))
            offers.append(Offer(label, partial(self._open_more, side, plan.more, self.session.sequence), prominence=3))
        return offers + dice_offers

    def _open_more(self, side: str, choices: tuple[Choice, ...], sequence: int) -> None:
        """Opens the list of an edge's further choices, unless they belong to another state."""
        if sequence != self.session.sequence:
            self.changed()
        else:
            self.app.navigator.show_sheet(self.more_sheet(side, choices), side=side)

    def _manual_dice_offers(self, decision: Awaits, side: str) -> list[Offer]:
        """ "Saisir les dés…" whenever dice are awaited and a camera watches; with one die missing, the two ways out."""
        owner = min(decision.dice, key=lambda dice: dice.order).side if decision.dice else None
        holds = side == owner or (owner is None and side == self.session.game.sides[0])
        camera = self.session.dice.camera
        if not holds or camera is None or not camera.present or not can_enter_manually(decision.dice):
            return []
        if self.table_memory.is_manual_entry:
            return [Offer(translate("app.table.back_to_camera"), lambda: self.set_manual_entry(False), prominence=3)]
        slots = self.session.dice.slots()
        if any(slot.face for slot in slots):
            return [
                Offer(translate("app.table.tell_this_die"), lambda: self.set_manual_entry(True), prominence=1),
                Offer(
                    translate("app.table.throw_all_again"),
                    lambda: self.session.dice.dismiss(all_dice=True),
                    prominence=2,
                ),
            ]
        due = dice_due(decision, side) or len(slots)
        return [Offer(translate("app.table.tell_dice", n=due), lambda: self.set_manual_entry(True), prominence=3)]


def badge_of(scene: Scene) -> str | None:
    """The ball's colour in the headline, if it has one."""
    return next((figure.badge for figure in scene.figures if isinstance(figure, Headline) and figure.badge), None)


def disarm_new_buttons(
    edges: Sequence[Sequence[ChoiceButton]], before: set[tuple[str, int, str]]
) -> set[tuple[str, int, str]]:
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
    disabled_rules = [choice.barred.rule for choice in session.decision().choices if choice.barred is not None]
    rules = dict.fromkeys((*rules_of(session.game.id, session.state.phase), *filter(rule_exists, disabled_rules)))
    return rules_sheet(translate("app.help.phase"), tuple(rules))


def _choose_from_list(context: AppContext, offer: Offer, choice: Choice) -> None:
    """A choice that is barred opens the rule that bars it."""
    if choice.barred is not None:
        open_rule(context, choice.barred.rule)
    else:
        _close_sheet_and_run(context, offer.tap)


def _close_sheet_and_run(context: AppContext, act: Callable[[], object]) -> None:
    context.close_sheet()
    act()
