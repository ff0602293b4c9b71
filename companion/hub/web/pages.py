"""The public pages: tournaments, live tables, match timeline, standings, brackets, schedule, big screen."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import tzinfo
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal

from companion.clock import Clock
from companion.games.base import Message
from companion.games.figures import Headline, OddsBar, OddsPart
from companion.games.registry import SPECS
from companion.games.wording import percentages
from companion.hub.core import Core
from companion.hub.database import BackupState, UnknownTournament
from companion.hub.link import TablePresence
from companion.hub.models import Changes, LiveMatch
from companion.hub.web.desk_tables import next_round
from companion.hub.web.localization import Locale, Names, entries_by_name
from companion.hub.web.middleware import Limits
from companion.tournament.facts import TournamentState
from companion.tournament.progress import Match, StageProgress, Tie, progress_of
from companion.tournament.ranking import final_ranking, podium
from companion.tournament.schedule import MINUTE, ScheduleSlot, schedule
from companion.tournament.values import NOBODY

Values = dict[str, Any]
"""Template variables by name."""


@dataclass(frozen=True, slots=True)
class ScoreboardSide:
    """One side on the scoreboard."""

    side: str
    name: str
    points: int
    colour: str
    letter: str
    home: bool
    acts: bool


@dataclass(frozen=True, slots=True)
class Share:
    """A section of the odds bar: its percentage and the colour of the side it favours, None if neither."""

    part: OddsPart
    share: int
    colour: str | None
    most: bool


@dataclass(frozen=True, slots=True)
class Scoreboard:
    """The content of the scoreboard."""

    sides: tuple[ScoreboardSide, ...]
    headline: Headline | None
    shares: tuple[Share, ...]
    clock: Message | None
    turns: tuple[int, int]


def scoreboard(live: LiveMatch, game: str, home: str | None) -> Scoreboard:
    """Return the scoreboard of a match. The first side is the home side if there is one (`home`)."""
    spec = SPECS.get(game)
    if spec is None:
        return Scoreboard((), None, (), None, (0, 0))
    sides = tuple(
        ScoreboardSide(
            side,
            name,
            live.score.get(side, 0),
            spec.colours[place % len(spec.colours)],
            spec.letter_of(place, name),
            home is not None and place == 0,
            side in live.acting and not live.over,
        )
        for place, (side, name) in enumerate(live.names.items())
    )
    tones = {side.side: side.colour for side in sides}
    headline = next((figure for figure in live.figures if isinstance(figure, Headline)), None)
    odds = next((figure for figure in live.figures if isinstance(figure, OddsBar)), None)
    shares = () if odds is None or live.over else _shares(odds, tones)
    if live.board is None:
        return Scoreboard(sides, headline, shares, None, (0, 0))
    return Scoreboard(sides, headline, shares, spec.clock(live.board), spec.turns(live.board))


def score_of(live: LiveMatch, game: str) -> tuple[int, int]:
    """Return the score of a match at its table, home first."""
    home, away = SPECS[game].home_sides
    return live.score.get(home, 0), live.score.get(away, 0)


def _shares(odds: OddsBar, tones: Mapping[str, str]) -> tuple[Share, ...]:
    shares = percentages([Fraction(part.chance) for part in odds.parts])
    most = max(shares, default=0)
    return tuple(
        Share(part, share, tones.get(part.side or ""), share == most)
        for part, share in zip(odds.parts, shares, strict=True)
        if share > 0
    )


@dataclass(frozen=True)
class PageDependencies:
    """Dependencies of the pages.

    - `address`: public address of the pages (scheme, host and port), for QR codes
    - `link`: address by which tables join (`host:port`), None without a broker
    - `secure`: whether pages are served by TLS; cookies are then restricted to it
    """

    core: Core
    clock: Clock
    address: str
    link: str | None = None
    secure: bool = False
    limits: Limits = field(default_factory=Limits)
    zone: tzinfo | None = None
    revoked: Callable[[str], None] = lambda table: None
    """Callback after a table's keys were revoked, so that the broker disconnects it."""
    admitted: Callable[[str, str], tuple[str, str]] = lambda table, key: (key, key)
    """Callback that admits a table at the broker with a new key. Returns its token and the text of its QR code."""

    backups: Callable[[], BackupState | None] = lambda: None
    """Callback that returns the state of the hub's own backups, or None if there are none."""

    presence: Callable[[], Mapping[str, TablePresence]] = dict
    """Callback that returns the tables heard since the hub was started, by id."""

    folder: Path | None = None
    """The hub's own folder, for the link of a new password; None if there is none."""

    @property
    def now(self) -> int:
        """Current Unix time in seconds."""
        return int(self.clock.now().timestamp())


