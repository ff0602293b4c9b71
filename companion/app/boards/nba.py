"""NBA's scoreboard panel, the only drawing that the game brings: court lines, sides, turn, score; for two to four."""

from __future__ import annotations

from typing import Any

from kivy.app import App
from kivy.metrics import dp
from kivy.uix.floatlayout import FloatLayout
from kivy.uix.widget import Widget

from companion.app.boards.footclub import ScoreLine, TeamCorner, brief
from companion.app.figures.placing import whenever_placed
from companion.app.figures.words import briefer, say
from companion.app.widgets.chalk import ChalkLines, Underlined
from companion.app.widgets.marks import SideBadge
from companion.app.widgets.text import Head, Text
from companion.games.base import SideScene
from companion.games.nba.scene import COLOURS, initial
from companion.games.nba.scene_board import BoardSide, NbaBoard

_CIRCLE = "a40 40 0 1 1 -80 0a40 40 0 1 1 80 0"
_COURT = f"M400 -10v140M-10 117h820M440 58{_CIRCLE}M-4 6a96 96 0 0 1 0 118M804 6a96 96 0 0 0 0 118"
_COURT_UPRIGHT = f"M225 -10v200M-10 153h470M271 104{_CIRCLE}M-4 30a84 84 0 0 1 0 120M454 30a84 84 0 0 0 0 120"


