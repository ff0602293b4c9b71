"""Opponents of the app at the table: they play their own sides only, slowly, and undo goes back to people."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.clock import ManualClock
from companion.games.base import Fields, Refusal
from companion.games.random_player import random_side_event
from companion.games.registry import DICE_STATISTICS, GAMES, SPECS
from companion.games.side_player import STRENGTHS, roll
from companion.journal.store import Store
from companion.language import Language
from companion.table.catalogues.card_store import SampleCards
from companion.table.history import MatchHistory
from companion.table.matches import Matches
from companion.table.opponents import (
    NEW_PERSON,
    OPPONENTS,
    PAUSE_S,
    PERSON,
    SHARED_PAUSE_S,
    Opponents,
    Seat,
    SeatedPreparation,
    header_seats,
    is_for_people,
    person_value,
    seat_options,
    seat_value,
    seats_of,
    with_seat,
)
from companion.table.profiles import PLAYED_BY, Profile
from companion.table.report import report, report_csv
from companion.table.session import BY_OPPONENT, NOTE_DRAWN, Session
from tests.table.readings import ScriptedReader
from tests.table.sample_match import sample_header

MAX_STEPS = 4000
ANNA, PAUL = Profile("person", "a", "Anna"), Profile("person", "p", "Paul")
HOOPS_SIDES = {"orange": {"name": "Orange"}, "white": {"name": "White"}}


class AtOnce(Executor):
    """Thinks while one waits, so that a test sees the result at once."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_result(fn(*args, **kwargs))
        return future


