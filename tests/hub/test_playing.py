"""The hub's incremental replay equals the journal's ledger, with any undo and correction."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.base import Fields, Refusal
from companion.games.registry import GAMES
from companion.hub import match_replay
from companion.hub.schema import LINE_STATUSES
from companion.journal.codec import encode
from companion.journal.ledger import InvalidLine, Ledger, replay
from tests.hub.core_kit import ALL_GAMES
from tests.journal.counting_game import SWAP, UNDO, add, correct, header, take_back

TARGET = 40
SIDE = st.sampled_from(("left", "right"))
NUMBER = st.integers(1, 9)
EVENT = st.one_of(st.builds(add, SIDE, NUMBER), st.builds(take_back, SIDE, NUMBER), st.just(SWAP))
LINE = st.one_of(EVENT, EVENT, st.just(UNDO), st.builds(correct, st.integers(2, 30), EVENT), st.just({"event": "?"}))


def check_lines(lines: list[bytes]) -> None:
    """Play the lines one by one and all at once, and compare everything that pages show."""
    now = match_replay.start_replay(lines[0], ALL_GAMES)
    story: dict[int, tuple[Any, str]] = {}
    for at in range(1, len(lines)):
        now, played_lines = match_replay.replay_line(now, lines[at], ALL_GAMES, lambda at=at: lines[:at])  # type: ignore[misc]
        assert played_lines[0].line == at + 1
        story |= {each.line: (each.message, LINE_STATUSES[each.status]) for each in played_lines}
    again = match_replay.resume(lines, ALL_GAMES)
    assert (now.seq, now.state, now.standing, now.refused, now.roll) == (
        again.seq,
        again.state,
        again.standing,
        again.refused,
        again.roll,
    )
    ledger = replay(lines if now.refused is None else lines[: now.refused.line - 1], ALL_GAMES).ledger
    if now.refused is not None:
        with pytest.raises(InvalidLine) as refused:
            replay(lines[: now.refused.line], ALL_GAMES)
        assert (now.refused.line, now.refused.rule) == (refused.value.line, refused.value.rule)
    assert now.state == ledger.state
    assert now.standing == len(ledger.events)
    messages = {line: message for line, (message, fate) in story.items() if message is not None and fate != "amends"}
    rows = [record for record in ledger.all_events if record.status != "amends"]
    assert {line: story[line][1] for line in messages} == {record.line: record.status for record in rows}
    describe = ledger.game.describe
    assert {each.line: messages[each.line] for each in ledger.events} == {
        each.line: describe(each.state_after, each.fields, each.outcome) for each in ledger.events
    }


@settings(max_examples=150, deadline=None)
@given(st.lists(LINE, max_size=28))
def test_any_lines_of_a_small_game(events: list[Fields]) -> None:
    check_lines([encode(each) for each in (header(TARGET), *events)])


@pytest.mark.parametrize("game", list(GAMES))
@pytest.mark.parametrize("seed", range(3))
def test_matches_of_the_real_games_with_undos_and_corrections(game: str, seed: int) -> None:
    random = Random(seed)
    first = GAMES[game].random_header(random)
    ledger = Ledger(GAMES[game], first)
    lines: list[Fields] = [first]

    def write(fields: Fields) -> None:
        ledger.commit(ledger.propose(fields))
        lines.append(fields)

    while len(lines) < 150 and not GAMES[game].finished(ledger.state):
        write(GAMES[game].random_event(ledger.state, random))
        if random.random() < 0.08:
            for _ in range(min(random.randrange(1, 12), len(ledger.events))):
                write(UNDO)
        if random.random() < 0.05 and ledger.events:
            old = random.choice(ledger.events)
            try:
                write(correct(old.line, {**old.fields, "note": "seen again"}))
            except Refusal:
                continue
    check_lines([encode(each) for each in lines])


def test_what_a_match_keeps_in_memory_does_not_grow_with_its_lines() -> None:
    lines = [encode(each) for each in (header(10**6), *(add("left", 1) for _ in range(2000)))]
    now = match_replay.start_replay(lines[0], ALL_GAMES)
    for raw in lines[1:]:
        now, _ = match_replay.replay_line(now, raw, ALL_GAMES, lambda: pytest.fail("nothing is amended"))
    assert now.standing == 2000
    assert len(now.newest) == match_replay.MAX_RECENT_EVENTS
