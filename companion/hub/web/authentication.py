"""Who may: the organiser's password, the one-time link that sets it, sessions, and the mark that keeps forms theirs."""

from __future__ import annotations

import hmac
from dataclasses import dataclass
from hashlib import sha256
from typing import Annotated, Any

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from fastapi import APIRouter, Depends, Query, Request
from fastapi.responses import HTMLResponse, Response

from companion.games.base import Message, Refusal
from companion.hub.models import Assignment
from companion.hub.registry import Key, Keys
from companion.hub.web.forms import Form, Sent, fact_of, one, refilled
from companion.hub.web.middleware import SESSION_COOKIE
from companion.hub.web.site import Forbidden, LoginFirst, Visit, Visitor, to
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


routes = APIRouter(default_response_class=HTMLResponse)
"""The routes of logging in."""


class LoginVisit(Visit):
    """A visit of the pages by which one logs in."""

    def set_up_page(self, key: str, status: int = 200, fault: str = "") -> Response:
        """Asks for the organiser's password to be."""
        good = self.access.may_set_up(key)
        told = self.words.t(fault, least=LEAST_PASSWORD) if fault else ""
        title = self.words.t("web.set_up")
        return self.page("set_up.html", status if good else 403, title=title, key=key, good=good, fault=told)

    def login_page(self, status: int = 200, fault: str = "") -> Response:
        """Asks for the organiser's password."""
        values = {"title": self.words.t("web.login"), "set_up": self.access.set_up, "most": MOST_PASSWORD}
        return self.page("login.html", status, fault=self.words.t(fault) if fault else "", **values)


async def _visit(request: Request) -> LoginVisit:
    return LoginVisit(request)


LoginVisitor = Annotated[LoginVisit, Depends(_visit)]


@routes.get("/desk/set-up")
def ask_set_up(visit: LoginVisitor, key: KeyText = "") -> Response:
    """Asks for the organiser's password, by the link that the hub printed at its first start."""
    return visit.set_up_page(key)


@routes.post("/desk/set-up")
def set_up(visit: LoginVisitor, form: Sent) -> Response:
    """Sets the organiser's password. The link is void then."""
    visit.check_origin()
    key, password = one(form, "key"), (form.get("password") or ("",))[0]
    if not well_formed(password):
        return visit.set_up_page(key, 422, "web.set_up.length")
    if password != (form.get("again") or ("",))[0]:
        return visit.set_up_page(key, 422, "web.set_up.differs")
    name = _name(form) or "organiser"
    if not visit.access.choose(key, password):
        return visit.set_up_page(key, 403)
    return visit.log_in("/desk", visit.access.begin(name))


def _name(form: Form) -> str:
    """Who logs in, for the record; empty if it was not said. Raises `Refusal`."""
    return validation.checked(one(form, "name"), "key", "name", most=validation.LONGEST_NAME)


@routes.get("/desk/login")
def ask_login(visit: LoginVisitor) -> Response:
    """Asks for the organiser's password."""
    return visit.login_page()


@routes.post("/desk/login")
def login(visit: LoginVisitor, form: Sent) -> Response:
    """Logs in; few tries a minute are taken from one client."""
    visit.check_origin()
    if not visit.access.right((form.get("password") or ("",))[0]):
        return visit.login_page(403, "web.login.wrong")
    return visit.log_in("/desk", visit.access.begin(_name(form) or "organiser"))


@routes.post("/desk/logout")
def logout(visit: Visitor, form: Sent) -> Response:
    """Ends the session."""
    visit.check(visit.find_session(), form)
    visit.access.end(visit.request.cookies.get(SESSION_COOKIE))
    answer = to("/")
    answer.delete_cookie(SESSION_COOKIE)
    return answer


@routes.get("/join")
def ask_join(visit: Visitor, key: KeyText = "") -> Response:
    """Where the QR code of a key leads: asks whether to come in as what the key says."""
    found = visit.access.key(key)
    role = found.role if found else ""
    if found is not None and role == "player" and found.table:
        return to(f"/tables/{found.table}")
    good = found is not None and role in ("organiser", "referee")
    values = {"good": good, "role": role, "key": key, "table": found.table if found else None}
    return visit.page("join.html", 200 if good else 403, title=visit.words.t("web.join"), **values)


@routes.post("/join")
def join(visit: Visitor, form: Sent) -> Response:
    """Comes in as organiser or as the referee of a table."""
    visit.check_origin()
    found = visit.access.key(one(form, "key"))
    name = _name(form) or (found.label if found else "")
    if found is None or found.role not in ("organiser", "referee") or (found.role == "referee" and not found.table):
        raise Forbidden
    table = found.table if found.role == "referee" else None
    return visit.log_in("/referee" if table else "/desk", visit.access.begin(name or found.role, table, found))


class RefereeVisit(Visit):
    """A visit of a table's referee. Raises LoginFirst for anybody else."""

    def __init__(self, request: Request) -> None:
        super().__init__(request)
        session = self.find_session()
        if session is None or session.table is None:
            raise LoginFirst
        self.session, self.table = session, session.table

    def called(self) -> Assignment | None:
        """The match that is called to the table."""
        return self.core.tournaments.assignment(self.table)

    def table_page(self, status: int = 200, refused: Message | None = None) -> HTMLResponse:
        """The match that is called to the table."""
        values: dict[str, Any] = {"match": None, "names": None, "tournament": ""}
        called = self.called()
        if called is not None:
            names = self.names(called.tournament)
            values = {"names": names, "match": names.course.matches[called.match], "tournament": called.tournament}
        row = next((each for each in self.core.tables.all() if each.id == self.table), None)
        title = self.words.t("web.referee")
        return self.page("referee.html", status, title=title, session=self.session, row=row, refused=refused, **values)


def _referee(request: Request) -> RefereeVisit:
    return RefereeVisit(request)


Referee = Annotated[RefereeVisit, Depends(_referee)]


@routes.get("/referee")
def referee(visit: Referee) -> Response:
    """The match that is called to the referee's table."""
    return visit.table_page()


@routes.post("/referee")
def enter(visit: Referee, form: Sent) -> Response:
    """Enters the result of the match that is called to this table."""
    visit.check(visit.session, form)
    called, desk = visit.called(), visit.core.tournaments
    if called is None:
        raise Forbidden
    try:
        fact = fact_of(form, desk.state(called.tournament), visit.parts.now)
        allow(fact, called.match)
        by = visit.words.t("web.by_referee", name=visit.session.name, table=visit.table)
        desk.decide(called.tournament, fact, by, one(form, "why"))
    except Refusal as refused:
        return refilled(visit.request, visit.table_page(409, refused.message), form)
    return to("/referee")


def allow(fact: fa.Fact, match: str) -> None:
    """Raises Forbidden for a fact that a referee of this match may not enter."""
    if type(fact) not in REFEREE_FACTS or getattr(fact, "match", None) != match:
        raise Forbidden
