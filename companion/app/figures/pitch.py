"""The pitch in the centre: a team's places as tiles on a drawn pitch, and the ball with its holder between the rows."""

from __future__ import annotations

from typing import Any

from kivy.graphics import Color, Line
from kivy.metrics import dp
from kivy.properties import NumericProperty
from kivy.uix.widget import Widget

from companion.app import textures
from companion.app.display import display, text, translate
from companion.app.theme import faded
from companion.app.widgets.components import bind_geometry, fill
from companion.app.widgets.marks import Framed, draw_ball, draw_fitted, draw_mask, draw_text, text_width
from companion.games.figures import Pitch, PitchBall, PitchPlace

_TILE_DP, _UPRIGHT_TILE_DP = 46, 56
"""Height of a tile in landscape and in portrait."""
_BALL_DP, _UPRIGHT_BALL_DP = 30, 38
"""Height of the lane of the ball."""
_GAP_DP = 4
_TOKEN_DP = 8
_MAX_TOKENS = 4
"""More tokens than these are written as a number."""
_BOX_HEIGHT, _BOX_WIDTH, _CIRCLE = 0.56, 0.13, 0.26
"""Parts of the pitch as shares: the penalty area's height and width, the radius of the circle (of the height)."""


class PitchFigure(Widget):
    """A team on chalk lines: two rows of tiles, and the ball's lane between them.

    `mirrored` draws the team's own goal at the right, under its seat.
    """

    def __init__(self, figure: Pitch, tones: dict[str, str], mirrored: bool = False, **kwargs: Any) -> None:
        super().__init__(size_hint_y=None, **kwargs)
        upright = display.portrait
        self._tile = dp(_UPRIGHT_TILE_DP if upright else _TILE_DP)
        self._lane = dp(_UPRIGHT_BALL_DP if upright else _BALL_DP)
        self.height = 2 * self._tile + self._lane + 4 * dp(_GAP_DP)
        self._mirrored = mirrored
        self._tiles = [[PitchTile(place, tones.get(figure.side, "blue")) for place in row] for row in figure.rows]
        self._ball = BallHolder(figure.ball, tones.get(figure.ball.side, "red"))
        faces = figure.ball.side != figure.side
        self._column = len(figure.rows[0]) - 1 - figure.ball.column if faces else figure.ball.column
        fill(self, *(tile for row in self._tiles for tile in row))
        self.add_widget(self._ball)
        self.spoken = ""
        bind_geometry(self, self._place)

    def _place(self) -> None:
        columns = len(self._tiles[0])
        step = (self.width - dp(_GAP_DP)) / columns
        if step <= dp(_GAP_DP):
            return
        everyone = [tile for row in self._tiles for tile in row]
        width = step - dp(_GAP_DP)
        forms = range(len(name_forms("")))
        form = next((form for form in forms if all(tile.fits(form, width) for tile in everyone)), forms[-1])
        for tile in everyone:
            tile.form = form
        # Facing away from the own goal, the left is above when it is at the left end, and below when mirrored.
        rows = self._tiles[::-1] if self._mirrored else self._tiles
        for number, row in enumerate(rows):
            bottom = self.y + dp(_GAP_DP) + (1 - number) * (self._tile + self._lane + 2 * dp(_GAP_DP))
            for column, tile in enumerate(row):
                tile.pos = (self._left(column, step, columns), bottom)
                tile.size = (step - dp(_GAP_DP), self._tile)
        middle = self._left(self._column, step, columns) + (step - dp(_GAP_DP)) / 2
        self._ball.place(middle, self.center_y, self._lane, (self.x + dp(_GAP_DP), self.right - dp(_GAP_DP)))
        self._draw_lines()

    def _left(self, column: int, step: float, columns: int) -> float:
        place = columns - 1 - column if self._mirrored else column
        return float(self.x + dp(_GAP_DP) + place * step)

    def _draw_lines(self) -> None:
        """Draw the touch lines, the half line with its circle, and both penalty areas."""
        x, y, width, height = self.x, self.y, self.width, self.height
        canvas = self.canvas.before
        canvas.clear()
        box, deep = height * _BOX_HEIGHT, width * _BOX_WIDTH
        with canvas:
            Color(*faded(display.theme.craie, 0.24))
            line = dp(1.2)
            Line(rectangle=(x, y, width, height), width=line)
            Line(points=(self.center_x, y, self.center_x, self.top), width=line)
            Line(circle=(self.center_x, self.center_y, height * _CIRCLE), width=line)
            Line(rectangle=(x, self.center_y - box / 2, deep, box), width=line)
            Line(rectangle=(self.right - deep, self.center_y - box / 2, deep, box), width=line)


