"""The real panel only: inverted wiring, unavailable pins, lamps without dimming."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from gpiozero import GPIOZeroError, InputDevice
from gpiozero.pins.local import LocalPiFactory
from gpiozero.pins.mock import MockFactory, MockPin, MockPWMPin

from companion.clock import ManualClock
from hardware.panel import NoPins, Panel, Pins, lgpio_pins
from hardware.ports import Lamp, Lamps, LightScene, Link, Moment, PanelPress, Role, Show, Trouble
from hardware.wiring import Wiring
from tests.hardware.panel_rigs import GpioRig

CONFIRM_LIT = Show(LightScene.REST, lamps=Lamps(confirm=Lamp.ON))


def press_and_poll(rig: GpioRig, role: Role) -> list[object]:
    news: list[object] = []
    for move in (rig.touch, rig.let_go):
        move(role)
        for _ in range(4):
            rig.clock.advance(0.03)
            news += rig.panel.poll()
    return news


def test_buttons_to_three_volts_and_lamps_from_three_volts() -> None:
    wiring = Wiring({Role.CONFIRM: 4}, {Role.CONFIRM: 18}, closed_low=False, lit_high=False)
    rig = GpioRig(wiring)
    rig.panel.start()
    rig.panel.poll()
    assert rig.factory.pin(4).pull == "down"
    assert [press.role for press in press_and_poll(rig, Role.CONFIRM) if isinstance(press, PanelPress)] == [
        Role.CONFIRM
    ]
    rig.panel.show(CONFIRM_LIT)
    rig.panel.poll()
    assert rig.factory.pin(18).state == pytest.approx(0.4)


def test_nothing_wired_is_a_panel_all_the_same() -> None:
    rig = GpioRig(Wiring())
    rig.panel.start()
    assert rig.panel.link.online
    rig.panel.show(CONFIRM_LIT)
    assert [news for news in rig.panel.poll() if isinstance(news, PanelPress)] == []
    rig.panel.close()


def test_only_buttons_and_only_lamps() -> None:
    buttons = GpioRig(Wiring({Role.UNDO: 4}))
    buttons.panel.start()
    assert [press.role for press in press_and_poll(buttons, Role.UNDO) if isinstance(press, PanelPress)] == [Role.UNDO]
    lamps = GpioRig(Wiring(lamps={Role.CONFIRM: 5}))
    lamps.panel.start()
    lamps.panel.show(CONFIRM_LIT)
    lamps.panel.poll()
    assert lamps.lamp(Role.CONFIRM) == pytest.approx(0.6)


def test_a_pin_in_other_hands_costs_only_itself() -> None:
    rig = GpioRig()
    taken = InputDevice(rig.wiring.buttons[Role.LEFT], pin_factory=rig.factory)
    rig.panel.start()
    assert rig.panel.link.online
    assert "GPIO 22" in rig.panel.link.detail
    assert [press.role for press in press_and_poll(rig, Role.RIGHT) if isinstance(press, PanelPress)] == [Role.RIGHT]
    taken.close()


def test_all_pins_in_other_hands_is_no_panel_until_they_are_free() -> None:
    rig = GpioRig(Wiring({Role.LEFT: 22}))
    taken = InputDevice(22, pin_factory=rig.factory)
    rig.panel.start()
    assert (rig.panel.link.online, rig.panel.link.trouble) == (False, Trouble.BUSY)
    rig.clock.advance(10)
    rig.panel.poll()
    assert not rig.panel.link.online
    taken.close()
    rig.clock.advance(10)
    news = rig.panel.poll()
    assert [link.online for link in news if isinstance(link, Link)] == [True]


def test_no_chip_is_said_and_looked_for_again() -> None:
    rig = GpioRig()
    rig.there = False
    rig.panel.start()
    assert rig.panel.link.trouble is Trouble.ABSENT
    rig.there = True
    rig.clock.advance(1)
    rig.panel.poll()
    assert not rig.panel.link.online
    rig.clock.advance(5)
    rig.panel.poll()
    assert rig.panel.link.online


def test_a_button_that_is_down_from_the_start_is_nobodys_press() -> None:
    rig = GpioRig()
    rig.touch(Role.CONFIRM)
    pin = rig.factory.pin(rig.wiring.buttons[Role.CONFIRM])
    pin._set_pull = lambda value: setattr(pin, "_pull", value)  # the finger is stronger than the pull-up
    rig.panel.start()
    for _ in range(100):
        rig.clock.advance(0.05)
        assert not [news for news in rig.panel.poll() if isinstance(news, PanelPress)]
    rig.let_go(Role.CONFIRM)
    rig.clock.advance(0.1)
    rig.panel.poll()
    assert [press.role for press in press_and_poll(rig, Role.CONFIRM) if isinstance(press, PanelPress)] == [
        Role.CONFIRM
    ]


def test_an_edge_that_nobody_told_is_made_good() -> None:
    rig = GpioRig()
    rig.panel.start()
    rig.panel.poll()
    pin = rig.factory.pin(rig.wiring.buttons[Role.CONFIRM])
    pin.when_changed = None
    presses = [news for news in press_and_poll(rig, Role.CONFIRM) if isinstance(news, PanelPress)]
    assert [press.role for press in presses] == [Role.CONFIRM]


def test_lamps_without_dimming_are_on_or_off() -> None:
    clock = ManualClock()
    for dimmed, kind in ((False, MockPWMPin), (True, MockPin)):
        factory = MockFactory(pin_class=kind)
        wiring = Wiring(lamps={Role.CONFIRM: 5}, dimmed=dimmed)
        panel = Panel(wiring, lambda factory=factory: Pins(factory, (GPIOZeroError,), "mock"), clock.monotonic)
        panel.start()
        panel.show(Show(LightScene.REST, lamps=Lamps(confirm=Lamp.BREATHING)))
        seen = set()
        for _ in range(100):
            clock.advance(0.02)
            panel.poll()
            seen.add(float(factory.pin(5).state))
        assert seen == {0.0, 1.0}
        panel.close()


def test_a_buzzer_with_its_own_note() -> None:
    clock = ManualClock()
    factory = MockFactory(pin_class=MockPWMPin)
    panel = Panel(Wiring(buzzer=12, tones=False), lambda: Pins(factory, (GPIOZeroError,), "mock"), clock.monotonic)
    panel.start()
    panel.show(Show(LightScene.REST, moment=Moment.FOUL))
    heard = []
    for _ in range(35):
        clock.advance(0.02)
        panel.poll()
        heard.append(bool(factory.pin(12).state))
    assert heard[0]
    assert not heard[-1]
    assert 0 < sum(heard) < len(heard)
    panel.close()


FAKE = """
import os
class error(Exception): ...
os.chdir(os.environ["LG_WD"])
open(".lgd-nfy0", "w").close()
SET_PULL_NONE = SET_PULL_UP = SET_PULL_DOWN = BOTH_EDGES = RISING_EDGE = FALLING_EDGE = 0
def gpiochip_open(chip):
    raise error("can not open gpiochip")
