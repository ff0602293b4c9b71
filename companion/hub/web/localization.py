"""Texts of the pages: translated messages, times, scores, and names of matches, rounds, seats and events."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo
from itertools import pairwise

from companion.games.base import Message
from companion.hub.models import RecordedFact
from companion.language import LANGUAGES, Language, alphabetical_key
from companion.tournament import facts as fa
from companion.tournament.facts import TournamentState
from companion.tournament.pairing import swapped
from companion.tournament.progress import (
    ROUNDS_BY_NAME,
    EntrySource,
    Match,
    OrganiserQuestion,
    StageProgress,
    Tie,
    TournamentProgress,
    fixed_node,
    match_title,
    question_text,
)
from companion.tournament.rules import edited
from companion.tournament.standings import StandingsRow, separation, tie_breaks_used, value_of
from companion.tournament.values import BYE, NOBODY, UNPLAYED, Entry, Seat

MINUS, DASH = "\N{MINUS SIGN}", "\N{EN DASH}"


MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
"""English names of the months, whatever the language of the computer."""


class Locale:
    """Texts in one language."""

    def __init__(self, code: str, zone: tzinfo | None = None) -> None:
        self.code = code
        self._language = Language(code)
        self._zone = zone

    def t(self, id: str, /, **args: object) -> str:
        """Return the text of an id."""
        return self._language(id, **args)

    def text(self, message: Message) -> str:
        """Return the text of a message."""
        return self._language.text(message)

    def clock(self, at: str | int | float | None) -> str:
        """Return hours and minutes of a time (ISO 8601, or Unix time in seconds); empty for None."""
        found = self._moment(at)
        return found.strftime("%H:%M") if found else ""

    def date(self, at: str | int | float | None) -> str:
        """Return day, month, year, hours and minutes; empty for None."""
        found = self._moment(at)
        if found is None:
            return ""
        return f"{self._day(found)} {found:%H:%M}"

    def day(self, date: str) -> str:
        """Return day, month and year of a date (ISO 8601); empty for an empty one."""
        found = self._moment(date)
        return "" if found is None else self._day(found)

    def short_day(self, at: str) -> str:
        """Return day and month of a time (ISO 8601); empty for an empty one."""
        found = self._moment(at)
        return "" if found is None else self._day(found, year=False)

    def _day(self, found: datetime, year: bool = True) -> str:
        if self.code == "fr":
            return found.strftime("%d/%m/%Y" if year else "%d/%m")
        return f"{found.day} {MONTHS[found.month - 1]}" + (f" {found.year}" if year else "")

    def _moment(self, at: str | int | float | None) -> datetime | None:
        if at is None or at == "":
            return None
        try:
            found = datetime.fromisoformat(at) if isinstance(at, str) else datetime.fromtimestamp(at, self._zone)
        except (ValueError, OSError, OverflowError):
            return None
        return found if found.tzinfo is None else found.astimezone(self._zone)

    def signed(self, number: int) -> str:
        """Return a number with its sign; zero has none."""
        return "0" if number == 0 else f"+{number}" if number > 0 else f"{MINUS}{-number}"

    def score(self, points: Sequence[int] | None) -> str:
        """Return a score."""
        return "" if points is None else f" {DASH} ".join(str(each) for each in points)

    def tie_break(self, name: str, value: int | None) -> str:
        """Return the value of a tie-break; empty for None. Sonneborn-Berger is stored doubled."""
        if value is None:
            return ""
        if name != "sonneborn":
            return self.signed(value) if name.endswith("difference") else str(value)
        whole, half = divmod(value, 2)
        return f"{whole}{self.t('web.decimal_mark')}5" if half else str(whole)

    def percent(self, share: int) -> str:
        """Return a percentage."""
        return self.t("web.percent", share=share)


def preferred_language(accept: str, chosen: str | None) -> str:
    """Return a visitor's language: the chosen one, else the first supported one of the browser, else French."""
    if chosen in LANGUAGES:
        return str(chosen)
    for part in accept[:500].split(","):
        code = part.split(";")[0].strip().lower().partition("-")[0]
        if code in LANGUAGES:
            return code
    return LANGUAGES[0]


# Names of matches, rounds and seats: the entry, or its origin while unknown.


