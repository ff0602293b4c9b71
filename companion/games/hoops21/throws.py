"""Maps dice on the table to an event (chapter 17): the camera reads the dice, the phase gives their purpose."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from companion.games.base import Die, Fields, JsonObject
from companion.games.hoops21.dice_checks import count_symbols
from companion.games.hoops21.odds import symbol_list
from companion.games.hoops21.rulebook import RULEBOOK
from companion.games.hoops21.state import State
from companion.games.hoops21.tables import SIDES, SYMBOL_INDEX, SYMBOLS

_TWO_TEAMS = ("jump_ball", "throw", "shot")
_NAMED_BY_SIDE = (*_TWO_TEAMS, "free_throw")


def event_from_dice(state: State, dice: Sequence[Die]) -> JsonObject | None:
    """Return the event of these dice, or None if they are not the expected dice."""
    fields = _event(state, dice)
    return fields if fields is not None and RULEBOOK.refusal_for(state, RULEBOOK.parse(fields)) is None else None


def dice_from_event(fields: Fields) -> tuple[Die, ...]:
    """Return the dice of an event as they lay, orange's first; empty for an event without dice.

    For a reroll these are all dice of the team, the kept ones first; empty if the event does not name the team.
    """
    name = fields["event"]
    if name in _NAMED_BY_SIDE:
        return tuple(Die(side, symbol=symbol) for side in SIDES for symbol in fields.get(side, ()))
    if name == "inbound_throw":
        return tuple(Die(fields["team"], symbol=symbol) for symbol in fields["dice"])
    if name == "reroll" and fields.get("team") in SIDES:
        return tuple(Die(fields["team"], symbol=symbol) for symbol in (*fields["kept"], *fields["rolled"]))
    return ()


def die_faces(state: State, kind: str) -> tuple[Die, ...]:
    """Return the faces of a team's die: the four symbols."""
    return tuple(Die(kind, symbol=symbol) for symbol in SYMBOLS) if kind in SIDES else ()


def roll_die(state: State, kind: str, random: Random) -> Die:
    """Return a random die of a team, by the faces of the setup."""
    return Die(kind, symbol=random.choices(SYMBOLS, weights=state.setup.faces)[0])


def _event(state: State, dice: Sequence[Die]) -> JsonObject | None:
    if any(die.kind not in SIDES or die.symbol not in SYMBOL_INDEX for die in dice):
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
    return _again(state, symbols) if state.phase in ("tie", "reroll") and side == state.token_holder else None


def reroll_from_dice(state: State, dice: Sequence[Die], kept: Sequence[str]) -> JsonObject | None:
    """Return the reroll of the holder's dice that keeps these symbols; another one if the dice do not show them."""
    event = event_from_dice(state, dice)
    if event is None or not kept:
        return event
    after = count_symbols((*event["kept"], *event["rolled"]))
    left = count_symbols(tuple(kept))  # type: ignore[arg-type]
    if any(keeps > count for count, keeps in zip(after, left, strict=True)):
        return event
    rolled = tuple(count - keeps for count, keeps in zip(after, left, strict=True))
    return {**event, "kept": list(kept), "rolled": symbol_list(rolled)}


def _again(state: State, symbols: list[str]) -> JsonObject | None:
    """Return the reroll after which all the holder's dice show these symbols.

    A rerolled die that shows its old face counts as kept, which is equivalent; if nothing has changed, one die was
    rerolled. `team`, which the rules ignore, tells whose dice they are.
    """
    on_table = state.open_contest.counts_of(state.token_holder)
    after = count_symbols(tuple(symbols))  # type: ignore[arg-type]
    kept = [min(pair) for pair in zip(on_table, after, strict=True)]
    if kept == list(after):
        kept[next(index for index, count in enumerate(kept) if count)] -= 1
    rolled = tuple(count - left for count, left in zip(after, kept, strict=True))
    event = {"event": "reroll", "team": state.token_holder}
    return {**event, "kept": symbol_list(tuple(kept)), "rolled": symbol_list(rolled)}
