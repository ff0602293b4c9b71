"""Shared parts of the hub's pages: templates, the visitor's language, the session, and responses."""

from __future__ import annotations

import hmac
import re
from collections.abc import Mapping
from functools import partial
from importlib import resources
from typing import TYPE_CHECKING, Annotated

from fastapi import APIRouter, Depends, Header, Path, Query, Request
from fastapi.responses import FileResponse, HTMLResponse, RedirectResponse, Response, StreamingResponse
from jinja2 import Environment, PackageLoader, StrictUndefined

from companion.hub.pairing import PairingDesk
from companion.hub.web import drawing, pages
from companion.hub.web.forms import Form, field_value
from companion.hub.web.live_updates import Feed
from companion.hub.web.localization import Locale, Names, preferred_language
from companion.hub.web.middleware import (
    DEVICE_COOKIE,
    LANGUAGE_COOKIE,
    SESSION_COOKIE,
    Clients,
    LoginQueue,
    TokenBucket,
)
from companion.hub.web.pages import LivePart, NoSuchPage, Page, PageDependencies, Pages
from companion.language import LANGUAGES
from companion.typefaces import find_font as find_font

if TYPE_CHECKING:
    from companion.hub.web.authentication import Authenticator, LoginSession


class Forbidden(Exception):
    """The request needs a login or a valid form."""


class LoginFirst(Exception):
    """The page needs a login."""


class Site:
    """State shared by all requests: sessions, templates, the feed of changes."""

    def __init__(self, dependencies: PageDependencies, access: Authenticator) -> None:
        self.dependencies, self.access, self.clients = dependencies, access, Clients(access.find_device)
        self.logins = LoginQueue(dependencies.limits, dependencies.clock.monotonic)
        self.pairing = PairingDesk(dependencies.clock)
        self.pairing_asks = TokenBucket(dependencies.limits.pairing, dependencies.clock.monotonic)
        self._env = Environment(
            loader=PackageLoader("companion.hub.web"),
            autoescape=True,
            trim_blocks=True,
            lstrip_blocks=True,
            undefined=StrictUndefined,
        )
        self._env.filters["slides"] = pages.slides
        self._env.globals.update(icon=drawing.icon, badge=drawing.badge, ball=drawing.ball)
        self.feed = Feed(
            dependencies.core.views,
            lambda path: partial(self.live_part, pages.find_page(path)),
            lambda code: Locale(code, dependencies.zone),
            self.render_part,
        )

    def live_part(self, page: Page, locale: Locale) -> LivePart:
        """Return the live part of a page in the visitor's language. Raises: NoSuchPage."""
        return page(Pages(self.dependencies, locale))

    def render_part(self, part: LivePart, locale: Locale) -> str:
        """Render a live part as HTML."""
        return self.render(part.template, locale, part.values)

    def render(self, template: str, locale: Locale, values: Mapping[str, object]) -> str:
        """Render a template as HTML."""
        return self._env.get_template(template).render({**values, "t": locale.t, "locale": locale})


