"""A session saves events before it shows them, asks about uncertain dice, and counts nothing twice after a restart."""

from __future__ import annotations

import resource
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.clock import ManualClock
from companion.games.base import Die, Message, Refusal
from companion.games.registry import GAMES
from companion.journal.database import DiskFull
from companion.journal.store import Store
from companion.language import LANGUAGES, Language
from companion.table.matches import Matches
from companion.table.panel import ButtonPress, VisibleState
from companion.table.ports import News, NewsKind
from companion.table.session import RETRY_INTERVAL_S, Session, StaleChoice, StorageError, consequences
from hardware.ports import PanelPress, PressSource, Role
from tests.table.readings import ScriptedReader, ball, doubtful, pips, seen, strange
from tests.table.sample_match import after_tackle, sample_header, until_ball, until_duel, until_shot
from vision.roll import BLINDING, CameraState, CameraTrouble, Face

HEADER = sample_header()


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def store(tmp_path: Path, clock: ManualClock) -> Iterator[Store]:
    with Store.open(tmp_path / "matches.sqlite", clock) as opened:
        yield opened


@pytest.fixture
def reader() -> ScriptedReader:
    return ScriptedReader()


def start_session(store: Store, reader: ScriptedReader, events: list[dict[str, Any]]) -> Session:
    session = Matches(store, GAMES).start("footclub", HEADER, reader)
    for fields in events:
        session.record(fields)
    return session


def pressed(session: Session, role: Role) -> ButtonPress:
    """Return a button press by a player who sees the current state."""
    first, second = session.scene().sides[:2]
    seen = VisibleState(session.decision(), (first, second), session.dice.question)
    return ButtonPress(PanelPress(role, False, PressSource.PANEL, 0.0), seen, session.sequence)


def show(session: Session, reader: ScriptedReader, *news: Any) -> None:
    reader.coming.extend(news)
    session.poll()


def last(session: Session) -> dict[str, Any]:
    newest = session.ledger.newest
    assert newest is not None
    return {key: value for key, value in newest.fields.items() if key not in ("at", "by", "note")}


def test_dice_become_an_event_with_its_evidence(store: Store, reader: ScriptedReader) -> None:
    session = start_session(store, reader, until_duel(HEADER))
    show(session, reader, seen(pips(6), pips(3, x=200)))
    assert last(session) == {"event": "roll", "dice": [6, 3]}
    row = session.timeline()[-1]
    kept = session.pictures(row.line)
    assert (row.by, row.has_pictures, kept.tray) == ("camera", True, b"tray")
    assert kept.crops == (b"die 0", b"die 1")
    assert [die.face.value for die in kept.dice] == [6, 3]


def test_outputs_hear_of_it_after_it_is_on_disk(store: Store, reader: ScriptedReader) -> None:
    session = start_session(store, reader, until_duel(HEADER))
    heard: list[tuple[News, int]] = []
    session.outputs.subscribe(lambda news: heard.append((news, len(store.events(session.match_id)))))
    show(session, reader, seen(pips(6), pips(3, x=200)))
    entries = [(news, count) for news, count in heard if news.kind is NewsKind.EVENT]
    assert [count for _, count in entries] == [len(until_duel(HEADER)) + 1]
    assert entries[0][0].outcome["result"] == "success"


def test_an_output_that_fails_stops_nobody(store: Store, reader: ScriptedReader) -> None:
    session = start_session(store, reader, until_duel(HEADER))
    heard: list[News] = []

    def fails(news: News) -> None:
        raise RuntimeError("no voice")

    session.outputs.subscribe(fails)
    session.outputs.subscribe(heard.append)
    show(session, reader, seen(pips(6), pips(3, x=200)))
    assert NewsKind.EVENT in [news.kind for news in heard]


