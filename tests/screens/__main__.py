"""`python -m tests.screens [--out DIR]`: every screen in three sizes and five looks, including the pseudo language."""

from __future__ import annotations

import argparse
import html
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path

from tests.screens.whole_list import WHOLE
from tests.screens.whole_log import notes_in, unseen

ROOT = Path(__file__).parents[2]
SIZES = ("800x480", "1280x720", "720x1280")
DISPLAY_VARIANTS = (
    ("fr", "normal", "100"),
    ("en", "normal", "100"),
    ("pseudo", "normal", "100"),
    ("fr", "dark", "130"),
    ("en", "light", "115"),
)
"""Language, contrast and text size."""
GROUPS = {
    "footclub": (
        "phases", "long_names", "scripts", "asks", "explained", "doubts", "counted", "timeline", "mended",
        "consequences", "replaced", "edited", "rewritten",
    ),
    "back": ("look_back", "one_match", "pictured", "ended", "broken", "damaged", "exported", "removed", "records"),
    "long_report": ("long_report",),
    "occasion": (
        "occasion_phases", "occasion_long_names", "occasion_asks", "occasion_cards", "occasion_facing",
        "occasion_corrected",
    ),
    "help": ("help_rules", "help_guided"),
    "nba": ("nba_phases", "nba_long_names", "nba_asks", "nba_dice", "nba_list", "nba_market", "nba_lost"),
    "nba_prepare": ("nba_team", "nba_own_cards", "nba_deck", "nba_draft", "nba_readings", "nba_fatigue"),
    "nba_series": ("nba_campaign_pages", "nba_legacy_pages"),
    "hoops21": (
        "hoops21_preparing", "hoops21_phases", "hoops21_long_names", "hoops21_asks", "hoops21_entered",
        "hoops21_doubts",
    ),
    "moments": ("films", "moment_touched", "moment_facing", "moment_long", "lying_die"),
    "material": ("hoops21_material", "occasion_posts"),
    "house": ("house_settings", "house_diagnostic", "house_saver", "house_keys", "house_facing", "house_facing_games"),
    "buttons": ("buttons_pressed", "buttons_referee", "buttons_unplugged", "buttons_tried", "buttons_over_sheets"),
    "calibrate": ("calibrate", "calibrate-blind"),
    "calibrate_drift": ("calibrate-drift",),
    "trouble": ("trouble_settings", "trouble_full"),
    "wizard": ("first_steps", "first_steps_cameras", "first_steps_absent", "table_settings", "table_settings_panel"),
    "tournament": (
        "tournament_waiting", "tournament_presences", "tournament_decided", "tournament_confirming",
        "tournament_disputed", "tournament_called", "tournament_joining", "tournament_scanning",
        "tournament_pairing",
    ),
    "tournament_end": ("tournament_ended",),
    "opponents": ("opponents_prepare", "opponents_table"),
    "people": ("people_records", "people_prepare", "people_crests", "people_club"),
    "boards": ("boards", "boards_break", "boards_picture", "boards_again", "boards_facing"),
    "legs": ("legs_options", "legs_second", "legs_league"),
    "season": ("season", "clock", "sheets"),
    "hoops21_own": ("hoops21_own",),
    "hoops21_rerolled": ("hoops21_rerolled",),
    "nba_quick": ("nba_quick",),
    "nba_alone": ("nba_alone",),
    "nba_built": ("nba_built",),
    "cards": ("cards_rooms", "cards_forms", "cards_tables", "cards_squads", "cards_market"),
}  # fmt: skip
"""Scenes that share a window, by group name. A scene that leaves a match or a setup behind has one of its own."""
WITHOUT_LOOKS = frozenset((
    *(f"against_{game}" for game in ("footclub", "hoops21", "nba", "occasion")),
    "alike", "buttons_questioned", "explored_by_touch", "face_to_face", "first_steps_left", "first_steps_locked",
    "goal", "half_entered", "hoops21_long_match", "hoops21_match", "hoops21_thrown", "late_touches", "locked",
    "manners", "moment_off", "moment_replaced", "narrow_dice", "nba_campaign", "nba_drafted", "nba_four", "nba_whole",
    "occasion_match", "occasion_own", "pinched", "rested", "resume", "running_full_disk", "running_green_light",
    "running_killed_camera", "running_on_every_page", "secrets_are_not_told", "spoken_match", "table_settings_blocked",
    "taps", "typed", "veiled",
))  # fmt: skip
"""Scenes of behaviour and whole matches, which the tests of `tests/app` run in one or two looks."""
EVENINGS = ("prepare", "wander")
"""Scenarios of `tests.app.evening`, each in a window of its own."""
TIMEOUT_MINUTES = 15


