"""A hub for trials, as a process of its own: the one that ships, with an organiser who is a program.

The first line on standard input says where and what; what it tells are lines of JSON: the tables' tokens, the broker's
process, how the tournament stands, and that it is over. SIGTERM ends it as it ends `companion hub`.
"""

from __future__ import annotations

import asyncio
import json
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from companion.commands.hub.options import HubOptions
from companion.commands.hub.serve import RunningHub
from tools.trials.organiser import Organiser

TELLS_EVERY = 0.25


class Organised(msgspec.Struct, frozen=True):
    """What is tried: where it lies and listens, how many tables there are and how many of them the tournament has."""

    database: str
    folder: str
    tables_port: int
    pages_port: int
    game: str
    tables: int
    rounds: int
    seed: int
    playing: int | None = None
    waits: float = 0.0
    """Seconds for which the organiser lets the tables speak first."""


def tell(**words: Any) -> None:
    """One line to whoever started us."""
    sys.stdout.write(json.dumps(words) + "\n")
    sys.stdout.flush()


def tokens(hub: RunningHub, tables: int) -> dict[str, str]:
    """The token of each table, where it has none yet: the first start of a database."""
    known = {row.id for row in hub.core.tables.all()}
    made = {}
    for number in range(1, tables + 1):
        if f"t{number}" not in known:
            hub.core.tables.register(f"t{number}", number, f"Table {number}")
            made[f"t{number}"] = hub.token(f"t{number}")
    return made


async def run(spec: Organised) -> None:
    """Until SIGTERM."""
    options = HubOptions(Path(spec.folder), spec.database, port=spec.pages_port, tables_port=spec.tables_port)
    async with RunningHub(options) as hub:
        threading.Thread(target=_end_with_parent, args=(asyncio.get_running_loop(), hub), daemon=True).start()
        tell(tokens=tokens(hub, spec.tables), broker=hub.broker_pid, hub=hub.address)
        await hub.stopped_within(spec.waits)
        playing = spec.tables if spec.playing is None else spec.playing
        organiser = Organiser(hub.core, spec.game, playing, spec.rounds, spec.seed)
        tell(tournament=organiser.tournament)
        organiser.start()
        try:
            while not await hub.stopped_within(TELLS_EVERY):
                tell(broker=hub.broker_pid, over=organiser.finished.is_set(), **await asyncio.to_thread(organiser.told))
        finally:
            await asyncio.to_thread(organiser.stop)


def _end_with_parent(loop: asyncio.AbstractEventLoop, hub: RunningHub) -> None:
    """Who started us is gone when nothing can come from there any more."""
    while sys.stdin.readline():
        pass
    loop.call_soon_threadsafe(hub.end)


def main() -> int:
    """As `companion hub` does, but a pipe that nobody reads any more is the end as well."""
    spec = msgspec.json.decode(sys.stdin.readline(), type=Organised)
    with suppress(BrokenPipeError):
        asyncio.run(run(spec))
    return 0


if __name__ == "__main__":
    sys.exit(main())
