"""Which event the dice on the table make (chapter 17): the camera tells the dice, the phase what they are for."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from companion.games.base import Die, Fields, JsonObject
from companion.games.hoops21.dice_checks import counted
from companion.games.hoops21.odds import spelled
from companion.games.hoops21.rulebook import RULEBOOK
from companion.games.hoops21.state import State
from companion.games.hoops21.tables import INDEX, SIDES, SYMBOLS

_TWO_TEAMS = ("jump_ball", "throw", "shot")
_NAMED_BY_SIDE = (*_TWO_TEAMS, "free_throw")


def throw(state: State, dice: Sequence[Die]) -> JsonObject | None:
    """The event of these dice, or None if they are not the dice awaited now."""
    fields = _event(state, dice)
    return fields if fields is not None and RULEBOOK.legal(state, RULEBOOK.parse(fields)) is None else None


def dice(fields: Fields) -> tuple[Die, ...]:
    """The dice that made an event as they lay, orange's first; none for an event that no dice make.

    Of a reroll these are all dice of the team, those kept first; none if the event does not tell the team.
    """
    name = fields["event"]
    if name in _NAMED_BY_SIDE:
        return tuple(Die(side, symbol=symbol) for side in SIDES for symbol in fields.get(side, ()))
    if name == "inbound_throw":
        return tuple(Die(fields["team"], symbol=symbol) for symbol in fields["dice"])
    if name == "reroll" and fields.get("team") in SIDES:
        return tuple(Die(fields["team"], symbol=symbol) for symbol in (*fields["kept"], *fields["rolled"]))
    return ()


def faces(state: State, kind: str) -> tuple[Die, ...]:
    """What a die of a team can show: the four symbols."""
    return tuple(Die(kind, symbol=symbol) for symbol in SYMBOLS) if kind in SIDES else ()


def roll(state: State, kind: str, random: Random) -> Die:
    """A die of a team as it falls, by the faces of the set-up."""
    return Die(kind, symbol=random.choices(SYMBOLS, weights=state.setup.faces)[0])


def _event(state: State, dice: Sequence[Die]) -> JsonObject | None:
    if any(die.kind not in SIDES or die.symbol not in INDEX for die in dice):
        return None
    by_side = {side: [str(die.symbol) for die in dice if die.kind == side] for side in SIDES}
    thrown: dict[str, list[str]] = {side: symbols for side, symbols in by_side.items() if symbols}
    if state.phase in _TWO_TEAMS:
        return {"event": state.phase, **thrown}
    if len(thrown) != 1:
        return None
    (side, symbols), *_ = thrown.items()
    if state.phase == "free_throw":
        return {"event": "free_throw", side: symbols}
    if state.phase == "inbound":
        return {"event": "inbound_throw", "team": side, "dice": symbols}
    return _again(state, symbols) if state.phase in ("tie", "reroll") and side == state.holder else None


def _again(state: State, symbols: list[str]) -> JsonObject | None:
    """All dice of the holder as they lie after it threw some again: what lay there before was kept.

    A die thrown again that shows what it showed counts as kept, which comes to the same; if nothing has changed, one
    die was thrown. `team`, which the rules ignore, tells whose dice they are.
    """
    lying = state.lying.of(state.holder)
    after = counted(tuple(symbols))  # type: ignore[arg-type]
    kept = [min(pair) for pair in zip(lying, after, strict=True)]
    if kept == list(after):
        kept[next(index for index, count in enumerate(kept) if count)] -= 1
    rolled = tuple(count - left for count, left in zip(after, kept, strict=True))
    event = {"event": "reroll", "team": state.holder}
    return {**event, "kept": spelled(tuple(kept)), "rolled": spelled(rolled)}
