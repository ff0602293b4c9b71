"""What a tray promises: the simulated one, and the real class with the true firmware at the other end of a line."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator

import pytest

from hardware.ports import (
    HOLD_SECONDS,
    DeviceNews,
    Lid,
    Link,
    Moment,
    Moving,
    Press,
    Role,
    Scene,
    Show,
    Source,
    Trouble,
)
from tests.hardware.tray_rigs import Rig, SerialRig, SimulatedRig, until

RIGS: dict[str, type[Rig]] = {"simulated": SimulatedRig, "python": SerialRig}
MICROPYTHON = os.environ.get("TAPIS_VERT_MICROPYTHON")
"""The interpreter for Unix, as `./test firmware` names it."""
SHOW = Show(Scene.LEFT, False, (2, 1), ((255, 0, 0), (0, 0, 255)))


class Table:
    """Whoever polls the tray, with all that was told so far."""

    def __init__(self, rig: Rig) -> None:
        self.rig = rig
        self.tray = rig.tray
        self.told: list[DeviceNews] = []

    def turn(self) -> None:
        self.told += self.tray.poll()

    def of(self, kind: type) -> list[DeviceNews]:
        return [news for news in self.told if isinstance(news, kind)]

    def expect(self, *news: object, kind: type) -> None:
        """All that was told of a kind, once it is as much as is expected."""
        until(lambda: len(self.of(kind)) >= len(news), turn=self.turn)
        assert self.of(kind) == list(news)

    def expect_shown(self, show: Show) -> None:
        assert until(lambda: self.rig.shown()[-1:] == [show], turn=self.turn), self.rig.shown()[-3:]

    def expect_score(self, *score: int) -> None:
        assert until(lambda: [show.score for show in self.rig.shown()[-1:]] == [score]), self.rig.shown()[-3:]

    def expect_link(self, online: bool) -> None:
        assert until(lambda: self.tray.link.online == online, turn=self.turn), self.tray.link
        self.turn()


def rigs() -> list[str]:
    return [*RIGS, *(["micropython"] if MICROPYTHON else [])]


@pytest.fixture(params=rigs())
def table(request: pytest.FixtureRequest) -> Iterator[Table]:
    if request.param == "micropython":
        assert MICROPYTHON is not None
        rig: Rig = SerialRig(MICROPYTHON)
    else:
        rig = RIGS[request.param]()
    try:
        made = Table(rig)
        made.tray.start()
        made.expect_link(online=True)
        yield made
    finally:
        rig.close()


def test_it_tells_once_that_it_is_there(table: Table) -> None:
    assert table.of(Link) == [table.tray.link]
    assert table.tray.link.source is Source.TRAY
    assert table.tray.link.trouble is None


def test_presses_holds_dice_and_lid_are_told_in_order(table: Table) -> None:
    began = time.monotonic()
    table.rig.touch(Role.CONFIRM)
    assert not until(lambda: bool(table.of(Press)), seconds=0.15, turn=table.turn)
    table.rig.let_go(Role.CONFIRM)
    until(lambda: len(table.of(Press)) == 1, turn=table.turn)
    table.rig.touch(Role.UNDO)
    until(lambda: len(table.of(Press)) == 2, turn=table.turn)
    held_for = time.monotonic() - began
    table.rig.let_go(Role.UNDO)
    table.rig.stir(True)
    until(lambda: len(table.of(Moving)) == 1, turn=table.turn)
    table.rig.stir(False)
    until(lambda: len(table.of(Moving)) == 2, turn=table.turn)
    table.rig.open_lid(True)
    until(lambda: len(table.of(Lid)) == 1, turn=table.turn)
    table.rig.open_lid(False)
    until(lambda: len(table.of(Lid)) == 2, turn=table.turn)
    one, two = (news for news in table.of(Press) if isinstance(news, Press))
    assert (one.role, one.held, one.source) == (Role.CONFIRM, False, Source.TRAY)
    assert (two.role, two.held, two.source) == (Role.UNDO, True, Source.TRAY)
    assert held_for >= HOLD_SECONDS
    assert [news.on for news in table.of(Moving) if isinstance(news, Moving)] == [True, False]
    assert [news.open for news in table.of(Lid) if isinstance(news, Lid)] == [True, False]
    assert [type(news) for news in table.told[1:]] == [Press, Press, Moving, Moving, Lid, Lid]


def test_a_press_tells_when_the_finger_came_down(table: Table) -> None:
    before = time.monotonic()
    table.rig.touch(Role.CONFIRM)
    until(lambda: False, seconds=0.1)
    after = time.monotonic()
    until(lambda: False, seconds=0.2)
    table.rig.let_go(Role.CONFIRM)
    until(lambda: bool(table.of(Press)), turn=table.turn)
    (press,) = table.of(Press)
    assert isinstance(press, Press)
    assert before - 0.05 <= press.at <= after


def test_the_newest_show_wins_and_the_same_twice_changes_nothing(table: Table) -> None:
    for left in range(50):
        table.tray.show(Show(Scene.LEFT, score=(left, 0)))
    table.tray.show(SHOW)
    table.expect_shown(SHOW)
    so_far = len(table.rig.shown())
    for _ in range(5):
        table.tray.show(SHOW)
    assert not until(lambda: len(table.rig.shown()) > so_far, seconds=0.3)


def test_a_moment_is_played_once_even_if_another_show_comes_at_once(table: Table) -> None:
    goal = Show(Scene.LEFT, score=(1, 0), moment=Moment.GOAL_LEFT)
    table.expect_shown(Show())
    table.tray.show(Show(Scene.READING, reading=True))
    table.tray.show(goal)
    table.tray.show(SHOW)
    table.expect_score(2, 1)
    assert [show.moment for show in table.rig.shown() if show.moment] == [Moment.GOAL_LEFT]


def test_a_tray_that_is_taken_away_and_brought_back(table: Table) -> None:
    table.tray.show(Show(Scene.RIGHT, moment=Moment.FOUL, score=(0, 3)))
    table.expect_score(0, 3)
    table.rig.open_lid(True)
    table.rig.stir(True)
    until(lambda: bool(table.of(Lid)) and bool(table.of(Moving)), turn=table.turn)
    table.rig.unplug()
    table.expect_link(online=False)
    assert table.tray.link.trouble is Trouble.GONE
    assert [news.on for news in table.of(Moving) if isinstance(news, Moving)] == [True, False]
    assert [news.open for news in table.of(Lid) if isinstance(news, Lid)] == [True, False]
    table.tray.show(Show(Scene.RIGHT, moment=Moment.GOAL_RIGHT, score=(0, 4)))
    table.tray.show(Show(Scene.RIGHT, score=(0, 5)))
    table.rig.open_lid(False)
    table.rig.stir(False)
    table.rig.plug()
    table.expect_link(online=True)
    table.expect_shown(Show(Scene.RIGHT, score=(0, 5)))
    moments = [show.moment for show in table.rig.shown() if show.moment]
    assert moments == [Moment.FOUL], "what was to be seen while nobody could see it is over"
    links = [news.online for news in table.of(Link) if isinstance(news, Link)]
    assert links == [True, False, True]


def test_lights_out_at_the_end_and_no_word_after_it(table: Table) -> None:
    table.tray.show(SHOW)
    table.expect_shown(SHOW)
    table.tray.close()
    table.expect_shown(Show())
    table.tray.close()
    table.rig.touch(Role.CONFIRM)
    until(lambda: False, seconds=0.1)
    assert table.tray.poll() == ()
    assert not table.tray.link.online
