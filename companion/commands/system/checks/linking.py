"""The tournament's hub: whether this table has joined one, at which address, and whether it is let in now."""

from __future__ import annotations

import asyncio
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread

from companion.commands.system.checks.said import found, good, look, missing, off
from companion.commands.system.checks.system import System
from companion.commands.table.hub_link import configured_hub
from companion.config import Config
from companion.games.base import Message
from companion.link.notes import FILE, peek
from companion.messages.token import Token, address_of, fault_of, read
from companion.table.health import Check, Fact, Health

STEP_SECONDS = 3.0
"""For each step of entering; on the network of a hall it takes a few hundredths."""


def hub(system: System, config: Config, config_file: Path, folder: Path) -> Check:
    """The hub that the settings name, if it has not been joined before, else the one joined; `folder` has the notes.

    It is entered as the table does, for a moment: an open app keeps its own connection.
    """
    notes = peek(folder)
    if notes is None:
        return look("hub", found("unreadable", place=str(folder / FILE)), do="hub_again")
    if (config.hub.address is None) is not (config.hub.token is None):
        absent = "token" if config.hub.token is None else "address"
        return look("hub", found("hub_half", key=absent), do="hub_settings", file=str(config_file))
    configured = configured_hub(config)
    if configured is not None and configured != notes.configured:
        fault = fault_of(*configured)
        if fault is not None:
            return look("hub", fault, do="hub_settings", file=str(config_file))
        address, token = configured
        facts: tuple[Fact, ...] = (address,)
    elif notes.address is None or notes.token is None:
        return off("hub", found("no_hub"), do="hub")
    else:
        address, token = notes.address, notes.token
        facts = (address, notes.state.name) if notes.state and notes.state.name else (address,)
    fault = fault_of(address, token)
    if fault is not None:
        return look("hub", fault, do="hub_again")
    return _entered(address, read(token), facts, min(STEP_SECONDS, system.patience))


def _entered(address: str, token: Token, facts: tuple[Fact, ...], seconds: float) -> Check:
    """What comes of it, after two of those steps at most: a name that nobody resolves is not waited for."""
    came: SimpleQueue[Message | bool] = SimpleQueue()
    Thread(target=lambda: came.put(_enter(address, token, seconds)), name="hub check", daemon=True).start()
    try:
        outcome = came.get(timeout=2 * seconds)
    except Empty:
        outcome = False
    if isinstance(outcome, Message):
        return Check("hub", Health.LOOK, facts, outcome)
    if outcome:
        return good("hub", *facts, found("hub_there"))
    return missing("hub", *facts, found("hub_away"), do="hub_away")


def _enter(address: str, token: Token, seconds: float) -> Message | bool:
    """What to do about a hub that does not let this table in; whether there is one."""
    from companion.link.door import Away, Refused, Stranger, enter  # a table that plays alone loads none of it
    from companion.link.table_link import trouble_of

    async def visit() -> None:
        connection = await enter(*address_of(address), token, _closed, seconds)
        await connection.close()

    try:
        asyncio.run(visit())
    except (Refused, Stranger) as fault:
        return trouble_of(fault, address)
    except Away:
        return False
    return True


async def _closed() -> None:
    """The connection has ended."""