def test_a_doubt_is_asked_and_the_answer_recorded(store: Store, reader: ScriptedReader) -> None:
    session = start_session(store, reader, until_duel(HEADER))
    before = session.sequence
    show(session, reader, seen(pips(3), doubtful(4, 2, x=200)))
    question = session.dice.question
    assert question is not None
    assert (question.kind, question.crop, question.side) == ("face", b"die 1", "blue")
    assert question.candidates == (Face(4), Face(2))
    assert session.sequence == before
    assert [slot.face for slot in session.dice.slots()] == [Face(3), None]
    session.answer(Face(2))
    assert last(session) == {"event": "roll", "dice": [3, 2]}
    assert session.dice.question is None


def test_dice_thrown_again_close_the_question(store: Store, reader: ScriptedReader) -> None:
    session = start_session(store, reader, until_duel(HEADER))
    show(session, reader, seen(pips(3), doubtful(4, 2, x=200)))
    show(session, reader, seen(pips(3), pips(5, x=300), again=True))
    assert session.dice.question is None
    assert last(session) == {"event": "roll", "dice": [3, 5]}


def test_several_doubts_are_asked_one_after_the_other(store: Store, reader: ScriptedReader) -> None:
    session = start_session(store, reader, until_duel(HEADER))
    show(session, reader, seen(doubtful(1, 6), doubtful(2, 5, x=200)))
    first = session.dice.question
    assert first is not None
    assert (first.number, first.total) == (1, 2)
    session.answer(Face(1))
    second = session.dice.question
    assert second is None or (second.number, second.total) == (2, 2)


def test_one_die_too_many(store: Store, reader: ScriptedReader) -> None:
    session = start_session(store, reader, until_duel(HEADER))
    show(session, reader, seen(pips(3), pips(4, x=200), pips(6, x=300)))
    assert session.dice.question is not None
    assert session.dice.question.kind == "extra"
    session.answer(0)
    assert last(session) == {"event": "roll", "dice": [4, 6]}


def test_something_strange_is_named_once_and_then_ignored_where_it_lies(store: Store, reader: ScriptedReader) -> None:
    session = start_session(store, reader, until_duel(HEADER))
    show(session, reader, seen(strange()))
    assert session.dice.question is None
    assert session.dice.notice is not None
    assert session.dice.notice.id == "table.foreign_die"
    show(session, reader, seen(pips(3), pips(5, x=200), strange(x=502)))
    assert last(session) == {"event": "roll", "dice": [3, 5]}


def test_something_strange_among_the_dice_is_asked_about_once(store: Store, reader: ScriptedReader) -> None:
    session = start_session(store, reader, until_duel(HEADER, mode="aggressive"))
    show(session, reader, seen(pips(1), pips(2, x=200), strange()))
    assert session.dice.question is not None
    assert session.dice.question.kind == "extra"
    session.answer(2)
    assert last(session) == {"event": "roll", "dice": [1, 2]}
    show(session, reader, seen(pips(3, x=150), pips(5, x=260), strange()))
    assert last(session) == {"event": "roll", "dice": [3, 5]}


def test_many_things_among_the_dice_are_asked_about_once(store: Store, reader: ScriptedReader) -> None:
    session = start_session(store, reader, until_duel(HEADER, mode="aggressive"))
    things = [strange(x=40 * place, y=300) for place in range(8)]
    show(session, reader, seen(pips(1), *things, pips(2, x=200)))
    assert session.dice.question is not None
    session.answer(3)
    assert session.dice.question is None
    assert last(session) == {"event": "roll", "dice": [1, 2]}
    show(session, reader, seen(pips(3, x=150), pips(5, x=260), *things))
    assert last(session) == {"event": "roll", "dice": [3, 5]}


def test_a_doubtful_spare_die_may_be_no_die_at_all(store: Store, reader: ScriptedReader) -> None:
    session = start_session(store, reader, until_shot(HEADER)[:-2])
    show(session, reader, seen(pips(6), doubtful(5, 3, x=200)))
    question = session.dice.question
    assert question is not None
    assert question.may_be_no_die
    session.answer(question.index)
    assert last(session) == {"event": "shot", "defence": 6}


