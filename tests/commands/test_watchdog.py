"""Watchdog messages to systemd on a real socket: only after a frame and with a heartbeat on the disk."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from companion.commands.watchdog import HEARTBEAT_BYTES, Heartbeat, Notifier, Watchdog, watchdog

NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)
TIMEOUT_S = 5.0
QUIET_S = 0.05
"""Seconds without a message; a message would arrive at once."""


@pytest.fixture
def systemd(tmp_path):
    """Return systemd's end of the socket."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as heard:
        heard.bind(str(tmp_path / "notify"))
        heard.settimeout(TIMEOUT_S)
        yield heard


def environment(systemd: socket.socket, **more: str) -> dict[str, str]:
    return {"NOTIFY_SOCKET": systemd.getsockname(), **more}


def notifications(systemd: socket.socket, wait: float = TIMEOUT_S) -> list[str]:
    systemd.settimeout(wait)
    try:
        return systemd.recv(4096).decode().split("\n")
    except TimeoutError:
        return []


def test_ready_is_said_with_the_first_frame_and_its_heartbeat(tmp_path, systemd):
    watching = watchdog(tmp_path, lambda: NOON, environment(systemd))
    assert notifications(systemd, QUIET_S) == []
    assert not (tmp_path / "heartbeat").exists()
    watching.on_frame()
    assert notifications(systemd) == ["READY=1", "WATCHDOG=1"]
    assert (tmp_path / "heartbeat").read_text().strip() == "2026-06-01T12:00:00.000+00:00"
    watching.close()
    assert notifications(systemd) == ["STOPPING=1"]


def test_every_further_sign_needs_a_frame_of_its_own(tmp_path, systemd):
    beats = []
    notifier = Notifier(systemd.getsockname())
    watching = Watchdog(notifier, lambda: beats.append(1), QUIET_S / 5).start()
    watching.on_frame()
    assert notifications(systemd) == ["READY=1", "WATCHDOG=1"]
    assert notifications(systemd, QUIET_S) == [], "a screen that stands still says nothing"
    for count in (2, 3):
        watching.on_frame()
        assert notifications(systemd) == ["WATCHDOG=1"]
        assert len(beats) == count
        assert notifications(systemd, QUIET_S) == []
    watching.close()


def test_no_sign_without_a_heartbeat_on_the_disk(tmp_path, systemd, caplog):
    (tmp_path / "heartbeat").mkdir()  # this makes writes fail
    watching = Watchdog(Notifier(systemd.getsockname()), Heartbeat(tmp_path / "heartbeat", lambda: NOON), 0.01).start()
    watching.on_frame()
    assert notifications(systemd, QUIET_S) == []
    assert "no heartbeat" in caplog.text
    (tmp_path / "heartbeat").rmdir()
    watching.on_frame()
    assert notifications(systemd) == ["READY=1", "WATCHDOG=1"], "a disk that works again is heard of"
    watching.close()


def test_the_heartbeat_is_written_in_its_place(tmp_path):
    times = iter((NOON, NOON.replace(year=2027)))
    beat = Heartbeat(tmp_path / "heartbeat", lambda: next(times))
    beat()
    first = (tmp_path / "heartbeat").stat()
    beat()
    second = (tmp_path / "heartbeat").stat()
    assert (second.st_ino, second.st_size) == (first.st_ino, HEARTBEAT_BYTES)
    assert (tmp_path / "heartbeat").read_text().startswith("2027-")


def test_nobody_waits_and_nothing_runs(tmp_path):
    assert watchdog(tmp_path, lambda: NOON, {}) is None
    assert watchdog(tmp_path, lambda: NOON, {"NOTIFY_SOCKET": "vsock:2:1"}) is None
    assert list(tmp_path.iterdir()) == []


def test_a_socket_that_is_gone_disturbs_nothing(tmp_path, systemd):
    notifier = Notifier(str(tmp_path / "gone"))
    assert notifier.send("WATCHDOG=1") is False
    notifier.close()


def test_an_abstract_socket_is_found(tmp_path):
    name = f"tapis-vert-{os.getpid()}"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as heard:
        heard.bind(f"\0{name}")
        notifier = Notifier(f"@{name}")
        assert notifier.send("READY=1", "STATUS=x")
        assert notifications(heard) == ["READY=1", "STATUS=x"]
        notifier.close()


@pytest.mark.parametrize(
    ("set_to", "seconds"),
    [
        ({"WATCHDOG_USEC": "60000000"}, 20.0),
        ({"WATCHDOG_USEC": "60000000", "WATCHDOG_PID": str(os.getpid())}, 20.0),
        ({"WATCHDOG_USEC": "3000000", "WATCHDOG_PID": str(os.getpid() + 1)}, 20.0),
        ({"WATCHDOG_USEC": "3000000"}, 1.0),
        ({"WATCHDOG_USEC": "nonsense"}, 20.0),
        ({}, 20.0),
    ],
)
def test_three_signs_come_in_the_time_that_systemd_gives(tmp_path, systemd, set_to, seconds):
    watching = watchdog(tmp_path, lambda: NOON, environment(systemd, **set_to))
    assert watching._period == pytest.approx(seconds)
    watching.close()


@pytest.mark.slow
def test_the_real_app_says_ready_and_goes_on_while_nothing_moves(tmp_path, systemd):
    config = tmp_path / "config.toml"
    config.write_text(f'[camera]\nsource = "none"\n[data]\nfolder = "{tmp_path}/data"\n')
    environ = {
        **os.environ,
        **environment(systemd, WATCHDOG_USEC="1500000"),
        "SDL_VIDEODRIVER": "offscreen",
        "KIVY_NO_CONSOLELOG": "1",
    }
    app = subprocess.Popen([sys.executable, "-m", "companion", "--config", str(config), "run"], env=environ)
    try:
        assert notifications(systemd, 60.0) == ["READY=1", "WATCHDOG=1"]
        for _ in range(3):
            assert notifications(systemd, 20.0) == ["WATCHDOG=1"]
        assert datetime.fromisoformat((Path(tmp_path) / "data/heartbeat").read_text().strip())
    finally:
        app.terminate()
        app.wait(timeout=20)