class RequestContext:
    """A request for a page: its language, its session, and its responses."""

    def __init__(self, request: Request) -> None:
        self.request = request
        self.site: Site = request.app.state.site
        self.access, self.dependencies = self.site.access, self.site.dependencies
        self.core = self.dependencies.core
        chosen = request.cookies.get(LANGUAGE_COOKIE)
        self.locale = Locale(
            preferred_language(request.headers.get("accept-language", ""), chosen), self.dependencies.zone
        )

    @property
    def pages(self) -> Pages:
        """The public pages."""
        return Pages(self.dependencies, self.locale)

    def names(self, tournament: str) -> Names:
        """Return the names of a tournament in the visitor's language. Raises: UnknownTournament."""
        desk = self.core.tournaments
        return Names(self.locale, desk.state(tournament), desk.progress(tournament))

    def page(self, template: str, status: int = 200, **values: object) -> HTMLResponse:
        """Return a complete page."""
        template_values = {"path": self.request.url.path, "body": "", "part": None} | values
        return HTMLResponse(self.site.render(template, self.locale, template_values), status)

    def public_page(self, path: str) -> HTMLResponse:
        """Return a public page. Raises: NoSuchPage."""
        revision = self.core.views.revision()
        part = pages.find_page(path)(self.pages)
        state = part.values.get("public")
        number = getattr(part.values.get("match"), "table", None)
        values = part.values | {
            "part": part,
            "title": part.title,
            "head": state.state.plan.name if state is not None else part.title,
            "body": part.body,
            "sub": self.locale.t("web.table", number=number) if number else "",
            "revision": revision,
            "turn": pages.SLIDE_SECONDS,
            "address": (address := f"{self.dependencies.address}/t/{part.tournament}"),
            "code": drawing.qr_code(address) if part.body == "screen" else "",
            "now": self.dependencies.now,
            "zone": int(self.dependencies.clock.now().astimezone(self.dependencies.zone).utcoffset().total_seconds()),
        }
        return self.page("page.html", **values)

    def find_session(self) -> LoginSession | None:
        """Return the session of the request, or None."""
        secret = self.request.cookies.get(SESSION_COOKIE)
        found = self.access.find_session(secret)
        if secret is not None and found is not None:
            self.site.clients.add_session(secret)
        elif secret is not None:
            self.site.clients.remove_session(secret)
        return found

    def check_form(self, session: LoginSession | None, form: Form) -> None:
        """Check that a form belongs to this session and comes from this site. Raises: Forbidden."""
        if session is None or not hmac.compare_digest(session.csrf_token.encode(), field_value(form, "form").encode()):
            raise Forbidden
        self.check_origin()

    def check_origin(self) -> None:
        """Check that the request does not come from another site. Raises: Forbidden."""
        headers = self.request.headers
        origin = headers.get("origin")
        if origin is not None and origin.partition("://")[2] != headers.get("host"):
            raise Forbidden
        if headers.get("sec-fetch-site", "none") not in ("same-origin", "none"):
            raise Forbidden

    def log_in(self, path: str, secret: str, remember: bool = False) -> Response:
        """Redirect to a page and set the session cookie; `remember` also makes the browser a known device."""
        self.site.clients.add_session(secret)
        answer = redirect_to(path)
        self._set_cookie(answer, SESSION_COOKIE, secret)
        if remember:
            self._set_cookie(answer, DEVICE_COOKIE, self.access.new_device(), _YEAR)
        return answer

    def _set_cookie(self, answer: Response, name: str, value: str, seconds: int | None = None) -> None:
        answer.set_cookie(
            name, value, seconds, httponly=True, secure=self.dependencies.secure, samesite="strict", path="/"
        )


async def _request_context(request: Request) -> RequestContext:
    return RequestContext(request)


Visitor = Annotated[RequestContext, Depends(_request_context)]


SCRIPTS = ("live", "live-worker", "desk", "focus", "notifications")
"""Scripts of the pages: live updates, the one event stream of a browser, the desk’s Now, the focus, notifications."""
DESK_PATH = re.compile(r"/desk(/t/[^/]+(/.*)?)?")
"""The pages of the desk that every role of it reads; the others are the organiser's."""
RECORD_PATH = re.compile(r"/desk/t/[^/]+")
"""The address to which the pages of a tournament send their forms."""


def may_request(role: str, method: str, path: str) -> bool:
    """Return whether a role of the desk may send a request. The event of an entry desk's form is checked apart."""
    if role == "organiser":
        return True
    if method in ("GET", "HEAD"):
        return DESK_PATH.fullmatch(path) is not None
    return role == "entry_desk" and RECORD_PATH.fullmatch(path) is not None


class OrganiserContext(RequestContext):
    """A request of the desk. Raises: LoginFirst, for anyone else; Forbidden, if the role may not do this."""

    def __init__(self, request: Request) -> None:
        super().__init__(request)
        session = self.find_session()
        if session is None or session.table is not None:
            raise LoginFirst
        if not may_request(session.role, request.method, request.url.path):
            raise Forbidden
        self.session = session


def _organiser_context(request: Request) -> OrganiserContext:
    return OrganiserContext(request)


Organiser = Annotated[OrganiserContext, Depends(_organiser_context)]


def redirect_to(path: str) -> RedirectResponse:
    """Redirect to a page after a form."""
    return RedirectResponse(path, 303)


# Addresses of the public pages, their event streams and their static files.


MAX_REVISION = 2**53
MAX_STREAM_PAGES = 40
"""Maximum number of pages of one event stream; further pages of a browser are loaded again now and then."""
_A_DAY = {"cache-control": "public, max-age=86400"}
_A_WHILE = {"cache-control": "public, max-age=300"}
_YEAR = 365 * 24 * 3600
_STATIC = resources.files("companion.hub.web") / "static"

Number = Annotated[int, Path(ge=0, le=2**62)]


public = APIRouter(default_response_class=HTMLResponse)
"""The routes of the public pages."""


@public.get("/")
def first(context: Visitor) -> Response:
    """Show the tournaments of this hub."""
    return context.public_page("/")


@public.get("/t/{tournament}")
def lives(context: Visitor, tournament: str) -> Response:
    """Show the tables in play."""
    return context.public_page(f"/t/{tournament}")