def test_the_attack_die_is_thrown_in_beside_the_defence_die(store: Store, reader: ScriptedReader) -> None:
    session = start_session(store, reader, until_shot(HEADER))
    show(session, reader, seen(pips(2)))
    show(session, reader, seen(pips(2), pips(5, x=300), again=True))
    newest = [dict(standing.fields) for standing in session.ledger.events[-2:]]
    assert newest[0]["defence"] == 2
    assert newest[1]["attack"] == 5
    assert "defence" not in newest[1]


def test_a_nudge_after_the_roll_changes_nothing(store: Store, reader: ScriptedReader) -> None:
    session = start_session(store, reader, until_duel(HEADER, mode="aggressive"))
    show(session, reader, seen(pips(1), pips(2, x=200)))
    assert session.ledger.newest is not None
    assert session.ledger.newest.outcome["result"] == "second_throw"
    before = session.sequence
    show(session, reader, seen(pips(1, x=120), pips(2, x=215), again=True))
    assert session.sequence == before
    show(session, reader, seen(pips(1, x=420), pips(2, x=215, y=300)))
    assert session.sequence == before + 1


def test_the_reader_is_told_what_is_due(store: Store, reader: ScriptedReader) -> None:
    start_session(store, reader, until_duel(HEADER))
    assert reader.requests[-1].kinds == (("pips", 2),)
    assert reader.requests[-1].dice_set == "footclub"
    assert (("ball", 1),) in [request.kinds for request in reader.requests]


def test_a_stale_tap_is_dropped(store: Store, reader: ScriptedReader) -> None:
    session = start_session(store, reader, until_duel(HEADER))
    drawn_for = session.sequence
    show(session, reader, seen(pips(6), pips(3, x=200)))
    with pytest.raises(StaleChoice):
        session.record({"event": "forfeit", "side": "red"}, sequence=drawn_for)
    assert not GAMES["footclub"].finished(session.state)


def test_the_undo_button_takes_back_the_newest_fact(store: Store, reader: ScriptedReader) -> None:
    session = start_session(store, reader, until_ball(HEADER))
    show(session, reader, seen(ball("green")))
    session.handle_press(pressed(session, Role.UNDO))
    session.poll()
    assert last(session)["event"] == "tactics"
    assert [row.is_active for row in session.timeline()][-1] is False


def test_the_undo_button_with_nothing_to_undo_says_so(store: Store, reader: ScriptedReader) -> None:
    session = start_session(store, reader, [])
    session.handle_press(pressed(session, Role.UNDO))
    session.poll()
    assert session.dice.notice is not None
    assert session.dice.notice.id == "journal.refusal.nothing_to_undo"


def test_undo_gives_back_what_it_took(store: Store, reader: ScriptedReader) -> None:
    session = start_session(store, reader, until_duel(HEADER))
    taken = session.undo()
    assert taken is not None
    session.record(taken)
    assert last(session)["event"] == "tackle"


def test_redo_brings_the_fact_back_with_its_pictures(store: Store, reader: ScriptedReader) -> None:
    session = start_session(store, reader, until_duel(HEADER))
    show(session, reader, seen(pips(6), pips(3, x=200)))
    state = session.state
    session.undo()
    session.redo()
    assert session.state == state
    row = session.timeline()[-1]
    assert (row.by, row.is_active) == ("camera", True)
    assert session.pictures(row.line).crops == (b"die 0", b"die 1")


def test_redo_without_an_undo_does_nothing(store: Store, reader: ScriptedReader) -> None:
    session = start_session(store, reader, until_duel(HEADER))
    before = session.sequence
    session.redo()
    assert session.sequence == before


def test_undo_to_a_fact(store: Store, reader: ScriptedReader) -> None:
    session = start_session(store, reader, until_duel(HEADER))
    line = session.timeline()[2].line
    assert session.undo_to(line) == len(until_duel(HEADER)) - 3
    assert session.ledger.newest is not None
    assert session.ledger.newest.line == line


