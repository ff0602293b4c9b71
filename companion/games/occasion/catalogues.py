"""The cards of the game of chances as table rows: players, and chance cards zone by zone, with chapter 12's checks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from companion.games.base import JsonObject, Message
from companion.games.catalogue import CatalogueColumn, CatalogueKind, Row, RowError, rows_by_value
from companion.games.occasion.cards import InvalidCard, check_posts, read_chance_card, read_player_card
from companion.games.occasion.tables import CROSS, DEFAULT_POSTS, STATS, WALL

RULE = "OC-1.1"
POSTS = tuple(DEFAULT_POSTS)
_ZONE = {"zone": "id", "row": "row", "shot": "shot", "attack_posts": "attack_posts"}
_ZONE |= {"defence_posts": "defence_posts", "next": "next"}
"""Columns of a zone by the keys of the header."""
_MOST_POSTS = len(POSTS)


def player_of(row: Row) -> JsonObject:
    """Return a player's card as the header of a match holds it."""
    return {key: value for key, value in row.items() if key not in ("id", "team")}


def chance_of(rows: Sequence[Row]) -> JsonObject:
    """Return a chance card as the header of a match holds it, from its zones."""
    zones = [{key: row[column] for column, key in _ZONE.items() if column in row} for row in rows]
    named = next((row["name"] for row in rows if "name" in row), None)
    return {"zones": zones} if named is None else {"name": named, "zones": zones}


def _check_player(row: Row) -> RowError | None:
    try:
        check_posts(read_player_card(row["id"], player_of(row)), POSTS)
    except InvalidCard as fault:
        return RowError("id", _sentence(row["id"], fault), RULE)
    return None


def _check_zone(_: Row) -> RowError | None:
    """Return None: a zone is checked together with its card."""
    return None


def _check_chances(rows: Sequence[Row]) -> Iterator[tuple[int, RowError]]:
    for card, own in rows_by_value(rows, "card").items():
        try:
            read_chance_card(card, chance_of([rows[at] for at in own]))
        except InvalidCard as fault:
            zone = fault.message.args.get("zone")
            at = next((at for at in reversed(own) if rows[at]["zone"] == zone), own[0])
            yield at, RowError(_column_of(fault), _sentence(card, fault), RULE)


def _column_of(fault: InvalidCard) -> str:
    case = fault.message.id.rsplit(".", 1)[1]
    return {"repeated_zone": "zone", "no_shot": "shot", "unknown_next": "next", "dead_end": "next"}.get(case, "card")


def _sentence(card: str, fault: InvalidCard) -> Message:
    return Message("occasion.refusal.OC-1.1.card", {"card": card, "reason": fault.message})


PLAYERS = CatalogueKind(
    "occasion-players",
    "occasion",
    (
        CatalogueColumn("id", required=True, rule=RULE),
        CatalogueColumn("name"),
        CatalogueColumn("team"),
        CatalogueColumn("post", "pick", POSTS, "occasion.post.", required=True, rule=RULE),
        *(CatalogueColumn(stat, "whole", required=True, rule=RULE) for stat in STATS),
        CatalogueColumn("abilities", "texts", (CROSS, WALL), "occasion.ability.", has_empty_marker=True),
    ),
    ("id",),
    "name",
    _check_player,
    rule=RULE,
    summary_columns=("post", "team", *STATS, "abilities"),
)
CHANCES = CatalogueKind(
    "occasion-chances",
    "occasion",
    (
        CatalogueColumn("card", required=True, rule=RULE),
        CatalogueColumn("name"),
        CatalogueColumn("zone", required=True, rule=RULE),
        CatalogueColumn("row", "whole", minimum=1, required=True, rule=RULE),
        CatalogueColumn("shot", "switch"),
        CatalogueColumn("attack_posts", "picks", POSTS, "occasion.post.", maximum=_MOST_POSTS, has_empty_marker=True),
        CatalogueColumn("defence_posts", "picks", POSTS, "occasion.post.", maximum=_MOST_POSTS, has_empty_marker=True),
        CatalogueColumn("next", "texts", has_empty_marker=True),
    ),
    ("card", "zone"),
    "zone",
    _check_zone,
    _check_chances,
    group="card",
    rule=RULE,
    summary_columns=("row", "shot", "attack_posts", "defence_posts", "next"),
)


def players(rows: Iterable[Row]) -> dict[str, JsonObject]:
    """Return one side's entry of `setup.players` of a header."""
    return {row["id"]: player_of(row) for row in rows}


def chances(rows: Sequence[Row]) -> dict[str, JsonObject]:
    """Return `setup.occasions` of a header."""
    return {card: chance_of([rows[at] for at in own]) for card, own in rows_by_value(rows, "card").items()}
