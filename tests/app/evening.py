"""A test session at a table: a store in a folder, the app over it at one size, and scripted players.

Run as `python -m tests.app.evening SCENE FOLDER SIZE LANGUAGE CONTRAST TEXT [PICTURES]`, one window per process. Layout
faults are printed, one per line, and set the exit status to 1.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.app import driver
from tests.app.pseudo import PseudoLanguage

Scene = Callable[["SceneContext"], Awaitable[None]]


@dataclass
class SceneContext:
    """Context of a scene: the simulated finger, the texts of the language, and the store's folder."""

    table: driver.AppDriver
    translate: Callable[..., str]
    folder: Path
    pictures: Path | None
    tag: str
    faults: list[str]

    async def capture(self, name: str) -> None:
        """Check the layout of the current screen and save a screenshot if requested."""
        await self.table.frames(4)
        await self.table.end_moments()
        self.faults += [f"{name} {self.tag}: {fault}" for fault in driver.faults(self.table)]
        if self.pictures is not None:
            await self.table.picture(self.pictures / f"{name}-{self.tag}.png")

    async def tap(self, id: str, prefix: str = "", **args: Any) -> None:
        """Tap the widget with the text of a message id, prefixed by a side's name if given."""
        await self.table.tap(f"{prefix} {self.translate(id, **args)}".strip())


def make_app(folder: Path, language: str = "fr", contrast: str = "normal", text: int = 100) -> Any:
    """Return the real app over the real store of a folder; `pseudo` is also a language (see `tests.app.pseudo`)."""
    from companion.app.app import TapisVertApp
    from companion.config import Config, DisplayConfig, read_config

    file = folder / "config.toml"
    config = (
        read_config(file)
        if file.exists()
        else Config(display=DisplayConfig(language=language, text_scale=text, contrast=contrast, less_motion=True))
    )
    return TapisVertApp(matches_in(folder), config, config_file=file, squads=folder / "squads")


def matches_in(folder: Path) -> Any:
    """Return the saved matches of a folder; their texts may be in `pseudo` too."""
    import companion.app.context
    from companion.clock import SystemClock
    from companion.games.registry import GAMES
    from companion.journal.store import Store
    from companion.table.matches import Matches

    companion.app.context.Language = PseudoLanguage
    return Matches(Store.open(folder / "matches.db", SystemClock()), GAMES)


async def prepare(evening: SceneContext) -> None:
    """Go from home to a match ready for kick-off and check every screen on the way."""
    table, tap, capture = evening.table, evening.tap, evening.capture
    await capture("01-home-empty")
    await tap("app.home.new")
    await capture("02-games")
    if "pseudo" not in evening.tag:
        assert evening.translate("app.games.title") in table.texts(), "the header wraps its title before it drops it"
    await tap("app.game.footclub")
    await capture("03-clubs-empty")
    for side, club in (("blue", "Valcendre"), ("red", "Port-Mélian")):
        await tap("app.clubs.squad", evening.translate(f"app.side.{side}"))
        await capture("03-choose")
        await table.tap(club)
    await capture("03-clubs-squads")
    for club in ("Valcendre", "Port-Mélian"):
        await tap("app.clubs.sheet", club)
        title = evening.translate("app.lineup.title.sheet", club=club)
        await capture("13-lineup-covered")
        assert "pseudo" in evening.tag or title in table.texts(), table.texts()
        await table.hold(evening.translate("app.secret.alone"))
        await capture("13-lineup")
        assert "pseudo" in evening.tag or title in table.texts(), table.texts()
        await tap("app.lineup.validate")
        await tap("app.clubs.tactics", club)
        await capture("14-tactics-covered")
        await table.hold(evening.translate("app.secret.alone"))
        await tap("app.tactics.advised")
        await capture("14-tactics")
        await tap("app.tactics.done")
    await capture("03-clubs-ready")


async def wander(evening: SceneContext) -> None:
    """Check the special cases of the setup: disabled kick-off, formations, swaps, captain, settings, saved matches."""
    table, tap, capture = evening.table, evening.tap, evening.capture
    tidied = gc.get_stats()[2]["collections"]
    await tap("app.home.settings")
    await capture("19-settings")
    await tap("app.back")
    await tap("app.home.new")
    await tap("app.game.footclub")
    await tap("app.clubs.kick_off")
    await capture("03-missing")
    await tap("app.close")
    for side, club in (("blue", "Saint-Oréan"), ("red", "Montbrézil")):
        await tap("app.clubs.squad", evening.translate(f"app.side.{side}"))
        await table.tap(club)
    await tap("app.clubs.sheet", "Montbrézil")
    await table.hold(evening.translate("app.secret.alone"))
    await table.tap_widget(next(tap for tap in table.taps() if type(tap).__name__ == "BenchRow"))
    await capture("13-lineup-picked")
    await table.tap_widget(next(tap for tap in table.taps() if type(tap).__name__ == "PlayerToken" and tap.dash))
    await capture("13-lineup-exchanged")
    await table.tap_widget(next(tap for tap in table.taps() if tap.text_name().count("-") == 4))
    await capture("13-formations")
    await tap("app.close")
    await tap("app.back")
    await tap("app.back")
    await capture("01-home")
    await tap("app.home.look_back")
    await capture("matches")
    await table.until(lambda: gc.get_stats()[2]["collections"] > tidied)  # when idle, the app frees the pages it left


