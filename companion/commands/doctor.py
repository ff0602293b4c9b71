"""`companion doctor`: what is present, what is missing, and the next step for each part."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from companion import __version__
from companion.commands import checks
from companion.commands.checks import System, greet_tray
from companion.commands.exit_codes import DONE, FAILED
from companion.config import Config, ConfigError, config_path, data_folder, load_config, pins_file
from companion.games.base import JsonObject, Message
from companion.language import Language, reason_of
from companion.table.health import Check, CheckDetail, Health
from hardware.ports import Link
from vision.calibration.record import FILE_NAME as CALIBRATION

HEALTH_MARKS = {
    Health.OK: "[green]✓[/]",
    Health.ATTENTION: "[yellow]![/]",
    Health.MISSING: "[dim]–[/]",
    Health.OFF: "[dim]○[/]",
}


def run_doctor(chosen: Path | None, as_json: bool) -> int:
    """Print every part. Returns exit status 1 if one needs attention.

    Raises: ConfigError if a given file is missing.
    """
    system = System()
    checks = examine(system, config_path(chosen), greet=greet_tray)
    if as_json:
        print(json.dumps(report(checks, system), ensure_ascii=False, indent=1))
    else:
        _print(checks, Language(_settings(config_path(chosen)).display.language))
    return FAILED if any(check.health is Health.ATTENTION for check in checks) else DONE


def examine(
    system: System, config_file: Path, *, links: Sequence[Link] = (), greet: checks.Greet | None = None
) -> tuple[Check, ...]:
    """Check every part of this table. Never raises: a part that cannot be examined needs attention.

    `links` are the devices held by an open app. Without any, `greet` may open the tray briefly.
    """
    config = _settings(config_file)
    data = data_folder(config, system.environ)
    hardware, sounds = config.hardware, config.sound
    checks_by_part: Mapping[str, Callable[[], Check]] = {
        "camera": lambda: checks.camera(system, config.camera.source, data / CALIBRATION),
        "reader": checks.reader,
        "tray": lambda: checks.tray(system, hardware.tray, greet, links),
        "panel": lambda: checks.panel(system, hardware.panel, pins_file(config, config_file), links),
        "display": lambda: checks.display(system, config.display.width_mm),
        "touch": lambda: checks.touch(system),
        "sound": lambda: checks.sound(system, sounds.voice),
        "tones": lambda: checks.tones(system, sounds.effects),
        "disk": lambda: checks.disk(system, data),
        "journal": lambda: checks.journal(data, system.timeout_s),
        "config": lambda: checks.config(config_file),
        "hub": lambda: checks.hub(system, config, config_file, data),
        "clock": lambda: checks.clock(system),
        "power": lambda: checks.power(system),
        "processor": lambda: checks.processor(system),
        "service": lambda: checks.service(system),
        "versions": checks.versions,
    }
    return tuple(_run_check(part, run_check) for part, run_check in checks_by_part.items())


def _run_check(part: str, run_check: Callable[[], Check]) -> Check:
    try:
        return run_check()
    except (OSError, ValueError) as fault:
        return Check(part, Health.ATTENTION, (reason_of(fault),), Message("doctor.next.unknown"))


def _settings(config_file: Path) -> Config:
    """Return the current settings; defaults if the file is invalid, which its own check reports."""
    try:
        return load_config(config_file) if config_file.exists() else Config()
    except ConfigError:
        return Config()


def report(checks: Sequence[Check], system: System) -> JsonObject:
    """Return the JSON report (docs/DOCTOR.md), always in English."""
    language = Language("en")
    parts = [
        {
            "part": check.part,
            "state": str(check.health),
            "found": [detail_text(language, fact) for fact in check.details],
            "next": language.text(check.remedy) if check.remedy else None,
            "next_id": check.remedy.id if check.remedy else None,
        }
        for check in checks
    ]
    made = system.now().isoformat(timespec="seconds")
    return {"doctor": 1, "version": __version__, "at": made, "parts": parts}


def detail_text(language: Language, fact: CheckDetail) -> str:
    """Return a finding as text."""
    return language.text(fact) if isinstance(fact, Message) else fact


def _print(checks: Sequence[Check], language: Language) -> None:
    table = Table(box=None, show_header=False, pad_edge=False)
    for check in checks:
        details = ", ".join(detail_text(language, fact) for fact in check.details)
        remedy = f"\n→ {language.text(check.remedy)}" if check.remedy else ""
        table.add_row(HEALTH_MARKS[check.health], language(f"cli.part.{check.part}"), escape(f"{details}{remedy}"))
    Console(stderr=True, highlight=False, markup=True).print(table)
