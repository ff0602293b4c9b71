"""Authentication: the organiser's password, the one-time set-up link, sessions, and the forms' CSRF token."""

from __future__ import annotations

import hmac
import secrets
from dataclasses import dataclass
from hashlib import sha256
from typing import Annotated, Any

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from fastapi import APIRouter, Depends, Query, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import HTMLResponse, Response

from companion.games.base import Message, Refusal
from companion.hub.models import Assignment
from companion.hub.password_link import PasswordLink
from companion.hub.registry import DESK_ROLES, AccessKey, KeyRegistry, Role
from companion.hub.web.forms import Form, SentForm, field_value, parse_fact, refill_form
from companion.hub.web.middleware import LOGIN_PATH, SESSION_COOKIE, TooManyLogins, client_of
from companion.hub.web.site import Forbidden, LoginFirst, OrganiserContext, RequestContext, Visitor, redirect_to
from companion.tournament import facts as fa
from companion.tournament import validation

MIN_PASSWORD_LENGTH, MAX_PASSWORD_LENGTH = 10, 200
"""Minimum and maximum length of an organiser's password, in characters."""

SESSION_SECONDS = 12 * 3600
SET_UP_SECONDS = 24 * 3600
MAX_KEY_LENGTH = 200
"""Maximum length of a key; longer ones are rejected without a lookup."""
_DEVICE_BYTES = 16
"""Length of the random id of a device."""


@dataclass(frozen=True, slots=True)
class LoginSession:
    """A logged-in user: the name for the record, the CSRF token of the session's forms, and the session's key.

    With a `table` the user is that table's referee. Without one `role` is one of the desk's.
    """

    name: str
    csrf_token: str
    key: int
    table: str | None = None
    role: Role = "organiser"


class Authenticator:
    """The organiser's password and sessions, stored with the hub's keys."""

    def __init__(self, keys: KeyRegistry, link: PasswordLink, hasher: PasswordHasher | None = None) -> None:
        """`link` is the link for a new password that the hub's command prints."""
        self._keys, self._link = keys, link
        self._hasher = hasher or PasswordHasher()
        self._device_key = (keys.password() or "").encode()
        """Key of the device cookies: the salted hash of the password, so that a new password forgets all devices."""

    @property
    def is_set_up(self) -> bool:
        """Whether an organiser's password is set."""
        return self._keys.password() is not None

    def set_up_key(self) -> str:
        """Return a new key for the one-time link, valid for a day. Earlier keys become invalid."""
        self._keys.revoke_all("set_up")
        return self._keys.issue("set_up", seconds=SET_UP_SECONDS)

    def is_set_up_key(self, key: str) -> bool:
        """Return whether the key is that of the latest link of the first start or of the command, and still valid."""
        found = self.find_key(key)
        return (found is not None and found.role == "set_up") or self._link.matches(key)

    def set_password(self, key: str, password: str) -> bool:
        """Set the organiser's password with the one-time key. Invalidates the key and every session."""
        if not is_valid_password(password) or not self.is_set_up_key(key):
            return False
        self.change_password(password)
        return True

    def change_password(self, password: str) -> None:
        """Set a valid password. Invalidates every link for a new password and every session."""
        self._link.revoke()
        hashed = self._hasher.hash(password)
        self._keys.set_password(hashed)
        self._device_key = hashed.encode()
        self._keys.revoke_all("set_up")
        self._keys.revoke_all("session")

    def verify_password(self, password: str) -> bool:
        """Return whether this is the organiser's password. Slow by design (argon2)."""
        kept = self._keys.password()
        if kept is None or len(password) > MAX_PASSWORD_LENGTH:
            return False
        try:
            return self._hasher.verify(kept, password)
        except (VerificationError, InvalidHashError):
            return False

    def new_device(self) -> str:
        """Return the cookie of a browser in which an organiser has logged in. It gives no access.

        Login attempts from such a browser do not wait for those of others at its address.
        """
        id = secrets.token_hex(_DEVICE_BYTES)
        return f"{id}.{self._device_signature(id)}"

    def find_device(self, cookie: str) -> str | None:
        """Return the device of a cookie as a client, or None if the hub did not issue the cookie."""
        id, _, signature = cookie.partition(".")
        if not self._device_key or not signature.isascii() or len(id) != 2 * _DEVICE_BYTES:
            return None
        return f"device {id}" if hmac.compare_digest(signature, self._device_signature(id)) else None

    def _device_signature(self, id: str) -> str:
        return hmac.new(self._device_key, f"device {id}".encode(), sha256).hexdigest()

    def start_session(self, name: str, table: str | None = None, key: AccessKey | None = None) -> str:
        """Start a session for the organiser or a table's referee and return its secret.

        Revoking `find_key` ends the session.
        """
        return self._keys.issue("session", table, name, SESSION_SECONDS, None if key is None else key.id)

    def find_session(self, secret: str | None) -> LoginSession | None:
        """Return the session of a secret, or None if it is missing, wrong or expired."""
        found = self.find_key(secret)
        if secret is None or found is None or found.role != "session":
            return None
        opener = None if found.opened_by is None else self._keys.find(found.opened_by)
        if found.opened_by is not None and opener is None:
            return None
        role: Role = "organiser" if opener is None else opener.role
        return LoginSession(found.label, csrf_token_of(secret), found.id, found.table, role)

    def end_session(self, secret: str | None) -> None:
        """End a session."""
        found = self.find_key(secret)
        if found is not None and found.role == "session":
            self._keys.revoke(found.id)

    def find_key(self, key: str | None) -> AccessKey | None:
        """Look up a key. Returns None if it is malformed or unknown."""
        if not key or len(key) > MAX_KEY_LENGTH or not key.isascii() or not key.isprintable():
            return None
        return self._keys.check(key)


