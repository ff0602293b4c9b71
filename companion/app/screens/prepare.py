"""Screen 03: preparation of a match as a list of rows, with missing choices and the start button.

The choices are kept in the route's memory until the match exists. The game defines the rows (`GameSpec.prepare`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from kivy.graphics import Color, Rectangle
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout
from kivy.uix.widget import Widget

from companion.app.cards.rows import card_store
from companion.app.display import display, text, translate
from companion.app.match_runner import last_match, play_again
from companion.app.page import Page, load_kv
from companion.app.people import known_names, people_of, show_seats
from companion.app.season_choice import chosen_season, season_button, season_fields
from companion.app.widgets.button import PushButton
from companion.app.widgets.components import Box, Card, Grid, HBox, SegmentedControl, bounded_stepper, fill
from companion.app.widgets.marks import SideBadge
from companion.app.widgets.name_sheet import naming_sheet
from companion.app.widgets.sheet import SheetEntry, list_sheet
from companion.app.widgets.text import Name
from companion.games.base import Fields, Message, Option
from companion.games.preparation import MatchPreparation, Memory, SetupColumn, SetupRow, decided_row
from companion.games.registry import SPECS
from companion.table.catalogues.card_store import CardStoreError, SampleCards
from companion.table.opponents import SeatedPreparation, is_seat_row
from companion.table.tournament_desk import complete_header, same_sides
from companion.tournament.match_choices import CHOICES

if TYPE_CHECKING:
    from companion.app.context import AppContext

Tapped = Callable[[SetupRow], None]
"""Called for a tap on a row that opens something."""
Chosen = Callable[[SetupRow, Any], None]
"""Called for a row that is answered directly."""

MAX_SEGMENTS = 4
"""Up to this many options of a match setting are shown in a row; more open a sheet."""
MAX_ONE_LINE_DETAIL = 28
"""Characters of a detail that fit on one line of a side's column."""
_ROW, _HEAD, _SECOND_LINE = 56, 52, 14


class PreparationColumn(Card):
    """One side's name and rows, with an edge in the side's colour at the outer side of the screen."""

    def __init__(
        self, column: SetupColumn, tapped: Tapped, chosen: Chosen, *, right: bool, roomy: bool = True, **kwargs: Any
    ) -> None:
        """`roomy` is False for a narrow column; its name is then smaller."""
        self._colour, self._right, self._roomy = column.colour, right, roomy
        super().__init__(side=column.colour, radius=0, spacing=dp(8), **kwargs)
        self.padding = (dp(10), dp(6), dp(16), dp(8)) if right else (dp(16), dp(6), dp(10), dp(8))
        self.bind(pos=self._edge, size=self._edge)
        rows = list(column.rows)
        named = rows.pop(0) if rows and (rows[0].kind == "text" or rows[0].id.startswith("name.")) else None
        self.add_widget(self._head(column, named, tapped))
        name = text(column.title)
        fill(self, *(row_widget(row, tapped, chosen, colour=column.colour, of=name) for row in rows))
        self.least = dp(14) + dp(_HEAD) + sum(dp(8) + child.height for child in self.children[:-1])
        self.add_widget(Widget())

    def _head(self, column: SetupColumn, named: SetupRow | None, tapped: Tapped) -> PushButton:
        name = text(column.title)
        head = PushButton(
            name, style="quiet", kind="titre" if self._roomy else "bouton", left=True, pad=4, side=column.colour
        )
        head.mark(SideBadge(colour=column.colour, letter=column.letter or name[:1].upper(), side=34))
        head.size_hint_y, head.height = None, dp(_HEAD)
        if named is not None:
            rename = translate("app.prepare.rename", name=name)
            head.end, head.end_tone, head.spoken = "lock" if named.decided else "edit", column.colour, rename
            head.style = "quiet" if named.done else "todo"
            head.bind(on_tap=lambda *_: tapped(named))
        return head

    def _edge(self, *_: object) -> None:
        self.canvas.after.clear()
        width = dp(6)
        with self.canvas.after:
            Color(*display.theme.tone(self._colour))
            Rectangle(pos=(self.right - width if self._right else self.x, self.y), size=(width, self.height))


