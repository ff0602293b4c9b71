"""The cards of NBA Deck-Building as table rows: players and tactics, with the rule NBA-3.2."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from companion.games.base import Fields, JsonObject, Message, Refusal
from companion.games.catalogue import CatalogueColumn, CatalogueKind, Row, RowError, comma_separated
from companion.games.nba.cards import MAX_SKILLS, read_cards
from companion.games.nba.tables import POSITIONS, ROLES, SKILLS, SKILLS_OF, STATS, TYPES

RULE = "NBA-3.2"
_LONGEST_LIST = 5
STAT_SYNONYMS = {
    "three_points": ("3 points", "3P"),
    "inside": ("JI", "IG", "Ins"),
    "penetration": ("Pé", "Pen"),
    "interception": ("In", "Int"),
    "block": ("Bl", "Blk"),
    "stop": ("St",),
    "rebounds": ("Reb",),
    "iq": ("IJ", "GS", "Intelligence de jeu", "Game sense"),
}
KEEP_SYNONYMS = {"three_points": ("3 points dice",)}
"""Headings of tables made by earlier versions, and the abbreviations of the screens in both languages."""


def _whole(key: str, least: int = 0, **more: Any) -> CatalogueColumn:
    return CatalogueColumn(key, "whole", minimum=least, rule=RULE, **more)


def player_of(row: Row) -> JsonObject:
    """Return a player card as the header of a match holds it."""
    return {"kind": "player", **{key: value for key, value in row.items() if key != "id"}}


def tactic_of(row: Row) -> JsonObject:
    """Return a tactic as the header of a match holds it."""
    card = {key: value for key, value in row.items() if key != "id" and "." not in key}
    keep = {skill: row[f"keep.{skill}"] for skill in SKILLS if f"keep.{skill}" in row}
    return {"kind": "tactic", **card, "keep": keep}


def row_of(id: str, card: Fields) -> Row:
    """Return a card of a header as a row."""
    row: Row = {"id": id, **{key: value for key, value in card.items() if key not in ("kind", "keep")}}
    return row | {f"keep.{skill}": count for skill, count in card.get("keep", {}).items()}


def _check_player(row: Row) -> RowError | None:
    return _read(row, player_of(row))


def _check_tactic(row: Row) -> RowError | None:
    """Check that a tactic has one to three skills of its type, then check it with the game's reader."""
    kept = [skill for skill in SKILLS if f"keep.{skill}" in row]
    own = SKILLS_OF[row["type"]]
    for skill in kept:
        if skill not in own:
            args = {"known": comma_separated([Message(f"nba.skill.{one}") for one in own])}
            return RowError(f"keep.{skill}", Message("catalogues.fault.other_type", args), RULE)
    if not kept:
        return RowError(f"keep.{own[0]}", Message("catalogues.fault.no_skill", {"most": MAX_SKILLS}), RULE)
    return _read(row, tactic_of(row))


def _read(row: Row, card: JsonObject) -> RowError | None:
    try:
        read_cards({row["id"]: card})
    except Refusal as refused:
        key = str(refused.message.args.get("key", "id"))
        return RowError(key if key in row else "id", refused.message, refused.rule)
    return None


PLAYERS = CatalogueKind(
    "nba-players",
    "nba",
    (
        CatalogueColumn("id", required=True, rule=RULE),
        CatalogueColumn("name"),
        CatalogueColumn(
            "positions", "picks", POSITIONS, "nba.position_short.", maximum=_LONGEST_LIST, required=True, rule=RULE
        ),
        CatalogueColumn("role", "pick", ROLES, "catalogues.role.", rule=RULE),
        _whole("cost"),
        _whole("value"),
        *(_whole(stat, synonyms=STAT_SYNONYMS.get(stat, ())) for stat in STATS),
        CatalogueColumn("decisive", "switch", rule=RULE),
    ),
    ("id",),
    "name",
    _check_player,
    rule=RULE,
    summary_columns=("positions", "role", "cost", "value"),
)
TACTICS = CatalogueKind(
    "nba-tactics",
    "nba",
    (
        CatalogueColumn("id", required=True, rule=RULE),
        CatalogueColumn("name"),
        CatalogueColumn("type", "pick", TYPES, "catalogues.tactic.", required=True, rule=RULE),
        *(
            _whole(f"keep.{skill}", 1, row_sorts=(type_,), synonyms=KEEP_SYNONYMS.get(skill, ()))
            for type_ in TYPES
            for skill in SKILLS_OF[type_]
        ),
        _whole("complexity"),
        _whole("cost"),
        _whole("value"),
        CatalogueColumn("base", "switch", rule=RULE),
    ),
    ("id",),
    "name",
    _check_tactic,
    sort="type",
    rule=RULE,
    summary_columns=("type", *(f"keep.{skill}" for skill in SKILLS), "cost"),
)


def cards(players: Iterable[Row], tactics: Iterable[Row]) -> dict[str, JsonObject]:
    """Return `setup.cards` of a header."""
    found = {row["id"]: player_of(row) for row in players}
    return {**found, **{row["id"]: tactic_of(row) for row in tactics}}