@dataclass
class SceneResult:
    """Result of one window: its screenshots and their layout faults."""

    pictures: list[Path] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)


def windows(chosen: Callable[[str], bool]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield module and arguments of the windows to open: scenes, size, language, contrast, text; filtered by
    `chosen`."""
    for size, (language, contrast, text) in product(SIZES, DISPLAY_VARIANTS):
        for name, scenes in GROUPS.items():
            if chosen("-".join((name, size, language, contrast, text))):
                yield "tests.screens.show", (",".join(scenes), size, language, contrast, text)
        for scene in EVENINGS:
            if chosen("-".join((scene, size, language, contrast, text))):
                yield "tests.app.evening", (scene, size, language, contrast, text)
    for evening, size, language in WHOLE:
        if chosen("-".join((evening, size, language, "normal", "100"))):
            yield "tests.screens.show", (evening, size, language, "normal", "100")


def show(module: str, arguments: tuple[str, ...], out: Path) -> SceneResult:
    """Open one window, play its scenes and collect the results; the screenshots are moved to `out`."""
    scene, *rest = arguments
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as pictures:
        command = [sys.executable, "-m", module, scene, folder, *rest, pictures]
        try:
            done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60 * TIMEOUT_MINUTES)
            faults = [line for line in done.stdout.splitlines() if line]
            if done.returncode not in (0, 1) or (done.returncode and not faults):
                faults.append(f"{' '.join(arguments)}: ended with {done.returncode}: {done.stderr[-800:]}")
        except subprocess.TimeoutExpired:
            faults = [f"{' '.join(arguments)}: not done after {TIMEOUT_MINUTES} minutes"]
        found = [Path(shutil.move(picture, out / picture.name)) for picture in sorted(Path(pictures).glob("*.png"))]
        for note in Path(pictures).glob("*.json"):
            shutil.move(note, out / note.name)
    return SceneResult(found, faults)


def index(result: SceneResult) -> str:
    """Return an HTML page with every screenshot and its faults."""
    faulty = faults_by_screen(result)
    figures = "".join(
        f'<figure><img src="{picture.name}" loading="lazy"><figcaption>{html.escape(picture.stem)}'
        f"<b>{html.escape('; '.join(faulty.get(picture.stem, ())))}</b></figcaption></figure>"
        for picture in result.pictures
    )
    style = "figure{display:inline-block;margin:8px;vertical-align:top}img{max-width:400px}b{color:#b00;display:block}"
    return f'<!doctype html><meta charset="utf-8"><title>Tapis Vert</title><style>{style}</style>{figures}'


def faults_by_screen(result: SceneResult) -> dict[str, list[str]]:
    """Return the faults by screenshot; a fault line starts with the name of the screen and its tag."""
    found: dict[str, list[str]] = {}
    for fault in result.faults:
        name, _, fault_text = fault.partition(": ")
        found.setdefault(name.replace(" ", "-"), []).append(fault_text)
    return found


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.screens")
    parser.add_argument("--out", type=Path, help="where the pictures and index.html go (default: a new folder)")
    parser.add_argument(
        "--only", nargs="*", default=[], help="windows whose name (nba-800x480-fr-dark-130) has them all"
    )
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="windows open at a time")
    options = parser.parse_args()
    out: Path = options.out or Path(tempfile.mkdtemp(prefix="screens-"))
    out.mkdir(parents=True, exist_ok=True)
    everything = SceneResult()
    chosen = list(windows(lambda name: all(f"-{part}-" in f"-{name}-" for part in options.only)))
    with ThreadPoolExecutor(options.jobs) as pool:
        for (module, arguments), result in zip(chosen, pool.map(lambda one: show(*one, out), chosen), strict=True):
            everything.pictures += result.pictures
            everything.faults += result.faults
            summary = f"{' '.join(arguments)}: {len(result.pictures)} screens, {len(result.faults)} faults"
            print("\n    ".join([f"{module.removeprefix('tests.')} {summary}", *result.faults]), flush=True)
    if not options.only:
        unseen_ones = [f"{page}: no whole evening came to this page" for page in sorted(unseen(notes_in(out)))]
        everything.faults += unseen_ones
        for fault in unseen_ones:
            print(fault)
    (out / "index.html").write_text(index(everything), encoding="utf-8")
    failed = len(faults_by_screen(everything))
    print(f"pictures: {out / 'index.html'}")
    print(f"{max(0, len(everything.pictures) - failed)} passed, {failed} failed")
    return 1 if failed or not everything.pictures else 0


if __name__ == "__main__":
    sys.exit(main())