def test_a_correction_is_shown_before_it_is_written(store: Store, reader: ScriptedReader) -> None:
    session = start_session(store, reader, [*until_shot(HEADER), {"event": "shot", "defence": 1, "attack": 6}])
    line = session.timeline()[-1].line
    before = session.sequence
    changes = consequences(session.game, session.ledger, line, {"event": "shot", "defence": 6, "attack": 1})
    assert [change.line for change in changes.differences] == [line]
    assert session.sequence == before
    session.correct(line, {"event": "shot", "defence": 6, "attack": 1})
    assert session.game.view(session.state)["score"] == {"blue": 0, "red": 0}
    assert session.timeline()[-1].is_corrected


def test_a_correction_that_breaks_a_later_fact_is_refused(store: Store, reader: ScriptedReader) -> None:
    session = start_session(store, reader, until_shot(HEADER))
    line = next(row.line for row in session.timeline() if row.fields["event"] == "roll")
    with pytest.raises(Refusal) as refused:
        session.correct(line, {"event": "roll", "dice": [1, 2]})
    assert refused.value.rule.startswith("FC-")


def test_dice_by_touch(store: Store, reader: ScriptedReader) -> None:
    session = start_session(store, reader, until_duel(HEADER))
    session.enter_dice([Die("pips", 6), Die("pips", 2)])
    assert last(session) == {"event": "roll", "dice": [6, 2]}


def resumed(store: Store, session: Session) -> tuple[Session, ScriptedReader]:
    reader = ScriptedReader()
    return Matches(store, GAMES).resume(session.match_id, reader), reader


def test_dice_that_lay_there_before_a_restart_do_not_count_again(store: Store, reader: ScriptedReader) -> None:
    session = start_session(store, reader, until_duel(HEADER, mode="aggressive"))
    show(session, reader, seen(pips(1), pips(2, x=200)))
    again, new_reader = resumed(store, session)
    assert again.state == session.state
    before = again.sequence
    show(again, new_reader, CameraState(True, "drawn"), seen(pips(1), pips(2, x=200)))
    assert again.sequence == before
    show(again, new_reader, seen(pips(5, x=300), pips(4, x=400)))
    assert last(again) == {"event": "roll", "dice": [5, 4]}


def test_dice_entered_blind_do_not_count_when_the_camera_is_back(store: Store, reader: ScriptedReader) -> None:
    session = start_session(store, reader, until_duel(HEADER, mode="aggressive"))
    show(session, reader, CameraState(False, "camera:0", "unplugged"))
    assert session.dice.notice is not None
    assert session.dice.notice.id == "table.camera_lost"
    session.enter_dice([Die("pips", 1), Die("pips", 2)])
    before = session.sequence
    show(session, reader, CameraState(True, "camera:0"), seen(pips(1), pips(2, x=200)))
    assert session.sequence == before


def test_a_reader_that_fails_at_each_start_is_told(store: Store, reader: ScriptedReader) -> None:
    session = start_session(store, reader, until_duel(HEADER))
    show(session, reader, CameraState(False, "", "has stopped", CameraTrouble.READER_FAILS))
    assert session.dice.notice is not None
    assert session.dice.notice.id == "camera.reader_fails"


@pytest.mark.parametrize("trouble", sorted(BLINDING))
def test_a_picture_that_shows_nothing_is_told_and_play_goes_on_by_touch(
    store: Store, reader: ScriptedReader, trouble: CameraTrouble
) -> None:
    session = start_session(store, reader, until_duel(HEADER, mode="aggressive"))
    show(session, reader, CameraState(True, "camera:0"), CameraState(True, "camera:0", trouble=trouble))
    assert session.dice.notice == Message(f"camera.{trouble}")
    session.enter_dice([Die("pips", 1), Die("pips", 2)])
    before = session.sequence
    show(session, reader, CameraState(True, "camera:0"), seen(pips(1), pips(2, x=200)))
    assert session.sequence == before, "dice that were entered by touch do not count again"


