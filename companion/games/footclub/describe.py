"""The timeline line of each event: who, what, and the result.

The state is normally the one after the event. For an undone event it is a later state and the outcome is empty: the
line then gives only the action.
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.base import TOSS, Fields, Message, Outcome
from companion.games.footclub import messages as people
from companion.games.footclub.messages import card_message, place_message, word
from companion.games.footclub.state import State
from companion.games.footclub.tables import Side
from companion.games.wording import comma_separated, detailed, literal, number, signed


def club_line(id: str, state: State, side: Side, **args: object) -> Message:
    """Return a line about a club."""
    return Message(f"footclub.line.{id}", {"club": state.setup.name(side), **args})


def market_staff(state: State, fields: Fields, outcome: Outcome) -> Message:
    coach, goalkeeper = (people.short_name_of(state, fields[key]) for key in ("coach", "goalkeeper"))
    return club_line("market_staff", state, fields["side"], coach=coach, goalkeeper=goalkeeper)


def market_open(state: State, fields: Fields, outcome: Outcome) -> Message:
    return club_line("market_open", state, fields["first"])


def market_pick(state: State, fields: Fields, outcome: Outcome) -> Message:
    return club_line(
        "takes", state, fields["side"], players=people.short_names_of(state, [fields["take"], *fields["pair"]])
    )


def market_transfer(state: State, fields: Fields, outcome: Outcome) -> Message:
    return club_line("takes", state, fields["side"], players=people.short_names_of(state, fields["take"]))


def team_sheet(state: State, fields: Fields, outcome: Outcome) -> Message:
    if not outcome:
        return club_line("team_sheet_bare", state, fields["side"])
    args = {"formation": outcome["formation"], "att": outcome["att"], "defence": outcome["def"]}
    return club_line("optimised_sheet" if outcome["optimised"] else "team_sheet", state, fields["side"], **args)


def tactics(state: State, fields: Fields, outcome: Outcome) -> Message:
    return club_line("tactics", state, fields["side"])


def ball(state: State, fields: Fields, outcome: Outcome) -> Message:
    colour = word("ball", fields["colour"])
    if not outcome:
        return Message("footclub.line.ball_bare", {"ball": colour})
    return club_line("ball", state, outcome["kickoff"], ball=colour, half=word("half", str(outcome["half"])))


def supporter(state: State, fields: Fields, outcome: Outcome) -> Message:
    return club_line("supporter", state, fields["side"])


def change(state: State, fields: Fields, outcome: Outcome) -> Message:
    subs = fields["subs"]
    if not subs:
        return club_line("reorganised", state, fields["side"])
    leaving, entering = ([sub[key] for sub in subs] for key in ("out", "in"))
    return Message(
        "footclub.line.change",
        {
            "n": len(subs),
            "entering": people.short_names_of(state, entering),
            "leaving": people.short_names_of(state, leaving),
        },
    )


def permute(state: State, fields: Fields, outcome: Outcome) -> Message:
    first, second = (people.short_name_of(state, id) for id in fields["players"])
    return Message("footclub.line.permute", {"first": first, "second": second})


def captain(state: State, fields: Fields, outcome: Outcome) -> Message:
    return Message("footclub.line.captain", {"player": people.short_name_of(state, fields["player"])})


def press(state: State, fields: Fields, outcome: Outcome) -> Message:
    if not outcome:
        return club_line("press_bare", state, fields["side"], which=_card_reference(fields))
    return club_line("press", state, fields["side"], player=people.short_name_of(state, outcome["holder"]))


def tackle(state: State, fields: Fields, outcome: Outcome) -> Message:
    if not outcome:
        return club_line("tackle_bare", state, fields["side"], which=_card_reference(fields))
    player, target = (people.short_name_of(state, outcome[key]) for key in ("player", "target"))
    return Message(
        "footclub.line.tackle", {"player": player, "target": target, "mode": word("tackle", outcome["mode"])}
    )


def _card_reference(fields: Fields) -> Message:
    """Return how a card was named: by number or by the place under the ball's colour; empty for a whole ribbon."""
    if "card" in fields:
        return Message("footclub.which.card", {"number": fields["card"]})
    section = fields.get("section")
    if section is None:
        return word("which", "ribbon")
    return comma_separated([place_message(name) for name in ([section] if isinstance(section, str) else section)])


def leave(state: State, fields: Fields, outcome: Outcome) -> Message:
    return club_line("leave", state, fields["side"])


def offensive(state: State, fields: Fields, outcome: Outcome) -> Message:
    if not outcome:
        return club_line("card", state, fields["side"], card=card_message(fields["kind"]))
    args = {"player": people.short_name_of(state, outcome["player"]), "card": card_message(fields["kind"])}
    bonus = Message("footclub.line.starting_bonus", {"bonus": signed(outcome["bonus"])})
    return detailed(Message("footclub.line.offensive", args), bonus)


def attacking_support(state: State, fields: Fields, outcome: Outcome) -> Message:
    return _added(state, fields, outcome, "card", card=card_message("attacking_support"))


