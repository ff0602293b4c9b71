"""The hub's background jobs, retention and backups, continue after a failure."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.clock import SystemClock
from companion.commands.hub import backups as backup_pace
from companion.commands.hub import serve as running_hub
from companion.commands.hub.backups import HubBackups, HubLocation
from companion.commands.hub.options import HubOptions
from companion.commands.hub.serve import RunningHub
from companion.games.base import Message
from companion.games.registry import GAMES
from companion.hub.core import open_core

TIMEOUT_S = 20.0


def failing_at_first(real: Callable[[], Any], again: Callable[[], object]) -> Callable[[], Any]:
    """Return a function that fails once with an unexpected error, then works and reports it."""
    calls: list[bool] = []

    def fails() -> Any:
        calls.append(True)
        if len(calls) == 1:
            raise RuntimeError("nobody expected this")
        try:
            return real()
        finally:
            again()

    return fails


@pytest.mark.parametrize("fault", ["anything", "room"])
def test_the_sweep_comes_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: str) -> None:
    """The sweep resumes after an unexpected error and after a failed vacuum; the organiser is informed."""
    monkeypatch.setattr(running_hub, "SWEEP_INTERVAL_S", 0.0)
    messages: list[Message] = []
    hub = RunningHub(HubOptions(tmp_path), notify=messages.append)
    hub.core = open_core(HubOptions(tmp_path).url, GAMES, SystemClock())

    async def sweep() -> None:
        again, loop = asyncio.Event(), asyncio.get_running_loop()
        fails = failing_at_first(hub.core.retention.sweep, lambda: loop.call_soon_threadsafe(again.set))
        if fault == "anything":
            monkeypatch.setattr(hub.core.retention, "sweep", fails)
        else:
            real = hub.core.database.vacuum
            seen: list[bool] = []

            def vacuum() -> None:
                if not seen:
                    raw: Any = hub.core.database._writer_connection().connection.driver_connection
                    raw.close()
                real()
                seen.append(hub.core.database.vacuumed)
                if len(seen) == 2:
                    loop.call_soon_threadsafe(again.set)

            monkeypatch.setattr(hub.core.database, "vacuum", vacuum)
        job = asyncio.create_task(hub._sweep_forever())
        await asyncio.wait_for(again.wait(), TIMEOUT_S)
        job.cancel()
        await asyncio.gather(job, return_exceptions=True)

    asyncio.run(sweep())
    assert messages[0].id == ("tournament.hub.not_swept" if fault == "anything" else "tournament.hub.not_vacuumed")
    hub.core.close()


def test_backups_come_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backup_pace, "CHECK_INTERVAL_S", 0.0)
    options = HubOptions(tmp_path)
    core = open_core(options.url, GAMES, SystemClock())
    backups = HubBackups(HubLocation.of(tmp_path, options.url), core.database, SystemClock())

    async def runs_again() -> bool:
        again, loop = asyncio.Event(), asyncio.get_running_loop()
        fails = failing_at_first(backups.back_up_if_due, lambda: loop.call_soon_threadsafe(again.set))
        monkeypatch.setattr(backups, "back_up_if_due", fails)
        job = asyncio.create_task(backups.run())
        await asyncio.wait_for(again.wait(), TIMEOUT_S)
        job.cancel()
        await asyncio.gather(job, return_exceptions=True)
        return again.is_set()

    assert asyncio.run(runs_again())
    backups.finish(write=False)
    core.close()
