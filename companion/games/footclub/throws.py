"""Which event the dice on the table make (chapter 22): the camera tells the dice, the phase tells what they are for."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.base import Die, Fields, JsonObject
from companion.games.footclub.rulebook import RULEBOOK
from companion.games.footclub.state import State
from companion.games.footclub.tables import COLOURS


def throw(state: State, dice: Sequence[Die]) -> JsonObject | None:
    """The event of these dice in the order given, or None if they are not the dice awaited now."""
    fields = _event(state, dice)
    return fields if fields is not None and RULEBOOK.legal(state, RULEBOOK.parse(fields)) is None else None


def dice(fields: Fields) -> tuple[Die, ...]:
    """The dice that made an event, the defence die before the attack die; none for an event that no dice make."""
    event = fields["event"]
    if event == "ball":
        return (Die("ball", colour=fields["colour"]),)
    values = fields["dice"] if event == "roll" else ()
    if event == "shot":
        values = [fields[key] for key in ("defence", "attack") if key in fields]
    return tuple(Die("pips", value) for value in values)


def faces(state: State, kind: str) -> tuple[Die, ...]:
    """What a die of this kind can show: the ball its colours, a classic die one to six."""
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
    lying = shot is not None and shot.defence_die is not None
    if len(values) == 2:
        return None if lying else {"event": "shot", "defence": values[0], "attack": values[1]}
    return {"event": "shot", "attack" if lying else "defence": values[0]}
