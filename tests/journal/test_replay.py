"""`companion replay` with a small game, from a file to the report or the refusal."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from companion.games.base import Game, Refusal
from companion.games.registry import GAMES as REAL_GAMES
from companion.journal.codec import encode_file
from companion.journal.ledger import InvalidLine, replay, replay_report, run_replay
from companion.language import Language
from tests.journal.counting_game import GAMES, SWAP, UNDO, CountingGame, add, correct, header, take_back


class OtherGame(CountingGame):
    id = "other"


def lines(*events: dict[str, Any], start: dict[str, Any] | None = None) -> list[bytes]:
    return encode_file(start or header(), events).splitlines(keepends=True)


def refused(source: Path | list[bytes], games: dict[str, Game[Any, Any]] = GAMES) -> tuple[int, str]:
    with pytest.raises(InvalidLine) as caught:
        replay(source, games)
    assert Language("en").text(caught.value.message) != caught.value.message.id
    return caught.value.line, caught.value.rule


def test_the_report_holds_state_last_and_log() -> None:
    events = (add("left", 3), add("right", 2), UNDO, SWAP, correct(2, add("left", 4, by="touch")))
    assert replay_report(replay(lines(*events), GAMES)) == {
        "game": "counting",
        "sides": {"left": {"name": "Left"}, "right": {"name": "Right"}},
        "state": {
            "left": 0,
            "right": 4,
            "target": 100,
            "last": {"line": 5, "event": "swap", "outcome": {"left": 0, "right": 4}},
        },
        "log": [
            {"line": 2, "event": "add", "outcome": {"left": 4, "right": 0}},
            {"line": 5, "event": "swap", "outcome": {"left": 0, "right": 4}},
        ],
    }


def test_nothing_standing_has_no_last() -> None:
    report = replay_report(replay(lines(add("left", 1), UNDO), GAMES))
    assert (report["state"]["last"], report["log"]) == (None, [])


def test_blank_lines_count_for_events_and_corrections() -> None:
    written = [b"\n", *lines(add("left", 3)), b"  \r\n", *lines(add("left", 1), correct(3, add("left", 5)))[1:]]
    played = replay(written, GAMES)
    assert [event.line for event in played.ledger.events] == [3, 5]
    assert played.ledger.state.left == 6


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ([], (1, "CT-1")),
        ([b"\n", b"  \n"], (1, "CT-1")),
        ([b"\n", b"nonsense\n"], (2, "CT-1")),
        ([b"[]\n"], (1, "CT-1")),
        (lines(start={**header(), "journal": 2}), (1, "CT-1")),
        (lines(start={**header(), "journal": True}), (1, "CT-1")),
        (lines(start={**header(), "journal": 1.0}), (1, "CT-1")),
        (lines(start={**header(), "game": "chess"}), (1, "CT-1")),
        (lines(start={**header(), "game": ["counting"]}), (1, "CT-1")),
        (lines(start={**header(), "setup": {}}), (1, "CT-1")),
        (lines(add("left", 1), take_back("right", 1)), (3, "CT-5")),
        (lines(add("left", 1), {"event": "dance"}), (3, "CT-2")),
        (lines({"no": "event"}), (2, "CT-2")),
        ([*lines(add("left", 1)), b"17\n"], (3, "CT-2")),
        ([*lines(add("left", 1)), b"\n", b'{"event": "ad'], (4, "CT-2")),
        (lines(UNDO), (2, "CT-6")),
        (lines(add("left", 5), take_back("left", 4), correct(2, add("left", 3))), (4, "CT-5")),
    ],
)
def test_the_first_bad_line_is_refused_with_its_rule(written: list[bytes], expected: tuple[int, str]) -> None:
    assert refused(written) == expected


def test_an_earlier_refusal_comes_before_an_unreadable_line() -> None:
    assert refused([*lines(take_back("left", 1)), b"nonsense\n"]) == (2, "CT-5")


def test_a_newer_journal_says_so() -> None:
    with pytest.raises(InvalidLine) as caught:
        replay(lines(start={**header(), "journal": 7}), GAMES)
    assert caught.value.message.id == "journal.header.newer"
    assert "7" in Language("fr").text(caught.value.message)


def test_a_file_without_a_usable_header_is_refused_by_the_game_it_is_named_after(tmp_path: Path) -> None:
    games: dict[str, Game[Any, Any]] = {**GAMES, "other": OtherGame()}
    named, nameless = tmp_path / "counting-1.jsonl", tmp_path / "match.jsonl"
    for path in (named, nameless):
        path.write_bytes(b"")
    assert refused(named, games) == (1, "CT-1")
    assert refused(nameless, games) == (1, "JOURNAL")
    nameless.write_bytes(encode_file({**header(), "journal": 2}, []))
    assert refused(nameless, games) == (1, "CT-1")


def run(path: Path) -> tuple[int, str, str]:
    out, err = io.StringIO(), io.StringIO()
    status = run_replay(path, GAMES, out, err, Language("en"))
    return status, out.getvalue(), err.getvalue()


def test_the_command_prints_one_object(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    start = header()
    start["sides"]["left"]["name"] = "Équipe 🏀"
    path.write_bytes(encode_file(start, [add("left", 3)]))
    status, out, err = run(path)
    assert (status, err) == (0, "")
    assert json.loads(out) == replay_report(replay(path, GAMES))
    assert out.isascii()


def test_the_command_says_what_was_refused_and_prints_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    path.write_bytes(encode_file(header(), [add("left", 3), UNDO, UNDO]))
    assert run(path) == (2, "", f"{path}:4: CT-6: There is nothing to undo.\n")


@pytest.mark.parametrize("name", ["none.jsonl", "."])
def test_the_command_says_what_it_cannot_read(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    status, out, err = run(path)
    assert (status, out) == (2, "")
    assert err.startswith(f"{path}: ")
    assert err.count("\n") == 1


def test_the_command_refuses_binary_and_other_encodings(tmp_path: Path) -> None:
    for content in (b"\x89PNG\r\n\x1a\n" + bytes(range(256)), json.dumps(header()).encode("utf-16")):
        path = tmp_path / "match.jsonl"
        path.write_bytes(content)
        status, out, err = run(path)
        assert (status, out) == (2, "")
        assert err.startswith(f"{path}:1: CT-1: ")


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ([b'{"journal": 1, "game": "coun'], "journal.header.torn"),
        ([b'{"journal": 1, "game": 5}\n'], "journal.header.game"),
    ],
)
def test_a_header_that_is_cut_or_names_no_game_is_told_so(lines: list[bytes], message: str) -> None:
    with pytest.raises(InvalidLine) as caught:
        replay(lines, {**GAMES, "other": OtherGame()})
    assert (caught.value.line, caught.value.message.id) == (1, message)
    assert caught.value.message.args.get("game", "5") == "5"


@pytest.mark.parametrize("id", REAL_GAMES)
@pytest.mark.parametrize(
    ("fields", "expected"), [({}, "“event”"), ({"event": 3}, ": 3."), ({"event": None}, ": null.")]
)
def test_an_event_without_a_name_is_told_so(id: str, fields: dict[str, Any], expected: str) -> None:
    with pytest.raises(Refusal) as caught:
        REAL_GAMES[id].parse(fields)
    assert expected in Language("en").text(caught.value.message)
