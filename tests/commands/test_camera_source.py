"""Tests of the camera selection, with and without a camera in the settings."""

from __future__ import annotations

from pathlib import Path

from companion.commands.run import SIMULATED, camera_source
from companion.config import CameraConfig, Config
from tests.commands.small_system import program, put, system
from vision.cameras import webcam


def test_the_camera_named_in_the_configuration_wins() -> None:
    assert camera_source(Config(camera=CameraConfig(source="clip.mp4")), webcams=lambda: [0]) == "clip.mp4"


def test_the_first_webcam_else_the_simulated_table() -> None:
    assert camera_source(Config(), webcams=lambda: [2, 3]) == "camera:2"
    assert camera_source(Config(), webcams=list) == SIMULATED


def test_a_webcam_wins_on_a_pi_whose_ribbon_has_no_camera(tmp_path, monkeypatch):
    put(tmp_path, "/packages/picamera2.py")
    monkeypatch.syspath_prepend(str(tmp_path / "packages"))
    small = system(tmp_path)
    assert camera_source(Config(), list, small) == "picamera"
    assert camera_source(Config(), lambda: [1], small) == "picamera", "nobody can tell"
    program(tmp_path, "rpicam-hello", "No cameras available!")
    assert camera_source(Config(), lambda: [1], small) == "camera:1"
    assert camera_source(Config(), list, small) == "picamera"
    program(tmp_path, "rpicam-hello", "0 : imx708 [4608x2592] (/base)")
    assert camera_source(Config(), lambda: [1], small) == "picamera"


def node(root: Path, number: int, device: str, index: int = 0) -> None:
    """Create a video node as the kernel shows it."""
    (root / "dev").mkdir(exist_ok=True)
    (root / "dev" / f"video{number}").touch()
    sysfs_folder, real = root / "sys" / f"video{number}", root / "devices" / device
    real.mkdir(parents=True, exist_ok=True)
    sysfs_folder.mkdir(parents=True)
    (sysfs_folder / "index").write_text(f"{index}\n")
    (sysfs_folder / "device").symlink_to(real)


def test_a_decoder_is_no_webcam_and_a_webcam_counts_once(tmp_path: Path) -> None:
    node(tmp_path, 10, "platform/soc/fe00b840.mailbox/bcm2835-codec")
    node(tmp_path, 2, "platform/scb/pci0000/usb1/1-1/1-1.2")
    node(tmp_path, 3, "platform/scb/pci0000/usb1/1-1/1-1.2", index=1)
    assert webcam.list_webcams(tmp_path / "dev", tmp_path / "sys") == [2]


def test_where_the_kernel_shows_nothing_every_node_counts(tmp_path: Path) -> None:
    (tmp_path / "video1").touch()
    (tmp_path / "videocodec").touch()
    assert webcam.list_webcams(tmp_path, tmp_path / "sys") == [1]
