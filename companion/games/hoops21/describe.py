"""One line of the timeline for each event: who, what, and what came of it.

The state is the one after the event. For an event that was taken back it is a later one and the outcome is empty: then
the line says the bare fact.
"""

from __future__ import annotations

from companion.games.base import Fields, Message, Outcome
from companion.games.hoops21.dice_checks import counted
from companion.games.hoops21.state import State, candidates, highest
from companion.games.hoops21.tables import SIDES, other
from companion.games.hoops21.words import dice_said, said, some, word
from companion.games.wording import listed


def _line(id: str, **args: object) -> Message:
    return Message(f"hoops21.line.{id}", args)


def jump_ball(state: State, fields: Fields, outcome: Outcome) -> Message:
    orange, white = (fields[side].count("ball") for side in SIDES)
    if not outcome:
        return _line("jump_ball_bare", orange=orange, white=white)
    if outcome["winner"] is None:
        return _line("jump_ball_tie", n=orange)
    return said("line.jump_ball", state, outcome["winner"], orange=orange, white=white)


def throw(state: State, fields: Fields, outcome: Outcome) -> Message:
    plays = {}
    for side in SIDES:
        counts = counted(tuple(fields[side]))
        plays[side] = some(candidates(counts)[0], highest(counts))
    thrown = _line("throw", **plays)
    return listed([thrown, _end(state, outcome)]) if outcome else thrown


def _end(state: State, outcome: Outcome) -> Message:
    """How a throw, a shot or a free throw ended, or who decides it now."""
    if "balls" in outcome:
        made = {True: "made", False: "missed", None: "again"}[outcome["made"]]
        return Message(f"hoops21.line.free_throw_{made}", {"n": outcome["balls"]})
    if outcome["winner"] is None:
        return word("line", "tied") if outcome["leader"] is None else _behind(state, outcome)
    if "made" in outcome:
        return _line("shot_made", n=outcome["points"]) if outcome["made"] else word("line", "shot_missed")
    return _effect(state, outcome)


def _behind(state: State, outcome: Outcome) -> Message:
    """The side that does not lead may throw again."""
    return said("line.may_reroll", state, other(outcome["leader"]))


def _effect(state: State, outcome: Outcome) -> Message:
    """What the winner's symbol came to (HB-6.1)."""
    name = outcome["effect"]
    if outcome.get("dunk"):
        name = "dunk"
    elif outcome.get("intercepted"):
        name = "intercepted"
    return said(f"end.{name}", state, outcome["winner"], pawn=outcome["pawn"], points=outcome["points"])


def token(state: State, fields: Fields, outcome: Outcome) -> Message:
    name = "used" if fields["use"] else "kept"
    if not outcome:
        return word("line", f"token_{name}_bare")
    return listed([said(f"line.token_{name}", state, outcome["holder"]), _end(state, outcome)])


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
    args = {"points": outcome["range"], "attack": outcome["attack_total"], "defence": outcome["defence_total"]}
    return listed([said("line.shot", state, outcome["shooter"], **args), _end(state, outcome)])


def free_throw(state: State, fields: Fields, outcome: Outcome) -> Message:
    team = next(side for side in SIDES if side in fields)
    if not outcome:
        return said("line.free_throw_bare", state, team, n=fields[team].count("ball"))
    return listed([said("line.free_throw", state, team, number=outcome["number"]), _end(state, outcome)])


def inbound_throw(state: State, fields: Fields, outcome: Outcome) -> Message:
    team = fields["team"]
    if not outcome:
        dice = dice_said(counted(tuple(fields["dice"])))
        return said("line.inbound_bare", state, team, dice=dice)
    if outcome["stolen"]:
        return said("line.inbound_stolen", state, team, pawn=outcome["pawn"])
    if outcome["crossed"]:
        return said("line.inbound_crossed", state, team, pawn=outcome["pawn"])
    if outcome["moved"] or team == state.attack:
        return said("line.inbound_moved", state, team, n=outcome["moved"], pawn=outcome["pawn"])
    return said("line.inbound_aside", state, team, n=outcome["set_aside"])


def inbound_end(state: State, fields: Fields, outcome: Outcome) -> Message:
    if fields["stolen"]:
        return _line("end_stolen", pawn=fields["section"])
    return _line("end_crossed", pawn=outcome["pawn"]) if outcome else word("line", "end_crossed_bare")


def reroll(state: State, fields: Fields, outcome: Outcome) -> Message:
    rolled = dice_said(counted(tuple(fields["rolled"])))
    if not outcome:
        return _line("reroll_bare", dice=rolled)
    again = said("line.reroll", state, outcome["team"], n=len(fields["rolled"]), dice=rolled)
    return listed([again, _end(state, outcome)])


def stand(state: State, fields: Fields, outcome: Outcome) -> Message:
    stands = word("line", "stand")
    return listed([stands, _end(state, outcome)]) if outcome else stands


def ruling(state: State, fields: Fields, outcome: Outcome) -> Message:
    parts = [_line("ruling", text=fields["text"])]
    if outcome and any(fields.get("points", {}).values()):
        parts.append(_line("score", **outcome["score"]))
    restart = fields.get("restart")
    if restart is not None:
        parts.append(word("line", f"restart_{restart}"))
    return listed(parts)


def concede(state: State, fields: Fields, outcome: Outcome) -> Message:
    return said("line.concede", state, fields["team"])
