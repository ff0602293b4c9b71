"""The configuration: one TOML file read into frozen values. Single settings are written back with comments kept.

An unknown section or key is an error that suggests the nearest known name. Otherwise a misspelt setting would be
ignored silently.
"""

from __future__ import annotations

import logging
import os
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
import tomlkit
from msgspec import Meta, Struct, inspect
from msgspec.structs import fields as struct_fields

from companion.games.base import Message
from companion.language import reason_of
from vision.files import FileTooLarge, free_damaged_path, parse_toml, read_limited, write_atomically

log = logging.getLogger(__name__)

FILE_VARIABLE = "TAPIS_VERT_CONFIG"
FOLDER = "tapis-vert"
PINS = "pins.toml"
LAST_GOOD_SUFFIX = ".last-good"
MAX_CONFIG_BYTES, MAX_SET_ASIDE_BYTES = 256 * 1024, 64 * 1024 * 1024
"""Limits for a configuration file that is read, and for one that is set aside. All keys with comments take 10 kB."""

Text = Annotated[str, Meta(min_length=1, max_length=200)]
AUTO, NONE, SIMULATED, PICAMERA = "auto", "none", "simulated", "picamera"
"""Special values of device settings: automatic, no device, simulated, and the Pi camera."""
TRAYS = (AUTO, SIMULATED, NONE)
"""Tray values that are not a port."""
_NUMBERED_SOURCES = ("camera", "drawn")
"""Source prefixes that need a colon and a number."""

Percent = Annotated[int, Meta(ge=0, le=100)]
Brightness = Annotated[int, Meta(ge=10, le=100)]
"""The minimum keeps the screen bright enough to find this setting again."""
Minutes = Annotated[int, Meta(ge=0, le=240)]
Width = Annotated[float, Meta(ge=40, le=2000)]
Days = Annotated[int, Meta(ge=0, le=3650)]
Megabytes = Annotated[int, Meta(ge=0, le=1_000_000)]


class ConfigError(Exception):
    """An invalid configuration, or a setting that cannot be saved. `message` names the file, section and key."""

    def __init__(self, message: Message) -> None:
        super().__init__(str(message))
        self.message = message


class TableConfig(Struct, frozen=True):
    """Settings of this table."""

    name: Text = "Table 1"
    first_steps: Literal["language", "display", "touch", "camera", "devices", "name", "done"] | None = None
    """Current step of the setup assistant, so that it continues there after a power cut. Absent: not started yet."""


class DisplayConfig(Struct, frozen=True):
    """Settings of the screen."""

    language: Literal["fr", "en"] = "fr"
    width_mm: Width | None = None
    """Width of the picture as seen, after rotation. Absent: the layout fills the display."""
    rotation: Literal[0, 90, 180, 270] = 0
    """Counterclockwise rotation of the picture in degrees, for example for a portrait panel mounted in landscape."""
    text_scale: Literal[100, 115, 130] = 100
    contrast: Literal["normal", "dark", "light"] = "normal"
    hand: Literal["right", "left"] = "right"
    seats: Literal["beside", "facing"] = "beside"
    """Players sit side by side, or face to face across a flat screen."""
    less_motion: bool = False
    brightness: Brightness = 100
    saver_minutes: Minutes = 10
    """Minutes without a touch or a roll before the screen saver starts; 0: never. It shows score and prompt, dimmed."""
    keyboard: Literal["auto", "shown", "hidden"] = "auto"
    """On-screen keyboard for names. `auto`: shown if no keyboard is connected."""
    moments: bool = True
    """Show what an event means, such as a goal, large in the centre of the table for about two seconds."""


class SoundConfig(Struct, frozen=True):
    """Short sounds and spoken announcements."""

    effects: bool = True
    volume: Percent = 70
    voice: Literal["off", "results", "all"] = "results"


