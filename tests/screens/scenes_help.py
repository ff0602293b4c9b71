"""Scenes of the help: rules opened from every citation, and a guided first match in every game."""

from __future__ import annotations

from companion.app.help.rules import hint
from tests.app.evening import SceneContext
from tests.screens.scenes import Scene, open_table, starting, watched
from tests.screens.scenes_occasion import opened

GAMES = ("footclub", "nba", "hoops21", "occasion")


async def rules(evening: SceneContext) -> None:
    """Open rules from a notice, a refused option, the menu and the list of further choices, and return."""
    table = evening.table
    await opened(evening, "reveal")
    await table.tap_widget(starting(evening, evening.translate("occasion.do.foul_called")))
    await table.tap_widget(starting(evening, evening.translate("occasion.do.foul_called") + " "))
    await evening.capture("help-rule")
    assert evening.translate("help.OC-8.1") in table.texts()
    await evening.tap("app.close")
    assert not table.app.navigator.sheets
    await evening.tap("app.table.menu")
    await evening.tap("app.help.phase")
    await evening.capture("help-phase")
    await table.tap_widget(starting(evening, "OC-7.1"))
    assert evening.translate("help.OC-7.1") in table.texts()
    await evening.tap("app.close")
    await evening.tap("app.close")
    await open_table(evening, "attack", watched())
    await table.tap_widget(next(tap for tap in table.taps() if getattr(tap, "is_unavailable", False)))
    notice = next(tap for tap in table.taps() if type(tap).__name__ == "RuleNotice")
    await table.tap_widget(notice)
    await evening.capture("help-rule-footclub")
    assert any(text.startswith(evening.translate("app.help.rule", rule="FC-")) for text in table.texts())
    await evening.tap("app.close")
    table.app.show_error("…  (FC-8.2)")
    await table.frames(3)
    await evening.capture("help-refusal")
    await evening.tap("app.help.open", rule="FC-8.2")
    assert evening.translate("help.FC-8.2") in table.texts()
    await evening.tap("app.close")
    await evening.tap("app.close")


async def guided(evening: SceneContext) -> None:
    """Each game starts at once with a hint for its phase; hints can be opened, closed and restored."""
    table, app = evening.table, evening.table.app
    for game in GAMES:
        app.navigator.go_home()
        await table.frames(6)
        await evening.tap("app.home.new")
        await evening.tap("app.help.first")
        await evening.capture("help-first")
        await evening.tap(f"app.game.{game}")
        await table.frames(6)
        assert app.session.game.id == game
        await evening.capture(f"guide-{game}")
        hint_text = evening.translate("app.help.hint", hint=hint(app.session))
        await table.tap(hint_text)
        await evening.capture(f"guide-{game}-open")
        await evening.tap("app.close")
        await evening.tap("app.help.hide_guide")
        assert not table.has(hint_text)
        await evening.tap("app.table.menu")
        await evening.tap("app.help.show_guide")
        await table.frames(3)
        assert table.has(hint_text)


SCENES: dict[str, Scene] = {"help_rules": rules, "help_guided": guided}
