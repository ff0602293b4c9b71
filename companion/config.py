"""The configuration: one TOML file read into frozen values, and single settings written back with comments kept.

A section or key that nobody reads is an error with the nearest known name, not a silence: a misspelt setting would else
look as if it had been obeyed.
"""

from __future__ import annotations

import os
import re
import tomllib
import unicodedata
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
import tomlkit
from msgspec import Meta, Struct, inspect
from msgspec.structs import fields as struct_fields

from companion.games.base import Message
from companion.journal.files import write_atomically
from companion.language import reason_of

FILE_VARIABLE = "TAPIS_VERT_CONFIG"
FOLDER = "tapis-vert"
PINS = "pins.toml"

Text = Annotated[str, Meta(min_length=1, max_length=200)]
AUTO, NONE, SIMULATED, PICAMERA = "auto", "none", "simulated", "picamera"
"""Words of the settings for a device that is not named."""
TRAYS = (AUTO, SIMULATED, NONE)
"""Trays that are not named by their port."""
_NUMBERED_SOURCES = ("camera", "drawn")
"""The words of sources after which a colon and a number stand."""

Percent = Annotated[int, Meta(ge=0, le=100)]
Brightness = Annotated[int, Meta(ge=10, le=100)]
"""Never so dark that nobody could find the setting again."""
Minutes = Annotated[int, Meta(ge=0, le=240)]
Width = Annotated[float, Meta(ge=40, le=2000)]
Days = Annotated[int, Meta(ge=0, le=3650)]
Megabytes = Annotated[int, Meta(ge=0, le=1_000_000)]


class ConfigError(Exception):
    """A configuration that cannot be used, or a setting that cannot be saved; `message` names file, section and key."""

    def __init__(self, message: Message) -> None:
        super().__init__(str(message))
        self.message = message


class Table(Struct, frozen=True):
    """This table among others."""

    name: Text = "Table 1"
    first_steps: Literal["language", "display", "touch", "camera", "devices", "name", "done"] | None = None
    """Where the first start's questions stand, so that a power cut begins them again there; absent: never asked."""


class Display(Struct, frozen=True):
    """The screen and how it speaks to the eye."""

    language: Literal["fr", "en"] = "fr"
    width_mm: Width | None = None
    """Width of the picture as it is seen, turned or not; absent: the layout fills the display."""
    rotation: Literal[0, 90, 180, 270] = 0
    """Degrees by which the picture is turned, against the clock: a panel that stands tall by nature may lie wide."""
    text_scale: Literal[100, 115, 130] = 100
    contrast: Literal["normal", "dark", "light"] = "normal"
    hand: Literal["right", "left"] = "right"
    seats: Literal["beside", "facing"] = "beside"
    """Players side by side, or face to face over a screen that lies flat."""
    less_motion: bool = False
    brightness: Brightness = 100
    saver_minutes: Minutes = 10
    """Without a touch or a die for so long, only score and awaited are shown, dimmed; 0: never."""
    keyboard: Literal["auto", "shown", "hidden"] = "auto"
    """Keys on the screen for names: `auto` where no keyboard is plugged in."""


class Sound(Struct, frozen=True):
    """Short sounds and the spoken announcements."""

    effects: bool = True
    volume: Percent = 70
    voice: Literal["off", "results", "all"] = "results"


class Camera(Struct, frozen=True):
    """Where the dice are seen: `auto`, `none`, or a source as `companion watch` takes it (`camera:0`, a path)."""

    source: Text = "auto"
    rotation: Literal[0, 90, 180, 270] = 0
    """Degrees by which the picture of a webcam or a Pi's camera is turned, with the clock: as the camera is mounted."""


class Data(Struct, frozen=True):
    """Where the matches are kept."""

    folder: Text | None = None
    """Absent: the user's data folder (see `data_folder`)."""
    pictures_mb: Megabytes = 2000
    """Room for pictures of rolls; beyond it the oldest go."""
    pictures_days: Days = 0
    """Pictures of rolls go after so many days; 0: only when the room is needed."""
    misreads: bool = True
    """Whether the pictures of dice that players set right are kept, to try the reader on them again."""
    csv: Literal["auto", ";", ","] = "auto"
    """What stands between the cells of an exported CSV file: `auto` is `;` in French, `,` in English."""


