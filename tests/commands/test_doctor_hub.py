"""The doctor's check of the tournament hub: a real broker, real notes of a table, faulty settings."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.commands import checks
from companion.config import Config, HubConfig
from companion.hub.broker import Broker
from companion.link import link_state
from companion.link.link_state import PersistedState
from companion.messages.token import Token, format_token
from companion.messages.wire import TableState
from companion.table.health import Check, Health
from tests.commands.small_system import system
from tools.trials.local_postgres import free_port

TOKEN = format_token(Token("t1", "key", bytes(range(12))))


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Broker]:
    """Start a broker that knows the table `t1`."""
    made = Broker(tmp_path / "broker", port=free_port())
    made.admit("t1", "key")
    made.start()
    yield made
    made.stop()


def asked(folder: Path, address: str | None = None, token: str | None = None, patience: float = 5.0) -> Check:
    """Check a table with these settings and the notes in `folder`."""
    return checks.hub(
        system(folder, patience=patience), Config(hub=HubConfig(address, token)), folder / "c.toml", folder
    )


def joined(folder: Path, address: str, token: str, **fields: object) -> None:
    """Write the notes of a table that has joined; `said` are further notes."""
    link_state.save_state(folder, link_state.encode_state(PersistedState(address=address, token=token, **fields)))  # type: ignore[arg-type]


def ids(check: Check) -> list[str]:
    """Return the message ids of the findings, then of the next step."""
    found = [fact if isinstance(fact, str) else fact.id.removeprefix("doctor.found.") for fact in check.details]
    return [*found, *([check.remedy.id.removeprefix("doctor.next.")] if check.remedy else [])]


def test_a_table_without_a_hub_says_so(tmp_path: Path) -> None:
    check = asked(tmp_path)
    assert (check.health, ids(check)) == (Health.OFF, ["no_hub", "hub"])


@pytest.mark.parametrize(
    ("address", "token", "fault"),
    [
        ("a b c", TOKEN, "link.address"),
        ("hub.local", "zz", "link.token.slip"),
        ("hub.local", None, "hub_half"),
        (None, TOKEN, "hub_half"),
    ],
)
def test_slips_in_the_settings_are_told_with_their_file(
    tmp_path: Path, address: str | None, token: str | None, fault: str
) -> None:
    check = asked(tmp_path, address, token)
    assert (check.health, ids(check)) == (Health.ATTENTION, [fault, "hub_settings"])
    assert check.remedy is not None
    assert check.remedy.args == {"file": str(tmp_path / "c.toml")}


def test_a_hub_that_lets_the_table_in(tmp_path: Path, broker: Broker) -> None:
    address, token = f"127.0.0.1:{broker.port}", format_token(Token("t1", "key", broker.fingerprint))
    check = asked(tmp_path, address, token)
    assert (check.health, ids(check)) == (Health.OK, [address, "hub_there"])
    joined(tmp_path, address, token, state=TableState(hub="h", table=1, name="Club evening"))
    assert ids(asked(tmp_path)) == [address, "Club evening", "hub_there"]


def test_settings_that_were_taken_once_give_way_to_what_was_joined_since(tmp_path: Path, broker: Broker) -> None:
    address, token = f"127.0.0.1:{broker.port}", format_token(Token("t1", "key", broker.fingerprint))
    joined(tmp_path, address, token, configured=("hub.local", TOKEN))
    assert ids(asked(tmp_path, "hub.local", TOKEN)) == [address, "hub_there"]


def test_a_hub_that_does_not_let_the_table_in(tmp_path: Path, broker: Broker) -> None:
    address = f"127.0.0.1:{broker.port}"
    for token, fault in (
        (Token("t1", "old", broker.fingerprint), "link.refused"),
        (Token("t1", "key", b"x" * 12), "link.stranger"),
    ):
        joined(tmp_path, address, format_token(token))
        check = asked(tmp_path)
        assert (check.health, ids(check)) == (Health.ATTENTION, [address, fault])


def test_one_that_says_nothing_is_not_waited_for(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"127.0.0.1:{server.getsockname()[1]}"
        joined(tmp_path, address, TOKEN)
        assert ids(asked(tmp_path, patience=0.3)) == [address, "hub_away", "hub_away"]


def test_a_hub_that_is_away_is_nothing_that_is_wrong_with_the_table(tmp_path: Path) -> None:
    address = f"127.0.0.1:{free_port()}"
    joined(tmp_path, address, TOKEN)
    check = asked(tmp_path)
    assert (check.health, ids(check)) == (Health.MISSING, [address, "hub_away", "hub_away"])


def test_notes_that_are_damaged_are_told_and_left_alone(tmp_path: Path) -> None:
    (tmp_path / link_state.STATE_FILE).write_text('{"address": 1')
    check = asked(tmp_path)
    assert (check.health, ids(check)) == (Health.ATTENTION, ["unreadable", "hub_again"])
    assert (tmp_path / link_state.STATE_FILE).read_text() == '{"address": 1'
