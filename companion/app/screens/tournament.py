"""Screen 17, the tournament: standings, this table's match with check-in, upcoming matches, link state."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from functools import lru_cache, partial
from typing import Any, get_args

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

from companion.app.background import IdleTask
from companion.app.display import context_of, display, signed, text, translate
from companion.app.game_screens import preparation_of
from companion.app.intervals import repeat
from companion.app.match_runner import open_match
from companion.app.page import Page, load_kv
from companion.app.theme import Theme, faded, rgba
from companion.app.tournament_follower import POLL_INTERVAL_S
from companion.app.widgets.button import PushButton
from companion.app.widgets.components import Box, Card, Grid, HBox, Scroller, VBox, bind_geometry, fill
from companion.app.widgets.marks import Framed, Icon, Mark, text_width
from companion.app.widgets.sheet import Sheet, SheetEntry, list_sheet
from companion.app.widgets.text import BoldText, Name, ScoreText, Text
from companion.games.registry import SPECS
from companion.messages.wire import ComingMatch, DisputeReason, Ruling, StandingRow, StandingTable
from companion.table.hub_port import HubSnapshot, Side, Signer
from companion.table.tournament_desk import (
    SIDES,
    TournamentDesk,
    TournamentStatus,
    colour_of,
    name_of,
    ruling_message,
    standings_of_table,
)

_TIME, _TABLE = 54, 58
"""Widths of time and table in dp at the normal text size."""
_COMING_ROW, _LOW_ROW, _COMING_HEAD = 38, 33, 30
LOW_HEIGHT_DP = 460
"""Screens lower than this in dp use less space between rows."""


TimeFormatter = Callable[[datetime | int], str]
"""Formats a time, or seconds since 1970, for players."""


class UpcomingMatches(BoxLayout):
    """The upcoming matches with a title. `rows` sets the height, `whole` makes it scroll; default: what fits."""

    def __init__(
        self,
        matches: Sequence[ComingMatch],
        moment: TimeFormatter,
        *,
        across: int = 1,
        rows: int = 0,
        whole: bool = False,
        titled: bool = True,
        **kwargs: Any,
    ) -> None:
        """`across` is the number of columns. The title is omitted if `titled` is False."""
        super().__init__(orientation="vertical", **kwargs)
        self._scale = display.theme.text / 100
        self._high = dp(_LOW_ROW if display.is_low else _COMING_ROW) * self._scale
        self._matches, self._moment, self._across, self._line_count = matches, moment, across, -1
        title = BoldText(translate("app.tournament.coming"), kind="bouton", halign="left", flow="box", size_hint_y=None)
        title.height = dp(_COMING_HEAD * self._scale) * titled
        self._title, self._titled = title, titled
        if titled:
            self.add_widget(title)
        if not matches:
            fill(self, Text(translate("app.tournament.none_coming"), tone="craie2", halign="left"), Widget())
        elif whole:
            self._all()
        elif rows:
            lines = min(rows, -(-len(matches) // across))
            self.size_hint_y, self.height = None, title.height + self._high * lines
            self._fill(lines)
        else:
            bind_geometry(self, self._fit)

    def _fit(self) -> None:
        self._fill(max(0, int((self.height - dp(_COMING_HEAD * self._scale)) / self._high)))

    def _fill(self, lines: int) -> None:
        if lines == self._line_count:
            return
        self._line_count = lines
        self.clear_widgets()
        visible_matches = self._matches[: lines * self._across]
        if not visible_matches:
            return
        if self._titled:
            self.add_widget(self._title)
        grid = Grid(
            *(self._row(match) for match in visible_matches), cols=self._across, spacing=(dp(16), 0), grows=True
        )
        fill(self, grid, Widget())

    def _row(self, match: ComingMatch) -> _Row:
        when = "" if match.starts is None else self._moment(match.starts)
        return _Row(match, translate("app.tournament.playing") if match.playing else when, self._scale, self._high)

    def _all(self) -> None:
        self.add_widget(Scroller(VBox(*(self._row(match) for match in self._matches), grows=True)))


class _Row(BoxLayout):
    def __init__(self, match: ComingMatch, when: str, scale: float, high: float) -> None:
        super().__init__(size_hint_y=None, height=high, spacing=dp(6))
        self.add_widget(Name(when, kinds=["corps", "mini"], halign="left", wide=_TIME * scale))
        where = translate("app.tournament.at_table", n=match.table) if match.table is not None else ""
        table = Name(where, kinds=["corps", "mini"], halign="left", tone="craie2", plain=True, strong=False)
        table.size_hint_x, table.width = None, dp(_TABLE * scale)
        self.add_widget(table)
        who = f"{match.home} – {match.away}" if match.home and match.away else text(match.title)
        self.add_widget(Name(who, kinds=["corps", "mini"], halign="left", plain=True, strong=False))


COLUMNS = ("played", "won", "drawn", "lost", "difference", "points")
_WIDE = {"played": 25, "won": 25, "drawn": 25, "lost": 25, "difference": 46, "points": 54}
"""Widths of the columns in dp at the normal text size."""
_DROPPED = (("won", "drawn", "lost"), ("played",), ("difference",))
"""Groups of columns that are dropped in this order if names have too little space."""
_RANK_WIDTH, _MIN_NAME_WIDTH = 48, 118
_ROW, _HEAD = 44, 30
_MIN_ROW_HEIGHT = 38
"""Rows may shrink to this height in dp if all of them then fit."""
_FIRST_BATCH_ROWS = 14
"""Rows created before the first frame; the rest follow a few at a time."""


class StandingsTable(BoxLayout):
    """The standings, with `title` above the names. If it must scroll, it starts at the first of this table's sides."""

    def __init__(self, title: str, table: StandingTable, lit: frozenset[str], **kwargs: Any) -> None:
        """`lit` contains the names of this table's sides."""
        super().__init__(orientation="vertical", **kwargs)
        self._title, self._rows, self._lit, self._advance = title, table.rows, lit, table.advance
        self._made_for: tuple[tuple[str, ...], float] | None = None
        self._idle_task: IdleTask[None] | None = None
        bind_geometry(self, self._fill)

    def leave(self) -> None:
        """Stop creating rows."""
        if self._idle_task is not None:
            self._idle_task.stop()

    def _fill(self) -> None:
        """Build the table for the available space; rebuild it only if other columns or rows fit."""
        columns = visible_columns(self.width)
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
        for _ in range(_FIRST_BATCH_ROWS):
            if next(filling, self) is self:
                return
        self._idle_task = IdleTask(filling, lambda: None)

    def _filling(self, columns: tuple[str, ...]) -> Iterator[None]:
        high = self._row_height()
        for place, row in enumerate(self._rows):
            line = _Line(row, columns, row.name in self._lit, place < self._advance)
            line.size_hint_y, line.height = None, high
            self._column.add_widget(line)
            yield

    def _row_height(self) -> float:
        scale = display.theme.text / 100
        usual, available_height = _ROW * (1 + (scale - 1) * 0.6), self.height - dp(_HEAD * scale)
        each = available_height / max(1, len(self._rows)) / dp(1) - 0.2  # rounding must not cause scrolling
        return dp(each if _MIN_ROW_HEIGHT * scale <= each < usual else usual)

    def _to_lit(self, *_: object) -> None:
        """Scroll to this table's sides."""
        at = next((place for place, row in enumerate(self._rows) if row.name in self._lit), 0)
        whole, seen = self._column.minimum_height, self._scroller.height
        if whole > seen and at > 2:
            above = (at - 2) * whole / max(1, len(self._rows))
            self._scroller.scroll_y = max(0.0, 1.0 - above / (whole - seen))