class CameraConfig(Struct, frozen=True):
    """The camera: `auto`, `none`, or a source as for `companion watch` (`camera:0`, a path)."""

    source: Text = "auto"
    rotation: Literal[0, 90, 180, 270] = 0
    """Clockwise rotation of the picture of a webcam or Pi camera in degrees, according to its mounting."""


class DataConfig(Struct, frozen=True):
    """Storage of the matches."""

    folder: Text | None = None
    """Absent: the user's data folder (see `data_folder`)."""
    pictures_mb: Megabytes = 2000
    """Maximum size of all roll pictures in megabytes; the oldest are deleted first."""
    pictures_days: Days = 0
    """Roll pictures are deleted after this many days; 0: only when the space is needed."""
    misreads: bool = True
    """Keep pictures of dice that players corrected, to test the reader on them again."""
    csv: Literal["auto", ";", ","] = "auto"
    """Separator of exported CSV files. `auto` is `;` in French and `,` in English."""


class ClockConfig(Struct, frozen=True):
    """The clock of matches that a tournament does not set."""

    mode: Literal["off", "quiet", "strict"] = "off"
    """`quiet`: the time left is shown. `strict`: the end of a time is announced as well."""
    match_minutes: Minutes = 60
    """Time for a match; 0: no limit."""
    turn_seconds: Annotated[int, Meta(ge=0, le=3600)] = 0
    """Time for a turn; 0: no limit."""


class HardwareConfig(Struct, frozen=True):
    """The devices around the screen: real if present (`auto`), simulated, or none. The tray may also be a port."""

    panel: Literal["auto", "gpio", "simulated", "none"] = "auto"
    """Buttons, lamps and buzzer."""
    pins: Text | None = None
    """The panel's wiring file (see `pins_file`)."""
    tray: Text = "auto"


class HubConfig(Struct, frozen=True):
    """The tournament of this table. The settings pages can also join one; they store it elsewhere."""

    address: Text | None = None
    """Address of the organiser's hub: `host` or `host:port`."""
    token: Text | None = None
    """Token of this table, from the organiser. Address and token are adopted once, each time either of them changes."""

    @property
    def credentials(self) -> tuple[str, str] | None:
        """Address and token, or None unless both are set."""
        return None if self.address is None or self.token is None else (self.address, self.token)


class Config(Struct, frozen=True):
    """The whole configuration; every key has a default."""

    table: TableConfig = TableConfig()
    display: DisplayConfig = DisplayConfig()
    sound: SoundConfig = SoundConfig()
    camera: CameraConfig = CameraConfig()
    data: DataConfig = DataConfig()
    clock: ClockConfig = ClockConfig()
    hardware: HardwareConfig = HardwareConfig()
    hub: HubConfig = HubConfig()


def config_path(chosen: Path | None = None, environ: Mapping[str, str] = os.environ) -> Path:
    """Return the path of the configuration file: `--config`, else `TAPIS_VERT_CONFIG`, else the user's own file."""
    if chosen is not None:
        return chosen
    named = environ.get(FILE_VARIABLE)
    return Path(named) if named else _xdg(environ, "XDG_CONFIG_HOME", ".config") / FOLDER / "config.toml"


def load_config(chosen: Path | None = None, environ: Mapping[str, str] = os.environ) -> Config:
    """Return the current configuration. Raises: ConfigError.

    Only the user's own file may be missing; all defaults then apply.
    """
    path = config_path(chosen, environ)
    try:
        return read_config(path)
    except FileNotFoundError:
        if chosen is None and not environ.get(FILE_VARIABLE):
            return Config()
        raise ConfigError(Message("config.missing", {"file": path})) from None


def read_config(path: Path) -> Config:
    """Read the configuration from a file. Raises: FileNotFoundError; ConfigError for every other problem."""
    return _to_config(path, _parse(path, _read(path)))


@dataclass(frozen=True, slots=True)
class UsableConfig:
    """A configuration to work with, whatever the file contains.

    - `faults`: what is wrong in the file; empty for a valid one
    - `is_folder_known`: False if the file may name another data folder than `config` does
    """

    config: Config
    faults: tuple[Message, ...] = ()
    is_folder_known: bool = True


