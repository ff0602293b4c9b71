"""Scenes of the start with something wrong: the page that says it, the home page, and the way on."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace

from companion.app.start_trouble import StartTrouble
from companion.clock import SystemClock
from companion.config import ConfigError
from companion.games.base import Message
from companion.journal.database import StoreError
from companion.journal.read_only import ReadOnlyStore
from companion.journal.store import Store
from tests.app.evening import SceneContext
from tests.screens.scenes import open_table

Scene = Callable[["SceneContext"], Awaitable[None]]

FULL = (
    Message("start.no_room"),
    Message("start.full", {"folder": "exchange", "mb": 812}),
)
FAULTS = (
    Message(
        "config.unknown_key_near",
        {"file": "/etc/tapis-vert/config.toml", "section": "display", "key": "langage", "near": "language"},
    ),
    Message("config.syntax", {"file": "/etc/tapis-vert/config.toml", "reason": Message("system.too_deep")}),
    Message("start.last_good", {"file": "config.toml"}),
)


async def cannot_write(evening: SceneContext) -> None:
    """The disk is full: the last score is shown, play is refused, and with room it goes on."""
    app, table = evening.table.app, evening.table
    await open_table(evening, "duel")
    app.end_session()
    matches, path = app.matches, app.matches.store.path
    trouble = StoreError("full", path)
    matches.replace_store(ReadOnlyStore(path, SystemClock(), trouble))
    is_full = True

    def reopen() -> tuple[Store, tuple[Message, ...]]:
        if is_full:
            raise trouble
        return Store.open(path, SystemClock()), ()

    state = StartTrouble(FULL, reopen, None, lambda: None)
    app.idle_monitor.platform = replace(app.idle_monitor.platform, start_trouble=state)
    app.home()
    app.open("trouble")
    await evening.capture("00-trouble-full")
    await evening.tap("app.trouble.again")
    assert state.is_read_only
    await evening.tap("app.trouble.home")
    await evening.capture("00-trouble-home")
    await evening.tap("app.home.resume")
    await table.frames(4)
    session = app.session
    before = session.sequence
    app.attempt(session.undo)
    await table.frames(4)
    assert len(app.navigator.sheets) == 1, "the refusal is shown"
    assert session.sequence == before
    await evening.tap("app.close")
    app.home()
    await table.frames(3)
    await evening.tap("app.trouble.read_only")
    is_full = False
    await evening.tap("app.trouble.again")
    await table.frames(4)
    assert not state.is_read_only
    assert app.session is None
    await evening.capture("00-trouble-over")
    await evening.tap("app.trouble.home")
    await evening.tap("app.home.resume")
    app.attempt(app.session.undo)
    assert app.session.sequence == before + 1
    app.idle_monitor.platform = replace(app.idle_monitor.platform, start_trouble=None)


async def wrong_settings(evening: SceneContext) -> None:
    """The settings have faults: they are named, the good ones can be put back, and play is possible."""
    app, table, calls = evening.table.app, evening.table, []
    fails = True

    def restore() -> None:
        if fails:
            raise ConfigError(Message("config.not_saved", {"file": "config.toml", "reason": Message("system.erofs")}))
        calls.append("restored")

    state = StartTrouble(FAULTS, None, restore, lambda: calls.append("restarted"))
    app.idle_monitor.platform = replace(app.idle_monitor.platform, start_trouble=state)
    app.end_session()
    app.home()
    app.open("trouble")
    await evening.capture("00-trouble-settings")
    await evening.tap("app.trouble.restore")
    await table.frames(4)
    assert app.navigator.sheets, "a failure is shown"
    assert calls == []
    await evening.tap("app.close")
    fails = False
    await evening.tap("app.trouble.restore")
    assert calls == ["restored", "restarted"]
    await evening.tap("app.trouble.home")
    await evening.tap("app.trouble.settings")
    await evening.tap("app.trouble.restart")
    assert calls == ["restored", "restarted", "restarted"]
    app.idle_monitor.platform = replace(app.idle_monitor.platform, start_trouble=None)


SCENES: dict[str, Scene] = {"trouble_full": cannot_write, "trouble_settings": wrong_settings}
