"""Selection of panel and tray: real if present, simulated otherwise, none if disabled."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.clock import ManualClock
from companion.commands.devices import select_devices, wiring_of
from companion.config import Config, ConfigError, HardwareConfig, pins_file
from companion.language import LANGUAGES, Language
from hardware.panel import Panel
from hardware.ports import Role
from hardware.simulated import SimulatedPanel, SimulatedTrayDevice
from hardware.tray import SerialTray

CLOCK = ManualClock()


def chosen(folder: Path, *, pi: bool = False, port: str | None = None, **hardware: str) -> tuple[list[type], list[str]]:
    """Return the classes of the devices and their descriptions in French."""
    config = Config(hardware=HardwareConfig(**hardware))
    found = select_devices(
        config, folder / "config.toml", CLOCK.monotonic, is_raspberry_pi=lambda: pi, port_of=lambda _: port
    )
    for device in found.devices:
        device.close()
    return [type(device) for device in found.devices], [Language("fr").text(message) for message in found.messages]


def test_where_nothing_is_the_simulated_ones_stand_in(tmp_path: Path) -> None:
    kinds, messages = chosen(tmp_path)
    assert kinds == [SimulatedPanel, SerialTray, SimulatedTrayDevice]
    assert messages == ["pupitre\u00a0: simulé", "piste lumineuse\u00a0: simulé"]


def test_what_is_there_is_used(tmp_path: Path) -> None:
    kinds, messages = chosen(tmp_path, pi=True, port="/dev/ttyACM3")
    assert kinds == [Panel, SerialTray]
    assert "/dev/ttyACM3" in messages[1]


def test_what_is_switched_off_is_not_there(tmp_path: Path) -> None:
    assert chosen(tmp_path, pi=True, port="/dev/ttyACM0", panel="none", tray="none")[0] == []
    assert chosen(tmp_path, pi=True, port="/dev/ttyACM0", panel="simulated", tray="simulated")[0] == [
        SimulatedPanel,
        SimulatedTrayDevice,
    ]


def test_a_panel_that_is_named_is_tried_anywhere(tmp_path: Path) -> None:
    assert chosen(tmp_path, panel="gpio", tray="none")[0] == [Panel]


def test_the_pins_are_named_or_lie_beside_the_settings(tmp_path: Path) -> None:
    settings = tmp_path / "config.toml"
    assert pins_file(Config(), settings) is None
    (tmp_path / "pins.toml").write_text("[buttons]\nundo = 4\n", encoding="utf-8")
    assert pins_file(Config(), settings) == tmp_path / "pins.toml"
    assert wiring_of(Config(), settings).buttons == {Role.UNDO: 4}
    elsewhere = Config(hardware=HardwareConfig(pins="wires/mine.toml"))
    assert pins_file(elsewhere, settings) == tmp_path / "wires" / "mine.toml"
    with pytest.raises(ConfigError) as absent:
        wiring_of(elsewhere, settings)
    assert absent.value.message.id == "button.pins.unreadable"


@pytest.mark.parametrize(
    "text",
    [
        "[button]\n",
        "[tray]\n",
        "[buttons]\nconfrim = 4\n",
        "[lamps]\nblue = 4\n",
        "[buttons]\nundo = 1\n",
        '[buttons]\nto = "5v"\n',
        "[buttons]\nundo = 4\nleft = 4\n",
        "[buttons\n",
    ],
)
def test_a_mistake_in_the_pins_is_one_sentence_in_both_languages(tmp_path: Path, text: str) -> None:
    (tmp_path / "pins.toml").write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError) as wrong:
        select_devices(
            Config(), tmp_path / "config.toml", CLOCK.monotonic, is_raspberry_pi=lambda: True, port_of=lambda _: None
        )
    for code in LANGUAGES:
        sentence = Language(code).text(wrong.value.message)
        assert sentence != wrong.value.message.id
        assert "{" not in sentence
        assert str(tmp_path / "pins.toml") in sentence
