"""Number of taps of the most frequent actions, counted at Kivy's input and saved with their limits."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from random import Random
from typing import Any

from companion.games.base import Die, Fields
from companion.games.nba import NBA
from companion.games.nba.decisions import best_dice_to_keep
from companion.games.nba.throws import activation_from_dice, roll_die
from tests.app.evening import SceneContext
from tests.screens import scenes_hoops21, scenes_nba, stage_hoops21, stage_nba
from tests.screens.acting import WAKE_FRAMES, act
from tests.screens.scenes import open_table, starting, tap_first, watched
from tests.screens.scenes_correct import hold_fact, thrown
from tests.screens.scenes_legs import home
from tests.screens.scenes_people import PEOPLE, keep_people
from tests.screens.scenes_people import choose_person as choose_person_by_touch
from vision.roll import Face

COUNTS = "taps.json"
"""File in the scenario's folder: for each action its taps and the limit."""


@dataclass
class TouchCount:
    """Counter of touch-down events."""

    count: int = 0


@contextmanager
def count_touches() -> Iterator[TouchCount]:
    """Count every touch-down, from any source."""
    from kivy.base import EventLoop

    touches, post = TouchCount(), EventLoop.post_dispatch_input

    def counting(kind: str, touch: Any) -> Any:
        touches.count += kind == "begin"
        return post(kind, touch)

    EventLoop.post_dispatch_input = counting
    try:
        yield touches
    finally:
        EventLoop.post_dispatch_input = post


def legal(session: Any, event: str, *, wanted: Callable[[Fields], bool] = lambda _: True) -> Fields:
    """Return a legal event of that name, found with the game's random player."""
    for seed in range(400):
        fields: Fields = session.game.random_event(session.state, Random(seed))
        if fields["event"] == event and wanted(fields):
            return fields
    raise LookupError(f"no {event} in 400 tries")


async def tackle(evening: SceneContext) -> int:
    """Start a tackle up to its awaited dice."""
    session = await open_table(evening, "possession", watched())
    return await _named(evening, session, "footclub.card.tackle", "duel")


async def offensive(evening: SceneContext) -> int:
    """Start an offensive up to its awaited dice."""
    session = await open_table(evening, "attack", watched())
    return await _named(evening, session, "footclub.card.positional_attack", "offensive")


async def _named(evening: SceneContext, session: Any, card: str, phase: str) -> int:
    """Play a FootClub card at a section of its ribbon; the player that it names is then on the screen."""
    with count_touches() as touches:
        await tap_first(evening, card)
        tiles = [tap for tap in evening.table.taps() if type(tap).__name__ == "PlaceTile" and not tap.is_unavailable]
        player = tiles[0].detail
        await evening.table.tap_widget(tiles[0])
    assert session.state.phase == phase
    assert any(player.split()[-1] in text for text in evening.table.texts()), f"{player} is not named"
    return touches.count


async def nba_tactic(evening: SceneContext) -> int:
    """Activate a tactic; taps that enter its dice are not counted for the tactic."""
    session = await scenes_nba.open_table(evening, "defended")
    fields = legal(session, "activate")
    return await _played(evening, session, fields) - len(fields["dice"])


async def nba_turn_watched(evening: SceneContext) -> int:
    """Play a whole NBA turn with two tactics whose dice the camera reads."""
    reader = stage_nba.NbaReader()
    reader.wake()

    async def throw(session: Any, tactic: Any) -> None:
        size = session.state.roll_size(session.state.active_side, tactic)
        reader.throw(stage_nba.blank_dice([kind for kind, count in size.items() for _ in range(count)]))
        await evening.table.frames(12)

    return await _nba_turn(evening, reader, throw)


async def nba_turn_simulated(evening: SceneContext) -> int:
    """Play the same turn at a simulated table: the tray throws the dice of the tactic that is left."""
    reader = stage_nba.SimulatedReader()
    reader.wake()

    async def throw(_session: Any, tactic: Any) -> None:
        await evening.table.tap_widget(starting(evening, tactic.name))
        await evening.tap("app.table.throw_here")
        await evening.table.frames(12)

    return await _nba_turn(evening, reader, throw)


