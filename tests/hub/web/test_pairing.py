"""Joining by a pairing code: the table's own request over HTTP, the desk that lets it in, and every way it fails."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from dataclasses import replace

import pytest
from fastapi.testclient import TestClient

from companion.clock import ManualClock
from companion.games.base import Refusal
from companion.hub.core import Core
from companion.hub.pairing import MAX_REQUESTS, MAX_REQUESTS_PER_ADDRESS, VALID_S, PairingDesk, TooManyRequests
from companion.hub.web.app import make_app, server
from companion.hub.web.middleware import Limits
from companion.hub.web.pages import PageDependencies
from companion.link.pairing import PairingAttempt, pages_address, pairing_address_fault
from companion.messages.token import Token, format_token, invitation, parse_token
from tests.hub.web.pages_kit import FAST_HASHER, FREE, mark_of, organiser, visitor
from tests.link.hall import expect
from tools.trials.local_postgres import free_port

LINK = "hub.example:4222"
INTERVAL_S = 0.02


def admitted(table: str, key: str) -> tuple[str, str]:
    """Return a token for a table and its QR text, as a broker would."""
    token = format_token(Token(table, key))
    return token, invitation(LINK, token)


def parts_of(core: Core, clock: ManualClock, limits: Limits = FREE) -> PageDependencies:
    """Return the parts of pages to which tables can be let in."""
    return PageDependencies(core, clock, "http://hub.example:8000", LINK, limits=limits, admitted=admitted)


class ServedPages:
    """The pages of a core on a port, until `stop`."""

    def __init__(self, core: Core, clock: ManualClock, port: int = 0) -> None:
        self.port = port or free_port()
        self.app = make_app(parts_of(core, clock, replace(FREE, pairing=FREE.reading)), FAST_HASHER)
        self._server = server(self.app, "127.0.0.1", self.port)
        self._thread = threading.Thread(target=self._server.run)
        self._thread.start()
        while not self._server.started:
            self._thread.join(0.01)

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.port}"

    def stop(self) -> None:
        self._server.should_exit = True
        self._thread.join()


@pytest.fixture
def served(core: Core, clock: ManualClock) -> Iterator[ServedPages]:
    pages = ServedPages(core, clock)
    yield pages
    pages.stop()


def waiting(address: str) -> PairingAttempt:
    """Return a table's request once its code is there."""
    attempt = PairingAttempt(address, INTERVAL_S)
    expect(lambda: bool(attempt.state().code), "a code")
    return attempt


def failed(attempt: PairingAttempt) -> str:
    """Return the sentence with which a request ends."""
    expect(lambda: attempt.state().step == "failed", "the end of the request")
    trouble = attempt.state().trouble
    assert trouble is not None
    return trouble.id


def type_code(desk: TestClient, code: str, table: str = "t2", **more: str) -> int:
    """Type a code at the desk. Returns the status of the answer."""
    fields = {"form": mark_of(desk.get("/desk/tables")), "code": code, "of_table": table, **more}
    return desk.post("/desk/do/pair", data=fields).status_code


def test_the_desk_lets_the_table_in_that_shows_the_code(served: ServedPages, core: Core) -> None:
    desk, attempt = organiser(served.app), waiting(served.address)
    other = waiting(served.address)
    state = attempt.state()
    assert re.fullmatch("[0-9]{6}", state.code)
    assert state.code != other.state().code
    page = desk.get("/desk/tables").text
    assert "127.0.0.1" in page
    assert state.code not in page, "the desk reads it at the table"
    assert type_code(desk, f"{state.code[:3]} {state.code[3:]}") == 200
    expect(lambda: attempt.state().step == "joined", "address and token")
    invited = attempt.state().invitation
    assert invited is not None
    address, token = invited
    assert address == LINK
    assert parse_token(token).table == "t2"
    found = core.keys.check(parse_token(token).key)
    assert found is not None
    assert (found.role, found.table) == ("table", "t2")
    assert token not in repr(attempt.state())
    assert other.state().invitation is None
    assert other.state().step == "waiting"
    assert type_code(desk, state.code) == 409, "a code counts once"
    other.close()


def test_a_code_makes_a_new_table(served: ServedPages, core: Core) -> None:
    desk, attempt = organiser(served.app), waiting(served.address)
    assert type_code(desk, attempt.state().code, "", number="9") == 200
    expect(lambda: attempt.state().step == "joined", "address and token")
    assert core.tables.number_of("table-9") == 9


def test_the_desk_turns_a_table_away(served: ServedPages) -> None:
    desk, attempt = organiser(served.app), waiting(served.address)
    page = desk.get("/desk/tables")
    request = re.search(r'name="request" value="([0-9a-f]+)"', page.text)
    assert request is not None
    fields = {"form": mark_of(page), "request": request[1]}
    assert desk.post("/desk/do/turn_away", data=fields).status_code == 200
    assert failed(attempt) == "link.pairing.refused"
    assert desk.post("/desk/do/turn_away", data=fields).status_code == 409


