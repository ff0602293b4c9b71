"""Headers that every answer carries: no script, style or frame but the hub's own."""

from __future__ import annotations

from companion.hub.web.asgi import App, Receive, Scope, Send

_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)
_ALWAYS = (
    (b"content-security-policy", _POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"same-origin"),
)


class SafeHeaders:
    """The ASGI application around the hub's own that adds them."""

    def __init__(self, app: App) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes a request on; its answer gets the headers, and is not kept by anyone unless it says otherwise."""

        async def with_headers(message: Scope) -> None:
            if message["type"] == "http.response.start":
                headers = list(message["headers"])
                if not any(name == b"cache-control" for name, _ in headers):
                    headers.append((b"cache-control", b"no-store"))
                message["headers"] = headers + list(_ALWAYS)
            await send(message)

        await self._app(scope, receive, with_headers if scope["type"] == "http" else send)
