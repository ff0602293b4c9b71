"""Who may: the organiser's password, the one-time link that sets it, sessions, and the mark that keeps forms theirs."""

from __future__ import annotations

import hmac
from dataclasses import dataclass
from hashlib import sha256
from typing import Annotated, Any

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse, Response

from companion.games.base import Message, Refusal
from companion.hub.registry import Key, Keys
from companion.hub.web.forms import Form, fact_of, one, read_form, refilled
from companion.hub.web.middleware import SESSION_COOKIE
from companion.hub.web.site import Forbidden, LoginFirst, Site, to
from companion.hub.web.wording import Names
from companion.tournament import facts as fa
from companion.tournament import validation

LEAST_PASSWORD, MOST_PASSWORD = 10, 200
"""Characters of an organiser's password."""

SESSION_SECONDS = 12 * 3600
SET_UP_SECONDS = 24 * 3600
LONGEST_KEY = 200
"""No key is longer; what is longer is not even looked up."""


@dataclass(frozen=True, slots=True)
class Session:
    """Someone who has logged in: the name for the record, and the mark that each of their forms carries.

    With a `table` it is that table's referee, without one the organiser.
    """

    name: str
    form: str
    table: str | None = None


class Access:
    """The organiser's password and sessions, kept among the hub's keys."""

    def __init__(self, keys: Keys, hasher: PasswordHasher | None = None) -> None:
        self._keys = keys
        self._hasher = hasher or PasswordHasher()

    @property
    def set_up(self) -> bool:
        """Whether there is an organiser's password."""
        return self._keys.password() is not None

    def set_up_key(self) -> str:
        """A new key for the one-time link, good for a day; any earlier one is void."""
        self._keys.revoke_all("set_up")
        return self._keys.issue("set_up", seconds=SET_UP_SECONDS)

    def may_set_up(self, key: str) -> bool:
        """Whether the key is that of the link shown last, and still good."""
        found = self.key(key)
        return found is not None and found.role == "set_up"

    def choose(self, key: str, password: str) -> bool:
        """Sets the organiser's password by the one-time key, which is void then, as is every session."""
        if not well_formed(password) or not self.may_set_up(key):
            return False
        self._keys.set_password(self._hasher.hash(password))
        self._keys.revoke_all("set_up")
        self._keys.revoke_all("session")
        return True

    def right(self, password: str) -> bool:
        """Whether this is the organiser's password. Slow by design: argon2."""
        kept = self._keys.password()
        if kept is None or len(password) > MOST_PASSWORD:
            return False
        try:
            return self._hasher.verify(kept, password)
        except (VerificationError, InvalidHashError):
            return False

    def begin(self, name: str, table: str | None = None, key: Key | None = None) -> str:
        """The secret of a new session: the organiser's, or that of a table's referee; with a key it ends with that."""
        return self._keys.issue("session", table, name, SESSION_SECONDS, None if key is None else key.id)

    def session(self, secret: str | None) -> Session | None:
        """The session of a secret, None for none, a wrong one or one that ran out."""
        found = self.key(secret)
        if secret is None or found is None or found.role != "session":
            return None
        return Session(found.label, form_mark(secret), found.table)

    def end(self, secret: str | None) -> None:
        """Ends a session."""
        found = self.key(secret)
        if found is not None and found.role == "session":
            self._keys.revoke(found.id)

    def key(self, key: str | None) -> Key | None:
        """Whose key it is; None for what can be no key."""
        if not key or len(key) > LONGEST_KEY or not key.isascii() or not key.isprintable():
            return None
        return self._keys.check(key)


def well_formed(password: str) -> bool:
    """Whether it can be a password."""
    return LEAST_PASSWORD <= len(password) <= MOST_PASSWORD


def form_mark(secret: str) -> str:
    """What every form of a session carries; another site cannot know it, nor find the secret by it."""
    return hmac.new(secret.encode(), b"form", sha256).hexdigest()


# Logging in: the one-time set-up, the organiser's password, keys by QR code, and the referee's page of a table.


REFEREE_FACTS = (fa.Result, fa.Forfeit)
"""What a referee may enter at the table, and no other."""

KeyText = Annotated[str, Query(max_length=200)]


def router(site: Site) -> APIRouter:
    """The routes of logging in."""
    routes = APIRouter(default_response_class=HTMLResponse)
    _set_up(routes, site)
    _log_in(routes, site)
    _by_key(routes, site)
    _referee(routes, site)
    return routes


def _set_up(routes: APIRouter, site: Site) -> None:
    def page(request: Request, key: str, status: int = 200, fault: str = "") -> Response:
        words = site.words(request)
        good = site.access.may_set_up(key)
        title = words.t("web.set_up")
        values = {"key": key, "good": good, "fault": words.t(fault, least=LEAST_PASSWORD) if fault else ""}
        return site.page(request, "set_up.html", words, status if good else 403, title=title, **values)

    @routes.get("/desk/set-up")
    def ask(request: Request, key: KeyText = "") -> Response:
        """Asks for the organiser's password, by the link that the hub printed at its first start."""
        return page(request, key)

    @routes.post("/desk/set-up")
    async def choose(request: Request) -> Response:
        """Sets the organiser's password. The link is void then."""
        return await read_form(request, lambda form: chosen(request, form))

    def chosen(request: Request, form: Form) -> Response:
        site.same_site(request)
        key, password = one(form, "key"), (form.get("password") or ("",))[0]
        if not well_formed(password):
            return page(request, key, 422, "web.set_up.length")
        if password != (form.get("again") or ("",))[0]:
            return page(request, key, 422, "web.set_up.differs")
        name = _name(form) or "organiser"
        if not site.access.choose(key, password):
            return page(request, key, 403)
        return site.log_in(to("/desk"), site.access.begin(name))