def visible_columns(width: float) -> tuple[str, ...]:
    """Return the columns that leave enough space for names in a table `width` pixels wide."""
    scale = display.theme.text / 100
    columns = list(COLUMNS)
    for dropped in (*_DROPPED, ()):
        if dp(_RANK_WIDTH + _MIN_NAME_WIDTH * scale + sum(_WIDE[column] for column in columns) * scale) <= width:
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
            word = BoldText(
                translate(f"app.tournament.column.{column}"), kind="mini", tone="craie2", flow="box", halign="right"
            )
            word.size_hint_x, word.width = None, dp(_WIDE[column] * scale)
            self.add_widget(word)


class _Line(Framed, BoxLayout):
    """One entry; a chalk bar before its rank if it advances."""

    def __init__(self, row: StandingRow, columns: Sequence[str], lit: bool, through: bool) -> None:
        theme = display.theme
        scale = theme.text / 100
        super().__init__(padding=(dp(6), 0, dp(8), 0))
        self.fill = theme.feutre if lit else (0, 0, 0, 0)
        if lit and not theme.textured:
            self.line = theme.craie3
        self._through = through
        self.add_widget(Widget(size_hint_x=None, width=dp(14)))
        self.add_widget(
            BoldText(str(row.rank), flow="box", halign="left", kind="bouton", wide=(_RANK_WIDTH - 20) * scale)
        )
        self.add_widget(Name(row.name, kinds=["bouton", "corps", "mini"], halign="left", initials=True))
        fill(self, *(_value_cell(row, column, scale) for column in columns))
        bind_geometry(self, self._draw)

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


def _value_cell(row: StandingRow, column: str, scale: float) -> Text:
    value = getattr(row, column)
    content = signed(value) if column == "difference" else str(value)
    kind = "titre" if column == "points" else "bouton"
    figure = Text(content, kind=kind, plain=False, strong=column == "points", leading=1.0, flow="box", halign="right")
    figure.size_hint_x, figure.width = None, dp(_WIDE[column] * scale)
    return figure


QUIET_ZONE_MODULES = 4
"""Width in modules of the quiet zone around the code (ISO/IEC 18004, 9.1)."""
_LIGHT, _DARK = rgba("#FFFFFF"), rgba("#000000")
"""Dark on light in every theme, because many readers support nothing else."""


class QrCode(Mark):
    """The QR code of `content`, with whole pixels per module, as large as possible within `side` dp."""

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
        module = size // (texture.width + 2 * QUIET_ZONE_MODULES)
        wide = module * texture.width
        inset = (size - wide) // 2
        Color(*_DARK)
        Rectangle(texture=texture, pos=(x + inset, y + inset), size=(wide, wide))


def modules(content: str) -> NDArray[np.bool_]:
    """Return the dark modules of the code as True, top row first."""
    return np.array([list(row) for row in segno.make(content, error="m", micro=False).matrix], dtype=bool)