def row_widget(row: SetupRow, tapped: Tapped, chosen: Chosen, *, colour: str = "", of: str = "") -> Widget:
    """Return a row as a button, brass until it is done; a count has a stepper."""
    if row.kind == "count":
        return _count_row(row, chosen, colour)
    push = PushButton(
        text(row.label), detail=text(row.detail), icon=row.icon, icon_side=26, left=True, side=colour or "blue"
    )
    done = "side_thin" if colour else "well"
    push.style, push.end = (done, "edit") if row.done else ("todo", "right")
    if row.decided:
        push.style, push.end = done, "lock"
    elif row.kind == "switch":
        push.end = "check" if row.value else ""
    elif row.kind in ("pick", "list", "page"):
        push.end = "right"
    push.end_tone = colour
    tall = _ROW + _SECOND_LINE * (len(push.detail) > MAX_ONE_LINE_DETAIL)
    push.size_hint_y, push.height = None, dp(tall) * max(1.0, display.theme.text / 100 * 0.95)
    push.spoken = f"{of} {push.text}".strip()
    push.bind(on_tap=lambda *_: chosen(row, not row.value) if row.kind == "switch" else tapped(row))
    return push


def _count_row(row: SetupRow, chosen: Chosen, colour: str) -> BoxLayout:
    title = text(row.label)
    label = Name(title, halign="left")
    label.strong, label.tone = False, "craie" if row.done else "laiton"
    count = row.value
    assert isinstance(count, int)
    limits = range(row.minimum, row.maximum + 1)
    steps = bounded_stepper(count, limits, partial(chosen, row), title, colour=colour or "white", wide=176)
    return HBox(label, steps, spacing=dp(8), tall=58)


def readings(column: SetupColumn) -> tuple[SetupRow, ...]:
    """Return the rows on points that the rulebook leaves open; they are on the page `readings`."""
    return tuple(row for row in column.rows if row.quotation is not None)


def with_readings_row(column: SetupColumn) -> SetupColumn:
    """Return the rows of the match with one row that opens the page `readings` instead of those shown there."""
    found = readings(column)
    if not found:
        return column
    changed = sum(row.value != row.usual for row in found)
    detail = Message("app.readings.changed", {"n": changed}) if changed else Message("app.readings.usual")
    row = SetupRow("readings", Message("app.readings.title"), detail, "page", "list", page="readings")
    return replace(column, rows=(*(row for row in column.rows if row.quotation is None), row))


def settings(column: SetupColumn, tapped: Tapped, chosen: Chosen) -> GridLayout:
    """Return the rows of the match: a few options as a segmented control, other rows two per line in landscape."""
    body = Grid(cols=1, spacing=dp(8), grows=True)
    across = 1 if display.portrait else 2
    line: GridLayout | None = None
    for row in column.rows:
        if (
            row.kind == "pick"
            and 0 < len(row.options) <= MAX_SEGMENTS
            and not any(o.disabled_reason for o in row.options)
        ):
            body.add_widget(_segments(row, chosen))
            line = None
            continue
        if line is None:
            line = Grid(cols=across, spacing=(dp(16), dp(8)), grows=True)
            body.add_widget(line)
        line.add_widget(row_widget(row, tapped, chosen))
        line.cols = min(across, len(line.children))
    return body


def _segments(row: SetupRow, chosen: Chosen) -> BoxLayout:
    tone = "craie" if row.done else "laiton"
    name = Name(text(row.label), plain=True, strong=False, leading=1.0, halign="left", size_hint_x=None, tone=tone)
    name.width = dp(92 if display.portrait else 120) * display.theme.text / 100
    line = HBox(name, spacing=dp(10), tall=58)
    options = [(option.value, text(option.label)) for option in row.options]
    line.add_widget(SegmentedControl(options, row.value, lambda value: chosen(row, value), kind="corps"))
    return line


load_kv(__file__)


def planned(app: AppContext, game: str, memory: Memory) -> MatchPreparation:
    """Return a game's preparation with the players' own cards, or with samples if those are unreadable."""
    spec, samples = SPECS[game], SampleCards(app.translate.code)
    try:
        return spec.prepare(memory, card_store(app) if app.squads else samples)
    except CardStoreError as trouble:
        app.show_error(app.text(trouble.message))
        return spec.prepare(memory, samples)


