"""What every page of the hub shares: templates, words of the visitor, who is logged in, and the answers they get."""

from __future__ import annotations

import hmac
from importlib import resources
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import APIRouter, Header, Path, Query, Request
from fastapi.responses import FileResponse, HTMLResponse, RedirectResponse, Response, StreamingResponse
from jinja2 import Environment, PackageLoader, StrictUndefined

from companion.hub.web import drawing, pages
from companion.hub.web.forms import Form, one
from companion.hub.web.live_updates import Feed
from companion.hub.web.middleware import LANGUAGE_COOKIE, SESSION_COOKIE, Proved
from companion.hub.web.pages import NoSuchPage, Part, Parts
from companion.hub.web.wording import Words, fact_detail, fact_name, preferred
from companion.language import LANGUAGES
from companion.typefaces import find as find_font

if TYPE_CHECKING:
    from companion.hub.web.authentication import Access, Session


class Forbidden(Exception):
    """Not without logging in, or not with this form."""


class LoginFirst(Exception):
    """The page is the organiser's."""


class Site:
    """The pages put together with what they work with."""

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
            lambda path: pages.find(parts, path),
            lambda code: Words(code, parts.zone),
            self.part,
        )

    def words(self, request: Request) -> Words:
        """The words of a visitor."""
        code = preferred(request.headers.get("accept-language", ""), request.cookies.get(LANGUAGE_COOKIE))
        return Words(code, self.parts.zone)

    def part(self, part: Part, words: Words) -> str:
        """The part of a page that follows the changes, as HTML."""
        return self._env.get_template(part.template).render(part.values | self._shared(words))

    def page(self, request: Request, template: str, words: Words, status: int = 200, **values: Any) -> HTMLResponse:
        """A whole page."""
        shared = self._shared(words) | {"path": request.url.path, "body": "", "part": None}
        return HTMLResponse(self._env.get_template(template).render(shared | values), status)

    def public(self, request: Request, path: str) -> HTMLResponse:
        """A page for everyone. Raises NoSuchPage."""
        words = self.words(request)
        revision = self.parts.core.views.revision()
        part = pages.find(self.parts, path)(words)
        state = part.values.get("shown")
        head = state.state.plan.name if state is not None else part.title
        number = getattr(part.values.get("match"), "table", None)
        values = part.values | {"part": part, "title": part.title, "head": head, "body": part.body}
        return self.page(
            request,
            "page.html",
            words,
            **values,
            sub=words.t("web.table", number=number) if number else "",
            revision=revision,
            turn=pages.TURN_SECONDS,
            address=f"{self.parts.address}/t/{part.tournament}",
        )

    def session(self, request: Request) -> Session | None:
        """Who is logged in."""
        secret = request.cookies.get(SESSION_COOKIE)
        found = self.access.session(secret)
        if secret is not None and found is not None:
            self.proved.add(secret)
        elif secret is not None:
            self.proved.remove(secret)
        return found

    def organiser(self, request: Request) -> Session:
        """The organiser who asks. Raises LoginFirst for anybody else."""
        session = self.session(request)
        if session is None or session.table is not None:
            raise LoginFirst
        return session

    def checked(self, request: Request, session: Session | None, form: Form) -> Session:
        """The session whose own form this is. Raises Forbidden for a form from elsewhere."""
        if session is None or not hmac.compare_digest(session.form.encode(), one(form, "form").encode()):
            raise Forbidden
        self.same_site(request)
        return session

    def same_site(self, request: Request) -> None:
        """Raises Forbidden for a request that another site's page makes."""
        origin = request.headers.get("origin")
        if origin is not None and origin.partition("://")[2] != request.headers.get("host"):
            raise Forbidden
        if request.headers.get("sec-fetch-site", "none") not in ("same-origin", "none"):
            raise Forbidden

    def log_in(self, answer: Response, secret: str) -> Response:
        """Sets the cookie of a session."""
        self.proved.add(secret)
        answer.set_cookie(SESSION_COOKIE, secret, httponly=True, secure=self.parts.secure, samesite="strict", path="/")
        return answer

    def _shared(self, words: Words) -> dict[str, Any]:
        return {"t": words.t, "words": words}


def to(path: str) -> RedirectResponse:
    """On to a page, after a form."""
    return RedirectResponse(path, 303)


# The addresses of the pages for everyone, of their events, and of what the pages are drawn with.


MOST_REVISION = 2**53
_A_DAY = {"cache-control": "public, max-age=86400"}
_A_WHILE = {"cache-control": "public, max-age=300"}
_YEAR = 365 * 24 * 3600

Number = Annotated[int, Path(ge=0, le=2**62)]


def public_router(site: Site) -> APIRouter:
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
        pages.find(site.parts, page)
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
        return Response(drawing.sheet(), media_type="text/css", headers=_A_WHILE)

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
        found = drawing.FONTS.get(name)
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
