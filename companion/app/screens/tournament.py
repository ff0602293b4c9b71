"""Screen 17, the tournament: standings, this table's match with who is there, the next matches, the link's state."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from functools import lru_cache, partial
from typing import Any

import numpy as np
import segno
from kivy.clock import Clock
from kivy.graphics import Color, Rectangle, RoundedRectangle
from kivy.graphics.texture import Texture
from kivy.metrics import dp
from kivy.properties import StringProperty
from kivy.uix.anchorlayout import AnchorLayout
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget
from numpy.typing import NDArray

from companion.app.background import Slices
from companion.app.display import context_of, display, say, signed, text
from companion.app.fonts import CONDENSED, Setting, typeset
from companion.app.game_screens import preparation_of
from companion.app.kiosk import LOOK
from companion.app.match_runner import take_up
from companion.app.page import Page, load_kv
from companion.app.theme import Theme, faded, rgba
from companion.app.widgets.marks import Framed, Icon, Mark
from companion.app.widgets.pieces import Box, Card, Grid, HBox, Scroller, VBox, fill, whenever_placed
from companion.app.widgets.push import Push
from companion.app.widgets.sheet import Entry, Sheet, list_sheet
from companion.app.widgets.text import Head, Name, Tally, Text
from companion.games.registry import SPECS
from companion.messages.wire import ComingMatch, StandingRow, StandingTable
from companion.table.hub_port import HubLook, Side, Signer
from companion.table.tournament_desk import SIDES, Standing, TournamentDesk, colour_of, name_of, own_table

_TIME, _TABLE = 54, 58
"""Room of time and table, in dp at the usual text size."""
_COMING_ROW, _LOW_ROW, _COMING_HEAD = 38, 33, 30
LOW = 460
"""Screens lower than so many dp stand rows nearer to each other."""


Moment = Callable[[datetime | int], str]
"""Writes a time, or seconds since 1970, as the players read it."""


class Coming(BoxLayout):
    """A title and the rows. With `rows` it is so high; with `whole` it scrolls; else it shows what fits its room."""

    def __init__(
        self,
        matches: Sequence[ComingMatch],
        moment: Moment,
        *,
        across: int = 1,
        rows: int = 0,
        whole: bool = False,
        titled: bool = True,
        **kwargs: Any,
    ) -> None:
        """`across` columns of rows beside each other; the title stands over them unless `titled` is false."""
        super().__init__(orientation="vertical", **kwargs)
        self._scale = display.theme.text / 100
        self._high = dp(_LOW_ROW if display.low else _COMING_ROW) * self._scale
        self._matches, self._moment, self._across, self._shown = matches, moment, across, -1
        title = Head(say("app.tournament.coming"), kind="bouton", halign="left", flow="box", size_hint_y=None)
        title.height = dp(_COMING_HEAD * self._scale) * titled
        self._title, self._titled = title, titled
        if titled:
            self.add_widget(title)
        if not matches:
            fill(self, Text(say("app.tournament.none_coming"), tone="craie2", halign="left"), Widget())
        elif whole:
            self._all()
        elif rows:
            lines = min(rows, -(-len(matches) // across))
            self.size_hint_y, self.height = None, title.height + self._high * lines
            self._fill(lines)
        else:
            whenever_placed(self, self._fit)

    def _fit(self) -> None:
        self._fill(max(0, int((self.height - dp(_COMING_HEAD * self._scale)) / self._high)))

    def _fill(self, lines: int) -> None:
        if lines == self._shown:
            return
        self._shown = lines
        self.clear_widgets()
        shown = self._matches[: lines * self._across]
        if not shown:
            return
        if self._titled:
            self.add_widget(self._title)
        grid = Grid(*(self._row(match) for match in shown), cols=self._across, spacing=(dp(16), 0), grows=True)
        fill(self, grid, Widget())

    def _row(self, match: ComingMatch) -> _Row:
        when = "" if match.starts is None else self._moment(match.starts)
        return _Row(match, say("app.tournament.playing") if match.playing else when, self._scale, self._high)

    def _all(self) -> None:
        self.add_widget(Scroller(VBox(*(self._row(match) for match in self._matches), grows=True)))


class _Row(BoxLayout):
    def __init__(self, match: ComingMatch, when: str, scale: float, high: float) -> None:
        super().__init__(size_hint_y=None, height=high, spacing=dp(6))
        self.add_widget(Name(when, kinds=["corps", "mini"], halign="left", wide=_TIME * scale))
        where = say("app.tournament.at_table", n=match.table) if match.table is not None else ""
        table = Name(where, kinds=["corps", "mini"], halign="left", tone="craie2", plain=True, strong=False)
        table.size_hint_x, table.width = None, dp(_TABLE * scale)
        self.add_widget(table)
        who = f"{match.home} – {match.away}" if match.home and match.away else text(match.title)
        self.add_widget(Name(who, kinds=["corps", "mini"], halign="left", plain=True, strong=False))


COLUMNS = ("played", "won", "drawn", "lost", "difference", "points")
_WIDE = {"played": 25, "won": 25, "drawn": 25, "lost": 25, "difference": 46, "points": 54}
"""Room of the columns, in dp at the usual text size."""
_DROPPED = (("won", "drawn", "lost"), ("played",), ("difference",))
"""What goes first where names would not have room."""
_RANK, _LEAST_NAME = 48, 118
_ROW, _HEAD = 44, 30
_LEAST_ROW = 38
"""Rows may be so low if that brings all of them into sight."""
_AT_ONCE = 14
"""Rows made before the first frame; the rest come a few at a time."""


class Standings(BoxLayout):
    """`title` stands over the names. Scrolls when there are more rows than fit, to the first of this table's sides."""

    def __init__(self, title: str, table: StandingTable, lit: frozenset[str], **kwargs: Any) -> None:
        """`lit` are the names of this table's sides."""
        super().__init__(orientation="vertical", **kwargs)
        self._title, self._rows, self._lit, self._advance = title, table.rows, lit, table.advance
        self._made_for: tuple[tuple[str, ...], float] | None = None
        self._slices: Slices[None] | None = None
        whenever_placed(self, self._fill)

    def leave(self) -> None:
        """Ends what is still being filled."""
        if self._slices is not None:
            self._slices.stop()

    def _fill(self) -> None:
        """Builds the table for the room there is; again only if other columns or other rows fit."""
        columns = fitting(self.width)
        made_for = (columns, self._row_height())
        if made_for == self._made_for or self.width < dp(120):
            return
        self._made_for = made_for
        self.leave()
        self.clear_widgets()
        self.add_widget(_Titles(self._title, columns))
        self._scroller = Scroller()
        self._column = VBox(grows=True)
        to_lit = Clock.create_trigger(self._to_lit, -1)
        for part in (self._column, self._scroller):
            part.fbind("height", to_lit)
        self._scroller.add_widget(self._column)
        self.add_widget(self._scroller)
        filling = self._filling(columns)
        for _ in range(_AT_ONCE):
            if next(filling, self) is self:
                return
        self._slices = Slices(filling, lambda: None)

    def _filling(self, columns: tuple[str, ...]) -> Iterator[None]:
        high = self._row_height()
        for place, row in enumerate(self._rows):
            line = _Line(row, columns, row.name in self._lit, place < self._advance)
            line.size_hint_y, line.height = None, high
            self._column.add_widget(line)
            yield

    def _row_height(self) -> float:
        scale = display.theme.text / 100
        usual, room = _ROW * (1 + (scale - 1) * 0.6), self.height - dp(_HEAD * scale)
        each = room / max(1, len(self._rows)) / dp(1) - 0.2  # rounding must not make it scroll
        return dp(each if _LEAST_ROW * scale <= each < usual else usual)

    def _to_lit(self, *_: object) -> None:
        """This table's sides come into sight."""
        at = next((place for place, row in enumerate(self._rows) if row.name in self._lit), 0)
        whole, seen = self._column.minimum_height, self._scroller.height
        if whole > seen and at > 2:
            above = (at - 2) * whole / max(1, len(self._rows))
            self._scroller.scroll_y = max(0.0, 1.0 - above / (whole - seen))


