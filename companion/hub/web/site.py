"""What every page of the hub shares: templates, words of the visitor, who is logged in, and the answers they get."""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from functools import partial
from importlib import resources
from typing import TYPE_CHECKING, Annotated

from fastapi import APIRouter, Depends, Header, Path, Query, Request
from fastapi.responses import FileResponse, HTMLResponse, RedirectResponse, Response, StreamingResponse
from jinja2 import Environment, PackageLoader, StrictUndefined

from companion.hub.web import drawing, pages
from companion.hub.web.forms import Form, one
from companion.hub.web.live_updates import Feed
from companion.hub.web.middleware import LANGUAGE_COOKIE, SESSION_COOKIE, Proved
from companion.hub.web.pages import NoSuchPage, Page, Pages, Part, Parts
from companion.hub.web.wording import Names, Words, fact_detail, fact_name, preferred
from companion.language import LANGUAGES
from companion.typefaces import find_font as find_font

if TYPE_CHECKING:
    from companion.hub.web.authentication import Access, Session


class Forbidden(Exception):
    """Not without logging in, or not with this form."""


class LoginFirst(Exception):
    """The page is the organiser's."""


class Site:
    """What all visits share: sessions, templates, the feed of changes."""

    def __init__(self, parts: Parts, access: Access) -> None:
        self.parts, self.access, self.proved = parts, access, Proved()
        self._env = Environment(
            loader=PackageLoader("companion.hub.web"),
            autoescape=True,
            trim_blocks=True,
            lstrip_blocks=True,
            undefined=StrictUndefined,
        )
        self._env.globals.update(icon=drawing.icon, badge=drawing.badge, ball=drawing.ball)
        self._env.globals.update(fact_name=fact_name, fact_detail=fact_detail)
        self.feed = Feed(
            parts.core.views,
            lambda path: partial(self.part_of, pages.find(path)),
            lambda code: Words(code, parts.zone),
            self.part,
        )

    def part_of(self, page: Page, words: Words) -> Part:
        """The part of a page that follows the changes, in a visitor's words. Raises NoSuchPage."""
        return page(Pages(self.parts, words))

    def part(self, part: Part, words: Words) -> str:
        """That part as HTML."""
        return self.render(part.template, words, part.values)

    def render(self, template: str, words: Words, values: Mapping[str, object]) -> str:
        """A template with its values, as HTML."""
        return self._env.get_template(template).render({**values, "t": words.t, "words": words})


class Visit:
    """A request for a page: its words, who is logged in, and the answers to it."""

    def __init__(self, request: Request) -> None:
        self.request = request
        self.site: Site = request.app.state.site
        self.access, self.parts = self.site.access, self.site.parts
        self.core = self.parts.core
        chosen = request.cookies.get(LANGUAGE_COOKIE)
        self.words = Words(preferred(request.headers.get("accept-language", ""), chosen), self.parts.zone)

    @property
    def pages(self) -> Pages:
        """The pages for everyone."""
        return Pages(self.parts, self.words)

    def names(self, tournament: str) -> Names:
        """A tournament as it stands, in the visitor's words. Raises UnknownTournament."""
        desk = self.core.tournaments
        return Names(self.words, desk.state(tournament), desk.course(tournament))

    def page(self, template: str, status: int = 200, **values: object) -> HTMLResponse:
        """A whole page."""
        shown = {"path": self.request.url.path, "body": "", "part": None} | values
        return HTMLResponse(self.site.render(template, self.words, shown), status)

    def public(self, path: str) -> HTMLResponse:
        """A page for everyone. Raises NoSuchPage."""
        revision = self.core.views.revision()
        part = pages.find(path)(self.pages)
        state = part.values.get("shown")
        number = getattr(part.values.get("match"), "table", None)
        values = part.values | {
            "part": part,
            "title": part.title,
            "head": state.state.plan.name if state is not None else part.title,
            "body": part.body,
            "sub": self.words.t("web.table", number=number) if number else "",
            "revision": revision,
            "turn": pages.TURN_SECONDS,
            "address": f"{self.parts.address}/t/{part.tournament}",
        }
        return self.page("page.html", **values)

    def find_session(self) -> Session | None:
        """Who is logged in."""
        secret = self.request.cookies.get(SESSION_COOKIE)
        found = self.access.session(secret)
        if secret is not None and found is not None:
            self.site.proved.add(secret)
        elif secret is not None:
            self.site.proved.remove(secret)
        return found

    def check(self, session: Session | None, form: Form) -> None:
        """Raises Forbidden for a form that is not of this session, or from elsewhere."""
        if session is None or not hmac.compare_digest(session.form.encode(), one(form, "form").encode()):
            raise Forbidden
        self.check_origin()

    def check_origin(self) -> None:
        """Raises Forbidden for a request that another site's page makes."""
        headers = self.request.headers
        origin = headers.get("origin")
        if origin is not None and origin.partition("://")[2] != headers.get("host"):
            raise Forbidden
        if headers.get("sec-fetch-site", "none") not in ("same-origin", "none"):
            raise Forbidden

    def log_in(self, path: str, secret: str) -> Response:
        """On to a page with the cookie of a session."""
        self.site.proved.add(secret)
        answer = to(path)
        answer.set_cookie(SESSION_COOKIE, secret, httponly=True, secure=self.parts.secure, samesite="strict", path="/")
        return answer


