"""The panel contract, tested on the real panel (with gpiozero's simulated pins) and on the simulated one."""

from __future__ import annotations

import pytest

from hardware.ports import HOLD_SECONDS, Lamp, Lamps, LightScene, Link, Moment, PanelPress, PressSource, Role, Show
from tests.hardware.panel_rigs import GpioRig, Rig, SimulatedRig

LIT = Show(LightScene.LEFT, lamps=Lamps(confirm=Lamp.BREATHING, undo=Lamp.ON))


@pytest.fixture(params=[SimulatedRig, GpioRig])
def rig(request: pytest.FixtureRequest) -> Rig:
    made: Rig = request.param()
    made.panel.start()
    made.panel.poll()
    return made


def advance(rig: Rig, seconds: float) -> list[PanelPress]:
    """Run the panel for a while with frequent polling."""
    presses: list[PanelPress] = []
    for _ in range(round(seconds / 0.02)):
        rig.clock.advance(0.02)
        presses += [news for news in rig.panel.poll() if isinstance(news, PanelPress)]
    return presses


def pressed(rig: Rig, role: Role, seconds: float = 0.1) -> list[PanelPress]:
    rig.touch(role)
    during = advance(rig, seconds)
    rig.let_go(role)
    return during + advance(rig, 0.1)


def test_it_says_that_it_is_there(rig: Rig) -> None:
    assert rig.panel.link.online
    assert rig.panel.link.source is PressSource.PANEL
    assert rig.panel.link.trouble is None


def test_it_tells_that_it_is_there_once() -> None:
    for made in (SimulatedRig(), GpioRig()):
        made.panel.start()
        assert [news for news in made.panel.poll() if isinstance(news, Link)] == [made.panel.link]
        assert made.panel.poll() == []


@pytest.mark.parametrize("role", list(Role))
def test_a_press_is_told_when_the_finger_leaves(rig: Rig, role: Role) -> None:
    at = rig.clock.monotonic()
    rig.touch(role)
    assert advance(rig, 0.3) == []
    rig.let_go(role)
    assert advance(rig, 0.1) == [PanelPress(role, False, PressSource.PANEL, at)]


def test_a_hold_is_told_at_once_and_no_press_after_it(rig: Rig) -> None:
    at = rig.clock.monotonic()
    rig.touch(Role.UNDO)
    assert advance(rig, HOLD_SECONDS - 0.04) == []
    assert advance(rig, 0.08) == [PanelPress(Role.UNDO, True, PressSource.PANEL, at)]
    assert advance(rig, 3.0) == []
    rig.let_go(Role.UNDO)
    assert advance(rig, 0.2) == []


def test_chatter_of_contacts_is_one_press(rig: Rig) -> None:
    rig.touch(Role.CONFIRM)
    for _ in range(5):
        rig.clock.advance(0.002)
        rig.let_go(Role.CONFIRM)
        rig.clock.advance(0.001)
        rig.touch(Role.CONFIRM)
    advance(rig, 0.2)
    for _ in range(5):
        rig.let_go(Role.CONFIRM)
        rig.clock.advance(0.002)
        rig.touch(Role.CONFIRM)
        rig.clock.advance(0.001)
    rig.let_go(Role.CONFIRM)
    assert [press.is_long for press in advance(rig, 0.3)] == [False]


def test_a_spark_is_no_press(rig: Rig) -> None:
    rig.touch(Role.LEFT)
    rig.clock.advance(0.004)
    rig.let_go(Role.LEFT)
    assert advance(rig, 1.5) == []


def test_a_panel_that_is_looked_at_late_tells_all_the_same(rig: Rig) -> None:
    first = rig.clock.monotonic()
    rig.touch(Role.CONFIRM)
    rig.clock.advance(0.1)
    rig.let_go(Role.CONFIRM)
    rig.clock.advance(0.3)
    second = rig.clock.monotonic()
    rig.touch(Role.RIGHT)
    rig.clock.advance(HOLD_SECONDS + 0.1)
    rig.let_go(Role.RIGHT)
    rig.clock.advance(2.0)
    presses = [(press.role, press.is_long, press.at) for press in advance(rig, 0.02)]
    assert presses == [(Role.CONFIRM, False, first), (Role.RIGHT, True, second)]