@dataclass(frozen=True, slots=True)
class ChangeFilter:
    """Changes that affect a page: of some tournaments, one journal, all journals, or the tables."""

    tournaments: frozenset[str] = frozenset()
    journals: frozenset[tuple[str, int]] = frozenset()
    any_journal: bool = False
    any_tournament: bool = False
    tables: bool = False

    def matches(self, changes: Changes) -> bool:
        """Return whether the changes may affect the page."""
        return bool(
            changes.all
            or (self.any_journal and changes.journals)
            or (self.any_tournament and changes.tournaments)
            or (self.tables and changes.tables)
            or self.tournaments & changes.tournaments
            or self.journals & changes.journals
        )


@dataclass(frozen=True, slots=True)
class LivePart:
    """The live part of a page: its template with values, its title, and the changes that affect it.

    - `tab`: the active tab
    - `tournament`: the tournament of the tabs
    - `min_interval_s`: minimum seconds between two updates
    """

    template: str
    title: str
    values: Values
    change_filter: ChangeFilter
    tournament: str | None = None
    tab: str = ""
    body: str = ""
    min_interval_s: float = 0.25


class NoSuchPage(Exception):
    """No page exists at this address."""


# Brackets as columns: one per round, ties in the order in which they lead on.


@dataclass(frozen=True, slots=True)
class TieSide:
    """One side of a tie: its name, its points per leg, whether it advanced."""

    name: str
    points: tuple[str, ...]
    won: bool
    lost: bool


Connector = Literal["straight", "down", "up", ""]
"""The line from a tie to the next round: straight on, down or up to the middle of two ties, or none."""


@dataclass(frozen=True, slots=True)
class TieBox:
    """A tie as displayed; `match` is the target of its link, `line` its line to the next round.

    `ended`: how it ended if not by normal play, otherwise empty.
    """

    code: str
    title: str
    home: TieSide
    away: TieSide
    match: Match
    now: bool
    ended: str
    line: Connector = ""


@dataclass(frozen=True, slots=True)
class BracketColumn:
    """A round of a bracket. `joined` if lines come from the round before."""

    title: str
    ties: tuple[TieBox, ...]
    joined: bool = False


def brackets(names: Names, stage: StageProgress) -> list[list[BracketColumn]]:
    """Return the brackets of a stage, each as its rounds: the one of the winners with the finals, the match for the
    third place, the one of the losers.
    """
    found: dict[tuple[str, int], list[Tie]] = {}
    for tie in stage.ties:
        if all(match.status == "not_needed" for match in tie.matches):
            continue
        found.setdefault((tie.node.kind, tie.node.round), []).append(tie)
    columns = {
        key: BracketColumn(names.column(stage, *key), tuple(_box(names, tie) for tie in sorted(ties, key=_place)))
        for key, ties in found.items()
    }
    parts = [
        [columns[key] for kind in kinds for key in columns if key[0] == kind]
        for kinds in (("winners", "final", "reset"), ("losers",), ("third",))
    ]
    return [_connected(part) for part in parts if part]