def load_usable_config(chosen: Path | None = None, environ: Mapping[str, str] = os.environ) -> UsableConfig:
    """Return the current configuration. A wrong key has its default.

    A file that cannot be read as TOML is replaced by the last good one. The data folder is also taken from there.
    """
    path = config_path(chosen, environ)
    try:
        config, faults = _collect(path, _parse(path, _read(path)))
        is_folder_known = not _hide_folder(faults)
    except FileNotFoundError:
        if chosen is None and not environ.get(FILE_VARIABLE):
            return UsableConfig(Config())
        return _last_good_config(path, Message("config.missing", {"file": path}))
    except ConfigError as error:
        return _last_good_config(path, error.message)
    good = None if is_folder_known else _last_good(path)
    if good is not None:
        config = with_setting(config, "data", "folder", good.data.folder)
    return UsableConfig(config, tuple(faults), is_folder_known or good is not None)


def _last_good_config(path: Path, fault: Message) -> UsableConfig:
    good = _last_good(path)
    return UsableConfig(good or Config(), (fault,), good is not None or not _mentions_folder(path))


def last_good_file(path: Path) -> Path:
    """Return the place of the copy of a configuration file as it was when the app last started well."""
    return path.with_name(path.name + LAST_GOOD_SUFFIX)


def keep_last_good(path: Path) -> None:
    """Copy a valid configuration file, to be put back later. An unwritable folder is logged only."""
    place = last_good_file(path)
    try:
        content = read_limited(path, MAX_CONFIG_BYTES)
        if not place.exists() or read_limited(place, MAX_CONFIG_BYTES) != content:
            write_atomically(place, content, mode=0o600)
    except FileNotFoundError:
        return
    except (OSError, FileTooLarge) as error:
        log.info("the last good configuration is not kept: %s", error)


def has_last_good(path: Path) -> bool:
    """True if a valid copy of the configuration file can be put back."""
    return _last_good(path) is not None


def restore_last_good(path: Path) -> None:
    """Set the configuration file aside and put the last good one in its place. Raises: ConfigError."""
    try:
        content = read_limited(last_good_file(path), MAX_CONFIG_BYTES)
        if path.exists():
            write_atomically(free_damaged_path(path), read_limited(path, MAX_SET_ASIDE_BYTES), mode=0o600)
        write_atomically(path, content, mode=0o600)
    except (OSError, FileTooLarge) as error:
        raise ConfigError(Message("config.not_saved", {"file": path, "reason": reason_of(error)})) from None


def _last_good(path: Path) -> Config | None:
    try:
        return read_config(last_good_file(path))
    except (FileNotFoundError, ConfigError):
        return None


def _hide_folder(faults: Sequence[Message]) -> bool:
    """True if a wrong section or key may be the one of the data folder."""
    return any(
        fault.args.get("section") == "data"
        or fault.args.get("near") in ("data", "folder")
        or fault.args.get("key") in ("data", "folder")
        for fault in faults
    )


def _mentions_folder(path: Path) -> bool:
    """True if the file may name a data folder: it contains the word, or it cannot be read."""
    try:
        content = read_limited(path, MAX_CONFIG_BYTES)
    except FileNotFoundError:
        return False
    except (OSError, FileTooLarge):
        return True
    return b"fold" in content.lower() or b"data" in content.lower()


def data_folder(config: Config, environ: Mapping[str, str] = os.environ) -> Path:
    """Return the folder of the matches: `data.folder`, else the user's data folder. It may not exist yet."""
    if config.data.folder is not None:
        return Path(config.data.folder).expanduser().absolute()
    return _xdg(environ, "XDG_DATA_HOME", ".local/share") / FOLDER


