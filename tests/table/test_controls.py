"""Buttons, lights and tray sensors in a real match with the simulated panel: late presses, old goals, faults."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from companion.clock import ManualClock
from companion.games.registry import GAMES
from companion.journal.store import Store
from companion.table.controls import Controls, DeviceNotice, Devices
from companion.table.matches import Matches
from companion.table.panel import ButtonPress
from companion.table.session import Session
from hardware.ports import (
    HOLD_SECONDS,
    DeviceNews,
    Lamp,
    Lid,
    LightScene,
    Moment,
    Moving,
    PanelPress,
    PressSource,
    Role,
    Show,
)
from hardware.simulated import SimulatedPanel
from tests.table.fake_device import FakeDevice
from tests.table.readings import ScriptedReader, ball, doubtful, pips, seen
from tests.table.sample_match import sample_header, until_duel, until_shot
from vision.roll import CameraState, CameraTrouble

HEADER = sample_header()


class MotionReader(ScriptedReader):
    """A reader that receives the tray's motion signals."""

    def __init__(self) -> None:
        super().__init__()
        self.felt: list[bool | None] = []

    def on_motion(self, moving: bool | None) -> None:
        self.felt.append(moving)


class BrokenDevice(FakeDevice):
    """A device that fails at every call."""

    def start(self) -> None:
        raise OSError("broken")

    def show(self, show: Show) -> None:
        raise OSError("broken")

    def poll(self) -> Sequence[DeviceNews]:
        raise OSError("broken")

    def close(self) -> None:
        raise OSError("broken")


class Table:
    """A match with its controls and a simulated panel."""

    def __init__(self, store: Store, events: Sequence[dict[str, Any]] = (), *more: Any) -> None:
        self.clock = ManualClock(monotonic=50.0)
        self.panel = SimulatedPanel(self.clock.monotonic)
        self.reader = MotionReader()
        self.matches = Matches(store, GAMES)
        self.session = self.matches.start("footclub", HEADER, self.reader)
        for fields in events:
            self.session.record(fields)
        self.controls = Controls(Devices((self.panel, *more)), self.clock.monotonic, sound=lambda: True)
        self.controls.start()
        self.attend(self.session)
        self.advance(1.0)

    def attend(self, session: Session) -> None:
        self.session = session
        self.controls.attach(session, lambda: (session.scene().sides[0], session.scene().sides[1]))

    def advance(self, seconds: float) -> list[Any]:
        """Advance time like the app: poll the session, then the controls."""
        heard: list[Any] = []
        for _ in range(max(1, round(seconds / 0.02))):
            self.clock.advance(0.02)
            self.session.poll()
            for item in self.controls.poll():
                heard.append(item)
                if isinstance(item, ButtonPress):
                    self.session.handle_press(item)
        self.session.poll()
        self.controls.poll()
        return heard

    def press(self, role: Role, seconds: float = 0.1) -> list[Any]:
        self.panel.touch(role)
        heard = self.advance(seconds)
        self.panel.let_go(role)
        return heard + self.advance(0.1)

    def show(self, *news: Any) -> None:
        self.reader.coming.extend(news)
        self.session.poll()

    @property
    def lit(self) -> Show:
        return self.panel.shows[-1]

    @property
    def moments(self) -> list[Moment]:
        return [show.moment for show in self.panel.shows if show.moment is not None]

    def last(self) -> str:
        newest = self.session.ledger.newest
        return newest.fields["event"] if newest else ""


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "matches.sqlite", ManualClock()) as opened:
        yield opened


POSSESSION = [*until_duel(HEADER), {"event": "roll", "dice": [6, 6]}]


def test_the_big_button_plays_what_the_screen_marks(store: Store) -> None:
    table = Table(store, POSSESSION)
    before = table.session.sequence
    assert table.lit.lamps.confirm is Lamp.BREATHING
    table.press(Role.CONFIRM)
    newest = table.session.ledger.newest
    assert newest is not None
    assert newest.fields["by"] == "button"
    assert table.session.sequence == before + 1


def test_a_press_that_needs_more_changes_nothing_and_says_so(store: Store) -> None:
    table = Table(store, until_duel(HEADER))
    before = table.session.sequence
    table.press(Role.RIGHT)
    table.press(Role.CONFIRM)
    assert table.session.sequence == before
    assert table.session.dice.notice is not None
    assert table.session.dice.notice.id.startswith("button.need.")


def test_undo_takes_back_and_says_who_did(store: Store) -> None:
    table = Table(store, POSSESSION)
    table.press(Role.UNDO)
    assert table.session.ledger.all_events[-1].fields["by"] == "button"
    assert table.last() == "tackle"


