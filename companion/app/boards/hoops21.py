"""hoops21's scoreboard panel: the score over the court's track, with baskets, arcs, the pawn and where it may go."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kivy.app import App
from kivy.clock import Clock
from kivy.metrics import dp
from kivy.uix.floatlayout import FloatLayout
from kivy.uix.widget import Widget

from companion.app.boards.footclub import ClockLine, ScoreLine, TeamCorner
from companion.app.boards.track import Track
from companion.app.figures.words import say
from companion.app.widgets.chalk import ChalkLines
from companion.games.base import SideScene
from companion.games.hoops21.scene_board import BoardSide, HoopsBoard
from companion.games.hoops21.tables import DICE

_TRACK = {False: 44, True: 60}
"""Height of the track in dp, lying and upright."""
_MIDDLE = 230
_COURT = "M400 -30v140M442 60a42 42 0 1 1 -84 0a42 42 0 1 1 84 0"
_COURT_UPRIGHT = (
    "M225 -10v166M271 104a46 46 0 1 1 -92 0a46 46 0 1 1 92 0M-4 30c70 0 70 116 0 116M454 30c-70 0-70 116 0 116"
)


class HoopsPanel(FloatLayout):
    """`order` are the sides from left to right; `awaited` get the brass stroke; `before` is the score drawn last."""

    def __init__(
        self,
        board: HoopsBoard,
        order: tuple[SideScene, SideScene],
        awaited: tuple[str, ...],
        before: tuple[int, ...] | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self._upright = App.get_running_app().portrait
        view = {"path": _COURT_UPRIGHT, "view_width": 450} if self._upright else {"path": _COURT, "view_width": 800}
        tall = 156 if self._upright else 114
        self._lines = ChalkLines(**view, view_height=tall, strength=0.22, size_hint=(None, None))
        self.add_widget(self._lines)
        self._track = Track(size_hint=(None, None))
        self.add_widget(self._track)
        self._parts: dict[str, tuple[Any, Widget]] = {}
        self._place_soon = Clock.create_trigger(self._place, -1)
        for name in ("pos", "size"):
            self.fbind(name, self._place_soon)
        self.show(board, order, awaited, before)

    def show(
        self,
        board: HoopsBoard,
        order: tuple[SideScene, SideScene],
        awaited: tuple[str, ...],
        before: tuple[int, ...] | None = None,
    ) -> None:
        """Another state of the same match: only the parts that differ are made anew."""
        names = [side.side for side in board.sides]
        at = [names.index(scene.side) for scene in order]
        for place, scene in enumerate(order):
            under = under_name(board.sides[at[place]])
            made_of = (False, under, scene.name, scene.colour, scene.letter, place == 1)
            team = self._part(f"team {place}", made_of, TeamCorner)
            team.awaited(scene.side in awaited)
        self._part("clock", (clock_words(board), "", 0, None), ClockLine)
        score = tuple(board.score[place] for place in at)
        fresh = before is not None and tuple(before[place] for place in at) != score
        line = self._part("score", score, lambda *numbers: ScoreLine(list(numbers)))
        if fresh and before is not None:
            line.write_in([before[place] != board.score[place] for place in at])
        self._track.show(board, mirrored=order[0].side != names[0])

    def _part(self, name: str, made_of: tuple[Any, ...], make: Callable[..., Any]) -> Any:
        known = self._parts.get(name)
        if known is not None and known[0] == made_of:
            return known[1]
        if known is not None:
            self.remove_widget(known[1])
        part = make(*made_of)
        part.fbind("size", self._place_soon)
        self.add_widget(part)
        self._parts[name] = (made_of, part)
        self._place_soon()
        return part

    def _place(self, *_: object) -> None:
        low = self.height < dp(150)
        strip = dp(_TRACK[self._upright])
        self._lines.pos, self._lines.size = (self.x, self.y + strip), (self.width, self.height - strip)
        self._track.pos = (self.x + dp(10), self.y + dp(4))
        self._track.size = (self.width - dp(20), strip)
        clock, score = self._parts["clock"][1], self._parts["score"][1]
        clock.center_x = score.center_x = self.center_x
        clock.center_y = self.top - dp(19 if self._upright else (14 if low else 18))
        score.center_y = self.top - dp(112 if self._upright else (67 if low else 70))
        room = self.width / 2 if self._upright else (self.width - dp(_MIDDLE)) / 2
        for place in (0, 1):
            team: Any = self._parts[f"team {place}"][1]
            team.size = (room, self.height - strip - (dp(34) if self._upright else 0))
            team.pos = (self.x if place == 0 else self.right - room, self.y + strip)
            team.arrange(low)


def clock_words(board: HoopsBoard) -> str:
    """The points that win; once they are won, the end."""
    if board.winner is not None:
        return say("app.board.finished")
    return say("app.hoops21.board.target", n=board.target)


def under_name(side: BoardSide) -> tuple[tuple[str, str], ...]:
    """What stands under a team's name: its role, the token, and the dice it throws if one is held back."""
    found = []
    if side.role is not None:
        found.append((say(f"app.hoops21.board.{side.role}"), ""))
    if side.token:
        found.append(("", say("app.hoops21.board.token")))
    if side.dice != DICE:
        found.append((say("app.hoops21.board.dice", n=side.dice), ""))
    return tuple(found)
