"""The saved matches, and the records over all of them."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.background import IdleTask
from companion.app.display import display, text, translate
from companion.app.page import Page, load_kv
from companion.app.people import badge_of, name_new_person, profiles_of, with_crests
from companion.app.widgets.button import PushButton, Tappable
from companion.app.widgets.components import Card, SegmentedControl, VBox, fill
from companion.app.widgets.marks import Framed, Icon, SideBadge
from companion.app.widgets.sheet import SheetEntry, list_sheet
from companion.app.widgets.text import BoldText, Text, WrappedNames
from companion.games.base import Message, SideScene
from companion.games.registry import DICE_STATISTICS
from companion.journal.database import StoreError
from companion.journal.ledger import InvalidLine
from companion.table.history import (
    ClubRecord,
    ExpectedVsActualTotal,
    HistoryMatch,
    MatchHistory,
    ParticipantRecord,
    PersonRecord,
    Progress,
)
from companion.table.matches import MatchSummary
from companion.table.profiles import Profile, club_profile
from companion.table.session import Session

if TYPE_CHECKING:
    from companion.app.context import AppContext


log = logging.getLogger(__name__)


def format_day(day: str) -> str:
    """Format a date such as 2026-03-14 for the players' language. Other texts are returned unchanged."""
    parts = day.split("-")
    if len(parts) != 3:
        return day
    year, month, day = (part.lstrip("0") for part in parts)
    return translate("app.report.day", year=year, month=translate(f"app.report.month.{month}"), day=day)


def load_session(app: AppContext, match: MatchSummary) -> Session | None:
    """Return the session of a match: of a damaged one up to the damage.

    Returns None if its journal breaks a rule or, after an error message, is unreadable.
    """
    if app.session is not None and app.session.match_id == match.match_id:
        return app.session
    is_viewable = match.is_damaged and match.last_good_line is not None
    if match.trouble is not None and not is_viewable:
        return None
    if match.game_id not in app.matches.games:
        app.show_error(app.text(Message("app.unknown_game")))
        return None
    try:
        if match.last_good_line is not None:
            return app.matches.view_until(match.match_id, match.last_good_line)
        return app.matches.resume(match.match_id)
    except (InvalidLine, StoreError) as fault:
        log.warning("match %s not shown: %s", match.match_id, fault)
        app.show_error(app.text(fault.message))
        return None


load_kv(__file__)

_BADGE, _TWO_SIDES = 24, 2
"""Size of a badge in dp; a match of more sides shows none."""

PAGE_SIZE = 40
"""Rows shown at first, and added on each request."""


