"""The example that follows a hub prints the live score of a real hub."""

from __future__ import annotations

import runpy
import sys
import threading
import time
from collections.abc import Iterator

import pytest
import uvicorn
from fastapi import FastAPI

from companion.hub.core import Core
from companion.tournament import facts as fa
from tests.hub.desk_kit import RunningTournament
from tests.hub.web.pages_kit import called, propose
from tests.tracked import ROOT


@pytest.fixture
def address(app: FastAPI) -> Iterator[str]:
    """Serve the pages on a free local port."""
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="error"))
    thread = threading.Thread(target=server.run)
    thread.start()
    deadline = time.monotonic() + 20
    while not server.started and time.monotonic() < deadline:
        thread.join(0.02)
    yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    server.should_exit = True
    thread.join(20)


def test_live_scores_are_printed(
    evening: RunningTournament,
    core: Core,
    address: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    propose(evening, fa.Draw)
    propose(evening, fa.Call)
    table, match = next(iter(called(evening).items()))
    card = evening.played(table, 3)
    core.inbox.accept([card.batch(1, len(card.lines))])
    monkeypatch.setattr(sys, "argv", ["follow_hub.py", address])
    runpy.run_path(str(ROOT / "examples/follow_hub.py"))
    live = core.views.match(evening.id, match)
    assert live is not None
    printed = capsys.readouterr().out
    assert all(f"{live.names[side]} {points}" in printed for side, points in live.score.items())
