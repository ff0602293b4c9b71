"""What the pages of the organiser's desk show, by their names."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from companion.hub.database import UnknownTournament
from companion.hub.models import COUNTED, NONE, JournalHead
from companion.hub.web import qr
from companion.hub.web.forms import proposal_mark
from companion.hub.web.match_words import Names, entries_by_name
from companion.hub.web.parts import NoSuchPage, Parts
from companion.hub.web.words import Words
from companion.tournament import facts as fa
from companion.tournament.course import Course
from companion.tournament.tables import MINUTES

TRACE_LINES = 500


@dataclass(frozen=True, slots=True)
class DeskPage:
    """A page of the desk: its template, the id of its title (or a title as it is), its values."""

    template: str
    head: str
    values: dict[str, Any]
    literal: bool = False

    def title(self, words: Words) -> str:
        """The title in a visitor's language."""
        return self.head if self.literal else words.t(self.head)


def first(parts: Parts) -> DeskPage:
    """Tournaments, a form for a new one, notices."""
    core = parts.core
    branches = [each for each in core.views.journals() if each.branch > 0]
    notices = core.views.notices()
    asked = {(each.table, each.epoch) for each in notices if each.kind == "copied_card"}
    values = {
        "rows": core.tournaments.all(),
        "games": tuple(MINUTES),
        "minutes": MINUTES,
        "notices": notices,
        "backups": parts.backups(),
        "branches": [each for each in branches if (each.table, each.epoch) in asked],
        "settled": [each for each in branches if (each.table, each.epoch) not in asked],
        "tables": {each.id: each for each in core.tables.all()},
    }
    return DeskPage("desk_first.html", "web.desk", values)


def tables(parts: Parts) -> DeskPage:
    """The tables, what they play, the keys that are valid and who is logged in."""
    core = parts.core
    keys = [each for each in core.keys.all() if each.role != "set_up"]
    rows = core.tables.all()
    lives = {row.id: core.views.live(row.id) for row in rows}
    number = max((row.number for row in rows), default=0) + 1
    return DeskPage("desk_tables.html", "web.desk.tables", {"rows": rows, "keys": keys, "lives": lives, "next": number})


def data(parts: Parts) -> DeskPage:
    """What is kept for how long."""
    values = {"terms": parts.core.retention.terms(), "backups": parts.backups()}
    return DeskPage("desk_data.html", "web.desk.data", values)


def of_tournament(parts: Parts, words: Words, tournament: str, page: str) -> DeskPage:
    """A page of a tournament. Raises NoSuchPage."""
    try:
        state = parts.core.tournaments.state(tournament)
    except UnknownTournament:
        raise NoSuchPage from None
    names = Names(words, state, parts.core.tournaments.course(tournament))
    values: dict[str, Any] = {"id": tournament, "names": names, "state": state, "page": page}
    values |= _archive(parts, tournament)
    makers = {"overview": _overview, "entries": _entries, "pairings": _pairings, "matches": _matches}
    makers |= {"trace": _trace, "exports": _exports}
    if page.startswith("match/"):
        values |= _match(parts, names, tournament, page.removeprefix("match/"))
        return DeskPage("desk_match.html", names.both(values["match"]), values, literal=True)
    if page not in makers:
        raise NoSuchPage
    values |= makers[page](parts, names, tournament)
    return DeskPage(f"desk_{page}.html", state.plan.name, values, literal=True)


def _overview(parts: Parts, names: Names, tournament: str) -> dict[str, Any]:
    core = parts.core
    schedule = core.tournaments.schedule(tournament)
    proposals = [{"fact": fact, "seen": proposal_mark(fact)} for fact in core.tournaments.proposals(tournament)]
    return {
        "questions": names.course.questions,
        "calls": [each for each in proposals if isinstance(each["fact"], fa.Call)],
        "draws": [each for each in proposals if isinstance(each["fact"], fa.Draw | fa.Seed)],
        "schedule": schedule,
        "running": [match for match in names.course.matches.values() if match.status == "called"],
        "lives": {each.journal.bound.match: each for each in core.views.lives(tournament) if each.journal.bound},
        "tables": range(1, min(names.state.plan.tables, 64) + 1),
    }


def _entries(parts: Parts, names: Names, tournament: str) -> dict[str, Any]:
    return {"entries": tuple(names.state.entries.values())}


def _pairings(parts: Parts, names: Names, tournament: str) -> dict[str, Any]:
    proposed = next((fact for fact in parts.core.tournaments.proposals(tournament) if isinstance(fact, fa.Draw)), None)
    stage = names.course.stages[0].plan if names.course.stages else names.state.plan.stages[0]
    field = len([entry for entry in names.state.entries if entry not in names.state.withdrawn])
    return {
        "proposed": proposed,
        "pairs": proposed.pairs if proposed else [(None, None)] * (field // 2),
        "swiss": stage.kind == "swiss",
        "round": len(names.state.draws) + 1,
        "rounds": stage.rounds,
        "choices": entries_by_name(names.state),
        "draws": names.state.draws[::-1],
    }


def _matches(parts: Parts, names: Names, tournament: str) -> dict[str, Any]:
    return {"matches": [each for each in names.course.matches.values() if each.status != "not_needed"]}


def _match(parts: Parts, names: Names, tournament: str, id: str) -> dict[str, Any]:
    found = names.course.matches.get(id)
    if found is None:
        raise NoSuchPage
    trace = [each for each in parts.core.tournaments.trace(tournament) if getattr(each.fact, "match", None) == id]
    countable = [each for each in parts.core.views.journals() if _countable(each, tournament, names.course, id)]
    return {
        "match": found,
        "trace": trace,
        "live": parts.core.views.match(tournament, id),
        "countable": sorted(countable, key=lambda each: (each.bound is not None, each.last), reverse=True),
        "tables": range(1, min(names.state.plan.tables, 64) + 1),
    }


def _countable(journal: JournalHead, tournament: str, now: Course, match: str) -> bool:
    """Whether a journal is over and could count for a match that is open: it is of none, waits, or was annulled."""
    if journal.branch or not journal.over or journal.forgotten is not None:
        return False
    bound = journal.bound
    if bound is None or bound.tournament != tournament:
        return bound is None
    if bound.match == match:
        return journal.result != NONE
    there = now.matches.get(bound.match)
    return journal.result == COUNTED and there is not None and not there.over


def _trace(parts: Parts, names: Names, tournament: str) -> dict[str, Any]:
    return {"trace": parts.core.tournaments.trace(tournament)[: -TRACE_LINES - 1 : -1]}


def _archive(parts: Parts, tournament: str) -> dict[str, Any]:
    """For every page of a tournament: whether the public sees it, and who said so."""
    return {"archived": parts.core.archive.holds(tournament), "steps": parts.core.archive.steps(tournament)}


def _exports(parts: Parts, names: Names, tournament: str) -> dict[str, Any]:
    address = f"{parts.address}/t/{tournament}"
    return {"entries": entries_by_name(names.state), "address": address, "code": qr.drawn(address)}