@pytest.mark.parametrize(
    "state", [CameraState(False, "camera:0"), *(CameraState(True, "camera:0", trouble=one) for one in CameraTrouble)]
)
def test_what_was_said_of_the_camera_goes_when_all_is_well_again(
    store: Store, reader: ScriptedReader, state: CameraState
) -> None:
    session = start_session(store, reader, until_duel(HEADER, mode="aggressive"))
    show(session, reader, CameraState(True, "camera:0"), state)
    assert session.dice.notice is not None
    show(session, reader, CameraState(True, "camera:0"))
    assert session.dice.notice is None


def test_a_restart_after_dice_entered_by_touch(store: Store, reader: ScriptedReader) -> None:
    session = start_session(store, reader, until_duel(HEADER, mode="aggressive"))
    session.enter_dice([Die("pips", 1), Die("pips", 2)])
    again, new_reader = resumed(store, session)
    before = again.sequence
    show(again, new_reader, CameraState(True, "drawn"), seen(pips(1), pips(2, x=200)))
    assert again.sequence == before
    assert again.dice.notice is not None
    assert again.dice.notice.id == "table.maybe_counted"


def check_player_text(message: Message) -> None:
    """Check that a sentence for the players has all its arguments, and no path."""
    for code in LANGUAGES:
        sentence = Language(code).text(message)
        assert sentence != message.id
        assert not set("{}/") & set(sentence), sentence


def test_a_full_disk_loses_nothing_and_says_so(
    store: Store, reader: ScriptedReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = start_session(store, reader, until_duel(HEADER))
    state, append = session.state, store.append

    def full(*args: Any, **named: Any) -> int:
        raise DiskFull("full", store.path)

    monkeypatch.setattr(store, "append", full)
    with pytest.raises(StorageError) as trouble:
        session.enter_dice([Die("pips", 6), Die("pips", 2)])
    assert trouble.value.message.id == "table.disk_full"
    check_player_text(trouble.value.message)
    assert session.state == state
    monkeypatch.setattr(store, "append", append)
    session.enter_dice([Die("pips", 6), Die("pips", 2)])
    assert last(session) == {"event": "roll", "dice": [6, 2]}


class FullDisk:
    """A limit for the size of files, which the store's log reaches with its next event, until `free`."""

    def __init__(self, store: Store) -> None:
        self._limits = resource.getrlimit(resource.RLIMIT_FSIZE)
        log = store.path.with_name(f"{store.path.name}-wal")
        resource.setrlimit(resource.RLIMIT_FSIZE, (log.stat().st_size, self._limits[1]))

    def free(self) -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, self._limits)


FillDisk = Callable[[], FullDisk]


@pytest.fixture
def fill_disk(store: Store) -> Iterator[Callable[[], FullDisk]]:
    """Fill the disk of the store; it is free again at the end."""
    disks: list[FullDisk] = []

    def fill() -> FullDisk:
        disks.append(FullDisk(store))
        return disks[-1]

    yield fill
    for disk in disks:
        disk.free()


def test_dice_refused_by_a_full_disk_count_once_there_is_room(
    store: Store, reader: ScriptedReader, fill_disk: FillDisk, clock: ManualClock
) -> None:
    session = start_session(store, reader, until_duel(HEADER))
    before, disk = session.sequence, fill_disk()
    reader.coming = [seen(pips(6), pips(3, x=200)), CameraState(False, "camera:0")]
    with pytest.raises(StorageError) as trouble:
        session.poll()
    assert trouble.value.message.id == "table.dice_not_recorded"
    check_player_text(trouble.value.message)
    assert session.dice.camera == CameraState(False, "camera:0"), "reports after the refused roll are processed"
    for _ in range(3):
        clock.advance(RETRY_INTERVAL_S)
        session.poll()
    assert session.has_refused_dice
    assert session.sequence == before
    disk.free()
    session.poll()
    assert session.sequence == before, "it waits for the next try"
    clock.advance(RETRY_INTERVAL_S)
    session.poll()
    assert last(session) == {"event": "roll", "dice": [6, 3]}
    assert session.sequence == before + 1
    assert not session.has_refused_dice
    clock.advance(RETRY_INTERVAL_S)
    session.poll()
    assert session.sequence == before + 1