@lru_cache(maxsize=4)
def _texture(content: str) -> Texture:
    """Return a texture that is white where the code is dark and transparent elsewhere, to be tinted by a Color."""
    dark = modules(content)[::-1]
    pixels = np.full((*dark.shape, 4), 255, dtype=np.uint8)
    pixels[..., 3] = dark * 255
    texture = Texture.create(size=dark.shape[::-1], colorfmt="rgba")
    texture.mag_filter = "nearest"
    texture.blit_buffer(pixels.tobytes(), colorfmt="rgba", bufferfmt="ubyte")
    return texture


_LARGE = 72


def groups_sheet(standings: Sequence[StandingTable], choose: Callable[[int], None]) -> Sheet:
    """Return a sheet to select the group whose standings are shown."""
    entries = [SheetEntry(text(table.title), partial(choose, at)) for at, table in enumerate(standings)]
    return list_sheet(translate("app.tournament.groups"), entries)


def qr_sheet(standing: TournamentStatus) -> Sheet:
    """Return the QR code of this match's public page, else of the tournament's, with the address as text."""
    snapshot, match = standing.snapshot, standing.match
    own = snapshot.pages.get(match.match) if match is not None else None
    return public_page_sheet(own or snapshot.address or "", is_match=own is not None)


def public_page_sheet(address: str, is_match: bool) -> Sheet:
    """Return the QR code of a public page of a match or of the tournament, with the address as text."""
    body = Box(orientation="vertical" if display.portrait else "horizontal", spacing=dp(16))
    around = AnchorLayout()
    code = QrCode(address)

    def fit(_: Any, size: tuple[float, float]) -> None:
        code.side = max(80.0, min(size) / dp(1))

    around.bind(size=fit)
    around.add_widget(code)
    text_box = VBox(spacing=dp(8))
    if display.portrait:
        text_box.size_hint_y, text_box.height = None, dp(140) * display.theme.text / 100
    fill(
        text_box,
        Widget(),
        Text(translate("app.tournament.qr.match" if is_match else "app.tournament.qr.all"), halign="left"),
    )
    for line in _lines(address):
        label = Name(line, kinds=["corps", "mini"], tone="craie2", halign="left", size_hint_y=None)
        label.height = dp(24) * display.theme.text / 100
        text_box.add_widget(label)
    text_box.add_widget(Widget())
    fill(body, around, text_box)
    return Sheet(translate("app.tournament.qr.title"), body, box=(0.04, 0.04, 0.92, 0.92))


# Internals


def _lines(address: str) -> list[str]:
    """Split an address into two lines: host and path."""
    scheme, _, rest = address.partition("://")
    host, slash, path = rest.partition("/")
    return [f"{scheme}://{host}", *([slash + path] if path else [])]


class TournamentBar(Framed, BoxLayout):
    """The bar of the page, on one line, or on two if space is short."""

    def __init__(
        self, standing: TournamentStatus, moment: TimeFormatter, menu: Callable[[], object], **kwargs: Any
    ) -> None:
        super().__init__(padding=(dp(8), dp(2), dp(4), dp(2)), spacing=dp(8), radius=0, **kwargs)
        self.fill = display.theme.nuit
        snapshot = standing.snapshot
        self._menu = PushButton(
            icon="menu", icon_side=28, style="quiet", spoken=translate("app.table.menu"), wide=52, act=menu
        )
        self._name = snapshot.tournament or translate("app.tournament.title")
        self._sub = stage_text(standing)
        self._link_message, self._has_warning = link_text(snapshot, moment)
        self._icon = Icon(
            "wifi" if snapshot.link.online else "wifi_off", tone="laiton" if self._has_warning else "craie2"
        )
        self._qr: PushButton | None = None
        if snapshot.address or snapshot.pages:
            self._qr = PushButton(translate("app.tournament.qr"), icon="phone", style="quiet", hug=True, pad=8)
            self._qr.spoken = translate("app.tournament.qr.title")
            self._qr.bind(on_tap=lambda push: context_of(push).show_sheet(qr_sheet(standing)))
        self._fill_soon = Clock.create_trigger(self._fill, -1)
        self.fbind("width", self._fill_soon)
        if self._qr is not None:
            self._qr.fbind("width", self._fill_soon)
        self._fill_soon()

    def _fill(self, *_: object) -> None:
        """Lay out the bar: on one line, else without the stage, else with the most important text below the name."""
        title = BoldText(self._name, kind="titre", flow="line")
        sub = Text(self._sub, flow="line", tone="craie2")
        link_label = Text(self._link_message, flow="line", tone="laiton" if self._has_warning else "craie2")
        for label in (title, sub, link_label):
            label.texture_update()
            label.size = label.texture_size
        ends = [self._icon, *([self._qr] if self._qr is not None else [])]
        lines = ([title, sub, link_label], [title, link_label])
        fits = next((line for line in lines if self._required_width([*line, self._menu, *ends]) <= self.width), None)
        self.clear_widgets()
        if fits is None:
            pieces = [self._menu, self._stacked(), *ends]
        else:
            pieces = [self._menu, title, *([sub] if sub in fits else []), Widget(), self._icon, link_label, *ends[1:]]
        for piece in pieces:
            if isinstance(piece, (Icon, Text)):
                piece.pos_hint = {"center_y": 0.5}
            self.add_widget(piece)

    def _stacked(self) -> BoxLayout:
        """Return the name above the link state, or above the stage if the link is fine."""
        box = VBox(Name(self._name, kinds=["bouton", "corps", "mini"], halign="left", size_hint_y=1.3))
        under = self._link_message if self._has_warning or not self._sub else self._sub
        tone = "laiton" if self._has_warning else "craie2"
        box.add_widget(Name(under, kinds=["mini"], halign="left", tone=tone, plain=True, strong=False))
        return box

    def _required_width(self, pieces: list[Any]) -> float:
        visible = [piece for piece in pieces if piece.width > 0]
        return sum(float(piece.width) for piece in visible) + dp(12) + dp(8) * (len(visible) + 1)


