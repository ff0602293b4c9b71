"""Squad files: the samples are complete and playable, and every fault names file, location and rule."""

from __future__ import annotations

import json
from itertools import combinations, product
from pathlib import Path
from typing import Any

import pytest

from companion.games.base import Refusal
from companion.games.catalogue import SquadClub, SquadFileError
from companion.games.footclub.cards import PlayerCard, Squad
from companion.games.footclub.setup import read_header
from companion.games.footclub.squads import header, sample_clubs
from companion.games.footclub.tables import FORMATIONS, POSTS, PROFILES, STRENGTHS, Formation
from companion.language import LANGUAGES, Language
from companion.table.catalogues.squads import read_squad

CLUBS = sample_clubs()


def squad_of(club: SquadClub) -> Squad:
    other = next(one for one in CLUBS if one is not club)
    squads = read_header(header(club, other)).squads
    assert squads is not None
    return squads[0]


def optimised_team(squad: Squad, formation: Formation) -> bool:
    """Return True if some team in this formation matches the coach's style exactly (FC-3.5)."""

    def search(players: tuple[PlayerCard, ...], places: tuple[int, ...], style: tuple[int, ...]) -> bool:
        if not any(places):
            return True
        if not players or min(places + style) < 0:
            return False
        card, rest = players[0], players[1:]
        for post, profile in product(card.posts, card.profiles):
            at, kind = POSTS.index(post), PROFILES.index(profile)
            left = tuple(n - (i == at) for i, n in enumerate(places))
            wanted = tuple(n - (i == kind) for i, n in enumerate(style))
            if min(left + wanted) >= 0 and search(rest, left, wanted):
                return True
        return search(rest, places, style)

    return search(squad.players, formation, squad.coach.style)


def test_four_sample_clubs_of_fifteen_to_seventeen_players() -> None:
    assert len({club.name for club in CLUBS}) == 4
    for club in CLUBS:
        assert 15 <= len(club.squad["players"]) <= 17


@pytest.mark.parametrize("pair", tuple(combinations(CLUBS, 2)), ids=lambda pair: f"{pair[0].name}-{pair[1].name}")
def test_any_two_sample_clubs_can_meet(pair: tuple[SquadClub, SquadClub]) -> None:
    made = header(*pair, home="red", kop="K02", format="league")
    assert read_header(made).names == (pair[0].name, pair[1].name)


@pytest.mark.parametrize("club", CLUBS, ids=lambda club: club.name)
def test_sample_clubs_have_every_strength_and_names(club: SquadClub) -> None:
    squad = squad_of(club)
    assert {card.strength for card in squad.players} >= set(STRENGTHS)
    assert all(" " in card.name for card in squad.players)
    assert squad.coach.level + squad.goalkeeper.level == 8  # as in a market (FC-2.2)


@pytest.mark.parametrize("club", CLUBS, ids=lambda club: club.name)
def test_sample_clubs_can_be_optimised_in_several_formations(club: SquadClub) -> None:
    squad = squad_of(club)
    assert sum(optimised_team(squad, formation) for formation in FORMATIONS) >= 3


def test_the_same_club_twice_is_refused_with_the_rule() -> None:
    with pytest.raises(Refusal) as refused:
        header(CLUBS[0], CLUBS[0])
    assert refused.value.rule == "FC-1.11"


def test_json_and_toml_read_alike(tmp_path: Path) -> None:
    club = CLUBS[0]
    file = tmp_path / "club.json"
    file.write_text(json.dumps({"name": club.name, **club.squad}), encoding="utf-8")
    assert read_squad(file) == club


def changed(**changes: Any) -> dict[str, Any]:
    """Return a sample's content with some paths (`players.3.level`) changed, or removed with `...`."""
    content = json.loads(json.dumps({"name": CLUBS[0].name, **CLUBS[0].squad}))
    for path, value in changes.items():
        *steps, last = [int(step) if step.isdigit() else step for step in path.split("__")]
        at: Any = content
        for step in steps:
            at = at[step]
        if value is ...:
            del at[last]
        else:
            at[last] = value
    return content