@dataclass(frozen=True, slots=True)
class GroupTable:
    """The standings of a stage or one of its groups."""

    stage: StageProgress
    rows: tuple[StandingsRow, ...]


@dataclass(frozen=True, slots=True)
class TieBreakColumn:
    """A tie-break in a table of standings: its short and its full name, and its value for each entry."""

    short: str
    name: str
    values: Mapping[str, str]


class Names:
    """The names of one tournament in one language."""

    def __init__(self, locale: Locale, state: TournamentState, progress: TournamentProgress) -> None:
        self.locale, self.state, self.progress = locale, state, progress

    def seat(self, seat: Seat) -> str:
        """Return the name of a seat's entry, or the text for an empty or unknown seat."""
        if seat is None:
            return self.locale.t("web.seat.unknown")
        if seat == NOBODY:
            return self.locale.t("web.seat.nobody")
        entry = self.state.entries.get(seat)
        return entry.name if entry else seat

    def club(self, seat: Seat) -> str:
        """Return the club of a seat's entry; empty if it has none."""
        entry = self.state.entries.get(seat or "")
        return entry.club if entry else ""

    def side(self, match: Match, home: bool) -> str:
        """Return who plays on a side of a match, or the side's origin while unknown."""
        seat = match.home if home else match.away
        tie = self.progress.ties.get(match.tie)
        if seat is not None or tie is None:
            return self.seat(seat)
        first = home == (match.leg != 2)
        return self.source(tie.node.home if first else tie.node.away, tie.node.stage)

    def source(self, source: EntrySource, stage: int) -> str:
        """Return the description of a side's origin. `stage`: number of the stage that it plays in."""
        if source.kind == "entry":
            return self.seat(source.of)
        before = self.progress.stages[stage - 2] if stage > 1 else None
        if source.kind == "seed" and before is not None and before.plan.groups == 1:
            return self.locale.t("web.seat.rank", stage=self.stage(before), rank=source.of)
        if source.kind == "seed":
            return self.locale.t("web.seat.seed", seed=source.of)
        tie = self.progress.ties.get(source.of)
        label = self.tie(tie) if tie else source.of
        return self.locale.t(f"web.seat.{source.kind}", of=label)

    def both(self, match: Match) -> str:
        """Return both sides in one text, or who has a bye."""
        alone = [seat for seat in match.seats if seat != NOBODY]
        if match.by == BYE and len(alone) == 1:
            return self.locale.t("web.has_bye", name=self.seat(alone[0]))
        return f"{self.side(match, True)} \N{EN DASH} {self.side(match, False)}"

    def tie(self, tie: Tie) -> str:
        """Return a tie's title, such as "Demi-finale 1"."""
        return self.match(replace(tie.matches[0], leg=0))

    def match(self, match: Match) -> str:
        """Return a match's title: its round, group and leg."""
        return self.locale.text(match_title(self.state, match))

    def code(self, tie: Tie) -> str:
        """Return the short number of a tie of a bracket, such as "W1.3"."""
        kind: str = tie.node.kind
        stage = self.progress.stages[tie.node.stage - 1]
        if kind == "winners" and stage.plan.kind == "knock_out":
            ties = sum((each.node.kind, each.node.round) == (kind, tie.node.round) for each in stage.ties)
            kind = ROUNDS_BY_NAME.get(ties, "round")
        return self.locale.t(f"web.code.{kind}", round=tie.node.round, number=tie.node.number)

    def short_source(self, tie: Tie, home: bool) -> str:
        """Return the origin of an unknown side of a tie with the short number of the tie before: "winner W1.3"."""
        source = tie.node.home if home else tie.node.away
        before = self.progress.ties.get(source.of)
        if before is None:
            return self.source(source, tie.node.stage)
        return self.locale.t(f"web.from.{source.kind}", of=self.code(before))

    def column(self, stage: StageProgress, kind: str, round: int) -> str:
        """Return the title of a bracket round; late rounds have names."""
        ties = sum((tie.node.kind, tie.node.round) == (kind, round) for tie in stage.ties)
        named = kind == "winners" and stage.plan.kind == "knock_out" and ties in ROUNDS_BY_NAME
        name = ROUNDS_BY_NAME[ties] if named else kind
        if kind == "winners" and stage.plan.kind == "double_knock_out":
            name = "main"
        return self.locale.t(f"web.column.{name}", round=round)

    def stage(self, stage: StageProgress) -> str:
        """Return the name of a stage's format."""
        if stage.plan.groups > 1:
            return self.locale.t("web.format.groups.number")
        if stage.plan.kind == "round_robin" and (stage.plan.legs == 2 or stage.plan.advance):
            return self.locale.t("web.stage.league")
        if stage.plan.kind == "knock_out" and len(stage.ties) == 1:
            return self.locale.t("web.column.final")
        return self.locale.t(f"web.stage.{stage.plan.kind}")

    def announcement(self) -> str:
        """Return date, start and place of the tournament, as far as they were given."""
        plan = self.state.plan
        day = self.locale.day(plan.date)
        return " · ".join(each for each in (f"{day} {plan.start}".strip(), plan.place) if each)

    def question(self, question: OrganiserQuestion) -> str:
        """Return a question to the organiser."""
        return self.locale.text(question_text(self.state, question))

    def choice(self, question: str, choice: str) -> str:
        """Return an answer to a question, by the question's id."""
        redraw = question.startswith("redraw:") and choice == "keep"
        return self.locale.t("web.choice.keep_draw" if redraw else f"tournament.choice.{choice}")

    def standings_of(self, question: OrganiserQuestion) -> list[GroupTable]:
        """Return the standings that a question about level entries is about."""
        return [
            GroupTable(stage, rows)
            for stage in self.progress.stages
            for rows in stage.tables.values()
            if question in stage.questions and set(question.entries) <= {row.entry for row in rows}
        ]

    def chain(self, stage: StageProgress) -> str:
        """Return the order of the tie-breaks of a stage in one line."""
        named = [self.locale.t(f"web.tie_break.{name}") for name in stage.plan.chain if name != "points"]
        return self.locale.t("web.tie_breaks", chain=", ".join(named)) if named else ""

    def tie_breaks(self, rows: Sequence[StandingsRow]) -> list[TieBreakColumn]:
        """Return the columns of the tie-breaks that are in use in a table of standings."""
        return [
            TieBreakColumn(
                self.locale.t(f"web.tie_break.short.{name}"),
                self.locale.t(f"web.tie_break.{name}"),
                {row.entry: self.locale.tie_break(name, value_of(rows, row, name)) for row in rows},
            )
            for name in tie_breaks_used(rows)
        ]

    def reasons(self, rows: Sequence[StandingsRow]) -> list[str]:
        """Return one sentence for each entry that is level on points with the one before it: why it is behind."""
        found = []
        for above, row in pairwise(rows):
            if above.points != row.points:
                continue
            names = {"above": self.seat(above.entry), "below": self.seat(row.entry)}
            why = separation(above, row)
            if why is not None:
                name = self.locale.t(f"web.tie_break.{why.criterion}")
                values = (self.locale.tie_break(why.criterion, each) for each in (why.above, why.below))
                args = dict(zip(("one", "other"), values, strict=True))
                found.append(self.locale.t("web.reason", name=name, **names, **args))
            elif above.decided and row.decided and not row.level:
                found.append(self.locale.t(f"web.reason.{row.decided}", **names))
            else:
                found.append(self.locale.t("web.reason.level", **names))
        return found

    def status(self, match: Match) -> str:
        """Return the state of a match, and how it ended if not by normal play."""
        if match.by == BYE:
            return self.locale.t("web.status.bye")
        ended = self.ended(match) if match.status != "annulled" else ""
        return " · ".join(each for each in (self.locale.t(f"web.status.{match.status}"), ended) if each)

    def ended(self, match: Match) -> str:
        """Return how a match ended if not by normal play, otherwise an empty string."""
        if match.by in UNPLAYED or match.by in ("shootout", "extra_time", "concession"):
            return self.locale.t(f"web.by.{match.by}")
        return self.locale.t("web.status.annulled") if match.status == "annulled" else ""


