"""The HTTP API: tournaments and live matches as JSON, and recording of events with a key."""

from __future__ import annotations

import json
from typing import Annotated, Any

from fastapi import APIRouter, Header
from pydantic import BaseModel, Field, field_validator

from companion.games.base import JsonObject
from companion.hub.models import LiveMatch, RecordedFact
from companion.hub.web.authentication import check_referee_fact
from companion.hub.web.pages import NoSuchPage
from companion.hub.web.site import Forbidden, Visitor
from companion.tournament import facts as fa
from companion.tournament import planning
from companion.tournament.facts import TournamentState
from companion.tournament.progress import Match, TournamentProgress, progress_of


class EntryRecord(BaseModel):
    """An entry."""

    id: str
    name: str
    seed: int | None = Field(description="1 is the strongest")
    group: str | None
    club: str
    withdrawn: bool


class MatchRecord(BaseModel):
    """A match and its status."""

    id: str = Field(description="stage, round and number; of two legs /1 and /2")
    tie: str = Field(description="the tie that it belongs to")
    stage: int
    kind: str = Field(description="group, swiss, winners, losers, final, reset or third")
    round: int
    number: int
    leg: int = Field(description="0 for a single match")
    group: str | None
    home: str | None = Field(description="the id of an entry, - for nobody, null while it is not known")
    away: str | None
    status: str = Field(description="waiting, ready, called, done, walkover, annulled or not_needed")
    score: tuple[int, int] | None = Field(description="home and away")
    winner: str | None = Field(description="home or away, null for a draw and before the end")
    by: str = Field(description="how it was decided, where the score does not say it")
    table: int | None = Field(description="the table it is called to")


class RowRecord(BaseModel):
    """A row of the standings. `values` lists the tie-break criteria in order."""

    entry: str
    rank: int
    level: bool = Field(description="shares its rank")
    played: int = Field(description="won, drawn and lost; byes apart")
    won: int
    drawn: int
    lost: int
    byes: int
    scored: int
    conceded: int
    points: int
    decided: str | None = Field(description="ruling or lot, where the organiser put level entries in order")
    values: list[tuple[str, int]]


class StandingsRecord(BaseModel):
    """The standings of a stage or one of its groups."""

    stage: int
    group: str
    rows: list[RowRecord]


class TournamentRecord(BaseModel):
    """The public state of a tournament."""

    id: str
    review: bool = Field(description="a result is under review: what is told is as it was before")
    over: bool
    champion: str | None
    plan: JsonObject = Field(description="the plan that the tournament was made from")
    entries: list[EntryRecord]
    matches: list[MatchRecord]
    standings: list[StandingsRecord]


class FactRecord(BaseModel):
    """An event in the tournament's journal: when, by whom and why it was recorded."""

    seq: int
    at: str
    by: str
    why: str
    fact: JsonObject = Field(description="`event` names its kind")
    table: str | None = Field(description="where the result came from, if it came from a table's journal")
    epoch: int | None
    line: int | None


class Listed(BaseModel):
    """A tournament in the list of tournaments."""

    id: str
    name: str
    game: str
    begun: str
    over: bool
    review: bool


def tournament_record(id: str, state: TournamentState, review: bool) -> TournamentRecord:
    """Return the complete record of a tournament."""
    standing = progress_of(state)
    return TournamentRecord(
        id=id,
        review=review,
        over=standing.over,
        champion=standing.champion,
        plan=planning.to_json(state.plan),
        entries=entry_records(state),
        matches=[match_record(each) for each in standing.matches.values()],
        standings=standings_records(standing),
    )


def entry_records(state: TournamentState) -> list[EntryRecord]:
    """Return the entries in order of registration."""
    return [
        EntryRecord(
            id=each.id,
            name=each.name,
            seed=each.seed,
            group=each.group,
            club=each.club,
            withdrawn=each.id in state.withdrawn,
        )
        for each in state.entries.values()
    ]


def match_record(found: Match) -> MatchRecord:
    """Return the record of a match."""
    return MatchRecord(**{name: getattr(found, name) for name in MatchRecord.model_fields})