DECIDED_ROWS = ("name.", "players")
"""Prefixes of rows that a tournament has decided: the names and number of players."""
_BETWEEN, _ACROSS, _PLACES = 76, 60, 96


class PreparePage(Page):
    """The preparation of a match.

    `args`: `game`; `decided`, the header fields that a tournament has decided; `chosen`, the choices to begin with.
    """

    def build(self) -> None:
        translate = self.app.translate
        self._game: str = self.route.args["game"]
        self._decided: Fields | None = self.route.args.get("decided")
        self._fixed: Fields = (self._decided or {}).get(CHOICES, {})
        self._plan = self._planned()
        self.ids.bar.title = translate(f"app.game.{self._game}")
        start = PushButton(translate("app.prepare.start"), end="right", hug=True, pad=16, act=self._start)
        start.style = "dashed" if self._plan.missing() else "chalk"
        again = None if self._decided is not None else last_match(self.app, self._game)
        if again is not None:
            label = translate("app.end.rematch")
            push = PushButton(label, icon="roll", style="outlined", kind="corps", hug=True, pad=12)
            push.bind(on_tap=lambda *_: play_again(self.app, again))
            self.ids.bar.at_end(push)
        if self._decided is None:
            self.ids.bar.at_end(season_button(self, self._game))
        season = chosen_season(self)
        self.ids.bar.sub = "" if season is None else season.name
        self.ids.bar.at_end(start)
        columns = self._columns()
        sides = [column for column in columns if column.side is not None]
        self._sides(list(reversed(sides)) if self.app.preferences.swapped else sides)
        for column in columns:
            if column.side is None:
                self._match(column)
        self._down = self.memory.get("down", 0.0)
        for part in (self.ids.scroller, self.ids.body):
            part.bind(height=self._restore_scroll)
        self.ids.scroller.bind(scroll_y=self._remember_scroll)

    def _planned(self) -> MatchPreparation:
        """Return the preparation with the choices made so far, and with what a tournament or a first match decided."""
        if self._decided is None and "chosen" not in self.route.args:
            self.keep_setup(self._game)
        chosen = self.memory.setdefault("chosen", dict(self.route.args.get("chosen", {})))
        plan = planned(self.app, self._game, chosen)
        if self._decided is None:
            return SeatedPreparation(plan, self._game, self.memory.setdefault("seats", {}), people_of(self.app))
        own = {column.side: column for column in plan.columns() if column.side is not None}
        seats = same_sides(own, self._decided["sides"])
        for side, there in seats.items():
            plan.choose(f"name.{side}", self._decided["sides"][there]["name"])
        for row, value in self._fixed.items():
            plan.choose(row, value)
        SPECS[self._game].decide(plan, self._decided.get("setup", {}), seats)
        return plan

    def _columns(self) -> tuple[SetupColumn, ...]:
        """Return the columns; what a tournament has decided cannot be changed."""
        return tuple(
            replace(column, rows=tuple(decided_row(row) if self._is_decided(row) else row for row in column.rows))
            for column in self._plan.columns()
        )

    def _is_decided(self, row: SetupRow) -> bool:
        return self._decided is not None and (row.id in self._fixed or row.id.startswith(DECIDED_ROWS))

    # Display

    def _sides(self, columns: list[SetupColumn]) -> None:
        panels = [
            PreparationColumn(
                column,
                self._tapped,
                self._chosen,
                right=not self.portrait and 2 * place >= len(columns),
                roomy=self.portrait or len(columns) < 3,
            )
            for place, column in enumerate(columns)
        ]
        box = Box(orientation="vertical" if self.portrait else "horizontal", size_hint_y=None)
        for place, panel in enumerate(panels):
            if place and len(panels) == 2:
                box.add_widget(self._swap())
            box.add_widget(panel)
            panel.size_hint_y = panel.least if self.portrait else 1.0
        least = [panel.least for panel in panels]
        self._box, self._least = box, sum(least) + dp(_ACROSS) if self.portrait else max(*least, dp(_PLACES + 8))
        self.ids.scroller.bind(height=self._fill)
        self.ids.body.add_widget(box)

    def _match(self, column: SetupColumn) -> None:
        card = Card(surface="nuit", radius=0, padding=(dp(12), dp(8)), grows=True)
        card.add_widget(settings(with_readings_row(column), self._tapped, self._chosen))
        self.ids.body.add_widget(card)
        card.bind(height=self._fill)

    def _fill(self, *_: object) -> None:
        """Give the columns the height that the match rows leave, but at least their minimum."""
        rest = sum(child.height for child in self.ids.body.children if child is not self._box)
        self._box.height = max(self._least, self.ids.scroller.height - rest)

    def _remember_scroll(self, *_: object) -> None:
        """Remember the scroll position in pixels, so that new or removed rows below do not move the page."""
        hidden = self.ids.body.height - self.ids.scroller.height
        if hidden > 0:
            self.memory["down"] = (1.0 - self.ids.scroller.scroll_y) * hidden

    def _restore_scroll(self, *_: object) -> None:
        hidden = self.ids.body.height - self.ids.scroller.height
        self.ids.scroller.scroll_y = 1.0 - min(1.0, self._down / hidden) if hidden > 0 else 1.0

    def _swap(self) -> BoxLayout:
        tall = self.portrait
        label = self.app.translate("app.clubs.places")
        lines = label if tall else label.replace(" ", "\n", 1)
        push = PushButton(lines, icon="swap", icon_side=28, kind="mini", stacked=not tall, pad=2, spoken=label)
        push.bind(on_tap=lambda *_: self.app.swap_sides())
        box = HBox(size_hint=(1, None) if tall else (None, 1), padding=dp(4))
        if tall:
            box.height, push.size_hint_x, push.width, push.kind = dp(_ACROSS), None, dp(220), "bouton"
            fill(box, Widget(), push, Widget())
        else:
            box.width = dp(_BETWEEN) * self.app.theme.text / 100
            push.size_hint_y, push.height, push.pos_hint = None, dp(_PLACES), {"center_y": 0.5}
            box.add_widget(push)
        return box

    # Actions

    def _tapped(self, row: SetupRow) -> None:
        if row.decided:
            self.app.show_error(self.app.translate("app.tournament.decided"))
            return
        title = self.app.text(row.label)
        if row.kind == "text":
            value = "" if row.value is None else str(row.value)
            known = known_names(self.app, self._game, value)
            self.app.show_sheet(naming_sheet(title, value, lambda written: self._chosen(row, written), known=known))
        elif is_seat_row(row.id):
            show_seats(self.app, self._game, str(row.value), partial(self._chosen, row))
        elif row.kind == "page":
            args = {"game": self._game, "row": row.id, "chosen": self.memory["chosen"], "decided": tuple(self._fixed)}
            self.app.open(row.page, **args, **dict(row.page_args))
        else:
            self.app.show_sheet(list_sheet(title, [self._entry(row, option) for option in row.options]))

    def _entry(self, row: SetupRow, option: Option) -> SheetEntry:
        disabled_reason = ""
        if option.disabled_reason is not None:
            disabled_reason = self.app.translate(
                "app.refused", reason=option.disabled_reason.reason, rule=option.disabled_reason.rule
            )
        detail = self.app.text(option.detail) if option.detail else ""
        on_select = lambda: self._chosen(row, option.value)  # noqa: E731
        return SheetEntry(
            self.app.text(option.label),
            on_select,
            detail,
            disabled_reason=disabled_reason,
            on=option.value == row.value,
        )

    def _chosen(self, row: SetupRow, value: Any) -> None:
        if row.decided:
            self.app.show_error(self.app.translate("app.tournament.decided"))
            return
        if self.app.attempt(lambda: self._plan.choose(row.id, value)):
            self.app.redraw()

    def _header(self) -> dict[str, Any]:
        """Return the header with its names as text."""
        header = self._plan.header()
        for side in header["sides"].values():
            if isinstance(side["name"], Message):
                side["name"] = self.app.text(side["name"])
        return {**header, **season_fields(self)} if self._decided is None else complete_header(header, self._decided)

    def _start(self) -> None:
        missing = self._plan.missing()
        if missing:
            self.app.show_error("\n".join(self.app.text(message) for message in missing))
            return
        if self.app.attempt(lambda: self.app.start_match(self._game, self._header())):
            self.app.navigator.open_from_home("table", session=self.app.session)
