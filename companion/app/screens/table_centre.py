"""The centre of the table: headline, figures in the game's order, choices of either player, then slots and tray."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from kivy.app import App
from kivy.clock import Clock
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout
from kivy.uix.widget import Widget

from companion.app.asks.faces import FaceRows, can_tell, die_rows, face_word
from companion.app.asks.mending import mend_newest
from companion.app.figures.chances import ChancesFigure, is_promise
from companion.app.figures.choice import ChoiceButton
from companion.app.figures.column import KeptColumn, Spring
from companion.app.figures.duel import DuelFigure
from companion.app.figures.headline import HeadlineFigure
from companion.app.figures.notice import notice_of
from companion.app.figures.odds import OddsFigure
from companion.app.figures.ruler import RulerFigure
from companion.app.figures.slots import SlotLines, SlotRow
from companion.app.figures.throws import RaceFigure, ThrowsFigure
from companion.app.figures.total import SumFigure
from companion.app.figures.tray import Boxed, Photograph, ThrowingTray, TouchedPhotograph
from companion.app.figures.words import say, text
from companion.app.screens import table_lanes, table_throws
from companion.app.screens.table_edge import Offer, offer_button
from companion.app.widgets.marks import Icon
from companion.app.widgets.text import Head, Text
from companion.games.base import Awaits, Scene, SideScene
from companion.games.figures import Duel, Figure, Headline, Lanes, Notice, OddsBar, Race, Ruler, Sum, Throws
from companion.table.dice import DiceDesk, Slot

if TYPE_CHECKING:
    from companion.app.screens.table import TablePage

_FRESH = 0.3
"""Seconds for which a picture of the tray is fresh: some pictures' time."""
_LONG_PURPOSE = 3
"""So many dice stand each on a line with their purpose; more stand side by side."""


@dataclass(frozen=True, slots=True)
class Around:
    """What the widget of a figure depends on besides the figure itself."""

    before: Figure | None
    crowded: bool
    thrown: bool
    by_the_dozen: bool
    typing: bool
    low: bool
    first_odds: OddsBar | None
    tones: dict[str, str]


Shown = tuple[Callable[..., Widget], tuple[Any, ...], dict[str, Any], int]
"""A widget's maker, its arguments and options, and how readily it is left out where room is short (0: never)."""


def _show_headline(figure: Headline, around: Around) -> Shown:
    return HeadlineFigure, (figure,), {"compact": around.crowded}, 4 if around.thrown else 0


def _show_throws(figure: Throws, around: Around) -> Shown:
    return ThrowsFigure, (figure, around.tones), {"low": around.low}, 0


def _show_race(figure: Race, around: Around) -> Shown:
    return RaceFigure, (figure, around.tones), {}, 0


def _show_sum(figure: Sum, around: Around) -> Shown:
    spare = 7 if around.by_the_dozen else 2 if around.typing else 0
    return SumFigure, (figure, around.tones), {"small": around.low}, spare


def _show_odds(figure: OddsBar, around: Around) -> Shown:
    spare = 5 if around.typing else 1 if figure is around.first_odds else 2
    return OddsFigure, (figure, around.tones), {"bare": isinstance(around.before, Ruler)}, spare


def _show_ruler(figure: Ruler, around: Around) -> Shown:
    if is_promise(figure):
        return ChancesFigure, (figure, around.tones), {}, 2 if around.before is not None else 0
    return RulerFigure, (figure, around.tones), {}, 0


def _show_notice(figure: Notice, around: Around) -> Shown:
    spare = 6 if around.thrown or around.by_the_dozen else 1
    return notice_of, ("", text(figure.text), figure.rule or ""), {}, spare


FIGURES: dict[type[Figure], Callable[[Any, Around], Shown]] = {
    Headline: _show_headline,
    Throws: _show_throws,
    Race: _show_race,
    Sum: _show_sum,
    OddsBar: _show_odds,
    Ruler: _show_ruler,
    Notice: _show_notice,
}
"""How each type of figure is shown. A `Duel` and `Lanes` take part in the page and are added by the centre itself."""