def is_valid_password(password: str) -> bool:
    """Return whether the password has a valid length."""
    return MIN_PASSWORD_LENGTH <= len(password) <= MAX_PASSWORD_LENGTH


def csrf_token_of(secret: str) -> str:
    """Return a session's CSRF token. Other sites cannot guess it, and it does not reveal the secret."""
    return hmac.new(secret.encode(), b"form", sha256).hexdigest()


# Login: one-time set-up, the organiser's password, keys by QR code, and the referee's page of a table.


REFEREE_FACTS = (fa.Result, fa.Forfeit)
"""The only events that a referee may record."""

KeyText = Annotated[str, Query(max_length=200)]


routes = APIRouter(default_response_class=HTMLResponse)
"""The login routes."""


class LoginContext(RequestContext):
    """A request for a login page."""

    def set_up_page(self, key: str, status: int = 200, fault: str = "") -> Response:
        """Return the form for choosing the organiser's password."""
        good = self.access.is_set_up_key(key)
        fault_text = self.locale.t(fault, least=MIN_PASSWORD_LENGTH) if fault else ""
        title = self.locale.t("web.set_up")
        return self.page("set_up.html", status if good else 403, title=title, key=key, good=good, fault=fault_text)

    def login_page(self, status: int = 200, fault: str = "") -> Response:
        """Return the login form."""
        values = {"title": self.locale.t("web.login"), "set_up": self.access.is_set_up, "most": MAX_PASSWORD_LENGTH}
        return self.page("login.html", status, fault=self.locale.t(fault) if fault else "", **values)

    def finish_login(self, form: Form, is_right: bool) -> Response:
        """Return the response to a login form with a right or wrong password."""
        if not is_right:
            return self.login_page(403, "web.login.wrong")
        session = self.access.start_session(_login_name(form) or "organiser")
        return self.log_in("/desk", session, remember=True)


async def _login_context(request: Request) -> LoginContext:
    return LoginContext(request)


LoginVisitor = Annotated[LoginContext, Depends(_login_context)]


@routes.get("/desk/set-up")
def ask_set_up(context: LoginVisitor, key: KeyText = "") -> Response:
    """Show the set-up form, reached by the link that the hub prints at its first start."""
    return context.set_up_page(key)


@routes.post("/desk/set-up")
def set_up(context: LoginVisitor, form: SentForm) -> Response:
    """Set the organiser's password and invalidate the link."""
    context.check_origin()
    key, password = field_value(form, "key"), _password_of(form, "password")
    if not is_valid_password(password):
        return context.set_up_page(key, 422, "web.set_up.length")
    if password != _password_of(form, "again"):
        return context.set_up_page(key, 422, "web.set_up.differs")
    name = _login_name(form) or "organiser"
    if not context.access.set_password(key, password):
        return context.set_up_page(key, 403)
    return context.log_in("/desk", context.access.start_session(name), remember=True)


def _login_name(form: Form) -> str:
    """Return the user's name for the record, or an empty string. Raises: Refusal."""
    return validation.check_text(field_value(form, "name"), "key", "name", most=validation.MAX_NAME_LENGTH)


@routes.get(LOGIN_PATH)
def ask_login(context: LoginVisitor) -> Response:
    """Show the login form."""
    return context.login_page()


@routes.post(LOGIN_PATH)
async def login(context: LoginVisitor, form: SentForm) -> Response:
    """Log in. Attempts that come too fast wait for their turn."""
    context.check_origin()
    password = _password_of(form, "password")
    try:
        async with context.site.logins.wait_for_turn(client_of(context.request.scope).login_id):
            is_right = await run_in_threadpool(context.access.verify_password, password)
    except TooManyLogins:
        return await run_in_threadpool(context.login_page, 429, "web.login.too_many")
    return await run_in_threadpool(context.finish_login, form, is_right)


class PasswordContext(OrganiserContext):
    """A request of the organiser to change the password."""

    def password_page(self, status: int = 200, fault: str = "") -> Response:
        """Return the form for a new password."""
        text = self.locale.t(fault, least=MIN_PASSWORD_LENGTH) if fault else ""
        values = {"title": self.locale.t("web.password.change"), "least": MIN_PASSWORD_LENGTH}
        return self.page("password.html", status, session=self.session, fault=text, most=MAX_PASSWORD_LENGTH, **values)

    def finish_change(self, form: Form, is_right: bool) -> Response:
        """Return the response to a form with the right or a wrong present password."""
        password = _password_of(form, "password")
        if not is_right:
            return self.password_page(403, "web.login.wrong")
        if not is_valid_password(password):
            return self.password_page(422, "web.set_up.length")
        if password != _password_of(form, "again"):
            return self.password_page(422, "web.set_up.differs")
        self.access.change_password(password)
        return self.log_in("/desk", self.access.start_session(self.session.name), remember=True)


