"""One line of the timeline for each event: who, what, and what came of it.

The state is the one after the event. For an event that was taken back it is a later one and the outcome is empty: then
the line says the bare fact.
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.base import Fields, Message, Outcome
from companion.games.footclub import words as people
from companion.games.footclub.state import State
from companion.games.footclub.tables import Side, other
from companion.games.footclub.words import card, place, word
from companion.games.wording import listed, literal, signed


def said(id: str, state: State, side: Side, **args: object) -> Message:
    """A line about a club."""
    return Message(f"footclub.line.{id}", {"club": state.setup.name(side), **args})


def market_staff(state: State, fields: Fields, outcome: Outcome) -> Message:
    coach, goalkeeper = (people.short(state, fields[key]) for key in ("coach", "goalkeeper"))
    return said("market_staff", state, fields["side"], coach=coach, goalkeeper=goalkeeper)


def market_open(state: State, fields: Fields, outcome: Outcome) -> Message:
    return said("market_open", state, fields["first"])


def market_pick(state: State, fields: Fields, outcome: Outcome) -> Message:
    return said("takes", state, fields["side"], players=people.shorts(state, [fields["take"], *fields["pair"]]))


def market_transfer(state: State, fields: Fields, outcome: Outcome) -> Message:
    return said("takes", state, fields["side"], players=people.shorts(state, fields["take"]))


def team_sheet(state: State, fields: Fields, outcome: Outcome) -> Message:
    if not outcome:
        return said("team_sheet_bare", state, fields["side"])
    args = {"formation": outcome["formation"], "att": outcome["att"], "defence": outcome["def"]}
    return said("optimised_sheet" if outcome["optimised"] else "team_sheet", state, fields["side"], **args)


def tactics(state: State, fields: Fields, outcome: Outcome) -> Message:
    return said("tactics", state, fields["side"])


def ball(state: State, fields: Fields, outcome: Outcome) -> Message:
    colour = word("ball", fields["colour"])
    if not outcome:
        return Message("footclub.line.ball_bare", {"ball": colour})
    return said("ball", state, outcome["kickoff"], ball=colour, half=word("half", str(outcome["half"])))


def supporter(state: State, fields: Fields, outcome: Outcome) -> Message:
    return said("supporter", state, fields["side"])


def change(state: State, fields: Fields, outcome: Outcome) -> Message:
    subs = fields["subs"]
    if not subs:
        return said("reorganised", state, fields["side"])
    leaving, entering = ([sub[key] for sub in subs] for key in ("out", "in"))
    return Message(
        "footclub.line.change",
        {"n": len(subs), "entering": people.shorts(state, entering), "leaving": people.shorts(state, leaving)},
    )


def permute(state: State, fields: Fields, outcome: Outcome) -> Message:
    first, second = (people.short(state, id) for id in fields["players"])
    return Message("footclub.line.permute", {"first": first, "second": second})


def captain(state: State, fields: Fields, outcome: Outcome) -> Message:
    return Message("footclub.line.captain", {"player": people.short(state, fields["player"])})


def press(state: State, fields: Fields, outcome: Outcome) -> Message:
    if not outcome:
        return said("press_bare", state, fields["side"], which=_which(fields))
    return said("press", state, fields["side"], player=people.short(state, outcome["holder"]))


def tackle(state: State, fields: Fields, outcome: Outcome) -> Message:
    if not outcome:
        return said("tackle_bare", state, fields["side"], which=_which(fields))
    player, target = (people.short(state, outcome[key]) for key in ("player", "target"))
    return Message(
        "footclub.line.tackle", {"player": player, "target": target, "mode": word("tackle", outcome["mode"])}
    )


def _which(fields: Fields) -> Message:
    """How a card was named: its number or the place under the ball's colour; a whole ribbon says no more."""
    if "card" in fields:
        return Message("footclub.which.card", {"number": fields["card"]})
    section = fields.get("section")
    if section is None:
        return word("which", "ribbon")
    return listed([place(name) for name in ([section] if isinstance(section, str) else section)])


def leave(state: State, fields: Fields, outcome: Outcome) -> Message:
    return said("leave", state, fields["side"])


def offensive(state: State, fields: Fields, outcome: Outcome) -> Message:
    if not outcome:
        return said("card", state, fields["side"], card=card(fields["kind"]))
    args = {"player": people.short(state, outcome["player"]), "card": card(fields["kind"])}
    return Message("footclub.line.offensive", {**args, "bonus": signed(outcome["bonus"])})


def attacking_support(state: State, fields: Fields, outcome: Outcome) -> Message:
    return _added(state, fields, outcome, "card", card=card("attacking_support"))


def spend(state: State, fields: Fields, outcome: Outcome) -> Message:
    parts = []
    if fields.get("supporters"):
        parts.append(Message("footclub.line.supporters", {"n": fields["supporters"]}))
    if fields.get("kop"):
        parts.append(word("line", "kop"))
    return _added(state, fields, outcome, "spend", what=listed(parts))


def _added(state: State, fields: Fields, outcome: Outcome, id: str, **args: object) -> Message:
    """Something added to the running bonus, with the bonus it comes to."""
    fact = said(id, state, fields["side"], **args)
    return Message("footclub.line.bonus", {"fact": fact, "bonus": signed(outcome["bonus"])}) if outcome else fact


def defensive_support(state: State, fields: Fields, outcome: Outcome) -> Message:
    if not outcome:
        return said("card", state, fields["side"], card=card("defensive_support"))
    args = {"player": people.short(state, outcome["player"]), "mode": word("defensive_support", outcome["mode"])}
    return Message("footclub.line.defensive_support", args)


def recover(state: State, fields: Fields, outcome: Outcome) -> Message:
    return said("recover", state, fields["side"], card=card(fields["card"]))


def no_offensive(state: State, fields: Fields, outcome: Outcome) -> Message:
    return said("no_offensive", state, fields["side"])


def discard(state: State, fields: Fields, outcome: Outcome) -> Message:
    return said("discard", state, fields["side"], cards=_counted(fields["cards"]))


def _counted(types: Sequence[str]) -> Message:
    """Card types with their numbers, each type once, in the order they were put down."""
    parts = []
    for type_ in dict.fromkeys(types):
        count = types.count(type_)
        parts.append(
            Message("footclub.line.several", {"count": count, "card": card(type_)}) if count > 1 else card(type_)
        )
    return listed(parts)


def extra_time(state: State, fields: Fields, outcome: Outcome) -> Message:
    return word("line", "extra_time" if fields["play"] else "draw_stands")


def shooters(state: State, fields: Fields, outcome: Outcome) -> Message:
    return said("shooters", state, fields["side"], players=people.shorts(state, fields["players"]))


def shootout(state: State, fields: Fields, outcome: Outcome) -> Message:
    return said("shootout", state, fields["first"])


def forfeit(state: State, fields: Fields, outcome: Outcome) -> Message:
    return said("forfeit", state, fields["side"])


# Throws and shots


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