def fitting(width: float) -> tuple[str, ...]:
    """The columns that leave a name enough room in a table `width` pixels wide."""
    scale = display.theme.text / 100
    columns = list(COLUMNS)
    for dropped in (*_DROPPED, ()):
        if dp(_RANK + _LEAST_NAME * scale + sum(_WIDE[column] for column in columns) * scale) <= width:
            break
        columns = [column for column in columns if column not in dropped]
    return tuple(columns)


class _Titles(BoxLayout):
    def __init__(self, title: str, columns: Sequence[str]) -> None:
        theme = display.theme
        scale = theme.text / 100
        super().__init__(size_hint_y=None, height=dp(_HEAD * scale), padding=(dp(4), 0, dp(8), 0))
        self.add_widget(Name(title, kinds=["mini"], tone="craie2", halign="left"))
        for column in columns:
            word = Head(say(f"app.tournament.column.{column}"), kind="mini", tone="craie2", flow="box", halign="right")
            word.size_hint_x, word.width = None, dp(_WIDE[column] * scale)
            self.add_widget(word)


class _Line(Framed, BoxLayout):
    """One entry; a chalk bar before the rank of whoever goes on."""

    def __init__(self, row: StandingRow, columns: Sequence[str], lit: bool, through: bool) -> None:
        theme = display.theme
        scale = theme.text / 100
        super().__init__(padding=(dp(6), 0, dp(8), 0))
        self.fill = theme.feutre if lit else (0, 0, 0, 0)
        if lit and not theme.textured:
            self.line = theme.craie3
        self._through = through
        self.add_widget(Widget(size_hint_x=None, width=dp(14)))
        self.add_widget(Head(str(row.rank), flow="box", halign="left", kind="bouton", wide=(_RANK - 20) * scale))
        self.add_widget(Name(row.name, kinds=["bouton", "corps", "mini"], halign="left", initials=True))
        fill(self, *(_figure(row, column, scale) for column in columns))
        whenever_placed(self, self._draw)

    def _draw(self) -> None:
        theme = display.theme
        self.canvas.after.clear()
        with self.canvas.after:
            Color(*faded(theme.craie, 0.16))
            Rectangle(pos=(self.x, self.top - dp(1)), size=(self.width, dp(2)))
            if self._through:
                Color(*theme.craie)
                high = dp(26)
                RoundedRectangle(pos=(self.x + dp(6), self.center_y - high / 2), size=(dp(6), high), radius=[dp(3)])


