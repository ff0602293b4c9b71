"""A match with a tray: the simulated one, and the real class connected to the real firmware."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from companion.clock import ManualClock
from companion.games.registry import GAMES
from companion.journal.store import Store
from companion.table.controls import REACTION_TIME_S, Controls, DeviceNotice, Devices
from companion.table.matches import Matches
from companion.table.panel import ButtonPress
from hardware.ports import LightScene, Moment, Role
from tests.hardware.tray_rigs import Rig, SerialRig, SimulatedRig, until
from tests.table.sample_match import sample_header, until_duel, until_shot
from tests.table.test_controls import MotionReader

HEADER = sample_header()


class MatchWithTray:
    """A match, its controls and a scripted tray."""

    def __init__(self, rig: Rig, store: Store) -> None:
        self.rig = rig
        self.reader = MotionReader()
        self.session = Matches(store, GAMES).start("footclub", HEADER, self.reader)
        self.controls = Controls(Devices((rig.tray,)), time.monotonic)
        self.messages: list[str] = []
        self.controls.start()
        self.controls.attach(self.session, lambda: (self.session.scene().sides[0], self.session.scene().sides[1]))
        assert self.wait(lambda: rig.tray.link.online)

    def poll(self) -> None:
        for heard in self.controls.poll():
            if isinstance(heard, ButtonPress):
                self.session.handle_press(heard)
            elif isinstance(heard, DeviceNotice):
                self.messages.append(heard.message.id)
        self.session.poll()

    def wait(self, done: Callable[[], bool]) -> bool:
        return until(done, step=self.poll)

    def see(self) -> None:
        """Wait as long as a player who looks at the new state before acting."""
        since = time.monotonic()
        assert self.wait(lambda: time.monotonic() - since > 2 * REACTION_TIME_S)

    def press(self, role: Role) -> None:
        """Press a button of the tray for a tenth of a second."""
        self.rig.touch(role)
        since = time.monotonic()
        assert self.wait(lambda: time.monotonic() - since > 0.1)
        self.rig.let_go(role)

    def shows(self, scene: LightScene) -> bool:
        return self.wait(lambda: [show.scene for show in self.rig.shows()[-1:]] == [scene])


@pytest.fixture(params=[SimulatedRig, SerialRig])
def beside(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[MatchWithTray]:
    rig = request.param()
    with Store.open(tmp_path / "matches.sqlite", ManualClock()) as store:
        yield MatchWithTray(rig, store)
    rig.close()


def test_the_trays_button_plays_and_takes_back(beside: MatchWithTray) -> None:
    for fields in [*until_duel(HEADER), {"event": "roll", "dice": [6, 6]}]:
        beside.session.record(fields)
    beside.see()
    before = beside.session.sequence
    beside.press(Role.CONFIRM)
    assert beside.wait(lambda: beside.session.sequence == before + 1)
    assert beside.session.ledger.newest.fields["by"] == "button"
    beside.see()
    beside.press(Role.UNDO)
    assert beside.wait(lambda: beside.session.sequence == before + 2)
    assert beside.session.ledger.all_events[-1].fields["event"] == "undo"


def test_light_score_and_goal_reach_the_tray(beside: MatchWithTray) -> None:
    for fields in until_shot(HEADER):
        beside.session.record(fields)
    assert beside.wait(lambda: [show.reading for show in beside.rig.shows()[-1:]] == [True])
    for defence, attack in ((1, 6), (6, 1), (3, 6)):
        beside.session.record({"event": "shot", "defence": defence, "attack": attack})
        if sum(beside.session.scene().board.score):
            break
        beside.session.undo()
    assert beside.wait(lambda: [sum(show.score or ()) for show in beside.rig.shows()[-1:]] == [1])
    goals = [show.moment for show in beside.rig.shows() if show.moment]
    assert len(goals) == 1
    assert goals[0] in (Moment.GOAL_LEFT, Moment.GOAL_RIGHT)


def test_what_it_feels_reaches_the_reader_and_its_loss_the_players(beside: MatchWithTray) -> None:
    for fields in until_duel(HEADER):
        beside.session.record(fields)
    beside.rig.stir(True)
    assert beside.wait(lambda: beside.reader.felt[-1:] == [True])
    assert beside.shows(LightScene.READING)
    beside.rig.stir(False)
    assert beside.wait(lambda: beside.reader.felt[-1:] == [False])
    beside.rig.unplug()
    assert beside.wait(lambda: beside.reader.felt[-1:] == [None])
    missed = not beside.rig.tray.link.simulated
    assert beside.messages == ["button.tray_gone"] * missed, "nobody misses a simulated tray"
    beside.rig.plug()
    assert beside.wait(lambda: beside.rig.tray.link.online)
    assert beside.wait(lambda: beside.messages == ["button.tray_gone", "button.tray_back"] * missed)
    assert beside.shows(LightScene.LEFT)
