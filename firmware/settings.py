"""Tray configuration: pins and lights from the file `tray.json`, each value validated.

Missing values are those of DEFAULTS, the wiring of README.md. `null` for a part means that it is not installed. An
invalid file is reported with section and key, and the tray starts with DEFAULTS, so that it remains reachable.
"""

import json

FILE = "tray.json"

BUTTON_ROLES = ("confirm", "undo", "left", "right", "referee")

DEFAULTS: dict[str, dict[str, int]] = {
    "ring": {"pin": 16, "lights": 24, "edge": 4, "level": 64, "turn": 0},
    "buttons": {"confirm": 14, "undo": 15},
    "piezo": {"pin": 26, "on": 120, "off": 60, "still_ms": 250},
    "lid": {"pin": 13, "open": 1},
    "display": {"clock": 10, "data": 11, "select": 9, "brightness": 4},
    "timing": {"settle_ms": 20, "hold_ms": 800},
}
SENTENCES = {
    "json": "no JSON",
    "sections": "sections in braces are due",
    "section": "unknown section {section}",
    "keys": "{section}: keys in braces are due",
    "key": "{section}: unknown key {key}",
    "value": "{section}.{key}: a whole number from {least} to {most} is due",
    "pin_twice": "{section}.{key}: pin {pin} is that of {other}",
    "piezo": "piezo.pin: 26, 27 or 28 is due",
    "current": "ring.level: {drawn} mA would be drawn, at most {most}",
}
"""Error sentences for the tray's own log."""

OPTIONAL = ("piezo", "lid", "display")

LIMITS = {
    "pin": (0, 29), "clock": (0, 29), "data": (0, 29), "select": (0, 29), "confirm": (0, 29), "undo": (0, 29),
    "left": (0, 29), "right": (0, 29), "referee": (0, 29), "lights": (2, 60), "edge": (0, 20), "level": (1, 255),
    "turn": (0, 59), "on": (1, 4095), "off": (1, 4095), "still_ms": (20, 2000), "open": (0, 1), "brightness": (0, 15),
    "settle_ms": (1, 100), "hold_ms": (200, 5000),
}  # fmt: skip
"""Minimum and maximum value of each key, inclusive."""

PINS = ("pin", "clock", "data", "select") + BUTTON_ROLES
PIEZO_PINS = (26, 27, 28)
"""Pins of the ADC (RP2040 datasheet, 1.4.3)."""

MOST_MILLIAMPS = 450
"""Maximum current of the lights, of the 500 mA of a USB port."""
LIGHT_MILLIAMPS = 60
"""Current of a WS2812B at full red, green and blue (datasheet: 20 mA each)."""


class SettingsError(ValueError):
    """An invalid file: `fault` is the key of its sentence, `facts` are section, key and value."""

    def __init__(self, fault: str, **facts: object) -> None:
        super().__init__(FILE + ": " + SENTENCES[fault].format(**facts))
        self.fault = fault
        self.facts = facts


def read(text: str) -> dict[str, dict[str, int]]:
    """Parse the settings. Raises: SettingsError."""
    try:
        given = json.loads(text)
    except (ValueError, RuntimeError):  # RuntimeError: nested too deep
        raise SettingsError("json") from None
    if not isinstance(given, dict):
        raise SettingsError("sections")
    settings = {name: dict(section) for name, section in DEFAULTS.items()}
    for name, section in given.items():
        if name not in DEFAULTS:
            raise SettingsError("section", section=name)
        if section is None and name in OPTIONAL:
            del settings[name]
        elif not isinstance(section, dict):
            raise SettingsError("keys", section=name)
        elif name == "buttons":
            settings[name] = _section(name, section, BUTTON_ROLES)
        else:
            settings[name].update(_section(name, section, tuple(DEFAULTS[name])))
    _check(settings)
    return settings


def _section(name: str, given: dict[str, object], known: tuple[str, ...]) -> dict[str, int]:
    section: dict[str, int] = {}
    for key, value in given.items():
        if key not in known:
            raise SettingsError("key", section=name, key=key)
        least, most = LIMITS[key]
        if not isinstance(value, int) or value is True or value is False or not least <= value <= most:
            raise SettingsError("value", section=name, key=key, least=least, most=most)
        section[key] = value
    return section


def _check(settings: dict[str, dict[str, int]]) -> None:
    used: dict[int, str] = {}
    for name, section in settings.items():
        for key, value in section.items():
            if key not in PINS:
                continue
            if value in used:
                raise SettingsError("pin_twice", section=name, key=key, pin=value, other=used[value])
            used[value] = name
    if "piezo" in settings and settings["piezo"]["pin"] not in PIEZO_PINS:
        raise SettingsError("piezo")
    ring = settings["ring"]
    drawn = (ring["lights"] + ring["edge"]) * LIGHT_MILLIAMPS * ring["level"] // 255
    if drawn > MOST_MILLIAMPS:
        raise SettingsError("current", drawn=drawn, most=MOST_MILLIAMPS)


def order(buttons: dict[str, int]) -> list[str]:
    """Return the buttons' roles in the tray's numbering order (MicroPython's dictionaries are unordered)."""
    return [role for role in BUTTON_ROLES if role in buttons]