def _figure(row: StandingRow, column: str, scale: float) -> Text:
    value = getattr(row, column)
    shown = signed(value) if column == "difference" else str(value)
    kind = "titre" if column == "points" else "bouton"
    figure = Text(shown, kind=kind, plain=False, strong=column == "points", leading=1.0, flow="box", halign="right")
    figure.size_hint_x, figure.width = None, dp(_WIDE[column] * scale)
    return figure


QUIET = 4
"""Light modules around the code (ISO/IEC 18004, 9.1)."""
_LIGHT, _DARK = rgba("#FFFFFF"), rgba("#000000")
"""Dark on light in every theme: many readers know nothing else."""


class QrCode(Mark):
    """The code of `content`, as large as whole pixels a module allow within `side` dp."""

    content = StringProperty("")

    def __init__(self, content: str, **kwargs: Any) -> None:
        kwargs.setdefault("side", 200)
        super().__init__(content=content, **kwargs)
        self.fbind("content", self._draw_soon)

    def draw(self, theme: Theme, x: int, y: int, size: int) -> None:
        Color(*_LIGHT)
        Rectangle(pos=(x, y), size=(size, size))
        if not self.content:
            return
        texture = _texture(self.content)
        module = size // (texture.width + 2 * QUIET)
        wide = module * texture.width
        inset = (size - wide) // 2
        Color(*_DARK)
        Rectangle(texture=texture, pos=(x + inset, y + inset), size=(wide, wide))


def modules(content: str) -> NDArray[np.bool_]:
    """Which modules of the code are dark, the uppermost row first."""
    return np.array([list(row) for row in segno.make(content, error="m", micro=False).matrix], dtype=bool)


@lru_cache(maxsize=4)
def _texture(content: str) -> Texture:
    """White where the code is dark, clear elsewhere; a Color before it tints it."""
    dark = modules(content)[::-1]
    pixels = np.full((*dark.shape, 4), 255, dtype=np.uint8)
    pixels[..., 3] = dark * 255
    texture = Texture.create(size=dark.shape[::-1], colorfmt="rgba")
    texture.mag_filter = "nearest"
    texture.blit_buffer(pixels.tobytes(), colorfmt="rgba", bufferfmt="ubyte")
    return texture


_LARGE = 72


def groups_sheet(standings: Sequence[StandingTable], choose: Callable[[int], None]) -> Sheet:
    """The groups, to see the standings of another one."""
    entries = [Entry(text(table.title), partial(choose, at)) for at, table in enumerate(standings)]
    return list_sheet(say("app.tournament.groups"), entries)


def qr_sheet(standing: Standing) -> Sheet:
    """The code of this match's public page, else of the tournament's, with the address in letters."""
    look, match = standing.look, standing.match
    own = look.pages.get(match.match) if match is not None else None
    address = own or look.address or ""
    body = Box(orientation="vertical" if display.portrait else "horizontal", spacing=dp(16))
    around = AnchorLayout()
    code = QrCode(address)

    def fit(_: Any, size: tuple[float, float]) -> None:
        code.side = max(80.0, min(size) / dp(1))

    around.bind(size=fit)
    around.add_widget(code)
    words = VBox(spacing=dp(8))
    if display.portrait:
        words.size_hint_y, words.height = None, dp(140) * display.theme.text / 100
    fill(words, Widget(), Text(say("app.tournament.qr.match" if own else "app.tournament.qr.all"), halign="left"))
    for line in _lines(address):
        shown = Name(line, kinds=["corps", "mini"], tone="craie2", halign="left", size_hint_y=None)
        shown.height = dp(24) * display.theme.text / 100
        words.add_widget(shown)
    words.add_widget(Widget())
    fill(body, around, words)
    return Sheet(say("app.tournament.qr.title"), body, box=(0.04, 0.04, 0.92, 0.92))


