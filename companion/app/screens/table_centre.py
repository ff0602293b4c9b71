"""The centre of the table: figures in the game's order, choices of either player, awaited dice, tray picture."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, cast

from kivy.clock import Clock
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.display import display, text, translate
from companion.app.figures.choice import ChoiceButton
from companion.app.figures.duel import DuelFigure
from companion.app.figures.lanes import DiceTableFigure, LanesFigure, LanesTotal
from companion.app.figures.path import PathFigure
from companion.app.figures.pitch import PitchFigure
from companion.app.figures.scoreboard import short_name
from companion.app.figures.slots import SlotGrid, SlotLines, SlotRow, face_mark
from companion.app.figures.table import (
    AttemptsFigure,
    ChancesFigure,
    HeadlineFigure,
    OddsFigure,
    RaceFigure,
    RulerFigure,
    SumFigure,
    ThrowsFigure,
    is_promise,
    notice_of,
)
from companion.app.figures.tray import DieBox, Photograph, SimulatedTrayView, TappablePhotograph
from companion.app.help.rules import hint, hint_sheet
from companion.app.page import Route
from companion.app.prompts.dice import FaceButton, FaceRows, can_enter_manually, die_rows, face_text
from companion.app.prompts.roll_correction import MAX_DICE_ROWS, face_count_rows, state_before
from companion.app.screens.table_edge import Offer, offer_button
from companion.app.screens.table_end import BreakBoard, board_sides
from companion.app.screens.table_state import Reason
from companion.app.widgets.button import Tappable
from companion.app.widgets.components import Grid, HBox, ReusingColumn, Scroller, Spacer, fill
from companion.app.widgets.marks import Framed, Icon, SideBadge
from companion.app.widgets.sheet import Sheet
from companion.app.widgets.text import BoldText, Name, Text
from companion.games.base import Decision, DiceRequest, Die, Message, Scene, SideScene
from companion.games.figures import (
    Attempts,
    DiceTable,
    DuelScene,
    Figure,
    Headline,
    LaneDie,
    Lanes,
    NoticeFigure,
    OddsBar,
    Pitch,
    Race,
    Ruler,
    Sum,
    Throws,
    ZonePath,
)
from companion.games.registry import SPECS
from companion.table.dice import DiceDesk, Slot
from companion.table.session import Session
from companion.table.throws import as_die, faces_of
from vision.roll import Face

if TYPE_CHECKING:
    from companion.app.screens.table import TablePage


def has_many_dice(decision: Decision) -> bool:
    """True if the awaited dice are too many for a row, are rolled in a race, or are some of the dice on the tray."""
    return _has_no_slots(decision) or sum(request.count for request in decision.dice) > MAX_DICE_ROWS


def _has_no_slots(decision: Decision) -> bool:
    return any(request.independent or request.counts_unmoved for request in decision.dice)


_FACE = 58


def has_unslotted_dice(game: str, dice: Sequence[DiceRequest]) -> bool:
    """True if dice are rolled in large or free numbers, so that they have no slots."""
    heaped = SPECS[game].bulk_dice
    return any(
        request.kind in heaped or (request.min_count is not None and not request.independent) for request in dice
    )


class HintLine(Tappable, Framed, BoxLayout):
    """The sentence of the guide; a tap opens it in large type, with the rules of the phase."""

    def __init__(self, sentence: str, **kwargs: Any) -> None:
        spoken = translate("app.help.hint", hint=sentence)
        super().__init__(size_hint_y=None, padding=(dp(8), dp(4)), spacing=dp(8), spoken=spoken, **kwargs)
        self.line = display.theme.laiton
        self.add_widget(Icon("help", side=24, tone="laiton", middle=True))
        label = Text(sentence, tone="craie", halign="left", middle=True)
        label.fbind("height", lambda _, height: setattr(self, "height", max(dp(52), height + dp(8))))
        self.add_widget(label)
        self.height = max(dp(52), label.height + dp(8))


class OpponentTabs(BoxLayout):
    """One tab for each opponent of the acting side; the selected one is shown at the other edge."""

    def __init__(self, page: TablePage, opponents: Sequence[SideScene], picked: str, **kwargs: Any) -> None:
        super().__init__(size_hint_y=None, height=dp(52), spacing=dp(6), **kwargs)
        for scene in opponents:
            tab = Tab(scene, scene.side == picked)
            tab.bind(on_tap=lambda _, side=scene.side: page.pick_opponent(side))
            self.add_widget(tab)


class Tab(Tappable, Framed, BoxLayout):
    """A side's badge and name; `on` fills it with the side's colour."""

    def __init__(self, scene: SideScene, on: bool, **kwargs: Any) -> None:
        super().__init__(padding=(dp(7), dp(2)), spacing=dp(5), spoken=scene.name, **kwargs)
        tone = display.theme.sides[scene.colour]
        self.line, self.fill = tone.main, tone.main if on else (0, 0, 0, 0)
        badge = SideBadge(side=24, colour=scene.colour, letter=scene.letter, crest=scene.crest, middle=True)
        label = short_name(scene.name, "")
        name = Name(label, halign="left", tone="encre" if on else "craie", initials=True)
        fill(self, *((badge, name) if label else (Widget(), badge, Widget())))


def line_of(session: Session, die: Die, side: str) -> int | None:
    """Return the journal line of a side's newest roll that contains this die."""
    game = session.game
    for event in reversed(session.ledger.events):
        if die not in game.dice_from_event(event.fields):
            continue
        if side in game.decision(state_before(session, event.line)).sides:
            return int(event.line)
    return None