class Hardware(Struct, frozen=True):
    """The parts around the screen: real where present (`auto`), simulated, or none; the tray also by its port."""

    panel: Literal["auto", "gpio", "simulated", "none"] = "auto"
    """Buttons, lamps and buzzer."""
    pins: Text | None = None
    """The panel's wiring (see `pins_file`)."""
    tray: Text = "auto"


class Hub(Struct, frozen=True):
    """The tournament that this table takes part in; the settings pages join one as well, and keep it elsewhere."""

    address: Text | None = None
    """Of the organiser's hub: `host` or `host:port`."""
    token: Text | None = None
    """This table's, as the organiser gave it; both are taken once, whenever one of them is another."""

    @property
    def credentials(self) -> tuple[str, str] | None:
        """Address and token, None unless the file names both."""
        return None if self.address is None or self.token is None else (self.address, self.token)


class Config(Struct, frozen=True):
    """The whole configuration; every key has a default."""

    table: Table = Table()
    display: Display = Display()
    sound: Sound = Sound()
    camera: Camera = Camera()
    data: Data = Data()
    hardware: Hardware = Hardware()
    hub: Hub = Hub()


def config_path(chosen: Path | None = None, environ: Mapping[str, str] = os.environ) -> Path:
    """The file in force: the one chosen (`--config`), else that of `TAPIS_VERT_CONFIG`, else the user's own."""
    if chosen is not None:
        return chosen
    named = environ.get(FILE_VARIABLE)
    return Path(named) if named else _xdg(environ, "XDG_CONFIG_HOME", ".config") / FOLDER / "config.toml"


def load_config(chosen: Path | None = None, environ: Mapping[str, str] = os.environ) -> Config:
    """The configuration in force. Raises ConfigError; only the user's own file may be missing (all defaults then)."""
    path = config_path(chosen, environ)
    try:
        return read_config(path)
    except FileNotFoundError:
        if chosen is None and not environ.get(FILE_VARIABLE):
            return Config()
        raise ConfigError(Message("config.missing", {"file": path})) from None


def read_config(path: Path) -> Config:
    """The configuration of a file. Raises FileNotFoundError, ConfigError for everything else."""
    return _to_config(path, _parse(path, _read(path)))


def data_folder(config: Config, environ: Mapping[str, str] = os.environ) -> Path:
    """The folder of the matches: `data.folder`, else the user's own. It need not exist yet."""
    if config.data.folder is not None:
        return Path(config.data.folder).expanduser().absolute()
    return _xdg(environ, "XDG_DATA_HOME", ".local/share") / FOLDER


def pins_file(config: Config, config_file: Path) -> Path | None:
    """The panel's wiring: `hardware.pins`, else a `pins.toml` beside the settings; None for the one that ships.

    A relative path starts at the folder of the settings. The file that is named need not exist.
    """
    if config.hardware.pins is not None:
        return config_file.parent / Path(config.hardware.pins).expanduser()
    beside = config_file.with_name(PINS)
    return beside if beside.exists() else None


def with_setting(config: Config, section: str, key: str, value: bool | int | float | str | None) -> Config:
    """The configuration with one setting changed, kept nowhere."""
    part = msgspec.structs.replace(getattr(config, section), **{key: value})
    return msgspec.structs.replace(config, **{section: part})