def pins_file(config: Config, config_file: Path) -> Path | None:
    """Return the panel's wiring file: `hardware.pins`, else `pins.toml` beside the settings, else None for the default.

    A relative path is relative to the folder of the settings. The file set in `hardware.pins` may be missing.
    """
    if config.hardware.pins is not None:
        return config_file.parent / Path(config.hardware.pins).expanduser()
    beside = config_file.with_name(PINS)
    return beside if beside.exists() else None


def with_setting(config: Config, section: str, key: str, value: bool | int | float | str | None) -> Config:
    """Return the configuration with one setting changed; nothing is saved."""
    part = msgspec.structs.replace(getattr(config, section), **{key: value})
    return msgspec.structs.replace(config, **{section: part})


def save_setting(path: Path, section: str, key: str, value: bool | int | float | str | None) -> Config:
    """Write one setting into the file; None removes it. The rest of the file, comments included, is unchanged.

    Returns the new configuration. The write is atomic: after a power cut the file is the complete old or new one.

    Raises: ConfigError; the file is then unchanged.
    """
    try:
        text = _read(path)
    except FileNotFoundError:
        text = ""
    _to_config(path, _parse(path, text))
    document = tomlkit.parse(text)
    if section not in document:
        document[section] = tomlkit.table()
    place: Any = document[section]
    if value is None:
        place.pop(key, None)
    else:
        place[key] = value
    changed = tomlkit.dumps(document)
    config = _to_config(path, _parse(path, changed))
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, changed.encode(), mode=0o600)
    except OSError as error:
        raise ConfigError(Message("config.not_saved", {"file": path, "reason": reason_of(error)})) from None
    except UnicodeEncodeError:
        raise ConfigError(Message("config.not_saved", {"file": path, "reason": "UTF-8"})) from None
    keep_last_good(path)
    return config