class Centre(KeptColumn):
    """`photograph` is the picture of the tray, if it is shown."""

    def __init__(
        self,
        page: TablePage,
        scene: Scene,
        awaits: Awaits,
        offers: Sequence[Offer],
        before: Centre | None = None,
        **kwargs: Any,
    ) -> None:
        """`before` is the centre drawn last: figures that it has already are taken over from it."""
        app = App.get_running_app()
        super().__init__(
            padding=(dp(16 if app.portrait else 12), dp(8)), spacing=dp(10 if app.portrait else 8), **kwargs
        )
        self._page, self._scene, self._awaits = page, scene, awaits
        self._dice: DiceDesk = page.session.dice
        self._low = not app.portrait and app.room.height < dp(460)
        self.photograph: Photograph | None = None
        self.take_over(before)
        self._add_figures(offers)
        if offers and not self._duelling:
            self.add(self._offers(offers))
        self.add(Spring())
        reason = page.kept.reason()
        if reason is not None:
            self.add(notice_of(reason.title, reason.text, reason.rule))
        self._add_dice(crowded=reason is not None)

    @property
    def _tones(self) -> dict[str, str]:
        return {scene.side: scene.colour for scene in self._scene.sides}

    @property
    def _typing(self) -> bool:
        """Rows of faces stand in for the slots: no camera answers, or a player wants to tell the dice."""
        camera = self._dice.camera
        blind = camera is None or not camera.present
        return (blind or self._page.kept.typing) and can_tell(self._awaits.dice)

    @property
    def _duelling(self) -> bool:
        """A duel has the choices of either player between its columns."""
        return any(isinstance(figure, Duel) for figure in self._scene.figures)

    def _add_figures(self, offers: Sequence[Offer]) -> None:
        figures = self._scene.figures
        headed = any(isinstance(figure, Headline | Lanes) for figure in figures)
        table_lanes.add_tabs(self, self._page, self._scene, self._awaits)
        if not headed:
            quiet = self._awaits.dice or (self._awaits.choices and not self._duelling)
            tone = "craie" if quiet else "laiton"
            title = Headline(self._awaits.title, self._awaits.detail)
            self.figure(HeadlineFigure, title, tone=tone, compact=self._duelling, spare=2 * self._duelling)
        crowded = any(isinstance(figure, Sum) for figure in figures) and bool(self._awaits.dice)
        before: Figure | None = None
        for figure in figures:
            if isinstance(figure, Duel):
                self._add_duel(figure, offers)
            elif isinstance(figure, Lanes):
                table_lanes.add_lanes(self, self._page, self._scene, figure)
            else:
                self._add_figure(figure, before, crowded)
            before = figure

    def _add_figure(self, figure: Figure, before: Figure | None, crowded: bool) -> None:
        """Show a figure by `FIGURES`; `before` is the one above it."""
        shown = FIGURES.get(type(figure))
        if shown is None:
            return
        figures = self._scene.figures
        around = Around(
            before=before,
            crowded=crowded or any(isinstance(other, Race) for other in figures),
            thrown=any(isinstance(other, Throws) for other in figures),
            by_the_dozen=table_throws.by_the_dozen(self._awaits),
            typing=self._typing,
            low=self._low,
            first_odds=next((other for other in figures if isinstance(other, OddsBar)), None),
            tones=self._tones,
        )
        make, args, options, spare = shown(figure, around)
        self.figure(make, *args, spare=spare, **options)

    def _add_duel(self, figure: Duel, offers: Sequence[Offer]) -> None:
        order = [side.side for side in self._page.order]
        explained = self._page.kept.reason() is not None
        duel = DuelFigure(figure, order, self._tones, [self._offer(offer) for offer in offers])
        self.add(duel, spare=int(explained))

    def _offers(self, offers: Sequence[Offer]) -> Widget:
        grid = GridLayout(cols=min(2, len(offers)), spacing=dp(8), size_hint_y=None)
        for offer in offers:
            grid.add_widget(self._offer(offer))
        grid.bind(minimum_height=grid.setter("height"))
        return grid

    def _offer(self, offer: Offer) -> ChoiceButton:
        return offer_button(offer, least=52 if self._duelling else 58)

    # The dice

    def _add_dice(self, crowded: bool) -> None:
        headed = any(isinstance(figure, Headline | Lanes) for figure in self._scene.figures)
        if not self._awaits.dice:
            if headed and not crowded:
                self._add_title(self._awaits.title, self._awaits.detail)
            if self._dice.camera is None or self._dice.camera.present:
                self._add_dice_notice(spare=3)
            return
        if self._typing:
            self._add_rows()
            return
        if table_lanes.is_many(self._awaits.dice):
            self._add_open_dice()
            return
        if table_throws.by_the_dozen(self._awaits):
            table_throws.add_dice(self, self._page, self._awaits, titled=headed)
            return
        self._add_slots(spare=9 if crowded else 0)

    def _add_title(self, title: Any, detail: Any) -> None:
        self.add(Head(text(title), kind="titre", tone="laiton", halign="left", leading=0.95), spare=4)
        if detail is not None:
            self.add(Text(text(detail), tone="craie2", halign="left"), spare=6)

    def _add_dice_notice(self, spare: int = 0) -> None:
        if self._dice.notice is not None:
            self.add(Text(text(self._dice.notice), tone="laiton", halign="left"), spare)

    def _add_rows(self) -> None:
        rows = die_rows(self._page.session, self._awaits.dice)
        camera = self._dice.camera
        if camera is not None and not camera.present:
            words = say("app.table.camera_silent", n=len(rows))
            self.add(_line("camoff", words), spare=3)
        elif self._dice.notice is not None:
            self._add_dice_notice(spare=3)
        else:
            self.add(Head(text(self._awaits.title), kind="bouton", tone="laiton", halign="left"), spare=3)
        if table_throws.by_the_dozen(self._awaits):
            table_throws.add_told(self, self._page, self._awaits)
            return
        told = [slot.face for slot in self._dice.slots()][: len(rows)]
        face_rows = self.figure(FaceRows, rows, _marks(self._page), self._page.enter_dice)
        assert isinstance(face_rows, FaceRows)
        face_rows.start(told)

    def _add_open_dice(self) -> None:
        """Dice whose number the players choose: what is said of them, and the tray where there is room."""
        upright = App.get_running_app().portrait
        self._add_dice_notice(spare=1)
        if self._dice.camera is None or not self._dice.camera.present:
            return
        row = BoxLayout(size_hint_y=None, height=dp(130 if upright else 84), spacing=dp(12))
        row.add_widget(Text(text(self._awaits.detail), tone="craie2", flow="box", halign="left"))
        row.add_widget(self.tray(dp(212 if upright else 150)))
        self.add(row, spare=8 if any(isinstance(figure, Lanes) for figure in self._scene.figures) else 0)

    def _add_slots(self, spare: int) -> None:
        slots = self._dice.slots()
        sides = _marks(self._page)
        in_turn = len({await_.order for await_ in self._awaits.dice}) > 1
        missing = _is_missing(slots)
        upright = App.get_running_app().portrait
        if not in_turn:
            self._add_slots_title(missing, spare)
        if in_turn and len(slots) <= _LONG_PURPOSE:
            said = self._dice.notice or self._awaits.detail
            row = self.figure(_slot_lines, slots, sides, text(said), dp(100 if upright else 85), spare=spare)
            wide = dp(163 if upright else 150)
        else:
            looks = (84, dp(130)) if upright else (66, dp(69))
            row = self.figure(_slot_row, slots, sides, missing, *looks, spare=spare)
            wide = dp(212 if upright else 112)
        self._renew_tray(row, wide)

    def _renew_tray(self, row: Widget, wide: float) -> None:
        """Put the present picture of the tray in place of the one in a row that was taken over."""
        for tray in [child for child in row.children if isinstance(child, Photograph)]:
            row.remove_widget(tray)
        if self._dice.camera is not None:
            row.add_widget(self.tray(wide))

    def _add_slots_title(self, missing: bool, spare: int) -> None:
        """The notice of the dice, or what is awaited where a figure has taken the title's place."""
        if self._dice.notice is not None:
            kind = "titre" if missing else "bouton"
            self.add(Head(text(self._dice.notice), kind=kind, tone="laiton", halign="left", leading=0.95), spare)
        elif any(isinstance(figure, Headline) for figure in self._scene.figures):
            self._add_title(self._awaits.title, self._awaits.detail)

    def tray(self, wide: float) -> Photograph:
        """The picture of the tray, `wide` pixels; where dice are simulated, to tap."""
        lying = self._dice.lying
        old = [die for die in lying if die.old]
        caption = ""
        if self._dice.picture and not lying:
            caption = say("app.table.tray_empty")
        elif old and len(old) == len(lying):
            faces = [face_word(die.reading.face) for die in old]
            many = say("app.throws.read", n=len(old))
            caption = (
                many
                if len(old) > _LONG_PURPOSE
                else say("app.table.already_read", faces=say("app.table.and").join(faces))
            )
        boxes = [Boxed(die.box, asked=not die.reading.certain) for die in lying]
        size = self._dice.picture_size
        if self._dice.simulated:
            tray = ThrowingTray(
                jpeg=_fresh_picture(self._page), boxes=boxes, caption=say("app.table.throw_here"), boxes_in=size
            )
            tray.bind(on_tap=lambda *_: self._dice.throw())
            self.photograph = tray
        else:
            self.photograph = TouchedPhotograph(
                jpeg=_fresh_picture(self._page),
                boxes=boxes,
                caption=caption,
                boxes_in=size,
                spoken=caption or say("app.mend.picture"),
            )
            self.photograph.bind(on_tap=lambda *_: mend_newest(self._page) if old else None)
        self.photograph.size_hint_x, self.photograph.width = None, wide
        return self.photograph


