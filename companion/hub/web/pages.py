"""The pages for everyone: tournaments, live tables, a match's story, standings, brackets, programme, big screen."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import tzinfo
from typing import Any

from companion.clock import Clock
from companion.games.base import Message
from companion.games.figures import Headline, OddsBar, OddsPart
from companion.games.registry import SPECS
from companion.hub.core import Core
from companion.hub.database import BackupState, UnknownTournament
from companion.hub.models import Changes, Live
from companion.hub.web.middleware import Limits
from companion.hub.web.wording import Names, Words, percentages
from companion.tournament.course import Match, StageCourse, Tie, course
from companion.tournament.facts import State
from companion.tournament.schedule import schedule

Values = dict[str, Any]
"""What a template is given, by name."""


@dataclass(frozen=True, slots=True)
class BoardSide:
    """One side as the scoreboard shows it."""

    side: str
    name: str
    points: int
    colour: str
    letter: str
    home: bool
    acts: bool


@dataclass(frozen=True, slots=True)
class Share:
    """A part of the odds bar: of a hundred, and the colour of the side it favours, None while it is open."""

    part: OddsPart
    share: int
    colour: str | None
    most: bool


@dataclass(frozen=True, slots=True)
class Board:
    """What the scoreboard shows."""

    sides: tuple[BoardSide, ...]
    headline: Headline | None
    shares: tuple[Share, ...]
    clock: Message | None
    turns: tuple[int, int]


def board(live: Live, game: str, home: str | None) -> Board:
    """The scoreboard of a match; the first side plays at home where somebody does (`home`)."""
    spec = SPECS.get(game)
    if spec is None:
        return Board((), None, (), None, (0, 0))
    sides = tuple(
        BoardSide(
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
        return Board(sides, headline, shares, None, (0, 0))
    return Board(sides, headline, shares, spec.clock(live.board), spec.turns(live.board))


def _shares(odds: OddsBar, tones: Mapping[str, str]) -> tuple[Share, ...]:
    shares = percentages([part.chance for part in odds.parts])
    most = max(shares, default=0)
    return tuple(
        Share(part, share, tones.get(part.side or ""), share == most)
        for part, share in zip(odds.parts, shares, strict=True)
        if share > 0
    )


@dataclass(frozen=True)
class Parts:
    """What the pages work with.

    `address` is where visitors reach them (scheme, host and port), for QR codes; `link` what a table joins by
    (`host:port`), None while there is no broker. `secure` says that pages come by TLS: cookies keep to it.
    """

    core: Core
    clock: Clock
    address: str
    link: str | None = None
    secure: bool = False
    limits: Limits = field(default_factory=Limits)
    zone: tzinfo | None = None
    revoked: Callable[[str], None] = lambda table: None
    """Told when a table's keys were revoked, so that the broker lets it go."""
    admitted: Callable[[str, str], tuple[str, str]] = lambda table, key: (key, key)
    """Has the broker let a table in with a new key; returns the token by which it joins, and its QR code's text."""

    backups: Callable[[], BackupState | None] = lambda: None
    """How the hub's own backups stand; None where nobody makes any."""

    @property
    def now(self) -> int:
        """Seconds since 1970."""
        return int(self.clock.now().timestamp())


@dataclass(frozen=True, slots=True)
class Needs:
    """Which changes touch a page: those of some tournaments, of one journal, of all journals, of tables, of notices."""

    tournaments: frozenset[str] = frozenset()
    journals: frozenset[tuple[str, int]] = frozenset()
    any_journal: bool = False
    any_tournament: bool = False
    tables: bool = False

    def touched(self, changes: Changes) -> bool:
        """Whether the page may look different now."""
        return bool(
            changes.all
            or (self.any_journal and changes.journals)
            or (self.any_tournament and changes.tournaments)
            or (self.tables and changes.tables)
            or self.tournaments & changes.tournaments
            or self.journals & changes.journals
        )


@dataclass(frozen=True, slots=True)
class Part:
    """The part of a page that follows the changes: its template with values, its title, what touches it.

    `tab` is the tab it stands under, `tournament` whose tabs those are; `every` the least seconds between two of it.
    """

    template: str
    title: str
    values: Values
    needs: Needs
    tournament: str | None = None
    tab: str = ""
    body: str = ""
    every: float = 0.25


class NoSuchPage(Exception):
    """There is no page at an address."""


# A bracket as columns: a round each, the ties in the order in which they lead on.


@dataclass(frozen=True, slots=True)
class TieSide:
    """One side of a tie: its name, its points leg by leg, whether it went on."""

    name: str
    points: tuple[str, ...]
    won: bool
    lost: bool


@dataclass(frozen=True, slots=True)
class TieBox:
    """A tie as it is drawn; `match` is the one that its link leads to."""

    title: str
    home: TieSide
    away: TieSide
    match: Match
    now: bool