def entries_by_name(state: TournamentState) -> Mapping[str, str]:
    """Return the entries' names by id, in alphabetical order."""
    entries = sorted(state.entries.values(), key=lambda each: alphabetical_key(each.name))
    return {entry.id: entry.name for entry in entries}


# Short descriptions of journal events, for the history of decisions.


@dataclass(frozen=True, slots=True)
class TraceLine:
    """A decision as the trace tells it: the event with its origin, its kind, and what it is about."""

    recorded: RecordedFact
    kind: str
    detail: str


def trace_lines(trace: Iterable[RecordedFact], names: Names) -> list[TraceLine]:
    """Return the decisions of a tournament, from its first event on, with everybody's names as they were then."""
    entries: dict[str, Entry] = {}
    pairs: dict[str, tuple[str, str]] = {}
    draws: dict[int, fa.Draw] = {}
    found = []
    for each in trace:
        fact = each.fact
        if isinstance(fact, fa.Enter):
            entries[fact.entry] = Entry(fact.entry, fact.name, fact.seed, fact.group, fact.club)
        if isinstance(fact, fa.Draw | fa.Swap):
            draw = fact if isinstance(fact, fa.Draw) else swapped(draws[fact.round], fact)
            draws[draw.round] = draw
            pairs |= {fixed_node(1, draw.round, at, pair).id: pair for at, pair in enumerate(draw.pairs, 1)}
        then = Names(names.locale, replace(names.state, entries=dict(entries)), names.progress)
        found.append(TraceLine(each, fa.FACT_NAMES[type(fact)], _detail(fact, then, pairs)))
        if isinstance(fact, fa.Edit) and fact.entry in entries:
            entries[fact.entry] = edited(entries[fact.entry], fact)
    return found


