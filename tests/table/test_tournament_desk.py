"""Progress of a tournament match at its table, computed from the hub's data and the journals in the store."""

from __future__ import annotations

from random import Random

import pytest
from msgspec.structs import replace

from companion.clock import ManualClock
from companion.games.base import Message
from companion.games.registry import GAMES
from companion.journal.store import Store
from companion.table.hub_port import HubSnapshot, LinkState, TableMatch
from companion.table.matches import Matches
from companion.table.tournament_desk import TournamentDesk, colour_of, complete_header, standings_of_table
from companion.tournament.headers import MARK
from tests.screens.staged_hub import StagedHub, cup, match, table

GAME = GAMES["hoops21"]


@pytest.fixture
def matches(tmp_path):
    with Store.open(tmp_path / "matches.db", ManualClock()) as store:
        yield Matches(store, GAMES)


def called(**changes) -> TableMatch:
    return match("Ada", "Blaise", "hoops21", **changes)


def desk(matches: Matches, found: TableMatch | None) -> TournamentDesk:
    return TournamentDesk(StagedHub(cup(match=found)), matches)


def start_match(matches: Matches, found: TableMatch):
    prepared = GAME.random_header(Random(3))
    return matches.start("hoops21", complete_header(prepared, found.header))


def play(session) -> None:
    random = Random(5)
    while not session.game.finished(session.state):
        session.record(session.game.random_event(session.state, random))


def test_without_a_match_the_table_is_free(matches):
    assert desk(matches, None).status().step == "none"


@pytest.mark.parametrize(
    ("present", "step"),
    [((), "gathering"), (("home",), "gathering"), (("away",), "gathering"), (("home", "away"), "ready")],
)
def test_it_begins_when_both_are_there(matches, present, step):
    assert desk(matches, called(present=frozenset(present))).status().step == step


def test_what_is_played_is_the_match_with_the_tournaments_mark(matches):
    found = called(present=frozenset({"home", "away"}))
    at = desk(matches, found)
    matches.start("hoops21", GAME.random_header(Random(3)))
    other = replace(found, header={**found.header, MARK: {MARK: "cup", "match": "s1-r6-2"}})
    start_match(matches, other)
    assert at.status().step == "ready", "a friendly match and another match of the cup are none of it"
    session = start_match(matches, found)
    standing = at.status()
    assert (standing.step, standing.played_match.summary.match_id) == ("going", session.match_id)
    assert standing.played_match.line == session.sequence - 1


def test_a_match_to_be_played_again_is_begun_anew(matches):
    found = called(present=frozenset({"home", "away"}))
    play(start_match(matches, found))
    assert desk(matches, found).status().step == "confirming"
    again = replace(found, header={**found.header, MARK: {**found.header[MARK], "again": 1}})
    assert desk(matches, again).status().step == "ready"
    start_match(matches, again)
    assert desk(matches, again).status().step == "going"


def test_of_two_that_were_begun_the_newest_counts(matches):
    found = called()
    start_match(matches, found)
    newest = start_match(matches, found)
    assert desk(matches, found).status().played_match.summary.match_id == newest.match_id


@pytest.mark.parametrize(
    ("confirmed", "referee", "step"),
    [
        ((), False, "confirming"),
        (("home",), False, "confirming"),
        (("home", "away"), False, "confirmed"),
        (("home", "away"), True, "confirming"),
        (("home", "away", "referee"), True, "confirmed"),
    ],
)
def test_it_is_over_when_all_who_must_have_confirmed(matches, confirmed, referee, step):
    found = called(confirmed=frozenset(confirmed), referee=referee)
    session = start_match(matches, found)
    play(session)
    standing = desk(matches, found).status()
    assert standing.step == step
    score = GAME.view(session.state)["score"]
    assert (standing.score("home"), standing.score("away")) == (score["orange"], score["white"])


def test_what_the_organiser_examines_or_has_is_shown_as_such(matches):
    found = called()
    play(start_match(matches, found))
    assert desk(matches, replace(found, sent=True)).status().step == "sent"
    assert desk(matches, replace(found, review=True)).status().step == "review"


