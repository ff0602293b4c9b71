"""Maps dice on the table to an event (chapter 22): the camera reads the dice, the phase gives their purpose."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.base import Die, Fields, JsonObject
from companion.games.footclub.rulebook import RULEBOOK
from companion.games.footclub.state import State
from companion.games.footclub.tables import COLOURS


def event_from_dice(state: State, dice: Sequence[Die]) -> JsonObject | None:
    """Return the event of these dice in the given order, or None if they are not the expected dice."""
    fields = _event(state, dice)
    return fields if fields is not None and RULEBOOK.refusal_for(state, RULEBOOK.parse(fields)) is None else None


def dice_from_event(fields: Fields) -> tuple[Die, ...]:
    """Return the dice of an event, the defence die before the attack die; empty for an event without dice."""
    event = fields["event"]
    if event == "ball":
        return (Die("ball", colour=fields["colour"]),)
    values = fields["dice"] if event == "roll" else ()
    if event == "shot":
        values = [fields[key] for key in ("defence", "attack") if key in fields]
    return tuple(Die("pips", value) for value in values)


def faces(state: State, kind: str) -> tuple[Die, ...]:
    """Return the faces of a die of this kind: six colours for the ball, one to six for a classic die."""
    if kind == "ball":
        return tuple(Die(kind, colour=colour) for colour in COLOURS)
    return tuple(Die(kind, value) for value in range(1, 7)) if kind == "pips" else ()


def _event(state: State, dice: Sequence[Die]) -> JsonObject | None:
    if state.phase in ("pre_match", "half_time", "extra_time_break"):
        if len(dice) == 1 and dice[0].kind == "ball" and dice[0].colour is not None:
            return {"event": "ball", "colour": dice[0].colour}
        return None
    values = [die.value for die in dice if die.kind == "pips" and die.value is not None]
    if len(values) != len(dice):
        return None
    if state.phase == "duel" and len(values) == 2:
        return {"event": "roll", "dice": values}
    if state.phase in ("offensive", "set_piece", "shootout") and 1 <= len(values) <= 2:
        return _shot(state, values)
    return None


def _shot(state: State, values: list[int]) -> JsonObject | None:
    shot = state.shootout if state.phase == "shootout" else state.offensive
    has_defence_die = shot is not None and shot.defence_die is not None
    if len(values) == 2:
        return None if has_defence_die else {"event": "shot", "defence": values[0], "attack": values[1]}
    return {"event": "shot", "attack" if has_defence_die else "defence": values[0]}
