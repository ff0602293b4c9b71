"""Assembles the hub's web application: routes, middleware, error pages, and the server."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
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
from companion.hub.password_link import PasswordLink
from companion.hub.web import api, authentication, exports, organiser, pairing, printouts, site
from companion.hub.web.authentication import Authenticator
from companion.hub.web.connections import (
    ConnectionGuard,
    ConnectionLimits,
    Connections,
    LimitedListener,
    max_open_files,
)
from companion.hub.web.middleware import RequestGuard, SecurityHeaders
from companion.hub.web.pages import NoSuchPage, PageDependencies
from companion.hub.web.site import Forbidden, LoginFirst, RequestContext, Site, redirect_to

STOP_SECONDS = 3


def make_app(
    parts: PageDependencies, hasher: PasswordHasher | None = None, connections: Connections | None = None
) -> FastAPI:
    """Return the application of the hub's pages.

    Its `state.site` holds the `access` (for the set-up link) and the `feed`. Its `state.connections` are those of its
    server; their limits follow from the number of files that the process may open.
    """
    link = PasswordLink(parts.folder, parts.clock)
    shared = Site(parts, Authenticator(parts.core.keys, link, hasher))
    if connections is None:
        connections = Connections(ConnectionLimits.of(max_open_files()), parts.clock.monotonic)

    @asynccontextmanager
    async def following(_: FastAPI) -> AsyncIterator[None]:
        tasks = [asyncio.create_task(each) for each in (shared.feed.run(), connections.sweep())]
        yield
        shared.feed.close()
        for task in tasks:
            task.cancel()
        for task in tasks:
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
    app.state.site, app.state.connections = shared, connections
    pages = (site.public, pairing.routes, api.routes, exports.routes, printouts.routes)
    for routes in (*pages, authentication.routes, organiser.routes):
        app.include_router(routes)
    _add_exception_handlers(app)
    app.add_middleware(SecurityHeaders)
    app.add_middleware(  # the middleware added last runs first
        RequestGuard,
        limits=replace(parts.limits, streams_of_addresses=connections.limits.streams),
        monotonic=parts.clock.monotonic,
        revision=lambda: parts.core.database.revision,
        clients=shared.clients,
    )
    app.add_middleware(ConnectionGuard, connections=connections)
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
    """A uvicorn server that limits its connections, and closes the event streams before it stops.

    Event streams never end on their own.
    """

    async def startup(self, sockets: list[socket] | None = None) -> None:
        """Start to accept connections."""
        connections: Connections = self.config.app.state.connections  # type: ignore[union-attr]
        listeners = sockets or [self.config.bind_socket()]
        await super().startup([LimitedListener(each, connections) for each in listeners])

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