def stage_text(standing: TournamentStatus) -> str:
    """Return the round of this table's match, or that there is none, or that the tournament is over."""
    if standing.match is not None:
        return text(standing.match.title)
    return translate("app.tournament.over" if standing.snapshot.ended else "app.tournament.no_match")


def link_text(snapshot: HubSnapshot, moment: TimeFormatter) -> tuple[str, bool]:
    """Return the link state, and whether it is a warning."""
    link = snapshot.link
    if link.trouble is not None:
        return translate("app.tournament.link.trouble"), True
    if not link.online:
        if link.since is None:
            return translate("app.tournament.link.never"), True
        return translate("app.tournament.link.off", since=moment(link.since)), True
    return (translate("app.tournament.link.on", at=moment(snapshot.reported_at)) if snapshot.reported_at else ""), False


_TARGET = 56
_ACTING = ("gathering", "ready", "going", "confirming")
"""Steps in which somebody at this table has to act."""


class TournamentMatchCard(Card):
    """The card of this table's match. Its height fits the content."""

    def __init__(self, page: TournamentPage, **kwargs: Any) -> None:
        super().__init__(surface="nuit", padding=(dp(14), dp(10)), spacing=dp(8), size_hint_y=None, **kwargs)
        self.bind(minimum_height=self.setter("height"))
        self._page, self._standing = page, page.standing
        self._match = self._standing.match
        theme = display.theme
        self._scale = theme.text / 100
        acting = self._standing.step in _ACTING
        self.line, self.line_width = (theme.laiton, 3) if acting else (theme.bord, 2)
        fill(self, self._head("laiton" if acting else "craie2"), *self._names(), *self._ruling())
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

    # Parts

    def _head(self, tone: str) -> BoxLayout:
        snapshot, match = self._standing.snapshot, self._match
        line = HBox(spacing=dp(8), tall=24 * self._scale)
        message = translate(f"app.tournament.step.{self._standing.step}")
        if snapshot.table is not None:
            message = translate("app.tournament.table_step", n=snapshot.table, step=message)
        line.add_widget(Name(message, kinds=["corps", "mini"], tone=tone, halign="left"))
        if match is not None and match.called is not None and self._standing.step in ("gathering", "ready"):
            at = BoldText(
                self._page.app.tournament_follower.format_time(match.called), kind="corps", tone=tone, flow="line"
            )
            at.pos_hint = {"center_y": 0.5}
            line.add_widget(at)
        return line

    def _names(self) -> list[BoxLayout]:
        """Return the names side by side if both fit in large type, else one above the other."""
        home, away = (self._match.home, self._match.away) if self._match is not None else ("", "")
        scored = self._standing.played_match is not None
        between = f"{self._standing.score('home')} – {self._standing.score('away')}" if scored else ""
        available_width = (
            self._inner_width() - _width_of(between or translate("app.tournament.against"), "titre") - dp(16)
        )
        if (
            max(_width_of(home, "bouton"), _width_of(away, "bouton")) <= available_width / 2
            and _width_of(home + away, "bouton") <= available_width
        ):
            line = HBox(spacing=dp(8), tall=36 * self._scale)
            middle: Text = (
                BoldText(between, kind="titre", flow="line")
                if scored
                else Text(translate("app.tournament.against"), flow="line", tone="craie2")
            )
            middle.pos_hint = {"center_y": 0.5}
            share = _width_of(home, "titre") / max(1.0, _width_of(home + away, "titre"))
            for piece in (
                Name(home, kinds=["titre", "bouton"], halign="left", size_hint_x=share, initials=True),
                middle,
                Name(away, kinds=["titre", "bouton"], halign="right", size_hint_x=1 - share, initials=True),
            ):
                line.add_widget(piece)
            return [line]
        return [self._named(name, side, scored) for name, side in ((home, SIDES[0]), (away, SIDES[1]))]

    def _named(self, name: str, side: Side, scored: bool) -> BoxLayout:
        line = HBox(spacing=dp(8), tall=32 * self._scale)
        line.add_widget(Name(name, kinds=["titre", "bouton", "corps", "mini"], halign="left", initials=True))
        if scored:
            line.add_widget(BoldText(str(self._standing.score(side)), kind="titre", flow="line"))
        return line

    def _ruling(self) -> list[Widget]:
        """Return what the organiser decided about an earlier game of this match."""
        ruling = self._standing.snapshot.ruling
        if ruling is None or self._match is None or ruling.match != self._match.match:
            return []
        return [Text(text(ruling_message(ruling)), tone="laiton", halign="left"), *_reason(ruling)]

    def _presence(self) -> list[Widget]:
        match = self._match
        present = match.present if match is not None else frozenset()
        return [self._pair({side: side in present for side in SIDES}, self._page.ask_presence)]

    def _start(self) -> list[Widget]:
        start = PushButton(translate("app.tournament.begin"), icon="play", style="chalk", kind="titre", icon_side=26)
        start.bind(on_tap=lambda *_: self._page.prepare_match())
        who = PushButton(icon="users", style="outlined", spoken=translate("app.tournament.presence"), wide=60)
        who.bind(on_tap=lambda *_: self._page.ask_presences())
        line = HBox(start, who, spacing=dp(8), tall=_TARGET)
        return [line]

    def _going(self) -> list[Widget]:
        resume = PushButton(
            translate("app.home.resume"), icon="play", style="chalk", kind="titre", icon_side=26, tall=_TARGET
        )
        resume.bind(on_tap=lambda *_: self._page.resume())
        return [resume]

    def _confirming(self) -> list[Widget]:
        match = self._match
        if match is None:
            return []
        given = match.confirmed
        pieces: list[Widget] = [
            self._pair({side: side in given for side in SIDES}, self._page.ask_confirmation, "app.tournament.agreed"),
        ]
        if match.dispute is not None:
            reason = translate(f"common.dispute.{match.dispute.why}")
            name = name_of(match, match.dispute.by)
            pieces.append(
                Text(translate("app.tournament.disputed", name=name, why=reason), tone="laiton", halign="left")
            )
        line = HBox(spacing=dp(8), tall=_TARGET)
        if match.referee:
            there = "referee" in given
            label = translate("app.tournament.referee")
            label = label if there else translate("app.tournament.agreed", name=label)
            referee = PushButton(label, icon="check" if there else "gavel", style="chalk" if there else "todo", pad=6)
            referee.bind(on_tap=lambda *_: self._page.ask_referee())
            line.add_widget(referee)
        review = PushButton(translate("app.tournament.look_back"), icon="list", style="outlined", pad=6, kind="corps")
        review.bind(on_tap=lambda *_: self._page.resume())
        line.add_widget(review)
        pieces.append(line)
        return pieces

    def _done(self) -> list[Widget]:
        label = Text(translate(f"app.tournament.done.{self._standing.step}"), tone="craie2", halign="left")
        if self._standing.played_match is None:
            return [label]
        review = PushButton(
            translate("app.tournament.look_back"), icon="list", style="outlined", kind="corps", tall=_TARGET
        )
        review.bind(on_tap=lambda *_: self._page.resume())
        return [label, review]

    # Both sides

    def _pair(
        self, there: dict[Side, bool], act: Callable[[Side], object], question: str = "app.tournament.asked"
    ) -> BoxLayout:
        """Return one button per side, with its name or the question to it; long names get a full row each."""
        match = self._match
        box = Box(spacing=dp(8), tall=_TARGET)
        names = {side: name_of(match, side) for side in SIDES} if match is not None else {}
        labels = {side: name if there[side] else translate(question, name=name) for side, name in names.items()}
        target_width, kind = (self._inner_width() - dp(8)) / 2 - dp(12), "bouton"
        if max(self._name_width(name, question, kind) for name in names.values()) > target_width:
            kind = "corps"
        if max(self._name_width(name, question, kind) for name in names.values()) > target_width:
            box.height = dp(max(_TARGET, 44 * self._scale))  # two lines: the name, then the question
        if max(_width_of(name, kind) + dp(30) for name in names.values()) > target_width:
            high, kind = max(_TARGET, 30 * self._scale + 8), "bouton"
            box.orientation, box.height = "vertical", dp(2 * high + 8)
        for side in SIDES:
            push = PushButton(
                labels[side], side=colour_of(match, side) if match else "blue", pad=6, kind=kind, icon_side=20
            )
            push.style, push.icon = ("side", "check") if there[side] else ("side_outlined", "")
            push.bind(on_tap=lambda _, side=side: act(side))
            box.add_widget(push)
        return box

    @staticmethod
    def _name_width(name: str, question: str, kind: str) -> float:
        """Return the width of a name on its button, in the larger of both states (question or check mark)."""
        return max(_width_of(name, kind) + dp(30), _width_of(translate(question, name=name), kind))

    def _inner_width(self) -> float:
        """Return the inner width of the card, known before its layout."""
        return (display.size[0] if display.portrait else dp(RIGHT)) - dp(32 + 28)


