"""The organiser's pages: tournaments, entries, pairings, matches, tables and keys, what is kept and what is deleted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, Response

from companion.games.base import Message, Refusal
from companion.games.registry import SPECS
from companion.hub.database import UnknownTournament
from companion.hub.models import COUNTED, NONE, JournalHead
from companion.hub.registry import MOST_NUMBER
from companion.hub.retention import Terms
from companion.hub.web import drawing
from companion.hub.web.authentication import Session
from companion.hub.web.forms import (
    Form,
    entries_of,
    fact_of,
    number,
    one,
    plan_of,
    proposal_mark,
    read_form,
    refilled,
    whole,
)
from companion.hub.web.pages import NoSuchPage, Parts
from companion.hub.web.site import Site, to
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
    values: dict[str, Any]
    literal: bool = False

    def title(self, words: Words) -> str:
        """The title in a visitor's language."""
        return self.head if self.literal else words.t(self.head)


def first_page(parts: Parts) -> DeskPage:
    """Tournaments, a form for a new one, notices."""
    core = parts.core
    branches = [each for each in core.views.journals() if each.branch > 0]
    notices = core.views.notices()
    asked = {(each.table, each.epoch) for each in notices if each.kind == "copied_card"}
    values = {
        "rows": core.tournaments.all(),
        "games": tuple(SPECS),
        "minutes": {id: spec.tournament.minutes for id, spec in SPECS.items()},
        "notices": notices,
        "backups": parts.backups(),
        "branches": [each for each in branches if (each.table, each.epoch) in asked],
        "settled": [each for each in branches if (each.table, each.epoch) not in asked],
        "tables": {each.id: each for each in core.tables.all()},
    }
    return DeskPage("desk_first.html", "web.desk", values)


def tables_page(parts: Parts) -> DeskPage:
    """The tables, what they play, the keys that are valid and who is logged in."""
    core = parts.core
    keys = [each for each in core.keys.all() if each.role != "set_up"]
    rows = core.tables.all()
    lives = {row.id: core.views.live(row.id) for row in rows}
    number = max((row.number for row in rows), default=0) + 1
    return DeskPage("desk_tables.html", "web.desk.tables", {"rows": rows, "keys": keys, "lives": lives, "next": number})


def data_page(parts: Parts) -> DeskPage:
    """What is kept for how long."""
    values = {"terms": parts.core.retention.terms(), "backups": parts.backups()}
    return DeskPage("desk_data.html", "web.desk.data", values)


def tournament_page(parts: Parts, words: Words, tournament: str, page: str) -> DeskPage:
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
    return {"entries": entries_by_name(names.state), "address": address, "code": drawing.qr_code(address)}


MOST_DAYS = 3650
ROLES = ("table", "referee", "player", "organiser")

Action = Callable[[Session, Form], str | DeskPage]
"""What a form does; returns the page to go on to, or one that is shown only now. Raises `Refusal`."""


def router(site: Site) -> APIRouter:
    """The routes of the desk; each looks first at who asks, each form at whose it is."""
    routes = APIRouter(prefix="/desk", default_response_class=HTMLResponse)
    _pages(routes, site)
    _tournament_forms(routes, site)
    _hub_forms(routes, site)
    return routes


def _shown(site: Site, request: Request, make: Callable[[], DeskPage], status: int = 200, **more: Any) -> HTMLResponse:
    session, words = site.organiser(request), site.words(request)
    found = make()
    values = {"session": session, "refused": None, "open_notices": len(site.parts.core.views.notices())}
    return site.page(request, found.template, words, status, title=found.title(words), **(values | found.values | more))


def _pages(routes: APIRouter, site: Site) -> None:
    @routes.get("")
    def first(request: Request) -> Response:
        """The tournaments, a form for a new one, and what the organiser should look at."""
        site.organiser(request)
        return _shown(site, request, lambda: first_page(site.parts))

    @routes.get("/tables")
    def tables(request: Request) -> Response:
        """The tables and the keys of tables and people."""
        site.organiser(request)
        return _shown(site, request, lambda: tables_page(site.parts))

    @routes.get("/data")
    def data(request: Request) -> Response:
        """What is kept for how long, and deletion."""
        site.organiser(request)
        return _shown(site, request, lambda: data_page(site.parts))

    @routes.get("/t/{tournament}")
    def overview(request: Request, tournament: str) -> Response:
        """What is to be done now."""
        return _of_tournament(site, request, tournament, "overview")

    @routes.get("/t/{tournament}/{page}")
    def page(request: Request, tournament: str, page: str) -> Response:
        """Entries, pairings, matches, trace or exports of a tournament."""
        return _of_tournament(site, request, tournament, page)

    @routes.get("/t/{tournament}/match/{match:path}")
    def match(request: Request, tournament: str, match: str) -> Response:
        """A match: to be called, entered, corrected, annulled."""
        return _of_tournament(site, request, tournament, f"match/{match}")