def _connected(columns: Sequence[BracketColumn]) -> list[BracketColumn]:
    """Return the rounds with the lines between them: two ties lead to one, or one to one."""
    found: list[BracketColumn] = []
    for at, column in enumerate(columns):
        after = len(columns[at + 1].ties) if at + 1 < len(columns) else 0
        lines: tuple[Connector, ...] = ("",)
        if after == len(column.ties):
            lines = ("straight",)
        elif after * 2 == len(column.ties):
            lines = ("down", "up")
        ties = tuple(replace(tie, line=lines[place % len(lines)]) for place, tie in enumerate(column.ties))
        found.append(replace(column, ties=ties, joined=at > 0 and found[-1].ties[0].line != ""))
    return found


def _place(tie: Tie) -> int:
    return tie.node.number


def _box(names: Names, tie: Tie) -> TieBox:
    running = next((match for match in tie.matches if match.status == "called"), None)
    newest = running or next((match for match in reversed(tie.matches) if match.over), tie.matches[0])
    sides = _side(names, tie, True), _side(names, tie, False)
    return TieBox(names.code(tie), names.tie(tie), *sides, newest, running is not None, names.ended(newest))


def _side(names: Names, tie: Tie, home: bool) -> TieSide:
    seat = tie.home if home else tie.away
    points = []
    for match in tie.matches:
        if match.score is not None:
            at_home = home == (match.leg != 2)
            points.append(str(match.score[0 if at_home else 1]))
    name = names.short_source(tie, home) if seat is None else names.seat(seat)
    if seat == NOBODY:
        name = names.locale.t("web.by.bye")
    return TieSide(name, tuple(points), seat is not None and seat == tie.winner, seat is not None and seat == tie.loser)


STORY_LINES = 40
"""Number of timeline lines on a match's page; the full timeline has its own page."""

MAX_COMING_MATCHES = 40
SLIDE_SECONDS = 12
"""Seconds per slide on the big screen."""


@dataclass(frozen=True, slots=True)
class PublicTournament:
    """The public state of a tournament. During a review it is the state before the review."""

    id: str
    state: TournamentState
    review: bool
    names: Names