def _has_several_opponents(scene: Scene, decision: Decision) -> bool:
    return len(scene.sides) > 2 and len(decision.sides) == 1


def _between(lanes: Lanes, opponent: str) -> bool:
    return lanes.between is None or opponent in lanes.between


_FRESH_S = 0.3
"""Seconds for which a tray picture counts as fresh: a few frames."""
_MAX_PURPOSE_LINES = 3
"""Up to this many dice have a line each with their purpose; more dice are in one row."""
_MAX_TITLE_LINES = 2
"""A title below the figures that would need more lines is in smaller type."""
_RACE_TRAY = 72
"""Height in dp of the tray picture beside the lanes and the odds of a race."""
_KEPT_PATHS = 2
"""The number of paths to choose from that are never dropped."""
_LAST_DIE = 30
"""Side in dp of a die of the newest roll."""


@dataclass(frozen=True, slots=True)
class FigureContext:
    """The context on which the widget of a figure depends, besides the figure itself."""

    before: Figure | None
    crowded: bool
    thrown: bool
    many_dice: bool
    is_manual_entry: bool
    low: bool
    first_odds: OddsBar | None
    tones: dict[str, str]
    thrown_again: tuple[Die, ...] = ()
    on_pitch: bool = False
    on_path: bool = False
    has_notice: bool = False
    is_full: bool = False
    """The odds and the awaited dice stand below a sum or the attempts of both sides."""
    on_table: bool = False


FigureSpec = tuple[Callable[..., Widget], tuple[Any, ...], dict[str, Any], int]
"""A widget's constructor, arguments, options, and `spare` priority for dropping it when space is short (0: never)."""


def _show_headline(figure: Headline, around: FigureContext) -> FigureSpec:
    covered = around.on_path and (not display.theme.roomy or (around.has_notice and not display.portrait))
    brief = around.is_full and not (display.theme.roomy and display.portrait)
    if around.on_pitch or covered or brief:  # the pitch names the ball's holder, the path the posts of the zone
        figure = replace(figure, detail=None)
    return (
        HeadlineFigure,
        (figure,),
        {"compact": around.crowded or around.on_pitch or brief},
        4 if around.thrown or around.on_table else 0,
    )


def _show_throws(figure: Throws, around: FigureContext) -> FigureSpec:
    return ThrowsFigure, (figure, around.tones), {"low": around.low, "thrown_again": around.thrown_again}, 0


def _show_race(figure: Race, around: FigureContext) -> FigureSpec:
    return RaceFigure, (figure, around.tones), {}, 0


def _show_attempts(figure: Attempts, around: FigureContext) -> FigureSpec:
    return AttemptsFigure, (figure, around.tones), {}, 6 if around.is_manual_entry else 3


def _show_sum(figure: Sum, around: FigureContext) -> FigureSpec:
    spare = 7 if around.many_dice else 2 if around.is_manual_entry else 0
    short = not display.theme.roomy and bool(figure.terms)
    if short and figure.detail is not None:  # why the total differs from its terms says more than the terms
        figure = replace(figure, terms=())
    titled = not short or figure.detail is not None
    return SumFigure, (figure, around.tones), {"small": around.low or short, "titled": titled}, spare


def _show_odds(figure: OddsBar, around: FigureContext) -> FigureSpec:
    spare = 5 if around.is_manual_entry else 1 if figure is around.first_odds else 2
    return OddsFigure, (figure, around.tones), {"bare": isinstance(around.before, Ruler)}, spare


def _show_ruler(figure: Ruler, around: FigureContext) -> FigureSpec:
    if is_promise(figure):
        return ChancesFigure, (figure, around.tones), {}, 2 if around.before is not None else 0
    return RulerFigure, (figure, around.tones), {}, 0