def _read(path: Path) -> str:
    try:
        return read_limited(path, MAX_CONFIG_BYTES).decode("utf-8-sig")
    except FileNotFoundError:
        raise
    except OSError as error:
        raise ConfigError(Message("config.unreadable", {"file": path, "reason": reason_of(error)})) from None
    except UnicodeDecodeError:
        raise ConfigError(Message("config.unreadable", {"file": path, "reason": "UTF-8"})) from None
    except FileTooLarge:
        raise ConfigError(Message("config.too_large", {"file": path, "kb": MAX_CONFIG_BYTES // 1024})) from None


def _parse(path: Path, text: str) -> dict[str, Any]:
    try:
        found = parse_toml(text)
        str(found)  # a ValueError if a hexadecimal integer has too many digits to be printed in a sentence
        return found
    except (ValueError, RecursionError) as error:  # an integer of more than 4300 digits raises a plain ValueError
        raise ConfigError(Message("config.syntax", {"file": path, "reason": reason_of(error)})) from None


def _to_config(path: Path, found: Mapping[str, Any]) -> Config:
    """Return the configuration. Raises: ConfigError for the first fault."""
    config, faults = _collect(path, found)
    if faults:
        raise ConfigError(faults[0])
    return config


def _collect(path: Path, found: Mapping[str, Any]) -> tuple[Config, list[Message]]:
    """Return the configuration with defaults for wrong keys, and the faults in the order of the file."""
    sections = {field.name: field.type for field in struct_fields(Config)}
    sections_by_name: dict[str, Any] = {}
    faults: list[Message] = []
    for section, values in found.items():
        if section not in sections:
            if _is_section(values):
                faults.append(_unknown_message("section", section, sections, {"file": path}))
                continue
            homes = [
                name for name, kind in sections.items() if section in {field.name for field in struct_fields(kind)}
            ]
            known = ", ".join(f"[{name}]" for name in homes or sections)
            faults.append(Message("config.outside", {"file": path, "key": section, "known": known}))
        elif not isinstance(values, dict):
            faults.append(Message("config.not_section", {"file": path, "section": section}))
        else:
            sections_by_name[section] = _section({"file": path, "section": section}, sections[section], values, faults)
    return Config(**sections_by_name), faults


def _is_section(values: object) -> bool:
    """True if the value was written as a section, `[name]` or `[[name]]`, and not as a setting."""
    return isinstance(values, dict) or (
        isinstance(values, list) and bool(values) and all(isinstance(each, dict) for each in values)
    )


def _section(where: Mapping[str, Any], kind: type[Struct], values: Mapping[str, Any], faults: list[Message]) -> Struct:
    """Return a section with defaults for wrong keys, which are added to `faults`. `where`: file and section."""
    types = {field.name: field.type for field in struct_fields(kind)}
    values_by_key = {}
    for key, value in values.items():
        if key not in types:
            faults.append(_unknown_message("key", key, types, dict(where)))
            continue
        wanted: Message | None
        try:
            values_by_key[key] = msgspec.convert(value, types[key])
            wanted = _text_fault(where["section"], key, value) if isinstance(value, str) else None
        except msgspec.ValidationError:
            wanted = _expected_value(inspect.type_info(types[key]))
        if wanted is not None:
            values_by_key.pop(key, None)
            faults.append(Message("config.value", {**where, "key": key, "value": _toml_text(value), "wanted": wanted}))
    return kind(**values_by_key)


def _text_fault(section: str, key: str, text: str) -> Message | None:
    """Return the reason why a text of valid length is not allowed, or None if it is valid."""
    kinds = {unicodedata.category(sign) for sign in text}
    if kinds & {"Cc", "Cs", "Zl", "Zp"} or all(kind[0] in "CZ" for kind in kinds):
        return Message("config.wanted.seen")
    if (section, key) == ("hardware", "tray") and text not in TRAYS and not text.startswith("/"):
        return Message("config.wanted.tray")
    if (section, key) in (("data", "folder"), ("hardware", "pins")):
        try:
            Path(text).expanduser()
        except RuntimeError:
            return Message("config.wanted.home")
    if (section, key) == ("camera", "source") and not _is_plausible_source(text):
        return Message("config.wanted.source")
    return None


def _is_plausible_source(text: str) -> bool:
    """False for `word:` without its number and for an unknown word with a number. Paths are not checked here."""
    word, colon, number = text.partition(":")
    if colon and word in _NUMBERED_SOURCES:
        return re.fullmatch(r"\d{1,18}", number) is not None
    return re.fullmatch(r"[a-z]+:\d*", text) is None


def _unknown_message(
    what: Literal["section", "key"], name: str, known: Iterable[str], where: dict[str, Any]
) -> Message:
    near = get_close_matches(name.lower(), known, n=1)
    if near:
        return Message(f"config.unknown_{what}_near", {**where, what: name, "near": near[0]})
    return Message(f"config.unknown_{what}", {**where, what: name, "known": ", ".join(known)})


def _expected_value(kind: inspect.Type) -> Message:
    """Describe the values that a key accepts."""
    if isinstance(kind, inspect.UnionType):
        return _expected_value(next(part for part in kind.types if not isinstance(part, inspect.NoneType)))
    if isinstance(kind, inspect.LiteralType):
        return Message("config.wanted.one_of", {"values": ", ".join(_toml_text(value) for value in kind.values)})
    if isinstance(kind, inspect.IntType):
        return Message("config.wanted.whole", {"least": kind.ge, "most": kind.le})
    if isinstance(kind, inspect.FloatType):
        return Message("config.wanted.number", {"least": kind.ge, "most": kind.le})
    if isinstance(kind, inspect.StrType):
        return Message("config.wanted.text", {"least": kind.min_length, "most": kind.max_length})
    return Message("config.wanted.switch")


def _toml_text(value: object) -> str:
    """Format a value as in the TOML file."""
    text = tomlkit.item(value).as_string()
    return text if len(text) <= 60 else text[:57] + "..."


def _xdg(environ: Mapping[str, str], variable: str, fallback: str) -> Path:
    """Return a base folder of the XDG specification, which says to ignore relative paths."""
    named = environ.get(variable, "")
    return Path(named) if os.path.isabs(named) else Path(environ.get("HOME") or Path.home()) / fallback
