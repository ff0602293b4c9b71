"""NBA's scoreboard panel for two to four sides: court lines, sides, turn, score."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from kivy.metrics import dp
from kivy.uix.widget import Widget

from companion.app.display import display, shortened_names, translate
from companion.app.figures.scoreboard import BoardPanel, Drawing, Order, ScorePanel, short_name
from companion.app.widgets.components import fill
from companion.app.widgets.marks import SideBadge
from companion.app.widgets.text import BoldText, Text, Underlined
from companion.games.nba.scene import SIDE_COLOURS, BoardSide, NbaBoard, initial

_CIRCLE = "a40 40 0 1 1 -80 0a40 40 0 1 1 80 0"
_COURT = f"M400 -10v140M-10 117h820M440 58{_CIRCLE}M-4 6a96 96 0 0 1 0 118M804 6a96 96 0 0 0 0 118"
_COURT_UPRIGHT = f"M225 -10v200M-10 153h470M271 104{_CIRCLE}M-4 30a84 84 0 0 1 0 120M454 30a84 84 0 0 0 0 120"
_WIDE_SCORE_GAP = 300
"""The space between the sides for a score of three digits."""


class NbaPanel(BoardPanel[NbaBoard]):
    """Sides with level and rebounds, the turn, the score; three or four sides are in a row, each with its points."""

    drawings = (Drawing(_COURT, 800, 120), Drawing(_COURT_UPRIGHT, 450, 156))

    def show(
        self,
        board: NbaBoard,
        order: Order,
        awaited: tuple[str, ...],
        before: Sequence[int] | None = None,
    ) -> None:
        self._has_wide_score = max(board.score) > 99  # three digits reach further to both sides
        self._columns: list[SideColumn] = []
        self.part("clock", (turn_text(board, order),), _turn_widget)
        sides = {side.side: side for side in board.sides}
        if len(sides) > 2:
            for place, side in enumerate(board.sides):
                made_of = (side, SIDE_COLOURS[place], self.crests.get(side.side, ""), side.side in awaited)
                self._columns.append(self.part(f"column {place}", made_of, SideColumn))
            return
        self.show_sides(order, awaited, lambda side: (False, side_details(sides[side])))
        self.show_score(order, tuple(sides), board.score, before)

    def place(self) -> None:
        super().place()
        wide = self.width / max(1, len(self._columns))
        below_clock = self.clock.y - self.y
        for place, column in enumerate(self._columns):
            column.size = (wide, min(self.height - dp(24), below_clock))
            column.pos = (self.x + place * wide, self.y)
            column.arrange()

    def place_sides(self, middle: float) -> None:
        super().place_sides(_WIDE_SCORE_GAP if self._has_wide_score else middle)


def _turn_widget(text: str) -> BoldText:
    roomy = display.theme.roomy
    return BoldText(text, kind="corps" if roomy else "mini", flow="line", leading=0.9)


def turn_text(board: NbaBoard, order: Order) -> str:
    """Return the turn as text; with three or four sides also the score between the two at the edges."""
    if board.phase == "over":
        found = [translate("app.nba.over")]
    elif board.phase == "tied":
        found = [translate("app.nba.tied")]
    elif board.ultimate:
        found = [translate("app.nba.ultimate")]
    elif board.limit is None:
        found = [translate("app.nba.turn", turn=board.turn)]
    else:
        found = [translate("app.nba.turn_of", turn=board.turn, limit=board.limit)]
    if board.period:
        found.insert(0, translate("app.nba.overtime", number=board.period))
    if board.money_time and board.phase != "over":
        found.append(translate("app.nba.money_time"))
    if len(board.sides) > 2 and board.phase != "over":
        left, right = order
        match = next(match for match in board.matches if set(match.sides) == {left.side, right.side})
        points = dict(zip(match.sides, match.points, strict=True))
        names = {"left": short_name(left.name, left.letter), "right": short_name(right.name, right.letter)}
        found.append(translate("app.nba.match", **names, mine=points[left.side], theirs=points[right.side]))
    return translate("app.nba.between").join(found)


def side_details(side: BoardSide) -> tuple[tuple[str, str], ...]:
    """Return the labels and numbers under a side's name, the most important first."""
    found = []
    if side.solo:
        found.append((translate("app.nba.machine"), ""))
    if side.collective is not None and side.rebounds is not None:
        found.append((translate("app.nba.level"), str(side.collective)))
        found.append((translate("app.nba.rebounds"), str(side.rebounds)))
    return tuple(found)


class SideColumn(Widget):
    """One of three or four sides: badge, name, points, level and rebounds."""

    def __init__(self, side: BoardSide, colour: str, crest: str | Path, awaited: bool, **kwargs: Any) -> None:
        super().__init__(size_hint=(None, None), **kwargs)
        self._full = side.name
        self._badge = SideBadge(side=26, colour=colour, letter=initial(side.name), crest=crest)
        stroke = "laiton" if awaited else ""
        self._name = Underlined(side.name, kind="bouton", stroke=stroke, leading=0.88, flow="free")
        self._points = BoldText(str(side.score), kind="fort", flow="line", leading=0.82)
        details = "  ".join(" ".join(part for part in pair if part) for pair in side_details(side))
        self._facts = Text(details, kind="mini", tone="craie2", flow="line")
        fill(self, self._badge, self._name, self._points, self._facts)

    def arrange(self) -> None:
        """Arrange name, points and facts below each other, centred; hide whatever does not fit."""
        max_name_width = self.width - self._badge.width - dp(16)
        self._fit_name(max_name_width)
        theme = display.theme
        wraps = self._name.height > dp(30)
        self._points.font_size = dp(theme.sizes["grand" if wraps else "fort"])  # large enough for every text size
        middle = self.top - max(dp(26), self._name.height) / 2 - dp(2)
        wide = self._badge.width + dp(6) + self._name.width
        self._badge.pos = (round(self.center_x - wide / 2), round(middle - self._badge.height / 2))
        self._name.pos = (round(self._badge.right + dp(6)), round(middle - self._name.height / 2))
        below = middle - max(dp(26), self._name.height) / 2 - dp(4)
        high = self._points._label.get_extents(self._points.text)[1] * self._points.leading
        self._points.font_size *= min(1.0, max(0.5, (below - self.y) / high))
        for piece in (self._points, self._facts):
            piece.texture_update()
            piece.size = piece.texture_size
        self._points.pos = (round(self.center_x - self._points.width / 2), round(below - self._points.height))
        below = self._points.y - self._facts.height
        self._facts.pos = (round(self.center_x - self._facts.width / 2), round(below))
        fits = below >= self.y and self._facts.width <= self.width - dp(6)
        self._facts.opacity = 1.0 if fits else 0.0

    def _fit_name(self, max_width: float) -> None:
        """Use one line if the panel is low; a name that does not fit at all is hidden and only its badge stays."""
        name = self._name
        tall = self.height > dp(88)
        shorter = (short for short in shortened_names(self._full) if tall or "\n" not in short)
        last_part = short_name(self._full, "")
        for label in (*shorter, last_part, ""):
            for kind in ("bouton", "corps", "mini"):
                name.text, name.kind, name.text_size = label, kind, (None, None)
                name.texture_update()
                name.size = name.texture_size
                if name.width <= max_width:
                    return
            if label == last_part:  # smaller than the text size setting before only the badge stays
                name.font_size *= 100 / display.theme.text
                name.texture_update()
                name.size = name.texture_size
                if name.width <= max_width:
                    return


PANEL = ScorePanel(NbaPanel, max_choices_portrait=4)
