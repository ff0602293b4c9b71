"""A league evening of four clubs at one table: the clubs, the table, the match days, the next match (chapter 17)."""

from __future__ import annotations

from functools import partial

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.cards.lists import Listing, ListRow
from companion.app.match_runner import open_match
from companion.app.page import Page, load_kv
from companion.app.screens.tournament import StandingsTable
from companion.app.widgets.button import PushButton
from companion.app.widgets.components import HBox, Scroller, VBox, fill
from companion.app.widgets.text import BoldText, Name, Text
from companion.games.base import Refusal
from companion.games.catalogue import SquadClub
from companion.games.footclub.screens.clubs import OfferedClub, clubs, squad_of
from companion.games.footclub.squads import header
from companion.table.league import LEAGUE_CLUBS, LeagueEvening, LeagueMatch, new_league, read_league

load_kv(__file__)


class LeaguePage(Page):
    """A league, or the choice of its clubs. `args`: `league`, the id of one that has begun.

    A league begins with its first match; before, its clubs are in the memory of the route only.
    """

    def build(self) -> None:
        self.ids.bar.title = self.app.translate("app.league.title")
        evening = self._evening()
        if evening is None:
            self._show_clubs()
        else:
            self._show_league(evening)

    def leave(self) -> None:
        for table in self._tables:
            table.leave()

    def _evening(self) -> LeagueEvening | None:
        self._tables: list[StandingsTable] = []
        planned: LeagueEvening | None = self.memory.get("planned")
        id = self.route.args.get("league") or (planned.id if planned is not None else None)
        begun = read_league(self.app.matches, id) if id is not None else None
        return begun or planned

    # The clubs

    @property
    def _chosen(self) -> list[SquadClub]:
        chosen: list[SquadClub] = self.memory.setdefault("clubs", [])
        return chosen

    def _show_clubs(self) -> None:
        translate, chosen = self.app.translate, self._chosen
        start = PushButton(translate("app.league.begin"), end="right", hug=True, pad=16, act=self._start)
        start.style = "chalk" if len(chosen) == LEAGUE_CLUBS else "dashed"
        self.ids.bar.at_end(start)
        explanation = Text(translate("app.league.how"), tone="craie2", halign="left")
        count = BoldText(translate("app.league.chosen", n=len(chosen), all=LEAGUE_CLUBS), kind="bouton", halign="left")
        column = VBox(explanation, count, spacing=dp(10))
        if self.portrait:
            column.size_hint_y, column.height = None, dp(190)
        else:
            column.add_widget(Widget())
        rows = [self._club_row(found) for found in clubs(self.app.squads)]
        fill(self.ids.body, column, Listing(rows, self.memory.setdefault("list", {}), cols=1))

    def _club_row(self, found: OfferedClub) -> ListRow:
        club, chosen = found.club, self._chosen
        if club is None:
            reason = self.app.text(found.fault) if found.fault else found.file
            return ListRow(found.name, lambda: None, self.app.translate("app.clubs.faulty"), disabled_reason=reason)
        on = club in chosen
        reason = "" if on else self._clash(club)
        prominence = 1 if on else 2
        detail = self.app.text(squad_of(club.squad))
        return ListRow(club.name, partial(self._tap, club), detail, disabled_reason=reason, prominence=prominence)

    def _clash(self, club: SquadClub) -> str:
        """Return why a club cannot play one of those chosen, such as a card that both have (FC-1.11)."""
        if any(other.name == club.name for other in self._chosen):
            return self.app.translate("app.market.same_name")
        try:
            for other in self._chosen:
                header(other, club)
        except Refusal as refusal:
            return self.app.format_refusal(refusal)
        return ""

    def _tap(self, club: SquadClub) -> None:
        if club in self._chosen:
            self._chosen.remove(club)
        elif len(self._chosen) < LEAGUE_CLUBS:
            self._chosen.append(club)
        self.app.redraw()

    def _start(self) -> None:
        if len(self._chosen) != LEAGUE_CLUBS:
            self.app.show_error(self.app.translate("app.league.too_few"))
            return
        self.memory["planned"] = new_league("footclub", self._chosen)
        self.app.redraw()

    # The table and the match days

    def _show_league(self, evening: LeagueEvening) -> None:
        translate, match = self.app.translate, evening.next
        if match is not None:
            play = PushButton(translate("app.league.next"), end="right", style="chalk", hug=True, pad=16)
            play.bind(on_tap=lambda *_: self._play(evening, match))
            self.ids.bar.at_end(play)
        lit = frozenset() if match is None else frozenset(evening.name(seat) for seat in match.seats)
        table = StandingsTable(translate("app.tournament.standings"), evening.standings, lit)
        self._tables.append(table)
        left = VBox(table, Text(translate("app.league.carried"), kind="mini", tone="craie2", halign="left"))
        left.spacing = dp(6)
        days = VBox(spacing=dp(8), padding=(0, 0, dp(12), 0), grows=True)
        for number, day in enumerate(evening.days, 1):
            days.add_widget(BoldText(translate("app.league.day", n=number), kind="corps", tone="laiton", halign="left"))
            fill(days, *(self._match_row(evening, each) for each in day))
        fill(self.ids.body, left, Scroller(days, always_overscroll=False))

    def _match_row(self, evening: LeagueEvening, match: LeagueMatch) -> Widget:
        """Return a finished match as a line with its score, another one as a button that plays or resumes it."""
        home, away = (evening.name(seat) for seat in match.seats)
        if match.over and match.score is not None:
            score = f"{match.score[0]}\N{NO-BREAK SPACE}\N{EN DASH}\N{NO-BREAK SPACE}{match.score[1]}"
            return self._score_line(home, score, away)
        going = match.id in evening.played
        push = PushButton(f"{home} \N{EN DASH} {away}", left=True, end="right", tall=58)
        push.style = "todo" if going else "well"
        push.detail = self.app.translate("app.matches.going") if going else ""
        push.bind(on_tap=lambda *_: self._play(evening, match))
        return push

    @staticmethod
    def _score_line(home: str, score: str, away: str) -> BoxLayout:
        kinds = ["corps", "mini"]
        names = [Name(name, kinds=kinds, initials=True) for name in (home, away)]
        names[0].halign, names[1].halign = "right", "left"
        line = HBox(names[0], spacing=dp(10), tall=36)
        fill(line, BoldText(score, kind="bouton", flow="line", middle=True), names[1])
        return line

    def _play(self, evening: LeagueEvening, match: LeagueMatch) -> None:
        """Resume a match of the plan that has begun, or prepare it."""
        journal = evening.played.get(match.id)
        if journal is None:
            self.app.open("clubs", decided=evening.header(match))
            return
        summary = next(each for each in self.app.matches.summaries("footclub") if each.match_id == journal.id)
        open_match(self.app, summary)