@dataclass(frozen=True, slots=True)
class Column:
    """A round of a bracket."""

    title: str
    ties: tuple[TieBox, ...]


def brackets(names: Names, stage: StageCourse) -> list[list[Column]]:
    """The bracket of a stage; of a double knock-out that of the winners with the finals, then that of the losers."""
    found: dict[tuple[str, int], list[Tie]] = {}
    for tie in stage.ties:
        if all(match.status == "not_needed" for match in tie.matches):
            continue
        found.setdefault((tie.node.kind, tie.node.round), []).append(tie)
    columns = {
        key: Column(names.column(stage, *key), tuple(_box(names, tie) for tie in sorted(ties, key=_place)))
        for key, ties in found.items()
    }
    upper = [columns[key] for key in columns if key[0] == "winners"]
    upper += [columns[key] for kind in ("final", "reset", "third") for key in columns if key[0] == kind]
    lower = [columns[key] for key in columns if key[0] == "losers"]
    return [each for each in (upper, lower) if each]


def _place(tie: Tie) -> int:
    return tie.node.number


def _box(names: Names, tie: Tie) -> TieBox:
    running = next((match for match in tie.matches if match.status == "called"), None)
    newest = running or next((match for match in reversed(tie.matches) if match.over), tie.matches[0])
    return TieBox(names.tie(tie), _side(names, tie, True), _side(names, tie, False), newest, running is not None)


def _side(names: Names, tie: Tie, home: bool) -> TieSide:
    seat = tie.home if home else tie.away
    points = []
    for match in tie.matches:
        if match.score is not None:
            at_home = home == (match.leg != 2)
            points.append(str(match.score[0 if at_home else 1]))
    name = names.side(tie.matches[0], home)
    return TieSide(name, tuple(points), seat is not None and seat == tie.winner, seat is not None and seat == tie.loser)


STORY_LINES = 40
"""Lines of a match's story on its page; the whole of it has a page of its own."""

NEXT_MATCHES = 40
TURN_SECONDS = 12
"""How long the big screen shows one thing."""


@dataclass(frozen=True, slots=True)
class Shown:
    """What the public sees of a tournament: as it was before anything was under review, while something is."""

    id: str
    state: State
    review: bool
    names: Names


