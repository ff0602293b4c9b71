"""Screen 04, the table. It is generated from the game's awaited actions and scene, and reports the player's choice."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

from kivy.clock import Clock
from kivy.input import MotionEvent
from kivy.metrics import dp
from kivy.properties import NumericProperty
from kivy.uix.widget import Widget

from companion.app.display import display, effect_text, text, translate
from companion.app.figures.choice import ChoiceButton
from companion.app.figures.scoreboard import MAX_PORTRAIT_CHOICES, BoardPanel
from companion.app.game_screens import editor_of, panel_of
from companion.app.help.rules import GUIDED, open_rule, rule_exists, rules_of, rules_sheet
from companion.app.page import load_kv
from companion.app.people import crests_of
from companion.app.prompts.dice import can_enter_manually
from companion.app.prompts.sheet import MAX_KEYPAD_KEYS, PromptContext, PromptSheet, SheetPlacement
from companion.app.screens.match_page import MatchPage
from companion.app.screens.table_bar import TableBar, event_text
from companion.app.screens.table_centre import Centre
from companion.app.screens.table_edge import Edge, KeypadOffer, Offer
from companion.app.screens.table_end import EndBoard
from companion.app.screens.table_moment import MomentLayer
from companion.app.screens.table_state import (
    REASON_NOTICE_S,
    Reason,
    TableMemory,
    choices_of,
    dice_due,
    fold_hands,
    hand_choices,
    menu_choices,
    plan_edge,
    primary_choice,
    seat_order,
)
from companion.app.widgets.button import PushButton, Tappable
from companion.app.widgets.components import Grid, Scroller, VBox, fill
from companion.app.widgets.sheet import Sheet
from companion.app.widgets.text import BoldText
from companion.games.base import TOSS, Choice, Decision, Die, Fields, Refusal, Scene, SideScene
from companion.games.figures import Headline
from companion.games.moments import ResultMoment
from companion.table.dice import new_dice
from companion.table.moments import newest_moments
from companion.table.ports import News, NewsKind
from companion.table.session import Session, StaleChoice

if TYPE_CHECKING:
    from companion.app.context import AppContext


def role(decision: Decision, side: str) -> str:
    """Return the text that says what a side has to do now."""
    due = dice_due(decision, side)
    legal = [choice for choice in choices_of(decision, side) if choice.disabled_reason is None]
    is_part_thrown = any(request.counts_unmoved for request in decision.dice)
    if due and side in decision.sides and not legal and not is_part_thrown:
        return translate("app.table.throws", n=due)
    if side in decision.roles and legal:
        return text(decision.roles[side])
    if side in decision.sides:
        return translate("app.table.to_play")
    return translate("app.table.may_act") if legal else translate("app.table.waits")


class TablePieces(Protocol):
    """Interface of the table layouts: side by side or face to face."""

    centre: Centre | None

    @property
    def buttons(self) -> list[list[ChoiceButton]]: ...

    def show(self, scene: Scene, decision: Decision, either: list[Offer]) -> None: ...

    def show_end(self, scene: Scene, decision: Decision) -> None: ...

    def show_bar(self) -> None: ...

    def sheet_place(self, side: str | None) -> SheetPlacement: ...


class Pieces:
    """Side-by-side layout. Updates the widgets of the previous state where possible."""

    def __init__(self, page: TablePage) -> None:
        self._page = page
        self._board: BoardPanel | None = None
        self._on_board: tuple[Any, ...] = ()
        self._edges: tuple[Edge, ...] = ()
        self._bar: TableBar | None = None
        self.centre: Centre | None = None
        self._condense_soon = Clock.create_trigger(self._condense_edge, 0)

    def show(self, scene: Scene, decision: Decision, either: list[Offer]) -> None:
        """Show a state. `either` are the choices that belong to no side."""
        order = self._page.order
        self._show_board(scene, order, decision)
        self._show_edges(order, decision)
        self.centre = Centre(self._page, scene, decision, either, before=self.centre)
        self.centre.fbind("worth", self._equalize_edges)
        self.centre.fbind("overflows", self._condense_soon)
        self._page.put("centre", self.centre)
        self.show_bar()

    def show_end(self, scene: Scene, decision: Decision) -> None:
        """Show the final board instead of edges and centre; they are made again if the match goes on after an undo."""
        self._show_board(scene, self._page.order, decision)
        self._edges, self.centre = (), None
        self._page.show_end_board("left", "right", "centre")
        self.show_bar()

    def show_bar(self) -> None:
        """Update the bar, or rebuild it if its widgets must change."""
        if self._bar is None or not self._bar.show():
            self._bar = TableBar(self._page)
            self._page.put("bar", self._bar)

    @property
    def buttons(self) -> list[list[ChoiceButton]]:
        """The choice buttons of each edge."""
        return [edge.buttons for edge in self._edges]

    def sheet_place(self, side: str | None) -> SheetPlacement:
        """Return the area of a sheet for a side: the centre and that side's column, opening from its edge.

        A tall list also covers the scoreboard, and the other side's column unless that side is awaited too.
        """
        page = self._page
        left, right = page.ids.left.width, page.ids.right.width
        if page.portrait:
            edge, insets = "bottom", (0.0, 0.0)
        elif side is None:
            edge, insets = "bottom", (left, right)
        else:
            first = side == page.order[0].side
            edge, insets = ("left", (0.0, right)) if first else ("right", (left, 0.0))
        inset = (insets[0], page.bar_height, insets[1], page.board_height)
        awaited = set(page.session.decision().sides)
        beside = insets if awaited - {side} and not page.portrait else (0.0, 0.0)
        return SheetPlacement(inset, edge, (beside[0], page.bar_height, beside[1], 0.0))

    def _show_board(self, scene: Scene, order: tuple[SideScene, SideScene], decision: Decision) -> None:
        """Update the scoreboard if its content has changed."""
        kept = self._page.table_memory
        named = tuple((side.side, side.name, side.colour, side.letter, side.crest) for side in order)
        if (scene.board, named, decision.sides) == self._on_board:
            return
        self._on_board = (scene.board, named, decision.sides)
        board_args = (scene.board, order, decision.sides, kept.score)
        if self._board is not None:
            self._board.show(*board_args)
        else:
            self._board = panel_of(self._page.session.game.id).make(*board_args, crests=self._page.crests)
            self._page.put("board", self._board)
        kept.score = scene.board.score

    def _show_edges(self, order: tuple[SideScene, SideScene], decision: Decision) -> None:
        page = self._page
        if tuple(edge.colour for edge in self._edges) != tuple(side.colour for side in order):
            self._edges = tuple(Edge(side.colour, right=place == 1) for place, side in enumerate(order))
            for name, edge in zip(("left", "right"), self._edges, strict=True):
                edge.fbind("need", self._equalize_edges)
                page.put(name, edge)
        panel = panel_of(page.session.game.id)
        roomy = display.theme.roomy
        fits = (panel.max_choices_portrait if roomy else MAX_PORTRAIT_CHOICES) if page.portrait else panel.max_choices
        for edge, side in zip(self._edges, order, strict=True):
            edge.show(side, page.role(decision, side.side), page.edge_offers(decision, side.side, fits))
        self._equalize_edges()

    def _equalize_edges(self, *_: object) -> None:
        """In portrait, make both edges as tall as the fuller one needs; they drop facts if the centre needs space."""
        page = self._page
        if page.portrait:
            available_height = (
                page.height - page.board_height - page.bar_height - (self.centre.worth if self.centre else 0)
            )
            least = max(edge.bare for edge in self._edges)
            page.edge_height = max(least, min(available_height, max(edge.need for edge in self._edges)))

    def _condense_edge(self, *_: object) -> None:
        """Shorten the fuller edge step by step while the centre lacks height in portrait and cannot show less."""
        if not self._page.portrait or self.centre is None or not self.centre.overflows or not self._edges:
            return
        if max(self._edges, key=lambda edge: edge.bare).condense():
            self._condense_soon()


load_kv(__file__)

TRAY_UPDATE_INTERVAL_S = 0.1
"""Minimum seconds between two tray pictures (SCREENS 9)."""


class TablePage(MatchPage):
    """The table page. State that must survive a redraw is in `table_memory`."""

    shows_match = True
    has_scoreboard = True
    """False for a layout that shows the score with each side instead."""
    board_height = NumericProperty(0)
    bar_height = NumericProperty(0)
    edge_height = NumericProperty(0)

    def compose(self) -> None:
        self.table_memory = TableMemory(self.memory, self.session)
        self.crests = crests_of(self.app, self.session.scene().sides, self.session.header)
        low = display.is_low
        panel = panel_of(self.session.game.id)
        self.board_height = dp(panel.portrait if self.portrait else (panel.low if low else panel.landscape))
        self.bar_height = dp(64 if self.portrait else (54 if low else 56))
        self._places: set[tuple[str, int, str]] = set()
        self.pieces: TablePieces = Pieces(self)
        self.last_tray_picture: tuple[float, bytes] = (0.0, b"")
        """Time and content of the last tray picture shown."""
        self._prompt: PromptSheet | None = None
        self._end_sequence = -1
        """The state for which the final board was made."""
        self.moments = MomentLayer(self)
        self._new_moments: list[ResultMoment] | None = None
        """The moments of the events since the last redraw; None if nothing has happened."""

    def leave(self) -> None:
        self.moments.clear()
        super().leave()

    def on_touch_down(self, touch: MotionEvent) -> bool:
        return self.moments.take_touch(touch) or bool(super().on_touch_down(touch))

    def _on_news(self, news: News) -> None:
        if news.kind in (NewsKind.EVENT, NewsKind.UNDO, NewsKind.CORRECT):
            is_new = news.kind is NewsKind.EVENT and self.app.preferences.moments
            self._new_moments = [*(self._new_moments or ()), *(newest_moments(self.session) if is_new else ())]
        super()._on_news(news)

    def changed(self) -> None:
        """Redraw the whole table for the current state, and show what its newest event means."""
        self.moments.before_redraw()
        self._redraw()
        if self._new_moments is None:
            self.moments.after_redraw()
        else:
            self.moments.show(self._new_moments)
            self._new_moments = None

    def _redraw(self) -> None:
        if self.table_memory.new_state() and self._prompt is not None:
            self.remove_sheet(self._prompt)
            self._prompt = None
        scene, decision = self.session.scene(), self.session.people_decision()
        if self.session.game.finished(self.session.state):
            self.pieces.show_end(scene, decision)
        else:
            either = [self.offer(choice, filled=choice.prominence == 1) for choice in choices_of(decision, None)]
            self.ids.end.clear_widgets()
            self.pieces.show(scene, decision, either)
        self._places = disarm_new_buttons(self.pieces.buttons, self._places)

    def show_tray(self) -> None:
        """Show a tray picture while dice are awaited, at most once per `TRAY_UPDATE_INTERVAL_S`."""
        now, picture = Clock.get_time(), self.session.dice.picture
        photograph = self.pieces.centre.photograph if self.pieces.centre else None
        since = max(self.last_tray_picture[0], Tappable.guard.last_tap_at)  # taps have priority
        if (
            photograph is not None
            and now - since >= TRAY_UPDATE_INTERVAL_S
            and picture is not self.last_tray_picture[1]
        ):
            self.last_tray_picture = (now, picture)
            photograph.show(picture)

    # Choices

    def offer(self, choice: Choice, filled: bool = False) -> Offer:
        """Return the button data of a choice in the current state."""
        sequence, detail = self.session.sequence, text(choice.detail)
        if choice.needs_long_press and not choice.menu:
            detail = translate("app.table.hold", name=detail) if detail else translate("app.table.to_hold")
        return Offer(
            text=text(choice.label) + ("…" if choice.prompts else ""),
            tap=lambda: self.choose(choice, sequence),
            prominence=1 if filled else max(2, choice.prominence),
            detail=detail,
            effect=effect_text(choice.effect),
            is_unavailable=choice.disabled_reason is not None,
            needs_long_press=choice.needs_long_press,
            marked=self.app.hardware_buttons.is_default_choice(choice, self.session),
            keys=self._keys(choice, sequence),
        )

    def _keys(self, choice: Choice, sequence: int) -> KeypadOffer | None:
        """Return a keypad at the edge for a side's choice that only needs a small number, else None."""
        prompts = choice.prompts
        if choice.disabled_reason is not None or choice.side is None or len(prompts) != 1 or prompts[0].kind != "value":
            return None
        prompt = prompts[0]
        larger = replace(choice, prompts=(replace(prompt, kind="count", suggested=prompt.minimum + MAX_KEYPAD_KEYS),))
        return KeypadOffer(
            prompt,
            lambda value: self.record({**choice.event, prompt.field: value}, sequence),
            lambda: self.choose(larger, sequence),
        )

    def choose(self, choice: Choice, sequence: int) -> None:
        """Handle a tap on a choice: explain it, ask for missing input, or record it. A stale tap is dropped."""
        if sequence != self.session.sequence:
            self.changed()
        elif choice.disabled_reason is not None:
            self.explain(Reason(text(choice.label), text(choice.disabled_reason.reason), choice.disabled_reason.rule))
        elif (hand := hand_choices(choice)) is not None:
            self._open_prompt(choice, lambda fields: self.choose(hand.choice(fields["hand"]), sequence))
        elif (editor := editor_of(self.session.game.id, choice)) is not None:
            self.app.open(editor, session=self.session, side=choice.side, choice=choice)
        elif len(choice.prompts) == 1 and choice.prompts[0].kind == "counts" and choice.prompts[0].secret:
            self.app.open("tactics", session=self.session, side=choice.side, ask=choice.prompts[0])
        elif choice.throw is not None and self.session.dice.can_be_armed:
            self._await_throw(choice, sequence)
        elif choice.prompts:
            self._open_prompt(choice, partial(self.record, sequence=sequence))
        elif choice.by_lot:
            drawn = self.app.idle_monitor.platform.random.choice(choice.by_lot)
            self.record({**drawn, "note": TOSS}, sequence)
        elif self.record(choice.event, sequence):
            for event in choice.then:
                if not self.record(event):
                    break

    def enter_manual_dice(self, dice: Sequence[Die]) -> None:
        """Record manually entered dice, unless the state has changed since they were requested."""
        if self.table_memory.is_stale:
            self.changed()
            return
        try:
            self.attempt(lambda: self.session.enter_dice(dice, self.session.sequence))
        except StaleChoice:
            self.changed()
        self.refresh()

    def record_refused_dice(self) -> None:
        """Record the dice that a full disk refused."""
        self.try_write(self.session.retry_dice)

    @property
    def order(self) -> tuple[SideScene, SideScene]:
        """The sides at the left and right edge."""
        acting = self.session.decision().sides
        order = seat_order(self.session.scene(), self.app.preferences.swapped, acting, self.table_memory.opponent)
        first, second = (replace(side, crest=self.crests[side.side]) for side in order)
        return first, second

    def pick_opponent(self, side: str) -> None:
        """Show another opponent at the other edge."""
        self.table_memory.opponent = side
        self.changed()

    def set_manual_entry(self, wanted: bool) -> None:
        """Switch between manual entry (rows of faces) and dice slots."""
        self.table_memory.is_manual_entry = wanted
        self.changed()

    def explain(self, reason: Reason) -> None:
        """Show and speak the reason of a refusal, until the next event or for six seconds."""
        self.app.audio.announce_refusal(reason.text)
        self.show_reason(reason)

    def show_reason(self, reason: Reason) -> None:
        """Show a sentence until the next event or for six seconds."""
        self.table_memory.explain(reason)
        self.changed()
        Clock.schedule_once(lambda *_: self.changed() if self.parent else None, REASON_NOTICE_S + 0.05)

    def show_refusal(self, refusal: Refusal) -> None:
        self.explain(Reason("", text(refusal.message), refusal.rule))

    def put(self, name: str, piece: Widget) -> None:
        """Put a widget in the named area of the table, replacing the previous one."""
        place = self.ids[name]
        place.clear_widgets()
        place.add_widget(piece)

    def show_end_board(self, *replaced: str) -> None:
        """Show the final board in place of the named areas, unless it is shown for this state."""
        if self.ids.end.children and self._end_sequence == self.session.sequence:
            return
        self._end_sequence = self.session.sequence
        for name in replaced:
            self.ids[name].clear_widgets()
        self.put("end", EndBoard(self))

    # Internals

    def _await_throw(self, choice: Choice, sequence: int) -> None:
        """Ask what comes before the dice of a choice, then await its throw in the tray."""
        *first, faces = choice.prompts

        def await_dice(fields: Fields) -> bool:
            if sequence != self.session.sequence:
                self.changed()
                return False
            self.session.dice.arm(replace(choice, event=fields, prompts=(faces.resolved(fields),)))
            return True

        if first:
            self._open_prompt(replace(choice, prompts=tuple(first), throw=None), await_dice)
        else:
            await_dice(choice.event)

    def _open_prompt(self, choice: Choice, answer: Callable[[Fields], object]) -> None:
        side = self.sides().get(choice.side or "")
        self._prompt = PromptSheet(
            choice,
            answer,
            PromptContext(
                self.app.recent_picks,
                side,
                other=next((other for other in self.order if side and other.side != side.side), None),
                badge=badge_of(self.session.scene()),
                tray_dice=tuple(new_dice(self.session.dice)),
                choose=partial(self.choose, sequence=self.session.sequence),
            ),
            self.pieces.sheet_place(choice.side),
        )
        self.app.navigator.show_sheet(self._prompt, side=choice.side)

    def is_guided(self) -> bool:
        return bool(self.memory.get(GUIDED))

    def guide(self, wanted: bool) -> None:
        """Show or hide the hints of the guided match."""
        self.memory[GUIDED] = wanted
        self.changed()

    def menu_sheet(self) -> Sheet:
        """Return the menu: pause, settings, home, and the game's menu choices."""
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
        scenes, column = self.sides(), VBox(grid, spacing=dp(8), grows=True)
        choices = menu_choices(self.session.people_decision())
        if choices:
            heading = BoldText(translate("app.table.menu_rulings"), kind="corps", tone="laiton", halign="left")
            grid = Grid(cols=grid.cols, spacing=dp(8), grows=True)
            fill(column, heading, grid)
        for choice in choices:
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
        return Sheet(translate("app.table.menu"), Scroller(column))

    def _tournament_acts(self) -> list[tuple[str, str, Callable[[], object]]]:
        """Return the menu entries of a tournament match: the tournament page and the QR code for phones."""
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
        """Return a sheet with the choices of an edge that did not fit."""
        scene = self.sides()[side]
        grid = Grid(cols=1 if display.portrait else 2, spacing=dp(8), grows=True)
        for choice in choices:
            offer = self.offer(choice)
            detail = offer.detail
            if choice.disabled_reason is not None:
                detail = translate(
                    "app.table.refused",
                    reason=text(choice.disabled_reason.reason).rstrip("."),
                    rule=choice.disabled_reason.rule,
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
        """Undo the newest event and show it for a moment. An undo by touch is dropped if the state has changed."""
        if by == "touch" and self.table_memory.is_stale:
            self.changed()
            return
        last = event_text(self.session, self.session.undo_target)
        try:
            fields = self.session.undo(by)
        except Refusal as refusal:
            self.show_refusal(refusal)
            return
        if fields is not None and last is not None:
            self.table_memory.remember_undo(last, fields)
        self.refresh()

    def role(self, decision: Decision, side: str) -> str:
        """Return the text that says what a side has to do now, and who does it if not a person."""
        opponents = self.app.opponents
        if opponents is None or not opponents.plays(side) or self.session.is_race_by_hand:
            return role(decision, side)
        return translate("app.opponents.plays" if side in decision.sides else "app.opponents.waits")

    def _opponent_offers(self, side: str) -> list[Offer]:
        """Return the buttons with which a person takes over an opponent's side, or hands it back."""
        opponents = self.app.opponents
        if opponents is None or side not in opponents.seats or self.session.game.finished(self.session.state):
            return []
        taken = side in opponents.people
        act = opponents.hand_back if taken else opponents.take_over

        def switch() -> None:
            act(side)
            self.changed()

        label = "app.opponents.hand_back" if taken else "app.opponents.take_over"
        return [Offer(translate(label), switch, prominence=3)]

    def edge_offers(self, decision: Decision, side: str, fits: int) -> list[Offer]:
        """Return the buttons of an edge in order, at most `fits`."""
        dice_offers = [*self._manual_dice_offers(decision, side), *self._opponent_offers(side)]
        choices = fold_hands(choices_of(decision, side))
        plan = plan_edge(choices, fits - len(dice_offers))
        first = primary_choice(plan)
        offers = [self.offer(choice, filled=choice is first) for choice in plan.visible]
        if plan.more:
            label = translate("app.table.more", count=len(plan.more))
            offers.append(Offer(label, partial(self._open_more, side, plan.more, self.session.sequence), prominence=3))
        return offers + dice_offers

    def _open_more(self, side: str, choices: tuple[Choice, ...], sequence: int) -> None:
        """Open the list of further choices of an edge, unless the state has changed since."""
        if sequence != self.session.sequence:
            self.changed()
        else:
            self.app.navigator.show_sheet(self.more_sheet(side, choices), side=side)

    def _manual_dice_offers(self, decision: Decision, side: str) -> list[Offer]:
        """Return the buttons of manual entry. They are offered while dice are awaited and a camera is present.

        If some dice were read and one is missing, the buttons are: enter this die, or roll all dice again. If a full
        disk refused the dice, the first is: record them.
        """
        armed = self.session.dice.armed
        if armed is not None:
            return self._armed_offers(armed) if side == armed.side else []
        owner = min(decision.dice, key=lambda dice: dice.order).side if decision.dice else None
        holds = side == owner or (owner is None and side == self.session.game.sides[0])
        if not holds or not self.session.dice.is_camera_used or not can_enter_manually(decision.dice):
            return []
        if self.table_memory.is_manual_entry:
            return [Offer(translate("app.table.back_to_camera"), lambda: self.set_manual_entry(False), prominence=3)]
        slots = self.session.dice.slots()
        throw_again = Offer(
            translate("app.table.throw_all_again"), lambda: self.session.dice.dismiss(all_dice=True), prominence=2
        )
        if self.session.has_refused_dice:
            return [Offer(translate("app.table.count_dice"), self.record_refused_dice, prominence=1), throw_again]
        if any(slot.face for slot in slots):
            enter = partial(self.set_manual_entry, True)
            return [Offer(translate("app.table.tell_this_die"), enter, prominence=1), throw_again]
        due = dice_due(decision, side) or len(slots)
        return [Offer(translate("app.table.tell_dice", n=due), lambda: self.set_manual_entry(True), prominence=3)]

    def _armed_offers(self, armed: Choice) -> list[Offer]:
        """Return the buttons while the throw of a choice is awaited: enter the faces, or go back to the choices."""
        dice, sequence = self.session.dice, self.session.sequence
        offers = [Offer(translate("app.table.back_to_choices"), lambda: dice.arm(None))]
        if armed.prompts:
            due = len(dice.dice_to_pick_up) or sum(request.count for request in self.session.decision().dice)
            label = translate("app.table.tell_dice", n=due)
            record = partial(self.record, sequence=sequence)
            offers.append(Offer(label, lambda: self._open_prompt(armed, record), prominence=3))
        return offers


def badge_of(scene: Scene) -> str | None:
    """Return the colour of the ball in the headline, if any."""
    return next((figure.badge for figure in scene.figures if isinstance(figure, Headline) and figure.badge), None)


def disarm_new_buttons(
    edges: Sequence[Sequence[ChoiceButton]], before: set[tuple[str, int, str]]
) -> set[tuple[str, int, str]]:
    """Make choices that appeared or moved ignore touches for a moment; choices at the same position stay active."""
    now = set()
    for edge in edges:
        for place, button in enumerate(edge):
            where = (button.side, place, button.text)
            now.add(where)
            if before and where not in before:
                button.sleep()
    return now


def _phase_rules(session: Session) -> Sheet:
    """Return a sheet with the rules of the current phase and the rules that disable choices."""
    disabled_rules = [
        choice.disabled_reason.rule for choice in session.decision().choices if choice.disabled_reason is not None
    ]
    rules = dict.fromkeys((*rules_of(session.game.id, session.state.phase), *filter(rule_exists, disabled_rules)))
    return rules_sheet(translate("app.help.phase"), tuple(rules))


def _choose_from_list(context: AppContext, offer: Offer, choice: Choice) -> None:
    """Run a choice from a list; a disabled choice opens its rule."""
    if choice.disabled_reason is not None:
        open_rule(context, choice.disabled_reason.rule)
    else:
        _close_sheet_and_run(context, offer.tap)


def _close_sheet_and_run(context: AppContext, act: Callable[[], object]) -> None:
    context.close_sheet()
    act()
