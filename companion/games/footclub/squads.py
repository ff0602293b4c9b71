"""Clubs with their squads, from files or the shipped samples, and the header for two clubs."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from functools import cache
from importlib import resources
from typing import Any

from companion.games.base import Fields, JsonObject, Message, Refusal
from companion.games.catalogue import Clubs, Row, SquadClub, SquadFileError
from companion.games.footclub import cards
from companion.games.footclub.catalogues import CLUBS, COACH, GOALKEEPER, PLAYER, card_of, row_of
from companion.games.footclub.setup import read_header
from companion.games.footclub.squad_status import squad_status

TOP_KEYS = ("name", "coach", "goalkeeper", "players")
FREE_KEYS = ("name", "nation", "serial", "triangle", "chick")
COACH_KEYS = ("id", "level", "style", "preferred", *FREE_KEYS)
GOALKEEPER_KEYS = ("id", "level", *FREE_KEYS)
PLAYER_KEYS = ("id", "posts", "level", "profiles", "strength", *FREE_KEYS)


CONSENT = {"consent": True}
"""The options of every new match: nobody forestalls a counter-attack or a support (FC-8.11, FC-9.8)."""


@cache
def sample_clubs() -> tuple[SquadClub, ...]:
    """Return the fictional clubs shipped with the product, by name. Any two of them can play each other."""
    folder = resources.files("companion.games.footclub") / "samples"
    files = [entry for entry in folder.iterdir() if entry.name.endswith(".toml")]
    clubs = [parse_club(entry.name, tomllib.loads(entry.read_text(encoding="utf-8"))) for entry in files]
    return tuple(sorted(clubs, key=lambda one: one.name))


def header(
    blue: SquadClub,
    red: SquadClub,
    home: str = "blue",
    kop: str = "K01",
    format: str = "single",
    **setup: object,
) -> JsonObject:
    """Return the header of a FootClub journal for these clubs; `setup` adds further keys (`options`, `catalogue`, …).

    Raises: Refusal if it breaks a rule of the header, such as a card that both clubs have (FC-1.11).
    """
    squads = {"blue": dict(blue.squad), "red": dict(red.squad)}
    made = {
        "journal": 1,
        "game": "footclub",
        "sides": {"blue": {"name": blue.name}, "red": {"name": red.name}},
        "setup": {"home": home, "kop": kop, "format": format, "squads": squads, **setup},
    }
    read_header(made)
    return made


def club_of(file: str, rows: Sequence[Row]) -> SquadClub:
    """Return the club made of these rows; `file` is the name used in errors. Raises: SquadFileError."""
    return parse_club(file, content_of(rows))


def rows_of(club: SquadClub) -> list[Row]:
    """Return a club's cards as rows of the catalogue of clubs."""
    squad = club.squad
    cards = [(COACH, squad["coach"]), (GOALKEEPER, squad["goalkeeper"]), *((PLAYER, one) for one in squad["players"])]
    return [{"club": club.name, **row_of(sort, card)} for sort, card in cards]


def sample_rows() -> list[Row]:
    """Return the team cards of the sample clubs."""
    return [
        {key: value for key, value in row.items() if key != "club"} for one in sample_clubs() for row in rows_of(one)
    ]


def content_of(rows: Sequence[Row]) -> JsonObject:
    """Return the content of a squad file for the rows of one club."""
    cards = {sort: [card_of(row) for row in rows if row["sort"] == sort] for sort in (COACH, GOALKEEPER, PLAYER)}
    content: JsonObject = {"name": rows[0]["club"] if rows else "", "players": cards[PLAYER]}
    return {**content, **{sort: cards[sort][0] for sort in (COACH, GOALKEEPER) if cards[sort]}}


def parse_club(file: str, content: object) -> SquadClub:
    """Return the club of a squad file (TOML or JSON, decoded). Raises: SquadFileError."""
    if not isinstance(content, dict):
        raise SquadFileError(Message("squads.fault.no_club", {"file": file}))
    _check_keys(file, None, content, TOP_KEYS)
    for key in TOP_KEYS:
        if key not in content:
            raise SquadFileError(Message("squads.fault.missing", {"file": file, "key": key}))
    name = content["name"]
    if not isinstance(name, str) or not name.strip():
        raise SquadFileError(Message("squads.fault.name", {"file": file}))
    if not isinstance(content["players"], list):
        raise SquadFileError(Message("squads.fault.players", {"file": file}))
    _check_cards(file, content)
    made = SquadClub(name.strip(), {key: content[key] for key in TOP_KEYS if key != "name"})
    try:
        header(made, _twin(made))
    except Refusal as refused:
        raise _squad_error(file, Message("squads.place.squad"), refused) from refused
    return made


def _check_cards(file: str, content: Fields) -> None:
    """Check each card separately with the game's own reader, so that the error names its row."""
    coach, goalkeeper = Message("squads.place.coach"), Message("squads.place.goalkeeper")
    _check_card(file, coach, content["coach"], COACH_KEYS, cards.parse_coach)
    _check_card(file, goalkeeper, content["goalkeeper"], GOALKEEPER_KEYS, cards.parse_goalkeeper)
    for number, row in enumerate(content["players"], 1):
        place = Message("squads.place.player", {"number": number})
        _check_card(file, place, row, PLAYER_KEYS, cards.parse_player)


def _check_card(file: str, place: Message, row: Any, keys: tuple[str, ...], read: Callable[[Any, str], Any]) -> None:
    if not isinstance(row, dict):
        raise SquadFileError(Message("squads.fault.no_table", {"file": file, "place": place}))
    _check_keys(file, place, row, keys)
    try:
        read(row, file)
    except Refusal as refused:
        raise _squad_error(file, place, refused) from refused


def _check_keys(file: str, place: Message | None, table: Fields, keys: tuple[str, ...]) -> None:
    for key in table:
        if key in keys:
            continue
        key_text = Message("squads.place.field", {"place": place, "key": key}) if place else key
        near = get_close_matches(key, keys, n=1)
        if near:
            raise SquadFileError(Message("squads.fault.misspelt", {"file": file, "key": key_text, "near": near[0]}))
        raise SquadFileError(Message("squads.fault.unknown", {"file": file, "key": key_text, "known": ", ".join(keys)}))


def _squad_error(file: str, place: Message, refused: Refusal) -> SquadFileError:
    args = {"file": file, "place": place, "rule": refused.rule, "reason": refused.message}
    return SquadFileError(Message("squads.fault.rule", args))


def _twin(club: SquadClub) -> SquadClub:
    """Return the same squad with other ids, as an opponent for the game's check of a full header."""
    squad = club.squad
    return SquadClub(
        club.name,
        {
            "coach": _renamed(squad["coach"]),
            "goalkeeper": _renamed(squad["goalkeeper"]),
            "players": [_renamed(row) for row in squad["players"]],
        },
    )


def _renamed(row: Fields) -> JsonObject:
    return {**row, "id": f"{row['id']}\N{PRIME}"}


CLUB_FILES = Clubs(CLUBS, parse_club, content_of, rows_of, sample_clubs, lambda rows: squad_status(rows).missing)