# Inside


def _lines(address: str) -> list[str]:
    """An address on two lines: the machine, and where on it."""
    scheme, _, rest = address.partition("://")
    host, slash, path = rest.partition("/")
    return [f"{scheme}://{host}", *([slash + path] if path else [])]


class TournamentBar(Framed, BoxLayout):
    """One line, or two where that has no room."""

    def __init__(self, standing: Standing, moment: Moment, menu: Callable[[], object], **kwargs: Any) -> None:
        super().__init__(padding=(dp(8), dp(2), dp(4), dp(2)), spacing=dp(8), radius=0, **kwargs)
        self.fill = display.theme.nuit
        look = standing.look
        self._menu = Push(icon="menu", icon_side=28, look="quiet", spoken=say("app.table.menu"), wide=52, act=menu)
        self._name = look.tournament or say("app.tournament.title")
        self._sub = stage_words(standing)
        self._said, self._warns = link_words(look, moment)
        self._icon = Icon("wifi" if look.link.online else "wifi_off", tone="laiton" if self._warns else "craie2")
        self._qr: Push | None = None
        if look.address or look.pages:
            self._qr = Push(say("app.tournament.qr"), icon="phone", look="quiet", hug=True, pad=8)
            self._qr.spoken = say("app.tournament.qr.title")
            self._qr.bind(on_tap=lambda push: context_of(push).lay(qr_sheet(standing)))
        self._fill_soon = Clock.create_trigger(self._fill, -1)
        self.fbind("width", self._fill_soon)
        if self._qr is not None:
            self._qr.fbind("width", self._fill_soon)
        self._fill_soon()

    def _fill(self, *_: object) -> None:
        """All of it on one line where it fits; else without the stage; else what matters most under the name."""
        title = Head(self._name, kind="titre", flow="line")
        sub = Text(self._sub, flow="line", tone="craie2")
        said = Text(self._said, flow="line", tone="laiton" if self._warns else "craie2")
        for label in (title, sub, said):
            label.texture_update()
            label.size = label.texture_size
        ends = [self._icon, *([self._qr] if self._qr is not None else [])]
        lines = ([title, sub, said], [title, said])
        fits = next((line for line in lines if self._needs([*line, self._menu, *ends]) <= self.width), None)
        self.clear_widgets()
        if fits is None:
            pieces = [self._menu, self._stacked(), *ends]
        else:
            pieces = [self._menu, title, *([sub] if sub in fits else []), Widget(), self._icon, said, *ends[1:]]
        for piece in pieces:
            if isinstance(piece, (Icon, Text)):
                piece.pos_hint = {"center_y": 0.5}
            self.add_widget(piece)

    def _stacked(self) -> BoxLayout:
        """The name over the state of the link, or over the stage while that is well."""
        box = VBox(Name(self._name, kinds=["bouton", "corps", "mini"], halign="left", size_hint_y=1.3))
        under = self._said if self._warns or not self._sub else self._sub
        tone = "laiton" if self._warns else "craie2"
        box.add_widget(Name(under, kinds=["mini"], halign="left", tone=tone, plain=True, strong=False))
        return box

    def _needs(self, pieces: list[Any]) -> float:
        shown = [piece for piece in pieces if piece.width > 0]
        return sum(float(piece.width) for piece in shown) + dp(12) + dp(8) * (len(shown) + 1)


def stage_words(standing: Standing) -> str:
    """The round of this table's match; without one, that there is none."""
    if standing.match is not None:
        return text(standing.match.title)
    return say("app.tournament.no_match")


def link_words(look: HubLook, moment: Moment) -> tuple[str, bool]:
    """How the link stands, and whether that should be noticed."""
    link = look.link
    if link.trouble is not None:
        return say("app.tournament.link.trouble"), True
    if not link.online:
        if link.since is None:
            return say("app.tournament.link.never"), True
        return say("app.tournament.link.off", since=moment(link.since)), True
    return (say("app.tournament.link.on", at=moment(look.told)) if look.told else ""), False


_TARGET = 56
_ACTING = ("gathering", "ready", "going", "confirming")
"""Steps at which somebody at this table has something to do."""


