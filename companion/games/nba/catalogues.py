"""The cards of NBA Deck-Building as rows: athletes and tactics, with the rule NBA-3.2."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from companion.games.base import Fields, JsonObject, Message, Refusal
from companion.games.catalogue import Broken, Column, Kind, Row, listed
from companion.games.nba.cards import MOST_SKILLS, read_cards
from companion.games.nba.tables import POSITIONS, ROLES, SKILLS, SKILLS_OF, STATS, TYPES

RULE = "NBA-3.2"
_LONGEST_LIST = 5


def _whole(key: str, least: int = 0, **more: Any) -> Column:
    return Column(key, "whole", least=least, rule=RULE, **more)


def player_of(row: Row) -> JsonObject:
    """An athlete as the header of a match holds it."""
    return {"kind": "player", **{key: value for key, value in row.items() if key != "id"}}


def tactic_of(row: Row) -> JsonObject:
    """A tactic as the header of a match holds it."""
    card = {key: value for key, value in row.items() if key != "id" and "." not in key}
    keep = {skill: row[f"keep.{skill}"] for skill in SKILLS if f"keep.{skill}" in row}
    return {"kind": "tactic", **card, "keep": keep}


def row_of(id: str, card: Fields) -> Row:
    """A card of a header as a row."""
    row: Row = {"id": id, **{key: value for key, value in card.items() if key not in ("kind", "keep")}}
    return row | {f"keep.{skill}": count for skill, count in card.get("keep", {}).items()}


def _check_player(row: Row) -> Broken | None:
    return _read(row, player_of(row))


def _check_tactic(row: Row) -> Broken | None:
    """One to three skills, all of the tactic's type; then as the game reads it."""
    kept = [skill for skill in SKILLS if f"keep.{skill}" in row]
    own = SKILLS_OF[row["type"]]
    for skill in kept:
        if skill not in own:
            words = {"known": listed([Message(f"nba.skill.{one}") for one in own])}
            return Broken(f"keep.{skill}", Message("catalogues.fault.other_type", words), RULE)
    if not kept:
        return Broken(f"keep.{own[0]}", Message("catalogues.fault.no_skill", {"most": MOST_SKILLS}), RULE)
    return _read(row, tactic_of(row))


def _read(row: Row, card: JsonObject) -> Broken | None:
    try:
        read_cards({row["id"]: card})
    except Refusal as refused:
        key = str(refused.message.args.get("key", "id"))
        return Broken(key if key in row else "id", refused.message, refused.rule)
    return None


PLAYERS = Kind(
    "nba-players",
    "nba",
    (
        Column("id", needed=True, rule=RULE),
        Column("name"),
        Column("positions", "picks", POSITIONS, "nba.position_short.", most=_LONGEST_LIST, needed=True, rule=RULE),
        Column("role", "pick", ROLES, "catalogues.role.", rule=RULE),
        _whole("cost"),
        _whole("value"),
        *(_whole(stat) for stat in STATS),
        Column("decisive", "switch", rule=RULE),
    ),
    ("id",),
    "name",
    _check_player,
    rule=RULE,
    brief=("positions", "role", "cost", "value"),
)
TACTICS = Kind(
    "nba-tactics",
    "nba",
    (
        Column("id", needed=True, rule=RULE),
        Column("name"),
        Column("type", "pick", TYPES, "catalogues.tactic.", needed=True, rule=RULE),
        *(_whole(f"keep.{skill}", 1, of=(type_,)) for type_ in TYPES for skill in SKILLS_OF[type_]),
        _whole("complexity"),
        _whole("cost"),
        _whole("value"),
        Column("base", "switch", rule=RULE),
    ),
    ("id",),
    "name",
    _check_tactic,
    sort="type",
    rule=RULE,
    brief=("type", *(f"keep.{skill}" for skill in SKILLS), "cost"),
)


def cards(players: Iterable[Row], tactics: Iterable[Row]) -> dict[str, JsonObject]:
    """`setup.cards` of a header."""
    found = {row["id"]: player_of(row) for row in players}
    return {**found, **{row["id"]: tactic_of(row) for row in tactics}}