def _of_tournament(
    site: Site, request: Request, tournament: str, page: str, status: int = 200, **more: Any
) -> HTMLResponse:
    site.organiser(request)
    words = site.words(request)
    return _shown(site, request, lambda: tournament_page(site.parts, words, tournament, page), status, **more)


def _tournament_forms(routes: APIRouter, site: Site) -> None:
    core = site.parts.core

    @routes.post("/t/{tournament}")
    async def record(request: Request, tournament: str) -> Response:
        """Records a fact of a tournament: an entry, a draw, a call, a result, a correction, an answer."""
        return await read_form(request, lambda form: recorded(request, tournament, form))

    def recorded(request: Request, tournament: str, form: Form) -> Response:
        session = site.checked(request, site.organiser(request), form)
        page = one(form, "page") or "overview"
        try:
            _record(site, tournament, form, session)
        except Refusal as refused:
            shown = _of_tournament(site, request, tournament, page, 409, refused=refused.message)
            return refilled(request, shown, form)
        return to(f"/desk/t/{tournament}" + ("" if page == "overview" else f"/{page}"))

    @routes.post("/t/{tournament}/archive")
    async def archive(request: Request, tournament: str) -> Response:
        """Takes a tournament off the public pages, or brings it back."""
        return await read_form(request, lambda form: archived(request, tournament, form))

    def archived(request: Request, tournament: str, form: Form) -> Response:
        session = site.checked(request, site.organiser(request), form)
        try:
            if not core.archive.put(tournament, one(form, "archived") == "1", session.name, one(form, "why")):
                raise gone()
        except Refusal as refused:
            shown = _of_tournament(site, request, tournament, "exports", 409, refused=refused.message)
            return refilled(request, shown, form)
        return to(f"/desk/t/{tournament}/exports")

    @routes.post("/t/{tournament}/forget")
    async def forget(request: Request, tournament: str) -> Response:
        """Deletes names, journals or pictures of a tournament for good."""
        return await read_form(request, lambda form: forgotten(request, tournament, form))

    def forgotten(request: Request, tournament: str, form: Form) -> Response:
        session = site.checked(request, site.organiser(request), form)
        state, what = core.tournaments.state(tournament), one(form, "what")
        try:
            _check_sure(form)
            if what == "entry" and one(form, "entry") not in state.entries:
                raise gone()
        except Refusal as refused:
            return _of_tournament(site, request, tournament, "exports", 409, refused=refused.message)
        if what == "entry":
            core.retention.forget_entry(tournament, one(form, "entry"), session.name)
        elif what == "pictures":
            core.retention.forget_pictures(tournament, session.name)
        elif what == "names":
            core.retention.forget_tournament(tournament, session.name)
        else:
            raise NoSuchPage
        return to(f"/desk/t/{tournament}/exports")


def _record(site: Site, tournament: str, form: Form, session: Session) -> None:
    """What the form says, all of it or nothing. Raises `Refusal`."""
    desk, why = site.parts.core.tournaments, one(form, "why")
    state = desk.state(tournament)
    event = one(form, "event")
    if event == "enter_many":
        desk.decide(tournament, entries_of(form, state), session.name)
    elif event == "proposal":
        proposed = {proposal_mark(fact): fact for fact in desk.proposals(tournament)}
        taken = proposed.get(one(form, "seen"))
        if taken is None:
            raise Refusal("stale", Message("web.refusal.stale"))
        desk.decide(tournament, taken, session.name, why)
    elif event == "count":
        epoch = whole(form, "epoch", "count", "epoch", 1)
        desk.count(one(form, "of_table"), epoch, tournament, one(form, "match"), session.name)
    else:
        desk.decide(tournament, fact_of(form, state, site.parts.now), session.name, why)


def gone() -> Refusal:
    """The refusal of what is asked of something that is not there: nothing was done."""
    return Refusal("gone", Message("web.refusal.gone"))


def _check_sure(form: Form) -> None:
    """Raises `Refusal` for what cannot be taken back and was not ticked."""
    if one(form, "sure") != "1":
        raise Refusal("sure", Message("web.refusal.sure"))


