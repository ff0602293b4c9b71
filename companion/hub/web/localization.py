"""Texts of the pages: translated messages, times, scores, and names of matches, rounds, seats and events."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, tzinfo
from fractions import Fraction

from companion.games.base import Message
from companion.language import LANGUAGES, Language
from companion.tournament import facts as fa
from companion.tournament.facts import TournamentState
from companion.tournament.progress import (
    ROUNDS_BY_NAME,
    EntrySource,
    Match,
    StageProgress,
    Tie,
    TournamentProgress,
    match_title,
)
from companion.tournament.values import NOBODY, UNPLAYED, Seat

MINUS, DASH = "\N{MINUS SIGN}", "\N{EN DASH}"


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
        """Return a number with its sign; zero has none."""
        return "0" if number == 0 else f"+{number}" if number > 0 else f"{MINUS}{-number}"

    def score(self, points: Sequence[int] | None) -> str:
        """Return a score."""
        return "" if points is None else f" {DASH} ".join(str(each) for each in points)

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


def percentages(chances: Sequence[str]) -> list[int]:
    """Return exact fractions as whole percentages that sum to 100: the largest remainders are rounded up."""
    exact = [Fraction(chance) * 100 for chance in chances]
    shares = [int(each) for each in exact]
    order = sorted(range(len(exact)), key=lambda at: (shares[at] - exact[at], at))
    for at in order[: max(0, round(sum(exact)) - sum(shares))]:
        shares[at] += 1
    return shares


# Names of matches, rounds and seats: the entry, or its origin while unknown.


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

    def side(self, match: Match, home: bool) -> str:
        """Return who plays on a side of a match, or the side's origin while unknown."""
        seat = match.home if home else match.away
        tie = self.progress.ties.get(match.tie)
        if seat is not None or tie is None:
            return self.seat(seat)
        first = home == (match.leg != 2)
        return self.source(tie.node.home if first else tie.node.away)

    def source(self, source: EntrySource) -> str:
        """Return the description of a side's origin."""
        if source.kind == "entry":
            return self.seat(source.of)
        if source.kind == "seed":
            return self.locale.t("web.seat.seed", seed=source.of)
        tie = self.progress.ties.get(source.of)
        label = self.tie(tie) if tie else source.of
        return self.locale.t(f"web.seat.{source.kind}", of=label)

    def both(self, match: Match) -> str:
        """Return both sides in one text."""
        return f"{self.side(match, True)} \N{EN DASH} {self.side(match, False)}"

    def tie(self, tie: Tie) -> str:
        """Return a tie's title, such as "Demi-finale 1"."""
        return self.match(replace(tie.matches[0], leg=0))

    def match(self, match: Match) -> str:
        """Return a match's title: its round, group and leg."""
        return self.locale.text(match_title(self.state, match))

    def column(self, stage: StageProgress, kind: str, round: int) -> str:
        """Return the title of a bracket round; late rounds have names."""
        ties = sum((tie.node.kind, tie.node.round) == (kind, round) for tie in stage.ties)
        named = kind == "winners" and stage.plan.kind == "knock_out" and ties in ROUNDS_BY_NAME
        name = ROUNDS_BY_NAME[ties] if named else kind
        return self.locale.t(f"web.column.{name}", round=round)

    def stage(self, stage: StageProgress) -> str:
        """Return the name of a stage's format."""
        return self.locale.t(f"web.stage.{stage.plan.kind}")

    def ended(self, match: Match) -> str:
        """Return how a match ended if not by normal play, otherwise an empty string."""
        if match.by in UNPLAYED or match.by in ("shootout", "extra_time", "concession"):
            return self.locale.t(f"web.by.{match.by}")
        return self.locale.t("web.status.annulled") if match.status == "annulled" else ""


def entries_by_name(state: TournamentState) -> Mapping[str, str]:
    """Return the entries' names by id, in alphabetical order."""
    return {entry.id: entry.name for entry in sorted(state.entries.values(), key=lambda each: each.name.casefold())}


# Short descriptions of journal events, for the history of decisions.


def fact_name(fact: fa.Fact) -> str:
    """Return an event's kind as named in journals."""
    return fa.FACT_NAMES[type(fact)]


def fact_detail(fact: fa.Fact, names: Names) -> str:
    """Return the subject of an event."""
    match = names.progress.matches.get(getattr(fact, "match", ""))
    both = [names.both(match)] if match else []
    return " · ".join([*both, *_entries(fact, names), *_match_details(fact, names, match)])


def _entries(fact: fa.Fact, names: Names) -> list[str]:
    """Return the entries in an event."""
    if isinstance(fact, fa.Enter):
        return [names.seat(fact.entry) if fact.entry in names.state.entries else fact.name]
    if isinstance(fact, fa.Withdraw | fa.Readmit):
        return [names.seat(fact.entry)]
    if isinstance(fact, fa.Seed):
        return [", ".join(names.seat(entry) for entry in fact.order)]
    if isinstance(fact, fa.Keep):
        return [names.seat(fact.entry), *(card for card in (fact.player, fact.tactic) if card)]
    return []


def _match_details(fact: fa.Fact, names: Names, match: Match | None) -> list[str]:
    """Return the rounds, tables and results in an event."""
    locale = names.locale
    if isinstance(fact, fa.Draw):
        by_hand = [locale.t("web.draw.was_by_hand")] if fact.by_hand else []
        return [locale.t("bulletin.swiss", round=fact.round), *by_hand]
    if isinstance(fact, fa.Call | fa.Table):
        return [locale.t("web.table", number=fact.table)]
    if isinstance(fact, fa.Outcome):
        return [locale.score(fact.score)]
    if isinstance(fact, fa.Forfeit) and match:
        return [names.side(match, fact.side == "home")]
    if isinstance(fact, fa.Rule):
        return [locale.t(f"tournament.choice.{fact.choice}"), *(names.seat(entry) for entry in fact.order)]
    return []
