"""A tournament as documented JSON and as rows: what exports and the interface for other programs give."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, Field

from companion.tournament import facts as fa
from companion.tournament import planning
from companion.tournament.course import Course, course
from companion.tournament.outcomes import Match
from companion.tournament.state import State


class EntryRecord(BaseModel):
    """Who takes part."""

    id: str
    name: str
    seed: int | None = Field(description="1 is the strongest")
    group: str | None
    withdrawn: bool


class MatchRecord(BaseModel):
    """A match as it stands."""

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
    """A row of the standings; what parts the entries is in the order of `values`."""

    entry: str
    rank: int
    level: bool = Field(description="shares its rank")
    played: int
    won: int
    drawn: int
    lost: int
    scored: int
    conceded: int
    points: int
    values: list[tuple[str, int]]


class StandingsRecord(BaseModel):
    """The standings of a stage, or of one of its groups."""

    stage: int
    group: str
    rows: list[RowRecord]


class TournamentRecord(BaseModel):
    """A tournament as the public sees it."""

    id: str
    review: bool = Field(description="a result is under review: what is told is as it was before")
    over: bool
    champion: str | None
    plan: dict[str, Any] = Field(description="the plan that the tournament was made from")
    entries: list[EntryRecord]
    matches: list[MatchRecord]
    standings: list[StandingsRecord]


class FactRecord(BaseModel):
    """A fact of the tournament's journal: when, by whom and why it was recorded."""

    seq: int
    at: str
    by: str
    why: str
    fact: dict[str, Any] = Field(description="`event` names its kind")
    table: str | None = Field(description="where the result came from, if it came from a table's journal")
    epoch: int | None
    line: int | None


class Listed(BaseModel):
    """A tournament in the list of them."""

    id: str
    name: str
    game: str
    begun: str
    over: bool
    review: bool


def tournament(id: str, state: State, review: bool) -> TournamentRecord:
    """The whole of a tournament."""
    standing = course(state)
    return TournamentRecord(
        id=id,
        review=review,
        over=standing.over,
        champion=standing.champion,
        plan=planning.fields(state.plan),
        entries=entries(state),
        matches=[match(each) for each in standing.matches.values()],
        standings=standings(standing),
    )


def entries(state: State) -> list[EntryRecord]:
    """Everyone who takes part, as they entered."""
    return [
        EntryRecord(id=each.id, name=each.name, seed=each.seed, group=each.group, withdrawn=each.id in state.withdrawn)
        for each in state.entries.values()
    ]


def match(found: Match) -> MatchRecord:
    """One match."""
    return MatchRecord(**{name: getattr(found, name) for name in MatchRecord.model_fields})


def standings(standing: Course) -> list[StandingsRecord]:
    """The tables of every stage that has any."""
    return [
        StandingsRecord(
            stage=stage.number,
            group=group,
            rows=[RowRecord(**{name: getattr(row, name) for name in RowRecord.model_fields}) for row in rows],
        )
        for stage in standing.stages
        for group, rows in stage.tables.items()
    ]


def recorded(found: Any) -> FactRecord:
    """A fact with its trace (`hub.words.Recorded`)."""
    return FactRecord(
        seq=found.seq,
        at=found.at,
        by=found.by,
        why=found.why,
        fact=fa.printed(found.fact),
        table=found.table,
        epoch=found.epoch,
        line=found.line,
    )
