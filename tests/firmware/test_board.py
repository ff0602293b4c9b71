"""The firmware on an emulated RP2040: pins, files, serial port, and a reset in the middle of a frame."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import pytest

from firmware import digits, protocol, settings
from firmware.release import RELEASE
from firmware.scenes import LightRing
from hardware.ports import DeviceNews, Lid, LightScene, Link, Moving, PanelPress, Role, Show
from hardware.tray import SerialTray
from tests.firmware.boards import BOARD, EmulatedBoard, compiled

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not BOARD, reason="no emulated board: ./test firmware builds its system"),
]

BUTTON_PINS = {Role.CONFIRM: 14, Role.UNDO: 15}
LID_PIN = 13
RED, BLUE = (255, 0, 0), (0, 0, 255)
WIRING = settings.read("{}")


class Table:
    """The host's real class at the board's port, with all received news."""

    def __init__(self, board: EmulatedBoard) -> None:
        self.board = board
        self.tray = SerialTray(str(board.port), board.clock)
        self.received: list[DeviceNews] = []
        self.tray.start()

    def of(self, kind: type) -> list[DeviceNews]:
        self.received += self.tray.poll()
        return [news for news in self.received if isinstance(news, kind)]

    def expect(self, kind: type, count: int, seconds: float = 5.0) -> list[Any]:
        """Wait for `count` news of a kind and return all of them."""
        self.board.until(lambda: len(self.of(kind)) >= count, seconds)
        found = self.of(kind)
        assert len(found) == count, (kind, self.received)
        return found

    def expect_online(self) -> None:
        assert self.board.until(lambda: self.tray.link.online, 15.0), self.tray.link


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmulatedBoard]:
    made = EmulatedBoard(tmp_path_factory.mktemp("board"), compiled(tmp_path_factory.mktemp("compiled")))
    try:
        assert made.until(made.port.exists, 10.0), "no USB serial port"
        yield made
    finally:
        made.close()


@pytest.fixture(scope="module")
def table(board: EmulatedBoard) -> Iterator[Table]:
    made = Table(board)
    try:
        made.expect_online()
        yield made
    finally:
        made.tray.close()


def picture(show: Show) -> list[int]:
    ring = WIRING["ring"]
    drawn = LightRing(ring["lights"], ring["edge"], ring["level"])
    drawn.draw(show.scene.value, show.reading, show.colours, 0)
    return list(drawn.rgb)


def test_it_boots_from_its_file_system_and_answers_the_greeting(table: Table) -> None:
    about = table.tray._protocol.peer_about
    assert about["version"] == RELEASE
    assert about["buttons"] == ["confirm", "undo"]
    assert "MicroPython" in str(about["python"])
    assert table.of(Link)[-1] == table.tray.link


@pytest.mark.parametrize(
    "show",
    [
        Show(LightScene.LEFT, False, (103, 98), (RED, BLUE)),
        Show(LightScene.READING, False, (1, 0), (RED, BLUE)),
        Show(LightScene.RIGHT, True, None, (RED, BLUE)),
        Show(LightScene.BOTH, False, (7, 12), ((1, 128, 255), (200, 90, 3))),
    ],
    ids=["left", "reading", "right while reading", "both"],
)
def test_the_pixels_of_the_ring_and_the_digits_are_the_scene(table: Table, show: Show) -> None:
    table.tray.show(show)
    expected_digits = list(digits.score_segments(*show.score) if show.score else digits.DARK)
    assert table.board.until(lambda: table.board.seen("rgb")[-1:] == [picture(show)], 10.0), table.board.seen("rgb")[
        -1:
    ]
    assert table.board.until(lambda: table.board.seen("digits")[-1:] == [expected_digits], 5.0), table.board.seen(
        "digits"
    )[-2:]


def test_presses_dice_and_lid_arrive(table: Table) -> None:
    moved, opened = len(table.of(Moving)), len(table.of(Lid))
    for role, pin in BUTTON_PINS.items():
        before = len(table.of(PanelPress))
        table.board.do(f"down {pin}")
        assert not table.board.until(lambda before=before: len(table.of(PanelPress)) > before, 0.06)
        table.board.do(f"up {pin}")
        press = table.expect(PanelPress, before + 1)[-1]
        assert isinstance(press, PanelPress)
        assert press.role is role
    table.board.do("piezo 900")
    assert table.expect(Moving, moved + 1)[-1].on
    table.board.do("piezo 5")
    assert not table.expect(Moving, moved + 2)[-1].on
    table.board.do(f"up {LID_PIN}")
    assert table.expect(Lid, opened + 1)[-1].open
    table.board.do(f"down {LID_PIN}")
    assert not table.expect(Lid, opened + 2)[-1].open


@pytest.mark.parametrize("cut", [1, 9, 20])
def test_a_reset_in_the_middle_of_a_frame_is_survived(table: Table, cut: int) -> None:
    boot, starts = table.tray._protocol.peer_boot, table.tray._protocol.starts
    show = Show(LightScene.LEFT, False, (cut, cut), (RED, BLUE))
    line = os.open(table.board.port, os.O_WRONLY | os.O_NOCTTY)
    os.write(line, protocol.word("a frame that is cut by the reset")[:cut])
    os.close(line)
    table.board.until(lambda: False, 0.02)
    table.board.do("reset")
    table.tray.show(show)
    assert table.board.until(lambda: table.tray._protocol.starts > starts and table.tray.link.online, 20.0)
    assert table.tray._protocol.peer_boot != boot, "another start has another number"
    assert table.board.until(lambda: table.board.seen("rgb")[-1:] == [picture(show)], 10.0), table.board.seen("rgb")[
        -1:
    ]
    before = len(table.of(PanelPress))
    table.board.do("down 14")
    table.board.until(lambda: False, 0.05)
    table.board.do("up 14")
    table.expect(PanelPress, before + 1)


def test_a_reset_while_it_is_speaking_loses_and_doubles_nothing_of_the_new_start(table: Table) -> None:
    """The host keeps its port open: it sees a truncated frame, then another start of the same tray."""
    show = Show(LightScene.RIGHT, False, (3, 3), (RED, BLUE))
    table.tray.show(show)
    assert table.board.until(lambda: table.board.seen("rgb")[-1:] == [picture(show)], 10.0)
    pressed = len(table.of(PanelPress))
    table.board.do("down 15")
    table.board.until(lambda: False, 0.05)
    table.board.do("up 15")
    table.board.until(lambda: False, 0.025)  # the press is debounced and being sent
    table.board.do("reset")
    starts = table.tray._protocol.starts
    assert table.board.until(lambda: table.tray._protocol.starts > starts and table.tray.link.online, 20.0)
    assert table.board.until(lambda: table.board.seen("rgb")[-1:] == [picture(show)], 10.0)
    before = len(table.of(PanelPress))
    assert pressed <= before <= pressed + 1
    for _ in range(3):
        table.board.do("down 14")
        table.board.until(lambda: False, 0.06)
        table.board.do("up 14")
        table.board.until(lambda: False, 0.06)
    presses = [news.role for news in table.expect(PanelPress, before + 3) if isinstance(news, PanelPress)]
    assert presses[before:] == [Role.CONFIRM] * 3