class MatchesPage(Page):
    """The list of matches. `args`: `removed`, the id and title of a match that was just removed."""

    def build(self) -> None:
        translate, bar = self.app.translate, self.ids.bar
        bar.title = translate("app.matches.title")
        records = PushButton(translate("app.history.open"), icon="star", style="outlined", hug=True)
        records.bind(on_tap=lambda *_: self.app.open("history"))
        bar.at_end(records)
        self._filter()
        self._note()
        self._idle_task: IdleTask[None] | None = IdleTask(self._filling(), lambda: None)

    def leave(self) -> None:
        if self._idle_task is not None:
            self._idle_task.stop()

    def _filter(self) -> None:
        """Add the filter by game if there are several games."""
        games = list(dict.fromkeys(match.game for match in self.app.matches.store.matches() if match.header_fits))
        if len(games) < 2:
            return
        translate = self.app.translate
        options = [
            (None, translate("app.matches.all")),
            *((game, translate(f"app.matches.game.{game}")) for game in games),
        ]
        self.ids.filter.height = dp(66)
        chosen, narrow = self.memory.get("game"), self.portrait and not self.app.theme.roomy
        if not narrow:
            kind = "mini" if self.portrait or not self.app.theme.roomy else "corps"
            self.ids.filter.add_widget(SegmentedControl(options, chosen, self._choose, kind=kind))
            return
        entries = [SheetEntry(word, partial(self._choose, game), on=game == chosen) for game, word in options]
        choice = PushButton(dict(options)[chosen], style="well", end="right", left=True)
        choice.bind(on_tap=lambda *_: self.app.show_sheet(list_sheet(translate("app.matches.which"), entries)))
        self.ids.filter.add_widget(choice)

    def _choose(self, game: str | None) -> None:
        self.memory["game"] = game
        self.app.redraw()

    def _filling(self) -> Iterator[None]:
        """Add the rows one by one, because a match that was never listed must be replayed."""
        limit = self.memory.setdefault("shown", PAGE_SIZE)
        count = 0
        for match in self.app.matches.summaries(self.memory.get("game")):
            if count == limit:
                older = PushButton(self.app.translate("app.matches.older"), style="outlined", tall=58, act=self._more)
                self.ids.rows.add_widget(older)
                return
            self.ids.rows.add_widget(self._row(match))
            count += 1
            yield
        if not count:
            self.ids.rows.add_widget(Text(self.app.translate("app.matches.none"), tone="craie2", halign="left"))

    def _more(self) -> None:
        self.memory["shown"] += PAGE_SIZE
        self.app.redraw()

    def _row(self, match: MatchSummary) -> MatchRow:
        sides = with_crests(self.app, match.sides, match.header)
        return MatchRow(match, sides, act=lambda: self._open(match))

    def _open(self, match: MatchSummary) -> None:
        session = load_session(self.app, match)
        if session is not None or match.trouble is not None:
            self.app.open("report", match=match, session=session)

    # Removed match

    def _note(self) -> None:
        removed = self.route.args.get("removed")
        if removed is None:
            return
        translate, note = self.app.translate, self.ids.note
        note.add_widget(
            Text(translate("app.matches.removed", names=removed[1]), tone="laiton", flow="box", halign="left")
        )
        back = PushButton(translate("app.matches.restore"), icon="undo", style="brass", hug=True)
        back.bind(on_tap=lambda *_: self._restore(removed[0]))
        note.add_widget(back)
        note.height = dp(64 if self.app.theme.roomy else 96)

    def _restore(self, match_id: str) -> None:
        try:
            self.app.matches.store.restore(match_id)
        except StoreError as trouble:
            self.app.show_error(self.app.text(trouble.message))
        self.route.args.pop("removed", None)
        self.app.redraw()


class MatchRow(Tappable, Framed, BoxLayout):
    """A match in the list: badges of two sides, names, game, date, state and score. Its height fits the text."""

    def __init__(self, match: MatchSummary, sides: Sequence[SideScene], **kwargs: Any) -> None:
        theme, language = display.theme, display.language
        super().__init__(padding=(dp(14), dp(6)), spacing=dp(12), tall=64, **kwargs)
        names = " – ".join(match.names.values()) or language("app.matches.damaged")
        scores = " – ".join(str(match.score.get(side, 0)) for side in match.names)
        if match.trouble is not None:
            detail = text(match.trouble)
        else:
            word = "finished" if match.is_finished else "going" if match.is_begun else "not_begun"
            state = language(f"app.matches.{word}")
            day = format_day(match.at[:10])
            detail = language("app.matches.detail", game=language(f"app.game.{match.game_id}"), day=day, state=state)
        self.spoken = f"{names} {scores} {detail}"
        stands_apart = match.trouble is not None or not match.is_begun
        self.line = theme.laiton if stands_apart else theme.bord
        self.dash = 5 if stands_apart else 0
        self.show_pressed(False)
        text_box = VBox(size_hint_y=None, middle=True)
        parts = [
            WrappedNames(names, kind="bouton", halign="left"),
            Text(detail, kind="mini", tone="craie2", halign="left"),
        ]
        for part in parts:
            part.fbind("height", lambda *_: self._fit(text_box))
            text_box.add_widget(part)
        side = {"pos_hint": {"center_y": 0.5}}
        self.add_widget(_mark_of(match, sides, stands_apart))
        self.add_widget(text_box)
        fill(self, BoldText("" if stands_apart else scores, kind="bouton", flow="line", **side), Icon("right", **side))

    def show_pressed(self, on: bool) -> None:
        theme = display.theme
        self.fill = theme.feutre if on else theme.creux

    def _fit(self, text_box: BoxLayout) -> None:
        text_box.height = sum(part.height for part in text_box.children)
        self.height = max(dp(64), text_box.height + dp(16))


