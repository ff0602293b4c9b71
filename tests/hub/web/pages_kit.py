"""Kit for web tests: a hub with pages, a logged-in organiser, a tournament in progress, matches at tables."""

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
from companion.hub.web.pages import PageDependencies
from companion.tournament import facts as fa
from companion.tournament.values import Plan
from tests.hub.desk_kit import RunningTournament, plan_of
from tests.tournament import plans

ADDRESS = "http://hub.example:8000"
PASSWORD = "a long pass phrase"
FAST_HASHER = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
FREE = Limits(*[Rate(1e9, 1e9)] * 5, page_seconds=0)
"""No rate limits and no page cache, for tests of all other behaviour."""

CLUBS = (
    *("Phare FC", "Valcendre", "Hirondelles", "Port-Mélian", "AS Quai Nord", "Huppes 08"),
    *("Sablières", "Étoile du Gué"),
)


def pages(core: Core, clock: ManualClock, limits: Limits = FREE, address: str = ADDRESS) -> FastAPI:
    """Return the web app of a core."""
    return make_app(PageDependencies(core, clock, address, limits=limits, zone=clock.now().tzinfo), FAST_HASHER)


def start_tournament(core: Core, plan: Plan | None = None, names: Sequence[str] = CLUBS) -> RunningTournament:
    """Start a tournament of these entries; a Swiss of three rounds without a plan."""
    plan = plan or plans.swiss("Coupe des Baies", "occasion", 3)
    id = core.tournaments.create(plan_of(plan), "Claire")
    evening = RunningTournament(core, id, 1000 * len(core.tournaments.all()))
    for at, name in enumerate(names, 1):
        evening.decide(fa.Enter(f"e{at}", name))
    evening.decide(fa.Start())
    return evening


def propose(evening: RunningTournament, *kinds: type[fa.Fact]) -> int:
    """Accept all valid proposals of the given kinds and return their number."""
    found = [fact for fact in evening.core.tournaments.proposals(evening.id) if isinstance(fact, kinds)]
    for fact in found:
        evening.decide(fact)
    return len(found)


def called(evening: RunningTournament) -> dict[str, str]:
    """Return the table of each called match."""
    rows = evening.core.tables.all()
    found = {row.id: evening.core.tournaments.assignment(row.id) for row in rows}
    return {table: each.match for table, each in found.items() if each is not None and each.tournament == evening.id}


def round_played(evening: RunningTournament, seed: int) -> None:
    """Draw a round, call its matches, and let the tables play and confirm them."""
    propose(evening, fa.Draw, fa.Seed)
    while propose(evening, fa.Call):
        for table in called(evening):
            seed += 1
            evening.send(evening.played(table, seed))


def mark_of(page: Response) -> str:
    """Return the CSRF token of a page's forms."""
    found = re.search(r'name="form" value="([0-9a-f]+)"', page.text)
    assert found, f"no form on {page.url}"
    return found[1]


def visitor(app: FastAPI, address: str = ADDRESS) -> TestClient:
    """Return a visitor's client; use it in a `with` block to follow events."""
    return TestClient(app, base_url=address)


def organiser(app: FastAPI) -> TestClient:
    """Return the client of an organiser who has set the password and is logged in."""
    client = visitor(app)
    key = app.state.site.access.set_up_key()
    fields = {"key": key, "name": "Claire", "password": PASSWORD, "again": PASSWORD}
    done = client.post("/desk/set-up", data=fields)
    assert done.status_code == 200, done.text
    return client


def do(client: TestClient, page: str, **fields: Any) -> Response:
    """Submit a form of a tournament's page with the page's CSRF token."""
    tournament = page.split("/")[3]
    response = client.get(page)
    name = "/".join(page.split("/")[4:]) or "overview"
    return client.post(f"/desk/t/{tournament}", data={"form": mark_of(response), "page": name, **fields})
