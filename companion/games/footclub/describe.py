"""One line of the timeline for each event: who, what, and what came of it.

The state is the one after the event. For an event that was taken back it is a later one and the outcome is empty: then
the line says the bare fact.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from companion.games.base import Fields, Message, Outcome
from companion.games.footclub import words_people as people
from companion.games.footclub.describe_throws import roll, shot
from companion.games.footclub.state import State
from companion.games.footclub.tables import Side
from companion.games.footclub.words import card, place, word
from companion.games.wording import listed, signed

Line = Callable[[State, Fields, Outcome], Message]


def describe(state: State, fields: Fields, outcome: Outcome) -> Message:
    """The line of an event of 19.2."""
    return _LINES[fields["event"]](state, fields, outcome)


def said(id: str, state: State, side: Side, **args: Any) -> Message:
    """A line about a club."""
    return Message(f"footclub.line.{id}", {"club": state.setup.name(side), **args})


def _market_staff(state: State, fields: Fields, outcome: Outcome) -> Message:
    coach, goalkeeper = (people.short(state, fields[key]) for key in ("coach", "goalkeeper"))
    return said("market_staff", state, fields["side"], coach=coach, goalkeeper=goalkeeper)


def _market_open(state: State, fields: Fields, outcome: Outcome) -> Message:
    return said("market_open", state, fields["first"])


def _market_pick(state: State, fields: Fields, outcome: Outcome) -> Message:
    return said("takes", state, fields["side"], players=people.shorts(state, [fields["take"], *fields["pair"]]))


def _market_transfer(state: State, fields: Fields, outcome: Outcome) -> Message:
    return said("takes", state, fields["side"], players=people.shorts(state, fields["take"]))


def _team_sheet(state: State, fields: Fields, outcome: Outcome) -> Message:
    if not outcome:
        return said("team_sheet_bare", state, fields["side"])
    args = {"formation": outcome["formation"], "att": outcome["att"], "defence": outcome["def"]}
    return said("optimised_sheet" if outcome["optimised"] else "team_sheet", state, fields["side"], **args)


def _tactics(state: State, fields: Fields, outcome: Outcome) -> Message:
    return said("tactics", state, fields["side"])


def _ball(state: State, fields: Fields, outcome: Outcome) -> Message:
    colour = word("ball", fields["colour"])
    if not outcome:
        return Message("footclub.line.ball_bare", {"ball": colour})
    return said("ball", state, outcome["kickoff"], ball=colour, half=word("half", str(outcome["half"])))


def _supporter(state: State, fields: Fields, outcome: Outcome) -> Message:
    return said("supporter", state, fields["side"])


def _change(state: State, fields: Fields, outcome: Outcome) -> Message:
    subs = fields["subs"]
    if not subs:
        return said("reorganised", state, fields["side"])
    leaving, entering = ([sub[key] for sub in subs] for key in ("out", "in"))
    return Message(
        "footclub.line.change",
        {"n": len(subs), "entering": people.shorts(state, entering), "leaving": people.shorts(state, leaving)},
    )


def _permute(state: State, fields: Fields, outcome: Outcome) -> Message:
    first, second = (people.short(state, id) for id in fields["players"])
    return Message("footclub.line.permute", {"first": first, "second": second})


def _captain(state: State, fields: Fields, outcome: Outcome) -> Message:
    return Message("footclub.line.captain", {"player": people.short(state, fields["player"])})


def _press(state: State, fields: Fields, outcome: Outcome) -> Message:
    if not outcome:
        return said("press_bare", state, fields["side"], which=_which(fields))
    return said("press", state, fields["side"], player=people.short(state, outcome["holder"]))


def _tackle(state: State, fields: Fields, outcome: Outcome) -> Message:
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


def _leave(state: State, fields: Fields, outcome: Outcome) -> Message:
    return said("leave", state, fields["side"])


def _offensive(state: State, fields: Fields, outcome: Outcome) -> Message:
    if not outcome:
        return said("card", state, fields["side"], card=card(fields["kind"]))
    args = {"player": people.short(state, outcome["player"]), "card": card(fields["kind"])}
    return Message("footclub.line.offensive", {**args, "bonus": signed(outcome["bonus"])})


def _attacking_support(state: State, fields: Fields, outcome: Outcome) -> Message:
    return _added(state, fields, outcome, "card", card=card("attacking_support"))


def _spend(state: State, fields: Fields, outcome: Outcome) -> Message:
    parts = []
    if fields.get("supporters"):
        parts.append(Message("footclub.line.supporters", {"n": fields["supporters"]}))
    if fields.get("kop"):
        parts.append(word("line", "kop"))
    return _added(state, fields, outcome, "spend", what=listed(parts))


def _added(state: State, fields: Fields, outcome: Outcome, id: str, **args: Any) -> Message:
    """Something added to the running bonus, with the bonus it comes to."""
    fact = said(id, state, fields["side"], **args)
    return Message("footclub.line.bonus", {"fact": fact, "bonus": signed(outcome["bonus"])}) if outcome else fact


def _defensive_support(state: State, fields: Fields, outcome: Outcome) -> Message:
    if not outcome:
        return said("card", state, fields["side"], card=card("defensive_support"))
    args = {"player": people.short(state, outcome["player"]), "mode": word("defensive_support", outcome["mode"])}
    return Message("footclub.line.defensive_support", args)


def _recover(state: State, fields: Fields, outcome: Outcome) -> Message:
    return said("recover", state, fields["side"], card=card(fields["card"]))


def _no_offensive(state: State, fields: Fields, outcome: Outcome) -> Message:
    return said("no_offensive", state, fields["side"])


def _discard(state: State, fields: Fields, outcome: Outcome) -> Message:
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


def _extra_time(state: State, fields: Fields, outcome: Outcome) -> Message:
    return word("line", "extra_time" if fields["play"] else "draw_stands")


def _shooters(state: State, fields: Fields, outcome: Outcome) -> Message:
    return said("shooters", state, fields["side"], players=people.shorts(state, fields["players"]))


def _shootout(state: State, fields: Fields, outcome: Outcome) -> Message:
    return said("shootout", state, fields["first"])


def _forfeit(state: State, fields: Fields, outcome: Outcome) -> Message:
    return said("forfeit", state, fields["side"])


_LINES: Mapping[str, Line] = {
    "market_staff": _market_staff,
    "market_open": _market_open,
    "market_pick": _market_pick,
    "market_transfer": _market_transfer,
    "team_sheet": _team_sheet,
    "tactics": _tactics,
    "ball": _ball,
    "supporter": _supporter,
    "change": _change,
    "permute": _permute,
    "captain": _captain,
    "press": _press,
    "tackle": _tackle,
    "leave": _leave,
    "roll": roll,
    "offensive": _offensive,
    "attacking_support": _attacking_support,
    "spend": _spend,
    "defensive_support": _defensive_support,
    "shot": shot,
    "recover": _recover,
    "no_offensive": _no_offensive,
    "discard": _discard,
    "extra_time": _extra_time,
    "shooters": _shooters,
    "shootout": _shootout,
    "forfeit": _forfeit,
}