class Never(Executor):
    """Has never finished thinking."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        return Future()


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def store(tmp_path: Path, clock: ManualClock) -> Iterator[Store]:
    with Store.open(tmp_path / "matches.sqlite", clock) as opened:
        yield opened


def header_of(game: str) -> dict[str, Any]:
    """Return the header of a short match of the game, as the app prepares it."""
    if game == "footclub":
        return {**sample_header()}
    header = SPECS[game].prepare({}, SampleCards()).header()
    for side in header["sides"]:
        header["sides"][side] = {**header["sides"][side], "name": side}
    return header


def seated(store: Store, game: str, seats: Fields, header: Fields | None = None) -> tuple[Session, Opponents]:
    session = Matches(store, GAMES).start(game, {**(header or header_of(game)), OPPONENTS: seats})
    return session, Opponents(session, AtOnce())


def hoops21(store: Store, dice: str = "drawn") -> tuple[Session, Opponents]:
    header = header_of("hoops21")
    return seated(store, "hoops21", {"white": {"strength": "sound", "dice": dice}}, header)


def test_a_header_tells_who_plays_and_damage_counts_as_people() -> None:
    header = {"sides": HOOPS_SIDES, OPPONENTS: {"white": {"strength": "sound", "dice": "thrown"}}}
    assert seats_of(header) == {"white": Seat("sound", "thrown")}
    assert seats_of({**header, OPPONENTS: {"white": {"strength": "godlike"}, "green": {"strength": "sound"}}}) == {}
    assert seats_of({**header, OPPONENTS: ["white"]}) == {}
    assert seats_of({"sides": HOOPS_SIDES}) == {}


def test_a_tournament_match_has_no_opponents() -> None:
    header = {"sides": HOOPS_SIDES, OPPONENTS: {"white": {"strength": "sound"}}, "tournament": {"id": "t"}}
    assert is_for_people(header)
    assert seats_of(header) == {}


def test_every_option_of_a_seat_comes_back_from_the_header() -> None:
    for game in GAMES:
        values = [str(option.value) for option in seat_options(game)]
        assert values[:2] == [NEW_PERSON, PERSON]
        assert len(values) == 2 + 2 * len(STRENGTHS)
        header = {"sides": {"a": {"name": "A"}}, **header_seats({"a": values[-1]})}
        seat = seats_of(header)["a"]
        assert f"{seat.strength}.{seat.dice}" == values[-1]
        assert seat_value(header, "a") == values[-1]
        assert header_seats({"a": NEW_PERSON}) == header_seats({"a": PERSON}) == {}


def test_a_known_person_is_offered_first_and_named_in_the_header() -> None:
    options = seat_options("hoops21", (ANNA, PAUL))
    assert [option.value for option in options[:2]] == [person_value("a"), person_value("p")]
    made = header_seats({"orange": person_value("a"), "white": "sound.drawn"}, (ANNA, PAUL))
    assert made[PLAYED_BY] == {"orange": {"id": "a", "name": "Anna"}}
    header = {"sides": HOOPS_SIDES, **made}
    assert [seat_value(header, side) for side in ("orange", "white")] == [person_value("a"), "sound.drawn"]
    assert seat_value({"sides": HOOPS_SIDES}, "orange") == PERSON


def test_a_person_sits_at_one_side_only() -> None:
    first = with_seat({}, "orange", person_value("a"))
    assert with_seat(first, "white", person_value("a")) == {"orange": PERSON, "white": person_value("a")}
    both = with_seat(with_seat({}, "orange", "sound.drawn"), "white", "sound.drawn")
    assert both == {"orange": "sound.drawn", "white": "sound.drawn"}


@pytest.mark.parametrize("game", [game for game in GAMES if game != "footclub"])
def test_the_preparation_keeps_who_plays_until_that_person_is_erased(game: str) -> None:
    memory: dict[str, Any] = {}
    plan = SeatedPreparation(SPECS[game].prepare({}, SampleCards()), game, memory, (ANNA, PAUL))
    side = next(column.side for column in plan.columns() if column.side is not None)
    plan.choose(f"seat.{side}", person_value("p"))
    assert plan.header()[PLAYED_BY] == {side: {"id": "p", "name": "Paul"}}
    later = SeatedPreparation(SPECS[game].prepare({}, SampleCards()), game, memory, (ANNA,))
    assert PLAYED_BY not in later.header()
    row = next(row for row in later.columns()[0].rows if row.id == f"seat.{side}")
    assert row.value == PERSON


@pytest.mark.parametrize("game", [game for game in GAMES if game != "footclub"])
def test_the_preparation_has_a_row_for_each_side(game: str) -> None:
    plan = SeatedPreparation(SPECS[game].prepare({}, SampleCards()), game, {})
    rows = [row.id for column in plan.columns() if column.side is not None for row in column.rows]
    sides = [column.side for column in plan.columns() if column.side is not None]
    assert [row for row in rows if row.startswith("seat.")] == [f"seat.{side}" for side in sides]
    plan.choose(f"seat.{sides[1]}", "sound.drawn")
    assert plan.header()[OPPONENTS] == {sides[1]: {"strength": "sound", "dice": "drawn"}}


def test_an_opponent_waits_for_its_pause_then_says_who_did_it(store: Store, clock: ManualClock) -> None:
    session, opponents = hoops21(store)
    until_turn_of(session, opponents, clock, "white")
    opponents.poll()
    before = session.sequence
    clock.advance(PAUSE_S - 0.1)
    opponents.poll()
    assert session.sequence == before
    clock.advance(0.2)
    opponents.poll()
    newest = session.ledger.newest
    assert newest is not None
    assert newest.fields["by"] == BY_OPPONENT
    assert session.sequence == before + 1


def test_busy_people_are_waited_for(store: Store, clock: ManualClock) -> None:
    session, opponents = hoops21(store)
    until_turn_of(session, opponents, clock, "white")
    before = session.sequence
    for _ in range(5):
        clock.advance(PAUSE_S)
        opponents.poll(busy=True)
    opponents.poll()
    assert session.sequence == before
    clock.advance(SHARED_PAUSE_S)
    opponents.poll()
    assert session.sequence == before + 1


def until_turn_of(session: Session, opponents: Opponents, clock: ManualClock, side: str) -> None:
    """Play until only this side chooses. People answer at random and throw the dice that are awaited of them."""
    random = Random(3)
    for _ in range(200):
        if session.decision().sides == (side,) and session.decision().choices and not session.decision().dice:
            opponents.poll()
            return
        people_play(session, opponents, random) or step(opponents, clock)
    raise AssertionError("no turn")


def step(opponents: Opponents, clock: ManualClock) -> bool:
    opponents.poll()
    clock.advance(SHARED_PAUSE_S + 1)
    opponents.poll()
    return True


def people_play(session: Session, opponents: Opponents, random: Random) -> bool:
    """Record an event of people: their dice, or a choice that the screen offers them. Returns False without one."""
    opponents.poll()
    game, decision = session.game, session.people_decision()
    due = [request for request in decision.dice if request.order == min(dice.order for dice in decision.dice)]
    own = [request for request in due if not opponents.plays(request.side)]
    if own and own == due and all(request.min_count is None for request in own):
        chosen = [random.choice(own)] if own[0].independent else own
        try:
            session.enter_dice(roll(game, session.state, chosen, random))
        except Refusal:  # several tactics have the same dice: players choose one first
            session.record(game.random_event(session.state, random))
        return True
    sides = {side for side in session.header["sides"] if not opponents.plays(side)}
    fields = random_side_event(game, session.state, random, sides)
    if fields is None:
        shared = [choice for choice in decision.choices if choice.side is None and not choice.menu]
        plain = [choice.event for choice in shared if not choice.prompts and choice.disabled_reason is None]
        fields = dict(random.choice(plain)) if plain and not set(decision.sides) - sides - opponents.sides else None
    if fields is None:
        return False
    session.record(fields)
    return True


def whole_match(session: Session, opponents: Opponents, clock: ManualClock, seed: int = 1) -> None:
    """Play to the end: the opponent is polled, people act in between. Events of each belong to their own sides."""
    random = Random(seed)
    for _ in range(MAX_STEPS):
        if session.game.finished(session.state):
            return
        before = session.sequence
        if random.random() < 0.5 or not people_play(session, opponents, random):
            step(opponents, clock)
            if session.sequence == before:
                assert people_play(session, opponents, random), f"nobody acts in {session.state.phase}"
        if len(session.ledger.events) > 300 and session.game.id == "occasion":
            session.record({"event": "match_ended"})
    raise AssertionError("endless")


@pytest.mark.parametrize(
    ("game", "side"), [("footclub", "red"), ("footclub", "blue"), ("hoops21", "white"), ("nba", "away")]
)
def test_a_whole_match_against_an_opponent(store: Store, clock: ManualClock, game: str, side: str) -> None:
    header = header_of(game)
    side = side if side in header["sides"] else list(header["sides"])[1]
    for seed, strength in enumerate(STRENGTHS):
        session, opponents = seated(store, game, {side: {"strength": strength, "dice": "drawn"}}, header)
        whole_match(session, opponents, clock, seed)
        made = [event for event in session.ledger.events if event.fields["by"] == BY_OPPONENT]
        assert made
        assert all(event.fields.get("side", side) == side for event in made)
        assert all(event.fields.get("team", side) == side for event in made)


def test_undo_goes_back_to_the_last_decision_of_people(store: Store, clock: ManualClock) -> None:
    session, opponents = hoops21(store)
    until_turn_of(session, opponents, clock, "white")
    people = [event.line for event in session.ledger.events if event.fields["by"] != BY_OPPONENT]
    before = len(session.ledger.events)
    clock.advance(SHARED_PAUSE_S)
    opponents.poll()
    assert len(session.ledger.events) == before + 1
    done = session.ledger.events[-1].fields
    session.undo()
    assert [event.line for event in session.ledger.events if event.fields["by"] != BY_OPPONENT] == people[:-1]
    session.redo()
    assert len(session.ledger.events) == before
    opponents.poll()
    clock.advance(SHARED_PAUSE_S)
    opponents.poll()
    again = session.ledger.events[-1].fields
    assert {**again, "at": ""} == {**done, "at": ""}


def test_a_person_takes_over_and_hands_back(store: Store, clock: ManualClock) -> None:
    session, opponents = hoops21(store)
    until_turn_of(session, opponents, clock, "white")
    assert [choice for choice in session.people_decision().choices if choice.side == "white"] == []
    opponents.take_over("white")
    before = session.sequence
    assert [choice for choice in session.people_decision().choices if choice.side == "white"]
    step(opponents, clock)
    assert session.sequence == before
    opponents.hand_back("white")
    step(opponents, clock)
    assert session.sequence == before + 1


def test_dice_of_a_common_roll_are_drawn_before_people_throw(store: Store) -> None:
    session, opponents = hoops21(store)
    opponents.poll()
    assert {request.side for request in session.decision().dice} == {"orange"}
    assert session.dice.notice is not None
    assert session.dice.notice.id == "table.opponent_drew"
    session.enter_dice(roll(session.game, session.state, session.decision().dice, Random(1)))
    newest = session.ledger.newest
    assert newest is not None
    assert len(newest.fields["orange"]) == len(newest.fields["white"]) == 6


def test_thrown_dice_are_asked_of_people(store: Store, clock: ManualClock) -> None:
    header = sample_header()
    session, opponents = seated(store, "footclub", {"red": {"strength": "sound", "dice": "thrown"}}, header)
    random = Random(5)
    for _ in range(400):
        notice = session.dice.notice
        if notice is not None and notice.id == "table.opponent_throw":
            break
        people_play(session, opponents, random) or step(opponents, clock)
    assert notice is not None
    assert notice.id == "table.opponent_throw"
    assert all(event.fields.get("note") != NOTE_DRAWN for event in session.ledger.events)
    before = session.sequence
    due = [request for request in session.decision().dice if request.side == "red"][:1]
    session.enter_dice(roll(session.game, session.state, due, random))
    assert session.sequence == before + 1


def test_an_opponent_that_still_thinks_stops_nobody(store: Store, clock: ManualClock) -> None:
    session, opponents = hoops21(store)
    until_turn_of(session, opponents, clock, "white")
    slow = Opponents(session, Never())
    before = session.sequence
    step(slow, clock)
    step(slow, clock)
    assert session.sequence == before
    quick = Opponents(session, AtOnce())
    quick.poll()
    step(quick, clock)
    assert session.sequence == before + 1


def race(store: Store, clock: ManualClock, reader: ScriptedReader | None) -> tuple[Session, Opponents]:
    """Return a match in a race for the ball, against the app as white."""
    seats = {"white": {"strength": "strong", "dice": "drawn"}}
    matches = Matches(store, GAMES)
    session = matches.start("hoops21", {**header_of("hoops21"), OPPONENTS: seats}, reader)
    ruling = {"event": "ruling", "text": "in", "restart": "inbound", "team": "white", "token": "white"}
    session.record(ruling)
    assert session.state.phase == "inbound"
    return session, Opponents(session, AtOnce())


def test_in_a_race_without_a_reader_people_throw_for_both_and_say_how_it_ended(
    store: Store, clock: ManualClock
) -> None:
    session, opponents = race(store, clock, None)
    before = session.sequence
    for _ in range(5):
        step(opponents, clock)
    assert session.sequence == before
    assert session.dice.notice is not None
    assert session.dice.notice.id == "table.opponent_race"
    ends = [choice.event for choice in session.people_decision().choices if choice.event["event"] == "inbound_end"]
    assert [event["stolen"] for event in ends] == [False, True]
    session.record(ends[0])


def test_in_a_race_that_a_reader_sees_the_opponent_throws(store: Store, clock: ManualClock) -> None:
    session, opponents = race(store, clock, ScriptedReader())
    before = session.sequence
    step(opponents, clock)
    assert session.sequence == before + 1
    assert session.ledger.events[-1].fields["team"] == "white"


def test_two_opponents_play_a_match_without_people(store: Store, clock: ManualClock) -> None:
    seats = {side: {"strength": "sound", "dice": "drawn"} for side in ("blue", "red")}
    session, opponents = seated(store, "footclub", seats)
    for _ in range(MAX_STEPS):
        if session.game.finished(session.state):
            break
        step(opponents, clock)
    assert session.game.finished(session.state), session.state.phase
    assert {event.fields["by"] for event in session.ledger.events} == {BY_OPPONENT}


def test_a_resumed_match_knows_who_plays_a_side(store: Store, clock: ManualClock) -> None:
    session, opponents = hoops21(store)
    until_turn_of(session, opponents, clock, "white")
    opponents.take_over("white")
    session.record(session.people_decision().choices[0].event)
    assert Opponents(Matches(store, GAMES).resume(session.match_id), AtOnce()).sides == set()
    session.undo()
    assert Opponents(Matches(store, GAMES).resume(session.match_id), AtOnce()).sides == {"white"}
    session.redo()
    opponents.hand_back("white")
    while session.ledger.events[-1].fields["by"] != BY_OPPONENT:
        people_play(session, opponents, Random(1)) or step(opponents, clock)
    assert Opponents(Matches(store, GAMES).resume(session.match_id), AtOnce()).sides == {"white"}


def test_a_resumed_match_knows_its_opponents(store: Store, clock: ManualClock) -> None:
    session, _ = hoops21(store)
    again = Matches(store, GAMES).resume(session.match_id)
    assert Opponents(again, AtOnce()).sides == {"white"}


def test_the_report_and_the_statistics_know_the_side_of_the_app(store: Store, clock: ManualClock) -> None:
    session, opponents = hoops21(store)
    whole_match(session, opponents, clock)
    made = report(session.ledger, DICE_STATISTICS["hoops21"], "test")
    assert [side.is_opponent for side in made.sides] == [False, True]
    rolls = [fact.roll.by for fact in made.events if fact.roll is not None]
    assert "unknown" not in rolls
    own_rolls = [one for one in made.events if one.roll is not None and one.row.by == BY_OPPONENT]
    csv = report_csv([made], Language("en")).decode("utf-8-sig")
    assert ("the app" in csv) == bool(own_rolls)
    history = MatchHistory(store, GAMES, DICE_STATISTICS)
    for _ in history.count_matches():
        pass
    assert [record.name for record in history.clubs()] == ["orange"]
    assert {count.side for count in made.tally.dice.values()} == {"orange"}
