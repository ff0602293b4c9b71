"""Maps dice on the table to an event (chapter 17): the camera reads the dice, the phase gives their purpose.

Rerolled dice are assumed to be the lowest ones of their kind, because rerolling a better one never pays. Any other
choice is entered by touch.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from random import Random

from companion.games.base import Die, Fields, JsonObject
from companion.games.nba.dice_set import NbaDiceSet, needs_asking, was_read
from companion.games.nba.forecast import roll_parts
from companion.games.nba.rulebook import RULEBOOK
from companion.games.nba.state import State
from companion.games.nba.tables import BODY_COLOURS, COLOURS, DEFENCE, OFFENCE, SKILLS, TURN_PHASES, UNKNOWN_COLOUR


def event_from_dice(state: State, dice: Sequence[Die]) -> JsonObject | None:
    """Return the event of these dice, or None if they are not the expected dice or could make more than one event."""
    read = journal_dice(state.setup.dice_set, dice)
    if not read:
        return None
    found = [
        fields
        for fields in _candidate_events(state, read)
        if RULEBOOK.refusal_for(state, RULEBOOK.parse(fields)) is None
    ]
    return found[0] if len(found) == 1 else None


def dice_from_event(fields: Fields) -> tuple[Die, ...]:
    """Return the dice of an event whose faces are known, in order; empty for an event without dice."""
    event = fields["event"]
    if event == "mismatch":
        thrown = [*fields["attack"], *fields["defence"]]
    elif event == "reroll":
        thrown = fields["to"]
    else:
        thrown = fields["dice"] if event in ("attack", "defend", "activate") else []
    return tuple(
        Die(die["die"], die["value"], None if die["die"] in BODY_COLOURS else die.get("colour"))
        for die in thrown
        if was_read(die)
    )


def roll_die(state: State, kind: str, random: Random) -> Die:
    """Return a random die of a kind.

    All faces of the set are equally likely; a number of unknown colour gets any of the three.
    """
    value, colour = random.choice(state.setup.dice_set.of(kind))
    return Die(kind, value, random.choice(COLOURS) if colour == UNKNOWN_COLOUR else colour)


def die_faces(state: State, kind: str) -> tuple[Die, ...]:
    """Return the faces of a die of a kind; a number of unknown colour appears in each of the three."""
    set_faces = state.setup.dice_set.of(kind) if kind in SKILLS else ()
    found = ((value, COLOURS if colour == UNKNOWN_COLOUR else (colour,)) for value, colour in set_faces)
    return tuple(dict.fromkeys(Die(kind, value, colour) for value, colours in found for colour in colours))


def journal_dice(dice_set: NbaDiceSet, dice: Iterable[Die]) -> list[JsonObject] | None:
    """Return the dice in the journal's format; None if one is not a die of this game or was not read."""
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


def with_corrected_die(dice_set: NbaDiceSet, fields: Fields, was: Die, now: Die) -> Fields:
    """Return an event with one of its dice changed to another face."""
    for key, entries in fields.items():
        if not isinstance(entries, list) or not all(isinstance(one, dict) and "die" in one for one in entries):
            continue
        for place, one in enumerate(entries):
            colour = None if one["die"] in BODY_COLOURS else one.get("colour")
            if Die(one["die"], one["value"], colour) == was:
                corrected = journal_dice(dice_set, (now,)) or [one]
                return {**fields, key: [*entries[:place], *corrected, *entries[place + 1 :]]}
    return fields


def _candidate_events(state: State, read: list[JsonObject]) -> list[JsonObject]:
    if state.phase == "roll":
        return _reroll(state, read)
    if state.phase not in TURN_PHASES:
        return []
    kinds = Counter(die["die"] for die in read)
    if state.setup.full:
        return [{"event": "activate", "tactic": id, "dice": read} for id in matching_tactics(state, kinds)]
    if kinds.keys() <= set(OFFENCE):
        return [{"event": "attack", "dice": read}]
    return [{"event": "defend", "dice": read}] if kinds.keys() <= set(DEFENCE) else []


def matching_tactics(state: State, kinds: Mapping[str, int]) -> list[str]:
    """Return the different prepared tactics that roll exactly these dice (NBA-7.3)."""
    side = state.active_side
    board = dict.fromkeys(state.team(side).prepared)
    sizes = {id: state.roll_size(side, state.setup.tactic(id)) for id in board}
    return [id for id, size in sizes.items() if {kind: n for kind, n in size.items() if n} == dict(kinds)]


def reroll_from_dice(state: State, indices: Sequence[int], dice: Sequence[Die]) -> JsonObject | None:
    """Return the reroll of these dice of the open roll, or None if the dice are not as many of the same kinds."""
    read = journal_dice(state.setup.dice_set, dice)
    kinds = [state.open_roll.dice[index].die for index in indices]
    if not read or Counter(kinds) != Counter(die["die"] for die in read):
        return None
    by_kind = {kind: [die for die in read if die["die"] == kind] for kind in kinds}
    fields = {"event": "reroll", "dice": list(indices), "to": [by_kind[kind].pop(0) for kind in kinds]}
    return fields if RULEBOOK.refusal_for(state, RULEBOOK.parse(fields)) is None else None


def activation_from_dice(state: State, tactic: str, dice: Sequence[Die]) -> JsonObject | None:
    """Return the activation of a tactic with these dice, or None if they are not its dice."""
    read = journal_dice(state.setup.dice_set, dice)
    fields = {"event": "activate", "tactic": tactic, "dice": read}
    return fields if read and RULEBOOK.refusal_for(state, RULEBOOK.parse(fields)) is None else None


def _reroll(state: State, read: list[JsonObject]) -> list[JsonObject]:
    indices: list[int] = []
    to: list[JsonObject] = []
    tactic = state.setup.tactic(state.open_roll.tactic)
    for skill, part in zip(tactic.skills, roll_parts(state), strict=True):
        thrown = [die for die in read if die["die"] == skill]
        if len(thrown) > len(part.dice):
            return []
        indices += part.lowest(len(thrown))
        to += thrown
    return [{"event": "reroll", "dice": indices, "to": to}] if len(to) == len(read) else []
