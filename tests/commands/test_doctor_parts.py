"""The doctor's checks of parts that are present, missing, not permitted or disabled: real files and programs."""

from __future__ import annotations

import os
import sqlite3
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.clock import SystemClock
from companion.commands import checks
from companion.commands.checks import System
from companion.journal.store import Store
from companion.journal.store_files import STORE_FILE
from companion.table.health import Check, Health
from hardware.ports import Link, PressSource, Trouble
from tests.commands.small_system import program, put, system
from vision.calibration import record
from vision.calibration_messages import Aspect, Finding

NOBODY = 65534


@pytest.fixture
def plain() -> Iterator[Path]:
    """Yield a folder in which this process has no root privileges, even if root runs the tests."""
    with tempfile.TemporaryDirectory() as name:
        root = os.geteuid() == 0
        if root:
            os.chown(name, NOBODY, NOBODY)
            os.seteuid(NOBODY)
        try:
            yield Path(name)
        finally:
            if root:
                os.seteuid(0)


def step(check: Check) -> str:
    """Return the id of the next step without its area."""
    return check.remedy.id.removeprefix("doctor.next.") if check.remedy else ""


def facts(check: Check) -> list[str]:
    """Return the findings: words unchanged, sentences by the last part of their ids."""
    return [fact if isinstance(fact, str) else fact.id.removeprefix("doctor.found.") for fact in check.details]


# The camera

LISTED = """Available cameras
-----------------
0 : imx708_wide [4608x2592 10-bit RGGB] (/base/soc/i2c0mux/i2c@1/imx708@1a)
    Modes: 'SRGGB10_CSI2P' : 1536x864 [120.13 fps]
"""