def _show_notice(figure: NoticeFigure, around: FigureContext) -> FigureSpec:
    spare = 6 if around.thrown or around.many_dice or around.on_path else 1
    return notice_of, ("", text(figure.text), figure.rule or ""), {}, spare


FIGURES: dict[type[Figure], Callable[[Any, FigureContext], FigureSpec]] = {
    Headline: _show_headline,
    Throws: _show_throws,
    Race: _show_race,
    Attempts: _show_attempts,
    Sum: _show_sum,
    OddsBar: _show_odds,
    Ruler: _show_ruler,
    NoticeFigure: _show_notice,
}
"""How each type of figure is shown. `DiceTable`, `DuelScene`, `Lanes`, `Pitch` and `ZonePath` depend on the page, so
the centre adds them itself."""


class Centre(ReusingColumn):
    """The centre column. `photograph` is the tray picture, if shown."""

    def __init__(
        self,
        page: TablePage,
        scene: Scene,
        decision: Decision,
        offers: Sequence[Offer],
        before: Centre | None = None,
        **kwargs: Any,
    ) -> None:
        """`before` is the previous centre; unchanged figures are reused from it."""
        super().__init__(
            padding=(dp(16 if display.portrait else 12), dp(8)), spacing=dp(10 if display.portrait else 8), **kwargs
        )
        self._page, self._scene, self._decision = page, scene, decision
        self._dice: DiceDesk = page.session.dice
        self._low = display.is_low
        self.photograph: Photograph | None = None
        self.take_over(before)
        if page.is_guided():
            line = self.figure(HintLine, hint(page.session), spare=1)
            line.bind(on_tap=lambda *_: page.app.show_sheet(hint_sheet(page.session)))
        self._add_figures(offers)
        if offers and not self._duelling:
            self.add(self._offers(offers))
        session = page.session
        is_break = session.state.phase in SPECS[session.game.id].breaks
        if is_break:
            self.figure(BreakBoard, session, session.sequence, board_sides(page))
        else:
            self.add(Spacer())
        reason = page.table_memory.reason()
        if reason is not None:
            self.add(notice_of(reason.title, reason.text, reason.rule))
        self._add_dice(crowded=reason is not None)

    @property
    def _tones(self) -> dict[str, str]:
        return {scene.side: scene.colour for scene in self._scene.sides}

    @property
    def _is_manual_entry(self) -> bool:
        """True if rows of faces replace the slots: there is no working camera, or a player wants to enter the dice."""
        blind = not self._dice.is_camera_used
        return (blind or self._page.table_memory.is_manual_entry) and can_enter_manually(self._decision.dice)

    @property
    def _duelling(self) -> bool:
        """True if a duel is shown; its choices of either player are between its columns."""
        return any(isinstance(figure, DuelScene) for figure in self._scene.figures)

    def _add_figures(self, offers: Sequence[Offer]) -> None:
        figures = self._scene.figures
        headed = any(isinstance(figure, Headline | Lanes) for figure in figures)
        self._add_tabs(self._scene, self._decision)
        is_said_with_dice = self._has_open_dice and self._dice.notice is None
        if not headed and not is_said_with_dice:
            self._add_heading()
        crowded = any(isinstance(figure, Sum) for figure in figures) and bool(self._decision.dice)
        before: Figure | None = None
        for figure in figures:
            if isinstance(figure, DuelScene):
                self._add_duel(figure, offers)
            elif isinstance(figure, Lanes):
                self._add_lanes(self._scene, figure)
            elif isinstance(figure, Pitch):
                self._add_pitch(figure)
            elif isinstance(figure, ZonePath):
                self._add_path(figure)
            elif isinstance(figure, DiceTable):
                self.figure(DiceTableFigure, figure, self._marks(), spare=3)
            else:
                self._add_figure(figure, before, crowded)
            before = figure

    def _add_heading(self) -> None:
        """Add what is awaited as the headline; a smaller one where several paths need the space."""
        quiet = self._decision.dice or (self._decision.choices and not self._duelling)
        tone = "craie" if quiet else "laiton"
        several, large = len(self._paths) > 1, bool(self._paths) and not display.theme.roomy
        detail = self._decision.detail if display.theme.roomy or not several else None
        spare = 3 if several else 2 * self._duelling
        title = Headline(self._decision.title, detail)
        self.figure(HeadlineFigure, title, tone=tone, compact=self._duelling or several or large, spare=spare)

    @property
    def _paths(self) -> list[ZonePath]:
        return [figure for figure in self._scene.figures if isinstance(figure, ZonePath)]

    def _add_path(self, figure: ZonePath) -> None:
        """Add a path. Two to choose from are always shown: the heading and further ones go first."""
        mirrored = figure.side != self._seated()[0]
        place, several = self._paths.index(figure), len(self._paths) > 1
        spare = 3 if not several else 0 if place < _KEPT_PATHS else 4
        self.figure(PathFigure, figure, self._tones, mirrored=mirrored, low=several, spare=spare)

    def _add_figure(self, figure: Figure, before: Figure | None, crowded: bool) -> None:
        """Add a figure as specified in `FIGURES`; `before` is the figure above it."""
        renderer = FIGURES.get(type(figure))
        if renderer is None:
            return
        figures = self._scene.figures
        around = FigureContext(
            before=before,
            crowded=crowded or any(isinstance(other, Race | ZonePath) for other in figures),
            thrown=any(isinstance(other, Throws) for other in figures),
            many_dice=has_many_dice(self._decision),
            is_manual_entry=self._is_manual_entry,
            low=self._low,
            first_odds=next((other for other in figures if isinstance(other, OddsBar)), None),
            tones=self._tones,
            thrown_again=self._dice.dice_to_pick_up,
            on_pitch=any(isinstance(other, Pitch) for other in figures),
            on_path=any(isinstance(other, ZonePath) for other in figures),
            has_notice=any(isinstance(other, NoticeFigure) for other in figures),
            is_full=crowded or any(isinstance(other, Attempts) for other in figures),
            on_table=self._shows(DiceTable),
        )
        make, args, options, spare = renderer(figure, around)
        self.figure(make, *args, spare=spare, **options)

    def _add_duel(self, figure: DuelScene, offers: Sequence[Offer]) -> None:
        order = [side.side for side in self._page.order]
        explained = self._page.table_memory.reason() is not None
        duel = DuelFigure(figure, order, self._tones, [self._offer(offer) for offer in offers])
        self.add(duel, spare=int(explained))

    def _add_pitch(self, figure: Pitch) -> None:
        """Add the pitch, the acting team's goal at its seat, with what its players may do below.

        In portrait both are worth more than the facts at the edges.
        """
        spare, line_spare = (1, 2) if display.portrait else (5, 7)
        self.figure(PitchFigure, figure, self._tones, mirrored=figure.side != self._seated()[0], spare=spare)
        if figure.detail is not None:
            line = {"kinds": ["corps", "mini"], "strong": False, "tall": 24 * display.theme.text / 100}
            self.figure(Name, text(figure.detail), tone="craie2", halign="left", **line, spare=line_spare)

    def _offers(self, offers: Sequence[Offer]) -> Widget:
        return Grid(*(self._offer(offer) for offer in offers), cols=min(2, len(offers)), spacing=dp(8), grows=True)

    def _offer(self, offer: Offer) -> ChoiceButton:
        return offer_button(offer, least=52 if self._duelling else 58)

    # Dice

    def _add_dice(self, crowded: bool) -> None:
        headed = any(isinstance(figure, Headline | Lanes) for figure in self._scene.figures)
        if self._has_open_dice:
            self._add_open_dice()
            return
        if not self._decision.dice:
            if headed and not crowded:
                self._add_title(self._decision.title, self._decision.detail, self._title_spare())
            if self._dice.camera is None or self._dice.camera.sees:
                self._add_dice_notice(spare=3)
            if self._dice.is_choice_awaited and self._dice.placed_dice:
                self._add_tray(self._dice, dp(100), spare=8)
            return
        if self._is_manual_entry:
            self._add_rows()
            return
        if has_many_dice(self._decision):
            self._add_many_dice(self._decision, titled=headed)
            return
        self._add_slots(spare=9 if crowded else 0)

    def _title_spare(self) -> int:
        """Return when the title without dice is dropped: never while it asks, and late beside the pitch in portrait."""
        if self._dice.is_choice_awaited:
            return 0
        beside_pitch = display.portrait and any(isinstance(figure, Pitch) for figure in self._scene.figures)
        return 2 if beside_pitch else 4

    def _add_title(self, title: Message, detail: Message | None, spare: int = 4) -> None:
        line = BoldText(text(title), kind="titre", tone="laiton", halign="left", leading=0.95)
        dice = () if self._decision.dice else last_roll(self._page.session)
        beside = len(dice) * dp(_LAST_DIE + 8)  # the dice and the gaps before them
        if line.line_width > _MAX_TITLE_LINES * (self._width - beside):
            line.kind = "bouton"
        self.add(_beside_dice(line, dice) if dice else line, spare)
        if detail is not None:
            self.add(Text(text(detail), tone="craie2", halign="left"), spare=6)

    def _add_dice_notice(self, spare: int = 0) -> None:
        if self._dice.notice is not None:
            self.add(Text(text(self._dice.notice), tone="laiton", halign="left"), spare)

    def _add_rows(self) -> None:
        rows = die_rows(self._page.session, self._decision.dice)
        camera = self._dice.camera
        blind = camera is not None and not camera.sees
        headed = any(isinstance(figure, Headline | Lanes) for figure in self._scene.figures)
        if headed and (blind or self._dice.notice is None):
            self.add(ShortTitle(text(self._decision.title), self._width))
        if camera is not None and blind:
            silent = translate("app.table.camera_silent", n=len(rows))
            message = text(Message(f"camera.{camera.trouble}")) if camera.present else silent
            self.add(_line("camoff", message), spare=8)
        elif self._dice.notice is not None:
            self._add_dice_notice(spare=3)
        if has_many_dice(self._decision):
            self._add_face_counter(self._decision)
            return
        faces = [slot.face for slot in self._dice.slots()][: len(rows)]
        face_rows = self.figure(FaceRows, rows, self._marks(), self._page.enter_manual_dice)
        assert isinstance(face_rows, FaceRows)
        memory, awaited = self._page.table_memory, (rows, faces)
        face_rows.set_faces(cast("Sequence[Face | None]", memory.entered_dice(awaited)) or faces)
        face_rows.on_entered = partial(memory.remember_entered_dice, awaited)

    @property
    def _has_open_dice(self) -> bool:
        """True in a game whose dice have no slots, while somebody is to act."""
        if self._decision.dice:
            return has_unslotted_dice(self._page.session.game.id, self._decision.dice)
        return bool(SPECS[self._page.session.game.id].bulk_dice and self._decision.sides)

    def _add_open_dice(self) -> None:
        """Add the line that says who does what, and the tray picture unless it is beside the lanes."""
        upright, beside_lanes = display.portrait, self._shows_lanes
        title = text(self._dice.notice or self._decision.title)
        if self._shows(DiceTable) and self._sees and self._decision.detail is None:
            line = BoldText(title, kind="bouton", tone="laiton", flow="box", halign="left", leading=0.95)
            self.add(HBox(line, self.tray(dp(150)), spacing=dp(12), tall=84))
            return
        self.add(ShortTitle(title, self._width, large=not beside_lanes))
        detail = Text(text(self._decision.detail), tone="craie2", flow="box", halign="left")
        if beside_lanes or not self._sees:
            if self._decision.detail is not None:
                self.add(Text(text(self._decision.detail), tone="craie2", halign="left"), spare=6)
            return
        roomy = upright and not self._shows(Ruler)
        row = HBox(spacing=dp(12), tall=130 if roomy else 84)
        fill(row, detail, self.tray(dp(212 if roomy else 150)))
        self.add(row)

    @property
    def _width(self) -> float:
        """The width for the figures in pixels, known before the layout."""
        return display.size[0] - dp(32 if display.portrait else 2 * 204 + 24)

    @property
    def _sees(self) -> bool:
        """True if there is a picture of the tray."""
        return self._dice.camera is not None and self._dice.camera.sees

    @property
    def _shows_lanes(self) -> bool:
        return self._shows(Lanes)

    def _shows(self, kind: type[Figure]) -> bool:
        return any(isinstance(figure, kind) for figure in self._scene.figures)

    def _add_slots(self, spare: int) -> None:
        due = self._dice.slots()
        slots = (*_earlier_slots(self._decision), *due)
        sides = self._marks()
        in_turn = len({request.order for request in self._decision.dice}) > 1 or len(slots) > len(due)
        missing = _is_missing(due)
        upright = display.portrait
        if not in_turn:
            self._add_slots_title(missing, spare)
        if in_turn and len(slots) <= _MAX_PURPOSE_LINES:
            message = self._dice.notice or (self._decision.detail if display.theme.roomy else None)
            row = self.figure(_slot_lines, slots, sides, text(message), dp(100 if upright else 85), spare=spare)
            wide = dp(163 if upright else 150)
        else:
            dimensions = (84, dp(130)) if upright else (66, dp(69))
            row = self.figure(_slot_row, slots, sides, missing, *dimensions, spare=spare)
            wide = dp(212 if upright else 112)
        self._renew_tray(row, wide)

    def _renew_tray(self, row: Widget, wide: float) -> None:
        """Replace the tray picture in a reused row with the current one."""
        for tray in [child for child in row.children if isinstance(child, Photograph | Text)]:
            row.remove_widget(tray)
        if self._dice.camera is not None:
            row.add_widget(self.tray(wide))
        elif self._dice.is_camera_starting:
            row.add_widget(Text(translate("app.welcome.camera.opening"), tone="craie2", halign="left", middle=True))

    def _add_slots_title(self, missing: bool, spare: int) -> None:
        """Add the dice notice, or the title if a figure has taken its place."""
        if self._dice.notice is not None:
            kind = "titre" if missing else "bouton"
            self.add(BoldText(text(self._dice.notice), kind=kind, tone="laiton", halign="left", leading=0.95), spare)
        elif any(isinstance(figure, Headline) for figure in self._scene.figures):
            self._add_title(self._decision.title, self._decision.detail)

    def tray(self, wide: float) -> Photograph:
        """Return the tray picture with a width of `wide` pixels; simulated dice are rolled with a tap on it."""
        placed_dice = self._dice.placed_dice
        old = [die for die in placed_dice if die.is_counted]
        caption = ""
        if self._page.session.has_refused_dice:
            caption = translate("app.table.count_dice")
        elif self._dice.picture and not placed_dice:
            caption = translate("app.table.tray_empty")
        elif old and len(old) == len(placed_dice):
            faces = [face_text(die.reading.face) for die in old]
            many = translate("app.throws.read", n=len(old))
            caption = (
                many
                if len(old) > _MAX_PURPOSE_LINES
                else translate("app.table.already_read", faces=translate("app.table.and").join(faces))
            )
        boxes = tray_boxes(self._dice)
        size = self._dice.picture_size
        if self._dice.is_simulated and self._decision.dice and not self._page.session.has_refused_dice:
            caption = translate("app.table.choose_here" if self._dice.is_throw_open else "app.table.throw_here")
            tray = SimulatedTrayView(jpeg=self._fresh_picture(), boxes=boxes, caption=caption, boxes_in=size)
            tray.bind(on_tap=lambda *_: self._dice.throw())
            self.photograph = tray
        else:
            self.photograph = TappablePhotograph(
                jpeg=self._fresh_picture(),
                boxes=boxes,
                caption=caption,
                boxes_in=size,
                spoken=caption or translate("app.mend.picture"),
            )
            self.photograph.bind(on_tap=lambda *_: self._on_tray_tapped(bool(old)))
        self.photograph.size_hint_x, self.photograph.width = None, wide
        return self.photograph

    def _on_tray_tapped(self, has_counted_dice: bool) -> None:
        """Record the dice that a full disk refused, else open the newest roll for correction."""
        if self._page.session.has_refused_dice:
            self._page.record_refused_dice()
        elif has_counted_dice:
            self._page.fix_newest_roll()

    def _add_many_dice(self, decision: Decision, titled: bool) -> None:
        """Add title, a slot for every die, and the tray picture; in a race only the picture, as large as possible."""
        desk = self._page.session.dice
        upright = display.portrait
        self._add_many_dice_title(desk, decision, titled)
        if _has_no_slots(decision):
            beside = sum(len(one.rows) for one in self._page.session.scene().figures if isinstance(one, Throws))
            races = any(isinstance(one, Race) for one in self._page.session.scene().figures)
            low = 56 if desk.armed is not None else 84 if beside > 1 else _RACE_TRAY if races else 100
            self._add_tray(desk, dp(low + (10 if beside else 80) if upright else low))
            return
        slots = desk.slots()
        missing = any(slot.face for slot in slots) and not all(slot.face for slot in slots)
        grid = SlotGrid(slots, self._page.sides(), 38 if upright else 32, missing, pos_hint={"center_y": 0.5})
        row = HBox(grid, size_hint_y=None, height=max(grid.height, dp(72)), spacing=dp(12))
        if desk.camera is not None:
            tray = self.tray(0)
            tray.size_hint_x = 1
            row.add_widget(tray)
        self.add(row)

    def _add_many_dice_title(self, desk: DiceDesk, decision: Decision, titled: bool) -> None:
        """Add the dice notice, else the throw that a player has chosen, else the title if a figure took its place."""
        if desk.notice is not None:
            self.add(BoldText(text(desk.notice), kind="bouton", tone="laiton", halign="left"), spare=2)
        elif desk.armed is not None:
            self.add(BoldText(text(decision.title), kind="bouton", tone="laiton", halign="left", leading=0.95))
        elif titled:
            self._add_title(decision.title, decision.detail)

    def _add_tray(self, desk: DiceDesk, height: float, spare: int = 0) -> None:
        if desk.camera is None or not desk.camera.sees:
            return
        tray = self.tray(0)
        tray.size_hint_x, tray.size_hint_y, tray.height = 1, None, height
        self.add(tray, spare)

    def _add_face_counter(self, decision: Decision) -> None:
        """Add the faces of every kind of dice with a count each."""
        counter = face_count_rows(self._page.session, decision.dice, self._page.enter_manual_dice)
        counter.size_hint_y, counter.height = None, counter.tall
        memory = self._page.table_memory
        counter.restore(memory.entered_dice(decision.dice))
        counter.on_entered = partial(memory.remember_entered_dice, decision.dice)
        self.add(counter)

    def _add_tabs(self, scene: Scene, decision: Decision) -> None:
        """Add tabs above the centre if the acting side has several opponents, and a note if nothing is pending."""
        if not _has_several_opponents(scene, decision):
            return
        acting, picked = self._seated()
        opponents = [
            replace(one, crest=self._page.crests.get(one.side, "")) for one in scene.sides if one.side != acting
        ]
        self.add(OpponentTabs(self._page, opponents, picked))
        lanes = [figure for figure in scene.figures if isinstance(figure, Lanes)]
        if lanes and not any(_between(figure, picked) for figure in lanes):
            self.add(Text(translate("app.lanes.none"), tone="craie2", halign="left"))

    def _add_lanes(self, scene: Scene, lanes: Lanes) -> None:
        """Add the title (unless tabs name the opponent), the dice, and their total. Skips lanes of other opponents."""
        tabs = _has_several_opponents(scene, self._page.session.decision())
        if tabs and not _between(lanes, self._seated()[1]):
            return
        if not tabs:
            kind = "titre" if display.theme.roomy else "bouton"
            self.add(BoldText(text(lanes.title), kind=kind, halign="left", leading=0.95), spare=5)
        tones = {side.side: side.colour for side in scene.sides}
        # in landscape, the panels of two facing sides leave no height for the names of the colours
        headed = not tabs and (display.theme.roomy if display.portrait else self._page.has_scoreboard)
        dice = LanesFigure(lanes, tones, self._width, self._explain_die, self._fix_die, headed=headed)
        dice.frame_dice(self._dice.dice_to_pick_up)
        self.add(dice)
        explained = self._page.table_memory.reason() is not None
        self.add(self._lanes_foot(lanes, tones, tabs), spare=2 * explained)

    def _lanes_foot(self, lanes: Lanes, tones: dict[str, str], tabs: bool) -> Widget:
        """Return the total of the lanes with the tray picture, if there is one, in place of its words."""
        if not self._sees:
            return LanesTotal(lanes, tones, small=display.is_low or tabs)
        tray = self.tray(0)
        tray.size_hint_x = 1
        return HBox(LanesTotal(lanes, tones, small=True, spoken=False), tray, spacing=dp(12), tall=60)

    def _explain_die(self, die: LaneDie, _side: str) -> None:
        """Show the sentence about a die for a moment."""
        self._page.show_reason(Reason("", text(die.sentence), ""))

    def _fix_die(self, die: LaneDie, side: str) -> None:
        """Offer the possible faces of a die. A tap on one opens the preview of the correction."""
        session = self._page.session
        line = line_of(session, die.die, side)
        if line is None:
            return
        body = Grid(cols=4 if display.portrait else 7, spacing=dp(8), grows=True)
        was = Face(die.die.value, die.die.colour, die.die.symbol)
        for face in faces_of(session.game, session.state, die.die.kind):
            button = FaceButton(face, 44, die.die.kind, was=face == was, tall=_FACE)
            button.spoken = face_text(face)
            button.bind(on_tap=partial(self._on_face_chosen, session.sequence, line, die.die, face))
            body.add_widget(button)
        self._page.app.show_sheet(Sheet(translate("app.lanes.fix"), Scroller(body)))

    def _on_face_chosen(self, sequence: int, line: int, was: Die, face: Face, *_: object) -> None:
        self._page.app.close_sheet()
        session = self._page.session
        if sequence != session.sequence:  # the roll may have been undone
            self._page.changed()
            return
        fields = next(event.fields for event in session.ledger.events if event.line == line)
        now = Die(was.kind, face.value, face.colour, face.symbol)
        corrected = SPECS[session.game.id].with_corrected_die(session.state, fields, was, now)
        self._page.app.navigator.push(Route("correct", {"session": session, "line": line}, {"fields": corrected}))

    def _seated(self) -> tuple[str, str]:
        """Return the acting side and the opponent at the other edge."""
        left, right = self._page.order
        return (right.side, left.side) if self._page.app.preferences.swapped else (left.side, right.side)

    def _marks(self) -> dict[str, SideScene]:
        """Return the sides without their facts, so that changed facts do not rebuild the slots."""
        crests = self._page.crests
        return {
            side: replace(scene, stats=(), crest=crests.get(side, "")) for side, scene in self._page.sides().items()
        }

    def _fresh_picture(self) -> bytes:
        """Return the tray picture for a new state: the decoded one on the screen while it is fresh, else the newest."""
        since, picture = self._page.last_tray_picture
        return picture if Clock.get_time() - since < _FRESH_S else self._page.session.dice.picture