class Pages:
    """The public pages in a visitor's language."""

    def __init__(self, dependencies: PageDependencies, locale: Locale) -> None:
        self._dependencies, self._locale = dependencies, locale

    def public_tournament(self, tournament: str) -> PublicTournament:
        """Return the public state of a tournament. Raises: NoSuchPage, also for an archived one."""
        if self._dependencies.core.archive.is_archived(tournament):
            raise NoSuchPage
        try:
            state, review = self._dependencies.core.tournaments.public_state(tournament)
        except UnknownTournament:
            raise NoSuchPage from None
        return PublicTournament(tournament, state, review, Names(self._locale, state, progress_of(state)))

    def tournaments(self) -> LivePart:
        """Return the list of tournaments."""
        rows = [row for row in self._dependencies.core.tournaments.all() if not row.archived]
        return LivePart(
            "tournaments.html", self._locale.t("web.tournaments"), {"rows": rows}, ChangeFilter(any_tournament=True)
        )

    def lives(self, tournament: str) -> LivePart:
        """Return the tables in play with their scores."""
        found = self.public_tournament(tournament)
        values = {"cards": self._cards(found), "public": found, "coming": self._coming(found)[:6]}
        values |= {"podium": _podium(found), "people": entries_by_name(found.state)}
        return _part("lives.html", found, values, "live", any_journal=True)

    def standings(self, tournament: str) -> LivePart:
        """Return standings and brackets of every stage, newest first."""
        found = self.public_tournament(tournament)
        return _part("standings.html", found, {"public": found, "stages": _stages(found)}, "standings")

    def programme(self, tournament: str) -> LivePart:
        """Return the schedule: matches in play, upcoming and finished."""
        found = self.public_tournament(tournament)
        planned = schedule(found.state, self._dependencies.now)
        over = [match for match in found.names.progress.matches.values() if match.status == "done"]
        values = {"public": found, "coming": self._coming(found), "over": over[::-1], "ends": planned.ends}
        values["next_round"] = next_round(found.names, planned)
        return _part("programme.html", found, values, "programme")

    def match(self, tournament: str, id: str, whole: bool = False) -> LivePart:
        """Return a match: its score, the awaited action, its newest roll, its timeline. Raises: NoSuchPage."""
        found = self.public_tournament(tournament)
        match = found.names.progress.matches.get(id)
        live = self._dependencies.core.views.match(tournament, id)
        if match is None:
            raise NoSuchPage
        values: Values = {"public": found, "match": match, "live": live}
        values |= {"board": None, "story": (), "more": False, "overruled": False}
        journals: frozenset[tuple[str, int]] = frozenset()
        if live is not None:
            row = live.journal
            journals = frozenset({(row.table, row.epoch)})
            first = 0 if whole else max(0, row.seq - 2 * STORY_LINES)
            story = self._dependencies.core.views.story(row.table, row.epoch, first, 5000)[::-1]
            values["board"] = scoreboard(live, found.state.plan.game, match.home)
            at_table = score_of(live, found.state.plan.game)
            values["overruled"] = match.status == "done" and match.score is not None and match.score != at_table
            values["story"] = story if whole else story[:STORY_LINES]
            values["more"] = not whole and (first > 0 or len(story) > STORY_LINES)
        # before the first line it is unknown which journal the match will use
        needs = ChangeFilter(tournaments=frozenset({tournament}), journals=journals, any_journal=live is None)
        title = found.names.both(match)
        return LivePart("match.html", title, values, needs, tournament, "live", min_interval_s=0.1)

    def entry(self, tournament: str, id: str) -> LivePart:
        """Return the page of one entry: where it plays, whom it meets next, its results. Raises: NoSuchPage."""
        found = self.public_tournament(tournament)
        entry = found.state.entries.get(id)
        if entry is None:
            raise NoSuchPage
        values = {"public": found, "entry": entry, "ranks": _ranks_of(found.names, id)}
        final = next((each.rank for each in final_ranking(found.names.progress) if each.entry == id), None)
        values["final_rank"] = final if len(found.state.plan.stages) > 1 or not values["ranks"] else None
        values |= _own_matches(found, id, self._dependencies.now)
        values["next_round"] = next_round(found.names, schedule(found.state, self._dependencies.now))
        needs = ChangeFilter(tournaments=frozenset({tournament}))
        return LivePart("entry.html", entry.name, values, needs, tournament)

    def screen(self, tournament: str) -> LivePart:
        """Return the big screen: slides of live tables, standings, brackets and schedule."""
        found = self.public_tournament(tournament)
        values = {
            "public": found,
            "cards": self._cards(found),
            "stages": _stages(found),
            "coming": self._coming(found)[:8],
            "over": [each for each in found.names.progress.matches.values() if each.status == "done"][:-9:-1],
            "podium": _podium(found),
            "round": _round_clock(found),
        }
        needs = ChangeFilter(tournaments=frozenset({tournament}), any_journal=True)
        return LivePart(
            "screen.html", found.state.plan.name, values, needs, tournament, body="screen", min_interval_s=0.5
        )

    def table(self, id: str) -> LivePart:
        """Return the current match of a table; the QR code on its screen leads here. Raises: NoSuchPage."""
        row = next((each for each in self._dependencies.core.tables.all() if each.id == id), None)
        if row is None:
            raise NoSuchPage
        live = self._dependencies.core.views.live(id)
        needs = ChangeFilter(
            journals=frozenset({(id, live.journal.epoch)}) if live else frozenset(), any_journal=True, tables=True
        )
        bound = live.journal.match_ref if live else None
        if live is not None and bound is not None and not self._dependencies.core.archive.is_archived(bound.tournament):
            part = self.match(bound.tournament, bound.match)
            return LivePart(
                part.template,
                part.title,
                part.values,
                needs,
                part.tournament,
                part.tab,
                min_interval_s=part.min_interval_s,
            )
        values: Values = {"row": row, "live": live, "board": None, "story": ()}
        if live is not None:
            values["board"] = scoreboard(live, live.journal.game or "", None)
            values["story"] = self._dependencies.core.views.story(id, live.journal.epoch, 0, 5000)[
                : -STORY_LINES - 1 : -1
            ]
        return LivePart("one_table.html", self._locale.t("web.table", number=row.number), values, needs)

    def _cards(self, found: PublicTournament) -> list[Values]:
        """Return every called match with its live state, ordered by table."""
        matches = found.names.progress.matches
        lives = self._dependencies.core.views.lives_by_match(found.id)
        called = [each for each in matches.values() if each.status == "called"]
        cards = []
        for each in sorted(called, key=lambda each: each.table or 0):
            live = lives.get(each.id)
            match_board = scoreboard(live, found.state.plan.game, each.home) if live else None
            cards.append({"match": each, "live": live, "board": match_board})
        return cards

    def _coming(self, found: PublicTournament) -> list[Values]:
        slots = [slot for slot in schedule(found.state, self._dependencies.now).slots if not slot.playing]
        matches = found.names.progress.matches
        return [{"slot": slot, "match": matches[slot.match]} for slot in sorted(slots, key=lambda each: each.starts)][
            :MAX_COMING_MATCHES
        ]


