"""Reads a form's fields off the event loop's way: the body there, what it leads to in another thread."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import parse_qsl

from fastapi import Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import Response
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect

from companion.hub.web.forms import Form

MOST_FIELDS = 4000


async def read_form(request: Request, answer: Callable[[Form], Response]) -> Response:
    """The answer to a form. Raises HTTPException 400 for what is no form."""
    try:
        body = await request.body()
    except ClientDisconnect:
        raise HTTPException(413) from None
    try:
        pairs = parse_qsl(
            body.decode("utf-8"), keep_blank_values=True, strict_parsing=False, max_num_fields=MOST_FIELDS
        )
    except ValueError:
        raise HTTPException(400) from None
    form: dict[str, list[str]] = {}
    for name, value in pairs:
        form.setdefault(name, []).append(value.replace("\r\n", "\n"))
    return await run_in_threadpool(answer, form)
