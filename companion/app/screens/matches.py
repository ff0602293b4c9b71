"""Looking back: the kept matches, newest first, of one game or all. A tap opens one."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from kivy.app import App
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout

from companion.app.looking import look_at, written_day
from companion.app.page import Page, load_kv
from companion.app.slices import Slices
from companion.app.widgets.choosing import Entry, list_sheet
from companion.app.widgets.framed import Framed
from companion.app.widgets.marks import Icon
from companion.app.widgets.pieces import Segments
from companion.app.widgets.push import Push
from companion.app.widgets.tap import Tap
from companion.app.widgets.text import Head, Names, Text
from companion.journal.database import StoreError
from companion.table.matches import MatchSummary

load_kv(__file__)

SHOWN = 40
"""Rows at first, and more at each asking."""


class MatchesPage(Page):
    """One row a match. `args`: `removed` is the id and title of a match that has just been removed."""

    def build(self) -> None:
        say, bar = self.app.say, self.ids.bar
        bar.title = say("app.matches.title")
        records = Push(say("app.history.open"), icon="star", look="outlined", hug=True, size_hint_x=None)
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
                older = Push(self.app.say("app.matches.older"), look="outlined", size_hint_y=None, height=dp(58))
                older.bind(on_tap=lambda *_: self._more())
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
        row = MatchRow(match)
        row.bind(on_tap=lambda *_: self._open(match))
        return row

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
        back = Push(say("app.matches.restore"), icon="undo", look="brass", hug=True, size_hint_x=None)
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

    def __init__(self, match: MatchSummary) -> None:
        app = App.get_running_app()
        theme, say = app.theme, app.say
        super().__init__(size_hint_y=None, height=dp(64), padding=(dp(14), dp(6)), spacing=dp(12))
        names = " – ".join(match.names.values())
        scores = " – ".join(str(match.score.get(side, 0)) for side in match.names)
        if match.trouble is not None:
            detail = app.text(match.trouble)
        else:
            state = say("app.matches.finished" if match.finished else "app.matches.going")
            day = written_day(match.at[:10])
            detail = say("app.matches.detail", game=say(f"app.game.{match.game_id}"), day=day, state=state)
        self.spoken = f"{names} {scores} {detail}"
        self.line = theme.laiton if match.trouble else theme.bord
        self.dash = 5 if match.trouble else 0
        self.shine(False)
        words = BoxLayout(orientation="vertical", size_hint_y=None, pos_hint={"center_y": 0.5})
        parts = [Names(names, kind="bouton", halign="left"), Text(detail, kind="mini", tone="craie2", halign="left")]
        for part in parts:
            part.fbind("height", lambda *_: self._fit(words))
            words.add_widget(part)
        side = {"pos_hint": {"center_y": 0.5}}
        self.add_widget(Icon("alert" if match.trouble else "list", tone="laiton" if match.trouble else "craie", **side))
        self.add_widget(words)
        self.add_widget(Head("" if match.trouble else scores, kind="bouton", flow="line", **side))
        self.add_widget(Icon("right", **side))

    def shine(self, on: bool) -> None:
        theme = App.get_running_app().theme
        self.fill = theme.feutre if on else theme.creux

    def _fit(self, words: BoxLayout) -> None:
        words.height = sum(part.height for part in words.children)
        self.height = max(dp(64), words.height + dp(16))