@dataclass(frozen=True, slots=True)
class OwnMatch:
    """A match as one of its entries sees it.

    `score` has the own points first, `outcome` is won, drawn, lost or empty, `opponent` is empty for a bye. `starts`
    (Unix time in seconds) and `table` are those of the schedule.
    """

    match: Match
    opponent: str
    score: tuple[int, int] | None
    outcome: str
    starts: int | None = None
    table: int | None = None


def _own_matches(found: PublicTournament, entry: str, now: int) -> dict[str, list[OwnMatch]]:
    """Return the matches of an entry: called, coming (the next one first) and over (the newest one first)."""
    slots = {slot.match: slot for slot in schedule(found.state, now).slots}
    groups: dict[str, list[OwnMatch]] = {"called": [], "coming": [], "over": []}
    of_status = {"called": "called", "ready": "coming", "waiting": "coming", "done": "over", "walkover": "over"}
    for match in found.names.progress.matches.values():
        if entry in match.seats and match.status in of_status:
            groups[of_status[match.status]].append(_own_match(found.names, match, entry, slots.get(match.id)))
    groups["coming"].sort(key=lambda each: (each.starts is None, each.starts or 0))
    groups["over"].reverse()
    return groups


def _own_match(names: Names, match: Match, entry: str, slot: ScheduleSlot | None) -> OwnMatch:
    home = match.home == entry
    opponent = "" if NOBODY in match.seats else names.side(match, not home)
    score = match.score if home or match.score is None else match.score[::-1]
    outcome = "drawn" if match.status == "done" else ""
    if match.winner is not None:
        outcome = "won" if (match.winner == "home") == home else "lost"
    starts, table = (None, None) if slot is None else (slot.starts, slot.table)
    return OwnMatch(match, opponent, score, outcome, starts, table)


def _ranks_of(names: Names, entry: str) -> list[Values]:
    """Return the rows of an entry in the standings, each with the name of its stage."""
    tables = [(stage, rows) for stage in names.progress.stages for rows in stage.tables.values()]
    return [{"title": names.stage(stage), "row": row} for stage, rows in tables for row in rows if row.entry == entry]


Page = Callable[[Pages], LivePart]


def find_page(path: str) -> Page:
    """Return the page at an address. Raises: NoSuchPage; the returned function may raise it too."""
    steps = [step for step in path.split("/") if step]
    simple = {"": Pages.lives, "standings": Pages.standings, "programme": Pages.programme, "screen": Pages.screen}
    if not steps:
        return Pages.tournaments
    if steps[0] == "tables" and len(steps) == 2:
        return lambda pages: pages.table(steps[1])
    if steps[0] == "t" and len(steps) in (2, 3) and (steps[2:] or [""])[0] in simple:
        page = simple[(steps[2:] or [""])[0]]
        return lambda pages: page(pages, steps[1])
    if steps[0] == "t" and len(steps) > 3 and steps[2] in _PAGES_OF_ONE:
        one = _PAGES_OF_ONE[steps[2]]
        return lambda pages: one(pages, steps[1], "/".join(steps[3:]))
    raise NoSuchPage


