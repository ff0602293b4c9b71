"""The kept matches to look back at, and the records counted over all of them."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout

from companion.app.background import Slices
from companion.app.display import display, say, text
from companion.app.page import Page, load_kv
from companion.app.widgets.marks import Framed, Icon
from companion.app.widgets.pieces import Card, Scroller, Segments, VBox, fill
from companion.app.widgets.push import Push, Tap
from companion.app.widgets.sheet import Entry, Sheet, list_sheet
from companion.app.widgets.text import Head, Names, Text
from companion.games.base import Message
from companion.games.registry import CHANCES
from companion.journal.database import StoreError
from companion.journal.ledger import LineRefused
from companion.table.history import ClubRecord, History, Measure, PersonRecord, Played, Progress
from companion.table.matches import MatchSummary
from companion.table.session import Session

if TYPE_CHECKING:
    from companion.app.context import AppContext


log = logging.getLogger(__name__)


def written_day(day: str) -> str:
    """A day such as 2026-03-14 as the players' language writes it; what is no day stays as it is."""
    parts = day.split("-")
    if len(parts) != 3:
        return day
    return say("app.report.day", year=parts[0], month=parts[1], day=parts[2])


def look_at(app: AppContext, match: MatchSummary) -> Session | None:
    """The match as it stands; None for one whose journal breaks a rule, or, the players told, that cannot be read."""
    if app.session is not None and app.session.match_id == match.match_id:
        return app.session
    if match.trouble is not None:
        return None
    if match.game_id not in app.matches.games:
        app.sorry(app.text(Message("app.unknown_game")))
        return None
    try:
        return app.matches.resume(match.match_id)
    except (LineRefused, StoreError) as fault:
        log.warning("match %s not shown: %s", match.match_id, fault)
        app.sorry(app.text(fault.message))
        return None


load_kv(__file__)

SHOWN = 40
"""Rows at first, and more at each asking."""


class MatchesPage(Page):
    """One row a match. `args`: `removed` is the id and title of a match that has just been removed."""

    def build(self) -> None:
        say, bar = self.app.say, self.ids.bar
        bar.title = say("app.matches.title")
        records = Push(say("app.history.open"), icon="star", look="outlined", hug=True)
        records.bind(on_tap=lambda *_: self.app.open("history"))
        bar.at_end(records)
        self._filter()
        self._note()
        self._slices: Slices[None] | None = Slices(self._filling(), lambda: None)

    def leave(self) -> None:
        if self._slices is not None:
            self._slices.stop()

    def _filter(self) -> None:
        """Of which game; only if there are several."""
        games = list(dict.fromkeys(stored.game for stored in self.app.matches.store.matches()))
        if len(games) < 2:
            return
        say = self.app.say
        options = [(None, say("app.matches.all")), *((game, say(f"app.matches.game.{game}")) for game in games)]
        self.ids.filter.height = dp(66)
        chosen, narrow = self.memory.get("game"), self.portrait and not self.app.theme.roomy
        if not narrow:
            kind = "mini" if self.portrait or not self.app.theme.roomy else "corps"
            self.ids.filter.add_widget(Segments(options, chosen, self._choose, kind=kind))
            return
        entries = [Entry(word, partial(self._choose, game), on=game == chosen) for game, word in options]
        choice = Push(dict(options)[chosen], look="well", end="right", left=True)
        choice.bind(on_tap=lambda *_: self.app.lay(list_sheet(say("app.matches.which"), entries)))
        self.ids.filter.add_widget(choice)

    def _choose(self, game: str | None) -> None:
        self.memory["game"] = game
        self.app.redraw()

    def _filling(self) -> Iterator[None]:
        """Row after row: a match that was never listed has to be played through."""
        most = self.memory.setdefault("shown", SHOWN)
        shown = 0
        for match in self.app.matches.summaries(self.memory.get("game")):
            if shown == most:
                older = Push(self.app.say("app.matches.older"), look="outlined", tall=58, act=self._more)
                self.ids.rows.add_widget(older)
                return
            self.ids.rows.add_widget(self._row(match))
            shown += 1
            yield
        if not shown:
            self.ids.rows.add_widget(Text(self.app.say("app.matches.none"), tone="craie2", halign="left"))

    def _more(self) -> None:
        self.memory["shown"] += SHOWN
        self.app.redraw()

    def _row(self, match: MatchSummary) -> MatchRow:
        return MatchRow(match, act=lambda: self._open(match))

    def _open(self, match: MatchSummary) -> None:
        session = look_at(self.app, match)
        if session is not None or match.trouble is not None:
            self.app.open("report", match=match, session=session)

    # What was just removed

    def _note(self) -> None:
        removed = self.place.args.get("removed")
        if removed is None:
            return
        say, note = self.app.say, self.ids.note
        note.add_widget(Text(say("app.matches.removed", names=removed[1]), tone="laiton", flow="box", halign="left"))
        back = Push(say("app.matches.restore"), icon="undo", look="brass", hug=True)
        back.bind(on_tap=lambda *_: self._restore(removed[0]))
        note.add_widget(back)
        note.height = dp(64 if self.app.theme.roomy else 96)

    def _restore(self, match_id: str) -> None:
        try:
            self.app.matches.store.restore(match_id)
        except StoreError as trouble:
            self.app.sorry(self.app.text(trouble.message))
        self.place.args.pop("removed", None)
        self.app.redraw()


