"""The timeline's lines for dice: throws of tackles and defensive supports, and shots."""

from __future__ import annotations

from companion.games.base import Fields, Message, Outcome
from companion.games.footclub import words_people as people
from companion.games.footclub.state import State
from companion.games.footclub.tables import other
from companion.games.footclub.words import card, word
from companion.games.wording import listed, literal


def roll(state: State, fields: Fields, outcome: Outcome) -> Message:
    """Two dice. After a foul the state no longer knows whose they were: then the club is named, or nobody."""
    first, second = fields["dice"]
    dice = {"first": first, "second": second}
    if not outcome:
        return Message("footclub.line.dice", dice)
    result = outcome["result"]
    if result == "second_throw":
        kind = state.duel.kind if state.duel else "tackle"
        who = people.short(state, state.duel.player) if state.duel else ""
        return Message("footclub.line.roll", {**dice, "who": who, "result": word("roll", f"{kind}.second_throw")})
    if outcome["set_piece"] is None and state.offensive is None:
        line = _tackled(state, outcome, dice)
    else:
        line = _supported(state, outcome, dice)
    consequences = _consequences(outcome)
    return Message("common.list", {"head": line, "rest": consequences}) if consequences else line


def _tackled(state: State, outcome: Outcome, dice: dict[str, int]) -> Message:
    """A tackle's end: its player has the ball, or the club that has it was fouled."""
    result = outcome["result"]
    if result == "success" and state.holder is not None:
        who = people.short(state, state.holder)
    elif state.possession is not None:
        who = state.setup.name(state.possession if result == "success" else other(state.possession))
    else:
        who = ""
    return Message("footclub.line.roll" if who else "footclub.line.roll_bare", _result(dice, who, f"tackle.{result}"))


def _supported(state: State, outcome: Outcome, dice: dict[str, int]) -> Message:
    """A defensive support's end, by the club that defends."""
    who = state.setup.name(other(state.offensive.side)) if state.offensive else ""
    result = f"defensive_support.{outcome['result']}"
    return Message("footclub.line.roll" if who else "footclub.line.roll_bare", _result(dice, who, result))


def _result(dice: dict[str, int], who: str, result: str) -> dict[str, object]:
    return {**dice, "who": who, "result": word("roll", result)}


def _consequences(outcome: Outcome) -> Message | None:
    """Card, sending-off, injury and set piece of a foul, in this order."""
    found = []
    if outcome["card"]:
        found.append(word("shown", outcome["card"]))
    if outcome["sent_off"] and outcome["card"] == "yellow":
        found.append(word("shown", "sent_off"))
    if outcome["injury"]:
        found.append(word("injury", outcome["injury"]))
    if outcome["set_piece"]:
        found.append(card(outcome["set_piece"]))
    return listed(found) if found else None


def shot(state: State, fields: Fields, outcome: Outcome) -> Message:
    """A shot's throw: the dice alone while the attack die is due, else the totals that were compared."""
    if not outcome:
        values = [str(fields[key]) for key in ("defence", "attack") if key in fields]
        return Message("footclub.line.shot_bare", {"dice": " – ".join(values)})
    if outcome["result"] == "pending":
        return Message("footclub.line.shot_pending", {"defence": outcome["defence"]})
    totals = {"attack": outcome["attack_total"], "defence": outcome["defence"]}
    if "shooter" in outcome:
        return _kick(state, outcome, totals)
    if outcome["result"] == "goal" and outcome.get("scorer"):
        return Message("footclub.line.goal", {**totals, "player": people.short(state, outcome["scorer"])})
    return Message("footclub.line.shot", {**totals, "result": word("shot", outcome["result"])})


def _kick(state: State, outcome: Outcome, totals: dict[str, int]) -> Message:
    result = outcome["result"]
    verdict = word("kick", result) if result in ("goal", "save", "corner") else word("shot", result)
    if outcome["shooter"] is None:
        return Message("footclub.line.shot", {**totals, "result": verdict})
    args = {**totals, "result": verdict, "player": literal(people.short(state, outcome["shooter"]))}
    return Message("footclub.line.kick", args)