@pytest.mark.parametrize(
    ("content", "id", "expected"),
    [
        (changed(players__3__level=6), "squads.fault.rule", " 4"),
        (changed(players__0__profiles=[]), "squads.fault.rule", "FC-1.3"),
        (changed(players__0__posts=["gk"]), "squads.fault.rule", "FC-1.3"),
        (changed(players__0__strength="versatile"), "squads.fault.rule", "FC-1.5"),
        (changed(coach__style__tactical=9), "squads.fault.rule", "FC-1.4"),
        (changed(goalkeeper__level="4"), "squads.fault.rule", "FC-1.4"),
        (changed(players__0__strenght="rugged"), "squads.fault.misspelt", "strength"),
        (changed(budget=12), "squads.fault.unknown", "budget"),
        (changed(coach=...), "squads.fault.missing", "coach"),
        (changed(name="  "), "squads.fault.name", "club.json"),
        (changed(players={}), "squads.fault.players", "players"),
        (changed(players__5="Elio"), "squads.fault.no_table", " 6"),
        (changed(players__2__name="Tom\x07"), "squads.fault.text", " 3"),
        (changed(players__2__name="\ud800"), "squads.fault.text", " 3"),
        (changed(players__2__name="x" * 61), "squads.fault.text", "60"),
        (changed(coach__name=7), "squads.fault.text", "name"),
        (changed(coach__name={}), "squads.fault.text", "name"),
        (changed(players__0__serial=10**400), "squads.fault.value", "serial"),
        (changed(goalkeeper__name=" "), "squads.fault.text", "name"),
        (changed(name="A\nB"), "squads.fault.text", "name"),
        (changed(name=3), "squads.fault.name", "name"),
        (changed(players__3__level=float("nan")), "squads.fault.value", " 4"),
        (changed(players__3__level=10**30), "squads.fault.value", " 4"),
        (changed(coach__style__tactical=float("inf")), "squads.fault.value", "style.tactical"),
        (changed(coach__serial=[[[[1]]]]), "squads.fault.value", "serial"),
        ([], "squads.fault.no_club", "goalkeeper"),
        (changed(players=[]), "squads.fault.rule", "FC-1.11"),
    ],
)
def test_a_fault_names_file_place_and_rule(tmp_path: Path, content: Any, id: str, expected: str) -> None:
    file = tmp_path / "club.json"
    file.write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(SquadFileError) as fault:
        read_squad(file)
    assert fault.value.message.id == id
    for code in LANGUAGES:
        sentence = Language(code).text(fault.value.message)
        assert "club.json" in sentence
        assert expected in sentence
        assert "{" not in sentence


def test_two_players_with_one_id_break_fc_1_11(tmp_path: Path) -> None:
    content = changed(players__1__id=CLUBS[0].squad["players"][0]["id"])
    (tmp_path / "club.json").write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(SquadFileError) as fault:
        read_squad(tmp_path / "club.json")
    assert fault.value.message.args["rule"] == "FC-1.11"
    assert CLUBS[0].squad["players"][0]["id"] in Language("fr").text(fault.value.message)


@pytest.mark.parametrize(
    ("name", "content", "id", "expected"),
    [
        ("a.toml", b"name = 'A'\nlevel = \n", "squads.fault.syntax", "line 2"),
        ("a.json", b'{"name":\n oops}', "squads.fault.syntax", "line 2"),
        ("a.toml", b"name = " + b"9" * 5000, "squads.fault.syntax", "a number is too long"),
        ("a.json", b'{"name": ' + b"9" * 5000 + b"}", "squads.fault.syntax", "a number is too long"),
        ("a.json", b"[" * 100_000, "squads.fault.syntax", "nested too deeply"),
        ("a.toml", b"a = " + b"[" * 10_000, "squads.fault.syntax", "nested too deeply"),
        ("a.json", b"[" * 400 + b"]" * 400, "squads.fault.value", "1.1"),
        ("a.json", b'{"name": "A", "name": "B"}', "squads.fault.twice", "name"),
        ("a.json", b'{"players": [{"id": "a"}, {"id": "a", "id": "b"}]}', "squads.fault.twice", "player 2, id"),
        ("a.json", b'{"coach": {"style": {"x": 1, "x": 1}}}', "squads.fault.twice", "coach, style.x"),
        ("a.toml", b"[coach]\nserial = 2024-01-01", "squads.fault.value", "coach, serial"),
        ("a.toml", b"name = 'A'\n# \xff", "squads.fault.not_utf8", "2"),
    ],
)
def test_a_file_that_is_not_well_formed_names_its_line(
    tmp_path: Path, name: str, content: bytes, id: str, expected: str
) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(SquadFileError) as fault:
        read_squad(tmp_path / name)
    assert fault.value.message.id == id
    assert expected in Language("en").text(fault.value.message)


def test_a_file_that_is_not_there_is_said_so(tmp_path: Path) -> None:
    with pytest.raises(SquadFileError) as fault:
        read_squad(tmp_path / "none.toml")
    assert fault.value.message.id == "squads.fault.unreadable"
    assert "none.toml" in Language("fr").text(fault.value.message)


def test_a_name_that_no_file_can_have_is_said_so() -> None:
    with pytest.raises(SquadFileError) as fault:
        read_squad(Path("a\0b.toml"))
    assert fault.value.message.id == "squads.fault.unreadable"
