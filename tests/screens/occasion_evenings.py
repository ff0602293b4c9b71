"""A whole match of occasion by touch alone, from home to its end, with a foul, support and an undo."""

from __future__ import annotations

from typing import Any

from tests.app.evening import SceneContext
from tests.screens.scenes_occasion import DEAD_AFTER_MOVE, Scene, starting

MAX_STEPS = 60


async def whole_match(evening: SceneContext) -> None:
    """Play a match to one goal; the attacker keeps passing until the goal."""
    table, app = evening.table, evening.table.app
    await evening.tap("app.home.new")
    await evening.tap("app.game.occasion")
    await evening.capture("03-occasion-usual")
    await table.tap("1")
    await evening.tap("app.prepare.start")
    session = app.session
    assert session.state.setup.goals_to_win == 1
    done: set[str] = set()
    for _ in range(MAX_STEPS):
        if session.game.finished(session.state):
            break
        await step(evening, session, done)
    assert session.game.finished(session.state), table.texts()
    assert sum(session.state.score) == 1
    assert {"support", "foul", "larger", "let_pass"} <= done
    await evening.capture("11-match-over")
    await evening.tap("app.table.menu_home")
    await evening.tap("app.home.look_back")
    assert any("1" in text for text in table.texts())


async def step(evening: SceneContext, session: Any, done: set[str]) -> None:
    """Perform the awaited action once; wait for widgets that do not accept taps yet."""
    table, before = evening.table, session.sequence
    await table.seconds(DEAD_AFTER_MOVE)
    await _PHASES[session.state.phase](evening, session, done)
    await table.frames(3)
    assert session.sequence != before, f"nothing happened in {session.state.phase}: {table.texts()}"


async def _filled(evening: SceneContext, session: Any, done: set[str]) -> None:
    """Take the usual choice with the first option of each prompt."""
    taps = [tap for tap in evening.table.taps() if getattr(tap, "prominence", 0) == 1 and not tap.is_unavailable]
    await evening.table.tap_widget(taps[0])
    await _first_option(evening)


async def _first_option(evening: SceneContext) -> None:
    if evening.table.app.navigator.sheets:
        rows = [tap for tap in evening.table.taps() if type(tap).__name__ == "ChoiceButton" and not tap.is_unavailable]
        await evening.table.tap_widget(rows[0])


async def _defend(evening: SceneContext, session: Any, done: set[str]) -> None:
    """Oppose once if a player can; afterwards let through."""
    can = any(
        choice.event.get("choice") == "oppose" and choice.disabled_reason is None
        for choice in session.decision().choices
    )
    if can and "oppose" not in done:
        done.add("oppose")
        await _filled(evening, session, done)
    else:
        done.add("let_pass")
        await evening.table.tap_widget(starting(evening, evening.translate("occasion.do.let_pass")))


async def _support(evening: SceneContext, session: Any, done: set[str]) -> None:
    """Bring in two supporting players, once."""
    if "support" in done:
        await evening.table.tap_widget(starting(evening, evening.translate("occasion.do.support_done")))
        return
    done.add("support")
    await evening.table.tap_widget(starting(evening, evening.translate("occasion.do.add_support")))
    rows = [tap for tap in evening.table.taps() if type(tap).__name__ == "ChoiceButton" and not tap.is_unavailable]
    for row in rows[:2]:
        await evening.table.tap_widget(row)
    await evening.tap("app.ask.done")
    assert session.ledger.newest.fields["players"]


async def _reveal(evening: SceneContext, session: Any, done: set[str]) -> None:
    """Reveal a large energy, declare a foul without effect and undo it, then reveal small energies."""
    table = evening.table
    if "larger" not in done:
        done.add("larger")
        await table.tap_widget(starting(evening, evening.translate("app.ask.and_more", value=9)))
        await evening.tap("app.ask.done")
        assert session.ledger.newest.fields["value"] == 9
    elif "foul" not in done:
        done.add("foul")
        await table.tap_widget(starting(evening, evening.translate("occasion.do.foul_called")))
        await evening.tap("occasion.effect.none")
        await evening.tap("occasion.option.no_card")
        await evening.tap("occasion.option.no_player")
        assert session.ledger.newest.fields["effect"] == "none"
        await evening.tap("app.table.undo")
        assert session.ledger.newest.fields["event"] == "reveal"
    else:
        await table.tap("2")


async def _confirm(evening: SceneContext, session: Any, done: set[str]) -> None:
    await evening.table.tap_widget(starting(evening, evening.translate("occasion.do.resolve")))


async def _advance(evening: SceneContext, session: Any, done: set[str]) -> None:
    await evening.table.tap_widget(starting(evening, session.state.options[0]))


async def _shoot(evening: SceneContext, session: Any, done: set[str]) -> None:
    await evening.table.tap_widget(starting(evening, evening.translate("occasion.do.goal_scored")))


_PHASES = {
    "choose_occasion": _filled,
    "attack_move": _filled,
    "defence": _defend,
    "support": _support,
    "reveal": _reveal,
    "verdict": _confirm,
    "advance": _advance,
    "shot": _shoot,
}

EVENINGS: dict[str, Scene] = {"occasion_match": whole_match}
