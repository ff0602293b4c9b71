"""FootClub's scoreboard panel, the only drawing that the game brings: pitch lines, clubs, half and turn, score."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kivy.animation import Animation
from kivy.app import App
from kivy.clock import Clock
from kivy.graphics import Color
from kivy.graphics.vertex_instructions import RoundedRectangle
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.floatlayout import FloatLayout
from kivy.uix.widget import Widget

from companion.app.figures.placing import whenever_placed
from companion.app.figures.words import at_hyphen, briefer, say
from companion.app.theme import faded
from companion.app.widgets.chalk import ChalkLines, Underlined
from companion.app.widgets.marks import Icon, SideBadge
from companion.app.widgets.text import Head, Text
from companion.games.base import SideScene
from companion.games.footclub.scene_board import BoardSide, FootClubBoard

_MIDDLE = 210
_CIRCLE = "a46 46 0 1 1 -92 0a46 46 0 1 1 92 0"
_PITCH = f"M400 -30v190M-10 117h820M446 66{_CIRCLE}M-4 92a26 26 0 0 1 30 25M804 92a26 26 0 0 0-30 25"
_PITCH_UPRIGHT = f"M225 -10v200M-10 153h470M271 104{_CIRCLE}M-4 128a26 26 0 0 1 30 25M454 128a26 26 0 0 0-30 25"


class FootClubPanel(FloatLayout):
    """`order` are the sides from left to right; `awaited` get the brass stroke; `before` is the score drawn last."""

    def __init__(
        self,
        board: FootClubBoard,
        order: tuple[SideScene, SideScene],
        awaited: tuple[str, ...],
        before: tuple[int, ...] | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self._upright = App.get_running_app().portrait
        if self._upright:
            lines = ChalkLines(
                path=_PITCH_UPRIGHT, view_width=450, view_height=156, strength=0.24, pos_hint={"x": 0, "y": 0}
            )
        else:
            lines = ChalkLines(path=_PITCH, view_width=800, view_height=120, strength=0.24, pos_hint={"x": 0, "y": 0})
        self.add_widget(lines)
        self._parts: dict[str, tuple[Any, Widget]] = {}
        self._place_soon = Clock.create_trigger(self._place, -1)
        for name in ("pos", "size"):
            self.fbind(name, self._place_soon)
        self.show(board, order, awaited, before)

    def show(
        self,
        board: FootClubBoard,
        order: tuple[SideScene, SideScene],
        awaited: tuple[str, ...],
        before: tuple[int, ...] | None = None,
    ) -> None:
        """Another state of the same match: only the parts that differ are made anew."""
        clubs = {club.side: club for club in board.clubs}
        for place, scene in enumerate(order):
            club = clubs[scene.side]
            made_of = (club.home, club_numbers(club), scene.name, scene.colour, scene.letter, place == 1)
            team = self._part(f"team {place}", made_of, TeamCorner)
            team.awaited(scene.side in awaited)
        turns = (board.turns, board.turn) if board.phase not in ("shootout", "finished") else (0, None)
        self._part("clock", (clock_words(board), tally(board, order), *turns), ClockLine)
        names = [club.side for club in board.clubs]
        at = [names.index(scene.side) for scene in order]
        score = tuple(board.score[place] for place in at)
        fresh = before is not None and tuple(before[place] for place in at) != score
        line = self._part("score", score, lambda *numbers: ScoreLine(list(numbers)))
        if fresh and before is not None:
            line.write_in([before[place] != board.score[place] for place in at])

    def _part(self, name: str, made_of: tuple[Any, ...], make: Callable[..., Any]) -> Any:
        """The part of that name made of these values: the one that is there if it was made of the same."""
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
        low = self.height < dp(110)
        clock, score = self._parts["clock"][1], self._parts["score"][1]
        clock.center_x = self.center_x
        clock.top = self.top - dp(8 if self._upright else (2 if low else 7))
        score.center_x = self.center_x
        score.center_y = self.top - dp(112 if self._upright else (62 if low else 70))
        room = self.width / 2 if self._upright else (self.width - dp(_MIDDLE)) / 2
        for place in (0, 1):
            team: Any = self._parts[f"team {place}"][1]
            team.size = (room, self.height - (dp(34) if self._upright else 0))
            team.pos = (self.x if place == 0 else self.right - room, self.y)
            team.arrange(low)


def tally(board: FootClubBoard, order: tuple[SideScene, SideScene]) -> str:
    """A second score beside the clock: the kicks of a shoot-out, or the first leg."""
    names = [club.side for club in board.clubs]
    at = [names.index(scene.side) for scene in order]
    if board.shootout is not None:
        return say("app.board.kicks", left=board.shootout.scored[at[0]], right=board.shootout.scored[at[1]])
    if board.first_leg is not None:
        return say("app.board.first_leg", left=board.first_leg[at[0]], right=board.first_leg[at[1]])
    return ""


class TeamCorner(Widget):
    """A side: badge, name, the home mark if it has one, and below it words with their `numbers`."""

    def __init__(
        self,
        home: bool,
        numbers: tuple[tuple[str, str], ...],
        name: str,
        colour: str,
        letter: str,
        right: bool,
        **kwargs: Any,
    ) -> None:
        super().__init__(size_hint=(None, None), **kwargs)
        self._full = name
        self._right, self._upright = right, App.get_running_app().portrait
        self._badge = SideBadge(side=32, colour=colour, letter=letter)
        self._name = Underlined(name, kind="titre", stroke="", leading=0.88, flow="free")
        self._home = Icon("house", side=22) if home else None
        self._numbers = [Numbers(words, number) for words, number in numbers]
        for piece in (self._badge, self._name, self._home, *self._numbers):
            if piece is not None:
                self.add_widget(piece)

    def awaited(self, awaited: bool) -> None:
        """Whether the club may act: its name gets the stroke."""
        self._name.stroke = "laiton" if awaited else ""

    @property
    def tall(self) -> bool:
        """Whether the name takes more than one line."""
        return bool(self._name.height > 1.4 * self._name.font_size)

    def arrange(self, low: bool) -> None:
        """Places everything from the outer edge inwards; a long name wraps, in smaller letters if it must."""
        edge, gap = dp(16), dp(8)
        after = self._home.width + gap if self._home else 0
        self._fit_name(self.width - edge - self._badge.width - gap - after - dp(4))
        top = self.top - (dp(4) if self._upright else dp(4 if low else 11))
        middle = top - max(dp(34), self._name.height) / 2
        x = self._inward(edge, self._badge)
        self._badge.center_y = middle
        x = self._inward(x + gap, self._name)
        self._name.center_y = middle
        if self._home:
            self._inward(x + gap, self._home)
            self._home.center_y = middle
        self._arrange_numbers(edge, middle - max(dp(34), self._name.height) / 2 - dp(6))

    def _inward(self, at: float, piece: Widget) -> float:
        """Puts a piece `at` pixels from the outer edge; how far inwards it reaches."""
        if self._right:
            piece.right = round(self.right - at)
        else:
            piece.x = round(self.x + at)
        return at + float(piece.width)

    def _arrange_numbers(self, edge: float, top: float) -> None:
        if self._upright:
            for numbers in self._numbers:
                self._inward(edge, numbers)
                numbers.top = top
                top -= numbers.height
                numbers.opacity = 1.0 if top >= self.y - dp(3) else 0.0
            return
        fitting, room = [], self.width - edge
        for numbers in self._numbers:
            room -= numbers.width + dp(12)
            numbers.opacity = 1.0 if room >= -dp(12) else 0.0
            if numbers.opacity:
                fitting.append(numbers)
        at = edge
        for numbers in reversed(fitting) if self._right else fitting:
            numbers.center_y = round(top - dp(11))
            at = self._inward(at, numbers) + dp(12)

    def _fit_name(self, room: float) -> None:
        name = self._name
        name.halign = "right" if self._right else "left"
        tallest = dp(46 if self._upright else 60)
        for words in briefer(self._full):
            for kind, lines in (("titre", 1), ("bouton", 2), ("corps", 2), ("mini", 2)):
                name.kind = kind
                wide = name._label.get_extents
                name.text = " ".join(at_hyphen(word) if wide(word)[0] > room else word for word in words.split(" "))
                name.text_size = (None, None) if lines == 1 else (room, None)
                name.texture_update()
                wide, high = name.texture_size
                if wide <= room and high <= min(tallest, (lines + 0.4) * name.font_size):
                    name.size = name.texture_size
                    return
        name.font_size *= min(1.0, room / name.texture_size[0])
        name.texture_update()
        name.size = name.texture_size


def brief(name: str, letter: str, longest: int = 14) -> str:
    """A name on one short line: whole, with initials, or its letter alone."""
    one_line = (words for words in briefer(name) if "\n" not in words)
    return next((words for words in one_line if len(words) <= longest), letter)


def club_numbers(club: BoardSide) -> tuple[tuple[str, str], ...]:
    """What stands under a club's name: words and number, the most needed first."""
    found = []
    if club.att is not None and club.defence is not None:
        found += [(say("app.board.att"), str(club.att)), (say("app.board.def"), str(club.defence))]
    if club.optimised:
        found.append((say("app.board.optimised"), ""))
    if club.bookings:
        found.append((say("app.board.cards", n=club.bookings), ""))
    return tuple(found)


