"""The organiser's pages: tournaments, entries, pairings, matches, tables and keys, what is kept and what is deleted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request
from fastapi.responses import HTMLResponse, Response

from companion.games.base import JsonObject, Message, Refusal
from companion.games.registry import SPECS
from companion.hub.models import COUNTED, NONE, JournalHead
from companion.hub.registry import MOST_NUMBER
from companion.hub.retention import Terms
from companion.hub.web import drawing
from companion.hub.web.forms import (
    Form,
    Sent,
    entries_of,
    fact_of,
    number,
    one,
    plan_of,
    proposal_mark,
    refilled,
    whole,
)
from companion.hub.web.pages import NoSuchPage, Parts
from companion.hub.web.site import OrganiserVisit, to
from companion.hub.web.wording import Names, Words, entries_by_name
from companion.tournament import facts as fa
from companion.tournament import validation
from companion.tournament.course import Course

TRACE_LINES = 500


@dataclass(frozen=True, slots=True)
class DeskPage:
    """A page of the desk: its template, the id of its title (or a title as it is), its values."""

    template: str
    head: str
    values: JsonObject
    literal: bool = False

    def title(self, words: Words) -> str:
        """The title in a visitor's language."""
        return self.head if self.literal else words.t(self.head)


class DeskPages:
    """The pages of the desk, in an organiser's words."""

    def __init__(self, parts: Parts, words: Words) -> None:
        self._parts, self._words, self._core = parts, words, parts.core

    def first(self) -> DeskPage:
        """Tournaments, a form for a new one, notices."""
        branches = [each for each in self._core.views.journals() if each.branch > 0]
        notices = self._core.views.notices()
        asked = {(each.table, each.epoch) for each in notices if each.kind == "copied_card"}
        values = {
            "rows": self._core.tournaments.all(),
            "games": tuple(SPECS),
            "minutes": {id: spec.tournament.minutes for id, spec in SPECS.items()},
            "notices": notices,
            "backups": self._parts.backups(),
            "branches": [each for each in branches if (each.table, each.epoch) in asked],
            "settled": [each for each in branches if (each.table, each.epoch) not in asked],
            "tables": {each.id: each for each in self._core.tables.all()},
        }
        return DeskPage("desk_first.html", "web.desk", values)

    def tables(self) -> DeskPage:
        """The tables, what they play, the keys that are valid and who is logged in."""
        keys = [each for each in self._core.keys.all() if each.role != "set_up"]
        rows = self._core.tables.all()
        lives = {row.id: self._core.views.live(row.id) for row in rows}
        number = max((row.number for row in rows), default=0) + 1
        values = {"rows": rows, "keys": keys, "lives": lives, "next": number}
        return DeskPage("desk_tables.html", "web.desk.tables", values)

    def data(self) -> DeskPage:
        """What is kept for how long."""
        values = {"terms": self._core.retention.terms(), "backups": self._parts.backups()}
        return DeskPage("desk_data.html", "web.desk.data", values)

    def tournament(self, tournament: str, page: str) -> DeskPage:
        """A page of a tournament. Raises NoSuchPage, UnknownTournament."""
        state = self._core.tournaments.state(tournament)
        names = Names(self._words, state, self._core.tournaments.course(tournament))
        values: dict[str, Any] = {"id": tournament, "names": names, "state": state, "page": page}
        values |= self._archive(tournament)
        makers = {"overview": self._overview, "entries": self._entries, "pairings": self._pairings}
        makers |= {"matches": self._matches, "trace": self._trace, "exports": self._exports}
        if page.startswith("match/"):
            values |= self._match(names, tournament, page.removeprefix("match/"))
            return DeskPage("desk_match.html", names.both(values["match"]), values, literal=True)
        if page not in makers:
            raise NoSuchPage
        values |= makers[page](names, tournament)
        return DeskPage(f"desk_{page}.html", state.plan.name, values, literal=True)

    def _overview(self, names: Names, tournament: str) -> dict[str, Any]:
        desk = self._core.tournaments
        proposals = [{"fact": fact, "seen": proposal_mark(fact)} for fact in desk.proposals(tournament)]
        return {
            "questions": names.course.questions,
            "calls": [each for each in proposals if isinstance(each["fact"], fa.Call)],
            "draws": [each for each in proposals if isinstance(each["fact"], fa.Draw | fa.Seed)],
            "schedule": desk.schedule(tournament),
            "running": [match for match in names.course.matches.values() if match.status == "called"],
            "lives": self._core.views.lives_by_match(tournament),
            "tables": range(1, min(names.state.plan.tables, 64) + 1),
        }

    def _entries(self, names: Names, tournament: str) -> dict[str, Any]:
        return {"entries": tuple(names.state.entries.values())}

    def _pairings(self, names: Names, tournament: str) -> dict[str, Any]:
        proposals = self._core.tournaments.proposals(tournament)
        proposed = next((fact for fact in proposals if isinstance(fact, fa.Draw)), None)
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

    def _matches(self, names: Names, tournament: str) -> dict[str, Any]:
        return {"matches": [each for each in names.course.matches.values() if each.status != "not_needed"]}

    def _match(self, names: Names, tournament: str, id: str) -> dict[str, Any]:
        found = names.course.matches.get(id)
        if found is None:
            raise NoSuchPage
        trace = [each for each in self._core.tournaments.trace(tournament) if getattr(each.fact, "match", None) == id]
        countable = [each for each in self._core.views.journals() if _countable(each, tournament, names.course, id)]
        return {
            "match": found,
            "trace": trace,
            "live": self._core.views.match(tournament, id),
            "countable": sorted(countable, key=lambda each: (each.bound is not None, each.last), reverse=True),
            "tables": range(1, min(names.state.plan.tables, 64) + 1),
        }

    def _trace(self, names: Names, tournament: str) -> dict[str, Any]:
        return {"trace": self._core.tournaments.trace(tournament)[: -TRACE_LINES - 1 : -1]}

    def _archive(self, tournament: str) -> dict[str, Any]:
        """For every page of a tournament: whether the public sees it, and who said so."""
        return {"archived": self._core.archive.holds(tournament), "steps": self._core.archive.steps(tournament)}

    def _exports(self, names: Names, tournament: str) -> dict[str, Any]:
        address = f"{self._parts.address}/t/{tournament}"
        return {"entries": entries_by_name(names.state), "address": address, "code": drawing.qr_code(address)}


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