def test_two_buttons_at_once_are_two_presses(rig: Rig) -> None:
    rig.touch(Role.LEFT)
    advance(rig, 0.06)
    rig.touch(Role.RIGHT)
    advance(rig, 0.06)
    rig.let_go(Role.LEFT)
    rig.let_go(Role.RIGHT)
    assert {press.role for press in advance(rig, 0.1)} == {Role.LEFT, Role.RIGHT}


def test_lamps_are_dark_before_anything_is_shown(rig: Rig) -> None:
    advance(rig, 0.1)
    assert [rig.lamp(role) for role in Role] == [0.0] * len(Role)


def test_lamps_do_as_they_are_told(rig: Rig) -> None:
    rig.panel.show(LIT)
    seen = []
    for _ in range(90):
        advance(rig, 0.02)
        seen.append(rig.lamp(Role.CONFIRM))
        assert rig.lamp(Role.UNDO) == pytest.approx(0.6, abs=0.01)
        assert rig.lamp(Role.LEFT) == 0.0
    assert min(seen) == pytest.approx(0.15, abs=0.02)
    assert max(seen) == pytest.approx(1.0, abs=0.02)
    rig.panel.show(Show(LightScene.OFF, lamps=LIT.lamps))
    advance(rig, 0.04)
    assert [rig.lamp(role) for role in Role] == [0.0] * len(Role)


def test_a_goal_is_seen_and_heard_once(rig: Rig) -> None:
    rig.panel.show(Show(LightScene.REST, moment=Moment.GOAL_LEFT))
    heard, lit = set(), set()
    for _ in range(130):
        advance(rig, 0.02)
        heard.add(rig.tone())
        lit.add(rig.lamp(Role.LEFT))
        assert rig.lamp(Role.RIGHT) == 0.0
    assert {round(note) for note in heard if note} == {523, 659, 784, 1046}
    assert lit == {0.0, 1.0}
    for _ in range(50):
        advance(rig, 0.1)
        assert (rig.tone(), rig.lamp(Role.LEFT)) == (None, 0.0)


def test_the_next_scene_does_not_cut_a_moment_short(rig: Rig) -> None:
    rig.panel.show(Show(LightScene.REST, moment=Moment.GOAL_RIGHT))
    advance(rig, 0.1)
    rig.panel.show(LIT)
    advance(rig, 0.1)
    assert rig.tone() is not None
    assert rig.lamp(Role.UNDO) == pytest.approx(0.6, abs=0.01)
    advance(rig, 3.0)
    assert rig.tone() is None
    assert rig.lamp(Role.RIGHT) == 0.0


def test_without_sound_it_only_blinks(rig: Rig) -> None:
    rig.panel.show(Show(LightScene.REST, moment=Moment.FOUL, sound=False))
    lit = set()
    for _ in range(40):
        advance(rig, 0.02)
        assert rig.tone() is None
        lit.add(rig.lamp(Role.REFEREE))
    assert lit == {0.0, 1.0}


def test_lost_it_says_so_and_comes_back_showing_what_it_showed(rig: Rig) -> None:
    rig.panel.show(LIT)
    advance(rig, 0.1)
    rig.touch(Role.UNDO)
    advance(rig, 0.1)
    rig.lose()
    assert not rig.panel.link.online
    assert rig.panel.link.trouble is not None
    assert advance(rig, 2.0) == []
    assert rig.lamp(Role.UNDO) == 0.0
    rig.give_back()
    assert rig.panel.link.online
    advance(rig, 0.1)
    assert rig.lamp(Role.UNDO) == pytest.approx(0.6, abs=0.01)
    assert [press.role for press in pressed(rig, Role.LEFT)] == [Role.LEFT]


def test_no_moment_is_played_anew_when_it_comes_back(rig: Rig) -> None:
    rig.panel.show(Show(LightScene.REST, moment=Moment.WON))
    advance(rig, 0.1)
    rig.lose()
    rig.clock.advance(5)
    rig.give_back()
    for _ in range(20):
        advance(rig, 0.1)
        assert rig.tone() is None


def test_closed_it_is_dark_and_silent_and_may_be_closed_again(rig: Rig) -> None:
    rig.panel.show(Show(LightScene.REST, lamps=LIT.lamps, moment=Moment.WON))
    advance(rig, 0.1)
    assert rig.tone() is not None
    rig.panel.close()
    rig.panel.close()
    assert not rig.panel.link.online
    assert rig.tone() is None
    assert [rig.lamp(role) for role in Role] == [0.0] * len(Role)
    assert pressed(rig, Role.CONFIRM) == []