def tray_boxes(desk: DiceDesk) -> list[DieBox]:
    """Return a box for every die in the tray; in brass for an uncertain one, and for those to be thrown again."""
    to_throw = Counter(desk.dice_to_pick_up)
    boxes = []
    for placed in desk.placed_dice:
        die = as_die(placed.reading.kind, placed.reading.face)
        is_thrown_again = to_throw[die] > 0
        to_throw[die] -= is_thrown_again
        boxes.append(DieBox(placed.box, is_questioned=is_thrown_again or not placed.reading.certain))
    return boxes


def last_roll(session: Session) -> tuple[Die, ...]:
    """Return the numbered dice of the newest roll, if they are few enough for a line."""
    for event in reversed(session.ledger.events):
        dice = tuple(session.game.dice_from_event(event.fields))
        if dice:
            return dice if len(dice) <= _MAX_PURPOSE_LINES and all(die.value for die in dice) else ()
    return ()


def _beside_dice(line: BoldText, dice: Sequence[Die]) -> Widget:
    """Return a line of text with the dice of the newest roll, small, at its end."""
    marks = [face_mark(Face(die.value, die.colour, die.symbol), _LAST_DIE, die.kind) for die in dice]
    thrown = HBox(*marks, spacing=dp(4), size_hint=(None, None), pos_hint={"center_y": 0.5})
    thrown.size = (sum(mark.width for mark in marks) + dp(4) * (len(marks) - 1), dp(_LAST_DIE))
    thrown.spoken = " ".join((translate("app.table.last_roll"), *(str(die.value) for die in dice)))
    line.pos_hint = {"center_y": 0.5}
    row = HBox(line, thrown, size_hint_y=None, spacing=dp(12), height=dp(_LAST_DIE))
    line.fbind("height", lambda _, height: setattr(row, "height", max(height, dp(_LAST_DIE))))
    return row