class MatchRow(Tap, Framed, BoxLayout):
    """A match in the list: names, game, day and state, the score; as high as its words."""

    def __init__(self, match: MatchSummary, **kwargs: Any) -> None:
        theme, say = display.theme, display.say
        super().__init__(padding=(dp(14), dp(6)), spacing=dp(12), tall=64, **kwargs)
        names = " – ".join(match.names.values())
        scores = " – ".join(str(match.score.get(side, 0)) for side in match.names)
        if match.trouble is not None:
            detail = text(match.trouble)
        else:
            state = say("app.matches.finished" if match.finished else "app.matches.going")
            day = written_day(match.at[:10])
            detail = say("app.matches.detail", game=say(f"app.game.{match.game_id}"), day=day, state=state)
        self.spoken = f"{names} {scores} {detail}"
        self.line = theme.laiton if match.trouble else theme.bord
        self.dash = 5 if match.trouble else 0
        self.shine(False)
        words = VBox(size_hint_y=None, middle=True)
        parts = [Names(names, kind="bouton", halign="left"), Text(detail, kind="mini", tone="craie2", halign="left")]
        for part in parts:
            part.fbind("height", lambda *_: self._fit(words))
            words.add_widget(part)
        side = {"pos_hint": {"center_y": 0.5}}
        self.add_widget(Icon("alert" if match.trouble else "list", tone="laiton" if match.trouble else "craie", **side))
        self.add_widget(words)
        fill(self, Head("" if match.trouble else scores, kind="bouton", flow="line", **side), Icon("right", **side))

    def shine(self, on: bool) -> None:
        theme = display.theme
        self.fill = theme.feutre if on else theme.creux

    def _fit(self, words: BoxLayout) -> None:
        words.height = sum(part.height for part in words.children)
        self.height = max(dp(64), words.height + dp(16))


MOST = 60
"""Rows at most."""
LATEST = 8
"""Matches of a club shown at most."""
CLUBS, PEOPLE = "clubs", "people"


class HistoryPage(Page):
    """Counts what is new first, a little each frame; what was counted before is there at once."""

    def build(self) -> None:
        self.ids.bar.title = say("app.history.title")
        if self.app.history is None:
            self.app.history = History(self.app.matches.store, self.app.matches.games, CHANCES)
        self._history = self.app.history
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
            segments = Segments(options, value, partial(self._choose, name), kind=kind, tall=58)
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
        fill(rows, *found)
        if left > 0:
            rows.add_widget(Text(say("app.history.more", n=left), tone="craie2", halign="left"))

    def _club(self, record: ClubRecord) -> Push:
        push = Push(record.name, detail=_results(record), look="well", left=True, end="right", pad=16)
        push.size_hint_y, push.height = None, dp(66 if self.app.theme.roomy and not self.portrait else 92)
        push.bind(on_tap=lambda *_: self._open(record))
        return push

    def _open(self, record: ClubRecord) -> None:
        """A club's luck and its latest matches."""
        column = VBox(Text(_results(record), halign="left"), spacing=dp(6), padding=(0, 0, dp(10), 0), grows=True)
        fill(column, *(Text(words, tone="craie2", halign="left") for words in _lucks(record.luck)))
        column.add_widget(Head(say("app.history.last"), kind="bouton", tone="laiton", halign="left"))
        fill(column, *(Text(_match(played), halign="left") for played in record.matches[:LATEST]))
        self.app.lay(Sheet(record.name, Scroller(column)))


def _person(record: PersonRecord) -> Card:
    card = Card(surface="creux", padding=(dp(16), dp(8)), spacing=dp(2), grows=True)
    card.add_widget(Head(record.name, kind="bouton", halign="left"))
    told = [say("app.history.person", club=record.club, n=record.matches)]
    if record.goals:
        told.append(say("app.history.goals", n=record.goals))
    card.add_widget(Text(", ".join(told), kind="mini", tone="craie2", halign="left"))
    fill(card, *(Text(words, kind="mini", tone="craie2", halign="left") for words in _lucks(record.luck)))
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
    return display.say.decimal(f"{float(value):.1f}".replace("-", "\N{MINUS SIGN}"))