def _hub_forms(routes: APIRouter, site: Site) -> None:
    actions: dict[str, tuple[Action, Callable[[], DeskPage]]] = {
        "create": (lambda who, form: _create(site, who, form), lambda: first_page(site.parts)),
        "notice": (lambda who, form: _dismiss(site, who, form), lambda: first_page(site.parts)),
        "choose": (lambda who, form: _choose(site, who, form), lambda: first_page(site.parts)),
        "register": (lambda who, form: _register(site, form), lambda: tables_page(site.parts)),
        "remove": (lambda who, form: _remove(site, form), lambda: tables_page(site.parts)),
        "issue": (lambda who, form: _issue(site, form), lambda: tables_page(site.parts)),
        "revoke": (lambda who, form: _revoke(site, form), lambda: tables_page(site.parts)),
        "terms": (lambda who, form: _terms(site, form), lambda: data_page(site.parts)),
        "pictures": (lambda who, form: _pictures(site, who, form), lambda: data_page(site.parts)),
    }

    @routes.post("/do/{action}")
    async def act(request: Request, action: str) -> Response:
        """What the organiser does with the hub itself: a new tournament, tables, keys, what is kept."""
        return await read_form(request, lambda form: acted(request, action, form))

    def acted(request: Request, action: str, form: Form) -> Response:
        session = site.checked(request, site.organiser(request), form)
        if action not in actions:
            raise NoSuchPage
        do, page = actions[action]
        try:
            done = do(session, form)
        except Refusal as refused:
            return refilled(request, _shown(site, request, page, 409, refused=refused.message), form)
        return to(done) if isinstance(done, str) else _shown(site, request, lambda: done)


def _create(site: Site, who: Session, form: Form) -> str:
    return f"/desk/t/{site.parts.core.tournaments.create(plan_of(form), who.name)}/entries"


def _dismiss(site: Site, who: Session, form: Form) -> str:
    found = number(one(form, "notice"))
    if not isinstance(found, int) or not site.parts.core.tournaments.dismiss(found, who.name):
        raise gone()
    return "/desk"


def _choose(site: Site, who: Session, form: Form) -> str:
    epoch, branch = number(one(form, "epoch")), number(one(form, "branch"))
    known = [(each.table, each.epoch, each.branch) for each in site.parts.core.views.journals()]
    journal = number(one(form, "journal"))
    if not isinstance(epoch, int) or not isinstance(branch, int) or (one(form, "of_table"), epoch, branch) not in known:
        raise gone()
    if not isinstance(journal, int):
        raise gone()
    site.parts.core.tournaments.choose(one(form, "of_table"), epoch, branch, who.name, journal)
    return "/desk"


def _register(site: Site, form: Form) -> str:
    place = whole(form, "number", "table", "number", 1, MOST_NUMBER)
    id = one(form, "id") or f"table-{place}"
    known = next((each for each in site.parts.core.tables.all() if each.id == id), None)
    again = one(form, "again") == "1"
    if known is None and again:
        raise gone()  # another organiser has removed it since this page was loaded
    if known is not None and not again:
        words = {"number": known.number, "name": known.name or known.id}
        raise Refusal("table_there", Message("web.refusal.table_there", words))
    site.parts.core.tables.register(id, place, one(form, "name"))
    return "/desk/tables"


def _remove(site: Site, form: Form) -> str:
    table = one(form, "of_table")
    if not site.parts.core.tables.known(table):
        raise gone()
    site.parts.core.tables.remove(table)
    site.parts.revoked(table)
    return "/desk/tables"


def _issue(site: Site, form: Form) -> DeskPage:
    """A new key, shown once, with its QR code."""
    keys, role, table = site.parts.core.keys, one(form, "role"), one(form, "of_table") or None
    known = table is not None and site.parts.core.tables.known(table)
    if role not in ROLES or (table is not None and not known) or (role != "organiser" and table is None):
        raise Refusal("key_of_table", Message("web.refusal.key_of_table"))
    label = validation.checked(one(form, "label"), "key", "label", most=validation.LONGEST_NAME)
    if role == "table":
        keys.revoke_all("table", table)  # the broker knows one key a table: the newest
    key = keys.issue(role, None if role == "organiser" else table, label)  # type: ignore[arg-type]
    text = f"{site.parts.address}/join?key={key}"
    if role == "table" and table is not None:
        key, text = site.parts.admitted(table, key)
    values = {"role": role, "of_table": table, "label": label, "text": text, "key": key, "code": drawing.qr_code(text)}
    return DeskPage("desk_key.html", "web.key.new", values)


def _revoke(site: Site, form: Form) -> str:
    found = next((each for each in site.parts.core.keys.all() if str(each.id) == one(form, "key")), None)
    if found is None or found.role == "set_up":
        raise gone()
    site.parts.core.keys.revoke(found.id)
    if found.role == "table" and found.table:
        site.parts.revoked(found.table)
    return "/desk/tables"


def _terms(site: Site, form: Form) -> str:
    names, pictures = (whole(form, f"{kind}_days", "terms", "days", 0, MOST_DAYS) for kind in ("names", "pictures"))
    site.parts.core.retention.set_terms(Terms(names, pictures))
    return "/desk/data"


def _pictures(site: Site, who: Session, form: Form) -> str:
    _check_sure(form)
    site.parts.core.retention.forget_pictures(None, who.name)
    return "/desk/data"
