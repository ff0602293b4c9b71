"""What pages say: sentences of one language, times, scores, and the names of matches, rounds, seats and facts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, tzinfo
from fractions import Fraction

from companion.games.base import Message
from companion.language import LANGUAGES, Language
from companion.tournament import facts as fa
from companion.tournament.course import ROUNDS_BY_NAME, Course, Match, Source, StageCourse, Tie, match_title
from companion.tournament.facts import State
from companion.tournament.values import NOBODY, UNPLAYED, Seat

MINUS, DASH = "\N{MINUS SIGN}", "\N{EN DASH}"


class Words:
    """The words of one page."""

    def __init__(self, code: str, zone: tzinfo | None = None) -> None:
        self.code = code
        self._language = Language(code)
        self._zone = zone

    def t(self, id: str, /, **args: object) -> str:
        """The sentence of an id."""
        return self._language(id, **args)

    def say(self, message: Message) -> str:
        """The sentence of a message."""
        return self._language.text(message)

    def clock(self, at: str | int | float | None) -> str:
        """Hours and minutes of a time (ISO 8601, or seconds since 1970); empty for none."""
        found = self._moment(at)
        return found.strftime("%H:%M") if found else ""

    def date(self, at: str | int | float | None) -> str:
        """Day, month, year, hours and minutes; empty for none."""
        found = self._moment(at)
        if found is None:
            return ""
        return found.strftime("%d/%m/%Y %H:%M" if self.code == "fr" else "%d %b %Y %H:%M")

    def _moment(self, at: str | int | float | None) -> datetime | None:
        if at is None or at == "":
            return None
        try:
            found = datetime.fromisoformat(at) if isinstance(at, str) else datetime.fromtimestamp(at, self._zone)
        except (ValueError, OSError, OverflowError):
            return None
        return found if found.tzinfo is None else found.astimezone(self._zone)

    def signed(self, number: int) -> str:
        """A number with its sign; nought has none."""
        return "0" if number == 0 else f"+{number}" if number > 0 else f"{MINUS}{-number}"

    def score(self, points: Sequence[int] | None) -> str:
        """Points against points."""
        return "" if points is None else f" {DASH} ".join(str(each) for each in points)

    def percent(self, share: int) -> str:
        """A share of a hundred."""
        return self.t("web.percent", share=share)


def preferred(accept: str, chosen: str | None) -> str:
    """The language of a visitor: the one chosen, else the first known of those the browser names, else French."""
    if chosen in LANGUAGES:
        return str(chosen)
    for part in accept[:500].split(","):
        code = part.split(";")[0].strip().lower().partition("-")[0]
        if code in LANGUAGES:
            return code
    return LANGUAGES[0]


def percentages(chances: Sequence[str]) -> list[int]:
    """Exact fractions as whole percentages that sum to 100: the largest remainders are rounded up."""
    exact = [Fraction(chance) * 100 for chance in chances]
    shares = [int(each) for each in exact]
    order = sorted(range(len(exact)), key=lambda at: (shares[at] - exact[at], at))
    for at in order[: max(0, round(sum(exact)) - sum(shares))]:
        shares[at] += 1
    return shares


# Names of matches, rounds and seats: who plays, or where they will come from.


class Names:
    """The names of one tournament in one language, by its state and course."""

    def __init__(self, words: Words, state: State, course: Course) -> None:
        self.words, self.state, self.course = words, state, course

    def seat(self, seat: Seat) -> str:
        """A seat that is taken, or that nobody takes."""
        if seat is None:
            return self.words.t("web.seat.unknown")
        if seat == NOBODY:
            return self.words.t("web.seat.nobody")
        entry = self.state.entries.get(seat)
        return entry.name if entry else seat

    def side(self, match: Match, home: bool) -> str:
        """Who sits at a side of a match, or where they come from while that is not known."""
        seat = match.home if home else match.away
        tie = self.course.ties.get(match.tie)
        if seat is not None or tie is None:
            return self.seat(seat)
        first = home == (match.leg != 2)
        return self.source(tie.node.home if first else tie.node.away)

    def source(self, source: Source) -> str:
        """Where a side comes from."""
        if source.kind == "entry":
            return self.seat(source.of)
        if source.kind == "seed":
            return self.words.t("web.seat.seed", seed=source.of)
        tie = self.course.ties.get(source.of)
        label = self.tie(tie) if tie else source.of
        return self.words.t(f"web.seat.{source.kind}", of=label)

    def both(self, match: Match) -> str:
        """Home and away in one."""
        return f"{self.side(match, True)} \N{EN DASH} {self.side(match, False)}"

    def tie(self, tie: Tie) -> str:
        """A tie by its place: "Demi-finale 1"."""
        return self.match(replace(tie.matches[0], leg=0))

    def match(self, match: Match) -> str:
        """A match by its place: its round, its group, its leg."""
        return self.words.say(match_title(self.state, match))

    def column(self, stage: StageCourse, kind: str, round: int) -> str:
        """The head of a round in a bracket: the nearer to the final, the better known."""
        ties = sum((tie.node.kind, tie.node.round) == (kind, round) for tie in stage.ties)
        named = kind == "winners" and stage.plan.kind == "knock_out" and ties in ROUNDS_BY_NAME
        name = ROUNDS_BY_NAME[ties] if named else kind
        return self.words.t(f"web.column.{name}", round=round)

    def stage(self, stage: StageCourse) -> str:
        """What a stage is."""
        return self.words.t(f"web.stage.{stage.plan.kind}")

    def ended(self, match: Match) -> str:
        """How a match ended when it was not simply played to its end; empty otherwise."""
        if match.by in UNPLAYED or match.by in ("shootout", "extra_time", "concession"):
            return self.words.t(f"web.by.{match.by}")
        return self.words.t("web.status.annulled") if match.status == "annulled" else ""


def entries_by_name(state: State) -> Mapping[str, str]:
    """Names of the entries in the order of the alphabet, by id."""
    return {entry.id: entry.name for entry in sorted(state.entries.values(), key=lambda each: each.name.casefold())}


# A fact of the tournament's journal in a few words, for the trace of who decided what.


def fact_name(fact: fa.Fact) -> str:
    """The kind of a fact, as journals name it."""
    return fa.NAMES[type(fact)]


def fact_detail(fact: fa.Fact, names: Names) -> str:
    """Whom or what a fact is about."""
    match = names.course.matches.get(getattr(fact, "match", ""))
    both = [names.both(match)] if match else []
    return " · ".join([*both, *_entries(fact, names), *_course(fact, names, match)])


def _entries(fact: fa.Fact, names: Names) -> list[str]:
    """What a fact says of entries."""
    if isinstance(fact, fa.Enter):
        return [names.seat(fact.entry) if fact.entry in names.state.entries else fact.name]
    if isinstance(fact, fa.Withdraw | fa.Readmit):
        return [names.seat(fact.entry)]
    if isinstance(fact, fa.Seed):
        return [", ".join(names.seat(entry) for entry in fact.order)]
    if isinstance(fact, fa.Keep):
        return [names.seat(fact.entry), *(card for card in (fact.player, fact.tactic) if card)]
    return []


def _course(fact: fa.Fact, names: Names, match: Match | None) -> list[str]:
    """What a fact says of rounds, tables and results."""
    words = names.words
    if isinstance(fact, fa.Draw):
        by_hand = [words.t("web.draw.was_by_hand")] if fact.by_hand else []
        return [words.t("bulletin.swiss", round=fact.round), *by_hand]
    if isinstance(fact, fa.Call | fa.Table):
        return [words.t("web.table", number=fact.table)]
    if isinstance(fact, fa.Outcome):
        return [words.score(fact.score)]
    if isinstance(fact, fa.Forfeit) and match:
        return [names.side(match, fact.side == "home")]
    if isinstance(fact, fa.Rule):
        return [words.t(f"tournament.choice.{fact.choice}"), *(names.seat(entry) for entry in fact.order)]
    return []
