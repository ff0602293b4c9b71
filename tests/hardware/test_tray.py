"""The tray's port: the reason why a tray cannot be used is reported, and the tray reconnects automatically."""

from __future__ import annotations

import contextlib
import os
import tty
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from firmware import protocol
from firmware.framing import frame
from hardware import tray
from hardware.ports import LightScene, PanelPress, Role, Show, Trouble
from hardware.tray import (
    SerialPort,
    SerialPortError,
    SerialTray,
    find_port,
    from_tray,
    roles_of,
    version_of,
    waits_for_uf2,
)
from tests.firmware.lines import Noise
from tests.hardware.tray_rigs import SerialRig, until


class FakeTrayPort:
    """A pseudo terminal as a port; the test plays the tray."""

    def __init__(self, folder: Path) -> None:
        self.port = folder / "port"
        self.board, self._end = os.openpty()
        tty.setraw(self._end)
        os.set_blocking(self.board, False)
        self.port.symlink_to(os.ttyname(self._end))

    def write(self, data: bytes) -> None:
        with contextlib.suppress(BlockingIOError):  # no reader yet
            os.write(self.board, data)

    def close(self) -> None:
        os.close(self.board)
        os.close(self._end)


@pytest.fixture
def bare(tmp_path: Path) -> Iterator[FakeTrayPort]:
    made = FakeTrayPort(tmp_path)
    yield made
    made.close()


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shorten waits that take seconds at a real table."""
    monkeypatch.setattr(tray, "GREETING_SECONDS", 0.4)
    monkeypatch.setattr(tray, "SETTLING_SECONDS", 0.05)
    monkeypatch.setattr(tray, "FIRST_PAUSE", 0.05)


def expect_trouble(port: str, trouble: Trouble, step: Callable[[], object] = lambda: None, detail: str = "") -> None:
    made = SerialTray(port)
    try:
        made.start()
        assert until(lambda: made.link.trouble is trouble, 10.0, step), made.link
        assert not made.link.online
        assert detail in made.link.detail
    finally:
        made.close()


def test_a_tray_that_is_not_there_is_absent(tmp_path: Path) -> None:
    expect_trouble(str(tmp_path / "nothing"), Trouble.ABSENT)


def test_a_port_that_another_program_has_is_busy(bare: FakeTrayPort) -> None:
    line = SerialPort(str(bare.port))
    expect_trouble(str(bare.port), Trouble.BUSY)
    line.close()


def test_what_is_no_port_is_foreign() -> None:
    expect_trouble(os.devnull, Trouble.FOREIGN)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may open everything")
def test_a_port_without_the_right_to_it_says_so(bare: FakeTrayPort) -> None:
    os.chmod(os.path.realpath(bare.port), 0)
    expect_trouble(str(bare.port), Trouble.RIGHTS)


@pytest.mark.usefixtures("impatient")
def test_a_board_that_says_nothing_is_silent(bare: FakeTrayPort) -> None:
    expect_trouble(str(bare.port), Trouble.SILENT)


@pytest.mark.usefixtures("impatient")
def test_a_board_that_says_something_else_is_foreign(bare: FakeTrayPort) -> None:
    expect_trouble(str(bare.port), Trouble.FOREIGN, lambda: bare.write(b">>> "))


def test_a_tray_of_another_version_is_told_apart(bare: FakeTrayPort) -> None:
    greeting = frame(protocol.encode([protocol.HELLO, protocol.VERSION + 1, "of", "tomorrow"]))
    versions = f"protocol {protocol.VERSION + 1}, here {protocol.VERSION}"
    expect_trouble(str(bare.port), Trouble.VERSION, lambda: bare.write(greeting), versions)


def test_an_empty_port_is_refused() -> None:
    with pytest.raises(ValueError):
        SerialTray("").start()


def test_closing_what_was_never_started_is_nothing() -> None:
    made = SerialTray("auto")
    made.close()
    made.close()
    assert made.poll() == ()


def test_a_tray_that_falls_silent_is_lost_and_comes_back_with_what_was_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protocol, "SILENCE", 400)
    monkeypatch.setattr(protocol, "HEARTBEAT", 100)
    rig = SerialRig()
    try:
        rig.tray.start()
        assert until(lambda: rig.tray.link.online)
        rig.tray.show(Show(LightScene.LEFT, score=(1, 2)))
        assert until(lambda: [show.score for show in rig.shows()[-1:]] == [(1, 2)])
        rig.relay.mute = True
        assert until(lambda: rig.tray.link.trouble is Trouble.SILENT)
        rig.tray.show(Show(LightScene.RIGHT, score=(1, 3)))
        rig.touch(Role.UNDO)
        until(lambda: False, 0.1)
        rig.let_go(Role.UNDO)
        until(lambda: False, 0.1)
        assert rig.tray.poll()[-1:] == (rig.tray.link,)
        rig.relay.mute = False
        assert until(lambda: rig.tray.link.online)
        assert until(lambda: [show.score for show in rig.shows()[-1:]] == [(1, 3)])
        received: list[object] = []
        assert until(
            lambda: any(isinstance(news, PanelPress) for news in received),
            step=lambda: received.extend(rig.tray.poll()),
        )
        assert [news.role for news in received if isinstance(news, PanelPress)] == [Role.UNDO], (
            "kept while nobody heard it"
        )
    finally:
        rig.close()


def test_a_bad_line_loses_no_press_and_doubles_none() -> None:
    rig = SerialRig(noise=Noise(4, rate=4.0))
    received: list[object] = []
    try:
        rig.tray.start()
        assert until(lambda: rig.tray.link.online)
        for number in range(12):
            rig.touch(Role.CONFIRM)
            until(lambda: False, 0.06, step=lambda: received.extend(rig.tray.poll()))
            rig.let_go(Role.CONFIRM)
            rig.tray.show(Show(LightScene.BOTH, score=(number, 0)))
            until(lambda: False, 0.06, step=lambda: received.extend(rig.tray.poll()))
        count = lambda: len([news for news in received if isinstance(news, PanelPress)])  # noqa: E731
        assert until(lambda: count() >= 12, step=lambda: received.extend(rig.tray.poll()))
        until(lambda: False, 0.5, step=lambda: received.extend(rig.tray.poll()))
        assert count() == 12
        assert until(lambda: [show.score for show in rig.shows()[-1:]] == [(11, 0)])
    finally:
        rig.close()


def test_the_tools_can_ask_who_the_tray_is_and_send_it_to_the_prompt() -> None:
    from hardware.tray_flash import enter_repl, tray_info

    rig = SerialRig()
    try:
        where = str(rig.folder / "port")
        found = tray_info(where)
        assert found is not None
        assert (found["name"], found["protocol"]) == ("tapis-vert tray", protocol.VERSION)
        enter_repl(where)
        assert until(lambda: rig.bench.seen("ended") == ["prompt"])
    finally:
        rig.close()


def test_boards_are_known_by_their_usb_ids(monkeypatch: pytest.MonkeyPatch) -> None:
    class Port:
        def __init__(self, device: str, vid: int | None, pid: int | None) -> None:
            self.device, self.vid, self.pid = device, vid, pid

    ports = [Port("/dev/ttyACM3", 0x2E8A, 5), Port("/dev/ttyACM1", 0x2341, 5), Port("/dev/ttyACM2", 0x2E8A, 5)]
    monkeypatch.setattr(tray.list_ports, "comports", lambda: [*ports, Port("/dev/ttyS0", None, None)])
    assert find_port("auto") == "/dev/ttyACM2"
    del ports[:]
    assert find_port("auto") is None


def test_a_board_in_its_boot_mode_is_seen(tmp_path: Path) -> None:
    for name, vendor, product in (("1-1", "1d6b", "0002"), ("1-2", "2e8a", "0005"), ("1-3", "2e8a", "nonsense")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "idVendor").write_text(f"{vendor}\n")
        (tmp_path / name / "idProduct").write_text(f"{product}\n")
    assert not waits_for_uf2(tmp_path)
    (tmp_path / "1-2" / "idProduct").write_text("0003\n")
    assert waits_for_uf2(tmp_path)


def test_a_port_that_vanishes_is_a_fault_of_the_line(bare: FakeTrayPort) -> None:
    line = SerialPort(str(bare.port))
    assert line.exchange(b"x", 0.0) == (b"", b"")
    os.close(bare.board)
    with pytest.raises(SerialPortError) as error:
        line.exchange(b"x", 0.1)
    assert error.value.trouble is Trouble.GONE
    line.close()
    bare.board = os.open(os.devnull, os.O_RDONLY)


def test_words_of_another_release_say_nothing() -> None:
    assert roles_of({"buttons": ["undo", "dance", 7, ["x"]]}) == (Role.UNDO, None, None, None)
    assert roles_of({}) == roles_of({"buttons": "undo"}) == ()
    assert version_of({"version": 3}) == ""
    for message in (["press", 1, False], ["press", -1, True], ["press", 0, 1], ["lid"], ["moving", "yes"], [], None, 5):
        assert from_tray(message, 0.0, (None,)) is None