def spend(state: State, fields: Fields, outcome: Outcome) -> Message:
    parts = []
    if fields.get("supporters"):
        parts.append(Message("footclub.line.supporters", {"n": fields["supporters"]}))
    if fields.get("kop"):
        parts.append(word("line", "kop"))
    return _added(state, fields, outcome, "spend", what=comma_separated(parts))


def _added(state: State, fields: Fields, outcome: Outcome, id: str, **args: object) -> Message:
    """Return a line about an addition to the running bonus, with the new bonus."""
    added = club_line(id, state, fields["side"], **args)
    return detailed(added, Message("footclub.line.bonus", {"bonus": signed(outcome["bonus"])})) if outcome else added


def defensive_support(state: State, fields: Fields, outcome: Outcome) -> Message:
    if not outcome:
        return club_line("card", state, fields["side"], card=card_message("defensive_support"))
    args = {
        "player": people.short_name_of(state, outcome["player"]),
        "mode": word("defensive_support", outcome["mode"]),
    }
    return Message("footclub.line.defensive_support", args)


def recover(state: State, fields: Fields, outcome: Outcome) -> Message:
    return club_line("recover", state, fields["side"], card=card_message(fields["card"]))


def no_counter(state: State, fields: Fields, outcome: Outcome) -> Message:
    return club_line("no_counter", state, fields["side"])


def green_light(state: State, fields: Fields, outcome: Outcome) -> Message:
    return club_line("green_light", state, fields["side"])


def no_offensive(state: State, fields: Fields, outcome: Outcome) -> Message:
    return club_line("no_offensive", state, fields["side"])


def discard(state: State, fields: Fields, outcome: Outcome) -> Message:
    return club_line("discard", state, fields["side"], cards=_card_counts(fields["cards"]))


def _card_counts(types: Sequence[str]) -> Message:
    """Return card types with their counts, each type once, in the order they were discarded."""
    parts = []
    for type_ in dict.fromkeys(types):
        count = types.count(type_)
        parts.append(
            Message("footclub.line.several", {"count": count, "card": card_message(type_)})
            if count > 1
            else card_message(type_)
        )
    return comma_separated(parts)


def extra_time(state: State, fields: Fields, outcome: Outcome) -> Message:
    return word("line", "extra_time" if fields["play"] else "draw_stands")


def shooters(state: State, fields: Fields, outcome: Outcome) -> Message:
    return club_line("shooters", state, fields["side"], players=people.short_names_of(state, fields["players"]))


def shootout(state: State, fields: Fields, outcome: Outcome) -> Message:
    return club_line("shootout_by_lot" if fields.get("note") == TOSS else "shootout", state, fields["first"])


def forfeit(state: State, fields: Fields, outcome: Outcome) -> Message:
    return club_line("forfeit", state, fields["side"])


# Rolls and shots


def roll(state: State, fields: Fields, outcome: Outcome) -> Message:
    """Return the line of a roll of two dice: who threw, the result, then the dice and what a foul led to."""
    first, second = fields["dice"]
    dice = {"first": first, "second": second}
    if not outcome:
        return Message("footclub.line.dice", dice)
    who = people.short_name_of(state, outcome["player"])
    head = Message("footclub.line.roll", {"who": who, "result": word("roll", f"{outcome['kind']}.{outcome['result']}")})
    return detailed(head, comma_separated([Message("footclub.line.sum", dice), *_consequences(state, outcome)]))


def _consequences(state: State, outcome: Outcome) -> list[Message]:
    """Return card, sending-off, injury and set piece of a foul, in this order."""
    found = []
    if outcome["card"]:
        found.append(word("shown", outcome["card"]))
    if outcome["sent_off"] and outcome["card"] == "yellow":
        found.append(word("shown", "sent_off"))
    if outcome["injury"]:
        hurt = {"player": people.short_name_of(state, outcome["target"]), "injury": word("injury", outcome["injury"])}
        found.append(Message("footclub.line.hurt", hurt))
    if outcome["set_piece"]:
        found.append(card_message(outcome["set_piece"]))
    return found


def shot(state: State, fields: Fields, outcome: Outcome) -> Message:
    """Return the line of a shot: only the dice while the attack die is missing, then the compared totals."""
    if not outcome:
        values = [str(fields[key]) for key in ("defence", "attack") if key in fields]
        return Message("footclub.line.shot_bare", {"dice": " – ".join(values)})
    if outcome["result"] == "pending":
        return Message("footclub.line.shot_pending", {"defence": outcome["defence"]})
    totals = Message("footclub.line.totals", {"attack": number(outcome["attack_total"]), "defence": outcome["defence"]})
    return detailed(_shot_result(state, outcome), totals)


def _shot_result(state: State, outcome: Outcome) -> Message:
    """Return who scored, or the result of a shot; in a shoot-out with the name of the player who kicks."""
    result = outcome["result"]
    if "shooter" not in outcome:
        if result == "goal" and outcome.get("scorer"):
            return Message("footclub.line.goal", {"player": people.short_name_of(state, outcome["scorer"])})
        return word("shot", result)
    verdict = word("kick", result) if result in ("goal", "save", "corner") else word("shot", result)
    if outcome["shooter"] is None:
        return verdict
    player = literal(people.short_name_of(state, outcome["shooter"]))
    return Message("footclub.line.kick", {"result": verdict, "player": player})
