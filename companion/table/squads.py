"""Clubs with their squads, from TOML or JSON files or the samples shipped; and the FootClub header that two make."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from companion.games.base import Message, Refusal
from companion.games.footclub import card_reading
from companion.games.footclub.setup import read_header
from companion.table.catalogues.columns import Row
from companion.table.catalogues.footclub import COACH, GOALKEEPER, PLAYER, card_of, row_of
from companion.table.catalogues.reading import read
from companion.table.catalogues.registry import CLUBS, KINDS
from companion.table.squad_text import SquadFault, decoded

__all__ = ["Club", "SquadFault", "club_of", "header", "read_squad", "rows_of", "sample_clubs"]

TOP_KEYS = ("name", "coach", "goalkeeper", "players")
FREE_KEYS = ("name", "nation", "serial", "triangle", "chick")
COACH_KEYS = ("id", "level", "style", "preferred", *FREE_KEYS)
GOALKEEPER_KEYS = ("id", "level", *FREE_KEYS)
PLAYER_KEYS = ("id", "posts", "level", "profiles", "strength", *FREE_KEYS)


@dataclass(frozen=True, slots=True)
class Club:
    """A club's name and its squad as the journal's header holds it (`squads` of FootClub's rules, 19.1)."""

    name: str
    squad: Mapping[str, Any] = field(hash=False)


@cache
def sample_clubs() -> tuple[Club, ...]:
    """The invented clubs shipped with the product, by name. Any two of them can play each other."""
    files = [entry for entry in resources.files("companion.samples").iterdir() if entry.name.endswith(".toml")]
    clubs = [_club(entry.name, decoded(entry.name, entry.read_bytes())) for entry in files]
    return tuple(sorted(clubs, key=lambda club: club.name))


def read_squad(path: Path) -> Club:
    """Reads a club from a TOML file, or from JSON or a table (CSV) if the file's name ends so. Raises SquadFault."""
    try:
        content = path.read_bytes()
    except (OSError, ValueError) as trouble:  # ValueError: a name with a character that no file's name can have
        args = {"file": path.name, "why": getattr(trouble, "strerror", None) or str(trouble)}
        raise SquadFault(Message("squads.fault.unreadable", args)) from trouble
    if path.suffix.lower() == ".csv":
        return _club(path.name, _tabled(path.name, content))
    return _club(path.name, decoded(path.name, content))


def header(
    blue: Club,
    red: Club,
    home: str = "blue",
    kop: str = "K01",
    format: str = "single",
    **setup: Any,
) -> dict[str, Any]:
    """The header of a FootClub journal for these clubs; `setup` gives further keys (`options`, `catalogue`, …).

    Raises Refusal if it breaks a rule of the header, such as a card that both clubs have (FC-1.11).
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


def club_of(file: str, rows: Sequence[Row]) -> Club:
    """The club that the rows of one club make; `file` is what a fault names. Raises SquadFault."""
    return _club(file, _content(rows))


def rows_of(club: Club) -> list[Row]:
    """A club's cards as rows of the catalogue of clubs."""
    squad = club.squad
    cards = [(COACH, squad["coach"]), (GOALKEEPER, squad["goalkeeper"]), *((PLAYER, one) for one in squad["players"])]
    return [{"club": club.name, **row_of(sort, card)} for sort, card in cards]


def _tabled(file: str, content: bytes) -> dict[str, Any]:
    """The one club of a table."""
    reading = read(file, content, KINDS[CLUBS])
    if reading.faults:
        first, n = reading.faults[0].message, len(reading.faults) - 1
        raise SquadFault(Message("squads.fault.more", {"first": first, "n": n}) if n else first)
    if len({row["club"] for row in reading.rows}) != 1:
        raise SquadFault(Message("squads.fault.clubs", {"file": file}))
    return _content(reading.rows)


def _content(rows: Sequence[Row]) -> dict[str, Any]:
    """What a squad file says, from the rows of a club."""
    cards = {sort: [card_of(row) for row in rows if row["sort"] == sort] for sort in (COACH, GOALKEEPER, PLAYER)}
    content: dict[str, Any] = {"name": rows[0]["club"] if rows else "", "players": cards[PLAYER]}
    return {**content, **{sort: cards[sort][0] for sort in (COACH, GOALKEEPER) if cards[sort]}}


def _club(file: str, content: Any) -> Club:
    if not isinstance(content, dict):
        raise SquadFault(Message("squads.fault.no_club", {"file": file}))
    _known_keys(file, None, content, TOP_KEYS)
    for key in TOP_KEYS:
        if key not in content:
            raise SquadFault(Message("squads.fault.missing", {"file": file, "key": key}))
    name = content["name"]
    if not isinstance(name, str) or not name.strip():
        raise SquadFault(Message("squads.fault.name", {"file": file}))
    if not isinstance(content["players"], list):
        raise SquadFault(Message("squads.fault.players", {"file": file}))
    _check_cards(file, content)
    club = Club(name.strip(), {key: content[key] for key in TOP_KEYS if key != "name"})
    try:
        header(club, _twin(club))
    except Refusal as refused:
        raise _broken(file, Message("squads.place.squad"), refused) from refused
    return club


def _check_cards(file: str, content: Mapping[str, Any]) -> None:
    """Each card by itself, by the game's own reading, so that the fault names its row."""
    coach, goalkeeper = Message("squads.place.coach"), Message("squads.place.goalkeeper")
    _check_card(file, coach, content["coach"], COACH_KEYS, card_reading.coach)
    _check_card(file, goalkeeper, content["goalkeeper"], GOALKEEPER_KEYS, card_reading.goalkeeper)
    for number, row in enumerate(content["players"], 1):
        place = Message("squads.place.player", {"number": number})
        _check_card(file, place, row, PLAYER_KEYS, card_reading.player)


def _check_card(file: str, place: Message, row: Any, keys: tuple[str, ...], read: Callable[[Any, str], Any]) -> None:
    if not isinstance(row, dict):
        raise SquadFault(Message("squads.fault.no_table", {"file": file, "place": place}))
    _known_keys(file, place, row, keys)
    try:
        read(row, file)
    except Refusal as refused:
        raise _broken(file, place, refused) from refused


def _known_keys(file: str, place: Message | None, table: Mapping[str, Any], keys: tuple[str, ...]) -> None:
    for key in table:
        if key in keys:
            continue
        shown = Message("squads.place.field", {"place": place, "key": key}) if place else key
        near = get_close_matches(key, keys, n=1)
        if near:
            raise SquadFault(Message("squads.fault.misspelt", {"file": file, "key": shown, "near": near[0]}))
        raise SquadFault(Message("squads.fault.unknown", {"file": file, "key": shown, "known": ", ".join(keys)}))


def _broken(file: str, place: Message, refused: Refusal) -> SquadFault:
    args = {"file": file, "place": place, "rule": refused.rule, "reason": refused.message}
    return SquadFault(Message("squads.fault.rule", args))


def _twin(club: Club) -> Club:
    """The same squad with other ids: an opponent with whom the game's check of a whole header can be run."""
    squad = club.squad
    return Club(
        club.name,
        {
            "coach": _renamed(squad["coach"]),
            "goalkeeper": _renamed(squad["goalkeeper"]),
            "players": [_renamed(row) for row in squad["players"]],
        },
    )


def _renamed(row: Mapping[str, Any]) -> dict[str, Any]:
    return {**row, "id": f"{row['id']}\N{PRIME}"}