def _password_context(request: Request) -> PasswordContext:
    return PasswordContext(request)


PasswordVisitor = Annotated[PasswordContext, Depends(_password_context)]


def _password_of(form: Form, name: str) -> str:
    """Return a password as it was typed."""
    return (form.get(name) or ("",))[0]


@routes.get("/desk/password")
def ask_password(context: PasswordVisitor) -> Response:
    """Show the form for a new password."""
    return context.password_page()


@routes.post("/desk/password")
async def change_password(context: PasswordVisitor, form: SentForm) -> Response:
    """Change the password, which ends all other sessions. Attempts that come too fast wait for their turn."""
    context.check_form(context.session, form)
    try:
        async with context.site.logins.wait_for_turn(client_of(context.request.scope).login_id):
            is_right = await run_in_threadpool(context.access.verify_password, _password_of(form, "present"))
    except TooManyLogins:
        return await run_in_threadpool(context.password_page, 429, "web.login.too_many")
    return await run_in_threadpool(context.finish_change, form, is_right)


@routes.post("/desk/logout")
def logout(context: Visitor, form: SentForm) -> Response:
    """End the session."""
    context.check_form(context.find_session(), form)
    context.access.end_session(context.request.cookies.get(SESSION_COOKIE))
    answer = redirect_to("/")
    answer.delete_cookie(SESSION_COOKIE)
    return answer


@routes.get("/join")
def ask_join(context: Visitor, key: KeyText = "") -> Response:
    """Ask for confirmation of a login by key. The QR code of a key leads here."""
    found = context.access.find_key(key)
    role = found.role if found else ""
    if found is not None and role == "player" and found.table:
        return redirect_to(f"/tables/{found.table}")
    good = found is not None and role in (*DESK_ROLES, "referee")
    values = {"good": good, "role": role, "key": key, "table": found.table if found else None}
    return context.page("join.html", 200 if good else 403, title=context.locale.t("web.join"), **values)


@routes.post("/join")
def join(context: Visitor, form: SentForm) -> Response:
    """Log in to the desk or as the referee of a table."""
    context.check_origin()
    found = context.access.find_key(field_value(form, "key"))
    name = _login_name(form) or (found.label if found else "")
    if found is None or found.role not in (*DESK_ROLES, "referee") or (found.role == "referee" and not found.table):
        raise Forbidden
    table = found.table if found.role == "referee" else None
    session = context.access.start_session(name or found.role, table, found)
    return context.log_in("/referee" if table else "/desk", session, remember=table is None)


class RefereeContext(RequestContext):
    """A request of a table's referee. Raises: LoginFirst, for anyone else."""

    def __init__(self, request: Request) -> None:
        super().__init__(request)
        session = self.find_session()
        if session is None or session.table is None:
            raise LoginFirst
        self.session, self.table = session, session.table

    def called_match(self) -> Assignment | None:
        """Return the match called to the table."""
        return self.core.tournaments.assignment(self.table)

    def table_page(self, status: int = 200, refused: Message | None = None) -> HTMLResponse:
        """Return the page of the match called to the table."""
        values: dict[str, Any] = {"match": None, "names": None, "tournament": ""}
        called = self.called_match()
        if called is not None:
            names = self.names(called.tournament)
            values = {"names": names, "match": names.progress.matches[called.match], "tournament": called.tournament}
        row = next((each for each in self.core.tables.all() if each.id == self.table), None)
        title = self.locale.t("web.referee")
        return self.page("referee.html", status, title=title, session=self.session, row=row, refused=refused, **values)


def _referee_context(request: Request) -> RefereeContext:
    return RefereeContext(request)


Referee = Annotated[RefereeContext, Depends(_referee_context)]


@routes.get("/referee")
def referee(context: Referee) -> Response:
    """Show the match called to the referee's table."""
    return context.table_page()


@routes.post("/referee")
def enter(context: Referee, form: SentForm) -> Response:
    """Record the result of the match called to this table."""
    context.check_form(context.session, form)
    called, desk = context.called_match(), context.core.tournaments
    if called is None:
        raise Forbidden
    try:
        fact = parse_fact(form, desk.state(called.tournament), context.dependencies.now)
        check_referee_fact(fact, called.match)
        by = context.locale.t("web.by_referee", name=context.session.name, table=context.table)
        desk.decide(called.tournament, fact, by, field_value(form, "why"))
    except Refusal as refused:
        return refill_form(context.request, context.table_page(409, refused.message), form)
    return redirect_to("/referee")


def check_referee_fact(fact: fa.Fact, match: str) -> None:
    """Check that a referee of this match may record the event. Raises: Forbidden."""
    if type(fact) not in REFEREE_FACTS or getattr(fact, "match", None) != match:
        raise Forbidden
