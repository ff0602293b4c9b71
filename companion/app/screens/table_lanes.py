"""Dice in lanes on the table: tabs for several opponents, what a touched die says, how it is corrected."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from kivy.app import App
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout
from kivy.uix.widget import Widget

from companion.app.asks.faces import FaceButton, face_word
from companion.app.asks.told import state_before
from companion.app.boards.pieces import brief
from companion.app.figures.lanes import LanesFigure, Reckoning
from companion.app.figures.words import say, text
from companion.app.page import Place
from companion.app.screens.table_memory import Reason
from companion.app.widgets.framed import Framed
from companion.app.widgets.marks import SideBadge
from companion.app.widgets.marks_nba import KINDS
from companion.app.widgets.pieces import Scroller
from companion.app.widgets.sheet import Sheet
from companion.app.widgets.tap import Tap
from companion.app.widgets.text import Head, Name, Text
from companion.games.base import Awaits, DiceAwait, Die, Scene, SideScene
from companion.games.figures import LaneDie, Lanes
from companion.games.nba.throws import mended
from companion.table.session import Session
from companion.table.throws import faces_of
from vision.roll import Face

if TYPE_CHECKING:
    from companion.app.screens.table import TablePage
    from companion.app.screens.table_centre import Centre

_FACE = 58


def is_many(dice: Sequence[DiceAwait]) -> bool:
    """Whether dice are thrown by the dozen, or as many as players like, so that no slots can stand for them."""
    return any(await_.kind in KINDS or (await_.least is not None and not await_.apart) for await_ in dice)


class OpponentTabs(BoxLayout):
    """One tab for each opponent of the side whose turn it is; the one that holds stands at the other edge."""

    def __init__(self, page: TablePage, opponents: Sequence[SideScene], picked: str, **kwargs: Any) -> None:
        super().__init__(size_hint_y=None, height=dp(52), spacing=dp(6), **kwargs)
        for scene in opponents:
            tab = Tab(scene, scene.side == picked)
            tab.bind(on_tap=lambda _, side=scene.side: page.pick_opponent(side))
            self.add_widget(tab)


class Tab(Tap, Framed, BoxLayout):
    """A side's badge and name; `on` fills it with the side's colour."""

    def __init__(self, scene: SideScene, on: bool, **kwargs: Any) -> None:
        super().__init__(padding=(dp(7), dp(2)), spacing=dp(5), spoken=scene.name, **kwargs)
        tone = App.get_running_app().theme.sides[scene.colour]
        self.line, self.fill = tone.main, tone.main if on else (0, 0, 0, 0)
        badge = SideBadge(side=24, colour=scene.colour, letter=scene.letter, pos_hint={"center_y": 0.5})
        words = brief(scene.name, "")
        name = Name(words, halign="left", tone="encre" if on else "craie")
        for piece in (badge, name) if words else (Widget(), badge, Widget()):
            self.add_widget(piece)


def _tell(page: TablePage, die: LaneDie, _side: str) -> None:
    """The sentence about a die, for a moment."""
    page.tell(Reason("", text(die.says), ""))


def _fix(page: TablePage, die: LaneDie, side: str) -> None:
    """The faces that the die may have shown; one of them leads to what would change."""
    session = page.session
    line = line_of(session, die.die, side)
    if line is None:
        return
    body = GridLayout(cols=4 if App.get_running_app().portrait else 7, spacing=dp(8), size_hint_y=None)
    body.bind(minimum_height=body.setter("height"))
    was = Face(die.die.value, die.die.colour, die.die.symbol)
    for face in faces_of(session.game, session.state, die.die.kind):
        button = FaceButton(face, 44, die.die.kind, was=face == was, size_hint_y=None, height=dp(_FACE))
        button.spoken = face_word(face)
        button.bind(on_tap=partial(_told, page, line, die.die, face))
        body.add_widget(button)
    scroller = Scroller()
    scroller.add_widget(body)
    page.app.lay(Sheet(say("app.lanes.fix"), scroller))


def line_of(session: Session, die: Die, side: str) -> int | None:
    """The line of the newest roll of a side in which this die lay."""
    game = session.game
    for event in reversed(session.ledger.standing):
        if die not in game.dice(event.fields):
            continue
        if side in game.awaits(state_before(session, event.line)).sides:
            return int(event.line)
    return None


def _told(page: TablePage, line: int, was: Die, face: Face, *_: object) -> None:
    page.app.lift()
    session = page.session
    fields = next(event.fields for event in session.ledger.standing if event.line == line)
    now = Die(was.kind, face.value, face.colour, face.symbol)
    corrected = mended(session.state.setup.dice_set, fields, was, now)
    page.app.room.go(Place("correct", {"session": session, "line": line}, {"fields": corrected}))


def add_tabs(centre: Centre, page: TablePage, scene: Scene, awaits: Awaits) -> None:
    """Tabs over the centre where the acting side has several opponents, and a word where nothing is pending."""
    if not _several(scene, awaits):
        return
    acting, picked = _seated(page)
    centre.add(OpponentTabs(page, [one for one in scene.sides if one.side != acting], picked))
    lanes = [figure for figure in scene.figures if isinstance(figure, Lanes)]
    if lanes and not any(_between(figure, picked) for figure in lanes):
        centre.add(Text(say("app.lanes.none"), tone="craie2", halign="left"))


def add_lanes(centre: Centre, page: TablePage, scene: Scene, lanes: Lanes) -> None:
    """The title, unless tabs name the opponent, the dice, and what they come to; nothing of another opponent."""
    app = App.get_running_app()
    tabs = _several(scene, page.session.awaits())
    if tabs and not _between(lanes, _seated(page)[1]):
        return
    if not tabs:
        kind = "titre" if app.theme.roomy else "bouton"
        centre.add(Head(text(lanes.title), kind=kind, halign="left", leading=0.95), spare=1)
    tones = {side.side: side.colour for side in scene.sides}
    room = app.room.width - dp(32 if app.portrait else 2 * 204 + 24)
    centre.add(LanesFigure(lanes, tones, room, partial(_tell, page), partial(_fix, page)))
    low = not app.portrait and app.room.height < dp(460)
    centre.add(Reckoning(lanes, tones, small=low or tabs), spare=2)


def _several(scene: Scene, awaits: Awaits) -> bool:
    return len(scene.sides) > 2 and len(awaits.sides) == 1


def _seated(page: TablePage) -> tuple[str, str]:
    """The side that acts and the opponent at the other edge."""
    left, right = page.order
    return (right.side, left.side) if page.app.preferences.swapped else (left.side, right.side)


def _between(lanes: Lanes, opponent: str) -> bool:
    return lanes.between is None or opponent in lanes.between