async def _visit(request: Request) -> Visit:
    return Visit(request)


Visitor = Annotated[Visit, Depends(_visit)]


class OrganiserVisit(Visit):
    """A visit of the organiser. Raises LoginFirst for anybody else."""

    def __init__(self, request: Request) -> None:
        super().__init__(request)
        session = self.find_session()
        if session is None or session.table is not None:
            raise LoginFirst
        self.session = session


def _organiser(request: Request) -> OrganiserVisit:
    return OrganiserVisit(request)


Organiser = Annotated[OrganiserVisit, Depends(_organiser)]


def to(path: str) -> RedirectResponse:
    """On to a page, after a form."""
    return RedirectResponse(path, 303)


# The addresses of the pages for everyone, of their events, and of what the pages are drawn with.


MOST_REVISION = 2**53
_A_DAY = {"cache-control": "public, max-age=86400"}
_A_WHILE = {"cache-control": "public, max-age=300"}
_YEAR = 365 * 24 * 3600
_STATIC = resources.files("companion.hub.web") / "static"

Number = Annotated[int, Path(ge=0, le=2**62)]


public = APIRouter(default_response_class=HTMLResponse)
"""The routes of everyone's pages."""


@public.get("/")
def first(visit: Visitor) -> Response:
    """The tournaments of this hub."""
    return visit.public("/")


@public.get("/t/{tournament}")
def lives(visit: Visitor, tournament: str) -> Response:
    """The tables that play."""
    return visit.public(f"/t/{tournament}")


@public.get("/t/{tournament}/{page}")
def page(visit: Visitor, tournament: str, page: str) -> Response:
    """Standings, programme or the big screen."""
    return visit.public(f"/t/{tournament}/{page}")


@public.get("/t/{tournament}/match/{match:path}")
def match(visit: Visitor, tournament: str, match: str) -> Response:
    """A match, live or over."""
    return visit.public(f"/t/{tournament}/match/{match}")


@public.get("/t/{tournament}/story/{match:path}")
def story(visit: Visitor, tournament: str, match: str) -> Response:
    """A match with its whole story."""
    return visit.public(f"/t/{tournament}/story/{match}")


@public.get("/tables/{table}")
def table(visit: Visitor, table: str) -> Response:
    """What a table plays."""
    return visit.public(f"/tables/{table}")


@public.get("/pictures/{table}/{epoch}/{line}/{number}")
def picture(visit: Visitor, table: str, epoch: Number, line: Number, number: Number) -> Response:
    """A picture of the newest roll; `line` only makes each roll's address its own."""
    image = visit.core.views.picture(table, epoch, number)
    if image is None:
        raise NoSuchPage
    kind = "image/png" if image.startswith(b"\x89PNG") else "image/jpeg"
    return Response(image, media_type=kind, headers=_A_WHILE)


@public.get("/events", response_class=StreamingResponse)
async def events(
    visit: Visitor,
    page: Annotated[str, Query(max_length=500)],
    after: Annotated[int, Query(ge=0, le=MOST_REVISION)] = 0,
    last_event_id: Annotated[str | None, Header(max_length=40)] = None,
) -> Response:
    """The changes of a page as server-sent events whose id is the hub's revision (`Last-Event-ID` goes on)."""
    pages.find(page)
    seen = int(last_event_id) if last_event_id and last_event_id.isascii() and last_event_id.isdigit() else after
    stream = visit.site.feed.stream(page, visit.words.code, min(seen, MOST_REVISION))
    first = await anext(stream)  # a page that is not there is answered before the stream begins

    async def all_of_it():  # type: ignore[no-untyped-def]
        yield first
        async for each in stream:
            yield each

    return StreamingResponse(all_of_it(), media_type="text/event-stream", headers={"x-accel-buffering": "no"})


@public.get("/style.css")
def sheet() -> Response:
    """The style sheet."""
    return Response(drawing.sheet(), media_type="text/css", headers=_A_WHILE)


@public.get("/live.js")
def script() -> Response:
    """What keeps a page up to date."""
    return Response((_STATIC / "live.js").read_text("utf-8"), media_type="text/javascript", headers=_A_WHILE)


@public.get("/icon.svg")
@public.get("/favicon.ico", include_in_schema=False)
def icon() -> Response:
    """The hub's icon: a die on green baize; by the second name browsers ask for it where no page names it."""
    return Response((_STATIC / "icon.svg").read_text("utf-8"), media_type="image/svg+xml", headers=_A_DAY)


@public.get("/fonts/{name}.ttf")
def font(name: str) -> Response:
    """One of the two families; browsers take their own sans-serif where it is not there."""
    found = drawing.FONTS.get(name)
    file = find_font(found[2]) if found else None
    if file is None:
        raise NoSuchPage
    return FileResponse(file, media_type="font/ttf", headers=_A_DAY)


@public.get("/language/{code}")
def language(code: str, back: Annotated[str, Query(max_length=500)] = "/") -> Response:
    """Chooses the language, and goes back."""
    if code not in LANGUAGES:
        raise NoSuchPage
    inside = back.startswith("/") and not back.startswith("//") and "\\" not in back and back.isprintable()
    answer = RedirectResponse(back if inside else "/", 303)
    answer.set_cookie(LANGUAGE_COOKIE, code, max_age=_YEAR, samesite="lax", httponly=True)
    return answer