def _mark_of(match: MatchSummary, sides: Sequence[SideScene], stands_apart: bool) -> Widget:
    """Return what begins the row of a match: the badges of two sides, or an icon."""
    middle = {"pos_hint": {"center_y": 0.5}}
    if stands_apart or len(sides) != _TWO_SIDES:
        icon = "alert" if match.trouble else "list" if match.is_begun else "edit"
        return Icon(icon, tone="laiton" if stands_apart else "craie", **middle)
    badges = [SideBadge(colour=side.colour, letter=side.letter, crest=side.crest, side=_BADGE) for side in sides]
    return VBox(*badges, spacing=dp(2), grows=True, size_hint_x=None, width=dp(_BADGE), **middle)


MAX_ROWS = 60
"""Maximum number of rows."""
CLUBS, PEOPLE, PERSONS = "clubs", "people", "persons"


def match_history(app: AppContext) -> MatchHistory:
    """Return the statistics over all matches; what was counted before is kept."""
    if app.history is None:
        app.history = MatchHistory(app.matches.store, app.matches.games, DICE_STATISTICS)
    return app.history


class HistoryPage(Page):
    """The records page. It first counts new matches, a few per frame; earlier counts are available at once.

    Clubs and the players on cards by game, the persons who play over all games. `args`: `what`, the part to begin with.
    """

    def build(self) -> None:
        self.ids.bar.title = translate("app.history.title")
        self._history = match_history(self.app)
        self._profiles = profiles_of(self.app)
        self._progress_label = Text("", tone="craie2", halign="left")
        self._idle_task: IdleTask[Progress] = IdleTask(self._history.count_matches(), self._done, self._progress)

    def leave(self) -> None:
        self._idle_task.stop()

    def _progress(self, progress: Progress) -> None:
        if self._progress_label.parent is None:
            self.ids.progress.add_widget(self._progress_label)
            self.ids.progress.height = self.app.theme.type("corps") * 2
        self._progress_label.text = translate("app.history.counting", done=progress.completed, of=progress.total)

    def _done(self) -> None:
        self.ids.progress.clear_widgets()
        self.ids.progress.height = 0
        games = self._history.games()
        if not games:
            fill(self.ids.rows, Text(translate("app.history.none"), tone="craie2", halign="left"), *self._persons())
            return
        game = self.memory.get("game")
        game = game if game in games else games[0]
        what = self.memory.get("what") or self.route.args.get("what") or CLUBS
        self._filters(games, game, what)
        if what == PERSONS:
            fill(self.ids.rows, *self._persons())
        else:
            self._fill(game, what)

    def _filters(self, games: Sequence[str], game: str, what: str) -> None:
        kind = "corps" if self.app.theme.roomy else "mini"
        rows: list[tuple[str, list[tuple[Any, str]], Any]] = [
            ("what", [(part, translate(f"app.history.{part}")) for part in (CLUBS, PEOPLE, PERSONS)], what)
        ]
        if len(games) > 1 and what != PERSONS:
            rows.insert(0, ("game", [(id, translate(f"app.matches.game.{id}")) for id in games], game))
        for name, options, value in rows:
            segments = SegmentedControl(options, value, partial(self._choose, name), kind=kind, tall=58)
            segments.size_hint_x = 1.7 if name == "game" and not self.portrait else 1
            self.ids.filters.add_widget(segments)

    def _choose(self, name: str, value: str) -> None:
        self.memory[name] = value
        self.app.redraw()

    def _fill(self, game: str, what: str) -> None:
        rows = self.ids.rows
        if what == CLUBS:
            clubs = self._history.clubs(game)
            found: list[Any] = [self._club(record) for record in clubs[:MAX_ROWS]]
            left = len(clubs) - MAX_ROWS
        else:
            people = self._history.people(game)
            found = [person_card(record) for record in people[:MAX_ROWS]] or [_quiet_text("app.history.no_people")]
            left = len(people) - MAX_ROWS
        fill(rows, *found)
        if left > 0:
            rows.add_widget(Text(translate("app.history.more", n=left), tone="craie2", halign="left"))

    def _persons(self) -> list[PushButton]:
        """Return the persons with their balance over all games, those without a match too, and a new one."""
        known = {profile.id: profile for profile in self._profiles.all("person")}
        records = self._history.participants()
        found = [
            self._person(known.get(record.id) or Profile("person", record.id, record.name), balance_text(record))
            for record in records
        ]
        played_ids = {record.id for record in records}
        without = [profile for profile in known.values() if profile.id not in played_ids]
        found += [self._person(profile, translate("app.profile.no_match")) for profile in without]
        new = PushButton(translate("app.opponents.new_person"), icon="plus", style="outlined", left=True, tall=58)
        new.bind(on_tap=lambda *_: name_new_person(self.app, lambda person: self.app.open("profile", profile=person)))
        return [*found, new]

    def _person(self, profile: Profile, detail: str) -> PushButton:
        push = PushButton(profile.name, detail=detail, style="well", left=True, end="right", pad=16)
        push.size_hint_y, push.height = None, dp(66 if self.app.theme.roomy and not self.portrait else 92)
        push.mark(badge_of(profile, 44))
        push.bind(on_tap=lambda *_: self.app.open("profile", profile=profile, what=PERSONS))
        return push

    def _club(self, record: ClubRecord) -> PushButton:
        return club_button(self.app, record, height=66 if self.app.theme.roomy and not self.portrait else 92)