class Numbers(BoxLayout):
    """A word and its number on one line, as wide as they are."""

    def __init__(self, words: str, number: str, **kwargs: Any) -> None:
        super().__init__(size_hint=(None, None), spacing=dp(5), **kwargs)
        parts: list[Text] = []
        if words:
            parts.append(Text(words, tone="craie2", flow="line", pos_hint={"center_y": 0.5}))
        if number:
            parts.append(Head(number, kind="corps", flow="line", pos_hint={"center_y": 0.5}))
        for part in parts:
            part.texture_update()
            part.size = part.texture_size
            self.add_widget(part)
        self.width = sum(part.width for part in parts) + dp(5) * (len(parts) - 1)
        self.height = max(part.height for part in parts)


class ClockLine(BoxLayout):
    """Which half it is, and a tick for each of its turns: past, present in brass, to come."""

    def __init__(self, half: str, tally: str, turns: int, turn: int | None, **kwargs: Any) -> None:
        super().__init__(size_hint=(None, None), height=dp(22), spacing=dp(8), **kwargs)
        word = Head(
            " ".join(part for part in (half, tally) if part), kind="corps", flow="line", pos_hint={"center_y": 0.5}
        )
        word.texture_update()
        word.size = word.texture_size
        self.add_widget(word)
        self.width = word.width
        if turns and turn:
            ticks = Ticks(turns, turn, pos_hint={"center_y": 0.5})
            self.add_widget(ticks)
            self.width += ticks.width + dp(8)


