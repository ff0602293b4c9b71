"""Screen 12: every fact, the undone struck out, the corrected with a pencil; a tap shows picture and reading."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from kivy.app import App
from kivy.clock import Clock
from kivy.metrics import dp
from kivy.properties import BooleanProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.asks.faces import face_word
from companion.app.asks.mending import MendSheet, roll_on
from companion.app.asks.told import made_by_dice
from companion.app.figures.tray import Boxed, Photograph, TouchedPhotograph
from companion.app.figures.words import say, text
from companion.app.page import load_kv
from companion.app.screens.match_page import MatchPage
from companion.app.widgets.framed import Framed
from companion.app.widgets.marks import Icon, SideBadge
from companion.app.widgets.push import Push
from companion.app.widgets.tap import Tap
from companion.app.widgets.text import Head, Text
from companion.games.base import Refusal, SideScene
from companion.table.dice import Pictures
from companion.table.session import TimelineRow

load_kv(__file__)

NEWEST = 200
"""Facts shown at most; the oldest of a longer match are in the export."""


class TimelinePage(MatchPage):
    """`args`: `session`; with `read_only` nothing can be changed. The fact picked stays in the memory of the place."""

    def compose(self) -> None:
        bar = self.ids.bar
        bar.title = say("app.timeline.title")
        if not self.read_only:
            undo = Push(say("app.timeline.undo_last"), icon="undo", look="outlined", hug=True, size_hint_x=None)
            undo.bind(on_tap=lambda *_: self._undo())
            bar.at_end(undo)
        self._lines: dict[int, FactLine] = {}
        self._drawn = -1

    @property
    def read_only(self) -> bool:
        """Whether the match is only looked at."""
        return bool(self.place.args.get("read_only"))

    def changed(self) -> None:
        """New facts have come, or were taken back."""
        if self._drawn == self.session.sequence:
            return
        self._drawn = self.session.sequence
        rows = self.session.timeline()[-NEWEST:]
        sides = self.sides()
        self.ids.rows.clear_widgets()
        self._lines = {}
        if not rows:
            self.ids.rows.add_widget(Text(say("app.timeline.begins"), tone="craie2", halign="left"))
        for row in rows:
            line = FactLine(row, sides.get(row.fields.get("side", "")))
            line.bind(on_tap=lambda _, number=row.line: self.pick(number))
            self._lines[row.line] = line
            self.ids.rows.add_widget(line)
        standing = [row.line for row in rows if row.stands]
        if self.memory.get("line") not in self._lines:
            self.memory["line"] = standing[-1] if standing else None
        self._show()
        Clock.schedule_once(lambda *_: setattr(self.ids.scroll, "scroll_y", 0), 0)

    def pick(self, line: int) -> None:
        """Shows one fact."""
        self.memory["line"] = line
        self._show()

    def _show(self) -> None:
        picked = self.memory.get("line")
        for number, line in self._lines.items():
            line.on = number == picked
        detail = self.ids.detail
        detail.clear_widgets()
        rows = {row.line: row for row in self.session.timeline()}
        row = rows.get(picked) if picked is not None else None
        if row is not None:
            for piece in self._detail(row):
                detail.add_widget(piece)
        if self.portrait:
            detail.height = dp(398 if row is not None and row.has_pictures else 260)

    def _detail(self, row: TimelineRow) -> list[Widget]:
        pictures = self.session.pictures(row.line)
        pieces: list[Widget] = [Head(text(row.text), kind="bouton", halign="left")]
        if pictures.tray:
            boxes = [Boxed(die.box, face_word(die.face)) for die in pictures.dice]
            pieces.append(self._picture(row, pictures, boxes))
        elif pictures.purged:
            pieces.append(Text(say("app.timeline.purged"), tone="craie2", halign="left"))
        pieces += [Named(name, value) for name, value in _particulars(row, pictures)]
        if not pictures.tray:
            pieces.append(Widget())
        return pieces + self._ways(row)

    def _picture(self, row: TimelineRow, pictures: Pictures, boxes: list[Boxed]) -> Photograph:
        """The tray as it was kept; a tap mends its dice, where they still count."""
        roll = roll_on(self.session, row.line) if row.stands and not self.read_only else None
        if roll is None:
            return Photograph(pictures.tray or b"", boxes, whole=True, boxes_in=pictures.size)
        picture = TouchedPhotograph(
            jpeg=pictures.tray or b"",
            boxes=boxes,
            whole=True,
            boxes_in=pictures.size,
            spoken=say("app.mend.picture"),
        )
        picture.bind(on_tap=lambda *_: self.app.lay(MendSheet(self, roll)))
        return picture

    def _ways(self, row: TimelineRow) -> list[Widget]:
        """What may be done about a fact that stands."""
        if not row.stands or self.read_only:
            return []
        after = sum(1 for other in self.session.ledger.standing if other.line > row.line)
        ways: list[Widget] = []
        if after:
            back = Push(
                say("app.timeline.undo_to", n=after),
                detail=say("app.timeline.hold"),
                icon="undo",
                look="outlined",
                held=True,
                size_hint_y=None,
                height=dp(58),
                pad=8,
            )
            back.bind(on_tap=lambda *_: self._undo_to(row.line))
            ways.append(back)
        thrown = made_by_dice(self.session, row.line)
        words = say("app.timeline.correct_dice") if thrown else say("app.timeline.correct")
        correct = Push(words, icon="edit", look="brass", size_hint_y=None, height=dp(52), pad=8)
        correct.bind(on_tap=lambda *_: self.app.open("correct", session=self.session, line=row.line))
        ways.append(correct)
        if self.app.theme.roomy:
            ways.append(Text(say("app.timeline.replayed"), kind="mini", tone="craie2", halign="left"))
        return ways

    def _undo(self) -> None:
        try:
            self.session.undo()
        except Refusal as refusal:
            self.refused(refusal)

    def _undo_to(self, line: int) -> None:
        try:
            self.session.undo_to(line)
        except Refusal as refusal:
            self.refused(refusal)


def clock_time(at: str | None) -> str:
    """The hour and minute of a moment as the journal writes it, in this table's time; nothing if it has none."""
    if at is None:
        return ""
    try:
        return datetime.fromisoformat(at).astimezone().strftime("%H:%M")
    except ValueError:
        return ""