async def nba_turn_by_touch(evening: SceneContext) -> int:
    """Play the same turn without any camera: of usual dice those that are kept are entered on the tactic's sheet."""

    async def throw(session: Any, tactic: Any) -> None:
        dice, kept = usual_roll(session.state, tactic)
        await evening.table.tap_widget(starting(evening, tactic.name))
        for index in kept:
            await evening.table.tap_widget(count_button(evening, dice[index]))

    return await _nba_turn(evening, None, throw)


USUAL_ROLLS = 201
"""Number of random rolls of which the usual one is the middle."""


def usual_roll(state: Any, tactic: Any) -> tuple[list[Die], tuple[int, ...]]:
    """Return a roll of a tactic with the median number of dice that are worth keeping, and those dice."""
    random, kinds = Random(1), state.roll_size(state.active_side, tactic)
    rolls = []
    for _ in range(USUAL_ROLLS):
        dice = [roll_die(state, kind, random) for kind, count in kinds.items() for _ in range(count)]
        fields = activation_from_dice(state, tactic.id, dice)
        assert fields is not None
        rolled, _ = NBA.apply(state, NBA.parse(fields))
        rolls.append((dice, best_dice_to_keep(rolled)))
    return sorted(rolls, key=lambda roll: len(roll[1]))[USUAL_ROLLS // 2]


def count_button(evening: SceneContext, die: Die) -> Any:
    """Return the button that enters a die."""
    face = Face(die.value, die.colour)
    buttons = [tap for tap in evening.table.taps() if type(tap).__name__ == "CountButton"]
    return next(tap for tap in buttons if tap.option.face == face and tap.option.value["die"] == die.kind)


async def _nba_turn(evening: SceneContext, reader: Any, throw: Callable[[Any, Any], Awaitable[None]]) -> int:
    """Choose an offence and a defence of the hand, throw and keep the dice of both, and end the turn."""
    session = await scenes_nba.open_table(evening, "turn", reader)
    side, table = session.state.active_side, evening.table
    with count_touches() as touches:
        await tap_first(evening, "nba.do.prepare")
        rows = scenes_nba.picked_rows(evening)
        chosen = [session.state.setup.tactic(option.value) for option, _ in rows]
        pair = [next(tactic for tactic in chosen if tactic.type == type_) for type_ in ("defence", "offence")]
        for tactic in pair:
            await table.tap_widget(next(row for option, row in rows if option.value == tactic.id))
        await evening.tap("app.ask.done")
        for tactic, keep in zip(pair, ("keep", "keep_and_end"), strict=True):
            await throw(session, tactic)
            assert reader is None or session.state.phase == "roll", f"{tactic.name} was not rolled: {table.texts()}"
            await table.frames(WAKE_FRAMES)
            await tap_first(evening, f"nba.do.{keep}")
            await table.frames(WAKE_FRAMES)
            assert tactic.id not in session.state.team(side).prepared, f"the dice of {tactic.name} were not kept"
    assert session.state.active_side != side
    return touches.count


async def hoops21_throw(evening: SceneContext) -> int:
    """Throw dice that the camera reads, without a tap."""
    reader = stage_hoops21.watched()
    session = await scenes_hoops21.open_table(evening, "throw", reader)
    before = session.sequence
    with count_touches() as touches:
        reader.throw(stage_hoops21.dice_row("orange", "bbbpsf") + stage_hoops21.dice_row("white", "bbpssf"))
        await evening.table.frames(12)
    assert session.sequence > before, "the throw was not read"
    return touches.count


async def correction(evening: SceneContext) -> int:
    """Correct the last die from the table."""
    session = await thrown(evening, 5, 6)
    line = session.ledger.newest.line
    with count_touches() as touches:
        await hold_fact(evening)
        faces = [tap for tap in evening.table.taps() if type(tap).__name__ == "FaceButton"]
        await evening.table.tap_widget(faces[0])
    assert next(row for row in session.timeline() if row.line == line).is_corrected
    return touches.count


async def undo(evening: SceneContext) -> int:
    """Undo the last event."""
    session = await thrown(evening, 5, 6)
    standing = len(session.ledger.events)
    with count_touches() as touches:
        await evening.tap("app.table.undo")
    assert len(session.ledger.events) == standing - 1
    return touches.count


async def _played(evening: SceneContext, session: Any, fields: Fields) -> int:
    before = session.sequence
    with count_touches() as touches:
        await act(evening, session, fields)
    assert session.sequence == before + 1, f"{fields} was not recorded"
    return touches.count


async def kick_off_again(evening: SceneContext) -> int:
    """From home to the kick-off of a match with the last line-ups, through the page of the clubs."""
    await _ended(evening)
    evening.table.app.end_session()
    evening.table.app.navigator.go_home()
    await evening.table.frames(6)
    with count_touches() as touches:
        for id in ("app.home.new", "app.game.footclub", "app.end.same_line_ups", "app.clubs.kick_off"):
            await evening.tap(id)
            await evening.table.frames(3)
    _assert_ready(evening)
    return touches.count


async def rematch(evening: SceneContext) -> int:
    """Play a match that has ended again, with the same line-ups and tactics."""
    before = await _ended(evening)
    with count_touches() as touches:
        await evening.tap("app.end.rematch")
    await evening.table.frames(3)
    assert evening.table.app.session.match_id != before.match_id
    _assert_ready(evening)
    return touches.count


async def _ended(evening: SceneContext) -> Any:
    """Return a match of FootClub that has ended, on the table."""
    session = await open_table(evening, "finished", watched())
    assert session.game.finished(session.state)
    return session


def _assert_ready(evening: SceneContext) -> None:
    """Both teams and their tactics are there; only the roll of the ball is awaited."""
    session = evening.table.app.session
    assert session.state.phase == "pre_match"
    assert all(club.lineup is not None and club.tactics_known is not None for club in session.state.clubs)
    assert [request.kind for request in session.decision().dice] == ["ball"]


async def choose_person(evening: SceneContext) -> int:
    """Choose who plays a side from the persons who played before, in a match that is prepared."""
    await home(evening)
    keep_people(evening.table.app)
    await evening.tap("app.home.new")
    await evening.tap("app.game.hoops21")
    name = PEOPLE[0].name
    assert name not in evening.table.texts()
    with count_touches() as touches:
        await choose_person_by_touch(evening, name)
    assert name in evening.table.texts(), "the person is not shown"
    await home(evening)
    return touches.count


DONE: dict[str, tuple[Callable[[SceneContext], Awaitable[int]], int]] = {
    "footclub tackle": (tackle, 2),
    "footclub offensive": (offensive, 3),
    "nba tactic": (nba_tactic, 3),
    "nba turn with a camera": (nba_turn_watched, 6),
    "nba turn at a simulated table": (nba_turn_simulated, 12),
    "nba turn by touch": (nba_turn_by_touch, 12),
    "hoops21 throw": (hoops21_throw, 1),
    "correction of the last die": (correction, 2),
    "undo": (undo, 1),
    "footclub kick-off with the last line-ups": (kick_off_again, 4),
    "footclub rematch": (rematch, 1),
    "person who played before": (choose_person, 2),
}
"""Actions, and their maximum number of taps without dice."""


async def taps(evening: SceneContext) -> None:
    """Perform and count all actions."""
    found = {name: {"touches": await play(evening), "most": most} for name, (play, most) in DONE.items()}
    (evening.folder / COUNTS).write_text(json.dumps(found), encoding="utf-8")


SCENES: dict[str, Callable[[SceneContext], Awaitable[None]]] = {"taps": taps}
