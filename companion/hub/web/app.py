"""Assembles the hub's web application: routes, middleware, error pages, and the server."""

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
from companion.hub.database import DatabaseError, UnknownJournal, UnknownTournament
from companion.hub.web import api, authentication, exports, organiser, site
from companion.hub.web.authentication import Authenticator
from companion.hub.web.middleware import RequestGuard, SecurityHeaders
from companion.hub.web.pages import NoSuchPage, PageDependencies
from companion.hub.web.site import Forbidden, LoginFirst, RequestContext, Site, redirect_to

STOP_SECONDS = 3


def make_app(parts: PageDependencies, hasher: PasswordHasher | None = None) -> FastAPI:
    """Return the application of the hub's pages.

    Its `state.site` holds the `access` (for the set-up link) and the `feed`.
    """
    shared = Site(parts, Authenticator(parts.core.keys, hasher))

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
    _add_exception_handlers(app)
    app.add_middleware(SecurityHeaders)
    app.add_middleware(  # the last middleware added runs first
        RequestGuard,
        limits=parts.limits,
        monotonic=parts.clock.monotonic,
        revision=lambda: parts.core.database.revision,
        known_sessions=shared.known_sessions,
    )
    return app


def _add_exception_handlers(app: FastAPI) -> None:
    """Register the error pages."""

    def error_response(request: Request, status: int, id: str, **args: Any) -> Response:
        context = RequestContext(request)
        sentence = context.locale.t(id, **args)
        if request.url.path.startswith("/api/"):
            return JSONResponse({"detail": sentence}, status)
        return context.page("error.html", status, title=sentence, sentence=sentence)

    @app.exception_handler(LoginFirst)
    def login_first(request: Request, _: LoginFirst) -> Response:
        return (
            redirect_to("/desk/login")
            if request.method == "GET"
            else error_response(request, 403, "web.sorry.forbidden")
        )

    @app.exception_handler(Forbidden)
    def forbidden(request: Request, _: Forbidden) -> Response:
        return error_response(request, 403, "web.sorry.forbidden")

    @app.exception_handler(NoSuchPage)
    @app.exception_handler(UnknownTournament)
    @app.exception_handler(UnknownJournal)
    def missing(request: Request, _: Exception) -> Response:
        return error_response(request, 404, "web.sorry.missing")

    @app.exception_handler(Refusal)
    def refused(request: Request, refusal: Refusal) -> Response:
        context = RequestContext(request)
        sentence = context.locale.text(refusal.message)
        if request.url.path.startswith("/api/"):
            return JSONResponse({"detail": sentence, "rule": refusal.rule}, 409)
        return context.page("error.html", 409, title=context.locale.t("web.refused"), sentence=sentence)

    @app.exception_handler(DatabaseError)
    def database(request: Request, error: DatabaseError) -> Response:
        if request.url.path.startswith("/desk"):  # location and recovery hints are for the organiser only
            return error_response(request, 503, error.message.id, **error.message.args)
        return error_response(request, 503, "web.sorry.database")

    @app.exception_handler(RequestValidationError)
    def unreadable(request: Request, _: RequestValidationError) -> Response:
        return error_response(request, 422, "web.sorry.unreadable")

    @app.exception_handler(HTTPException)
    def other(request: Request, error: HTTPException) -> Response:
        known = {404: "web.sorry.missing", 405: "web.sorry.method"}
        answer = error_response(request, error.status_code, known.get(error.status_code, "web.sorry.unreadable"))
        answer.headers.update(error.headers or {})
        return answer


class PageServer(uvicorn.Server):
    """A uvicorn server that closes the event streams before it stops: they never end on their own."""

    async def shutdown(self, sockets: list[socket] | None = None) -> None:
        """Stop the server. Open pages reconnect when the hub is back."""
        self.config.app.state.site.feed.close()  # type: ignore[union-attr]
        await super().shutdown(sockets)


def server(app: FastAPI, host: str, port: int, certificate: str | None = None, key: str | None = None) -> PageServer:
    """Return the server of the pages; run it with `serve()`. `certificate` and `key` are file paths for TLS."""
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
