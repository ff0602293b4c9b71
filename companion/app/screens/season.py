"""A season at this table: what is to be played and what passes on to it, the matches, the records of clubs and players.

Everything is computed from the journals whose headers name the season.
"""

from __future__ import annotations

from functools import partial

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout

from companion.app.background import IdleTask
from companion.app.display import text, translate
from companion.app.match_runner import open_match
from companion.app.page import Page, load_kv
from companion.app.people import with_crests
from companion.app.screens.matches import MAX_ROWS, MatchRow, club_button, load_session, match_history, person_card
from companion.app.season_choice import open_preparation
from companion.app.widgets.button import PushButton
from companion.app.widgets.components import VBox, fill
from companion.app.widgets.text import BoldText, Text
from companion.games.registry import SPECS
from companion.table.history import Progress
from companion.table.matches import MatchSummary
from companion.table.season import SEASON, AwaitedMatch, Season, awaited_matches, matches_of

load_kv(__file__)

_ROW = 66
"""Height of a button with a second line, in dp."""


class SeasonPage(Page):
    """A season that has at least one match. `args`: `season` (`companion.table.season.Season`)."""

    def build(self) -> None:
        app, bar = self.app, self.ids.bar
        self._season: Season = self.route.args[SEASON]
        self._idle_task: IdleTask[Progress] | None = None
        stored = matches_of(app.matches, self._season.id)
        bar.title = self._season.name
        if not stored:
            self.ids.columns.add_widget(Text(translate("app.season.empty"), tone="craie2", halign="left"))
            return
        self._game = stored[0].game
        bar.sub = translate(f"app.game.{self._game}")
        play = PushButton(translate("app.season.next"), end="right", style="chalk", hug=True, pad=16)
        play.bind(on_tap=lambda *_: open_preparation(app, self._game, self._season))
        bar.at_end(play)
        summaries = {match.match_id: match for match in app.matches.summaries(self._game)}
        matches = self._titled("app.season.played", *(self._row(summaries[match.id]) for match in stored))
        self._records = _column()
        left = _column(*self._awaited(), matches)
        fill(self.ids.columns, left, self._records)
        self._history = match_history(app)
        self._records.add_widget(Text(translate("app.season.counting"), tone="craie2", halign="left"))
        self._idle_task = IdleTask(self._history.count_matches(), self._show_records)

    def leave(self) -> None:
        if self._idle_task is not None:
            self._idle_task.stop()

    # What is to be played

    def _awaited(self) -> list[BoxLayout]:
        note = SPECS[self._game].season_note
        waiting = [self._awaited_match(each) for each in awaited_matches(self.app.matches, self._season.id)]
        pieces = [*waiting, *([Text(text(note), kind="mini", tone="craie2", halign="left")] if note else [])]
        return [self._titled("app.season.awaited", *pieces)] if pieces else []

    def _awaited_match(self, awaited: AwaitedMatch) -> BoxLayout:
        """Return the button of a match that the season waits for, and what passes on to it."""
        follow_up = awaited.follow_up
        args = {**follow_up.args, "follows": awaited.previous.id}
        push = PushButton(text(follow_up.label), detail=" – ".join(awaited.names), style="todo", left=True, end="right")
        push.size_hint_y, push.height = None, dp(_ROW)
        push.bind(on_tap=lambda *_: self.app.open(follow_up.page, **args))
        lines = [Text(text(line), halign="left") for line in awaited.carried]
        return _column(push, *(lines or [Text(translate("app.season.nothing_carried"), tone="craie2", halign="left")]))

    # Matches and records

    def _row(self, match: MatchSummary) -> MatchRow:
        return MatchRow(match, with_crests(self.app, match.sides, match.header), act=partial(self._open, match))

    def _open(self, match: MatchSummary) -> None:
        if not match.is_finished and match.trouble is None:
            open_match(self.app, match)
            return
        session = load_session(self.app, match)
        if session is not None or match.trouble is not None:
            self.app.open("report", match=match, session=session)

    def _show_records(self) -> None:
        self._records.clear_widgets()
        height = 92 if self.portrait or not self.app.theme.roomy else _ROW + 22
        clubs = self._history.clubs(self._game, self._season.id)
        people = self._history.people(self._game, self._season.id)[:MAX_ROWS]
        if not clubs:
            self._records.add_widget(Text(translate("app.history.none"), tone="craie2", halign="left"))
            return
        self._records.add_widget(
            self._titled("app.history.clubs", *(club_button(self.app, record, height) for record in clubs))
        )
        if people:
            self._records.add_widget(self._titled("app.history.people", *(person_card(record) for record in people)))

    @staticmethod
    def _titled(title: str, *pieces: BoxLayout) -> BoxLayout:
        return _column(BoldText(translate(title), kind="corps", tone="laiton", halign="left"), *pieces)


def _column(*pieces: BoxLayout) -> BoxLayout:
    return VBox(*pieces, spacing=dp(8), grows=True, pos_hint={"top": 1})
