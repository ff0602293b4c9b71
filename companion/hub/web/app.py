"""Puts the hub's pages together: routes, guards in front of them, answers to what goes wrong; and the server."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from socket import socket
from typing import Any

import uvicorn
from argon2 import PasswordHasher
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from starlette.exceptions import HTTPException

from companion import __version__
from companion.games.base import Refusal
from companion.hub.database import HubError, UnknownJournal, UnknownTournament
from companion.hub.web import api, authentication, exports, organiser, site
from companion.hub.web.authentication import Access
from companion.hub.web.middleware import Guard, SafeHeaders
from companion.hub.web.pages import NoSuchPage, Parts
from companion.hub.web.site import Forbidden, LoginFirst, Site, Visit, to

STOP_SECONDS = 3


def make_app(parts: Parts, hasher: PasswordHasher | None = None) -> FastAPI:
    """The application of the hub's pages. Its `state.site` has the `access` (for the set-up link) and the `feed`."""
    shared = Site(parts, Access(parts.core.keys, hasher))

    @asynccontextmanager
    async def following(_: FastAPI) -> AsyncIterator[None]:
        task = asyncio.create_task(shared.feed.run())
        yield
        shared.feed.close()
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task

    app = FastAPI(
        title="Tapis Vert",
        version=__version__,
        description=api.DESCRIPTION,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
        lifespan=following,
    )
    app.state.site = shared
    for routes in (site.public, api.routes, exports.routes, authentication.routes, organiser.routes):
        app.include_router(routes)
    _answers(app)
    app.add_middleware(SafeHeaders)
    app.add_middleware(  # the last one added is the first
        Guard,
        limits=parts.limits,
        monotonic=parts.clock.monotonic,
        revision=lambda: parts.core.database.revision,
        proved=shared.proved,
    )
    return app


def _answers(app: FastAPI) -> None:
    """What visitors are told when a page cannot be shown."""

    def told(request: Request, status: int, id: str, **args: Any) -> Response:
        visit = Visit(request)
        sentence = visit.words.t(id, **args)
        if request.url.path.startswith("/api/"):
            return JSONResponse({"detail": sentence}, status)
        return visit.page("sorry.html", status, title=sentence, sentence=sentence)

    @app.exception_handler(LoginFirst)
    def login_first(request: Request, _: LoginFirst) -> Response:
        return to("/desk/login") if request.method == "GET" else told(request, 403, "web.sorry.forbidden")

    @app.exception_handler(Forbidden)
    def forbidden(request: Request, _: Forbidden) -> Response:
        return told(request, 403, "web.sorry.forbidden")

    @app.exception_handler(NoSuchPage)
    @app.exception_handler(UnknownTournament)
    @app.exception_handler(UnknownJournal)
    def missing(request: Request, _: Exception) -> Response:
        return told(request, 404, "web.sorry.missing")

    @app.exception_handler(Refusal)
    def refused(request: Request, refusal: Refusal) -> Response:
        visit = Visit(request)
        sentence = visit.words.say(refusal.message)
        if request.url.path.startswith("/api/"):
            return JSONResponse({"detail": sentence, "rule": refusal.rule}, 409)
        return visit.page("sorry.html", 409, title=visit.words.t("web.refused"), sentence=sentence)

    @app.exception_handler(HubError)
    def database(request: Request, error: HubError) -> Response:
        if request.url.path.startswith("/desk"):  # where it lies and how to get it back is the organiser's
            return told(request, 503, error.message.id, **error.message.args)
        return told(request, 503, "web.sorry.database")

    @app.exception_handler(RequestValidationError)
    def unreadable(request: Request, _: RequestValidationError) -> Response:
        return told(request, 422, "web.sorry.unreadable")

    @app.exception_handler(HTTPException)
    def other(request: Request, error: HTTPException) -> Response:
        known = {404: "web.sorry.missing", 405: "web.sorry.method"}
        answer = told(request, error.status_code, known.get(error.status_code, "web.sorry.unreadable"))
        answer.headers.update(error.headers or {})
        return answer


class PageServer(uvicorn.Server):
    """uvicorn's server, which ends the streams of events first when it is to stop: they would never end themselves."""

    async def shutdown(self, sockets: list[socket] | None = None) -> None:
        """Stops; open pages find the hub again when it is back."""
        self.config.app.state.site.feed.close()  # type: ignore[union-attr]
        await super().shutdown(sockets)


def server(app: FastAPI, host: str, port: int, certificate: str | None = None, key: str | None = None) -> PageServer:
    """The server of the pages, to be run with `serve()`. `certificate` and `key` are files, for TLS."""
    config = uvicorn.Config(
        app,
        host=host,
        port=port,
        ssl_certfile=certificate,
        ssl_keyfile=key,
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=STOP_SECONDS,
    )
    return PageServer(config)