class MatchCard(Card):
    """As high as what stands in it."""

    def __init__(self, page: TournamentPage, **kwargs: Any) -> None:
        super().__init__(surface="nuit", padding=(dp(14), dp(10)), spacing=dp(8), size_hint_y=None, **kwargs)
        self.bind(minimum_height=self.setter("height"))
        self._page, self._standing = page, page.standing
        self._match = self._standing.match
        theme = display.theme
        self._scale = theme.text / 100
        acting = self._standing.step in _ACTING
        self.line, self.line_width = (theme.laiton, 3) if acting else (theme.bord, 2)
        fill(self, self._head("laiton" if acting else "craie2"), *self._names())
        for piece in {
            "gathering": self._presence,
            "ready": self._start,
            "going": self._going,
            "confirming": self._confirming,
            "confirmed": self._done,
            "sent": self._done,
            "review": self._done,
        }[self._standing.step]():
            self.add_widget(piece)

    # The pieces

    def _head(self, tone: str) -> BoxLayout:
        look, match = self._standing.look, self._match
        line = HBox(spacing=dp(8), tall=24 * self._scale)
        words = say(f"app.tournament.step.{self._standing.step}")
        if look.table is not None:
            words = say("app.tournament.table_step", n=look.table, step=words)
        line.add_widget(Name(words, kinds=["corps", "mini"], tone=tone, halign="left"))
        if match is not None and match.called is not None and self._standing.step in ("gathering", "ready"):
            at = Head(self._page.app.kiosk.moment(match.called), kind="corps", tone=tone, flow="line")
            at.pos_hint = {"center_y": 0.5}
            line.add_widget(at)
        return line

    def _names(self) -> list[BoxLayout]:
        """Beside each other where both fit in large letters, else one under the other."""
        home, away = (self._match.home, self._match.away) if self._match is not None else ("", "")
        scored = self._standing.played is not None
        between = f"{self._standing.score('home')} – {self._standing.score('away')}" if scored else ""
        room = self._room() - _wide(between or say("app.tournament.against"), "titre") - dp(16)
        if max(_wide(home, "bouton"), _wide(away, "bouton")) <= room / 2 and _wide(home + away, "bouton") <= room:
            line = HBox(spacing=dp(8), tall=36 * self._scale)
            middle: Text = (
                Head(between, kind="titre", flow="line")
                if scored
                else Text(say("app.tournament.against"), flow="line", tone="craie2")
            )
            middle.pos_hint = {"center_y": 0.5}
            share = _wide(home, "titre") / max(1.0, _wide(home + away, "titre"))
            for piece in (
                Name(home, kinds=["titre", "bouton"], halign="left", size_hint_x=share),
                middle,
                Name(away, kinds=["titre", "bouton"], halign="right", size_hint_x=1 - share),
            ):
                line.add_widget(piece)
            return [line]
        return [self._named(name, side, scored) for name, side in ((home, SIDES[0]), (away, SIDES[1]))]

    def _named(self, name: str, side: Side, scored: bool) -> BoxLayout:
        line = HBox(spacing=dp(8), tall=32 * self._scale)
        line.add_widget(Name(name, kinds=["titre", "bouton", "corps", "mini"], halign="left", initials=True))
        if scored:
            line.add_widget(Head(str(self._standing.score(side)), kind="titre", flow="line"))
        return line

    def _presence(self) -> list[Widget]:
        match = self._match
        present = match.present if match is not None else frozenset()
        return [self._pair({side: side in present for side in SIDES}, self._page.ask_presence)]

    def _start(self) -> list[Widget]:
        start = Push(say("app.tournament.begin"), icon="play", look="chalk", kind="titre", icon_side=26)
        start.bind(on_tap=lambda *_: self._page.begin())
        who = Push(icon="users", look="outlined", spoken=say("app.tournament.presence"), wide=60)
        who.bind(on_tap=lambda *_: self._page.ask_presences())
        line = HBox(start, who, spacing=dp(8), tall=_TARGET)
        return [line]

    def _going(self) -> list[Widget]:
        resume = Push(say("app.home.resume"), icon="play", look="chalk", kind="titre", icon_side=26, tall=_TARGET)
        resume.bind(on_tap=lambda *_: self._page.resume())
        return [resume]

    def _confirming(self) -> list[Widget]:
        match = self._match
        if match is None:
            return []
        given = match.confirmed
        pieces: list[Widget] = [
            self._pair({side: side in given for side in SIDES}, self._page.ask_confirmation),
        ]
        line = HBox(spacing=dp(8), tall=_TARGET)
        if match.referee:
            there = "referee" in given
            words = say("app.tournament.referee")
            words = words if there else say("app.tournament.asked", name=words)
            referee = Push(words, icon="check" if there else "gavel", look="chalk" if there else "todo", pad=6)
            referee.bind(on_tap=lambda *_: self._page.ask_referee())
            line.add_widget(referee)
        review = Push(say("app.tournament.look_back"), icon="list", look="outlined", pad=6, kind="corps")
        review.bind(on_tap=lambda *_: self._page.resume())
        line.add_widget(review)
        pieces.append(line)
        return pieces

    def _done(self) -> list[Widget]:
        words = Text(say(f"app.tournament.done.{self._standing.step}"), tone="craie2", halign="left")
        if self._standing.played is None:
            return [words]
        review = Push(say("app.tournament.look_back"), icon="list", look="outlined", kind="corps", tall=_TARGET)
        review.bind(on_tap=lambda *_: self._page.resume())
        return [words, review]

    # Both sides

    def _pair(self, there: dict[Side, bool], act: Callable[[Side], object]) -> BoxLayout:
        """A target for each side; one under the other, each a whole row, where a name is long."""
        match = self._match
        box = Box(spacing=dp(8), tall=_TARGET)
        names = {side: name_of(match, side) for side in SIDES} if match is not None else {}
        words = {side: name if there[side] else say("app.tournament.asked", name=name) for side, name in names.items()}
        room, kind = (self._room() - dp(8)) / 2 - dp(12), "bouton"
        if max(self._taken(name, kind) for name in names.values()) > room:
            kind = "corps"
        if max(self._taken(name, kind) for name in names.values()) > room:
            high, kind = max(_TARGET, 30 * self._scale + 8), "bouton"
            box.orientation, box.height = "vertical", dp(2 * high + 8)
        for side in SIDES:
            push = Push(words[side], side=colour_of(match, side) if match else "blue", pad=6, kind=kind, icon_side=20)
            push.look, push.icon = ("side", "check") if there[side] else ("side_outlined", "")
            push.bind(on_tap=lambda _, side=side: act(side))
            box.add_widget(push)
        return box

    @staticmethod
    def _taken(name: str, kind: str) -> float:
        """The room of a name on a target, whether it stands as a question or with a tick."""
        return max(_wide(name, kind) + dp(30), _wide(say("app.tournament.asked", name=name), kind))

    def _room(self) -> float:
        """The width within the card, known before it is laid out."""
        return (display.size[0] if display.portrait else dp(RIGHT)) - dp(32 + 28)