def club_button(app: AppContext, record: ClubRecord, height: float) -> PushButton:
    """Return the record of a club as a button that opens its page. `height` is in dp."""
    push = PushButton(
        record.name, detail=club_results(record), style="well", left=True, end="right", pad=16, tall=height
    )
    profile = profiles_of(app).find("club", club_profile(record.name).id)
    if profile is not None:
        push.mark(badge_of(profile, 44))
    push.bind(on_tap=lambda *_: app.open("profile", profile=profile or club_profile(record.name), what=CLUBS))
    return push


def person_card(record: PersonRecord) -> Card:
    """Return the record of a player on a card: matches, goals, cards, injuries, luck."""
    card = Card(surface="creux", padding=(dp(16), dp(8)), spacing=dp(2), grows=True)
    card.add_widget(BoldText(record.name, kind="bouton", halign="left"))
    details = [translate("app.history.person", club=record.club, n=record.matches)]
    if record.goals:
        details.append(translate("app.history.goals", n=record.goals))
    details += [translate(f"app.history.mark.{mark}", n=n) for mark, n in record.marks.items()]
    card.add_widget(Text(", ".join(details), kind="mini", tone="craie2", halign="left"))
    fill(
        card,
        *(Text(line, kind="mini", tone="craie2", halign="left") for line in luck_lines(record.expected_vs_actual)),
    )
    return card


def balance_text(record: ParticipantRecord) -> str:
    """Return the matches of a person over all games, and how many were won, drawn and lost."""
    total = record.total
    return translate("app.profile.balance", n=len(record.matches), won=total.won, drawn=total.drawn, lost=total.lost)


def club_results(record: ClubRecord) -> str:
    """Return the results of a club in one game."""
    numbers = {"won": record.won, "drawn": record.drawn, "lost": record.lost}
    points = {"points": record.points, "against": record.points_against}
    return translate("app.history.club", n=len(record.matches), **numbers, **points)


def luck_lines(measures: Mapping[str, ExpectedVsActualTotal]) -> list[str]:
    """Return one line for each measure of luck."""
    return [
        translate(
            "app.history.luck",
            what=translate(f"cli.stats.what.{what}"),
            got=_format_number(measure.actual),
            expected=_format_number(measure.expected),
            n=measure.trials,
        )
        for what, measure in measures.items()
    ]


def match_line(played: HistoryMatch) -> str:
    """Return a match in one line: day, sides, score."""
    score = "\N{NO-BREAK SPACE}–\N{NO-BREAK SPACE}".join(str(played.score.get(side, 0)) for side in played.names)
    return translate(
        "app.history.match", day=format_day(played.at[:10]), names=" – ".join(played.names.values()), score=score
    )


def _quiet_text(id: str) -> Text:
    return Text(translate(id), tone="craie2", halign="left")


def _format_number(value: Fraction) -> str:
    return display.language.decimal(f"{float(value):.1f}".replace("-", "\N{MINUS SIGN}"))