def test_a_press_from_before_the_dice_landed_is_dropped(store: Store) -> None:
    table = Table(store, until_duel(HEADER))
    table.panel.touch(Role.UNDO)
    table.advance(0.1)
    table.show(seen(pips(6), pips(6, x=200)))
    table.panel.let_go(Role.UNDO)
    table.advance(0.1)
    assert table.last() == "roll"


def test_a_press_right_after_the_dice_landed_is_dropped(store: Store) -> None:
    table = Table(store, until_duel(HEADER))
    table.show(seen(pips(6), pips(6, x=200)))
    table.advance(0.1)
    table.press(Role.UNDO)
    assert table.last() == "roll"
    table.advance(0.5)
    table.press(Role.UNDO)
    assert table.last() == "tackle"


def test_a_press_for_one_question_is_not_taken_for_another(store: Store) -> None:
    table = Table(store, until_duel(HEADER))
    table.show(seen(pips(3), doubtful(4, 2, x=200)))
    table.advance(1.0)
    table.panel.touch(Role.CONFIRM)
    table.advance(0.1)
    table.show(seen(pips(3), doubtful(5, 1, x=300), again=True))
    table.panel.let_go(Role.CONFIRM)
    table.advance(0.1)
    assert table.session.dice.notice is None
    table.advance(0.5)
    table.press(Role.CONFIRM)
    assert table.session.dice.notice is not None
    assert table.session.dice.notice.id == "button.need.answer"
    assert table.last() == "tackle"


def test_a_press_that_waited_for_its_line_is_too_old(store: Store) -> None:
    tray = FakeDevice()
    table = Table(store, POSSESSION, tray)
    then = table.clock.monotonic()
    table.advance(0.5)
    table.press(Role.CONFIRM)
    table.advance(1.0)
    before = table.session.sequence
    tray.coming.append(PanelPress(Role.UNDO, False, PressSource.TRAY, then))
    table.advance(0.2)
    assert table.session.sequence == before


def test_one_finger_that_trembles_plays_once(store: Store) -> None:
    tray = FakeDevice()
    table = Table(store, POSSESSION, tray)
    table.advance(1.0)
    now = table.clock.monotonic()
    tray.coming += [
        PanelPress(Role.UNDO, False, PressSource.TRAY, now),
        PanelPress(Role.UNDO, False, PressSource.TRAY, now + 0.2),
    ]
    table.advance(0.3)
    assert table.last() == "tackle"


def test_without_a_match_a_press_does_nothing(store: Store) -> None:
    table = Table(store, POSSESSION)
    before = table.session.sequence
    table.controls.detach()
    assert table.press(Role.UNDO) == []
    assert table.press(Role.REFEREE) == []
    assert (table.session.sequence, table.controls.is_referee_called) == (before, False)
    assert (table.lit.scene, table.lit.score) == (LightScene.REST, None)


def test_the_referee_is_called_and_settled(store: Store) -> None:
    table = Table(store, POSSESSION)
    before = table.session.sequence
    table.press(Role.REFEREE)
    assert table.controls.is_referee_called
    assert table.lit.lamps.referee is Lamp.BREATHING
    assert table.moments == [Moment.REFEREE]
    table.advance(1.0)
    table.press(Role.REFEREE)
    assert not table.controls.is_referee_called
    assert table.moments == [Moment.REFEREE]
    assert table.session.sequence == before


def goal(table: Table) -> None:
    """Play a shot that scores."""
    before = table.session.scene().board.score
    for defence, attack in ((1, 6), (6, 1), (3, 6)):
        table.session.record({"event": "shot", "defence": defence, "attack": attack})
        if table.session.scene().board.score != before:
            return
        table.session.undo()
    raise AssertionError("no throw scores")


def test_a_goal_shines_once_and_not_again_on_undo_redo_or_resume(store: Store) -> None:
    table = Table(store, until_shot(HEADER))
    goal(table)
    table.advance(0.1)
    scored = [moment for moment in table.moments if moment in (Moment.GOAL_LEFT, Moment.GOAL_RIGHT)]
    assert len(scored) == 1
    assert sum(table.lit.score or ()) == 1
    table.session.undo()
    table.advance(0.1)
    assert sum(table.lit.score or ()) == 0
    table.session.redo()
    table.advance(0.1)
    assert sum(table.lit.score or ()) == 1
    table.session.close()
    table.attend(table.matches.resume(table.session.match_id, table.reader))
    table.advance(0.2)
    assert sum(table.lit.score or ()) == 1
    assert [moment for moment in table.moments if moment in (Moment.GOAL_LEFT, Moment.GOAL_RIGHT)] == scored


