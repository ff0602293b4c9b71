"""A hub with pages to visit: an organiser who is logged in, a tournament that is played, matches at their tables."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from argon2 import PasswordHasher
from fastapi import FastAPI
from fastapi.testclient import TestClient
from httpx import Response

from companion.clock import ManualClock
from companion.hub.core import Core
from companion.hub.web.app import make_app
from companion.hub.web.middleware import Limits, Rate
from companion.hub.web.pages import Parts
from companion.tournament import facts as fa
from companion.tournament.values import Plan
from tests.hub.desk_kit import Evening, plan_of
from tests.tournament import plans

ADDRESS = "http://hub.example:8000"
PASSWORD = "a long pass phrase"
QUICK_HASH = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
FREE = Limits(*[Rate(1e9, 1e9)] * 5, page_seconds=0)
"""No limits and no page that is ready, for tests of everything else."""

CLUBS = (
    *("Phare FC", "Valcendre", "Hirondelles", "Port-Mélian", "AS Quai Nord", "Huppes 08"),
    *("Sablières", "Étoile du Gué"),
)


def pages(core: Core, clock: ManualClock, limits: Limits = FREE, address: str = ADDRESS) -> FastAPI:
    """The pages of a core."""
    return make_app(Parts(core, clock, address, limits=limits, zone=clock.now().tzinfo), QUICK_HASH)


def begin(core: Core, plan: Plan | None = None, names: Sequence[str] = CLUBS) -> Evening:
    """A tournament of these entries that has started; a Swiss of three rounds if no plan is given."""
    plan = plan or plans.swiss("Coupe des Baies", "occasion", 3)
    id = core.tournaments.create(plan_of(plan), "Claire")
    evening = Evening(core, id, 1000 * len(core.tournaments.all()))
    for at, name in enumerate(names, 1):
        evening.decide(fa.Enter(f"e{at}", name))
    evening.decide(fa.Start())
    return evening


def propose(evening: Evening, *kinds: type[fa.Fact]) -> int:
    """Takes every proposal of some kinds that can still be taken; how many there were."""
    found = [fact for fact in evening.core.tournaments.proposals(evening.id) if isinstance(fact, kinds)]
    for fact in found:
        evening.decide(fact)
    return len(found)


def called(evening: Evening) -> dict[str, str]:
    """Which match is called to which table."""
    rows = evening.core.tables.all()
    found = {row.id: evening.core.tournaments.assignment(row.id) for row in rows}
    return {table: each.match for table, each in found.items() if each is not None and each.tournament == evening.id}


def round_played(evening: Evening, seed: int) -> None:
    """Draws a round, calls its matches and lets the tables play and confirm them."""
    propose(evening, fa.Draw, fa.Seed)
    while propose(evening, fa.Call):
        for table in called(evening):
            seed += 1
            evening.send(evening.played(table, seed))


def mark_of(page: Response) -> str:
    """The mark that the forms of a page carry."""
    found = re.search(r'name="form" value="([0-9a-f]+)"', page.text)
    assert found, f"no form on {page.url}"
    return found[1]


def visitor(app: FastAPI, address: str = ADDRESS) -> TestClient:
    """Someone who looks at the pages; to be used in a `with` when events are followed."""
    return TestClient(app, base_url=address)


def organiser(app: FastAPI) -> TestClient:
    """Someone who has set the password up and is logged in."""
    client = visitor(app)
    key = app.state.site.access.set_up_key()
    fields = {"key": key, "name": "Claire", "password": PASSWORD, "again": PASSWORD}
    done = client.post("/desk/set-up", data=fields)
    assert done.status_code == 200, done.text
    return client


def do(client: TestClient, page: str, **fields: Any) -> Response:
    """Sends a form of a tournament's page, with the mark of that page."""
    tournament = page.split("/")[3]
    shown = client.get(page)
    name = "/".join(page.split("/")[4:]) or "overview"
    return client.post(f"/desk/t/{tournament}", data={"form": mark_of(shown), "page": name, **fields})
