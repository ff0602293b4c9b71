"""Persons and clubs of a table: who played before, records over all games, and an erasure that reaches every copy."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.clock import ManualClock
from companion.games.registry import DICE_STATISTICS, GAMES
from companion.journal.ledger import Ledger
from companion.journal.store import REMOVED_RETENTION, Picture, Store
from companion.table.history import MatchHistory, ParticipantRecord, tally_of, winner_of
from companion.table.matches import Matches
from companion.table.profiles import (
    COLOURS,
    PLAYED_BY,
    Person,
    Profile,
    Profiles,
    club_profile,
    erase,
    new_person,
    persons_of,
    recent_names,
    recent_persons,
)
from companion.tournament.headers import MARK
from tests.table.sample_reports import played, report_of
from vision.files import take_damaged_files

ANNA, PAUL = Profile("person", "anna-id", "Anna Vane"), Profile("person", "p1", "Paul")
JPEG = b"\xff\xd8\xff photo"
SEEDS = (1, 2, 8)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "matches.db", ManualClock()) as opened:
        yield opened


@pytest.fixture
def profiles(tmp_path: Path) -> Profiles:
    return Profiles(tmp_path)


def header_of(game: str, seed: int = 1, *, by: tuple[Profile, ...] = (ANNA, PAUL), **more: Any) -> dict[str, Any]:
    header = dict(played(game, seed).header)
    sides = zip(header["sides"], by, strict=False)
    return {**header, PLAYED_BY: {side: {"id": who.id, "name": who.name} for side, who in sides}, **more}


def add_played(store: Store, game: str, seed: int, **more: Any) -> str:
    events = [entry.fields for entry in played(game, seed).all_events]
    return store.create(header_of(game, seed, **more), events, ended=True)


def history_of(store: Store) -> MatchHistory:
    history = MatchHistory(store, GAMES, DICE_STATISTICS)
    for _ in history.count_matches():
        pass
    return history


def on_disk(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())


def test_a_profile_is_kept_with_its_photo(profiles: Profiles, tmp_path: Path) -> None:
    club = Profile("club", "étoile", "Étoile", "violet", "crown")
    for profile in (PAUL, ANNA, club):
        profiles.save(profile)
    profiles.save_photo(ANNA, JPEG)
    again = Profiles(tmp_path)
    assert again.all("person") == (ANNA, PAUL)
    assert again.club("ÉTOILE") == club
    assert again.club("Other") == club_profile("Other")
    photo = again.photo(ANNA)
    assert photo is not None
    assert photo.read_bytes() == JPEG
    assert again.photo(PAUL) is None
    again.remove(ANNA)
    assert again.all() == (club, PAUL) or again.all() == (PAUL, club)
    assert JPEG not in on_disk(tmp_path)


def test_a_new_person_gets_a_colour_that_is_free(profiles: Profiles) -> None:
    people: list[Profile] = []
    for name in "ABCDEF":
        people.append(new_person(name, people))
    assert {person.colour for person in people} == set(COLOURS)
    assert len({person.id for person in people}) == len(people)


def test_a_damaged_file_is_set_aside_and_an_unknown_look_is_plain(profiles: Profiles, tmp_path: Path) -> None:
    take_damaged_files()
    (tmp_path / "profiles.json").write_text('[{"kind":"person","id":"a","name":"A","colour":"mauve","crest":"owl"}]')
    assert profiles.all() == (Profile("person", "a", "A"),)
    (tmp_path / "profiles.json").write_text("{")
    assert profiles.all() == ()
    assert [damaged.path.name for damaged in take_damaged_files()] == ["profiles.json"]


@pytest.mark.parametrize(
    "found", [None, [], {"blue": "Anna"}, {"blue": {"id": 1, "name": "A"}}, {"green": {"id": "a"}}]
)
def test_an_unreadable_entry_names_nobody(found: object) -> None:
    sides = {"blue": {"name": "A"}, "red": {"name": "B"}}
    assert persons_of({"sides": sides, PLAYED_BY: found}) == {}
    assert persons_of({"sides": sides, PLAYED_BY: {"red": {"id": "a", "name": "A"}}}) == {"red": Person("a", "A")}


@pytest.mark.parametrize("game", GAMES)
def test_every_game_accepts_and_keeps_who_plays(store: Store, game: str) -> None:
    session = Matches(store, GAMES).start(game, header_of(game))
    assert [person.name for person in persons_of(store.header(session.match_id)).values()] == ["Anna Vane", "Paul"]


def test_who_played_last_is_offered_first(store: Store, profiles: Profiles) -> None:
    zoe = Profile("person", "z1", "Zoé")
    for profile in (PAUL, zoe, ANNA):
        profiles.save(profile)
    assert recent_persons(store, profiles) == (ANNA, PAUL, zoe)
    store.create(header_of("hoops21", by=(zoe, ANNA)))
    store.create(header_of("occasion", by=(PAUL, Profile("person", "gone", "Gone"))))
    assert recent_persons(store, profiles) == (PAUL, zoe, ANNA)
    names = [side["name"] for side in header_of("occasion")["sides"].values()]
    assert list(recent_names(store, "occasion")) == names


def test_the_record_of_a_person_spans_all_games(store: Store) -> None:
    expected: list[bool | None] = []
    luck_by_measure: dict[str, Fraction] = {}
    for seed in SEEDS:
        for game in GAMES:
            add_played(store, game, seed, by=(ANNA, PAUL))
            ledger = played(game, seed)
            first = next(iter(ledger.header["sides"]))
            winner = winner_of(ledger.game, ledger.state)
            expected.append(None if winner is None else winner == first)
    add_played(store, "hoops21", 1, by=())
    history = history_of(store)
    records = {record.id: record for record in history.participants()}
    anna, paul = records["anna-id"], records["p1"]
    assert set(records) == {"anna-id", "p1"}
    assert (anna.total.won, anna.total.drawn, anna.total.lost) == tuple(map(expected.count, (True, None, False)))
    assert (paul.total.won, paul.total.lost) == (anna.total.lost, anna.total.won)
    assert set(anna.by_game) == set(GAMES)
    assert sum(balance.won for balance in anna.by_game.values()) == anna.total.won
    assert anna.against["p1"].name == "Paul"
    assert (anna.against["p1"].won, anna.against["p1"].lost) == (anna.total.won, anna.total.lost)
    assert len(anna.matches) == len(expected)
    assert anna.matches[0].game_id == list(GAMES)[-1]
    assert anna.longest_streak == longest([result is True for result in expected])
    for played_match in anna.matches:
        first = next(iter(played_match.names))
        for what, measure in played_match.tally.sides[played_match.names[first]].expected_vs_actual.items():
            luck_by_measure[what] = luck_by_measure.get(what, Fraction(0)) + measure.difference
    assert {what: total.difference for what, total in anna.expected_vs_actual.items()} == luck_by_measure
    assert isinstance(anna, ParticipantRecord)
    assert luck_by_measure


def longest(results: list[bool]) -> int:
    return max(len(run) for run in "".join("w" if won else " " for won in results).split(" "))


def test_an_erased_person_is_in_no_journal_file_or_report(store: Store, profiles: Profiles, tmp_path: Path) -> None:
    profiles.save(ANNA)
    profiles.save(PAUL)
    profiles.save_photo(ANNA, JPEG)
    header = header_of("hoops21")
    first, second = header["sides"]
    header["sides"] = {first: {"name": "ANNA VANE"}, second: {"name": "Vane United"}}
    events = [entry.fields for entry in played("hoops21", 1).all_events]
    match = store.create(header, events, ended=True)
    removed = add_played(store, "occasion", 2)
    store.remove(removed)
    untouched = add_played(store, "nba", 1, by=(PAUL,))
    before = store.header(untouched)
    assert b"Anna Vane" in on_disk(tmp_path)
    assert erase(ANNA, store, profiles, "Former player").journals == 2
    assert store.header(untouched) == before
    assert persons_of(store.header(match)) == {second: Person("p1", "Paul")}
    names = [side["name"] for side in store.header(match)["sides"].values()]
    assert names == ["Former player", "Vane United"]
    assert [record.id for record in history_of(store).participants()] == ["p1"]
    ledger = store.resume(match, GAMES).ledger
    report = report_of(ledger)
    assert "anna" not in repr(report).casefold()
    assert [entry.fields for entry in ledger.all_events] == events
    assert store.check() == ()
    exported = tmp_path / "out.jsonl"
    store.export(match, exported)
    assert b"anna" not in on_disk(tmp_path).lower()
    assert JPEG not in on_disk(tmp_path)
    store.restore(removed)
    assert persons_of(store.header(removed)) == {list(store.header(removed)["sides"])[1]: Person("p1", "Paul")}


def test_an_erased_name_is_in_no_file_after_many_writes(store: Store, profiles: Profiles, tmp_path: Path) -> None:
    """Rows of matches move between pages with every event; the names must not stay where they were."""
    chance = Random(1)
    profiles.save(ANNA)
    header = header_of("hoops21")
    for number in range(60):
        lengths = (10, 200, 1500, 3000, 9000)
        match = store.create({**header, "note": "x" * chance.choice(lengths)})
        for _ in range(12):
            ended = chance.choice((None, True, False))
            store.append(match, {"event": "throw"}, [Picture("tray", b"jpeg")], ended=ended)
        if number % 5 == 0:
            store.remove(match)
        if number % 20 == 19:
            store.clock.advance(REMOVED_RETENTION.total_seconds() + 60)
            store.purge_removed()
            store.purge_pictures()
    assert erase(ANNA, store, profiles, "Former player").journals == 60
    assert b"Anna Vane" not in on_disk(tmp_path)
    assert b"anna-id" not in on_disk(tmp_path)
    assert on_disk(tmp_path).count(b"Paul") >= 60
    assert store.check() == ()


def test_an_erased_name_leaves_the_note_of_the_last_line_too(store: Store, profiles: Profiles, tmp_path: Path) -> None:
    header = header_of("hoops21", by=())
    header["sides"] = {side: {"name": name} for side, name in zip(header["sides"], ("Étoile", "Lune"), strict=True)}
    store.create(header)
    assert erase(club_profile("étoile"), store, profiles, "Former club").journals == 1
    assert "Étoile".encode() not in on_disk(tmp_path)
    assert b"Lune" in on_disk(tmp_path)


def test_two_erased_names_of_one_match_stay_two(store: Store, profiles: Profiles) -> None:
    header = header_of("hoops21")
    header["sides"] = {side: {"name": who.name} for side, who in zip(header["sides"], (ANNA, PAUL), strict=True)}
    match = store.create(header)
    for profile in (ANNA, PAUL):
        erase(profile, store, profiles, "Former player")
    names = [side["name"] for side in store.header(match)["sides"].values()]
    assert names == ["Former player", "Former player 2"]
    assert PLAYED_BY not in store.header(match)


def test_a_journal_of_a_tournament_keeps_what_its_hub_compares(store: Store, profiles: Profiles) -> None:
    header = header_of("hoops21", by=())
    header |= {MARK: {"id": "t", "match": "m1"}}
    header["sides"] = {side: {"name": who.name} for side, who in zip(header["sides"], (ANNA, PAUL), strict=True)}
    match = store.create(header)
    found = erase(ANNA, store, profiles, "Former player")
    assert (found.journals, found.kept) == (0, 1)
    assert store.header(match) == header


def test_the_tally_of_journals_counts_a_person_as_the_sides_of_that_person() -> None:
    header = header_of("hoops21")
    ledger = played("hoops21", 1)
    again: Ledger[Any, Any] = Ledger(ledger.game, header)
    for entry in ledger.all_events:
        again.commit(again.propose(entry.fields))
    totals = tally_of([again, again], DICE_STATISTICS["hoops21"])
    first = next(iter(header["sides"].values()))["name"]
    assert totals.persons[Person("anna-id", "Anna Vane")] == totals.sides[first]
    assert totals.sides[first].matches == 2
    assert tally_of([ledger], DICE_STATISTICS["hoops21"]).persons == {}
