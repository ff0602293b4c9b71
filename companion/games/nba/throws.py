"""Which event the dice on the table make (chapter 17): the camera tells the dice, the phase tells what they are for.

Dice thrown again are taken for the lowest ones of their kind: nobody gains by throwing a better one. Another choice is
told by touch.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from random import Random

from companion.games.base import Die, Fields, JsonObject
from companion.games.nba.dice_set import DiceSet, needs_asking
from companion.games.nba.forecast import parts
from companion.games.nba.rulebook import RULEBOOK
from companion.games.nba.state import State
from companion.games.nba.tables import BODY, COLOURS, DEFENCE, OFFENCE, OPEN, SKILLS, UNKNOWN


def throw(state: State, dice: Sequence[Die]) -> JsonObject | None:
    """The event of these dice, or None if they are not the dice awaited now or could make more than one event."""
    read = written(state.setup.dice_set, dice)
    if not read:
        return None
    found = [fields for fields in _events(state, read) if RULEBOOK.legal(state, RULEBOOK.parse(fields)) is None]
    return found[0] if len(found) == 1 else None


def dice(fields: Fields) -> tuple[Die, ...]:
    """The dice that made an event, in their order; none for an event that no dice make."""
    event = fields["event"]
    if event == "mismatch":
        thrown = [*fields["attack"], *fields["defence"]]
    elif event == "reroll":
        thrown = fields["to"]
    else:
        thrown = fields["dice"] if event in ("attack", "defend", "activate") else []
    return tuple(Die(die["die"], die["value"], None if die["die"] in BODY else die.get("colour")) for die in thrown)


def roll(state: State, kind: str, random: Random) -> Die:
    """A die of a kind as it falls: every face of the set alike, a number of unknown colour in any of the three."""
    value, colour = random.choice(state.setup.dice_set.of(kind))
    return Die(kind, value, random.choice(COLOURS) if colour == UNKNOWN else colour)


def faces(state: State, kind: str) -> tuple[Die, ...]:
    """What a die of a kind can show; a number of unknown colour in each of the three."""
    lying = state.setup.dice_set.of(kind) if kind in SKILLS else ()
    found = ((value, COLOURS if colour == UNKNOWN else (colour,)) for value, colour in lying)
    return tuple(dict.fromkeys(Die(kind, value, colour) for value, colours in found for colour in colours))


def written(dice_set: DiceSet, dice: Iterable[Die]) -> list[JsonObject] | None:
    """The dice as a journal has them; None if one of them is no die of this game or was not read."""
    found = []
    for die in dice:
        if die.kind not in SKILLS or die.value is None:
            return None
        one: JsonObject = {"die": die.kind, "value": die.value}
        if die.kind in DEFENCE and die.value:
            one["colour"] = die.colour
        if needs_asking(dice_set, die.kind, die.value):
            one["asked"] = True
        found.append(one)
    return found


def mended(dice_set: DiceSet, fields: Fields, was: Die, now: Die) -> Fields:
    """An event made by dice with one of its dice showing another face."""
    for key, lying in fields.items():
        if not isinstance(lying, list) or not all(isinstance(one, dict) and "die" in one for one in lying):
            continue
        for place, one in enumerate(lying):
            colour = None if one["die"] in BODY else one.get("colour")
            if Die(one["die"], one["value"], colour) == was:
                shown = written(dice_set, (now,)) or [one]
                return {**fields, key: [*lying[:place], *shown, *lying[place + 1 :]]}
    return fields


def _events(state: State, read: list[JsonObject]) -> list[JsonObject]:
    if state.phase == "roll":
        return _reroll(state, read)
    if state.phase not in OPEN:
        return []
    kinds = Counter(die["die"] for die in read)
    if state.setup.full:
        return [{"event": "activate", "tactic": id, "dice": read} for id in fitting(state, kinds)]
    if kinds.keys() <= set(OFFENCE):
        return [{"event": "attack", "dice": read}]
    return [{"event": "defend", "dice": read}] if kinds.keys() <= set(DEFENCE) else []


def fitting(state: State, kinds: Mapping[str, int]) -> list[str]:
    """The different prepared tactics that roll exactly these dice (NBA-7.3)."""
    side = state.mover
    board = dict.fromkeys(state.team(side).prepared)
    sizes = {id: state.roll_size(side, state.setup.tactic(id)) for id in board}
    return [id for id, size in sizes.items() if {kind: n for kind, n in size.items() if n} == dict(kinds)]


def _reroll(state: State, read: list[JsonObject]) -> list[JsonObject]:
    indices: list[int] = []
    to: list[JsonObject] = []
    tactic = state.setup.tactic(state.rolling.tactic)
    for skill, part in zip(tactic.skills, parts(state), strict=True):
        thrown = [die for die in read if die["die"] == skill]
        if len(thrown) > len(part.dice):
            return []
        indices += part.lowest(len(thrown))
        to += thrown
    return [{"event": "reroll", "dice": indices, "to": to}] if len(to) == len(read) else []
