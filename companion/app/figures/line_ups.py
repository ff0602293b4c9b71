"""A sheet with the line-ups, courts or cards of all sides as they stand now."""

from __future__ import annotations

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout

from companion.app.figures.key import Key
from companion.app.figures.words import say, text
from companion.app.widgets.pieces import Scroller
from companion.app.widgets.sheet import Sheet
from companion.app.widgets.text import Head, Text
from companion.games.base import SideScene
from companion.games.registry import SPECS
from companion.games.spec import Group
from companion.table.session import Session


def line_ups_sheet(session: Session, portrait: bool) -> Sheet:
    """The sides beside each other, or one over the other in portrait."""
    groups = SPECS[session.game.id].line_up(session.state)
    columns = BoxLayout(spacing=dp(16), size_hint_y=None, padding=(0, 0, dp(10), 0))
    columns.orientation = "vertical" if portrait else "horizontal"
    columns.bind(minimum_height=columns.setter("height"))
    for side in session.scene().sides:
        columns.add_widget(_side(side, groups.get(side.side, ())))
    body = Scroller()
    body.add_widget(columns)
    return Sheet(say("app.report.line_ups"), body)


def _side(side: SideScene, groups: tuple[Group, ...]) -> BoxLayout:
    column = BoxLayout(orientation="vertical", size_hint_y=None, spacing=dp(4), pos_hint={"top": 1})
    column.bind(minimum_height=column.setter("height"))
    column.add_widget(Key(side, ""))
    for group in groups:
        column.add_widget(Head(text(group.title), kind="corps", tone="laiton", halign="left"))
        for member in group.members:
            notes = ", ".join(text(note) for note in member.notes)
            words = f"{text(member.role)}  {member.name}" + (f", {notes}" if notes else "")
            column.add_widget(Text(words, halign="left"))
    if not groups:
        column.add_widget(Text(say("app.report.no_line_up"), tone="craie2", halign="left"))
    return column
