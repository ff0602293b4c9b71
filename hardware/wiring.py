"""Which pin is which button, lamp or buzzer: read from `pins.toml`, every mistake told with file, section and key.

Pins are numbered as the processor does (GPIO 17, not place 11 of the header).
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from importlib import resources
from pathlib import Path
from typing import Any

from hardware.ports import Role

FIRST_PIN, LAST_PIN = 2, 27
"""GPIO 0 and 1 belong to the identity chip of boards put on top (Raspberry Pi HAT specification)."""

BUTTONS, LAMPS, BUZZER = "buttons", "lamps", "buzzer"
_ROLES = tuple(role.value for role in Role)
_KEYS = {
    BUTTONS: (*_ROLES, "to"),
    LAMPS: (*_ROLES, "lit_by", "dimmed"),
    BUZZER: ("pin", "sound"),
}
_WORDS = {
    (BUTTONS, "to"): ("ground", "3v3"),
    (LAMPS, "lit_by"): ("high", "low"),
    (BUZZER, "sound"): ("tones", "beep"),
}


class WiringError(ValueError):
    """A file of pins that cannot be used.

    `fault` is `unreadable`, `syntax`, `section`, `key`, `value`, `pin` or `twice`; `facts` hold what belongs to it:
    `file`, `section`, `key`, `value`, `wanted`, `near`, `other` (the other place of a pin named twice), `reason`.
    """

    def __init__(self, fault: str, facts: Mapping[str, object]) -> None:
        super().__init__(f"{fault}: {', '.join(f'{key} {value}' for key, value in facts.items())}")
        self.fault = fault
        self.facts = dict(facts)


@dataclass(frozen=True, slots=True)
class Wiring:
    """The pins in use; none of them need be.

    `closed_low`: a pressed button draws its pin to ground (to 3.3 V otherwise). `lit_high`: a lamp is lit by 3.3 V.
    `dimmed`: lamps can be dimmed. `tones`: the buzzer is a bare piezo that plays notes; otherwise it has its own note.
    """

    buttons: Mapping[Role, int] = field(default_factory=dict)
    lamps: Mapping[Role, int] = field(default_factory=dict)
    buzzer: int | None = None
    closed_low: bool = True
    lit_high: bool = True
    dimmed: bool = True
    tones: bool = True


def read_wiring(path: Path | None = None) -> Wiring:
    """The wiring of a file; None: the one that the assembly guide describes. Raises WiringError."""
    source = path if path is not None else resources.files("hardware") / "pins.toml"
    try:
        text = source.read_text(encoding="utf-8")
    except OSError as error:
        raise WiringError("unreadable", {"file": str(path), "reason": error}) from None
    except UnicodeDecodeError:
        raise WiringError("unreadable", {"file": str(path), "reason": "UTF-8"}) from None
    try:
        found = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise WiringError("syntax", {"file": str(path), "reason": error}) from None
    return _wired(str(path), found)


def _wired(file: str, found: Mapping[str, Any]) -> Wiring:
    for section, values in found.items():
        if section not in _KEYS:
            raise _unknown("section", section, tuple(_KEYS), {"file": file, "section": section})
        if not isinstance(values, dict):
            raise WiringError("value", _facts(file, section, "", values, f"[{section}]"))
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
    if key not in _KEYS[section]:
        raise _unknown("key", key, _KEYS[section], {"file": file, "section": section, "key": key})
    words = _WORDS.get((section, key))
    if words is not None:
        if value not in words:
            raise WiringError("value", _facts(file, section, key, value, " / ".join(f'"{word}"' for word in words)))
    elif key == "dimmed":
        if not isinstance(value, bool):
            raise WiringError("value", _facts(file, section, key, value, "true / false"))
    elif not isinstance(value, int) or isinstance(value, bool) or not FIRST_PIN <= value <= LAST_PIN:
        raise WiringError("pin", _facts(file, section, key, value, f"{FIRST_PIN}-{LAST_PIN}"))


def _check_twice(file: str, found: Mapping[str, Any]) -> None:
    seen: dict[int, str] = {}
    for section, values in found.items():
        for key, value in values.items():
            if key not in (*_ROLES, "pin"):
                continue
            place = f"[{section}] {key}"
            if value in seen:
                raise WiringError("twice", {**_facts(file, section, key, value, ""), "other": seen[value]})
            seen[value] = place


def _facts(file: str, section: str, key: str, value: object, wanted: str) -> dict[str, str]:
    shown = f'"{value}"' if isinstance(value, str) else str(value)
    return {"file": file, "section": section, "key": key, "value": shown[:60], "wanted": wanted}


def _unknown(fault: str, name: str, known: tuple[str, ...], facts: Mapping[str, str]) -> WiringError:
    near = get_close_matches(name.lower(), known, n=1)
    return WiringError(fault, {**facts, "wanted": ", ".join(known), "near": near[0] if near else ""})