def _is_missing(slots: Sequence[Slot]) -> bool:
    """True if some dice were read and one that is due now is still missing."""
    return any(slot.face for slot in slots) and not all(slot.face for slot in slots if slot.now)


def _marks(page: TablePage) -> dict[str, SideScene]:
    """The sides as far as dice are marked with them: what else is known of a side makes no other slots."""
    return {side: replace(scene, facts=()) for side, scene in page.sides().items()}


def _fresh_picture(page: TablePage) -> bytes:
    """The tray for a state that is drawn now: the picture on the screen while that is fresh, to be decoded but once."""
    since, picture = page.shown
    return picture if Clock.get_time() - since < _FRESH else page.session.dice.picture


def _slot_row(
    slots: Sequence[Slot], sides: dict[str, SideScene], missing: bool, side: float, height: float
) -> BoxLayout:
    """Dice thrown together, and room for the tray at the end."""
    row = BoxLayout(size_hint_y=None, spacing=dp(12), height=height)
    row.add_widget(SlotRow(slots, sides, side, missing))
    row.add_widget(Widget())
    return row


def _slot_lines(slots: Sequence[Slot], sides: dict[str, SideScene], said: str, least: float) -> BoxLayout:
    """Dice thrown one after the other, and room for the tray at the end."""
    row = BoxLayout(size_hint_y=None, spacing=dp(12))
    lines = SlotLines(slots, sides, said, pos_hint={"center_y": 0.5})
    lines.bind(height=lambda _, height: setattr(row, "height", max(height, least)))
    row.height = max(lines.height, least)
    row.add_widget(lines)
    return row


def _line(icon: str, words: str) -> Widget:
    line = BoxLayout(size_hint_y=None, spacing=dp(8))
    line.add_widget(Icon(icon, side=26, tone="laiton", pos_hint={"center_y": 0.5}))
    label = Text(words, tone="laiton", halign="left", pos_hint={"center_y": 0.5})
    label.bind(texture_size=lambda _, size: setattr(line, "height", max(dp(26), size[1])))
    line.add_widget(label)
    line.height = dp(40)
    return line
