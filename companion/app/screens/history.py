"""Records: teams and players over the finished matches of this table, by game, with what dice promised and brought."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import Any

from kivy.app import App
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout

from companion.app.figures.words import say
from companion.app.looking import written_day
from companion.app.page import Page, load_kv
from companion.app.slices import Slices
from companion.app.widgets.pieces import Card, Scroller, Segments
from companion.app.widgets.push import Push
from companion.app.widgets.sheet import Sheet
from companion.app.widgets.text import Head, Text
from companion.games.registry import CHANCES
from companion.table.history import ClubRecord, History, Measure, PersonRecord, Played, Progress

load_kv(__file__)

MOST = 60
"""Rows at most."""
LATEST = 8
"""Matches of a club shown at most."""
CLUBS, PEOPLE = "clubs", "people"


class HistoryPage(Page):
    """Counts what is new first, a little each frame; what was counted before is there at once."""

    def build(self) -> None:
        self.ids.bar.title = say("app.history.title")
        if getattr(self.app, "history", None) is None:
            self.app.history = History(self.app.matches.store, self.app.matches.games, CHANCES)
        self._history: History = self.app.history
        self._counted = Text("", tone="craie2", halign="left")
        self._slices: Slices[Progress] = Slices(self._history.counting(), self._done, self._progress)

    def leave(self) -> None:
        self._slices.stop()

    def _progress(self, progress: Progress) -> None:
        if self._counted.parent is None:
            self.ids.progress.add_widget(self._counted)
            self.ids.progress.height = self.app.theme.type("corps") * 2
        self._counted.text = say("app.history.counting", done=progress.done, of=progress.of)

    def _done(self) -> None:
        self.ids.progress.clear_widgets()
        self.ids.progress.height = 0
        games = self._history.games()
        if not games:
            self.ids.rows.add_widget(Text(say("app.history.none"), tone="craie2", halign="left"))
            return
        game = self.memory.get("game")
        game = game if game in games else games[0]
        what = self.memory.get("what", CLUBS)
        self._filters(games, game, what)
        self._fill(game, what)

    def _filters(self, games: Sequence[str], game: str, what: str) -> None:
        kind = "corps" if self.app.theme.roomy else "mini"
        rows: list[tuple[str, list[tuple[Any, str]], Any]] = [
            ("what", [(CLUBS, say("app.history.clubs")), (PEOPLE, say("app.history.people"))], what)
        ]
        if len(games) > 1:
            rows.insert(0, ("game", [(id, say(f"app.matches.game.{id}")) for id in games], game))
        for name, options, value in rows:
            segments = Segments(options, value, partial(self._choose, name), kind=kind)
            segments.size_hint_y, segments.height = None, dp(58)
            segments.size_hint_x = 1.7 if name == "game" and not self.portrait else 1
            self.ids.filters.add_widget(segments)

    def _choose(self, name: str, value: str) -> None:
        self.memory[name] = value
        self.app.redraw()

    def _fill(self, game: str, what: str) -> None:
        rows = self.ids.rows
        if what == CLUBS:
            clubs = self._history.clubs(game)
            found: list[Any] = [self._club(record) for record in clubs[:MOST]]
            left = len(clubs) - MOST
        else:
            people = self._history.people(game)
            found = [_person(record) for record in people[:MOST]] or [_quiet("app.history.no_people")]
            left = len(people) - MOST
        for row in found:
            rows.add_widget(row)
        if left > 0:
            rows.add_widget(Text(say("app.history.more", n=left), tone="craie2", halign="left"))

    def _club(self, record: ClubRecord) -> Push:
        push = Push(record.name, detail=_results(record), look="well", left=True, end="right", pad=16)
        push.size_hint_y, push.height = None, dp(66 if self.app.theme.roomy and not self.portrait else 92)
        push.bind(on_tap=lambda *_: self._open(record))
        return push

    def _open(self, record: ClubRecord) -> None:
        """A club's luck and its latest matches."""
        column = BoxLayout(orientation="vertical", size_hint_y=None, spacing=dp(6), padding=(0, 0, dp(10), 0))
        column.bind(minimum_height=column.setter("height"))
        column.add_widget(Text(_results(record), halign="left"))
        for words in _lucks(record.luck):
            column.add_widget(Text(words, tone="craie2", halign="left"))
        column.add_widget(Head(say("app.history.last"), kind="bouton", tone="laiton", halign="left"))
        for played in record.matches[:LATEST]:
            column.add_widget(Text(_match(played), halign="left"))
        body = Scroller()
        body.add_widget(column)
        self.app.lay(Sheet(record.name, body))


def _person(record: PersonRecord) -> Card:
    card = Card(surface="creux", padding=(dp(16), dp(8)), spacing=dp(2), size_hint_y=None)
    card.bind(minimum_height=card.setter("height"))
    card.add_widget(Head(record.name, kind="bouton", halign="left"))
    told = [say("app.history.person", club=record.club, n=record.matches)]
    if record.goals:
        told.append(say("app.history.goals", n=record.goals))
    card.add_widget(Text(", ".join(told), kind="mini", tone="craie2", halign="left"))
    for words in _lucks(record.luck):
        card.add_widget(Text(words, kind="mini", tone="craie2", halign="left"))
    return card


def _results(record: ClubRecord) -> str:
    numbers = {"won": record.won, "drawn": record.drawn, "lost": record.lost}
    points = {"points": record.points, "against": record.against}
    return say("app.history.club", n=len(record.matches), **numbers, **points)


def _lucks(luck: Mapping[str, Measure]) -> list[str]:
    return [
        say(
            "app.history.luck",
            what=say(f"cli.stats.what.{what}"),
            got=_written(measure.got),
            expected=_written(measure.expected),
            n=measure.tries,
        )
        for what, measure in luck.items()
    ]


def _match(played: Played) -> str:
    score = " – ".join(str(played.score.get(side, 0)) for side in played.names)
    return say(
        "app.history.match", day=written_day(played.at[:10]), names=" – ".join(played.names.values()), score=score
    )


def _quiet(id: str) -> Text:
    return Text(say(id), tone="craie2", halign="left")


def _written(value: Fraction) -> str:
    return str(App.get_running_app().say.decimal(f"{float(value):.1f}".replace("-", "\N{MINUS SIGN}")))
