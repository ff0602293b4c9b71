"""What a correction would change, as a list: the score, each fact told otherwise, whether the rest still stands."""

from __future__ import annotations

from collections.abc import Iterable

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.figures.words import say, text
from companion.app.widgets.marks import Icon
from companion.app.widgets.pieces import Card, Scroller
from companion.app.widgets.text import Head, Text
from companion.games.base import SideScene
from companion.table.session import Consequences

MOST_DIFFERENCES = 20
"""Changed facts told in full; of the rest only how many."""


def told_differences(found: Consequences, sides: Iterable[SideScene]) -> list[Widget]:
    """A heading and the list, which scrolls when it must."""
    card = Card(surface="creux", padding=(dp(14), dp(8)), spacing=dp(4), size_hint_y=None)
    card.bind(minimum_height=card.setter("height"))
    if found.score is not None:
        order = [scene.side for scene in sides]
        before, after = (" – ".join(str(score.get(side, 0)) for side in order) for score in found.score)
        card.add_widget(_change(say("app.correct.score"), before, after))
    for difference in found.differences[:MOST_DIFFERENCES]:
        old = Text(text(difference.before), tone="craie3", halign="left")
        old.strikethrough = True
        card.add_widget(old)
        card.add_widget(_becomes(text(difference.after)))
    more = len(found.differences) - MOST_DIFFERENCES
    if more > 0:
        card.add_widget(Text(say("app.correct.and_more", n=more), tone="craie2", halign="left"))
    if not found.differences and found.broken is None:
        card.add_widget(Text(say("app.correct.same"), tone="craie2", halign="left"))
    if found.followers and not found.itself:
        stands = found.broken is None
        words = say("app.correct.stands") if stands else say("app.correct.stands_no_more")
        many = say("app.correct.follow_was", n=found.followers)
        card.add_widget(_change(say("app.correct.follow"), many, words, "craie" if stands else "laiton", stands))
    body = Scroller()
    body.add_widget(card)
    return [Text(say("app.correct.changes"), tone="craie2", halign="left"), body] if card.children else [Widget()]


def _change(label: str, before: str, after: str, tone: str = "craie", holds: bool = False) -> BoxLayout:
    """A line of its name, what it is now (struck out unless it holds), and what it becomes."""
    middle = {"center_y": 0.5}
    line = BoxLayout(size_hint_y=None, height=dp(26), spacing=dp(10))
    line.add_widget(Text(label, flow="line", tone="craie2", pos_hint=middle))
    old = Text(before, flow="line", tone="craie2" if holds else "craie3", pos_hint=middle)
    old.strikethrough = not holds
    new = Head(after, kind="corps", tone=tone, flow="line", pos_hint=middle)
    for piece in (old, Icon("right", side=18, pos_hint=middle), new):
        line.add_widget(piece)
    line.add_widget(Widget())
    for piece in (old, new):
        piece.bind(texture_size=lambda _, size: setattr(line, "height", max(line.height, size[1])))
    return line


def _becomes(words: str) -> BoxLayout:
    line = BoxLayout(size_hint_y=None, spacing=dp(6))
    line.add_widget(Icon("right", side=18, pos_hint={"center_y": 0.5}))
    new = Head(words, kind="corps", halign="left")
    new.bind(texture_size=lambda _, size: setattr(line, "height", size[1]))
    line.add_widget(new)
    return line