async def follow_rows(evening: SceneContext) -> None:
    """Every row to do opens or leads to what comes first; a tap beside a sheet closes it; going back loses nothing."""
    table, tap, app = evening.table, evening.tap, evening.table.app
    blue, red = (evening.translate(f"app.side.{side}") for side in ("blue", "red"))
    await tap("app.home.new")
    await tap("app.game.footclub")
    await tap("app.clubs.tactics", blue)
    assert evening.translate("app.clubs.choose", side=blue) in table.texts()
    await table.touch(4, 4)
    assert not app.navigator.sheets, "a tap beside the sheet closes it"
    await table.rest()
    await tap("app.clubs.sheet", red)
    assert evening.translate("app.clubs.choose", side=red) in table.texts()
    await table.tap("Valcendre")
    await evening.capture("03-one-squad")
    await tap("app.clubs.sheet", "Valcendre")
    await table.tap("Valcendre")
    await evening.capture("03-taken")
    assert evening.translate("app.clubs.taken", club="Valcendre", side=red) in " ".join(table.texts())
    await tap("app.close")
    await table.tap("Port-Mélian")
    await tap("app.back")
    await tap("app.game.footclub")
    await tap("app.clubs.tactics", "Valcendre")
    await table.hold(evening.translate("app.secret.alone"))
    await tap("app.lineup.validate")
    await tap("app.clubs.tactics", "Valcendre")
    await evening.capture("14-tactics-covered")
    await tap("app.back")
    await evening.capture("03-one-sheet")


async def die_after_the_first_sheet(evening: SceneContext) -> None:
    """Set up half a match, then cut the power."""
    table, tap = evening.table, evening.tap
    await tap("app.home.new")
    await tap("app.game.footclub")
    for side, club in (("blue", "Valcendre"), ("red", "Port-Mélian")):
        await tap("app.clubs.squad", evening.translate(f"app.side.{side}"))
        await table.tap(club)
    await table.tap(evening.translate("app.clubs.home", club="Port-Mélian"))
    await tap("app.clubs.sheet", "Valcendre")
    await table.hold(evening.translate("app.secret.alone"))
    await tap("app.lineup.validate")
    os.kill(os.getpid(), signal.SIGKILL)


async def find_it_again(evening: SceneContext) -> None:
    """After a restart the match is offered, with the completed sheet and the chosen home side."""
    table = evening.table
    await evening.capture("01-home-after")
    assert evening.translate("app.home.not_begun", n=1) in evening.table.texts()
    await evening.tap("app.home.resume")
    await evening.capture("03-after")
    session = table.app.session
    assert session.header["setup"]["home"] == "red"
    assert session.state.club("blue").lineup is not None
    assert session.state.club("red").lineup is None
    await evening.tap("app.clubs.kick_off")
    screen_text = " ".join(table.texts())
    assert evening.translate("app.clubs.missing.sheet", club="Port-Mélian") in screen_text
    assert evening.translate("app.clubs.missing.tactics", club="Valcendre") in screen_text


async def settle_in(evening: SceneContext) -> None:
    """Settings apply at once, in the chosen language, and are saved."""
    table, app = evening.table, evening.table.app
    await evening.tap("app.home.settings")
    await table.tap("English")
    assert "Settings" in table.texts()
    await table.tap("Very large")
    await table.tap("High")
    await evening.capture("19-settings")
    await table.tap("Seats")
    await table.tap("Blue on the right")
    assert app.theme.contrast == "dark"
    assert app.theme.text == 130
    kept = (evening.folder / "config.toml").read_text()
    assert 'language = "en"' in kept
    assert "text_scale = 130" in kept
    assert "swapped" not in kept
    await evening.tap("app.back")
    assert "New match" in table.texts()


async def find_settings_again(evening: SceneContext) -> None:
    """After a restart the settings are unchanged."""
    assert "New match" in evening.table.texts()
    assert evening.table.app.theme.text == 130
    assert not evening.table.app.preferences.swapped