def _name(form: Form) -> str:
    """Who logs in, for the record; empty if it was not said. Raises `Refusal`."""
    return validation.checked(one(form, "name"), "key", "name", most=validation.LONGEST_NAME)


def _log_in(routes: APIRouter, site: Site) -> None:
    def page(request: Request, status: int = 200, fault: str = "") -> Response:
        words = site.words(request)
        values = {"title": words.t("web.login"), "set_up": site.access.set_up, "most": MOST_PASSWORD}
        return site.page(request, "login.html", words, status, fault=words.t(fault) if fault else "", **values)

    @routes.get("/desk/login")
    def ask(request: Request) -> Response:
        """Asks for the organiser's password."""
        return page(request)

    @routes.post("/desk/login")
    async def answer(request: Request) -> Response:
        """Logs in; few tries a minute are taken from one client."""
        return await read_form(request, lambda form: entered(request, form))

    def entered(request: Request, form: Form) -> Response:
        site.same_site(request)
        if not site.access.right((form.get("password") or ("",))[0]):
            return page(request, 403, "web.login.wrong")
        return site.log_in(to("/desk"), site.access.begin(_name(form) or "organiser"))

    @routes.post("/desk/logout")
    async def leave(request: Request) -> Response:
        """Ends the session."""
        return await read_form(request, lambda form: left(request, form))

    def left(request: Request, form: Form) -> Response:
        site.checked(request, site.session(request), form)
        site.access.end(request.cookies.get(SESSION_COOKIE))
        answer = to("/")
        answer.delete_cookie(SESSION_COOKIE)
        return answer


def _by_key(routes: APIRouter, site: Site) -> None:
    @routes.get("/join")
    def ask(request: Request, key: KeyText = "") -> Response:
        """Where the QR code of a key leads: asks whether to come in as what the key says."""
        words = site.words(request)
        found = site.access.key(key)
        role = found.role if found else ""
        if found is not None and role == "player" and found.table:
            return to(f"/tables/{found.table}")
        good = found is not None and role in ("organiser", "referee")
        values = {"good": good, "role": role, "key": key, "table": found.table if found else None}
        return site.page(request, "join.html", words, 200 if good else 403, title=words.t("web.join"), **values)

    @routes.post("/join")
    async def answer(request: Request) -> Response:
        """Comes in as organiser or as the referee of a table."""
        return await read_form(request, lambda form: joined(request, form))

    def joined(request: Request, form: Form) -> Response:
        site.same_site(request)
        found = site.access.key(one(form, "key"))
        name = _name(form) or (found.label if found else "")
        if found is None or found.role not in ("organiser", "referee") or (found.role == "referee" and not found.table):
            raise Forbidden
        table = found.table if found.role == "referee" else None
        return site.log_in(to("/referee" if table else "/desk"), site.access.begin(name or found.role, table, found))


def _referee(routes: APIRouter, site: Site) -> None:
    def session(request: Request) -> tuple[Session, str]:
        found = site.session(request)
        if found is None or found.table is None:
            raise LoginFirst
        return found, found.table

    @routes.get("/referee")
    def look(request: Request) -> Response:
        """The match that is called to the referee's table."""
        found, table = session(request)
        return page(request, found, table)

    def page(
        request: Request, found: Session, table: str, status: int = 200, refused: Message | None = None
    ) -> HTMLResponse:
        words = site.words(request)
        called = site.parts.core.tournaments.assignment(table)
        row = next((each for each in site.parts.core.tables.all() if each.id == table), None)
        values: dict[str, Any] = {
            "session": found,
            "row": row,
            "match": None,
            "names": None,
            "tournament": "",
            "refused": refused,
        }
        if called is not None:
            state = site.parts.core.tournaments.state(called.tournament)
            names = Names(words, state, site.parts.core.tournaments.course(called.tournament))
            values |= {"names": names, "match": names.course.matches[called.match], "tournament": called.tournament}
        return site.page(request, "referee.html", words, status, title=words.t("web.referee"), **values)

    @routes.post("/referee")
    async def enter(request: Request) -> Response:
        """Enters the result of the match that is called to this table."""
        return await read_form(request, lambda form: entered(request, form))

    def entered(request: Request, form: Form) -> Response:
        found, table = session(request)
        site.checked(request, found, form)
        called = site.parts.core.tournaments.assignment(table)
        if called is None:
            raise Forbidden
        state = site.parts.core.tournaments.state(called.tournament)
        try:
            fact = fact_of(form, state, site.parts.now)
            allow(fact, called.match)
            by = site.words(request).t("web.by_referee", name=found.name, table=table)
            site.parts.core.tournaments.decide(called.tournament, fact, by, one(form, "why"))
        except Refusal as refused:
            return refilled(request, page(request, found, table, 409, refused.message), form)
        return to("/referee")


def allow(fact: fa.Fact, match: str) -> None:
    """Raises Forbidden for a fact that a referee of this match may not enter."""
    if type(fact) not in REFEREE_FACTS or getattr(fact, "match", None) != match:
        raise Forbidden
