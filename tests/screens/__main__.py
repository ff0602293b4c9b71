"""`python -m tests.screens [--out DIR]`: every screen in three sizes, in French, English and a longer tongue."""

from __future__ import annotations

import argparse
import html
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parents[2]
SIZES = ("800x480", "1280x720", "720x1280")
LANGUAGES = ("fr", "en", "pseudo")
MATCH = (
    "phases", "long_names", "asks", "explained", "doubts", "counted", "timeline", "mended", "consequences", "replaced",
)  # fmt: skip
BACK = ("look_back", "one_match", "pictured", "ended", "broken", "exported", "removed", "records")
BEFORE = ("prepare", "wander")
OCCASION = ("occasion_phases", "occasion_long_names", "occasion_asks", "occasion_cards", "help_rules", "help_guided")
NBA = ("nba_phases", "nba_long_names", "nba_asks", "nba_dice", "nba_lost")
HOOPS21 = ("hoops21_preparing", "hoops21_phases", "hoops21_long_names", "hoops21_asks", "hoops21_doubts")
HOUSE = ("house_settings", "house_diagnostic", "house_saver", "house_keys", "house_facing", "house_facing_games")
CARDS = ("cards_rooms", "cards_forms", "cards_tables", "cards_squads", "cards_market")
LOOKS = (("normal", "100"), ("dark", "130"), ("light", "115"))
"""Contrast and text size; all but the first only for the scenes of `ELSEWHERE`."""
ELSEWHERE = ("phases",)
MINUTES = 10


@dataclass
class Shown:
    """What a window showed: its pictures and the faults found in them."""

    pictures: list[Path] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)


def windows() -> Iterator[tuple[str, tuple[str, ...]]]:
    """Module and arguments of every window to open: scenes, size, language, contrast, text."""
    for size in SIZES:
        for language in LANGUAGES:
            yield "tests.screens.show", (",".join(MATCH), size, language, "normal", "100")
            yield "tests.screens.show", (",".join(BACK), size, language, "normal", "100")
            yield "tests.screens.show", (",".join(HOUSE), size, language, "normal", "100")
            yield "tests.screens.show", (",".join(CARDS), size, language, "normal", "100")
            yield "tests.screens.show", (",".join(OCCASION), size, language, "normal", "100")
            yield "tests.screens.show", (",".join(HOOPS21), size, language, "normal", "100")
            yield "tests.screens.show", (",".join(NBA), size, language, "normal", "100")
            for scene in BEFORE:
                yield "tests.app.evening", (scene, size, language, "normal", "100")
        yield "tests.screens.show", ("long_report", size, "fr", "normal", "100")
        for contrast, text in LOOKS[1:]:
            yield "tests.screens.show", (",".join((*ELSEWHERE, *NBA[:1], *HOUSE, *CARDS)), size, "fr", contrast, text)


def show(module: str, arguments: tuple[str, ...], out: Path) -> Shown:
    """Opens one window, plays its scenes, gathers what it left behind."""
    before = set(out.glob("*.png"))
    scene, *rest = arguments
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", module, scene, folder, *rest, str(out)]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60 * MINUTES)
    faults = [line for line in done.stdout.splitlines() if line]
    if done.returncode not in (0, 1) or (done.returncode and not faults):
        faults.append(f"{' '.join(arguments)}: ended with {done.returncode}: {done.stderr[-800:]}")
    return Shown(sorted(set(out.glob("*.png")) - before), faults)


def index(shown: Shown) -> str:
    """A page with every picture and what is wrong with it."""
    faulty = faults_by_screen(shown)
    figures = "".join(
        f'<figure><img src="{picture.name}" loading="lazy"><figcaption>{html.escape(picture.stem)}'
        f"<b>{html.escape('; '.join(faulty.get(picture.stem, ())))}</b></figcaption></figure>"
        for picture in shown.pictures
    )
    style = "figure{display:inline-block;margin:8px;vertical-align:top}img{max-width:400px}b{color:#b00;display:block}"
    return f'<!doctype html><meta charset="utf-8"><title>Tapis Vert</title><style>{style}</style>{figures}'


def faults_by_screen(shown: Shown) -> dict[str, list[str]]:
    """The faults by picture; a fault line begins with the name of the screen and its tag."""
    found: dict[str, list[str]] = {}
    for fault in shown.faults:
        name, _, words = fault.partition(": ")
        found.setdefault(name.replace(" ", "-"), []).append(words)
    return found


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.screens")
    parser.add_argument("--out", type=Path, help="where the pictures and index.html go (default: a new folder)")
    out: Path = parser.parse_args().out or Path(tempfile.mkdtemp(prefix="screens-"))
    out.mkdir(parents=True, exist_ok=True)
    everything = Shown()
    for module, arguments in windows():
        shown = show(module, arguments, out)
        everything.pictures += shown.pictures
        everything.faults += shown.faults
        print(f"{' '.join(arguments)}: {len(shown.pictures)} screens, {len(shown.faults)} faults", flush=True)
    for fault in everything.faults:
        print(fault)
    (out / "index.html").write_text(index(everything), encoding="utf-8")
    failed = len(faults_by_screen(everything))
    print(f"pictures: {out / 'index.html'}")
    print(f"{max(0, len(everything.pictures) - failed)} passed, {failed} failed")
    return 1 if failed or not everything.pictures else 0


if __name__ == "__main__":
    sys.exit(main())