class NbaPanel(FloatLayout):
    """`order` are the sides at the left and the right edge; with three or four sides all of them stand in a row.

    `awaited` get the brass stroke.
    """

    def __init__(
        self,
        board: NbaBoard,
        order: tuple[SideScene, SideScene],
        awaited: tuple[str, ...],
        before: tuple[int, ...] | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self._upright = App.get_running_app().portrait
        path, width, height = (_COURT_UPRIGHT, 450, 156) if self._upright else (_COURT, 800, 120)
        self.add_widget(
            ChalkLines(path=path, view_width=width, view_height=height, strength=0.24, pos_hint={"x": 0, "y": 0})
        )
        roomy = App.get_running_app().theme.roomy
        self._turn = Head(turn_words(board, order), kind="corps" if roomy else "mini", flow="line", leading=0.9)
        self.add_widget(self._turn)
        ids = [side.side for side in board.sides]
        self._score: ScoreLine | None = None
        self._wide = False
        self._corners: list[Any] = []
        if len(board.sides) == 2:
            for place, scene in enumerate(order):
                side = board.sides[ids.index(scene.side)]
                corner = TeamCorner(False, numbers(side), scene.name, scene.colour, scene.letter, place == 1)
                corner.awaited(scene.side in awaited)
                self._corners.append(corner)
            at = [ids.index(scene.side) for scene in order]
            self._score = ScoreLine([board.score[place] for place in at])
            self._wide = max(board.score) > 99  # three figures reach further to both sides
            if self._wide and self._upright:
                self._score.shrink(0.75)
            self.add_widget(self._score)
            if before is not None:
                self._score.write_in([before[place] != board.score[place] for place in at])
        else:
            for place, side in enumerate(board.sides):
                self._corners.append(SideColumn(side, COLOURS[place], side.side in awaited))
        for corner in self._corners:
            self.add_widget(corner)
        whenever_placed(self, self._place)
        self._turn.fbind("size", self._place)

    def _place(self, *_: object) -> None:
        low = self.height < dp(110)
        self._turn.center_x = self.center_x
        self._turn.top = self.top - dp(8 if self._upright else (2 if low else 7))
        if self._score is None:
            wide = self.width / len(self._corners)
            for place, corner in enumerate(self._corners):
                corner.size = (wide, self.height - dp(24))
                corner.pos = (self.x + place * wide, self.y)
                corner.arrange()
            return
        self._score.center_x = self.center_x
        self._score.center_y = self.top - dp(112 if self._upright else (62 if low else 70))
        room = self.width / 2 if self._upright else (self.width - dp(300 if self._wide else 210)) / 2
        for place, corner in enumerate(self._corners):
            corner.size = (room, self.height - (dp(34) if self._upright else 0))
            corner.pos = (self.x if place == 0 else self.right - room, self.y)
            corner.arrange(low)
        if self._upright and any(corner.tall for corner in self._corners):
            if not self._wide:
                self._score.shrink(0.8)
                self._wide = True
            self._score.center_y = self.top - dp(120)


def turn_words(board: NbaBoard, order: tuple[SideScene, SideScene]) -> str:
    """Which turn it is, in words; with three or four sides also how the two at the edges stand against each other."""
    if board.phase == "over":
        found = [say("app.nba.over")]
    elif board.phase == "tied":
        found = [say("app.nba.tied")]
    elif board.ultimate:
        found = [say("app.nba.ultimate")]
    elif board.limit is None:
        found = [say("app.nba.turn", turn=board.turn)]
    else:
        found = [say("app.nba.turn_of", turn=board.turn, limit=board.limit)]
    if board.period:
        found.insert(0, say("app.nba.overtime", number=board.period))
    if board.money_time and board.phase != "over":
        found.append(say("app.nba.money_time"))
    if len(board.sides) > 2:
        left, right = order
        match = next(match for match in board.matches if set(match.sides) == {left.side, right.side})
        points = dict(zip(match.sides, match.points, strict=True))
        names = {"left": brief(left.name, left.letter), "right": brief(right.name, right.letter)}
        found.append(say("app.nba.match", **names, mine=points[left.side], theirs=points[right.side]))
    return say("app.nba.between").join(found)


def numbers(side: BoardSide) -> tuple[tuple[str, str], ...]:
    """What stands under a side's name: words and number, the most needed first."""
    found = []
    if side.solo:
        found.append((say("app.nba.machine"), ""))
    if side.collective is not None and side.rebounds is not None:
        found.append((say("app.nba.level"), str(side.collective)))
        found.append((say("app.nba.rebounds"), str(side.rebounds)))
    return tuple(found)


class SideColumn(Widget):
    """One of three or four sides: badge, name, points, level and rebounds."""

    def __init__(self, side: BoardSide, colour: str, awaited: bool, **kwargs: Any) -> None:
        super().__init__(size_hint=(None, None), **kwargs)
        self._full = side.name
        self._badge = SideBadge(side=26, colour=colour, letter=initial(side.name))
        stroke = "laiton" if awaited else ""
        self._name = Underlined(side.name, kind="bouton", stroke=stroke, leading=0.88, flow="free")
        self._points = Head(str(side.score), kind="fort", flow="line", leading=0.82)
        words = "  ".join(" ".join(part for part in pair if part) for pair in numbers(side))
        self._facts = Text(words, kind="mini", tone="craie2", flow="line")
        for piece in (self._badge, self._name, self._points, self._facts):
            self.add_widget(piece)

    def arrange(self) -> None:
        """Name over points over facts, all in the middle; what finds no room goes."""
        room = self.width - self._badge.width - dp(16)
        self._fit_name(room)
        theme = App.get_running_app().theme
        wraps = self._name.height > dp(30)
        self._points.font_size = dp(theme.sizes["grand" if wraps else "fort"])  # large enough for every text size
        middle = self.top - max(dp(26), self._name.height) / 2 - dp(2)
        wide = self._badge.width + dp(6) + self._name.width
        self._badge.pos = (round(self.center_x - wide / 2), round(middle - self._badge.height / 2))
        self._name.pos = (round(self._badge.right + dp(6)), round(middle - self._name.height / 2))
        for piece in (self._points, self._facts):
            piece.texture_update()
            piece.size = piece.texture_size
        below = middle - max(dp(26), self._name.height) / 2 - dp(4)
        self._points.pos = (round(self.center_x - self._points.width / 2), round(below - self._points.height))
        below = self._points.y - self._facts.height
        self._facts.pos = (round(self.center_x - self._facts.width / 2), round(below))
        fits = below >= self.y and self._facts.width <= self.width - dp(6)
        self._facts.opacity = 1.0 if fits else 0.0

    def _fit_name(self, room: float) -> None:
        """On one line where the panel is low; a name that finds no room at all leaves its badge."""
        name = self._name
        tall = self.height > dp(88)
        for words in (*(short for short in briefer(self._full) if tall or "\n" not in short), ""):
            for kind in ("bouton", "corps", "mini"):
                name.text, name.kind, name.text_size = words, kind, (None, None)
                name.texture_update()
                name.size = name.texture_size
                if name.width <= room:
                    return