def standings_records(standing: TournamentProgress) -> list[StandingsRecord]:
    """Return the standings of every stage that has standings."""
    return [
        StandingsRecord(
            stage=stage.number,
            group=group,
            rows=[RowRecord(**{name: getattr(row, name) for name in RowRecord.model_fields}) for row in rows],
        )
        for stage in standing.stages
        for group, rows in stage.tables.items()
    ]


def fact_record(found: RecordedFact) -> FactRecord:
    """Return the record of an event with its origin."""
    return FactRecord(
        seq=found.seq,
        at=found.at,
        by=found.by,
        why=found.why,
        fact=fa.to_json(found.fact),
        table=found.table,
        epoch=found.epoch,
        line=found.line,
    )


DESCRIPTION = (
    "The hub of a tournament. Reading needs no key. Recording needs the key of an organiser, or for the result of the "
    "match called to a table that of its referee, as `Authorization: Bearer KEY`. Texts of refusals are in the "
    "language that `Accept-Language` asks for."
)
ANSWERS: dict[int | str, JsonObject] = {
    400: {"description": "Not to be read"},
    403: {"description": "Not with this key"},
    404: {"description": "Not there"},
    409: {"description": "Refused, with the sentence why"},
    429: {"description": "Too many requests; Retry-After says when"},
    503: {"description": "The hub's database does not answer"},
}


class NewFact(BaseModel):
    """An event to record, with a reason."""

    fact: JsonObject = Field(description="as in a tournament's journal; `event` names its kind")
    why: str = Field("", max_length=200)

    @field_validator("fact")
    @classmethod
    def _is_text(cls, fact: dict[str, Any]) -> dict[str, Any]:
        """Reject lone surrogates: JSON may contain them, but they are not valid text and cannot be stored."""
        json.dumps(fact, ensure_ascii=False).encode()
        return fact


class Taken(BaseModel):
    """Number of a recorded event."""

    seq: int


class LiveRecord(BaseModel):
    """A match as last reported by its table."""

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


routes = APIRouter(prefix="/api", responses=ANSWERS)
"""The routes under /api."""


@routes.get("/tournaments")
def listed(context: Visitor) -> list[Listed]:
    """List all tournaments, newest first."""
    return [
        Listed(id=row.id, name=row.name, game=row.game, begun=row.begun, over=row.over, review=row.under_review)
        for row in context.core.tournaments.all()
        if not row.archived
    ]


@routes.get("/tournaments/{tournament}")
def one(context: Visitor, tournament: str) -> TournamentRecord:
    """Return the public state of a tournament."""
    found = context.pages.public_tournament(tournament)
    return tournament_record(tournament, found.state, found.review)


@routes.get("/tournaments/{tournament}/live")
def lives(context: Visitor, tournament: str) -> list[LiveRecord]:
    """Return the newest match of every table in this tournament."""
    context.pages.public_tournament(tournament)
    return [_live_record(live) for live in context.core.views.lives(tournament)]


@routes.get("/tables/{table}/live")
def live(context: Visitor, table: str) -> LiveRecord:
    """Return the newest match of a table."""
    found = context.core.views.live(table)
    if found is None:
        raise NoSuchPage
    return _live_record(found)


@routes.post("/tournaments/{tournament}/facts", status_code=201)
def record(
    context: Visitor, tournament: str, new: NewFact, authorization: Annotated[str, Header(max_length=300)] = ""
) -> Taken:
    """Record an event with an organiser's key, or a result with the key of the table's referee."""
    scheme, _, key = authorization.partition(" ")
    found = context.access.find_key(key.strip()) if scheme.lower() == "bearer" else None
    if found is None or found.role not in ("organiser", "referee"):
        raise Forbidden
    context.pages.public_tournament(tournament)
    fact, desk = fa.parse(new.fact), context.core.tournaments
    if found.role == "referee":
        called = desk.assignment(found.table) if found.table else None
        if called is None or called.tournament != tournament:
            raise Forbidden
        check_referee_fact(fact, called.match)
    return Taken(seq=desk.decide(tournament, fact, found.label or found.role, new.why))


def _live_record(live: LiveMatch) -> LiveRecord:
    row = live.journal
    return LiveRecord(
        match=row.match_ref.match if row.match_ref else None,
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
