"""Malformed input (lone surrogates, infinite numbers, deeply nested objects) does not break the hub."""

from __future__ import annotations

import json
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.hub.core import Core
from companion.tournament import facts as fa
from tests.hub.desk_kit import RunningTournament
from tests.hub.web.pages_kit import called, mark_of, organiser, propose, visitor

HALF = "\ud800"
TEXTS = st.text(st.characters() | st.just(HALF) | st.just("\0"), max_size=8)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
)
EVENTS = st.sampled_from([*fa.FACT_TYPES, HALF])
FIELDS = st.sampled_from(["entry", "name", "match", "table", "score", "why", "carry", "order", "choice", "question"])
FACTS = st.dictionaries(FIELDS | TEXTS, VALUES | st.sampled_from(["e1", "1.1.1"]), max_size=5)


@pytest.fixture
def playing(evening: RunningTournament) -> RunningTournament:
    """Return a tournament whose first round is called."""
    propose(evening, fa.Draw)
    propose(evening, fa.Call)
    return evening


def keys(core: Core, playing: RunningTournament) -> dict[str, str]:
    """Return an organiser's key and a referee's key."""
    table = next(iter(called(playing)))
    return {"organiser": core.keys.issue("organiser", None, "x"), "referee": core.keys.issue("referee", table)}


def sent(client: TestClient, tournament: str, key: str, body: str) -> int:
    headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
    path = f"/api/tournaments/{tournament}/facts"
    return client.post(path, content=body.encode("utf-8", "surrogatepass"), headers=headers).status_code


@pytest.mark.parametrize("role", ["organiser", "referee"])
@pytest.mark.parametrize(
    "fact",
    [
        {"event": HALF},
        {"event": "enter", "entry": "e99", "name": HALF},
        {"event": "enter", "entry": "e99", "name": "Ana", HALF: 1},
        {"event": "result", "match": "1.1.1", "carry": {HALF: [HALF]}},
    ],
)
def test_halves_of_characters_are_refused(
    role: str, fact: dict[str, Any], core: Core, app: FastAPI, playing: RunningTournament
) -> None:
    before = len(core.tournaments.trace(playing.id))
    assert sent(visitor(app), playing.id, keys(core, playing)[role], json.dumps({"fact": fact})) == 422
    assert sent(visitor(app), playing.id, keys(core, playing)[role], json.dumps({"fact": {}, "why": HALF})) == 422
    assert len(core.tournaments.trace(playing.id)) == before


@pytest.mark.parametrize(
    "body",
    [
        '{"fact": {"event": ' + "9" * 5000 + "}}",
        '{"fact": ' + "[" * 100_000 + "]" * 100_000 + "}",
        '{"fact": ' + '{"a":' * 5000 + "1" + "}" * 5001,
        '{"fact": {"event": "enter", "entry": "e99", "name": "x", "seed": NaN}}',
        '{"fact": {"event": "enter", "entry": "e99", "name": "x", "seed": ' + "9" * 4000 + "}}",
        '{"fact": {"event": "rule", "question": "' + "q" * 60_000 + '", "choice": "x"}}',
    ],
)
def test_what_has_no_end_is_refused(body: str, core: Core, app: FastAPI, playing: RunningTournament) -> None:
    assert 400 <= sent(visitor(app), playing.id, keys(core, playing)["organiser"], body) < 500


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@given(st.builds(lambda event, fields: {"event": event, **fields}, EVENTS, FACTS), st.sampled_from(["fr", "en"]))
def test_no_fact_breaks_the_hub(
    app: FastAPI, core: Core, playing: RunningTournament, fact: dict[str, Any], code: str
) -> None:
    client = visitor(app)
    client.headers["accept-language"] = code
    for key in keys(core, playing).values():
        assert sent(client, playing.id, key, json.dumps({"fact": fact})) < 500


@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@given(event=EVENTS, fields=st.dictionaries(FIELDS, st.text(max_size=8), max_size=5), raw=st.binary(max_size=8))
def test_no_form_breaks_the_hub(
    app: FastAPI, playing: RunningTournament, event: str, fields: dict[str, str], raw: bytes
) -> None:
    desk = organiser(app)
    here = f"/desk/t/{playing.id}"
    mark = mark_of(desk.get(here))
    data = {"form": mark, "page": "overview", "event": event.replace(HALF, "x"), **fields}
    assert desk.post(here, data=data).status_code < 500
    broken = f"form={mark}&page=overview&event=enter&name=".encode() + raw
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    assert desk.post(here, content=broken, headers=headers).status_code < 500
