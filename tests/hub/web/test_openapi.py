"""No API request causes a server error (schemathesis on the API's own description)."""

from __future__ import annotations

import pytest
from fastapi import FastAPI
from hypothesis import HealthCheck, Phase, settings

from companion.clock import ManualClock
from companion.hub.core import Core
from companion.tournament import facts as fa
from tests.hub.web.pages_kit import ADDRESS, PASSWORD, pages, propose, start_tournament

schemathesis = pytest.importorskip("schemathesis", reason="it comes with the extra `web`")

EXAMPLES = 25
"""Cases per operation; ten times as many when this file runs alone."""


@pytest.fixture
def described(core: Core, clock: ManualClock) -> FastAPI:
    """Return the pages of a running tournament."""
    evening = start_tournament(core)
    propose(evening, fa.Draw)
    propose(evening, fa.Call)
    return pages(core, clock)


def test_no_request_breaks_the_hub(described: FastAPI, core: Core) -> None:
    """Requests use the organiser's key and session to get past authentication, with existing and unknown ids."""
    access, tournament = described.state.site.access, core.tournaments.all()[0].id
    access.set_password(access.set_up_key(), PASSWORD)
    secret = access.start_session("Claire")
    key = core.keys.issue("organiser", None, "x")
    form = access.find_session(secret).csrf_token
    schema = schemathesis.openapi.from_asgi("/api/openapi.json", described)
    broken: list[str] = []

    def asked(operation: object) -> None:
        @schemathesis_cases(operation)
        def one(case: object) -> None:
            if "tournament" in (case.path_parameters or {}) and len(case.path_parameters["tournament"]) % 2:  # type: ignore[attr-defined]
                case.path_parameters["tournament"] = tournament  # type: ignore[attr-defined]
            extra = {"authorization": f"Bearer {key}", "cookie": f"session={secret}"}
            answer = case.call(headers=extra, base_url=ADDRESS)  # type: ignore[attr-defined]
            if answer.status_code >= 500 and answer.status_code != 503:
                broken.append(f"{case.method} {case.path}: {answer.status_code}")  # type: ignore[attr-defined]

        one()

    request_count = 0
    for found in schema.get_all_operations():
        operation = found.ok()
        if operation.path == "/events":
            continue  # it never ends
        request_count += 1
        asked(operation)
    assert request_count > 30
    assert broken == []
    assert form


def schemathesis_cases(operation: object) -> object:
    """Run a check on the cases generated from an operation's description."""
    from hypothesis import given

    quick = settings(
        max_examples=EXAMPLES,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    return lambda check: quick(given(case=operation.as_strategy())(check))  # type: ignore[attr-defined]
