"""The scoreboard panel of the game of chances: pitch, clubs, turn, score, and the chance's path to the goal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.display import display, translate
from companion.app.figures.scoreboard import BoardPanel, ClockLine, Drawing, Order, ScorePanel
from companion.app.widgets.components import fill
from companion.app.widgets.marks import Framed, Icon
from companion.app.widgets.text import BoldText, Text
from companion.games.occasion.scene import BoardSide, BoardZone, OccasionBoard

_PITCH = "M400 -30v140M-10 109h820M446 62a46 46 0 1 1 -92 0a46 46 0 1 1 92 0"
_PITCH_UPRIGHT = "M225 -10v165M-10 154h470M271 104a46 46 0 1 1 -92 0a46 46 0 1 1 92 0"

StepState = Literal["past", "here", "option", "ahead"]


@dataclass(frozen=True, slots=True)
class PathStep:
    """One stop of the path: a zone, or a whole row of the card."""

    text: str
    state: StepState


class OccasionPanel(BoardPanel[OccasionBoard]):
    """Clubs with their roles, the turn, the score, and the chance's path as a strip below."""

    drawings = (Drawing(_PITCH, 800, 112), Drawing(_PITCH_UPRIGHT, 450, 156))
    strips = (38, 46)
    score_at = (70, 62, 106)

    def show(
        self,
        board: OccasionBoard,
        order: Order,
        awaited: tuple[str, ...],
        before: Sequence[int] | None = None,
    ) -> None:
        over = board.phase == "over"
        sides = {side.side: side for side in board.sides}
        self.show_sides(order, awaited, lambda side: (side == "home", side_details(sides[side], over)))
        clock_text = translate("app.board.finished") if over else translate("app.occasion.turn", turn=board.turn)
        self.part("clock", (clock_text, "", 0, None), ClockLine)
        self.show_score(order, tuple(sides), board.score, before)
        attacker = next((scene for scene in order if sides[scene.side].attacks), order[0])
        empty = "" if over else translate("app.occasion.no_chance")
        self._path = self.part("path", (chance_path(board.rows), attacker.colour, board.bonus_x2, empty), ChancePath)

    def place(self) -> None:
        super().place()
        self._path.pos, self._path.size = self.pos, (self.width, self.strip)


def side_details(side: BoardSide, over: bool) -> tuple[tuple[str, str], ...]:
    """Return the labels under a side's name: whether it attacks, and the cards it was shown."""
    found = []
    if not over:
        found.append((translate("app.occasion.attacks" if side.attacks else "app.occasion.defends"), ""))
    for card in ("yellow", "red"):
        count = getattr(side, card)
        if count:
            found.append((translate(f"app.occasion.{card}", n=count), ""))
    return tuple(found)


def chance_path(rows: Sequence[Sequence[BoardZone]]) -> tuple[PathStep, ...]:
    """Return the stops from the first row to the goal; the chance's row shows only its zone."""
    found: list[PathStep] = []
    behind = any(zone.here for row in rows for zone in row)
    for row in rows:
        here = next((zone for zone in row if zone.here), None)
        options = [zone for zone in row if zone.option]
        if here is not None:
            found.append(PathStep(_zone_label(here, alone=True), "here"))
            behind = False
        elif options:
            found += [PathStep(_zone_label(zone, alone=len(options) == 1), "option") for zone in options]
        else:
            label = " / ".join(dict.fromkeys(_zone_label(zone, alone=len(row) == 1) for zone in row))
            found.append(PathStep(label, "past" if behind else "ahead"))
    return tuple(found)


def _zone_label(zone: BoardZone, alone: bool) -> str:
    """Return a zone's name; a shooting zone that is the only one is marked as such."""
    return translate("app.occasion.shooting_zone", zone=zone.id) if zone.shot and alone else zone.id


class ChancePath(BoxLayout):
    """The stops with arrows between them; if they do not fit, letters shrink, then the earliest stops are dropped."""

    def __init__(self, steps: Sequence[PathStep], colour: str, doubled: bool, empty: str, **kwargs: Any) -> None:
        """Args: empty: the text when there is no chance."""
        super().__init__(size_hint=(None, None), spacing=dp(8), padding=(dp(12), dp(3), dp(12), dp(5)), **kwargs)
        self._steps, self._colour, self._doubled, self._empty = tuple(steps), colour, doubled, empty
        self._drawn_for = 0.0
        self.fbind("width", self._fill)

    def _fill(self, *_: object) -> None:
        if self.width < dp(60) or self.width == self._drawn_for:
            return
        self._drawn_for = self.width
        if not self._steps:
            self.add_widget(Text(self._empty, tone="craie3", flow="box", halign="center"))
            return
        steps = list(self._steps)
        for kind in ("corps", "mini"):
            pieces = self._pieces(steps, kind)
            if self._total_width(pieces) <= self.width:
                break
        while self._total_width(pieces) > self.width and len(steps) > 1:
            place = next((at for at, step in enumerate(steps) if step.state == "past"), None)
            if place is None:
                place = next((at for at in range(len(steps) - 1, -1, -1) if steps[at].state == "ahead"), len(steps) - 1)
            del steps[place]
            pieces = self._pieces(steps, "mini")
        self.clear_widgets()
        fill(self, Widget(), *pieces, Widget())

    def _pieces(self, steps: Sequence[PathStep], kind: str) -> list[Widget]:
        found: list[Widget] = []
        for place, step in enumerate(steps):
            if place and not (step.state == steps[place - 1].state == "option"):
                found.append(Icon("right", side=16, tone="craie3", middle=True))
            found.append(PathStop(step, self._colour, kind))
            if self._doubled and step.state == "here":
                found.append(
                    PathStop(PathStep("×2", "option"), self._colour, kind, spoken=translate("app.occasion.doubled"))
                )
        return found

    def _total_width(self, pieces: Sequence[Widget]) -> float:
        return sum(float(piece.width) + dp(8) for piece in pieces) + dp(24)


class PathStop(Framed, BoxLayout):
    """One stop: filled where the chance is, brass where it may go, outlined ahead, plain behind."""

    def __init__(self, step: PathStep, colour: str, kind: str, spoken: str = "", **kwargs: Any) -> None:
        super().__init__(size_hint_x=None, radius=15, line_width=2, **kwargs)
        theme = display.theme
        word = BoldText(step.text, kind=kind, flow="line", middle=True)
        word.texture_update()
        word.size = word.texture_size
        pad = dp(4 if step.state == "past" else 14)
        self.padding = (pad, 0)
        self.add_widget(word)
        self.width = word.width + 2 * pad
        self.spoken = spoken or step.text
        if step.state == "here":
            self.fill, word.color = theme.sides[colour].main, theme.sides[colour].ink
        elif step.state == "option":
            self.line, word.color = theme.laiton, theme.laiton
        elif step.state == "ahead":
            self.line, word.color = theme.bord, theme.craie2
        else:
            word.color = theme.craie2


PANEL = ScorePanel(OccasionPanel, landscape=148, low=132, portrait=200)