def test_refused_dice_can_be_recorded_at_once_by_hand(
    store: Store, reader: ScriptedReader, fill_disk: FillDisk
) -> None:
    session = start_session(store, reader, until_duel(HEADER))
    disk = fill_disk()
    with pytest.raises(StorageError):
        show(session, reader, seen(pips(6), pips(3, x=200)))
    with pytest.raises(StorageError):
        session.retry_dice()
    disk.free()
    session.retry_dice()
    assert last(session) == {"event": "roll", "dice": [6, 3]}


def test_new_dice_replace_refused_ones(
    store: Store, reader: ScriptedReader, fill_disk: FillDisk, clock: ManualClock
) -> None:
    session = start_session(store, reader, until_duel(HEADER))
    before, disk = session.sequence, fill_disk()
    with pytest.raises(StorageError):
        show(session, reader, seen(pips(6), pips(3, x=200)))
    show(session, reader, seen(pips(1, x=300)))
    assert not session.has_refused_dice
    disk.free()
    clock.advance(RETRY_INTERVAL_S)
    session.poll()
    assert session.sequence == before
    show(session, reader, seen(pips(1, x=300), pips(2, x=400), again=True))
    assert last(session) == {"event": "roll", "dice": [1, 2]}


def test_refused_dice_that_are_thrown_again_do_not_count(
    store: Store, reader: ScriptedReader, fill_disk: FillDisk, clock: ManualClock
) -> None:
    session = start_session(store, reader, until_duel(HEADER))
    before, disk = session.sequence, fill_disk()
    with pytest.raises(StorageError):
        show(session, reader, seen(pips(6), pips(3, x=200)))
    session.dice.dismiss(all_dice=True)
    disk.free()
    clock.advance(RETRY_INTERVAL_S)
    session.poll()
    assert session.sequence == before


def test_an_answer_refused_by_a_full_disk_can_be_given_again(
    store: Store, reader: ScriptedReader, fill_disk: FillDisk
) -> None:
    session = start_session(store, reader, until_duel(HEADER))
    show(session, reader, seen(pips(6), pips(3, x=200), pips(2, x=400)))
    question = session.dice.question
    assert question is not None
    assert question.kind == "extra"
    disk = fill_disk()
    for _ in range(2):
        with pytest.raises(StorageError):
            session.answer(2)
        assert session.dice.question is question
        assert not session.has_refused_dice, "the answer is asked again instead"
    disk.free()
    session.answer(2)
    assert last(session) == {"event": "roll", "dice": [6, 3]}


def test_everything_else_refused_by_a_full_disk_can_be_done_again(
    store: Store, reader: ScriptedReader, fill_disk: FillDisk
) -> None:
    session = start_session(store, reader, until_duel(HEADER))
    session.enter_dice([Die("pips", 6), Die("pips", 2)])
    line, disk = session.sequence - 1, fill_disk()
    changed = {"event": "roll", "dice": [5, 1]}
    actions: list[Callable[[], object]] = [
        lambda: session.correct(line, changed),
        lambda: session.undo(),
        lambda: session.undo_to(line - 1),
        lambda: session.record(next(iter(session.decision().choices)).event),
    ]
    state = session.state
    for action in actions:
        with pytest.raises(StorageError):
            action()
        assert session.state is state
    disk.free()
    session.correct(line, changed)
    assert last(session) == changed
    before = session.sequence
    session.undo()
    assert session.sequence == before + 1


