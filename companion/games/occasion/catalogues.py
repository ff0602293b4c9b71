"""The game of chances as table rows, with the checks of chapter 12: players, chance cards zone by zone, posts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from companion.games.base import JsonObject, Message
from companion.games.catalogue import (
    LIST_SEPARATORS,
    NONE_CELL,
    CatalogueColumn,
    CatalogueKind,
    Row,
    RowError,
    rows_by_value,
)
from companion.games.occasion.cards import InvalidCard, read_chance_card, read_player_card
from companion.games.occasion.tables import CROSS, DEFAULT_POSTS, STATS, WALL

RULE = "OC-1.1"
USUAL = tuple(DEFAULT_POSTS)
"""The usual posts."""
LINES = dict.fromkeys(DEFAULT_POSTS.values())
OWN_POSTS = "occasion-posts"
"""The kind of the catalogue with the players' own sets of posts."""
_ZONE = {"zone": "id", "row": "row", "shot": "shot", "attack_posts": "attack_posts"}
_ZONE |= {"defence_posts": "defence_posts", "next": "next"}
"""Columns of a zone by the keys of the header."""


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
        read_player_card(row["id"], player_of(row))
    except InvalidCard as fault:
        return RowError("id", _sentence(row["id"], fault), RULE)
    return None


def _check_zone(_: Row) -> RowError | None:
    """Return None: a zone is checked together with its card."""
    return None


def _check_post(row: Row) -> RowError | None:
    """Refuse a post that a list of posts could not hold."""
    if row["post"] == NONE_CELL or any(sign in row["post"] for sign in LIST_SEPARATORS):
        args = {"signs": " ".join(LIST_SEPARATORS), "none": NONE_CELL}
        return RowError("post", Message("app.occasion.prepare.post_signs", args), RULE)
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


def _posts_column(key: str) -> CatalogueColumn:
    """Return the column of the posts that get a bonus in a zone."""
    column = CatalogueColumn(key, "picks", USUAL, "occasion.post.", maximum=len(USUAL), has_empty_marker=True)
    return replace(column, own_options_from=OWN_POSTS)


POSTS = CatalogueKind(
    OWN_POSTS,
    "occasion",
    (
        CatalogueColumn("set", required=True, rule=RULE),
        CatalogueColumn("name"),
        CatalogueColumn("post", "text", USUAL, "occasion.post.", required=True, rule=RULE),
        CatalogueColumn("line", "text", tuple(LINES), "catalogues.post_line.", required=True, rule=RULE),
    ),
    ("set", "post"),
    "post",
    _check_post,
    group="set",
    rule=RULE,
    summary_columns=("line",),
    id_prefix="P",
    has_cards=False,
)
PLAYERS = CatalogueKind(
    "occasion-players",
    "occasion",
    (
        CatalogueColumn("id", required=True, rule=RULE),
        CatalogueColumn("name"),
        CatalogueColumn("team"),
        CatalogueColumn("post", "pick", USUAL, "occasion.post.", required=True, rule=RULE, own_options_from=OWN_POSTS),
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
        _posts_column("attack_posts"),
        _posts_column("defence_posts"),
        CatalogueColumn("next", "texts", has_empty_marker=True),
    ),
    ("card", "zone"),
    "zone",
    _check_zone,
    _check_chances,
    group="card",
    rule=RULE,
    id_prefix="z",
    summary_columns=("row", "shot", "attack_posts", "defence_posts", "next"),
)


def players(rows: Iterable[Row]) -> dict[str, JsonObject]:
    """Return one side's entry of `setup.players` of a header."""
    return {row["id"]: player_of(row) for row in rows}


def chances(rows: Sequence[Row]) -> dict[str, JsonObject]:
    """Return `setup.occasions` of a header."""
    return {card: chance_of([rows[at] for at in own]) for card, own in rows_by_value(rows, "card").items()}


@dataclass(frozen=True, slots=True)
class PostSet:
    """A set of posts under its name, as `setup.posts` of a header holds it."""

    name: str
    posts: Mapping[str, str]


def post_sets(rows: Sequence[Row]) -> dict[str, PostSet]:
    """Return the sets of posts by their identifiers."""
    found = {}
    for id, places in rows_by_value(rows, "set").items():
        own = [rows[at] for at in places]
        name = next((str(row["name"]) for row in own if "name" in row), id)
        found[id] = PostSet(name, {str(row["post"]): str(row["line"]) for row in own})
    return found
