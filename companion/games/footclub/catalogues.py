"""FootClub's cards as table rows: team cards, clubs and numbered match cards, with the rules of chapter 1."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from companion.games.base import Fields, JsonObject, Message, Refusal
from companion.games.catalogue import CatalogueColumn, CatalogueKind, Row, RowError, row_error_from, rows_by_value
from companion.games.footclub import cards
from companion.games.footclub.tables import (
    COLOURS,
    COPIES,
    PLACES,
    POSTS,
    PROFILES,
    RIBBON_WIDTH,
    SQUAD_SIZE,
    STRENGTHS,
)
from companion.games.refusals import Refusals

COACH, GOALKEEPER, PLAYER = SORTS = ("coach", "goalkeeper", "player")
FREE = ("nation", "serial", "triangle", "chick")
_KEYS = {
    "FC-1.11.id": "id",
    ".level": "level",
    ".posts": "posts",
    ".profiles": "profiles",
    ".strength": "strength",
    ".style": "style.technical",
    ".preferred": "preferred",
    "FC-1.5": "posts",
    "FC-1.6": "strength",
}
"""Suffixes of the game's refusal ids, and the columns that they concern."""
_READERS = {COACH: cards.parse_coach, GOALKEEPER: cards.parse_goalkeeper, PLAYER: cards.parse_player}
_refusal = Refusals("footclub")
_STAFF = ((COACH, "FC-1.4"), (GOALKEEPER, "FC-1.4"))
"""The rule for the levels of the coach and the goalkeeper."""


def _style(profile: str) -> CatalogueColumn:
    """Return the column for the number of players of a profile that a coach wants."""
    short = f"footclub.profile_short.{profile}"
    return CatalogueColumn(
        f"style.{profile}", "whole", maximum=10, required=True, row_sorts=(COACH,), rule="FC-1.4", short_label=short
    )


COLUMNS = (
    CatalogueColumn("sort", "pick", SORTS, "catalogues.sort.", required=True, default=PLAYER),
    CatalogueColumn("id", required=True, rule="FC-1.11"),
    CatalogueColumn("name"),
    CatalogueColumn("level", "whole", minimum=1, maximum=5, required=True, rule="FC-1.3", rules=_STAFF),
    CatalogueColumn(
        "posts", "picks", POSTS, "footclub.post.", maximum=2, required=True, row_sorts=(PLAYER,), rule="FC-1.3"
    ),
    CatalogueColumn(
        "profiles", "picks", PROFILES, "footclub.profile.", maximum=2, required=True, row_sorts=(PLAYER,), rule="FC-1.3"
    ),
    CatalogueColumn("strength", "pick", STRENGTHS, "footclub.strength.", row_sorts=(PLAYER,), rule="FC-1.3"),
    *(_style(one) for one in PROFILES),
    CatalogueColumn("preferred", "pick", PROFILES, "footclub.profile.", row_sorts=(COACH,), rule="FC-1.4"),
    *(CatalogueColumn(key) for key in FREE),
)


def card_of(row: Row) -> JsonObject:
    """Return the card as the header of a match holds it."""
    card: JsonObject = {key: value for key, value in row.items() if key not in ("sort", "club") and "." not in key}
    if row.get("sort") == COACH:
        card["style"] = {one: row[f"style.{one}"] for one in PROFILES}
    return card


def row_of(sort: str, card: Fields) -> Row:
    """Return a card of a squad as a row."""
    row: Row = {"sort": sort}
    for key, value in card.items():
        if key == "style":
            row.update({f"style.{one}": value[one] for one in PROFILES})
        elif value is not None:
            row[key] = value
    return row


def _check_card(row: Row) -> RowError | None:
    try:
        _READERS[row["sort"]](card_of(row), "")
    except Refusal as refused:
        return row_error_from(refused, _KEYS, "id")
    return None