def test_pictures_are_given_up_before_an_event_is(
    store: Store, reader: ScriptedReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = start_session(store, reader, until_duel(HEADER))
    append = store.append

    def no_room_for_pictures(match: str, fields: Any, pictures: Any = (), **named: Any) -> int:
        if any(picture.what != "reading" for picture in pictures):
            raise DiskFull("full", store.path)
        return append(match, fields, pictures, **named)

    monkeypatch.setattr(store, "append", no_room_for_pictures)
    show(session, reader, seen(pips(6), pips(3, x=200)))
    assert last(session) == {"event": "roll", "dice": [6, 3]}
    assert session.pictures(session.timeline()[-1].line).tray is None


def test_a_whole_passage_to_a_goal(store: Store, reader: ScriptedReader) -> None:
    session = start_session(store, reader, until_duel(HEADER))
    show(session, reader, seen(pips(6), pips(3, x=200)))
    for fields in after_tackle():
        session.record(fields)
    show(session, reader, seen(pips(1, x=300)))
    show(session, reader, seen(pips(1, x=300), pips(6, x=400), again=True))
    assert session.game.view(session.state)["score"] == {"blue": 1, "red": 0}


def test_the_list_of_matches_tells_score_and_last_fact(store: Store, reader: ScriptedReader) -> None:
    session = start_session(store, reader, [*until_shot(HEADER), {"event": "shot", "defence": 1, "attack": 6}])
    (summary,) = Matches(store, GAMES).recent()
    assert summary.match_id == session.match_id
    assert summary.score == {"blue": 1, "red": 0}
    assert summary.last_event is not None
    assert not summary.is_finished


@pytest.mark.parametrize("fields", ["{broken", "[1]", '{"a":' * 3000 + "1" + "}" * 3000])
def test_a_damaged_fact_stops_its_match_alone(store: Store, reader: ScriptedReader, fields: str) -> None:
    other = start_session(store, ScriptedReader(), until_ball(HEADER))
    session = start_session(store, reader, until_duel(HEADER))
    seq = len(until_ball(HEADER))
    change = "UPDATE entries SET fields = ? WHERE match = ? AND seq = ?"
    store._connection.execute(change, (fields, session.match_id, seq))
    matches = Matches(store, GAMES)
    listed = {match.match_id: match for match in matches.recent()}
    assert listed[other.match_id].trouble is None
    damaged = listed[session.match_id]
    assert damaged.trouble is not None
    assert damaged.last_good_line == seq
    viewed = matches.view_until(session.match_id, seq)
    assert viewed.ledger.all_events[-1].line == seq
    with pytest.raises(StorageError):
        viewed.undo()
    taken_up = matches.resume_until(session.match_id, seq)
    assert taken_up.ledger.all_events[-1].line == seq


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("header", "{broken"),
        ("header", '{"game": "footclub"}'),
        ("header", '{"sides": 3}'),
        ("header", '{"sides": {"blue": {"name": 4}}}'),
        ("created", "long ago"),
        ("ended", "soon"),
    ],
)
def test_a_damaged_header_keeps_no_other_match_from_the_list(store: Store, column: str, value: str) -> None:
    other = start_session(store, ScriptedReader(), until_ball(HEADER))
    damaged = start_session(store, ScriptedReader(), until_ball(HEADER))
    store._connection.execute(f"UPDATE matches SET {column} = ? WHERE id = ?", (value, damaged.match_id))
    listed = {match.match_id: match for match in Matches(store, GAMES).recent()}
    assert listed[other.match_id].trouble is None
    damaged_summary = listed[damaged.match_id]
    assert damaged_summary.trouble is not None
    assert (damaged_summary.last_good_line is None) == (column != "ended")


@pytest.mark.parametrize("game", ["footclub", "hoops21", "nba", "occasion"])
def test_the_timeline_tells_whose_action_an_event_is(store: Store, game: str) -> None:
    """Every event that only one side could record then has that side, whether it names one or not."""
    random = Random(3)
    session = Matches(store, GAMES).start(game, GAMES[game].random_header(random))
    awaited = []
    for _ in range(60):
        if session.game.finished(session.state):
            break
        awaited.append(session.decision().sides)
        session.record(session.game.random_event(session.state, random))
    sides = {row.fields["event"]: (row.side, alone) for row, alone in zip(session.timeline(), awaited, strict=True)}
    unnamed = {event for event, (side, alone) in sides.items() if side is None and len(alone) == 1}
    assert unnamed <= {"ball", "resolve", "turn_ended"}, sides