async def misbehave(evening: SceneContext) -> None:
    """A second tap too soon, a touch that leaves its button, a closed sheet, a faulty squad file, an error."""
    from companion.app.widgets.button import TapGuard, Tappable

    table, app = evening.table, evening.table.app
    Tappable.guard = TapGuard(lambda: 5.0)
    new = table.find(evening.translate("app.home.new"))
    x, y = new.to_window(*new.center)
    await table.touch(x, y)
    await table.touch(x, y)
    assert app.navigator.back_stack[-1].name == "games", "the second tap came too soon to open a club list"
    await table.rest()
    await evening.tap("app.back")
    await table.slip(evening.translate("app.home.new"))
    assert app.navigator.back_stack[-1].name == "home"
    await evening.tap("app.home.new")
    await evening.tap("app.game.footclub")
    squads = evening.folder / "squads"
    squads.mkdir()
    (squads / "fautif.toml").write_text('name = "Fautif"\nplayrs = []\n')
    await evening.tap("app.clubs.squad", evening.translate("app.side.blue"))
    await evening.capture("03-choose-faulty")
    await table.tap("fautif.toml")
    assert any("playrs" in text for text in table.texts())
    await evening.tap("app.close")
    await table.tap("Valcendre")
    await table.tap(evening.translate("app.clubs.rename", club="Valcendre"))
    await evening.capture("03-rename")
    table.type_over("Étoile de Valcendre-les-Bains")
    await evening.tap("app.done")
    assert "Étoile de Valcendre-les-Bains" in table.texts()
    await evening.capture("03-long-name")
    app.on_unexpected_error(ValueError("made by a test"))
    await table.frames(4)
    assert evening.translate("app.surprise") in table.texts()
    await evening.capture("surprise")
    app.surprises.clear()
    await evening.tap("app.close")
    await evening.tap("app.back")
    await evening.tap("app.game.footclub")


async def change_players(evening: SceneContext) -> None:
    """In step 2 of a turn a bench player comes on and the captain keeps the armband."""
    from companion.games.footclub.lineup_draft import LineupDraft, event_from_draft
    from companion.games.footclub.squads import header, sample_clubs

    table, app = evening.table, evening.table.app
    session = app.start_match("footclub", header(*sample_clubs()[:2]))
    for side in ("blue", "red"):
        session.record(event_from_draft(LineupDraft.sheet(session.state.club(side))))
        session.record({"event": "tactics", "side": side})
    session.record({"event": "ball", "colour": "green"})
    app.open("lineup", session=session, side="red")
    await table.frames(4)
    await evening.capture("13-change")
    on_pitch = [tap for tap in table.taps() if type(tap).__name__ == "PlayerToken"]
    other = next(tap for tap in on_pitch if tap.text_name() != _captain(session))
    await table.tap_widget(other)
    await table.tap_widget(next(tap for tap in table.taps() if tap.text_name() == other.text_name()))
    assert any("FC-3.10" in text for text in table.texts())
    await evening.tap("app.close")
    await evening.tap("app.lineup.validate")
    assert any("FC-12.5" in text for text in table.texts())
    await evening.tap("app.close")
    await table.tap_widget(next(tap for tap in table.taps() if type(tap).__name__ == "BenchRow"))
    await table.tap_widget(next(tap for tap in table.taps() if type(tap).__name__ == "PlayerToken" and tap.dash))
    await evening.capture("13-change-made")
    await evening.tap("app.lineup.validate")
    assert session.state.club("red").replacements_left == 2
    assert app.navigator.back_stack[-1].name == "home"


def _captain(session: Any) -> str:
    from companion.games.wording import short_name

    club = session.state.club("red")
    return short_name(club.players[club.captain].card.name)


SCENES: dict[str, Scene] = {
    "change": change_players,
    "settle": settle_in,
    "settled": find_settings_again,
    "misbehave": misbehave,
    "prepare": prepare,
    "wander": wander,
    "rows": follow_rows,
    "die": die_after_the_first_sheet,
    "again": find_it_again,
}


def main(scene: str, folder: str, size: str, language: str, contrast: str, text: str, pictures: str = "") -> int:
    """Play one scene and return 0 if there were no faults."""
    from companion.app.app import prepare_window

    prepare_window(driver.SIZES[size])
    app = make_app(Path(folder), language, contrast, int(text))
    tag = "-".join(part for part in (size, language, contrast, text) if part not in ("normal", "100"))
    faults: list[str] = []

    async def play(table: driver.AppDriver) -> None:
        picture_folder = Path(pictures) if pictures else None
        await SCENES[scene](
            SceneContext(
                table, lambda id, **args: app.context.translate(id, **args), Path(folder), picture_folder, tag, faults
            )
        )

    driver.drive(app, play)
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
