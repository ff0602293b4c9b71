"""The pitch of the line-up editor: the ten places in lines from defence to attack, wide or tall."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kivy.app import App
from kivy.metrics import dp
from kivy.uix.floatlayout import FloatLayout

from companion.app.figures.words import say
from companion.app.lineup.draft import Draft
from companion.app.lineup.filling import Spot
from companion.app.lineup.reckoning import effect
from companion.app.lineup.tokens import PlayerToken, effect_text
from companion.app.widgets.chalk import ChalkLines
from companion.app.widgets.text import Head
from companion.games.footclub.tables import AM, CB, DM, FB, FW, Formation

_WIDE = (
    "M262-10v450M-4 112h60v200H-4M532 112h-60v200h60M-4 8h540M-4 416h540M262 150a62 62 0 0 1 0 124a62 62 0 0 1 0-124"
)
_TALL = "M8 200h434M120 402v-66h210v66M120-4v64h210V-4M8-10v430M442-10v430M167 200a58 58 0 0 1 116 0a58 58 0 0 1-116 0"
_TOUCHLINE = 10
"""How far below the upper end the line of the pitch ends, in dp: words stand under it."""
_WIDEST = 5
"""More players than this never stand in one line: two full backs and three centre backs."""


def lines(formation: Formation, tall: bool) -> list[list[Spot]]:
    """The places line by line from defence to attack, each from the club's left to its right.

    Full backs stand beside the centre backs; on a tall pitch five would not fit and the full backs stand a line ahead.
    """
    fb, cb = formation[FB], formation[CB]
    centre = [(CB, index) for index in range(cb)]
    rest = [[(post, index) for index in range(formation[post])] for post in (DM, AM, FW)]
    if tall and fb + cb >= _WIDEST:
        return [centre, [(FB, index) for index in range(fb)], *rest]
    left = [(FB, index) for index in range((fb + 1) // 2)]
    right = [(FB, index) for index in range((fb + 1) // 2, fb)]
    return [[*left, *centre, *right], *rest]


class Pitch(FloatLayout):
    """Shows a draft; `tapped` gets the place whose token was touched."""

    def __init__(self, draft: Draft, tapped: Callable[[Spot], None], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._draft, self._tapped = draft, tapped
        self._tall: bool = App.get_running_app().portrait
        self._tokens: dict[Spot, PlayerToken] = {}
        view = (450, 410) if self._tall else (528, 424)
        self._chalk = ChalkLines(path=_TALL if self._tall else _WIDE, view_width=view[0], view_height=view[1])
        self._chalk.pos_hint = {"x": 0, "y": 0}
        words = (
            ()
            if self._tall
            else (say("app.lineup.defence"), *(say(f"footclub.post.{post}") for post in ("dm", "am", "fw")))
        )
        self._heads = [Head(word, kind="mini", tone="craie2", flow="line") for word in words]
        self.bind(size=self._place, pos=self._place)
        self.show()

    def show(self) -> None:
        """Draws the draft as it is now; tokens that look the same stay."""
        draft = self._draft
        if self._chalk.parent is None:
            for piece in (self._chalk, *self._heads):
                self.add_widget(piece)
        kept, self._tokens = self._tokens, {}
        for spot, id in draft.placed.items():
            change = effect_text(*effect(draft, spot)) if draft.goes(spot) else None
            picked, captain = draft.picked == id, draft.captain == id
            token = kept.pop(spot, None)
            if token is None or token.shown != (id, change, picked, captain):
                self._take_away(token)
                player = draft.club.players[id]
                token = PlayerToken(player, draft.club.side, effect=change, picked=picked, captain=captain)
                token.shown = (id, change, picked, captain)
                token.bind(on_tap=lambda _, spot=spot: self._tapped(spot))
                self.add_widget(token)
            self._tokens[spot] = token
        for token in kept.values():
            self._take_away(token)
        self._place()

    def _take_away(self, token: PlayerToken | None) -> None:
        if token is not None:
            self.remove_widget(token)

    def _place(self, *_: object) -> None:
        rows = lines(self._draft.formation, self._tall)
        long, across = (self.height, self.width) if self._tall else (self.width, self.height)
        head = self._heads[0].font_size * 1.2 + dp(_TOUCHLINE) if self._heads else 0
        across -= head
        deepest = max(len(row) for row in rows)
        room = across / deepest
        if self._tall:
            size = (min(dp(110), room - dp(5)), min(dp(68), long / len(rows) - dp(6)))
        else:
            size = (min(dp(124), long / len(rows) - dp(6)), min(dp(68), room - dp(6)))
        for depth, row in enumerate(rows):
            along = long * (depth + 0.5) / len(rows)
            if self._heads:
                self._heads[depth].center = (self.x + along, self.top - (head + dp(_TOUCHLINE)) / 2)
                self._heads[depth].opacity = 1.0 if row else 0.0
            gap = min(across / len(row), room * 1.25 if len(row) > 1 else across)
            for place, spot in enumerate(row):
                off = (place - (len(row) - 1) / 2) * gap
                token = self._tokens[spot]
                token.size = size
                token.center = (
                    (self.center_x + off, self.y + along)
                    if self._tall
                    else (self.x + along, self.center_y - head / 2 - off)
                )
