"""The interface for other programs: tournaments as JSON, live matches, and facts recorded with a key."""

from __future__ import annotations

import json
from typing import Annotated, Any

from fastapi import APIRouter, Header, Request
from pydantic import BaseModel, Field, field_validator

from companion.hub.web import records
from companion.hub.web.entering import allow
from companion.hub.web.parts import NoSuchPage
from companion.hub.web.public import shown
from companion.hub.web.site import Forbidden, Site
from companion.tournament import facts as fa

DESCRIPTION = (
    "The hub of a tournament. Reading needs no key. Recording needs the key of an organiser, or for the result of the "
    "match called to a table that of its referee, as `Authorization: Bearer KEY`. Texts of refusals are in the "
    "language that `Accept-Language` asks for."
)
ANSWERS: dict[int | str, dict[str, Any]] = {
    400: {"description": "Not to be read"},
    403: {"description": "Not with this key"},
    404: {"description": "Not there"},
    409: {"description": "Refused, with the sentence why"},
    429: {"description": "Too many requests; Retry-After says when"},
    503: {"description": "The hub's database does not answer"},
}


class NewFact(BaseModel):
    """A fact to be recorded, and why."""

    fact: dict[str, Any] = Field(description="as in a tournament's journal; `event` names its kind")
    why: str = Field("", max_length=200)

    @field_validator("fact")
    @classmethod
    def _is_text(cls, fact: dict[str, Any]) -> dict[str, Any]:
        """JSON may hold halves of characters (`\\ud800`), which are no text: nobody can keep or show them."""
        json.dumps(fact, ensure_ascii=False).encode()
        return fact


class Taken(BaseModel):
    """The number of a fact that was recorded."""

    seq: int


class LiveRecord(BaseModel):
    """A match as its table last told."""

    match: str | None
    table: str
    epoch: int
    seq: int = Field(description="the last line of the journal that is known")
    names: dict[str, str]
    score: dict[str, int]
    phase: str
    over: bool
    winner: str | None
    review: bool


def router(site: Site) -> APIRouter:
    """The routes under /api."""
    routes = APIRouter(prefix="/api", responses=ANSWERS)
    core = site.parts.core

    @routes.get("/tournaments")
    def listed() -> list[records.Listed]:
        """All tournaments, the newest first."""
        return [
            records.Listed(
                id=row.id, name=row.name, game=row.game, begun=row.begun, over=row.over, review=row.under_review
            )
            for row in core.tournaments.all()
            if not row.archived
        ]

    @routes.get("/tournaments/{tournament}")
    def one(request: Request, tournament: str) -> records.TournamentRecord:
        """A tournament as the public sees it."""
        found = shown(site.parts, site.words(request), tournament)
        return records.tournament(tournament, found.state, found.review)

    @routes.get("/tournaments/{tournament}/live")
    def lives(request: Request, tournament: str) -> list[LiveRecord]:
        """The newest match of every table that plays this tournament."""
        shown(site.parts, site.words(request), tournament)
        return [_live(live) for live in core.views.lives(tournament)]

    @routes.get("/tables/{table}/live")
    def live(table: str) -> LiveRecord:
        """The newest match of a table."""
        found = core.views.live(table)
        if found is None:
            raise NoSuchPage
        return _live(found)

    @routes.post("/tournaments/{tournament}/facts", status_code=201)
    def record(
        request: Request, tournament: str, new: NewFact, authorization: Annotated[str, Header(max_length=300)] = ""
    ) -> Taken:
        """Records a fact with an organiser's key, or a result with the key of the table's referee."""
        scheme, _, key = authorization.partition(" ")
        found = site.access.key(key.strip()) if scheme.lower() == "bearer" else None
        if found is None or found.role not in ("organiser", "referee"):
            raise Forbidden
        shown(site.parts, site.words(request), tournament)
        fact = fa.parse(new.fact)
        if found.role == "referee":
            called = core.tournaments.assignment(found.table) if found.table else None
            if called is None or called.tournament != tournament:
                raise Forbidden
            allow(fact, called.match)
        return Taken(seq=core.tournaments.decide(tournament, fact, found.label or found.role, new.why))

    return routes


def _live(live: Any) -> LiveRecord:
    row = live.journal
    return LiveRecord(
        match=row.bound.match if row.bound else None,
        table=row.table,
        epoch=row.epoch,
        seq=row.seq,
        names=live.names,
        score=live.score,
        phase=live.phase,
        over=live.over,
        winner=live.winner,
        review=live.review,
    )