def _earlier_slots(decision: Decision) -> tuple[Slot, ...]:
    """Return the slots of the dice that already count, with their faces."""
    return tuple(
        Slot(
            earlier_die.side,
            earlier_die.die.kind,
            False,
            earlier_die.purpose,
            Face(earlier_die.die.value, earlier_die.die.colour, earlier_die.die.symbol),
        )
        for earlier_die in decision.earlier_dice
    )


def _is_missing(slots: Sequence[Slot]) -> bool:
    """True if some dice were read and one that is due now is missing."""
    return any(slot.face for slot in slots) and not all(slot.face for slot in slots if slot.is_first)


def _slot_row(
    slots: Sequence[Slot], sides: dict[str, SideScene], missing: bool, side: float, height: float
) -> BoxLayout:
    """Return a row of dice rolled together, with space for the tray picture at the end."""
    return HBox(SlotRow(slots, sides, side, missing), Widget(), size_hint_y=None, spacing=dp(12), height=height)


def _slot_lines(slots: Sequence[Slot], sides: dict[str, SideScene], detail: str, least: float) -> BoxLayout:
    """Return lines of dice rolled one after the other, with space for the tray picture at the end."""
    row = HBox(size_hint_y=None, spacing=dp(12))
    lines = SlotLines(slots, sides, detail, pos_hint={"center_y": 0.5})
    lines.bind(height=lambda _, height: setattr(row, "height", max(height, least)))
    row.height = max(lines.height, least)
    row.add_widget(lines)
    return row