class PitchTile(Framed, Widget):
    """A place with its player, tokens and odds; dashed if nobody is there.

    `form` is the form of the name, as in `name_forms`.
    """

    form = NumericProperty(0)

    def __init__(self, place: PitchPlace, colour: str, **kwargs: Any) -> None:
        theme = display.theme
        tone = theme.sides[colour]
        super().__init__(radius=8, line_width=1.5, **kwargs)
        self._place = place
        self._label = text(place.label)
        self._tone = tone.main if place.name else theme.craie3
        self.fill = tone.panel if place.name else (0, 0, 0, 0)
        self.line = self._tone
        self.dash = 0 if place.name else 4
        self.spoken = " ".join(
            part
            for part in (
                self._label,
                place.name,
                text(place.effect) if place.effect is not None else "",
                translate("app.pitch.tokens", n=place.tokens) if place.tokens is not None else "",
            )
            if part
        )
        bind_geometry(self, self._draw, "form")

    @property
    def _text_size(self) -> float:
        tall = dp(_UPRIGHT_TILE_DP if display.portrait else _TILE_DP)
        return float(min(display.theme.type("corps"), tall * 0.36))

    def fits(self, form: int, width: float) -> bool:
        """True if the name in a form of `name_forms` fits into a tile of this width in pixels."""
        return text_width(name_forms(self._place.name)[form], self._text_size) <= width - dp(6)

    def _draw(self) -> None:
        self.canvas.clear()
        if self.width < dp(20):
            return
        theme, place = display.theme, self._place
        tall, size = self.height, self._text_size
        with self.canvas:
            if not place.name:
                draw_fitted(self._label, size, theme.craie3, self.center_x, self.center_y, self.width - dp(6))
                return
            top = self.y + tall * 0.72
            ends = place.effect is not None or bool(place.tokens)
            label_right = self.x + self.width * (0.6 if ends else 1)
            draw_fitted(self._label, size, self._tone, (self.x + label_right) / 2, top, label_right - self.x - dp(6))
            name = name_forms(place.name)[int(self.form)]
            draw_fitted(name, size, theme.craie, self.center_x, self.y + tall * 0.3, self.width - dp(6))
            self._draw_end(label_right, top, size)

    def _draw_end(self, left: float, middle: float, size: float) -> None:
        """Draw the tokens as discs, and the odds in their place if the player has his own."""
        theme, place = display.theme, self._place
        wide = self.right - left - dp(4)
        if place.effect is not None:
            draw_fitted(text(place.effect), size, theme.laiton, left + wide / 2, middle, wide)
            return
        count = place.tokens or 0
        side = round(dp(_TOKEN_DP))
        if not count:
            return
        if count > _MAX_TOKENS or count * (side + dp(1)) > wide:
            draw_text(str(count), size, theme.craie, left + wide / 2, middle)
            return
        for number in range(count):
            right = self.right - dp(5) - number * (side + dp(1))
            draw_mask(textures.spot(side), theme.craie, right - side, middle - side / 2, side)


class BallHolder(Framed, Widget):
    """The ball in its colour, with its holder's name in a chip of his side."""

    def __init__(self, ball: PitchBall, colour: str, **kwargs: Any) -> None:
        super().__init__(radius=14, line_width=2, **kwargs)
        theme = display.theme
        self._ball, self._ink = ball, theme.sides[colour].ink
        self.fill, self.line = theme.sides[colour].main, theme.laiton
        self.spoken = ball.name
        bind_geometry(self, self._draw)

    def place(self, middle: float, center_y: float, height: float, between: tuple[float, float]) -> None:
        """Centre the chip at `middle` as far as it stays between two x, in pixels."""
        size = min(display.theme.type("bouton"), height * 0.62)
        written = text_width(self._ball.name, size)
        width = min(between[1] - between[0], written + height + dp(14))
        left = min(max(between[0], middle - width / 2), between[1] - width)
        self.size = (width, height)
        self.pos = (left, center_y - height / 2)

    def _draw(self) -> None:
        self.canvas.clear()
        if self.width < dp(20):
            return
        size = min(display.theme.type("bouton"), self.height * 0.62)
        ball = round(self.height - dp(6))
        space = self.width - ball - dp(14)
        with self.canvas:
            draw_ball(display.theme, self._ball.colour, round(self.x + dp(4)), round(self.y + dp(3)), ball)
            draw_fitted(self._ball.name, size, self._ink, self.x + ball + dp(6) + space / 2, self.center_y, space)


def name_forms(name: str) -> tuple[str, str, str]:
    """Return a short name from long to short: with the initial, without it, and its last word."""
    return name, name.partition(". ")[2] or name, name.rpartition(" ")[2]