def save_setting(path: Path, section: str, key: str, value: bool | int | float | str | None) -> Config:
    """Writes one setting into the file, None removing it; the rest of the file, comments included, stays.

    Returns the configuration as it is now. Raises ConfigError, the file then being as it was. After a power cut the
    file is the old or the new one, whole.
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
        write_atomically(path.resolve(), changed.encode(), mode=0o600)
    except OSError as error:
        raise ConfigError(Message("config.not_saved", {"file": path, "reason": reason_of(error)})) from None
    except UnicodeEncodeError:
        raise ConfigError(Message("config.not_saved", {"file": path, "reason": "UTF-8"})) from None
    return config


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise
    except OSError as error:
        raise ConfigError(Message("config.unreadable", {"file": path, "reason": reason_of(error)})) from None
    except UnicodeDecodeError:
        raise ConfigError(Message("config.unreadable", {"file": path, "reason": "UTF-8"})) from None


def _parse(path: Path, text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # a number of more than 4300 digits is a plain ValueError
        raise ConfigError(Message("config.syntax", {"file": path, "reason": reason_of(error)})) from None


def _to_config(path: Path, found: Mapping[str, Any]) -> Config:
    sections = {field.name: field.type for field in struct_fields(Config)}
    sections_by_name: dict[str, Any] = {}
    for section, values in found.items():
        if section not in sections:
            if _is_section(values):
                raise _unknown_error("section", section, sections, {"file": path})
            homes = [
                name for name, kind in sections.items() if section in {field.name for field in struct_fields(kind)}
            ]
            known = ", ".join(f"[{name}]" for name in homes or sections)
            raise ConfigError(Message("config.outside", {"file": path, "key": section, "known": known}))
        if not isinstance(values, dict):
            raise ConfigError(Message("config.not_section", {"file": path, "section": section}))
        sections_by_name[section] = _section(path, section, sections[section], values)
    return Config(**sections_by_name)


def _is_section(values: object) -> bool:
    """Whether it was written as one, `[name]` or `[[name]]`; a setting otherwise."""
    return isinstance(values, dict) or (
        isinstance(values, list) and bool(values) and all(isinstance(each, dict) for each in values)
    )


def _section(path: Path, section: str, kind: type[Struct], values: Mapping[str, Any]) -> Struct:
    types = {field.name: field.type for field in struct_fields(kind)}
    values_by_key = {}
    for key, value in values.items():
        if key not in types:
            raise _unknown_error("key", key, types, {"file": path, "section": section})
        try:
            values_by_key[key] = msgspec.convert(value, types[key])
        except msgspec.ValidationError:
            where = {"file": path, "section": section, "key": key}
            wanted = _expected_value(inspect.type_info(types[key]))
            raise ConfigError(
                Message("config.value", {**where, "value": _toml_text(value), "wanted": wanted})
            ) from None
        fault = _text_fault(section, key, value) if isinstance(value, str) else None
        if fault is not None:
            where = {"file": path, "section": section, "key": key}
            raise ConfigError(Message("config.value", {**where, "value": _toml_text(value), "wanted": fault}))
    return kind(**values_by_key)


def _text_fault(section: str, key: str, text: str) -> Message | None:
    """What a text of the right length needs all the same, in words; None if it is well."""
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
    """False for `word:` with a number missing and for an unknown word with one; whether a path is there shows later."""
    word, colon, number = text.partition(":")
    if colon and word in _NUMBERED_SOURCES:
        return re.fullmatch(r"\d{1,18}", number) is not None
    return re.fullmatch(r"[a-z]+:\d*", text) is None


def _unknown_error(
    what: Literal["section", "key"], name: str, known: Iterable[str], where: dict[str, Any]
) -> ConfigError:
    near = get_close_matches(name.lower(), known, n=1)
    if near:
        return ConfigError(Message(f"config.unknown_{what}_near", {**where, what: name, "near": near[0]}))
    return ConfigError(Message(f"config.unknown_{what}", {**where, what: name, "known": ", ".join(known)}))


def _expected_value(kind: inspect.Type) -> Message:
    """What a key takes, in words."""
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
    """A value as the file would write it."""
    try:
        text = tomlkit.item(value).as_string()
    except ValueError:  # a whole number of so many digits, which only a hexadecimal one may have in a file
        text = hex(value) if isinstance(value, int) else str(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _xdg(environ: Mapping[str, str], variable: str, fallback: str) -> Path:
    """A base folder of the XDG specification, by which a relative path does not count."""
    named = environ.get(variable, "")
    return Path(named) if os.path.isabs(named) else Path(environ.get("HOME") or Path.home()) / fallback
