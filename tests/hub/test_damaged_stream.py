"""A damaged stream between tables and hub is replaced by a new stream without data loss."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.hub.cluster_kit import HERE, DeskClient, HubProcess, expect
from tests.hub.test_own_cluster import all_equal
from tests.link.hall import GAME, TableSeat, real_link
from tools.trials.local_postgres import free_port


@pytest.mark.parametrize("damaged", ["*", "o.dat"])
def test_a_damaged_stream_is_put_aside_and_tables_send_again(damaged: str, tmp_path: Path) -> None:
    """The whole store is damaged, or only the hub's consumer state."""
    port = str(free_port())
    seat = TableSeat(tmp_path / "t1", real_link)
    with HubProcess(tmp_path, "--tables-port", port) as hub:
        desk = DeskClient(hub)
        _, token = desk.token(1)
        assert seat.port.join(f"{HERE}:{port}", token) is None
        desk.call_a_match(GAME)
        desk.close()
        expect(lambda: seat.port.snapshot().match is not None, "the match is called")
        called, match = seat.match().match, seat.start_match()
        seat.play(match, 20)
        expect(lambda: seat.port.snapshot().link.waiting == 0, "the lines are with the hub")
        hub.end()
    store = hub.folder / "broker" / "jetstream"
    files = [path for path in store.rglob(damaged) if path.is_file()]
    assert files
    for path in files:
        path.write_bytes(os.urandom(max(path.stat().st_size, 100)))
    seat.play(match)
    with HubProcess(tmp_path, "--tables-port", port) as hub:
        aside = hub.folder / "broker" / "jetstream-damaged"
        hub.wait_for_output(f"it is put aside in {aside}")
        assert aside.is_dir()
        for by in ("home", "away"):
            seat.confirm(match, by)
        expect(lambda: seat.is_reported(called), "the result is with the hub")
        expect(lambda: seat.port.snapshot().link.waiting == 0, "all lines are with the hub")
        hub.wait_for_output("connected to the NATS server")
        output = hub.end()
    for developers_word in ("Traceback", "ServerError", "err_code"):
        assert developers_word not in output
    all_equal(hub.folder, seat)
    seat.switch_off()