@public.get("/t/{tournament}/{page}")
def page(context: Visitor, tournament: str, page: str) -> Response:
    """Show standings, schedule or the big screen."""
    return context.public_page(f"/t/{tournament}/{page}")


@public.get("/t/{tournament}/match/{match:path}")
def match(context: Visitor, tournament: str, match: str) -> Response:
    """Show a match, live or finished."""
    return context.public_page(f"/t/{tournament}/match/{match}")


@public.get("/t/{tournament}/story/{match:path}")
def story(context: Visitor, tournament: str, match: str) -> Response:
    """Show a match with its full timeline."""
    return context.public_page(f"/t/{tournament}/story/{match}")


@public.get("/t/{tournament}/entry/{entry}")
def entry(context: Visitor, tournament: str, entry: str) -> Response:
    """Show the page of one entry: its next match, table, opponent and results."""
    return context.public_page(f"/t/{tournament}/entry/{entry}")


@public.get("/tables/{table}")
def table(context: Visitor, table: str) -> Response:
    """Show the current match of a table."""
    return context.public_page(f"/tables/{table}")


@public.get("/pictures/{table}/{epoch}/{line}/{number}")
def picture(context: Visitor, table: str, epoch: Number, line: Number, number: Number) -> Response:
    """Return a picture of the newest roll. `line` only makes the address unique per roll."""
    image = context.core.views.picture(table, epoch, number)
    if image is None:
        raise NoSuchPage
    kind = "image/png" if image.startswith(b"\x89PNG") else "image/jpeg"
    return Response(image, media_type=kind, headers=_A_WHILE)


@public.get("/events", response_class=StreamingResponse)
async def events(
    context: Visitor,
    page: Annotated[list[str], Query(max_length=MAX_STREAM_PAGES)],
    after: Annotated[list[int], Query(max_length=MAX_STREAM_PAGES)] = [],  # noqa: B006
    language: str | None = None,
    last_event_id: Annotated[str | None, Header(max_length=40)] = None,
) -> Response:
    """Stream the changes of pages as server-sent events. The id is the hub's revision.

    `after` are the revisions already seen, in the order of `page`. `Last-Event-ID` resumes the stream of one page.
    Of several pages, those that do not exist are left out.
    """
    numbers = [*after, *[0] * len(page)]
    seen = {path: min(max(number, 0), MAX_REVISION) for path, number in zip(page, numbers, strict=False)}
    if last_event_id and last_event_id.isascii() and last_event_id.isdigit() and len(page) == 1:
        seen[page[0]] = min(int(last_event_id), MAX_REVISION)
    stream = context.site.feed.stream(seen, language if language in LANGUAGES else context.locale.code)
    first = await anext(stream)  # a missing page is reported before the stream starts

    async def all_of_it():  # type: ignore[no-untyped-def]
        yield first
        async for each in stream:
            yield each

    return StreamingResponse(all_of_it(), media_type="text/event-stream", headers={"x-accel-buffering": "no"})


@public.get("/style.css")
def sheet() -> Response:
    """Return the style sheet."""
    return Response(drawing.style_sheet(), media_type="text/css", headers=_A_WHILE)


@public.get("/{name}.js")
def script(name: str) -> Response:
    """Return a script of the pages. Raises: NoSuchPage, if there is none of that name."""
    if name not in SCRIPTS:
        raise NoSuchPage
    return Response((_STATIC / f"{name}.js").read_text("utf-8"), media_type="text/javascript", headers=_A_WHILE)


@public.get("/icon.svg")
@public.get("/favicon.ico", include_in_schema=False)
def icon() -> Response:
    """Return the hub's icon, a die on green baize. Browsers request the second name by default."""
    return Response((_STATIC / "icon.svg").read_text("utf-8"), media_type="image/svg+xml", headers=_A_DAY)


@public.get("/fonts/{name}.ttf")
def font(name: str) -> Response:
    """Return one of the two font families; browsers use their own sans-serif if it is missing."""
    found = drawing.FONTS.get(name)
    file = find_font(found[2]) if found else None
    if file is None:
        raise NoSuchPage
    return FileResponse(file, media_type="font/ttf", headers=_A_DAY)


@public.get("/language/{code}")
def language(code: str, back: Annotated[str, Query(max_length=500)] = "/") -> Response:
    """Set the language and redirect back."""
    if code not in LANGUAGES:
        raise NoSuchPage
    inside = back.startswith("/") and not back.startswith("//") and "\\" not in back and back.isprintable()
    answer = RedirectResponse(back if inside else "/", 303)
    answer.set_cookie(LANGUAGE_COOKIE, code, max_age=_YEAR, samesite="lax", httponly=True)
    return answer
