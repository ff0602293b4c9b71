"""Help where it is needed: rules opened from wherever their numbers stand, a first match guided in every game."""

from __future__ import annotations

from companion.app.help.rules import hint
from tests.app.evening import Evening
from tests.screens.scenes import Scene, open_table, starting, watched
from tests.screens.scenes_occasion import opened

GAMES = ("footclub", "nba", "hoops21", "occasion")


async def rules(evening: Evening) -> None:
    """From a notice, from a refused option, from the menu and from the list of further choices, and back."""
    table = evening.table
    await opened(evening, "reveal")
    await table.tap_widget(starting(evening, evening.words("occasion.do.foul_called")))
    await table.tap_widget(starting(evening, evening.words("occasion.do.foul_called") + " "))
    await evening.look("help-rule")
    assert evening.words("help.OC-8.1") in table.words()
    await evening.tap("app.close")
    assert not table.app.navigator.sheets
    await evening.tap("app.table.menu")
    await evening.tap("app.help.phase")
    await evening.look("help-phase")
    await table.tap_widget(starting(evening, "OC-7.1"))
    assert evening.words("help.OC-7.1") in table.words()
    await evening.tap("app.close")
    await evening.tap("app.close")
    await open_table(evening, "attack", watched())
    await table.tap_widget(next(tap for tap in table.taps() if getattr(tap, "is_unavailable", False)))
    notice = next(tap for tap in table.taps() if type(tap).__name__ == "RuleNotice")
    await table.tap_widget(notice)
    await evening.look("help-rule-footclub")
    assert any(words.startswith(evening.words("app.help.rule", rule="FC-")) for words in table.words())
    await evening.tap("app.close")
    table.app.show_error("…  (FC-8.2)")
    await table.frames(3)
    await evening.look("help-refusal")
    await evening.tap("app.help.open", rule="FC-8.2")
    assert evening.words("help.FC-8.2") in table.words()
    await evening.tap("app.close")
    await evening.tap("app.close")


async def guided(evening: Evening) -> None:
    """Each game begins at once, with a hint for its phase; hints are opened, closed and brought back."""
    table, app = evening.table, evening.table.app
    for game in GAMES:
        app.navigator.go_home()
        await table.frames(6)
        await evening.tap("app.home.new")
        await evening.tap("app.help.first")
        await evening.look("help-first")
        await evening.tap(f"app.game.{game}")
        await table.frames(6)
        assert app.session.game.id == game
        await evening.look(f"guide-{game}")
        said = evening.words("app.help.hint", hint=hint(app.session))
        await table.tap(said)
        await evening.look(f"guide-{game}-open")
        await evening.tap("app.close")
        await evening.tap("app.help.hide_guide")
        assert not table.has(said)
        await evening.tap("app.table.menu")
        await evening.tap("app.help.show_guide")
        await table.frames(3)
        assert table.has(said)


SCENES: dict[str, Scene] = {"help_rules": rules, "help_guided": guided}
