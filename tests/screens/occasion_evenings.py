"""A whole match of the game of chances by touch alone: from home to its end, with a foul, support and an undo."""

from __future__ import annotations

from typing import Any

from tests.app.evening import Evening
from tests.screens.scenes_occasion import DEAD_AFTER_MOVE, Scene, starting

MOST_STEPS = 60


async def whole_match(evening: Evening) -> None:
    """One goal wins; whoever attacks passes on until it falls."""
    table, app = evening.table, evening.table.app
    await evening.tap("app.home.new")
    await evening.tap("app.game.occasion")
    await evening.look("03-occasion-usual")
    await table.tap("1")
    await evening.tap("app.prepare.start")
    session = app.session
    assert session.state.setup.goals_to_win == 1
    done: set[str] = set()
    for _ in range(MOST_STEPS):
        if session.game.finished(session.state):
            break
        await step(evening, session, done)
    assert session.game.finished(session.state), table.words()
    assert sum(session.state.score) == 1
    assert {"support", "foul", "larger", "let_pass"} <= done
    await evening.look("11-match-over")
    await evening.tap("app.table.menu_home")
    await evening.tap("app.home.look_back")
    assert any("1" in words for words in table.words())


async def step(evening: Evening, session: Any, done: set[str]) -> None:
    """What is due now, once; whatever has just come under the finger is waited for."""
    table, before = evening.table, session.sequence
    await table.seconds(DEAD_AFTER_MOVE)
    await _PHASES[session.state.phase](evening, session, done)
    await table.frames(3)
    assert session.sequence != before, f"nothing happened in {session.state.phase}: {table.words()}"


async def _filled(evening: Evening, session: Any, done: set[str]) -> None:
    """The usual choice, and the first option of what it asks."""
    taps = [tap for tap in evening.table.taps() if getattr(tap, "prominence", 0) == 1 and not tap.is_unavailable]
    await evening.table.tap_widget(taps[0])
    await _first_option(evening)


async def _first_option(evening: Evening) -> None:
    if evening.table.app.navigator.sheets:
        rows = [tap for tap in evening.table.taps() if type(tap).__name__ == "ChoiceButton" and not tap.is_unavailable]
        await evening.table.tap_widget(rows[0])


async def _defend(evening: Evening, session: Any, done: set[str]) -> None:
    """Opposes where somebody can, once; then lets through."""
    can = any(choice.event.get("choice") == "oppose" and choice.barred is None for choice in session.decision().choices)
    if can and "oppose" not in done:
        done.add("oppose")
        await _filled(evening, session, done)
    else:
        done.add("let_pass")
        await evening.table.tap_widget(starting(evening, evening.words("occasion.do.let_pass")))


async def _support(evening: Evening, session: Any, done: set[str]) -> None:
    """Two players come in support, once."""
    if "support" in done:
        await evening.table.tap_widget(starting(evening, evening.words("occasion.do.support_done")))
        return
    done.add("support")
    await evening.table.tap_widget(starting(evening, evening.words("occasion.do.add_support")))
    rows = [tap for tap in evening.table.taps() if type(tap).__name__ == "ChoiceButton" and not tap.is_unavailable]
    for row in rows[:2]:
        await evening.table.tap_widget(row)
    await evening.tap("app.ask.done")
    assert session.ledger.newest.fields["players"]


async def _reveal(evening: Evening, session: Any, done: set[str]) -> None:
    """A large energy, a foul that changes nothing and is taken back, then small ones."""
    table = evening.table
    if "larger" not in done:
        done.add("larger")
        await table.tap_widget(starting(evening, evening.words("app.ask.and_more", value=9)))
        await evening.tap("app.ask.done")
        assert session.ledger.newest.fields["value"] == 9
    elif "foul" not in done:
        done.add("foul")
        await table.tap_widget(starting(evening, evening.words("occasion.do.foul_called")))
        await evening.tap("occasion.effect.none")
        await evening.tap("app.ask.skip")
        await evening.tap("app.ask.skip")
        assert session.ledger.newest.fields["effect"] == "none"
        await evening.tap("app.table.undo")
        assert session.ledger.newest.fields["event"] == "reveal"
    else:
        await table.tap("2")


async def _confirm(evening: Evening, session: Any, done: set[str]) -> None:
    await evening.table.tap_widget(starting(evening, evening.words("occasion.do.resolve")))


async def _advance(evening: Evening, session: Any, done: set[str]) -> None:
    await evening.table.tap_widget(starting(evening, session.state.options[0]))


async def _shoot(evening: Evening, session: Any, done: set[str]) -> None:
    await evening.table.tap_widget(starting(evening, evening.words("occasion.do.goal_scored")))


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