def test_a_code_expires(served: ServedPages, clock: ManualClock) -> None:
    desk, attempt = organiser(served.app), waiting(served.address)
    clock.advance(VALID_S)
    assert failed(attempt) == "link.pairing.gone"
    assert type_code(desk, attempt.state().code or "000000") == 409


def test_a_hub_that_is_away_is_awaited_and_a_new_one_forgets(core: Core, clock: ManualClock) -> None:
    pages = ServedPages(core, clock)
    attempt = waiting(pages.address)
    pages.stop()
    expect(lambda: attempt.state().trouble is not None, "the hub is away")
    state = attempt.state()
    assert (state.step, state.trouble and state.trouble.id) == ("waiting", "link.pairing.away")
    pages = ServedPages(core, clock, pages.port)
    try:
        assert failed(attempt) == "link.pairing.gone"
    finally:
        pages.stop()


def test_nobody_at_the_address() -> None:
    assert failed(PairingAttempt(f"127.0.0.1:{free_port()}", INTERVAL_S)) == "link.pairing.unreachable"


def test_too_many_requests_of_one_address(served: ServedPages) -> None:
    attempts = [waiting(served.address) for _ in range(MAX_REQUESTS_PER_ADDRESS)]
    assert failed(PairingAttempt(served.address, INTERVAL_S)) == "link.pairing.too_many"
    for each in attempts:
        each.close()
    expect(lambda: served.app.state.site.pairing.waiting() == (), "the hub forgets what a table has closed")
    waiting(served.address).close()


def test_requests_of_an_address_are_rate_limited(core: Core, clock: ManualClock) -> None:
    client = visitor(make_app(parts_of(core, clock, Limits()), FAST_HASHER))
    made = 0
    while (answer := client.post("/pairing")).status_code == 200:
        client.delete("/pairing", headers={"authorization": f"Bearer {answer.json()['secret']}"})
        made += 1
    assert (answer.status_code, made) == (429, int(Limits().pairing.burst))
    clock.advance(1 / Limits().pairing.per_second)
    assert client.post("/pairing").status_code == 200


def test_only_the_secret_reads_an_answer_and_only_an_organiser_gives_one(served: ServedPages) -> None:
    client = visitor(served.app)
    asked = client.post("/pairing").json()
    assert organiser(served.app).get("/desk/tables").status_code == 200
    for secret in ("", asked["code"], asked["secret"][:-1], "x" * 150):
        assert client.get("/pairing", headers={"authorization": f"Bearer {secret}"}).json() == {"status": "gone"}
    answer = client.post("/desk/do/pair", data={"code": asked["code"], "of_table": "t1"})
    assert answer.status_code == 403
    known = {"authorization": f"Bearer {asked['secret']}"}
    assert client.get("/pairing", headers=known).json() == {"status": "waiting"}
    assert client.post("/pairing", headers={"origin": "http://other.example"}).status_code == 403


def test_a_hub_without_a_port_for_tables_takes_no_request(core: Core, clock: ManualClock) -> None:
    app = make_app(replace(parts_of(core, clock), link=None), FAST_HASHER)
    assert visitor(app).post("/pairing").status_code == 404
    assert "/desk/do/pair" not in organiser(app).get("/desk/tables").text


def test_the_open_requests_are_few_and_their_codes_differ(clock: ManualClock) -> None:
    desk = PairingDesk(clock)
    made = [desk.ask(f"10.0.0.{number}")[1] for number in range(MAX_REQUESTS)]
    assert len({each.code for each in made}) == MAX_REQUESTS
    with pytest.raises(TooManyRequests):
        desk.ask("10.0.1.1")
    with pytest.raises(Refusal):
        desk.find("")
    clock.advance(VALID_S)
    assert desk.waiting() == ()
    desk.ask("10.0.1.1")


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("192.168.1.20", (None, "192.168.1.20", 8470)),
        (" http://hub.local:8000/ ", ("http", "hub.local", 8000)),
        ("HTTPS://[fe80::1]:8470", ("https", "fe80::1", 8470)),
    ],
)
def test_an_address_may_be_typed_as_the_desk_shows_it(typed: str, expected: tuple[str | None, str, int]) -> None:
    assert pages_address(typed) == expected
    assert pairing_address_fault(typed) is None


@pytest.mark.parametrize(
    "typed", ["", "hub local", "hub:99999", "http://hub.local/desk", "tapis-vert://hub.local:4222/AB"]
)
def test_what_is_no_address_is_said_at_once(typed: str) -> None:
    fault = pairing_address_fault(typed)
    assert fault is not None
    assert fault.id == "link.pairing.address"