class Pages:
    """The pages for everyone, in a visitor's words."""

    def __init__(self, parts: Parts, words: Words) -> None:
        self._parts, self._words = parts, words

    def shown(self, tournament: str) -> Shown:
        """The public state of a tournament. Raises NoSuchPage, also for one that the organiser archived."""
        if self._parts.core.archive.holds(tournament):
            raise NoSuchPage
        try:
            state, review = self._parts.core.tournaments.public(tournament)
        except UnknownTournament:
            raise NoSuchPage from None
        return Shown(tournament, state, review, Names(self._words, state, course(state)))

    def tournaments(self) -> Part:
        """The tournaments of this hub."""
        rows = [row for row in self._parts.core.tournaments.all() if not row.archived]
        return Part("tournaments.html", self._words.t("web.tournaments"), {"rows": rows}, Needs(any_tournament=True))

    def lives(self, tournament: str) -> Part:
        """The tables that play, each with its score."""
        found = self.shown(tournament)
        values = {"cards": self._cards(found), "shown": found, "coming": self._coming(found)[:6]}
        return _part("lives.html", found, values, "live", any_journal=True)

    def standings(self, tournament: str) -> Part:
        """Tables and brackets of every stage, the newest first."""
        found = self.shown(tournament)
        return _part("standings.html", found, {"shown": found, "stages": _stages(found)}, "standings")

    def programme(self, tournament: str) -> Part:
        """What is played, what comes when, what is over."""
        found = self.shown(tournament)
        planned = schedule(found.state, self._parts.now)
        over = [match for match in found.names.course.matches.values() if match.status == "done"]
        values = {"shown": found, "coming": self._coming(found), "over": over[::-1], "ends": planned.ends}
        return _part("programme.html", found, values, "programme")

    def match(self, tournament: str, id: str, whole: bool = False) -> Part:
        """A match: its score, what is awaited, its newest roll, its story. Raises NoSuchPage."""
        found = self.shown(tournament)
        there = found.names.course.matches.get(id)
        live = self._parts.core.views.match(tournament, id)
        if there is None:
            raise NoSuchPage
        values: Values = {"shown": found, "match": there, "live": live}
        values |= {"board": None, "story": (), "more": False}
        journals: frozenset[tuple[str, int]] = frozenset()
        if live is not None:
            row = live.journal
            journals = frozenset({(row.table, row.epoch)})
            first = 0 if whole else max(0, row.seq - 2 * STORY_LINES)
            story = self._parts.core.views.story(row.table, row.epoch, first, 5000)[::-1]
            values["board"] = board(live, found.state.plan.game, there.home)
            values["story"] = story if whole else story[:STORY_LINES]
            values["more"] = not whole and (first > 0 or len(story) > STORY_LINES)
        # before its first line has come nobody knows in which journal it will
        needs = Needs(tournaments=frozenset({tournament}), journals=journals, any_journal=live is None)
        title = found.names.both(there)
        return Part("match.html", title, values, needs, tournament, "live", every=0.1)

    def screen(self, tournament: str) -> Part:
        """The big screen: slides of live tables, standings, brackets and programme."""
        found = self.shown(tournament)
        values = {
            "shown": found,
            "cards": self._cards(found),
            "stages": _stages(found),
            "coming": self._coming(found)[:10],
            "over": [each for each in found.names.course.matches.values() if each.status == "done"][:-11:-1],
        }
        needs = Needs(tournaments=frozenset({tournament}), any_journal=True)
        return Part("screen.html", found.state.plan.name, values, needs, tournament, body="screen", every=0.5)

    def table(self, id: str) -> Part:
        """What a table plays, where the QR code on its screen leads. Raises NoSuchPage."""
        row = next((each for each in self._parts.core.tables.all() if each.id == id), None)
        if row is None:
            raise NoSuchPage
        live = self._parts.core.views.live(id)
        needs = Needs(
            journals=frozenset({(id, live.journal.epoch)}) if live else frozenset(), any_journal=True, tables=True
        )
        bound = live.journal.bound if live else None
        if live is not None and bound is not None and not self._parts.core.archive.holds(bound.tournament):
            part = self.match(bound.tournament, bound.match)
            return Part(part.template, part.title, part.values, needs, part.tournament, part.tab, every=part.every)
        values: Values = {"row": row, "live": live, "board": None, "story": ()}
        if live is not None:
            values["board"] = board(live, live.journal.game or "", None)
            values["story"] = self._parts.core.views.story(id, live.journal.epoch, 0, 5000)[: -STORY_LINES - 1 : -1]
        return Part("one_table.html", self._words.t("web.table", number=row.number), values, needs)

    def _cards(self, found: Shown) -> list[Values]:
        """Every called match with how it stands at its table, by table; and matches that are played uncalled."""
        matches = found.names.course.matches
        lives = self._parts.core.views.lives_by_match(found.id)
        called = [each for each in matches.values() if each.status == "called"]
        cards = []
        for each in sorted(called, key=lambda each: each.table or 0):
            live = lives.get(each.id)
            shown_board = board(live, found.state.plan.game, each.home) if live else None
            cards.append({"match": each, "live": live, "board": shown_board})
        return cards

    def _coming(self, found: Shown) -> list[Values]:
        slots = [slot for slot in schedule(found.state, self._parts.now).slots if not slot.playing]
        matches = found.names.course.matches
        return [{"slot": slot, "match": matches[slot.match]} for slot in sorted(slots, key=lambda each: each.starts)][
            :NEXT_MATCHES
        ]


Page = Callable[[Pages], Part]


def find(path: str) -> Page:
    """The page at an address. Raises NoSuchPage; so may the page."""
    steps = [step for step in path.split("/") if step]
    simple = {"": Pages.lives, "standings": Pages.standings, "programme": Pages.programme, "screen": Pages.screen}
    if not steps:
        return Pages.tournaments
    if steps[0] == "tables" and len(steps) == 2:
        return lambda pages: pages.table(steps[1])
    if steps[0] == "t" and len(steps) in (2, 3) and (steps[2:] or [""])[0] in simple:
        page = simple[(steps[2:] or [""])[0]]
        return lambda pages: page(pages, steps[1])
    if steps[0] == "t" and len(steps) > 3 and steps[2] in ("match", "story"):
        id = "/".join(steps[3:])
        return lambda pages: pages.match(steps[1], id, steps[2] == "story")
    raise NoSuchPage


def _part(template: str, found: Shown, values: Values, tab: str, any_journal: bool = False) -> Part:
    needs = Needs(tournaments=frozenset({found.id}), any_journal=any_journal)
    return Part(template, found.state.plan.name, values, needs, found.id, tab)


def _stages(found: Shown) -> list[Values]:
    made = []
    for stage in reversed(found.names.course.stages):
        tables = [{"group": group, "rows": rows} for group, rows in stage.tables.items()]
        columns = [] if stage.plan.table else brackets(found.names, stage)
        made.append({"stage": stage, "tables": tables, "columns": columns, "last": _round_now(stage)})
    return made


def _round_now(stage: StageCourse) -> tuple[int, int]:
    """The round that is played, and how many there are."""
    rounds = stage.plan.rounds or max((tie.node.round for tie in stage.ties), default=0)
    open_rounds = [tie.node.round for tie in stage.ties if not tie.over]
    drawn = max((tie.node.round for tie in stage.ties), default=0)
    return (min(open_rounds, default=drawn), rounds)