class ShortTitle(BoldText):
    """A brass line in the largest type that fits on one line. The smallest type wraps, or is cut if space is short.

    With `large` it stays in title type, wrapped, until space is short.
    """

    def __init__(self, title: str, available_width: float, large: bool = False, **kwargs: Any) -> None:
        super().__init__(title, tone="laiton", halign="left", leading=0.95, **kwargs)
        self._is_large = large
        if large:
            self.kind = "titre"
        else:
            self._shrink(available_width)

    def brief(self) -> bool:
        """Use smaller type, then cut the text to one line. Returns False if it is on one line."""
        if self.line_width <= self.width:
            return False
        if self._is_large:
            self._is_large = False
            self._shrink(self.width)
        else:
            self.text = self.beginning_of(self.text, self.width)
        return True

    def _shrink(self, available_width: float) -> None:
        for kind in ("bouton", "corps", "mini"):
            self.kind = kind
            if self.line_width <= available_width:
                break


def _line(icon: str, message: str) -> Widget:
    line = HBox(Icon(icon, side=26, tone="laiton", middle=True), spacing=dp(8), tall=40)
    label = Text(message, tone="laiton", halign="left", middle=True)
    label.bind(texture_size=lambda _, size: setattr(line, "height", max(dp(26), size[1])))
    line.add_widget(label)
    return line