_PAGES_OF_ONE: Mapping[str, Callable[[Pages, str, str], LivePart]] = {
    "entry": Pages.entry,
    "match": Pages.match,
    "story": lambda pages, tournament, id: pages.match(tournament, id, whole=True),
}
"""The pages of one entry or match of a tournament, by the third step of their address."""


def _part(template: str, found: PublicTournament, values: Values, tab: str, any_journal: bool = False) -> LivePart:
    needs = ChangeFilter(tournaments=frozenset({found.id}), any_journal=any_journal)
    return LivePart(template, found.state.plan.name, values, needs, found.id, tab)


def _stages(found: PublicTournament) -> list[Values]:
    """Return the stages as pages show them: newest first, then those whose entries are not known yet."""
    made = []
    for stage in sorted(found.names.progress.stages, key=lambda each: (_to_come(each), -each.number)):
        tables = [{"group": group, "rows": rows} for group, rows in stage.tables.items()]
        columns = [] if stage.plan.table else brackets(found.names, stage)
        made.append({"stage": stage, "tables": tables, "columns": columns, "last": _round_now(stage)})
    return made


def _to_come(stage: StageProgress) -> bool:
    """Return whether it is not known yet who plays in a bracket."""
    seats = {seat for tie in stage.ties for seat in (tie.home, tie.away)}
    return not stage.plan.table and seats <= {None, NOBODY}


@dataclass(frozen=True, slots=True)
class Podium:
    """The end of a tournament: the names on each step (rank, names), and the final ranking (rank, name)."""

    steps: tuple[tuple[int, tuple[str, ...]], ...]
    ranking: tuple[tuple[int, str], ...]


def _podium(found: PublicTournament) -> Podium | None:
    """Return the podium of a tournament that has a champion."""
    progress, names = found.names.progress, found.names
    steps = tuple((rank, tuple(names.seat(entry) for entry in entries)) for rank, entries in podium(progress))
    ranking = tuple((each.rank, names.seat(each.entry)) for each in final_ranking(progress))
    return Podium(steps, ranking) if steps else None


@dataclass(frozen=True, slots=True)
class RoundClock:
    """The round in play: its number, the number of rounds, and its planned end (Unix time in seconds)."""

    swiss: bool
    round: int
    rounds: int
    ends: int | None


def _round_clock(found: PublicTournament) -> RoundClock | None:
    """Return the clock of the round in play; None outside of the rounds of a table.

    It starts with the first call of the round and ends after the planned length of a match.
    """
    stage = next((each for each in found.names.progress.stages if each.plan.table and not each.over), None)
    if stage is None:
        return None
    now, rounds = _round_now(stage)
    matches = {match.id for tie in stage.ties for match in tie.matches if tie.node.round == now}
    first = min((call.clock for call in found.state.calls.values() if call.match in matches), default=None)
    ends = None if first is None else first + found.state.plan.minutes * MINUTE
    return RoundClock(stage.plan.kind == "swiss", now, rounds, ends)


def _round_now(stage: StageProgress) -> tuple[int, int]:
    """Return the current round and the number of rounds."""
    rounds = stage.plan.rounds or max((tie.node.round for tie in stage.ties), default=0)
    open_rounds = [tie.node.round for tie in stage.ties if not tie.over]
    drawn = max((tie.node.round for tie in stage.ties), default=0)
    return (min(open_rounds, default=drawn), rounds)


def slides(rows: Sequence[object], most: int) -> list[Sequence[object]]:
    """Split rows among as few slides as can be, with nearly as many on each: 13 are 7 and 6, not 12 and 1."""
    count = -(-len(rows) // most)
    ends = [-(-len(rows) * part // count) for part in range(count + 1)] if rows else []
    return [rows[start:end] for start, end in pairwise(ends)]