MOST_DAYS = 3650
ROLES = ("table", "referee", "player", "organiser")


def gone() -> Refusal:
    """The refusal of what is asked of something that is not there: nothing was done."""
    return Refusal("gone", Message("web.refusal.gone"))


def _check_sure(form: Form) -> None:
    """Raises `Refusal` for what cannot be taken back and was not ticked."""
    if one(form, "sure") != "1":
        raise Refusal("sure", Message("web.refusal.sure"))


class DeskVisit(OrganiserVisit):
    """A visit of the desk."""

    @property
    def desk(self) -> DeskPages:
        """The pages of the desk."""
        return DeskPages(self.parts, self.words)

    def show(self, found: DeskPage, status: int = 200, refused: Message | None = None) -> HTMLResponse:
        """A page of the desk, with why what was asked for there was refused."""
        values: dict[str, Any] = {"session": self.session, "open_notices": len(self.core.views.notices())}
        values |= {"refused": refused, "title": found.title(self.words)}
        return self.page(found.template, status, **(values | found.values))

    def refuse(self, found: DeskPage, refused: Refusal, form: Form) -> HTMLResponse:
        """The page of a form that was refused, with what was typed in it."""
        return refilled(self.request, self.show(found, 409, refused.message), form)

    def record(self, tournament: str, form: Form) -> None:
        """What the form says, all of it or nothing. Raises `Refusal`."""
        desk, why = self.core.tournaments, one(form, "why")
        state = desk.state(tournament)
        event = one(form, "event")
        if event == "enter_many":
            desk.decide(tournament, entries_of(form, state), self.session.name)
        elif event == "proposal":
            proposed = {proposal_mark(fact): fact for fact in desk.proposals(tournament)}
            taken = proposed.get(one(form, "seen"))
            if taken is None:
                raise Refusal("stale", Message("web.refusal.stale"))
            desk.decide(tournament, taken, self.session.name, why)
        elif event == "count":
            epoch = whole(form, "epoch", "count", "epoch", 1)
            desk.count(one(form, "of_table"), epoch, tournament, one(form, "match"), self.session.name)
        else:
            desk.decide(tournament, fact_of(form, state, self.parts.now), self.session.name, why)

    # What the forms of the hub itself do: the page to go on to, or one that is shown only now. They raise `Refusal`.

    def create(self, form: Form) -> str:
        """A new tournament."""
        return f"/desk/t/{self.core.tournaments.create(plan_of(form), self.session.name)}/entries"

    def dismiss(self, form: Form) -> str:
        """A notice was looked at."""
        found = number(one(form, "notice"))
        if not isinstance(found, int) or not self.core.tournaments.dismiss(found, self.session.name):
            raise gone()
        return "/desk"

    def choose(self, form: Form) -> str:
        """Another journal of a copied card counts."""
        table = one(form, "of_table")
        epoch, branch, journal = (number(one(form, name)) for name in ("epoch", "branch", "journal"))
        if not isinstance(epoch, int) or not isinstance(branch, int) or not isinstance(journal, int):
            raise gone()
        if (table, epoch, branch) not in [(each.table, each.epoch, each.branch) for each in self.core.views.journals()]:
            raise gone()
        self.core.tournaments.choose(table, epoch, branch, self.session.name, journal)
        return "/desk"

    def register(self, form: Form) -> str:
        """A new table, or another number and name of one."""
        place = whole(form, "number", "table", "number", 1, MOST_NUMBER)
        id = one(form, "id") or f"table-{place}"
        known = next((each for each in self.core.tables.all() if each.id == id), None)
        again = one(form, "again") == "1"
        if known is None and again:
            raise gone()  # another organiser has removed it since this page was loaded
        if known is not None and not again:
            words = {"number": known.number, "name": known.name or known.id}
            raise Refusal("table_there", Message("web.refusal.table_there", words))
        self.core.tables.register(id, place, one(form, "name"))
        return "/desk/tables"

    def remove(self, form: Form) -> str:
        """A table that comes no more."""
        table = one(form, "of_table")
        if not self.core.tables.known(table):
            raise gone()
        self.core.tables.remove(table)
        self.parts.revoked(table)
        return "/desk/tables"

    def issue(self, form: Form) -> DeskPage:
        """A new key, shown once, with its QR code."""
        keys, role, table = self.core.keys, one(form, "role"), one(form, "of_table") or None
        known = table is not None and self.core.tables.known(table)
        if role not in ROLES or (table is not None and not known) or (role != "organiser" and table is None):
            raise Refusal("key_of_table", Message("web.refusal.key_of_table"))
        label = validation.checked(one(form, "label"), "key", "label", most=validation.LONGEST_NAME)
        if role == "table":
            keys.revoke_all("table", table)  # the broker knows one key a table: the newest
        key = keys.issue(role, None if role == "organiser" else table, label)
        text = f"{self.parts.address}/join?key={key}"
        if role == "table" and table is not None:
            key, text = self.parts.admitted(table, key)
        values = {"role": role, "of_table": table, "label": label, "text": text, "key": key}
        return DeskPage("desk_key.html", "web.key.new", values | {"code": drawing.qr_code(text)})

    def revoke(self, form: Form) -> str:
        """A key opens nothing any more."""
        found = next((each for each in self.core.keys.all() if str(each.id) == one(form, "key")), None)
        if found is None or found.role == "set_up":
            raise gone()
        self.core.keys.revoke(found.id)
        if found.role == "table" and found.table:
            self.parts.revoked(found.table)
        return "/desk/tables"

    def terms(self, form: Form) -> str:
        """How long what is kept."""
        names, pictures = (whole(form, f"{kind}_days", "terms", "days", 0, MOST_DAYS) for kind in ("names", "pictures"))
        self.core.retention.set_terms(Terms(names, pictures))
        return "/desk/data"

    def pictures(self, form: Form) -> str:
        """All pictures go."""
        _check_sure(form)
        self.core.retention.forget_pictures(None, self.session.name)
        return "/desk/data"


