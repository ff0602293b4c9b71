"""`companion doctor`: what is present, what is missing, and the one thing to do about each."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from companion.clock import SystemClock
from companion.commands import checks
from companion.commands.settings import data_folder_of, language_of
from companion.language import Language
from companion.table.health import Check, Health

DONE, FAILED = 0, 1
MARKS = {Health.OK: "[green]✓[/]", Health.LOOK: "[yellow]![/]", Health.ABSENT: "[dim]–[/]"}


def run_doctor(config: Path | None, as_json: bool) -> int:
    """Tells every part; exit status 1 when a part that is needed wants a look."""
    found = examine(data_folder_of(config))
    if as_json:
        print(json.dumps([_object(check, Language("en")) for check in found], ensure_ascii=False))
    else:
        language = language_of(config)
        table = Table(box=None, show_header=False, pad_edge=False)
        for check in found:
            remedy = f"\n→ {language.text(check.remedy)}" if check.remedy else ""
            table.add_row(MARKS[check.health], language(f"cli.part.{check.part}"), f"{check.found}{remedy}")
        Console(stderr=True, highlight=False).print(table)
    return FAILED if any(check.health is Health.LOOK for check in found) else DONE


def examine(data: Path) -> tuple[Check, ...]:
    """Every part of this table. Never raises: a part that cannot be examined is a part to look at."""
    looks = {
        "versions": checks.versions,
        "reader": checks.reader_model,
        "camera": checks.camera,
        "gpio": checks.gpio,
        "tray": checks.tray,
        "display": checks.display,
        "sound": checks.sound,
        "tones": checks.tones,
        "processor": checks.processor,
        "disk": lambda: checks.disk(data),
        "clock": lambda: checks.clock(SystemClock().now),
    }
    found = []
    for part, look in looks.items():
        try:
            found.append(look())
        except OSError as error:
            found.append(Check(part, Health.LOOK, str(error)))
    return tuple(found)


def _object(check: Check, language: Language) -> dict[str, Any]:
    remedy = language.text(check.remedy) if check.remedy else None
    return {"part": check.part, "health": str(check.health), "found": check.found, "remedy": remedy}
