"""`companion hub`: starts the organiser's server, says where it is, and ends it cleanly."""

from __future__ import annotations

import asyncio
import logging
import sys
from dataclasses import replace
from pathlib import Path

from sqlalchemy.engine import make_url

from companion.commands.hub.options import HubOptions, wrong_options
from companion.commands.hub.running import HubStartError, RunningHub
from companion.commands.settings import data_folder_of, language_of
from companion.commands.system.backup import HUB
from companion.games.base import Message
from companion.language import Language

DONE, FAILED, REFUSED = 0, 1, 2


def run_hub(config: Path | None, options: HubOptions) -> int:
    """Serves until SIGINT or SIGTERM. Returns the exit status."""
    say = language_of(config)
    placed = replace(options, folder=data_folder_of(config) / HUB)
    wrong = wrong_options(placed)
    if wrong is not None:
        print(say.text(wrong), file=sys.stderr)
        return REFUSED
    logging.basicConfig(level=logging.WARNING, format="%(name)s: %(message)s")
    logging.getLogger("asyncio").setLevel(logging.ERROR)  # it comments on every TLS connection that ends
    logging.getLogger("uvicorn.error").setLevel(logging.ERROR)  # and that one on every odd request of a visitor
    try:
        asyncio.run(_serve(placed, say))
    except HubStartError as fault:
        print(say.text(fault.message), file=sys.stderr)
        return FAILED
    print(say("cli.hub.stopped"), file=sys.stderr)
    return DONE


async def _serve(options: HubOptions, say: Language) -> None:
    def tell(told: Message) -> None:
        print(say.text(told), file=sys.stderr, flush=True)

    async with RunningHub(options, tell=tell) as hub:
        database = make_url(options.url).render_as_string(hide_password=True)
        told = [
            say("cli.hub.pages", address=hub.address),
            say("cli.hub.tables", address=hub.tables_address),
            say("cli.hub.database", database=database),
        ]
        if hub.backups is not None:
            told.append(say("cli.hub.backups", folders=", ".join(str(each) for each in hub.backups.state().places)))
        if hub.cluster_users is not None:
            told.append(say("cli.hub.cluster", file=hub.cluster_users))
        if not options.lan:
            told.append(say("cli.hub.only_here"))
        elif options.certificate is None:
            told.append(say("cli.hub.no_https"))
        set_up = await asyncio.to_thread(hub.set_up_address)
        if set_up is not None:
            told.append(say("cli.hub.set_up", address=set_up))
        print("\n".join([*told, say("cli.hub.stops")]), file=sys.stderr, flush=True)
        await hub.stopped_within(None)
