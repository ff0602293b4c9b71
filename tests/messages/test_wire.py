"""Messages of the link: round trips, compatibility with older programs, and invalid input."""

from __future__ import annotations

import zlib

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.base import Message
from companion.messages import subjects
from companion.messages.wire import (
    MAX_MESSAGE_BYTES,
    CalledMatch,
    ComingMatch,
    Confirmation,
    Hello,
    Hub,
    JournalLines,
    PodiumStep,
    Receipt,
    Receipts,
    RollPicture,
    StandingRow,
    StandingsBoard,
    StandingTable,
    TableState,
    WireError,
    decode,
    encode,
    restore_message,
)

TITLE = Message("bulletin.leg1", {"title": Message("bulletin.final")})
ROW = StandingRow(rank=1, entry="e1", name="Ada", played=1, won=1, drawn=0, lost=0, scored=2, conceded=0, points=3)
CALLED = CalledMatch(
    tournament="x",
    match="m",
    game="nba",
    home="A",
    away="B",
    home_side="home",
    away_side="away",
    header={},
    title=TITLE,
)
EXAMPLES: list[msgspec.Struct] = [
    JournalLines(epoch=2**40, seq=1, before=bytes(16), lines=(b'{"a": 1}', b"\xff" * 600)),
    Confirmation(epoch=1, seq=2, chain=bytes(16), by=("home", "away")),
    Hello(run="r", ask=True, waiting=3, present={"t/m": ("home",)}),
    RollPicture(epoch=1, seq=2, what="die", image=b"jpeg", die=0),
    Hub(hub="h"),
    Receipts(hub="h", receipts=(Receipt(epoch=1, seq=0, chain=b""),), all=True),
    TableState(hub="h", table=3, tournament="x", name="X", match=CALLED),
    StandingsBoard(
        hub="h",
        tournament="x",
        name="X",
        told=5,
        standings=(StandingTable(title=TITLE, rows=(ROW,), advance=2),),
        coming=(ComingMatch(match="m", home="A", away="B", title=TITLE),),
        podium=(PodiumStep(rank=1, names=("A",)),),
    ),
]
KINDS = [type(each) for each in EXAMPLES]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda each: type(each).__name__)
def test_a_message_arrives_as_it_was_sent(example: msgspec.Struct) -> None:
    assert decode(encode(example), type(example)) == example or isinstance(example, TableState | StandingsBoard)
    assert encode(decode(encode(example), type(example))) == encode(example)


@pytest.mark.parametrize(
    ("message", "bytes_"),
    [
        (
            JournalLines(5, 1, b"b" * 16, (b"a",)),
            "0084a565706f636805a373657101a66265666f7265c41062626262626262626262626262626262a56c696e657391c40161",
        ),
        (
            Confirmation(epoch=5, seq=2, chain=b"c" * 16, by=("home",)),
            "0084a565706f636805a373657102a5636861696ec41063636363636363636363636363636363a2627991a4686f6d65",
        ),
        (
            RollPicture(5, 2, "die", b"j", 1),
            "0085a565706f636805a373657102a477686174a3646965a5696d616765c4016aa364696501",
        ),
        (
            Receipts(hub="h", receipts=(Receipt(5, 2, b"c" * 16, 1, 2, "too_long"),)),
            (
                "0083a3687562a168a872656365697074739186a565706f636805a373657102a5636861696ec410636363636363636363636363"
                "63636363a66272616e636801a9636f6e6669726d656402a770726f626c656da8746f6f5f6c6f6e67a3616c6cc2"
            ),
        ),
    ],
)
def test_a_message_has_the_bytes_that_older_programs_know(message: msgspec.Struct, bytes_: str) -> None:
    assert encode(message).hex() == bytes_


def test_a_map_of_an_older_program_says_every_key_of_a_receipt() -> None:
    receipt = {"epoch": 5, "seq": 2, "chain": b"c", "branch": 0, "confirmed": 0, "problem": None}
    raw = b"\x00" + msgspec.msgpack.encode({"hub": "h", "receipts": [receipt], "all": True})
    assert decode(raw, Receipts).receipts == (Receipt(5, 2, b"c"),)


def test_a_confirmation_of_no_journal_is_refused() -> None:
    with pytest.raises(WireError):
        decode(b"\x00" + msgspec.msgpack.encode({"seq": 2, "by": ["home"]}), Confirmation)


def test_a_sentence_within_a_sentence_arrives_whole() -> None:
    arrived = decode(encode(EXAMPLES[6]), TableState)
    assert arrived.match is not None
    assert restore_message(arrived.match.title) == TITLE