def _reason(ruling: Ruling) -> list[Widget]:
    return [Text(ruling.why, tone="craie2", halign="left")] if ruling.why else []


class RulingCard(Card):
    """What the organiser decided about this table's last match. Its height fits the content."""

    def __init__(self, ruling: Ruling, table: int | None, **kwargs: Any) -> None:
        super().__init__(surface="nuit", padding=(dp(14), dp(10)), spacing=dp(8), size_hint_y=None, **kwargs)
        self.bind(minimum_height=self.setter("height"))
        theme = display.theme
        self.line, self.line_width = theme.bord, 2
        head = translate("app.tournament.ruled")
        if table is not None:
            head = translate("app.tournament.table_step", n=table, step=head)
        title = Name(head, kinds=["corps", "mini"], tone="laiton", halign="left")
        title.size_hint_y, title.height = None, dp(24 * theme.text / 100)
        fill(self, title, Text(text(ruling_message(ruling)), kind="bouton", halign="left"), *_reason(ruling))


_StepStyle = tuple[str, list[str], int]
_STEP_STYLES: tuple[_StepStyle, ...] = (
    ("laiton", ["grand", "titre", "bouton", "corps"], 44),
    ("craie", ["titre", "bouton", "corps"], 34),
    ("craie", ["bouton", "corps", "mini"], 34),
)
"""Tone, type sizes and height in dp of the steps of the podium, the highest first."""