def said_time(clock: str) -> str:
    """Hour and minute as they are written within a sentence."""
    hour, minute = clock.split(":")
    return say("app.correct.hour", hour=hour, minute=minute)


def _particulars(row: TimelineRow, pictures: Pictures) -> list[tuple[str, str]]:
    by = row.by if row.by in ("camera", "touch", "button") else "touch"
    reader = say(f"app.timeline.by_{by}")
    if by == "camera" and pictures.dice:
        sure = all(die.certain for die in pictures.dice)
        reader = say("app.timeline.by_camera_sure") if sure else say("app.timeline.by_camera_asked")
    if row.corrected:
        reader = say("app.timeline.then_corrected", reader=say(f"app.timeline.by_{by}"))
    found = [(say("app.timeline.read_by"), reader)]
    if clock_time(row.at):
        found.append((say("app.timeline.at"), clock_time(row.at)))
    return found


class Named(BoxLayout):
    """A name and its value at the two ends of a line, or of as many as they need."""

    def __init__(self, name: str, value: str, **kwargs: Any) -> None:
        self._least = App.get_running_app().theme.type("corps") * 1.4
        super().__init__(size_hint_y=None, height=self._least, **kwargs)
        self._parts = (
            Text(name, tone="craie2", halign="left", size_hint_x=0.4, pos_hint={"top": 1}),
            Text(value, halign="right", size_hint_x=0.6, pos_hint={"top": 1}),
        )
        for part in self._parts:
            part.fbind("height", self._fit)
            self.add_widget(part)

    def _fit(self, *_: object) -> None:
        self.height = max(self._least, *(part.height for part in self._parts))


class FactLine(Tap, Framed, BoxLayout):
    """One fact. `on` frames it; an undone one is struck out, a corrected one carries the pencil."""

    on = BooleanProperty(False)

    def __init__(self, row: TimelineRow, side: SideScene | None, **kwargs: Any) -> None:
        super().__init__(
            size_hint_y=None, height=dp(56), padding=(dp(10), dp(3)), spacing=dp(6), line_width=3, **kwargs
        )
        stands = row.stands
        self.spoken = text(row.text)
        when = clock_time(row.at) or str(row.line)
        hour = Text(
            when, kind="mini", plain=False, tone="craie3", flow="box", halign="left", size_hint_x=None, width=dp(42)
        )
        self.add_widget(hour)
        mark: Widget = Widget(size_hint_x=None, width=dp(28))
        if side is not None:
            mark = SideBadge(side=28, colour=side.colour, letter=side.letter, pos_hint={"center_y": 0.5})
        self.add_widget(mark)
        words = BoxLayout(orientation="vertical", size_hint_y=None, pos_hint={"center_y": 0.5})
        self._parts: list[Text] = [Head(self.spoken, kind="corps", tone="craie" if stands else "craie3", halign="left")]
        self._parts[0].strikethrough = not stands
        note = "" if stands else say("app.timeline.undone")
        if row.corrected:
            note = say("app.timeline.corrected")
        if note:
            self._parts.append(Text(note, kind="mini", tone="craie2", halign="left"))
        for part in self._parts:
            part.fbind("height", lambda *_: self._fit(words))
            words.add_widget(part)
        self.add_widget(words)
        if row.corrected:
            self.add_widget(Icon("edit", side=20, tone="laiton", pos_hint={"center_y": 0.5}))
        self.fbind("on", self._dress)

    def shine(self, on: bool) -> None:
        theme = App.get_running_app().theme
        if on:
            self.fill = theme.feutre
        else:
            self._dress()

    def _dress(self, *_: object) -> None:
        theme = App.get_running_app().theme
        self.fill = theme.feutre if self.on else (0, 0, 0, 0)
        self.line = theme.craie if self.on else (0, 0, 0, 0)

    def _fit(self, words: BoxLayout) -> None:
        words.height = sum(part.height for part in self._parts)
        self.height = max(dp(56), words.height + dp(10))