def _detail(fact: fa.Fact, names: Names, pairs: Mapping[str, tuple[str, str]]) -> str:
    """Return the subject of an event. `pairs` are the sides of the Swiss matches drawn so far."""
    match = names.progress.matches.get(getattr(fact, "match", ""))
    sides = (match.home, match.away) if match else None
    sides = pairs.get(getattr(fact, "match", ""), sides)
    if isinstance(fact, fa.Outcome):
        sides = fact.home, fact.away
    both = [f"{names.seat(sides[0])} {DASH} {names.seat(sides[1])}"] if sides and all(sides) else []
    if match and not both:
        both = [names.both(match)]
    return " · ".join([*both, *_entries(fact, names), *_details(fact, names, sides)])


def _entries(fact: fa.Fact, names: Names) -> list[str]:
    """Return the entries in an event."""
    if isinstance(fact, fa.Enter | fa.Withdraw | fa.Readmit):
        return [names.seat(fact.entry)]
    if isinstance(fact, fa.Edit):
        before = names.state.entries.get(fact.entry, Entry(fact.entry, fact.entry))
        was, now = ([each.name, str(each.seed or ""), each.club, each.group] for each in (before, edited(before, fact)))
        return [" → ".join(" · ".join(part for part in parts if part) for parts in (was, now))]
    if isinstance(fact, fa.Seed):
        return [", ".join(names.seat(entry) for entry in fact.order)]
    if isinstance(fact, fa.Swap):
        return [f"{names.seat(fact.one)} ↔ {names.seat(fact.other)}"]
    if isinstance(fact, fa.Keep):
        return [names.seat(fact.entry), *(card for card in (fact.player, fact.tactic) if card)]
    return []


def _details(fact: fa.Fact, names: Names, sides: tuple[Seat, Seat] | None) -> list[str]:
    """Return the rounds, tables and results in an event."""
    locale = names.locale
    if isinstance(fact, fa.Draw):
        by_hand = [locale.t("web.draw.was_by_hand")] if fact.by_hand else []
        return [locale.t("bulletin.swiss", round=fact.round), *by_hand]
    if isinstance(fact, fa.Swap | fa.Undraw):
        return [locale.t("bulletin.swiss", round=fact.round)]
    if isinstance(fact, fa.Call | fa.Table):
        return [locale.t("web.table", number=fact.table)]
    if isinstance(fact, fa.Outcome):
        return [locale.score(fact.score)]
    if isinstance(fact, fa.Forfeit) and sides:
        return [names.seat(sides[0] if fact.side == "home" else sides[1])]
    if isinstance(fact, fa.Rule) and fact.choice in ("home", "away"):
        match = names.progress.matches.get(fact.question.split(":")[1])
        return [names.match(match), names.side(match, fact.choice == "home")] if match else []
    if isinstance(fact, fa.Rule):
        return [names.choice(fact.question, fact.choice), *(names.seat(entry) for entry in fact.order)]
    return []