def test_lights_follow_the_question_and_the_camera(store: Store) -> None:
    table = Table(store, until_duel(HEADER))
    assert table.lit.reading
    table.show(seen(pips(3), doubtful(4, 2, x=200)))
    assert table.lit.scene is LightScene.QUESTION
    table.session.dice.dismiss(all_dice=True)
    table.advance(0.1)
    table.show(CameraState(False, "camera:0", "gone"))
    assert table.lit.scene is LightScene.LOST
    table.show(CameraState(True, "camera:0"))
    assert table.lit.scene is LightScene.LEFT
    table.show(CameraState(True, "camera:0", trouble=CameraTrouble.BLACK))
    assert table.lit.scene is LightScene.LOST


def test_lights_are_told_only_what_is_new(store: Store) -> None:
    table = Table(store, POSSESSION)
    show_count = len(table.panel.shows)
    table.advance(3.0)
    assert len(table.panel.shows) == show_count


def test_places_that_are_swapped_swap_lights_and_buttons(store: Store) -> None:
    table = Table(store, until_duel(HEADER))
    session = table.session
    before = table.lit
    table.controls.attach(session, lambda: (session.scene().sides[1], session.scene().sides[0]))
    assert table.lit.colours == before.colours[::-1]
    assert {before.scene, table.lit.scene} == {LightScene.LEFT, LightScene.RIGHT}


def test_a_match_let_go_is_no_longer_shown(store: Store) -> None:
    table = Table(store, POSSESSION)
    old = table.session
    table.controls.detach()
    show_count = len(table.panel.shows)
    old.undo()
    table.advance(0.2)
    assert len(table.panel.shows) == show_count


def test_what_the_tray_feels_reaches_the_reader(store: Store) -> None:
    tray = FakeDevice()
    table = Table(store, until_duel(HEADER), tray)
    assert table.reader.felt == []
    tray.coming.append(Moving(True, 0.0))
    table.advance(0.1)
    assert table.lit.scene is LightScene.READING
    tray.coming.append(Moving(False, 0.0))
    table.advance(0.1)
    tray.coming.append(Lid(True, 0.0))
    table.advance(0.1)
    tray.coming.append(Lid(False, 0.0))
    table.advance(0.1)
    assert table.reader.felt == [True, False, True, False]


def test_a_sensor_that_is_stuck_is_not_believed_for_ever(store: Store) -> None:
    tray = FakeDevice()
    table = Table(store, until_duel(HEADER), tray)
    tray.coming.append(Moving(True, 0.0))
    table.advance(12.0)
    assert table.reader.felt == [True, None]
    assert table.lit.scene is not LightScene.READING
    tray.coming.append(Moving(False, 0.0))
    table.advance(0.1)
    assert table.reader.felt == [True, None, False]


def test_a_tray_that_is_lost_feels_nothing_and_is_said(store: Store) -> None:
    tray = FakeDevice()
    table = Table(store, until_duel(HEADER), tray)
    tray.coming.append(Moving(True, 0.0))
    table.advance(0.1)
    tray.be(online=False)
    heard = table.advance(0.1)
    assert [item.message.id for item in heard if isinstance(item, DeviceNotice)] == ["button.tray_gone"]
    assert table.reader.felt == [True, None]
    tray.be(online=True)
    heard = table.advance(0.1)
    assert [item.message.id for item in heard if isinstance(item, DeviceNotice)] == ["button.tray_back"]


def test_a_device_that_never_came_is_not_missed(store: Store) -> None:
    table = Table(store, POSSESSION, tray := FakeDevice(online=False))
    tray.be(online=False)
    assert [item for item in table.advance(0.2) if isinstance(item, DeviceNotice)] == []
    tray.be(online=True)
    assert [item for item in table.advance(0.2) if isinstance(item, DeviceNotice)] == []
    table.panel.unplug()
    assert [
        item for item in table.advance(0.2) if isinstance(item, DeviceNotice)
    ] == []  # no notice for a simulated one


def test_a_broken_device_breaks_itself_only(store: Store, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR):
        table = Table(store, POSSESSION, BrokenDevice())
        table.press(Role.CONFIRM)
        table.controls.close()
    newest = table.session.ledger.newest
    assert newest is not None
    assert newest.fields["by"] == "button"
    assert len([record for record in caplog.records if "device" in record.message]) == 1


def test_a_held_button_is_one_press(store: Store) -> None:
    table = Table(store, [*POSSESSION])
    before = table.session.sequence
    table.press(Role.UNDO, HOLD_SECONDS + 1.0)
    assert table.session.sequence == before + 1


def test_the_ball_die_lands_and_lights_say_whose_turn_it_is(store: Store) -> None:
    table = Table(store, until_duel(HEADER)[:-2])
    assert table.lit.scene is LightScene.BOTH
    table.show(seen(ball("green")))
    table.advance(0.1)
    assert table.lit.scene in (LightScene.LEFT, LightScene.RIGHT, LightScene.BOTH)
    assert table.session.ledger.newest is not None