class EndCard(Card):
    """The end of the tournament: who has won, who is second and third, and the way back to free play."""

    def __init__(self, snapshot: HubSnapshot, leave: Callable[[], object], **kwargs: Any) -> None:
        super().__init__(surface="nuit", padding=(dp(14), dp(10)), spacing=dp(8), size_hint_y=None, **kwargs)
        self.bind(minimum_height=self.setter("height"))
        self._scale = display.theme.text / 100
        self.line, self.line_width = display.theme.laiton, 2
        head = HBox(Icon("cup", tone="laiton"), spacing=dp(8), tall=28 * self._scale)
        head.add_widget(Name(translate("app.tournament.ended"), kinds=["bouton", "corps", "mini"], halign="left"))
        styled = zip(_STEP_STYLES, snapshot.podium or (), strict=False)
        steps = [self._step(style, step.rank, name) for style, step in styled for name in step.names]
        fill(self, head, *steps)
        if not steps:
            self.add_widget(Text(translate("app.tournament.all_played"), tone="craie2", halign="left"))
        self.add_widget(
            PushButton(translate("app.tournament.free_play"), icon="house", style="chalk", tall=_TARGET, act=leave)
        )

    def _step(self, style: _StepStyle, number: int, name: str) -> BoxLayout:
        tone, kinds, height = style
        line = HBox(spacing=dp(10), tall=height * self._scale)
        place = BoldText(str(number), kind=kinds[0], tone=tone, flow="box", halign="left", wide=28 * self._scale)
        fill(line, place, Name(name, kinds=kinds, tone=tone, halign="left", initials=True))
        return line


def _width_of(content: str, kind: str) -> float:
    """Return the width of a bold condensed text on one line."""
    return text_width(content, display.theme.type(kind))


load_kv(__file__)

RIGHT = 364
"""Width of the match column in dp."""
_GROUP = 56


