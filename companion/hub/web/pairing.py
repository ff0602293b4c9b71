"""The requests of tables that join by a pairing code, as JSON. `docs/WIRE.md` describes them."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Header
from fastapi.responses import JSONResponse, Response

from companion.hub.pairing import VALID_S, TooManyRequests
from companion.hub.web.middleware import client_of
from companion.hub.web.pages import NoSuchPage
from companion.hub.web.site import Visitor

_BEARER = "Bearer "

routes = APIRouter(prefix="/pairing", default_response_class=JSONResponse, include_in_schema=False)
"""The routes of pairing. They need no login: a request alone opens nothing."""

Secret = Annotated[str, Header(alias="authorization", max_length=200)]


@routes.post("")
async def ask(context: Visitor) -> Response:
    """Open a request. Returns its secret, the code that the table shows, and for how many seconds it is valid."""
    context.check_origin()
    if context.dependencies.link is None:
        raise NoSuchPage
    scope = context.request.scope
    wait = context.site.pairing_asks.acquire(client_of(scope).id)
    if wait:
        return _too_many(wait)
    try:
        secret, made = context.site.pairing.ask((scope.get("client") or ("", 0))[0])
    except TooManyRequests:
        return _too_many(VALID_S)
    return JSONResponse({"secret": secret, "code": made.code, "seconds": VALID_S})


@routes.get("")
async def status(context: Visitor, authorization: Secret = "") -> Response:
    """Return the status of a request: waiting, approved with address and token, refused, or gone."""
    found = context.site.pairing.of(authorization.removeprefix(_BEARER))
    if found is None:
        return JSONResponse({"status": "gone"})
    if found.answer is None:
        return JSONResponse({"status": found.status})
    address, token = found.answer
    return JSONResponse({"status": found.status, "address": address, "token": token})


@routes.delete("")
async def withdraw(context: Visitor, authorization: Secret = "") -> Response:
    """Close a request: the table has joined, or was told not to."""
    context.site.pairing.withdraw(authorization.removeprefix(_BEARER))
    return JSONResponse({"status": "gone"})


def _too_many(wait: float) -> Response:
    return JSONResponse({"status": "too_many"}, 429, {"retry-after": str(max(1, int(wait + 0.999)))})