def test_a_long_message_is_packed_and_a_short_one_is_not() -> None:
    long = JournalLines(epoch=1, seq=1, before=b"", lines=(b"x" * 100_000,))
    assert encode(long)[:1] == b"\x01"
    assert len(encode(long)) < 1000
    assert encode(Hub(hub="h"))[:1] == b"\x00"


@given(raw=st.binary(max_size=300), kind=st.sampled_from(KINDS))
def test_any_bytes_are_a_message_or_refused(raw: bytes, kind: type[msgspec.Struct]) -> None:
    for bytes_ in (raw, b"\x00" + raw, b"\x01" + zlib.compress(raw)):
        try:
            assert isinstance(decode(bytes_, kind), kind)
        except WireError:
            continue


@given(at=st.integers(0, 200), sign=st.integers(0, 255), example=st.sampled_from(EXAMPLES))
def test_a_message_with_a_wrong_byte_is_another_one_or_refused(at: int, sign: int, example: msgspec.Struct) -> None:
    raw = bytearray(encode(example))
    raw[at % len(raw)] = sign
    try:
        assert isinstance(decode(bytes(raw), type(example)), type(example))
    except WireError:
        return


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"\x02" + msgspec.msgpack.encode({"hub": "h"}),
        b"\x01" + zlib.compress(bytes(MAX_MESSAGE_BYTES + 1), 9),
        b"\x01" + zlib.compress(msgspec.msgpack.encode({"hub": "h"}))[:-3],
        b"\x00" + msgspec.msgpack.encode({"hub": "x" * 201}),
        b"\x00" + msgspec.msgpack.encode({}),
    ],
    ids=["empty", "unknown form", "a bomb", "cut off", "a name too long", "without a name"],
)
def test_what_is_no_message_is_refused(raw: bytes) -> None:
    with pytest.raises(WireError):
        decode(raw, Hub)


def test_what_a_newer_program_adds_is_passed_over() -> None:
    newer = b"\x00" + msgspec.msgpack.encode({"hub": "h", "version": 1, "weather": "rain"})
    assert decode(newer, Hub) == Hub(hub="h")


@pytest.mark.parametrize("id", ["t1", "A-b_9", "x" * 64])
def test_a_tables_id_can_stand_in_a_subject(id: str) -> None:
    assert subjects.is_table_id(id)
    assert subjects.parse_subject(subjects.upstream(id, subjects.LINES)) == (id, subjects.LINES)


@pytest.mark.parametrize("id", ["", "a.b", "*", ">", "a b", "é", "x" * 65, ".hub", "t1\n"])
def test_what_would_be_more_than_one_table_is_none(id: str) -> None:
    assert not subjects.is_table_id(id)


@pytest.mark.parametrize("subject", ["tapis.all.hub", "other.up.t1.lines", "tapis.up.t1", "tapis.up.t1.lines.more"])
def test_other_subjects_are_of_no_table(subject: str) -> None:
    with pytest.raises(ValueError):
        subjects.parse_subject(subject)


def test_a_board_has_the_bytes_that_older_programs_know() -> None:
    row = StandingRow(1, "e", "A", 1, 1, 0, 0, 2, 0, 3)
    table = StandingTable(Message("x"), (row,), 2)
    board = StandingsBoard(
        hub="h",
        tournament="t",
        name="T",
        told=5,
        standings=(table,),
        coming=(ComingMatch("m", "A", "B", Message("x")),),
    )
    assert encode(board).hex() == (
        "0087a3687562a168aa746f75726e616d656e74a174a46e616d65a154a4746f6c6405a666726f7a656ec2a97374616e64696e6773"
        "9183a57469746c6582a26964a178a46172677380a4726f7773918aa472616e6b01a5656e747279a165a46e616d65a141a6706c61"
        "79656401a3776f6e01a5647261776e00a46c6f737400a673636f72656402a8636f6e636564656400a6706f696e747303a7616476"
        "616e636502a6636f6d696e679188a56d61746368a16da4686f6d65a141a461776179a142a57469746c6582a26964a178a4617267"
        "7380a57461626c65c0a6737461727473c0a7706c6179696e67c2a470616765c0"
    )


@pytest.mark.parametrize("args", [1, "text", [1, 2], None])
def test_an_argument_that_only_looks_like_a_message_stays_as_it_is(args: object) -> None:
    alike = {"id": "bulletin.final", "args": args}
    assert restore_message(Message("bulletin.leg1", {"title": alike})).args["title"] == alike


@pytest.mark.parametrize("seconds", [-1, 2**33 * 40, 2**62])
def test_a_time_that_no_date_can_hold_is_refused(seconds: int) -> None:
    """Such a time of the hub ended the table's screens, and again at each start."""
    board = StandingsBoard(hub="h", tournament="t", name="T", told=seconds)
    with pytest.raises(WireError):
        decode(encode(board), StandingsBoard)