def _check_clubs(rows: Sequence[Row]) -> Iterator[tuple[int, RowError]]:
    """Check that each club has one coach, one goalkeeper and ten to seventeen players (FC-1.11)."""
    for name, own in rows_by_value(rows, "club").items():
        for sort in (COACH, GOALKEEPER):
            found = [at for at in own if rows[at]["sort"] == sort]
            if not found:
                yield own[0], _missing(name, sort)
            for at in found[1:]:
                yield at, RowError("sort", Message("catalogues.fault.second", {"club": name, "sort": _sort(sort)}))
        players = [at for at in own if rows[at]["sort"] == PLAYER]
        if not SQUAD_SIZE[0] <= len(players) <= SQUAD_SIZE[1]:
            at = players[SQUAD_SIZE[1]] if len(players) > SQUAD_SIZE[1] else own[-1]
            message = _refusal.sentence("FC-1.11", "squad_size", key=name, players=len(players))
            yield at, RowError("sort", message, "FC-1.11")


def _missing(club: str, sort: str) -> RowError:
    return RowError("sort", Message("catalogues.fault.none", {"club": club, "sort": _sort(sort)}), "FC-1.11")


def _sort(sort: str) -> Message:
    return Message(f"catalogues.sort.{sort}")


_BRIEF = ("sort", "level", "posts", "profiles", "strength", "style.technical", "style.physical", "style.tactical")

TEAM = CatalogueKind(
    "footclub-team",
    "footclub",
    COLUMNS,
    ("id",),
    "name",
    _check_card,
    sort="sort",
    rule="FC-1.11",
    summary_columns=_BRIEF,
)
CLUBS = replace(
    TEAM,
    name="footclub-clubs",
    columns=(CatalogueColumn("club", required=True), *COLUMNS),
    identity=("club", "id"),
    check_rows=_check_clubs,
    group="club",
    card_catalogue=TEAM,
)

RIBBON = tuple(f"ribbon.{colour}" for colour in COLOURS)
_RIBBONED = tuple(RIBBON_WIDTH)


def match_card_of(row: Row) -> JsonObject:
    """Return a match card as the header of a match holds it."""
    width = RIBBON_WIDTH.get(row["type"])
    if not width:
        return {"type": row["type"]}
    sections = [row.get(key, []) for key in RIBBON]
    ribbon = [section[0] if len(section) == width == 1 else section for section in sections]
    return {"type": row["type"], "ribbon": ribbon}


def _check_match_card(row: Row) -> RowError | None:
    width = RIBBON_WIDTH.get(row["type"])
    for key in RIBBON if width else ():
        if len(row.get(key, [])) != width:
            case = "one" if width == 1 else "two"
            card = Message(f"footclub.card.{row['type']}")
            return RowError(key, _refusal.sentence("FC-1.8", case, card=card), "FC-1.8")
    return None


def _check_copies(rows: Sequence[Row]) -> Iterator[tuple[int, RowError]]:
    """Check that no type has more cards than a club owns (FC-1.7)."""
    seen = dict.fromkeys(COPIES, 0)
    for at, row in enumerate(rows):
        type_ = row["type"]
        seen[type_] += 1
        if seen[type_] > COPIES[type_]:
            card = Message(f"footclub.card.{type_}")
            yield at, RowError("type", _refusal.sentence("FC-1.7", "copies", card=card, n=COPIES[type_]), "FC-1.7")


MATCH = CatalogueKind(
    "footclub-match",
    "footclub",
    (
        CatalogueColumn("number", "whole", minimum=1, maximum=42, required=True, rule="FC-1.7"),
        CatalogueColumn("type", "pick", tuple(COPIES), "footclub.card.", required=True, rule="FC-1.7"),
        *(
            CatalogueColumn(key, "picks", PLACES, "footclub.place.", maximum=2, row_sorts=_RIBBONED, rule="FC-1.8")
            for key in RIBBON
        ),
    ),
    ("number",),
    "type",
    _check_match_card,
    _check_copies,
    sort="type",
    rule="FC-1.7",
    summary_columns=RIBBON,
)


def team_cards(rows: Iterable[Row]) -> dict[str, list[JsonObject]]:
    """Return `setup.catalogue.team_cards` of a header."""
    found: dict[str, list[JsonObject]] = {"coaches": [], "goalkeepers": [], "players": []}
    lists = {COACH: "coaches", GOALKEEPER: "goalkeepers", PLAYER: "players"}
    for row in rows:
        found[lists[row["sort"]]].append(card_of(row))
    return found


def match_cards(rows: Iterable[Row]) -> dict[str, JsonObject]:
    """Return `setup.catalogue.match_cards` of a header."""
    return {str(row["number"]): match_card_of(row) for row in rows}
