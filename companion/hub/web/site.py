"""What every page of the hub shares: templates, words of the visitor, who is logged in, and the answers they get."""

from __future__ import annotations

import hmac
from typing import Any

from fastapi import Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from jinja2 import Environment, PackageLoader, StrictUndefined

from companion.hub.web import marks, public
from companion.hub.web.access import Access, Session
from companion.hub.web.fact_words import fact_detail, fact_name
from companion.hub.web.feed import Feed
from companion.hub.web.forms import Form, one
from companion.hub.web.limits import SESSION_COOKIE, Proved
from companion.hub.web.parts import Part, Parts
from companion.hub.web.ready import LANGUAGE_COOKIE
from companion.hub.web.words import Words, preferred


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
        self._env.globals.update(icon=marks.icon, badge=marks.badge, ball=marks.ball)
        self._env.globals.update(fact_name=fact_name, fact_detail=fact_detail)
        self.feed = Feed(
            parts.core.views,
            lambda path: public.find(parts, path),
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
        part = public.find(self.parts, path)(words)
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
            turn=public.TURN_SECONDS,
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