def picamera(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Install a package of that name."""
    put(folder, "/packages/picamera2.py")
    monkeypatch.syspath_prepend(str(folder / "packages"))


def seen_by(small: System, source: str) -> Check:
    """Check the camera of a well calibrated table."""
    calibrated(small.root, Finding(Aspect.SHARP, 0.9))
    return checks.camera(small, source, small.root / record.FILE_NAME)


def calibrated(folder: Path, *findings: Finding) -> None:
    corners = ((0.0, 0.0), (9.0, 0.0), (9.0, 9.0), (0.0, 9.0))
    day = "2026-11-20T19:00:00+00:00"
    kept = record.Calibration("webcam", (640, 480), day, corners, findings=record.written_findings(findings))
    record.save(folder / record.FILE_NAME, kept)


def test_without_any_camera(tmp_path):
    check = seen_by(system(tmp_path), "auto")
    assert (check.health, step(check)) == (Health.MISSING, "no_camera")


def test_a_webcam_by_its_name(tmp_path):
    put(tmp_path, "/dev/video0")
    put(tmp_path, "/sys/class/video4linux/video0/name", "HD Pro Webcam\n")
    assert facts(seen_by(system(tmp_path), "auto")) == ["HD Pro Webcam", "/dev/video0", "calibrated"]
    assert seen_by(system(tmp_path), "camera:0").health is Health.OK


def test_a_named_webcam_that_is_not_plugged_in(tmp_path):
    check = seen_by(system(tmp_path), "camera:3")
    assert (check.health, step(check)) == (Health.MISSING, "camera_named")


def test_a_webcam_that_this_user_may_not_open(plain):
    put(plain, "/dev/video0").chmod(0)
    check = seen_by(system(plain), "camera:0")
    assert (check.health, step(check)) == (Health.ATTENTION, "group")


def test_a_camera_on_the_ribbon(tmp_path, monkeypatch):
    picamera(tmp_path, monkeypatch)
    program(tmp_path, "rpicam-hello", LISTED)
    check = seen_by(system(tmp_path), "auto")
    assert (check.health, facts(check)) == (Health.OK, ["Camera Module 3", "4608x2592", "calibrated"])


@pytest.mark.parametrize(
    ("lister", "health", "next_step"),
    [("No cameras available!", Health.MISSING, "ribbon"), (None, Health.ATTENTION, "install")],
)
def test_a_ribbon_without_camera_and_a_system_that_cannot_tell(tmp_path, monkeypatch, lister, health, next_step):
    picamera(tmp_path, monkeypatch)
    if lister is not None:
        program(tmp_path, "libcamera-hello", lister)
    check = seen_by(system(tmp_path), "auto")
    assert (check.health, step(check)) == (health, next_step)


def test_a_camera_that_hangs_is_not_waited_for(tmp_path, monkeypatch):
    picamera(tmp_path, monkeypatch)
    program(tmp_path, "rpicam-hello", "", before="exec /bin/sleep 60")
    assert seen_by(system(tmp_path, patience=0.2), "picamera").health is Health.ATTENTION


def test_picamera_asked_for_and_not_installed(tmp_path):
    assert step(seen_by(system(tmp_path), "picamera")) == "install"


@pytest.mark.parametrize("source", ["simulated", "drawn:7"])
def test_no_camera_by_choice_and_a_simulated_one(tmp_path, source):
    assert seen_by(system(tmp_path), "none").health is Health.OFF
    assert seen_by(system(tmp_path), source).health is Health.OK


def clip(path: Path) -> Path:
    """Write a short video as a camera would."""
    path.parent.mkdir(parents=True, exist_ok=True)
    made = cv2.VideoWriter(str(path), cv2.VideoWriter_fourcc(*"MJPG"), 10.0, (64, 48))
    made.write(np.zeros((48, 64, 3), np.uint8))
    made.release()
    return path


def test_a_recording_that_can_be_opened(tmp_path, monkeypatch):
    clip(tmp_path / "clips" / "a.avi")
    cv2.imwrite(str(tmp_path / "clips" / "a.png"), np.zeros((48, 64, 3), np.uint8))
    for source in ("/clips/a.avi", "/clips/a.png", "/clips"):
        check = seen_by(system(tmp_path), source)
        assert (check.health, facts(check)) == (Health.OK, [source])
    monkeypatch.chdir(tmp_path)
    assert seen_by(system(tmp_path / "root"), "clips/a.avi").health is Health.OK


@pytest.mark.parametrize(
    ("source", "fact"),
    [("/nope/clip.mp4", "not_there"), ("/notes.txt", "no_recording"), ("/empty", "no_recording")],
)
def test_a_recording_that_is_not_there_or_is_none(tmp_path, source, fact):
    put(tmp_path, "/notes.txt", "no clip")
    (tmp_path / "empty").mkdir()
    check = seen_by(system(tmp_path), source)
    assert (check.health, step(check), facts(check)) == (Health.ATTENTION, "camera_path", [fact])
    assert check.details[0].args == {"place": source}


def test_a_recording_that_this_user_may_not_read(plain):
    clip(plain / "a.avi").chmod(0)
    assert step(checks.camera(system(plain), "/a.avi", plain / "none")) == "camera_rights"


def test_a_camera_tells_when_it_was_calibrated_how_well_and_what_to_mend(tmp_path):
    put(tmp_path, "/dev/video0")
    small, file = system(tmp_path), tmp_path / record.FILE_NAME
    assert step(checks.camera(small, "camera:0", file)) == "calibrate"
    calibrated(tmp_path, Finding(Aspect.SHARP, 1.0), Finding(Aspect.EVEN, 0.9))
    check = checks.camera(small, "camera:0", file)
    assert check.health is Health.OK
    assert check.details[-1].args == {"day": "2026-11-20", "n": 92}
    calibrated(tmp_path, Finding(Aspect.SHARP, 0.2), Finding(Aspect.EVEN, 0.9))
    check = checks.camera(small, "camera:0", file)
    assert (check.health, check.remedy.id) == (Health.ATTENTION, "calibration.mend.sharp")
    file.write_text("{}")
    assert step(checks.camera(small, "camera:0", file)) == "calibrate"
    assert checks.camera(small, "simulated", file).health is Health.OK


def test_the_shipped_nets_are_those_of_their_card():
    assert checks.reader().health is Health.OK


def test_a_net_that_was_cut_is_named(tmp_path):
    put(tmp_path, "faces.onnx", "cut")
    put(tmp_path, "CARD.md", f"| `faces.onnx` | a net | `{'0' * 64}` |")
    check = checks.reader(tmp_path)
    assert (check.health, step(check)) == (Health.ATTENTION, "models")
    assert check.details[0].args == {"names": "faces.onnx"}
    assert step(checks.reader(tmp_path / "none")) == "models"


# Panel and tray

MODEL = "/proc/device-tree/model"


def test_a_panel_switched_off_simulated_or_without_pins(tmp_path):
    small = system(tmp_path)
    assert checks.panel(small, "none", None).health is Health.OFF
    assert checks.panel(small, "simulated", None).health is Health.OK
    assert checks.panel(small, "auto", None).health is Health.MISSING


def test_pins_of_another_computer_are_no_panel_unless_it_is_asked_for(tmp_path):
    put(tmp_path, "/dev/gpiochip0")
    assert step(checks.panel(system(tmp_path), "auto", None)) == "no_panel"
    assert step(checks.panel(system(tmp_path), "gpio", None)) == "install"


def test_pins_without_their_driver(tmp_path):
    put(tmp_path, MODEL, "Raspberry Pi 4 Model B")
    put(tmp_path, "/dev/gpiochip0")
    check = checks.panel(system(tmp_path), "auto", None)
    assert (check.health, step(check)) == (Health.ATTENTION, "install")


def test_pins_with_their_driver_tell_what_is_wired(tmp_path, monkeypatch):
    put(tmp_path, MODEL, "Raspberry Pi 5 Model B")
    put(tmp_path, "/dev/gpiochip0")
    put(tmp_path, "/packages/lgpio.py")
    monkeypatch.syspath_prepend(str(tmp_path / "packages"))
    pins = put(tmp_path, "/etc/pins.toml", "[buttons]\nconfirm = 17\n[lamps]\nconfirm = 5\n")
    check = checks.panel(system(tmp_path), "auto", pins)
    assert (check.health, facts(check)) == (Health.OK, ["/dev/gpiochip0", "buttons", "lamps"])
    assert check.details[1].args == {"n": 1}


def test_a_wrong_file_of_pins_is_told_with_its_place(tmp_path):
    pins = put(tmp_path, "/etc/pins.toml", "[buttons]\nconfirm = 99\n")
    check = checks.panel(system(tmp_path), "auto", pins)
    assert (check.health, step(check), check.remedy.args) == (Health.ATTENTION, "pins", {"file": str(pins)})
    assert (check.details[0].id, check.details[0].args["key"]) == ("button.pins.pin", "confirm")
    check = checks.panel(system(tmp_path), "auto", tmp_path / "nope.toml")
    assert (check.details[0].id, step(check)) == ("button.pins.unreadable", "pins_missing")


def test_what_the_open_app_knows_of_its_panel_counts(tmp_path):
    online = Link(PressSource.PANEL, True, "gpiochip0")
    assert facts(checks.panel(system(tmp_path), "auto", None, [online]))[0] == "gpiochip0"


def test_a_tray_by_its_port_and_by_what_it_answers(tmp_path):
    put(tmp_path, "/dev/ttyACM0")
    small = system(tmp_path)
    assert facts(checks.tray(small, "auto")) == ["/dev/ttyACM0"]
    asked: list[str] = []

    def answer(port: str) -> Link:
        asked.append(port)
        return Link(PressSource.TRAY, True, port, detail="tray 1.0")

    assert facts(checks.tray(small, "auto", answer)) == ["/dev/ttyACM0", "tray 1.0"]
    assert asked == [str(tmp_path / "dev/ttyACM0")]


@pytest.mark.parametrize("trouble", [Trouble.SILENT, Trouble.VERSION, Trouble.BUSY])
def test_a_tray_in_trouble_says_what_to_do(tmp_path, trouble):
    put(tmp_path, "/dev/ttyACM0")
    check = checks.tray(system(tmp_path), "auto", lambda port: Link(PressSource.TRAY, False, port, trouble, "why"))
    assert (check.health, check.remedy.id) == (Health.ATTENTION, f"button.trouble.{trouble}")


def test_no_tray_one_without_its_program_and_one_switched_off(tmp_path):
    small = system(tmp_path)
    assert checks.tray(small, "auto").health is Health.MISSING
    named = checks.tray(small, "/dev/ttyUSB7")
    assert (named.health, step(named)) == (Health.MISSING, "tray_named")
    assert (named.details[0].args, named.remedy.args) == ({"place": "/dev/ttyUSB7"}, {"place": "/dev/ttyUSB7"})
    assert checks.tray(small, "none").health is Health.OFF
    put(tmp_path, "/sys/bus/usb/devices/1-1/idVendor", "2e8a\n")
    put(tmp_path, "/sys/bus/usb/devices/1-1/idProduct", "0003\n")
    assert step(checks.tray(small, "auto")) == "tray_flash"


def test_a_tray_that_this_user_may_not_open(plain):
    put(plain, "/dev/ttyACM0").chmod(0)
    assert step(checks.tray(system(plain), "auto")) == "group"


# The screen

TOUCH = """I: Bus=0018 Vendor=0000 Product=0000 Version=0000
N: Name="generic ft5x06 (79)"
H: Handlers=mouse0 event4
B: PROP=2
B: EV=b
B: KEY=400 0 0 0 0 0
B: ABS=260800000000003

"""
PAD = TOUCH.replace("ft5x06 (79)", "touchpad").replace("PROP=2", "PROP=5")
MOUSE = """N: Name="USB Mouse"
H: Handlers=mouse1 event1
B: PROP=0
B: EV=17
B: REL=903

"""


def output(root: Path, name: str, status: str) -> None:
    put(root, f"/sys/class/drm/{name}/status", f"{status}\n")


def test_a_connected_output_is_a_display_with_its_size(tmp_path):
    output(tmp_path, "card1-HDMI-A-1", "disconnected")
    assert step(checks.display(system(tmp_path))) == "no_display"
    output(tmp_path, "card1-DSI-1", "connected")
    put(tmp_path, "/sys/class/drm/card1-DSI-1/modes", "800x480\n")
    edid = bytearray(128)
    edid[21:23] = (15, 9)
    put(tmp_path, "/sys/class/drm/card1-DSI-1/edid", bytes(edid))
    check = checks.display(system(tmp_path), 154.0)
    assert facts(check) == ["KMSDRM", "DSI-1 800x480", "centimetres", "width"]
    assert check.details[2].args == {"wide": 15, "high": 9}


def test_a_desktop_is_a_display(tmp_path):
    assert facts(checks.display(system(tmp_path, WAYLAND_DISPLAY="wayland-0"))) == ["WAYLAND_DISPLAY wayland-0"]


def test_a_card_that_this_user_may_not_draw_on(plain):
    output(plain, "card1-DSI-1", "connected")
    put(plain, "/dev/dri/card1").chmod(0)
    assert step(checks.display(system(plain))) == "group"


def test_a_touch_screen_is_told_from_a_pad_and_a_mouse(tmp_path):
    put(tmp_path, "/proc/bus/input/devices", MOUSE + PAD)
    assert checks.touch(system(tmp_path)).health is Health.MISSING
    put(tmp_path, "/proc/bus/input/devices", MOUSE + PAD + TOUCH)
    put(tmp_path, "/dev/input/event4")
    assert facts(checks.touch(system(tmp_path))) == ["generic ft5x06 (79)"]


def test_a_32_bit_program_sees_the_same_touch_screen(tmp_path):
    put(tmp_path, "/proc/bus/input/devices", TOUCH.replace("260800000000003", "2608000 3"))
    put(tmp_path, "/dev/input/event4")
    assert checks.touch(system(tmp_path)).health is Health.OK


def test_a_touch_screen_that_cannot_be_read(tmp_path):
    put(tmp_path, "/proc/bus/input/devices", TOUCH)
    assert step(checks.touch(system(tmp_path))) == "group"


# Sound

VOICES = "Pty Language Age/Gender VoiceName File Other\n 5  {0}  --/M  Voice  x/{0}"


def test_a_voice_with_both_languages(tmp_path):
    program(tmp_path, "espeak-ng", VOICES.format("fr") + "\n" + VOICES.format("en"))
    assert checks.sound(system(tmp_path), "results").health is Health.OK


def test_a_voice_without_french_without_program_or_switched_off(tmp_path):
    assert checks.sound(system(tmp_path), "all").health is Health.MISSING
    assert checks.sound(system(tmp_path), "off").health is Health.OFF
    program(tmp_path, "espeak-ng", VOICES.format("en"))
    check = checks.sound(system(tmp_path), "all")
    assert (check.health, step(check)) == (Health.ATTENTION, "install")


def test_sounds_need_a_player_and_a_card(tmp_path):
    small = system(tmp_path)
    assert step(checks.tones(small, True)) == "install"
    program(tmp_path, "aplay", "")
    put(tmp_path, "/proc/asound/cards", "--- no soundcards ---\n")
    assert step(checks.tones(small, True)) == "no_sound_card"
    put(tmp_path, "/proc/asound/cards", " 0 [Headphones]: bcm2835 - bcm2835 Headphones\n          bcm2835 Headphones\n")
    assert facts(checks.tones(small, True)) == ["aplay", "bcm2835 Headphones"]
    assert checks.tones(small, False).health is Health.OFF


# Stored data


def test_a_full_disk_wants_a_look(tmp_path):
    data = tmp_path / "not" / "there" / "yet"
    assert step(checks.disk(system(tmp_path), data, lambda path: 1_000_000)) == "disk_room"
    assert checks.disk(system(tmp_path), data, lambda path: 10**9).health is Health.OK


@pytest.mark.parametrize(("flags", "next_step"), [("ro,relatime", "disk_read_only"), ("rw,relatime", "")])
def test_a_disk_that_is_mounted_read_only(tmp_path, flags, next_step):
    mounts = f"/dev/root / ext4 rw 0 0\n/dev/mmcblk0p3 {tmp_path} ext4 {flags} 0 0\n"
    put(tmp_path, "/proc/mounts", mounts)
    assert step(checks.disk(system(tmp_path), tmp_path / "data")) == next_step


def test_a_card_tells_its_name_its_age_and_its_errors(tmp_path):
    card = "/sys/block/mmcblk0/device"
    for name, text in (("type", "SD"), ("name", "SC32G"), ("date", "03/2021")):
        put(tmp_path, f"{card}/{name}", text)
    check = checks.disk(system(tmp_path), tmp_path)
    assert facts(check)[-1] == "SD SC32G 03/2021"
    put(tmp_path, f"{card}/life_time", "0x01 0x0a\n")
    assert step(checks.disk(system(tmp_path), tmp_path)) == "disk_worn"
    put(tmp_path, "/sys/fs/ext4/mmcblk0p2/errors_count", "3\n")
    assert step(checks.disk(system(tmp_path), tmp_path)) == "disk_errors"


def test_a_folder_that_this_user_may_not_write(plain):
    (plain / "data").mkdir(mode=0o500)
    assert step(checks.disk(system(plain), plain / "data")) == "disk_rights"


def test_a_folder_that_cannot_be_made(tmp_path):
    file = put(tmp_path, "file")
    for folder in (Path("/proc/nope"), file, file / "below"):
        assert step(checks.disk(system(tmp_path), folder)) == "disk_folder"
    assert checks.disk(system(tmp_path), tmp_path / "data").health is Health.OK
    assert os.listdir(tmp_path) == ["file"], "nothing of the trial stays"


def test_a_journal_that_is_whole_while_the_app_has_it_open(tmp_path):
    assert facts(checks.journal(tmp_path, 5)) == ["no_matches"]
    with Store.open(tmp_path / STORE_FILE, SystemClock()) as store:
        store.create({"game": "footclub"})
        check = checks.journal(tmp_path, 5)
    assert (check.health, check.details[0].args) == (Health.OK, {"n": 1})


def test_a_journal_that_is_damaged_and_a_file_that_is_none(tmp_path):
    path = tmp_path / STORE_FILE
    with Store.open(path, SystemClock()) as store:
        for _ in range(50):
            store.create({"game": "footclub", "padding": "x" * 3000})
    damaged = bytearray(path.read_bytes())
    damaged[8192:] = b"\xff" * (len(damaged) - 8192)
    path.write_bytes(bytes(damaged))
    assert step(checks.journal(tmp_path, 5)) == "journal"
    path.write_text("no database at all " * 100)
    assert step(checks.journal(tmp_path, 5)) == "journal"


def test_a_journal_too_long_to_be_read_whole_says_so(tmp_path):
    path = tmp_path / STORE_FILE
    Store.open(path, SystemClock()).close()
    with sqlite3.connect(path) as filled:
        filled.execute("CREATE TABLE long (word TEXT)")
        filled.execute(
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60000) "
            "INSERT INTO long SELECT 'word ' || i FROM n"
        )
        filled.execute("CREATE INDEX words ON long (word)")
    check = checks.journal(tmp_path, 0.0)
    assert (check.health, facts(check)[-1]) == (Health.OK, "partly_checked")


def test_settings_sound_missing_and_misspelt(tmp_path):
    path = tmp_path / "config.toml"
    assert facts(checks.config(path))[0] == "no_settings"
    path.write_text('[display]\nlanguage = "en"\n')
    assert checks.config(path).health is Health.OK
    path.write_text('[display]\nlangage = "en"\n')
    check = checks.config(path)
    assert (check.health, step(check)) == (Health.ATTENTION, "config")
    assert check.details[0].args["key"] == "langage"


def test_settings_that_cannot_be_written(plain):
    folder = plain / "etc"
    folder.mkdir(mode=0o500)
    assert step(checks.config(folder / "config.toml")) == "config_rights"


# Supervision


def test_a_clock_that_was_never_set(tmp_path):
    past, coming = datetime(2020, 1, 1, tzinfo=UTC), datetime(2027, 1, 1, tzinfo=UTC)
    assert step(checks.clock(system(tmp_path, past))) == "clock"
    assert checks.clock(system(tmp_path, coming)).health is Health.OK


def test_a_clock_set_by_the_network_by_a_battery_or_by_nobody(tmp_path):
    small = system(tmp_path)
    program(tmp_path, "timedatectl", "no")
    assert step(checks.clock(small)) == "clock"
    put(tmp_path, "/sys/class/rtc/rtc0/name", "rpi-rtc\n")
    assert facts(checks.clock(small))[1:] == ["battery"]
    program(tmp_path, "timedatectl", "yes")
    assert facts(checks.clock(small))[1:] == ["battery", "network_time"]
    program(tmp_path, "timedatectl", "no")
    put(tmp_path, checks.SYNCHRONISED)
    assert facts(checks.clock(small))[1:] == ["battery", "network_time"]


FIRMWARE = "/sys/devices/platform/soc/soc:firmware/get_throttled"


@pytest.mark.parametrize(
    ("bits", "health", "fact"),
    [("0", Health.OK, "steady"), ("50005", Health.ATTENTION, "low_now"), ("50000", Health.ATTENTION, "low_before")],
)
def test_a_weak_power_supply(tmp_path, bits, health, fact):
    put(tmp_path, FIRMWARE, f"{bits}\n")
    check = checks.power(system(tmp_path))
    assert (check.health, facts(check)[0]) == (health, fact)


def test_the_firmware_is_asked_where_the_kernel_does_not_tell(tmp_path):
    assert facts(checks.power(system(tmp_path))) == ["not_measured"]
    program(tmp_path, "vcgencmd", "throttled=0x50005")
    assert checks.power(system(tmp_path)).health is Health.ATTENTION


@pytest.mark.parametrize(("degrees", "health"), [(56_000, Health.OK), (83_000, Health.ATTENTION)])
def test_the_processor_says_how_hot_it_is(tmp_path, degrees, health):
    put(tmp_path, "/sys/class/thermal/thermal_zone0/temp", f"{degrees}\n")
    put(tmp_path, "/proc/device-tree/model", b"Raspberry Pi 5 Model B Rev 1.0\0")
    check = checks.processor(system(tmp_path))
    assert check.health is health
    assert facts(check) == ["Raspberry Pi 5 Model B Rev 1.0", f"{degrees // 1000} °C"]


def test_a_processor_that_had_to_slow_down_and_one_that_tells_nothing(tmp_path):
    assert facts(checks.processor(system(tmp_path))) == ["not_measured"]
    put(tmp_path, FIRMWARE, "8\n")
    assert step(checks.processor(system(tmp_path))) == "hot"


STATE = "LoadState=loaded\nActiveState={}\nUnitFileState={}\nNRestarts={}\nResult=watchdog"


@pytest.mark.parametrize(
    ("systemctl_output", "health", "next_step"),
    [
        (STATE.format("active", "enabled", 0), Health.OK, ""),
        (STATE.format("active", "disabled", 0), Health.OFF, "service_enable"),
        (STATE.format("active", "enabled", 7), Health.ATTENTION, "service_failed"),
        (STATE.format("failed", "enabled", 0), Health.ATTENTION, "service_failed"),
        ("LoadState=not-found\nActiveState=inactive\nUnitFileState=\nNRestarts=0", Health.OFF, "service"),
    ],
)
def test_the_service(tmp_path, systemctl_output, health, next_step):
    put(tmp_path, "/run/systemd/system/x")
    program(tmp_path, "systemctl", systemctl_output)
    check = checks.service(system(tmp_path))
    assert (check.health, step(check)) == (health, next_step)


def test_without_systemd_nothing_starts_by_itself(tmp_path):
    assert step(checks.service(system(tmp_path))) == "service"


def test_versions_name_the_program():
    assert facts(checks.versions())[0].startswith("tapis-vert ")