class TournamentPage(Page):
    """The tournament page. Polls the desk; each part is rebuilt only when its content has changed."""

    def build(self) -> None:
        self._snapshot: HubSnapshot | None = None
        self._table: StandingsTable | None = None
        self._filled = False
        self.standing = TournamentStatus(HubSnapshot())
        self.show()
        self._poll_event = repeat(self._poll, POLL_INTERVAL_S)

    def leave(self) -> None:
        self._poll_event.cancel()
        if self._table is not None:
            self._table.leave()

    @property
    def desk(self) -> TournamentDesk:
        """The desk that the page shows and controls."""
        desk: TournamentDesk | None = self.app.tournament_follower.desk
        if desk is None:
            raise RuntimeError("the page of a tournament without a hub")
        return desk

    def show(self) -> None:
        """Show the current state. If nothing else has changed, only the bar is rebuilt."""
        before, self.standing = self.standing, self.desk.status()
        self._snapshot = snapshot = self.standing.snapshot
        self.ids.bar.clear_widgets()
        self.ids.bar.add_widget(TournamentBar(self.standing, self.app.tournament_follower.format_time, self.menu_sheet))
        if self._filled and _body(before) == _body(self.standing):
            return
        self._filled = True
        if self._table is not None:
            self._table.leave()
            self._table = None
        body = self.ids.body
        body.clear_widgets()
        card = self._card(snapshot)
        if card is not None and snapshot.ended and not snapshot.standings:
            alone = AnchorLayout(padding=(dp(16), dp(12)))
            alone.add_widget(card)
            body.add_widget(alone)
            return
        left = self._left(snapshot, alone=card is None or self.portrait)
        pieces = [left, *([self._right(snapshot, card)] if card is not None else [])]
        fill(body, *(reversed(pieces) if self.portrait else pieces))

    def resume(self) -> None:
        """Resume the match."""
        played = self.standing.played_match
        if played is not None:
            open_match(self.app, played.summary)

    def prepare_match(self) -> None:
        """Open the preparation for the settings that the tournament leaves open."""
        match = self.standing.match
        if match is None or match.game not in SPECS:
            self.app.show_error(self.app.translate("app.unknown_game"))
            return
        page, args = preparation_of(match.game)
        self.app.open(page, decided=match.header, **args)

    def _poll(self, *_: object) -> None:
        """Update the page, but not while a sheet is open."""
        if self.desk.hub.snapshot() is not self._snapshot and not self.app.navigator.sheets:
            self.show()
            for tap in (tap for tap in self.walk(restrict=True) if isinstance(tap, PushButton)):
                tap.sleep()

    # Columns

    def _left(self, snapshot: HubSnapshot, alone: bool) -> BoxLayout:
        """Return the standings, with the upcoming matches if they are `alone`, without a column of the match."""
        translate, table = self.app.translate, self._chosen(snapshot)
        column = VBox(padding=(dp(16), dp(6)), spacing=dp(6))
        if table is None:
            column.add_widget(
                UpcomingMatches(self._others(snapshot), self.app.tournament_follower.format_time, whole=True)
            )
        else:
            if len(snapshot.standings) > 1:
                group = PushButton(self.app.text(table.title), style="well", left=True, end="right", tall=_GROUP)
                group.bind(on_tap=lambda *_: self.app.show_sheet(groups_sheet(snapshot.standings, self._choose)))
                column.add_widget(group)
            names = frozenset((snapshot.match.home, snapshot.match.away)) if snapshot.match else frozenset()
            self._table = StandingsTable(translate("app.tournament.standings"), table, names)
            column.add_widget(self._table)
            if alone and snapshot.coming:
                if self.portrait:
                    column.add_widget(
                        UpcomingMatches(
                            self._others(snapshot),
                            self.app.tournament_follower.format_time,
                            rows=3 if self._roomy else 2,
                        )
                    )
                else:
                    column.add_widget(
                        UpcomingMatches(
                            self._others(snapshot),
                            self.app.tournament_follower.format_time,
                            across=2,
                            rows=1,
                            titled=False,
                        )
                    )
        if alone and (self.portrait or table is None or snapshot.frozen or snapshot.link.trouble is not None):
            self._add_note(column, snapshot, table)
        return column

    def _card(self, snapshot: HubSnapshot) -> Card | None:
        """Return the card of this table's match, of the end, or of what was decided about the last match."""
        if snapshot.match is not None:
            return TournamentMatchCard(self)
        if snapshot.ended:
            return EndCard(snapshot, self.app.home)
        return None if snapshot.ruling is None else RulingCard(snapshot.ruling, snapshot.table)

    def _right(self, snapshot: HubSnapshot, card: Card) -> BoxLayout:
        """Return the card of the match, with the upcoming matches below on a wide screen."""
        panel = Card(card, radius=0, padding=(dp(16), dp(12)), spacing=dp(8))
        if self.portrait:
            panel.size_hint_y = None
            panel.bind(minimum_height=panel.setter("height"))
            return panel
        panel.size_hint_x, panel.width = None, dp(RIGHT)
        panel.add_widget(
            UpcomingMatches(self._others(snapshot), self.app.tournament_follower.format_time)
            if snapshot.standings and not snapshot.ended
            else Widget()
        )
        if self._roomy or snapshot.link.trouble is not None:
            self._add_note(panel, snapshot, standings_of_table(snapshot))
        return panel

    @property
    def _roomy(self) -> bool:
        return bool(self.app.theme.roomy)

    @staticmethod
    def _others(snapshot: HubSnapshot) -> list[ComingMatch]:
        """Return the upcoming matches without this table's own."""
        own = snapshot.match.match if snapshot.match is not None else None
        return [match for match in snapshot.coming if match.match != own]

    def _add_note(self, column: BoxLayout, snapshot: HubSnapshot, table: StandingTable | None) -> None:
        note = self._note(snapshot, table)
        if note:
            noticed = snapshot.frozen or snapshot.link.trouble is not None
            column.add_widget(Text(note, kind="mini", tone="laiton" if noticed else "craie2", halign="left"))

    def _note(self, snapshot: HubSnapshot, table: StandingTable | None) -> str:
        if snapshot.link.trouble is not None:
            return self.app.text(snapshot.link.trouble)
        if snapshot.frozen:
            return self.app.translate("app.tournament.frozen")
        if table is not None and table.advance and snapshot.podium is None:
            return self.app.translate("app.tournament.advance", n=table.advance)
        return ""

    def _chosen(self, snapshot: HubSnapshot) -> StandingTable | None:
        """Return the selected group, else this table's group."""
        at = self.memory.get("group")
        return (
            snapshot.standings[at] if at is not None and at < len(snapshot.standings) else standings_of_table(snapshot)
        )

    def _choose(self, at: int) -> None:
        self.memory["group"] = at
        self.app.redraw()

    def ask_presence(self, side: Side) -> None:
        """Ask whether a side is present, with its name in large type, or whether its check-in was a mistake."""
        match = self.standing.match
        if match is None:
            return
        there = side in match.present
        word = "app.tournament.absent" if there else "app.tournament.here"
        act = partial(self._set_presence, side, not there)
        self.app.show_sheet(
            self._name_sheet(side, translate("app.tournament.presence"), translate(word), act, filled=not there)
        )

    def ask_presences(self) -> None:
        """Show the check-in of both sides, so that it can be changed."""
        match = self.standing.match
        if match is None:
            return
        entries = [
            SheetEntry(name_of(match, side), partial(self.ask_presence, side), icon="check", on=side in match.present)
            for side in SIDES
        ]
        self.app.show_sheet(list_sheet(translate("app.tournament.presence"), entries))

    def ask_confirmation(self, side: Side) -> None:
        """Show a side the result to confirm, or offer to withdraw its confirmation."""
        match = self.standing.match
        if match is None:
            return
        given = side in match.confirmed
        word = "app.tournament.withdraw" if given else "app.tournament.confirm"
        act = partial(self._set_confirmation, side, not given)
        sheet = self._name_sheet(
            side, translate("app.tournament.result"), translate(word), act, filled=not given, scored=True
        )
        if not given:
            other = PushButton(translate("app.tournament.dispute"), icon="alert", style="outlined", tall=_TARGET)
            other.spoken = f"{name_of(match, side)} {other.text}"
            other.bind(on_tap=lambda *_: self._close_sheet_and_run(partial(self.ask_dispute, side)))
            sheet.body.add_widget(other)
        self.app.show_sheet(sheet)

    def ask_dispute(self, side: Side) -> None:
        """Ask a side why it does not agree with the result; the organiser is then called."""
        entries = [
            SheetEntry(translate(f"common.dispute.{why}"), partial(self._dispute, side, why))
            for why in get_args(DisputeReason)
        ]
        self.app.show_sheet(list_sheet(translate("app.tournament.dispute.why"), entries))

    def _dispute(self, side: Side, why: DisputeReason) -> None:
        done = self.desk.dispute(self.standing, side, why)
        self.show()
        if not done:
            self.app.show_error(translate("app.tournament.changed"))

    def ask_referee(self) -> None:
        """Confirm or withdraw as the referee, after the referee's PIN."""
        match = self.standing.match
        if match is not None:
            given = "referee" in match.confirmed
            self._as_referee(lambda: self._set_confirmation("referee", not given))

    def referee_menu(self) -> None:
        """Open the referee's actions on behalf of a side that is not at the screen."""
        self._as_referee(
            lambda: self.app.show_sheet(list_sheet(translate("app.tournament.referee"), self._referee_entries()))
        )

    def menu_sheet(self) -> None:
        """Open the menu of the page."""
        app = self.app
        entries = [SheetEntry(translate("app.table.menu_home"), app.home, icon="house")]
        if self.standing.match is not None:
            entries.append(SheetEntry(translate("app.tournament.referee"), self.referee_menu, icon="gavel"))
        entries.append(
            SheetEntry(
                translate("app.tournament.settings"), partial(app.open, "settings", room="tournament"), icon="gear"
            )
        )
        entries.append(SheetEntry(translate("app.home.look_back"), partial(app.open, "matches"), icon="list"))
        app.show_sheet(list_sheet(translate("app.table.menu"), entries))

    def _name_sheet(
        self,
        side: Side,
        title: str,
        label: str,
        act: Callable[[], None],
        *,
        filled: bool,
        scored: bool = False,
    ) -> Sheet:
        """Return a sheet with one side's name in large type above the action button; with the score if `scored`.

        Below the score a bare name would read as that of the winner, so the side is asked whether it agrees.
        """
        standing, match = self.standing, self.standing.match
        body = VBox(spacing=dp(8))
        if match is not None:
            scores = f"{standing.score('home')} – {standing.score('away')}"
            if scored:
                pair = f"{name_of(match, SIDES[0])} – {name_of(match, SIDES[1])}"
                body.add_widget(Name(pair, kinds=["bouton", "corps", "mini"], halign="center", size_hint_y=0.5))
                body.add_widget(ScoreText(scores, ("fort", "grand", "titre")))
            name, colour = name_of(match, side), colour_of(match, side)
            asked = translate("app.tournament.agree", name=name) if scored and filled else name
            body.add_widget(Name(asked, kinds=["grand", "titre", "bouton", "corps"], tone=colour, halign="center"))
            push = PushButton(
                label, icon="check" if filled else "undo", style="side" if filled else "outlined", kind="titre"
            )
            push.side, push.spoken = colour, f"{name} {label}"
            push.size_hint_y, push.height = None, dp(_LARGE)
            push.bind(on_tap=lambda *_: self._close_sheet_and_run(act))
            body.add_widget(push)
        return Sheet(title, body, box=(0.1, 0.04, 0.8, 0.92))

    def _close_sheet_and_run(self, act: Callable[[], None]) -> None:
        self.app.close_sheet()
        act()

    def _set_presence(self, side: Side, present: bool) -> None:
        self.desk.check_in(side, present)
        self.show()

    def _set_confirmation(self, by: Signer, given: bool) -> None:
        """Confirm the result, unless it has changed since it was shown; then show the new one."""
        done = self.desk.confirm(self.standing, by, given)
        self.show()
        if not done:
            self.app.show_error(translate("app.tournament.changed"))

    def _as_referee(self, act: Callable[[], None]) -> None:
        """Run an action after the referee's PIN. The lock closes again at once."""
        from companion.app.screens.pin import ask_pin

        lock = self.app.tournament_follower.referee_lock
        if lock is None or not lock.has_pin:
            self.app.show_error(translate("app.tournament.no_referee"))
            return

        def enter() -> None:
            lock.lock()
            act()

        ask_pin(self.app, lock, enter)

    def _referee_entries(self) -> list[SheetEntry]:
        standing, match = self.standing, self.standing.match
        if match is None:
            return []
        found = []
        if standing.step in ("gathering", "ready"):
            for side in SIDES:
                there = side in match.present
                word = "app.tournament.referee.absent" if there else "app.tournament.referee.here"
                act = partial(self._set_presence, side, not there)
                found.append(
                    SheetEntry(translate(word, name=name_of(match, side)), act, icon="undo" if there else "check")
                )
        if standing.step == "confirming":
            for by in match.required_signers:
                name = translate("app.tournament.referee") if by == "referee" else name_of(match, by)
                given = by in match.confirmed
                word = "app.tournament.referee.withdraw" if given else "app.tournament.referee.confirm"
                act = partial(self._set_confirmation, by, not given)
                found.append(SheetEntry(translate(word, name=name), act, icon="undo" if given else "check"))
        if standing.played_match is not None:
            found.append(SheetEntry(translate("app.tournament.look_back"), self.resume, icon="list"))
        return found


def _body(standing: TournamentStatus) -> tuple[object, ...]:
    """Return the content shown below the bar."""
    snapshot = standing.snapshot
    link = snapshot.link.online if standing.step == "confirmed" else None
    return (
        snapshot.match,
        snapshot.ruling,
        snapshot.table,
        snapshot.standings,
        snapshot.coming,
        snapshot.frozen,
        snapshot.podium,
        standing.step,
        standing.played_match,
        link,
    )