def _wide(words: str, kind: str) -> float:
    """How wide bold condensed words are on one line."""
    size = int(display.theme.type(kind))
    return float(typeset(Setting(words, CONDENSED, size, bold=True)).texture.width) if words.strip() else 0.0


load_kv(__file__)

RIGHT = 364
"""Width of the column of the match, in dp."""
_GROUP = 56


class TournamentPage(Page):
    """Looks at the desk again and again; each part is built anew only when what it shows is different."""

    def build(self) -> None:
        self._look: HubLook | None = None
        self._table: Standings | None = None
        self._filled = False
        self.standing = Standing(HubLook())
        self.show()
        self._pulse = Clock.schedule_interval(self._beat, LOOK)

    def leave(self) -> None:
        self._pulse.cancel()
        if self._table is not None:
            self._table.leave()

    @property
    def desk(self) -> TournamentDesk:
        """What the page shows and does."""
        desk: TournamentDesk | None = self.app.kiosk.desk
        if desk is None:
            raise RuntimeError("the page of a tournament without a hub")
        return desk

    def show(self) -> None:
        """The page as things stand now; only the bar anew where nothing else is different."""
        before, self.standing = self.standing, self.desk.standing()
        self._look = look = self.standing.look
        self.ids.bar.clear_widgets()
        self.ids.bar.add_widget(TournamentBar(self.standing, self.app.kiosk.moment, self.menu_sheet))
        if self._filled and _body(before) == _body(self.standing):
            return
        self._filled = True
        if self._table is not None:
            self._table.leave()
            self._table = None
        body = self.ids.body
        body.clear_widgets()
        pieces = [self._left(look), *([self._right(look)] if look.match is not None else [])]
        fill(body, *(reversed(pieces) if self.portrait else pieces))

    def resume(self) -> None:
        """The match goes on where it was."""
        played = self.standing.played
        if played is not None:
            take_up(self.app, played.summary)

    def begin(self) -> None:
        """To the preparation, which asks for what the tournament leaves open."""
        match = self.standing.match
        if match is None or match.game not in SPECS:
            self.app.sorry(self.app.say("app.unknown_game"))
            return
        page, args = preparation_of(match.game)
        self.app.open(page, decided=match.header, **args)

    def _beat(self, *_: object) -> None:
        """A sheet over the page stays what it is: it is drawn anew when the sheet has gone."""
        if self.desk.hub.look() is not self._look and not self.app.room.sheets:
            self.show()
            for tap in (tap for tap in self.walk(restrict=True) if isinstance(tap, Push)):
                tap.sleep()

    # The columns

    def _left(self, look: HubLook) -> BoxLayout:
        """Standings; the matches to come where they have no column of their own."""
        say, table = self.app.say, self._chosen(look)
        column = VBox(padding=(dp(16), dp(6)), spacing=dp(6))
        alone = look.match is None or self.portrait
        if table is None:
            column.add_widget(Coming(self._others(look), self.app.kiosk.moment, whole=True))
        else:
            if len(look.standings) > 1:
                group = Push(self.app.text(table.title), look="well", left=True, end="right", tall=_GROUP)
                group.bind(on_tap=lambda *_: self.app.lay(groups_sheet(look.standings, self._choose)))
                column.add_widget(group)
            names = frozenset((look.match.home, look.match.away)) if look.match else frozenset()
            self._table = Standings(say("app.tournament.standings"), table, names)
            column.add_widget(self._table)
            if alone and look.coming:
                if self.portrait:
                    column.add_widget(Coming(self._others(look), self.app.kiosk.moment, rows=3 if self._roomy else 2))
                else:
                    column.add_widget(Coming(self._others(look), self.app.kiosk.moment, across=2, rows=1, titled=False))
        if alone and (self.portrait or table is None or look.frozen or look.link.trouble is not None):
            self._add_note(column, look, table)
        return column

    def _right(self, look: HubLook) -> BoxLayout:
        """The match; below it, where the screen is wide, the matches to come."""
        panel = Card(MatchCard(self), radius=0, padding=(dp(16), dp(12)), spacing=dp(8))
        if self.portrait:
            panel.size_hint_y = None
            panel.bind(minimum_height=panel.setter("height"))
            return panel
        panel.size_hint_x, panel.width = None, dp(RIGHT)
        panel.add_widget(Coming(self._others(look), self.app.kiosk.moment) if look.standings else Widget())
        if self._roomy or look.link.trouble is not None:
            self._add_note(panel, look, own_table(look))
        return panel

    @property
    def _roomy(self) -> bool:
        return bool(self.app.theme.roomy)

    @staticmethod
    def _others(look: HubLook) -> list[ComingMatch]:
        """The matches to come but this table's own."""
        own = look.match.match if look.match is not None else None
        return [match for match in look.coming if match.match != own]

    def _add_note(self, column: BoxLayout, look: HubLook, table: StandingTable | None) -> None:
        note = self._note(look, table)
        if note:
            noticed = look.frozen or look.link.trouble is not None
            column.add_widget(Text(note, kind="mini", tone="laiton" if noticed else "craie2", halign="left"))

    def _note(self, look: HubLook, table: StandingTable | None) -> str:
        if look.link.trouble is not None:
            return self.app.text(look.link.trouble)
        if look.frozen:
            return self.app.say("app.tournament.frozen")
        if table is not None and table.advance:
            return self.app.say("app.tournament.advance", n=table.advance)
        return ""

    def _chosen(self, look: HubLook) -> StandingTable | None:
        """The group that somebody asked for, else this table's."""
        at = self.memory.get("group")
        return look.standings[at] if at is not None and at < len(look.standings) else own_table(look)

    def _choose(self, at: int) -> None:
        self.memory["group"] = at
        self.app.redraw()

    def ask_presence(self, side: Side) -> None:
        """Asks whether a side is there, its name in large letters; of one that is, whether that was a mistake."""
        match = self.standing.match
        if match is None:
            return
        there = side in match.present
        word = "app.tournament.absent" if there else "app.tournament.here"
        act = partial(self._checked, side, not there)
        self.app.lay(self._name_sheet(side, say("app.tournament.presence"), say(word), act, filled=not there))

    def ask_presences(self) -> None:
        """Both sides with what was said of them, to take back."""
        match = self.standing.match
        if match is None:
            return
        entries = [
            Entry(name_of(match, side), partial(self.ask_presence, side), icon="check", on=side in match.present)
            for side in SIDES
        ]
        self.app.lay(list_sheet(say("app.tournament.presence"), entries))

    def ask_confirmation(self, side: Side) -> None:
        """Shows a side the result that it confirms, or takes its confirmation back."""
        match = self.standing.match
        if match is None:
            return
        given = side in match.confirmed
        word = "app.tournament.withdraw" if given else "app.tournament.confirm"
        act = partial(self._confirmed, side, not given)
        self.app.lay(
            self._name_sheet(side, say("app.tournament.result"), say(word), act, filled=not given, scored=True)
        )

    def ask_referee(self) -> None:
        """The referee's own confirmation, behind the referee's PIN."""
        match = self.standing.match
        if match is not None:
            given = "referee" in match.confirmed
            self._as_referee(lambda: self._confirmed("referee", not given))

    def referee_menu(self) -> None:
        """What the table's referee may do in the place of a side that is not at the screen."""
        self._as_referee(lambda: self.app.lay(list_sheet(say("app.tournament.referee"), self._referee_entries())))

    def menu_sheet(self) -> None:
        """Where one can go from here."""
        app = self.app
        entries = [Entry(say("app.table.menu_home"), app.home, icon="house")]
        if self.standing.match is not None:
            entries.append(Entry(say("app.tournament.referee"), self.referee_menu, icon="gavel"))
        entries.append(
            Entry(say("app.tournament.settings"), partial(app.open, "settings", room="tournament"), icon="gear")
        )
        entries.append(Entry(say("app.home.look_back"), partial(app.open, "matches"), icon="list"))
        app.lay(list_sheet(say("app.table.menu"), entries))

    def _name_sheet(
        self,
        side: Side,
        title: str,
        words: str,
        act: Callable[[], None],
        *,
        filled: bool,
        scored: bool = False,
    ) -> Sheet:
        """One side's name, large, over the button that says it; with the score where that is what is said."""
        standing, match = self.standing, self.standing.match
        body = VBox(spacing=dp(8))
        if match is not None:
            scores = f"{standing.score('home')} – {standing.score('away')}"
            if scored:
                pair = f"{name_of(match, SIDES[0])} – {name_of(match, SIDES[1])}"
                body.add_widget(Name(pair, kinds=["bouton", "corps", "mini"], halign="center", size_hint_y=0.5))
                body.add_widget(Tally(scores, ("fort", "grand", "titre")))
            name, colour = name_of(match, side), colour_of(match, side)
            body.add_widget(Name(name, kinds=["grand", "titre", "bouton", "corps"], tone=colour, halign="center"))
            push = Push(words, icon="check" if filled else "undo", look="side" if filled else "outlined", kind="titre")
            push.side, push.spoken = colour, f"{name} {words}"
            push.size_hint_y, push.height = None, dp(_LARGE)
            push.bind(on_tap=lambda *_: self._lift_and(act))
            body.add_widget(push)
        return Sheet(title, body, box=(0.1, 0.1, 0.8, 0.8))

    def _lift_and(self, act: Callable[[], None]) -> None:
        self.app.lift()
        act()

    def _checked(self, side: Side, present: bool) -> None:
        self.desk.check_in(side, present)
        self.show()

    def _confirmed(self, by: Signer, given: bool) -> None:
        """Something else may stand by now: then it is shown, and nothing confirmed."""
        done = self.desk.confirm(self.standing, by, given)
        self.show()
        if not done:
            self.app.sorry(say("app.tournament.changed"))

    def _as_referee(self, act: Callable[[], None]) -> None:
        """Does something once the referee's PIN is typed; the next one is asked again."""
        from companion.app.screens.pin import ask_pin

        lock = self.app.kiosk.referee
        if lock is None or not lock.set:
            self.app.sorry(say("app.tournament.no_referee"))
            return

        def enter() -> None:
            lock.shut()
            act()

        ask_pin(self.app, lock, enter)

    def _referee_entries(self) -> list[Entry]:
        standing, match = self.standing, self.standing.match
        if match is None:
            return []
        found = []
        if standing.step in ("gathering", "ready"):
            for side in SIDES:
                there = side in match.present
                word = "app.tournament.referee.absent" if there else "app.tournament.referee.here"
                act = partial(self._checked, side, not there)
                found.append(Entry(say(word, name=name_of(match, side)), act, icon="undo" if there else "check"))
        if standing.step == "confirming":
            for by in match.needs:
                name = say("app.tournament.referee") if by == "referee" else name_of(match, by)
                given = by in match.confirmed
                word = "app.tournament.referee.withdraw" if given else "app.tournament.referee.confirm"
                act = partial(self._confirmed, by, not given)
                found.append(Entry(say(word, name=name), act, icon="undo" if given else "check"))
        if standing.played is not None:
            found.append(Entry(say("app.tournament.look_back"), self.resume, icon="list"))
        return found


def _body(standing: Standing) -> tuple[object, ...]:
    """What the page below its bar shows."""
    look = standing.look
    link = look.link.online if standing.step == "confirmed" else None
    return look.match, look.table, look.standings, look.coming, look.frozen, standing.step, standing.played, link
