"""Dice that are thrown before a choice that must come first: the table asks, and nothing is lost or assumed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.clock import ManualClock
from companion.games.base import Die, Refusal
from companion.games.registry import GAMES
from companion.journal.store import Store
from companion.table.matches import Matches
from companion.table.session import Session
from tests.table.readings import ScriptedReader, doubtful, pips, seen
from tests.table.sample_match import sample_header, until_shot
from vision.roll import Face

HEADER = sample_header()
HEADER["setup"]["options"] = {"consent": True}


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "matches.sqlite", ManualClock()) as opened:
        yield opened


@pytest.fixture
def reader() -> ScriptedReader:
    return ScriptedReader()


@pytest.fixture
def session(store: Store, reader: ScriptedReader) -> Session:
    """Return a match in which blue has added to its attack and has not given the green light."""
    session = Matches(store, GAMES).start("footclub", HEADER, reader)
    for fields in until_shot(HEADER):
        session.record(fields)
    return session


def show(session: Session, reader: ScriptedReader, *news: Any) -> None:
    reader.coming.extend(news)
    session.poll()


def last(session: Session, count: int = 1) -> list[dict[str, Any]]:
    events = session.ledger.events[-count:]
    return [{key: event.fields[key] for key in event.fields if key not in ("at", "note")} for event in events]


def test_a_die_thrown_before_the_light_raises_a_question(session: Session, reader: ScriptedReader) -> None:
    before = session.sequence
    show(session, reader, seen(pips(4)))
    question = session.dice.question
    assert question is not None
    assert (question.kind, question.side, question.index) == ("consent", "blue", -1)
    assert question.choice is not None
    assert question.choice.event["event"] == "green_light"
    assert session.sequence == before


def test_yes_records_the_light_before_the_die(session: Session, reader: ScriptedReader) -> None:
    show(session, reader, seen(pips(4)))
    session.confirm_choice()
    assert last(session, 2) == [
        {"event": "green_light", "side": "blue", "by": "touch"},
        {"event": "shot", "defence": 4, "by": "camera"},
    ]
    assert session.dice.question is None
    light, shot = session.timeline()[-2:]
    assert (light.has_pictures, shot.has_pictures) == (False, True)


def test_no_has_the_die_thrown_again(session: Session, reader: ScriptedReader) -> None:
    show(session, reader, seen(pips(4)))
    before = session.sequence
    session.dice.dismiss(all_dice=True)
    session.record({"event": "green_light", "side": "blue"})
    show(session, reader, seen(pips(4), again=True))
    assert session.sequence == before + 1, "the die that lies there counts"
    show(session, reader, seen(pips(2, x=300), again=True))
    assert last(session) == [{"event": "shot", "defence": 2, "by": "camera"}]


def test_an_uncertain_die_is_asked_about_after_the_light(session: Session, reader: ScriptedReader) -> None:
    show(session, reader, seen(doubtful(4, 2)))
    assert session.dice.question is not None
    assert session.dice.question.kind == "consent"
    session.confirm_choice()
    assert last(session)[0]["event"] == "green_light"
    assert session.dice.question.kind == "face"
    session.answer(Face(2))
    assert last(session) == [{"event": "shot", "defence": 2, "by": "camera"}]


def test_a_die_too_many_is_asked_about_after_the_light(session: Session, reader: ScriptedReader) -> None:
    show(session, reader, seen(pips(4), pips(5, x=200), pips(6, x=300)))
    session.confirm_choice()
    assert last(session)[0]["event"] == "green_light"
    assert session.dice.question is not None
    assert session.dice.question.kind == "extra"


def test_after_the_light_the_die_counts_at_once(session: Session, reader: ScriptedReader) -> None:
    session.record({"event": "green_light", "side": "blue"})
    show(session, reader, seen(pips(4)))
    assert session.dice.question is None
    assert last(session) == [{"event": "shot", "defence": 4, "by": "camera"}]


def test_a_die_entered_by_touch_is_refused_with_the_reason(session: Session) -> None:
    with pytest.raises(Refusal) as refused:
        session.enter_dice([Die("pips", 4)])
    assert refused.value.rule == "FC-9.8"
    session.record({"event": "green_light", "side": "blue"})
    session.enter_dice([Die("pips", 4)])
    assert last(session)[0]["defence"] == 4
