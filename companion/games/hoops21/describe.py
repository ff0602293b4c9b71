"""The timeline line of each event: who, what, and the result.

The state is normally the one after the event. For an undone event it is a later state and the outcome is empty: the
line then gives only the action.
"""

from __future__ import annotations

from companion.games.base import Fields, Message, Outcome
from companion.games.hoops21.dice_checks import count_symbols
from companion.games.hoops21.messages import dice_message, side_message, symbol_count_message, word
from companion.games.hoops21.state import State, highest_count, playable_symbols
from companion.games.hoops21.tables import DICE, SIDES, opponent
from companion.games.wording import comma_separated, detailed, number


def _line(id: str, **args: object) -> Message:
    return Message(f"hoops21.line.{id}", args)


def jump_ball(state: State, fields: Fields, outcome: Outcome) -> Message:
    count = {side: fields[side].count("ball") for side in SIDES}
    if outcome and outcome["winner"] is None:
        return _line("jump_ball_tie", n=count["orange"])
    thrown = {side: symbol_count_message("ball", n) for side, n in count.items()}
    if not outcome:
        return _line("jump_ball_bare", **thrown)
    return side_message("line.jump_ball", state, outcome["winner"], **thrown)


def throw(state: State, fields: Fields, outcome: Outcome) -> Message:
    plays = {}
    for side in SIDES:
        counts = count_symbols(tuple(fields[side]))
        plays[side] = symbol_count_message(playable_symbols(counts)[0], highest_count(counts))
    thrown = _line("throw", **plays)
    return detailed(thrown, _end(state, outcome)) if outcome else thrown


def _end(state: State, outcome: Outcome) -> Message:
    """Return how a throw, a shot or a free throw ended, or who decides it now."""
    if "balls" in outcome:
        made = {True: "made", False: "missed", None: "again"}[outcome["made"]]
        return Message(f"hoops21.line.free_throw_{made}", {"n": outcome["balls"]})
    if outcome["winner"] is None:
        return word("line", "tied") if outcome["leader"] is None else _behind(state, outcome)
    if "made" in outcome:
        return _line("shot_made", n=outcome["points"]) if outcome["made"] else word("line", "shot_missed")
    return _effect(state, outcome)


def _behind(state: State, outcome: Outcome) -> Message:
    """Return that the side that is behind may reroll."""
    return side_message("line.may_reroll", state, opponent(outcome["leader"]))


def _effect(state: State, outcome: Outcome) -> Message:
    """Return the effect of the winner's symbol (HB-6.1)."""
    name = outcome["effect"]
    if outcome.get("dunk"):
        name = "dunk"
    elif outcome.get("intercepted"):
        name = "intercepted"
    return side_message(f"end.{name}", state, outcome["winner"], pawn=outcome["pawn"], points=outcome["points"])


def token(state: State, fields: Fields, outcome: Outcome) -> Message:
    name = "used" if fields["use"] else "kept"
    if not outcome:
        return word("line", f"token_{name}_bare")
    return detailed(side_message(f"line.token_{name}", state, outcome["holder"]), _end(state, outcome))


def choose(state: State, fields: Fields, outcome: Outcome) -> Message:
    if outcome:
        return _effect(state, outcome)
    action = fields.get("action")
    return word("symbol", fields["symbol"]) if action is None else word("line", f"choose_{action}")


def step_back(state: State, fields: Fields, outcome: Outcome) -> Message:
    return _line("step_back", pawn=outcome["pawn"]) if outcome else word("line", "step_back_bare")


def shot(state: State, fields: Fields, outcome: Outcome) -> Message:
    if not outcome:
        orange, white = (fields[side].count("ball") for side in SIDES)
        return _line("shot_bare", orange=orange, white=white)
    taken = side_message("line.shot", state, outcome["shooter"], points=outcome["range"])
    totals = _line("totals", attack=number(outcome["attack_total"]), defence=outcome["defence_total"])
    return detailed(taken, comma_separated([totals, _end(state, outcome)]))


def free_throw(state: State, fields: Fields, outcome: Outcome) -> Message:
    team = next(side for side in SIDES if side in fields)
    if not outcome:
        return side_message("line.free_throw_bare", state, team, n=fields[team].count("ball"))
    return detailed(side_message("line.free_throw", state, team, number=outcome["number"]), _end(state, outcome))


def inbound_throw(state: State, fields: Fields, outcome: Outcome) -> Message:
    team = fields["team"]
    if not outcome:
        dice = dice_message(count_symbols(tuple(fields["dice"])))
        return side_message("line.inbound_bare", state, team, dice=dice)
    if outcome["stolen"]:
        return side_message("line.inbound_stolen", state, team, pawn=outcome["pawn"])
    if outcome["crossed"]:
        return side_message("line.inbound_crossed", state, team, pawn=outcome["pawn"])
    if outcome["moved"] or team == state.attack:
        return side_message("line.inbound_moved", state, team, n=outcome["moved"], pawn=outcome["pawn"])
    found = fields["dice"].count("steal")
    name = "line.inbound_aside" if found else "line.inbound_none_aside"
    return side_message(name, state, team, n=found, aside=outcome["set_aside"], dice=DICE)


def inbound_end(state: State, fields: Fields, outcome: Outcome) -> Message:
    if fields["stolen"]:
        return _line("end_stolen", pawn=fields["section"])
    return _line("end_crossed", pawn=outcome["pawn"]) if outcome else word("line", "end_crossed_bare")


def reroll(state: State, fields: Fields, outcome: Outcome) -> Message:
    rolled = dice_message(count_symbols(tuple(fields["rolled"])))
    if not outcome:
        return _line("reroll_bare", dice=rolled)
    again = side_message("line.reroll", state, outcome["team"], n=len(fields["rolled"]), dice=rolled)
    end = _end(state, outcome)
    if outcome.get("leader", outcome["team"]) is None:  # still or newly tied: HB-11.5
        end = comma_separated([side_message("line.reroll_level", state, outcome["team"]), end])
    return detailed(again, end)


def stand(state: State, fields: Fields, outcome: Outcome) -> Message:
    stands = word("line", "stand")
    return detailed(stands, _end(state, outcome)) if outcome else stands


def ruling(state: State, fields: Fields, outcome: Outcome) -> Message:
    parts = [_line("ruling", text=fields["text"])]
    if outcome and any(fields.get("points", {}).values()):
        parts.append(_line("score", **outcome["score"]))
    restart = fields.get("restart")
    if restart is not None:
        parts.append(word("line", f"restart_{restart}"))
    return comma_separated(parts)


def concede(state: State, fields: Fields, outcome: Outcome) -> Message:
    return side_message("line.concede", state, fields["team"])