def clock_words(board: FootClubBoard) -> str:
    """The half by name; between the halves, the phase; nothing while kicks are told instead."""
    if board.shootout:
        return ""
    if board.phase in ("pre_match", "market", "half_time", "full_time", "extra_time_break", "shootout", "finished"):
        return say(f"app.board.{board.phase}")
    return say(f"app.board.half_{board.half}") if board.half else ""


class Ticks(Widget):
    """The turns of a half."""

    def __init__(self, turns: int, turn: int, **kwargs: Any) -> None:
        super().__init__(size_hint=(None, None), size=(dp(14) * turns + dp(4) * (turns - 1), dp(6)), **kwargs)
        self._turns, self._turn = turns, turn
        whenever_placed(self, self._draw)

    def _draw(self) -> None:
        theme = App.get_running_app().theme
        self.canvas.clear()
        with self.canvas:
            for number in range(1, self._turns + 1):
                present, past = number == self._turn, number < self._turn
                Color(*(theme.laiton if present else theme.craie if past else faded(theme.craie, 0.3)))
                RoundedRectangle(pos=(self.x + (number - 1) * dp(18), self.y), size=(dp(14), dp(6)), radius=[dp(3)])


class ScoreLine(Widget):
    """Two large numbers and a dash between them; a number that has changed is written in anew."""

    def __init__(self, score: list[int], **kwargs: Any) -> None:
        super().__init__(size_hint=(None, None), size=(dp(200), dp(80)), **kwargs)
        self._numbers = [Head(str(number), kind="score", flow="line", leading=0.82) for number in score]
        for number in self._numbers:
            number.font_size = dp(App.get_running_app().theme.sizes["score"])  # large enough for every text size
            self.add_widget(number)
            number.fbind("size", self._place)
        with self.canvas:
            Color(*App.get_running_app().theme.craie)
            self._dash = RoundedRectangle(size=(dp(20), dp(6)), radius=[dp(3)])
        whenever_placed(self, self._place)

    def shrink(self, share: float) -> None:
        """Smaller numbers, where three figures would reach into what stands beside them."""
        for number in self._numbers:
            number.font_size *= share

    def write_in(self, changed: list[bool]) -> None:
        """The numbers that have changed come in slowly, as chalk is put on."""
        seconds = App.get_running_app().theme.seconds("score")
        for number, new in zip(self._numbers, changed, strict=True):
            if new and seconds:
                number.opacity = 0.0
                Animation(opacity=1.0, duration=seconds).start(number)

    def _place(self, *_: object) -> None:
        left, right = self._numbers
        left.right, right.x = round(self.center_x - dp(24)), round(self.center_x + dp(24))
        for number in self._numbers:
            number.center_y = self.center_y
        self._dash.pos = (self.center_x - dp(10), self.center_y - dp(6))