ACTIONS: dict[str, tuple[Callable[[DeskVisit, Form], str | DeskPage], Callable[[DeskPages], DeskPage]]] = {
    "create": (DeskVisit.create, DeskPages.first),
    "notice": (DeskVisit.dismiss, DeskPages.first),
    "choose": (DeskVisit.choose, DeskPages.first),
    "register": (DeskVisit.register, DeskPages.tables),
    "remove": (DeskVisit.remove, DeskPages.tables),
    "issue": (DeskVisit.issue, DeskPages.tables),
    "revoke": (DeskVisit.revoke, DeskPages.tables),
    "terms": (DeskVisit.terms, DeskPages.data),
    "pictures": (DeskVisit.pictures, DeskPages.data),
}
"""What each form does, and the page that has it."""


def _desk(request: Request) -> DeskVisit:
    return DeskVisit(request)


def _own(visit: Annotated[DeskVisit, Depends(_desk)], form: Sent) -> Form:
    visit.check(visit.session, form)
    return form


Organiser = Annotated[DeskVisit, Depends(_desk)]
OwnForm = Annotated[Form, Depends(_own)]
"""A form of the organiser who sends it. Raises Forbidden for any other."""

routes = APIRouter(prefix="/desk", default_response_class=HTMLResponse)
"""The routes of the desk; each looks first at who asks, each form at whose it is."""


