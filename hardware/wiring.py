"""The pin assignment of buttons, lamps and buzzer, read from `pins.toml`. Errors name file, section and key.

Pins use the processor's numbers (GPIO 17, not header position 11).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from importlib import resources
from pathlib import Path
from typing import Any

from hardware.ports import Role
from vision.files import FileTooLarge, parse_toml, read_limited

MAX_WIRING_BYTES = 100_000
"""Maximum size of a pin file. The default has 2,000 bytes."""

FIRST_PIN, LAST_PIN = 2, 27
"""Usable pins. GPIO 0 and 1 are reserved for the ID EEPROM of add-on boards (Raspberry Pi HAT specification)."""

BUTTONS, LAMPS, BUZZER = "buttons", "lamps", "buzzer"
_ROLES = tuple(role.value for role in Role)
_ALLOWED_KEYS = {
    BUTTONS: (*_ROLES, "to"),
    LAMPS: (*_ROLES, "lit_by", "dimmed"),
    BUZZER: ("pin", "sound"),
}
_ALLOWED_VALUES = {
    (BUTTONS, "to"): ("ground", "3v3"),
    (LAMPS, "lit_by"): ("high", "low"),
    (BUZZER, "sound"): ("tones", "beep"),
}


class WiringError(ValueError):
    """An invalid pin file.

    `fault` is `unreadable`, `syntax`, `section`, `key`, `value`, `pin` or `twice`. `facts` holds its details: `file`,
    `section`, `key`, `value`, `wanted`, `near`, `other` (the other place of a pin named twice), `reason`.
    """

    def __init__(self, fault: str, facts: Mapping[str, object]) -> None:
        super().__init__(f"{fault}: {', '.join(f'{key} {value}' for key, value in facts.items())}")
        self.fault = fault
        self.facts = dict(facts)


@dataclass(frozen=True, slots=True)
class Wiring:
    """The pins in use; all are optional.

    - `closed_low`: a pressed button connects its pin to ground (to 3.3 V otherwise).
    - `lit_high`: a lamp is on at 3.3 V.
    - `dimmed`: lamps can be dimmed.
    - `tones`: the buzzer is a bare piezo that plays notes; otherwise it has its own note.
    """

    buttons: Mapping[Role, int] = field(default_factory=dict)
    lamps: Mapping[Role, int] = field(default_factory=dict)
    buzzer: int | None = None
    closed_low: bool = True
    lit_high: bool = True
    dimmed: bool = True
    tones: bool = True


def read_wiring(path: Path | None = None) -> Wiring:
    """Read the wiring from a file; None: the default of the assembly guide. Raises: WiringError."""
    source = path if path is not None else resources.files("hardware") / "pins.toml"
    try:
        text = source.read_text(encoding="utf-8") if path is None else read_limited(path, MAX_WIRING_BYTES).decode()
    except FileTooLarge as error:
        raise WiringError("unreadable", {"file": str(path), "reason": error}) from None
    except OSError as error:
        raise WiringError("unreadable", {"file": str(path), "reason": error}) from None
    except UnicodeDecodeError:
        raise WiringError("unreadable", {"file": str(path), "reason": "UTF-8"}) from None
    try:
        found = parse_toml(text)
    except (ValueError, RecursionError) as error:
        raise WiringError("syntax", {"file": str(path), "reason": error}) from None
    return _wired(str(path), found)


def _wired(file: str, found: Mapping[str, Any]) -> Wiring:
    for section, values in found.items():
        if section not in _ALLOWED_KEYS:
            raise _unknown("section", section, tuple(_ALLOWED_KEYS), {"file": file, "section": section})
        if not isinstance(values, dict):
            raise WiringError("value", _error_details(file, section, "", values, f"[{section}]"))
        for key, value in values.items():
            _check(file, section, key, value)
    _check_twice(file, found)
    buttons, lamps, buzzer = (found.get(section, {}) for section in (BUTTONS, LAMPS, BUZZER))
    return Wiring(
        buttons={Role(key): pin for key, pin in buttons.items() if key in _ROLES},
        lamps={Role(key): pin for key, pin in lamps.items() if key in _ROLES},
        buzzer=buzzer.get("pin"),
        closed_low=buttons.get("to", "ground") == "ground",
        lit_high=lamps.get("lit_by", "high") == "high",
        dimmed=lamps.get("dimmed", True),
        tones=buzzer.get("sound", "tones") == "tones",
    )


def _check(file: str, section: str, key: str, value: object) -> None:
    if key not in _ALLOWED_KEYS[section]:
        raise _unknown("key", key, _ALLOWED_KEYS[section], {"file": file, "section": section, "key": key})
    allowed = _ALLOWED_VALUES.get((section, key))
    if allowed is not None:
        if value not in allowed:
            raise WiringError(
                "value", _error_details(file, section, key, value, " / ".join(f'"{word}"' for word in allowed))
            )
    elif key == "dimmed":
        if not isinstance(value, bool):
            raise WiringError("value", _error_details(file, section, key, value, "true / false"))
    elif not isinstance(value, int) or isinstance(value, bool) or not FIRST_PIN <= value <= LAST_PIN:
        raise WiringError("pin", _error_details(file, section, key, value, f"{FIRST_PIN}-{LAST_PIN}"))


def _check_twice(file: str, found: Mapping[str, Any]) -> None:
    seen: dict[int, str] = {}
    for section, values in found.items():
        for key, value in values.items():
            if key not in (*_ROLES, "pin"):
                continue
            place = f"[{section}] {key}"
            if value in seen:
                raise WiringError("twice", {**_error_details(file, section, key, value, ""), "other": seen[value]})
            seen[value] = place


def _error_details(file: str, section: str, key: str, value: object, wanted: str) -> dict[str, str]:
    try:
        text = f'"{value}"' if isinstance(value, str) else str(value)
    except ValueError:  # an integer of more than 4300 digits, which TOML allows in hexadecimal
        text = "…"
    return {"file": file, "section": section, "key": key, "value": text[:60], "wanted": wanted}


def _unknown(fault: str, name: str, known: tuple[str, ...], facts: Mapping[str, str]) -> WiringError:
    near = get_close_matches(name.lower(), known, n=1)
    return WiringError(fault, {**facts, "wanted": ", ".join(known), "near": near[0] if near else ""})