def test_a_finished_match_that_is_taken_back_goes_on(matches):
    found = called(confirmed=frozenset({"home", "away"}))
    session = start_match(matches, found)
    play(session)
    session.undo()
    assert desk(matches, found).status().step == "going"


def test_a_confirmation_is_of_the_lines_that_were_shown(matches):
    found = called()
    session = start_match(matches, found)
    play(session)
    at = desk(matches, found)
    displayed = at.status()
    assert at.confirm(displayed, "home")
    assert at.hub.calls[-1] == ("confirm", "s1-r6-1", session.match_id, displayed.played_match.line, "home", True)
    session.undo()
    play(session)
    calls_before = list(at.hub.calls)
    assert not at.confirm(displayed, "away"), "the journal has grown since"
    at.hub.see(match=None)
    assert not at.confirm(at.status(), "away")
    assert at.hub.calls == calls_before


def test_a_side_checks_in_for_the_match_of_this_table(matches):
    at = desk(matches, called())
    at.check_in("home")
    at.check_in("home", False)
    assert at.hub.calls == [("check_in", "s1-r6-1", "home", True), ("check_in", "s1-r6-1", "home", False)]
    desk(matches, None).check_in("home")


def test_what_the_tournament_decides_stands_over_what_was_chosen():
    prepared = GAME.random_header(Random(3))
    decided = {"sides": {"orange": {"name": "Ada"}}, "setup": {"target": 7}, MARK: {MARK: "cup", "match": "s1"}}
    made = complete_header(prepared, decided)
    assert made["sides"]["orange"] == {**prepared["sides"]["orange"], "name": "Ada"}
    assert made["sides"]["white"] == prepared["sides"]["white"]
    assert made["setup"] == {**prepared.get("setup", {}), "target": 7}
    assert made[MARK] == {MARK: "cup", "match": "s1"}
    GAME.initial_state(made)


def test_sides_of_any_name_become_the_tournaments():
    nba = GAMES["nba"]
    headers = [nba.random_header(Random(seed)) for seed in range(40)]
    pairs = [each for each in headers if len(each["sides"]) == 2 and not {"solo", "legacy"} & set(each["setup"])]
    assert any("rosters" in each["setup"] for each in pairs)
    assert any(each["setup"].get("first") for each in pairs)
    for prepared in pairs:
        made = complete_header(prepared, match("Ada", "Blaise", "nba").header)
        assert [side["name"] for side in made["sides"].values()] == ["Ada", "Blaise"]
        assert list(made["sides"]) == ["home", "away"]
        assert set(nba.view(nba.initial_state(made))["score"]) == {"home", "away"}


def test_every_game_shows_a_side_in_its_own_colour():
    colours = {game: tuple(colour_of(match(game=game), side) for side in ("home", "away")) for game in GAMES}
    assert colours == {
        "footclub": ("blue", "red"),
        "hoops21": ("orange", "white"),
        "nba": ("violet", "lime"),
        "occasion": ("blue", "red"),
    }


def test_of_several_groups_that_of_the_sides_comes_first():
    groups = (table(("Phare FC", "Huppes 08"), "A"), table(("Valcendre", "Port-Mélian"), "B"))
    assert standings_of_table(cup(standings=groups)) is groups[1]
    assert standings_of_table(cup(standings=groups, match=None)) is groups[0]
    assert standings_of_table(cup(standings=())) is None


def test_a_table_is_in_a_tournament_when_it_joined_one(matches):
    assert not TournamentDesk(StagedHub(), matches).is_joined
    assert TournamentDesk(StagedHub(HubSnapshot(LinkState(joined=True))), matches).is_joined


def test_a_damaged_journal_is_still_the_match(matches):
    found = called()
    session = start_match(matches, found)
    random = Random(5)
    for _ in range(6):
        session.record(session.game.random_event(session.state, random))
    matches.store._connection.execute('UPDATE entries SET fields = \'{"event": "no such"}\' WHERE seq = 4')
    standing = desk(matches, found).status()
    assert standing.step == "going"
    assert isinstance(standing.played_match.summary.trouble, Message)