@routes.get("")
def first(visit: Organiser) -> Response:
    """The tournaments, a form for a new one, and what the organiser should look at."""
    return visit.show(visit.desk.first())


@routes.get("/tables")
def tables(visit: Organiser) -> Response:
    """The tables and the keys of tables and people."""
    return visit.show(visit.desk.tables())


@routes.get("/data")
def data(visit: Organiser) -> Response:
    """What is kept for how long, and deletion."""
    return visit.show(visit.desk.data())


@routes.get("/t/{tournament}")
def overview(visit: Organiser, tournament: str) -> Response:
    """What is to be done now."""
    return visit.show(visit.desk.tournament(tournament, "overview"))


@routes.get("/t/{tournament}/{page}")
def page(visit: Organiser, tournament: str, page: str) -> Response:
    """Entries, pairings, matches, trace or exports of a tournament."""
    return visit.show(visit.desk.tournament(tournament, page))


@routes.get("/t/{tournament}/match/{match:path}")
def match(visit: Organiser, tournament: str, match: str) -> Response:
    """A match: to be called, entered, corrected, annulled."""
    return visit.show(visit.desk.tournament(tournament, f"match/{match}"))


@routes.post("/t/{tournament}")
def record(visit: Organiser, tournament: str, form: OwnForm) -> Response:
    """Records a fact of a tournament: an entry, a draw, a call, a result, a correction, an answer."""
    page = one(form, "page") or "overview"
    try:
        visit.record(tournament, form)
    except Refusal as refused:
        return visit.refuse(visit.desk.tournament(tournament, page), refused, form)
    return to(f"/desk/t/{tournament}" + ("" if page == "overview" else f"/{page}"))


@routes.post("/t/{tournament}/archive")
def archive(visit: Organiser, tournament: str, form: OwnForm) -> Response:
    """Takes a tournament off the public pages, or brings it back."""
    try:
        if not visit.core.archive.put(tournament, one(form, "archived") == "1", visit.session.name, one(form, "why")):
            raise gone()
    except Refusal as refused:
        return visit.refuse(visit.desk.tournament(tournament, "exports"), refused, form)
    return to(f"/desk/t/{tournament}/exports")


@routes.post("/t/{tournament}/forget")
def forget(visit: Organiser, tournament: str, form: OwnForm) -> Response:
    """Deletes names, journals or pictures of a tournament for good."""
    state, what = visit.core.tournaments.state(tournament), one(form, "what")
    try:
        _check_sure(form)
        if what == "entry" and one(form, "entry") not in state.entries:
            raise gone()
    except Refusal as refused:
        return visit.show(visit.desk.tournament(tournament, "exports"), 409, refused.message)
    retention, by = visit.core.retention, visit.session.name
    if what == "entry":
        retention.forget_entry(tournament, one(form, "entry"), by)
    elif what == "pictures":
        retention.forget_pictures(tournament, by)
    elif what == "names":
        retention.forget_tournament(tournament, by)
    else:
        raise NoSuchPage
    return to(f"/desk/t/{tournament}/exports")


@routes.post("/do/{action}")
def act(visit: Organiser, action: str, form: OwnForm) -> Response:
    """What the organiser does with the hub itself: a new tournament, tables, keys, what is kept."""
    if action not in ACTIONS:
        raise NoSuchPage
    do, page = ACTIONS[action]
    try:
        done = do(visit, form)
    except Refusal as refused:
        return visit.refuse(page(visit.desk), refused, form)
    return to(done) if isinstance(done, str) else visit.show(done)
