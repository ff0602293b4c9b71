"""The tray contract, tested on the simulated tray and on the real class with the firmware on the other end of a
line."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator

import pytest

from hardware.ports import (
    HOLD_SECONDS,
    DeviceNews,
    Lid,
    LightScene,
    Link,
    Moment,
    Moving,
    PanelPress,
    PressSource,
    Role,
    Show,
    Trouble,
)
from tests.hardware.tray_rigs import Rig, SerialRig, SimulatedRig, until

RIGS: dict[str, type[Rig]] = {"simulated": SimulatedRig, "python": SerialRig}
MICROPYTHON = os.environ.get("TAPIS_VERT_MICROPYTHON")
"""The interpreter for Unix, as set by `./test firmware`."""
SHOW = Show(LightScene.LEFT, False, (2, 1), ((255, 0, 0), (0, 0, 255)))


class Table:
    """Polls the tray and collects all news."""

    def __init__(self, rig: Rig) -> None:
        self.rig = rig
        self.tray = rig.tray
        self.received: list[DeviceNews] = []

    def poll(self) -> None:
        self.received += self.tray.poll()

    def of(self, kind: type) -> list[DeviceNews]:
        return [news for news in self.received if isinstance(news, kind)]

    def expect(self, *news: object, kind: type) -> None:
        """Wait for the expected number of news of a kind, then compare them."""
        until(lambda: len(self.of(kind)) >= len(news), step=self.poll)
        assert self.of(kind) == list(news)

    def expect_shown(self, show: Show) -> None:
        assert until(lambda: self.rig.shows()[-1:] == [show], step=self.poll), self.rig.shows()[-3:]

    def expect_score(self, *score: int) -> None:
        assert until(lambda: [show.score for show in self.rig.shows()[-1:]] == [score]), self.rig.shows()[-3:]

    def expect_link(self, online: bool) -> None:
        assert until(lambda: self.tray.link.online == online, step=self.poll), self.tray.link
        self.poll()


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
    assert table.tray.link.source is PressSource.TRAY
    assert table.tray.link.trouble is None


def test_presses_holds_dice_and_lid_are_told_in_order(table: Table) -> None:
    began = time.monotonic()
    table.rig.touch(Role.CONFIRM)
    assert not until(lambda: bool(table.of(PanelPress)), seconds=0.15, step=table.poll)
    table.rig.let_go(Role.CONFIRM)
    until(lambda: len(table.of(PanelPress)) == 1, step=table.poll)
    table.rig.touch(Role.UNDO)
    until(lambda: len(table.of(PanelPress)) == 2, step=table.poll)
    held_for = time.monotonic() - began
    table.rig.let_go(Role.UNDO)
    table.rig.stir(True)
    until(lambda: len(table.of(Moving)) == 1, step=table.poll)
    table.rig.stir(False)
    until(lambda: len(table.of(Moving)) == 2, step=table.poll)
    table.rig.open_lid(True)
    until(lambda: len(table.of(Lid)) == 1, step=table.poll)
    table.rig.open_lid(False)
    until(lambda: len(table.of(Lid)) == 2, step=table.poll)
    one, two = (news for news in table.of(PanelPress) if isinstance(news, PanelPress))
    assert (one.role, one.is_long, one.source) == (Role.CONFIRM, False, PressSource.TRAY)
    assert (two.role, two.is_long, two.source) == (Role.UNDO, True, PressSource.TRAY)
    assert held_for >= HOLD_SECONDS
    assert [news.on for news in table.of(Moving) if isinstance(news, Moving)] == [True, False]
    assert [news.open for news in table.of(Lid) if isinstance(news, Lid)] == [True, False]
    assert [type(news) for news in table.received[1:]] == [PanelPress, PanelPress, Moving, Moving, Lid, Lid]


def test_a_press_tells_when_the_finger_came_down(table: Table) -> None:
    before = time.monotonic()
    table.rig.touch(Role.CONFIRM)
    until(lambda: False, seconds=0.1)
    after = time.monotonic()
    until(lambda: False, seconds=0.2)
    table.rig.let_go(Role.CONFIRM)
    until(lambda: bool(table.of(PanelPress)), step=table.poll)
    (press,) = table.of(PanelPress)
    assert isinstance(press, PanelPress)
    assert before - 0.05 <= press.at <= after


def test_the_newest_show_wins_and_the_same_twice_changes_nothing(table: Table) -> None:
    for left in range(50):
        table.tray.show(Show(LightScene.LEFT, score=(left, 0)))
    table.tray.show(SHOW)
    table.expect_shown(SHOW)
    so_far = len(table.rig.shows())
    for _ in range(5):
        table.tray.show(SHOW)
    assert not until(lambda: len(table.rig.shows()) > so_far, seconds=0.3)


def test_a_moment_is_played_once_even_if_another_show_comes_at_once(table: Table) -> None:
    goal = Show(LightScene.LEFT, score=(1, 0), moment=Moment.GOAL_LEFT)
    table.expect_shown(Show())
    table.tray.show(Show(LightScene.READING, reading=True))
    table.tray.show(goal)
    table.tray.show(SHOW)
    table.expect_score(2, 1)
    assert [show.moment for show in table.rig.shows() if show.moment] == [Moment.GOAL_LEFT]


def test_a_tray_that_is_taken_away_and_brought_back(table: Table) -> None:
    table.tray.show(Show(LightScene.RIGHT, moment=Moment.FOUL, score=(0, 3)))
    table.expect_score(0, 3)
    table.rig.open_lid(True)
    table.rig.stir(True)
    until(lambda: bool(table.of(Lid)) and bool(table.of(Moving)), step=table.poll)
    table.rig.unplug()
    table.expect_link(online=False)
    assert table.tray.link.trouble is Trouble.GONE
    assert [news.on for news in table.of(Moving) if isinstance(news, Moving)] == [True, False]
    assert [news.open for news in table.of(Lid) if isinstance(news, Lid)] == [True, False]
    table.tray.show(Show(LightScene.RIGHT, moment=Moment.GOAL_RIGHT, score=(0, 4)))
    table.tray.show(Show(LightScene.RIGHT, score=(0, 5)))
    table.rig.open_lid(False)
    table.rig.stir(False)
    table.rig.plug()
    table.expect_link(online=True)
    table.expect_shown(Show(LightScene.RIGHT, score=(0, 5)))
    moments = [show.moment for show in table.rig.shows() if show.moment]
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