"""
"""Source of a fake lgpio whose chip may not be opened; it also writes to its working folder."""


def test_a_program_stays_where_it_is_and_needs_no_folder_to_write_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "lgpio.py").write_text(FAKE, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    (empty := tmp_path / "empty").mkdir()
    monkeypatch.chdir(empty)
    for name in ("lgpio", "gpiozero.pins.lgpio"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.setattr(LocalPiFactory, "_get_revision", lambda self: 0xC03111)
    with pytest.raises(NoPins, match="can not open") as none:
        lgpio_pins(empty)
    assert none.value.trouble is Trouble.ABSENT
    (devices := tmp_path / "dev").mkdir()
    (devices / "gpiochip0").touch()
    with pytest.raises(NoPins) as strange:
        lgpio_pins(devices)
    assert strange.value.trouble is Trouble.FOREIGN
    monkeypatch.setattr("os.access", lambda *_: False)
    with pytest.raises(NoPins) as shut:
        lgpio_pins(devices)
    assert shut.value.trouble is Trouble.RIGHTS
    assert Path.cwd() == empty
    assert list(empty.iterdir()) == []
    for name in ("lgpio", "gpiozero.pins.lgpio"):
        monkeypatch.delitem(sys.modules, name, raising=False)


def test_without_lgpio_it_is_said_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "lgpio", None)
    monkeypatch.delitem(sys.modules, "gpiozero.pins.lgpio", raising=False)
    with pytest.raises(NoPins, match="lgpio") as missing:
        lgpio_pins()
    assert missing.value.trouble is Trouble.FOREIGN
