"""The addresses of the pages for everyone, of their events, and of what the pages are drawn with."""

from __future__ import annotations

from importlib import resources
from typing import Annotated

from fastapi import APIRouter, Header, Path, Query, Request
from fastapi.responses import FileResponse, HTMLResponse, RedirectResponse, Response, StreamingResponse

from companion.hub.web import public, style
from companion.hub.web.parts import NoSuchPage
from companion.hub.web.ready import LANGUAGE_COOKIE
from companion.hub.web.site import Site
from companion.language import LANGUAGES
from companion.typefaces import find as find_font

MOST_REVISION = 2**53
_A_DAY = {"cache-control": "public, max-age=86400"}
_A_WHILE = {"cache-control": "public, max-age=300"}
_YEAR = 365 * 24 * 3600

Number = Annotated[int, Path(ge=0, le=2**62)]


def router(site: Site) -> APIRouter:
    """The routes of everyone's pages."""
    routes = APIRouter(default_response_class=HTMLResponse)

    @routes.get("/")
    def first(request: Request) -> Response:
        """The tournaments of this hub."""
        return site.public(request, "/")

    @routes.get("/t/{tournament}")
    def lives(request: Request, tournament: str) -> Response:
        """The tables that play."""
        return site.public(request, f"/t/{tournament}")

    @routes.get("/t/{tournament}/{page}")
    def page(request: Request, tournament: str, page: str) -> Response:
        """Standings, programme or the big screen."""
        return site.public(request, f"/t/{tournament}/{page}")

    @routes.get("/t/{tournament}/match/{match:path}")
    def match(request: Request, tournament: str, match: str) -> Response:
        """A match, live or over."""
        return site.public(request, f"/t/{tournament}/match/{match}")

    @routes.get("/t/{tournament}/story/{match:path}")
    def story(request: Request, tournament: str, match: str) -> Response:
        """A match with its whole story."""
        return site.public(request, f"/t/{tournament}/story/{match}")

    @routes.get("/tables/{table}")
    def table(request: Request, table: str) -> Response:
        """What a table plays."""
        return site.public(request, f"/tables/{table}")

    @routes.get("/pictures/{table}/{epoch}/{line}/{number}")
    def picture(table: str, epoch: Number, line: Number, number: Number) -> Response:
        """A picture of the newest roll; `line` only makes each roll's address its own."""
        image = site.parts.core.views.picture(table, epoch, number)
        if image is None:
            raise NoSuchPage
        kind = "image/png" if image.startswith(b"\x89PNG") else "image/jpeg"
        return Response(image, media_type=kind, headers=_A_WHILE)

    _events(routes, site)
    _drawn_with(routes)
    return routes


def _events(routes: APIRouter, site: Site) -> None:
    @routes.get("/events", response_class=StreamingResponse)
    async def events(
        request: Request,
        page: Annotated[str, Query(max_length=500)],
        after: Annotated[int, Query(ge=0, le=MOST_REVISION)] = 0,
        last_event_id: Annotated[str | None, Header(max_length=40)] = None,
    ) -> Response:
        """The changes of a page as server-sent events whose id is the hub's revision (`Last-Event-ID` goes on)."""
        public.find(site.parts, page)
        seen = int(last_event_id) if last_event_id and last_event_id.isascii() and last_event_id.isdigit() else after
        stream = site.feed.stream(page, site.words(request).code, min(seen, MOST_REVISION))
        first = await anext(stream)  # a page that is not there is answered before the stream begins

        async def all_of_it():  # type: ignore[no-untyped-def]
            yield first
            async for each in stream:
                yield each

        return StreamingResponse(all_of_it(), media_type="text/event-stream", headers={"x-accel-buffering": "no"})


def _drawn_with(routes: APIRouter) -> None:
    static = resources.files("companion.hub.web") / "static"

    @routes.get("/style.css")
    def sheet() -> Response:
        """The style sheet."""
        return Response(style.sheet(), media_type="text/css", headers=_A_WHILE)

    @routes.get("/live.js")
    def script() -> Response:
        """What keeps a page up to date."""
        return Response((static / "live.js").read_text("utf-8"), media_type="text/javascript", headers=_A_WHILE)

    @routes.get("/icon.svg")
    @routes.get("/favicon.ico", include_in_schema=False)
    def icon() -> Response:
        """The hub's icon: a die on green baize; by the second name browsers ask for it where no page names it."""
        return Response((static / "icon.svg").read_text("utf-8"), media_type="image/svg+xml", headers=_A_DAY)

    @routes.get("/fonts/{name}.ttf")
    def font(name: str) -> Response:
        """One of the two families; browsers take their own sans-serif where it is not there."""
        found = style.FONTS.get(name)
        file = find_font(found[2]) if found else None
        if file is None:
            raise NoSuchPage
        return FileResponse(file, media_type="font/ttf", headers=_A_DAY)

    @routes.get("/language/{code}")
    def language(code: str, back: Annotated[str, Query(max_length=500)] = "/") -> Response:
        """Chooses the language, and goes back."""
        if code not in LANGUAGES:
            raise NoSuchPage
        inside = back.startswith("/") and not back.startswith("//") and "\\" not in back and back.isprintable()
        answer = RedirectResponse(back if inside else "/", 303)
        answer.set_cookie(LANGUAGE_COOKIE, code, max_age=_YEAR, samesite="lax", httponly=True)
        return answer
