"""The timeline line of each event: who, what, and the result.

The state is normally the one after the event. For an undone event it is a later state and the outcome is empty: the
line then gives only the action.
"""

from __future__ import annotations

from companion.games.base import Fields, Message, Outcome
from companion.games.occasion.messages import chance_name, player_name, player_names, side_message, word
from companion.games.occasion.state import State
from companion.games.occasion.tables import SIDES, Side, opponent
from companion.games.wording import comma_separated, detailed, literal, number, signed


def _line(id: str, **args: object) -> Message:
    return Message(f"occasion.line.{id}", args)


def _attacker(state: State, outcome: Outcome) -> Side | None:
    """Return the attacking side, if the event was not undone and did not end the turn."""
    return state.attack if outcome else None


def _arrival(state: State, outcome: Outcome, id: str, **args: object) -> Message:
    """Return a line with what follows: the zone reached, the choice of one, or the end of the turn."""
    head = _line(id, **args)
    if not outcome:
        return head
    phase, zone = outcome["phase"], outcome["zone"]
    if phase == "advance":
        return detailed(head, word("then", "advance"))
    if phase in ("attack_move", "shot") and zone is not None:
        return detailed(head, Message(f"occasion.then.{phase}", {"zone": zone}))
    return detailed(head, word("then", "turn_over")) if phase == "choose_occasion" else head


def occasion_played(state: State, fields: Fields, outcome: Outcome) -> Message:
    card = chance_name(state, fields["card"])
    if not outcome:
        return _line("occasion_bare", chance=card)
    return side_message("line.occasion_played", state, state.attack, chance=card, zone=outcome["zone"])


def attack_move(state: State, fields: Fields, outcome: Outcome) -> Message:
    player = player_name(state, fields["player"], _attacker(state, outcome))
    move = word("move", fields["move"])
    moved = _line("attack_move", player=player, move=move)
    return detailed(moved, _line("points", base=outcome["base"], bonus=signed(outcome["bonus"]))) if outcome else moved


def defence_choice(state: State, fields: Fields, outcome: Outcome) -> Message:
    if fields["choice"] == "let_pass":
        return _arrival(state, outcome, "let_pass")
    player = player_name(state, fields["player"], state.defence if outcome else None)
    opposed = _line("oppose", player=player)
    if not outcome:
        return opposed
    points = {"stat": word("stat", outcome["stat"]), "base": outcome["base"], "bonus": signed(outcome["bonus"])}
    return detailed(opposed, _line("stat_points", **points))


def add_support(state: State, fields: Fields, outcome: Outcome) -> Message:
    side, players = fields["side"], fields["players"]
    return side_message("line.add_support", state, side, players=player_names(state, players, side))


def support_done(state: State, fields: Fields, outcome: Outcome) -> Message:
    return side_message("line.support_done", state, fields["side"])


def ability_used(state: State, fields: Fields, outcome: Outcome) -> Message:
    player = player_name(state, fields["player"], fields["side"])
    return _line("ability_used", player=player, ability=fields["ability"], points=signed(fields["points"]))


def reveal(state: State, fields: Fields, outcome: Outcome) -> Message:
    if not outcome:
        return side_message("line.reveal_bare", state, fields["side"], value=fields["value"])
    totals = {"attack": number(outcome["attack_total"]), "defence": number(outcome["defence_total"])}
    id = "line.reveal" if outcome["counted"] == fields["value"] else "line.reveal_x2"
    return side_message(id, state, fields["side"], value=fields["value"], counted=outcome["counted"], **totals)


def foul_called(state: State, fields: Fields, outcome: Outcome) -> Message:
    side = fields["side"]
    parts = []
    if "player" in fields:
        parts.append(literal(player_name(state, fields["player"], side)))
    if "card" in fields:
        parts.append(word("card", fields["card"]))
    parts.append(word("foul_effect", fields["effect"]))
    return detailed(side_message("line.foul", state, side), comma_separated(parts))


def resolve(state: State, fields: Fields, outcome: Outcome) -> Message:
    if not outcome:
        return word("line", "resolve_bare")
    totals = {"attack": number(outcome["attack_total"]), "defence": number(outcome["defence_total"])}
    return _arrival(state, outcome, "resolve", side=state.setup.name(outcome["duel_winner"]), **totals)


def advance(state: State, fields: Fields, outcome: Outcome) -> Message:
    shot = outcome.get("phase") == "shot"
    return _line("advance_shot" if shot else "advance", zone=fields["zone"])


def goal_scored(state: State, fields: Fields, outcome: Outcome) -> Message:
    """Return the line of a goal: the other side attacks next, unless the match is over."""
    player = fields.get("player")
    if not outcome:
        return word("line", "goal_bare")
    side = state.attack if state.phase == "over" else opponent(state.attack)
    if isinstance(player, str):
        return side_message("line.goal_by", state, side, player=player_name(state, player, side))
    return side_message("line.goal", state, side)


def chance_missed(state: State, fields: Fields, outcome: Outcome) -> Message:
    return word("line", "missed")


def turn_ended(state: State, fields: Fields, outcome: Outcome) -> Message:
    return side_message("line.turn_ended", state, outcome["attack"]) if outcome else word("line", "turn_bare")


def match_ended(state: State, fields: Fields, outcome: Outcome) -> Message:
    return _won(state, outcome["winner"]) if outcome else word("line", "end_bare")


def _won(state: State, winner: Side | None) -> Message:
    return word("line", "draw") if winner is None else side_message("line.wins", state, winner)


def occasion_shown(state: State, fields: Fields, outcome: Outcome) -> Message:
    return side_message("line.occasion_shown", state, fields["side"], chance=chance_name(state, fields["card"]))


def define_card(state: State, fields: Fields, outcome: Outcome) -> Message:
    id = fields["id"]
    if fields["kind"] == "occasion":
        return _line("define_occasion", chance=chance_name(state, id))
    return side_message("line.define_player", state, fields["side"], player=player_name(state, id, fields["side"]))


def cards_recovered(state: State, fields: Fields, outcome: Outcome) -> Message:
    side = fields["side"]
    parts = []
    if fields.get("players"):
        parts.append(literal(player_names(state, fields["players"], side)))
    if fields.get("energy"):
        parts.append(Message("occasion.line.energies", {"n": fields["energy"]}))
    what = comma_separated(parts) if parts else word("line", "nothing")
    return side_message("line.recovered", state, side, what=what)


def ruling(state: State, fields: Fields, outcome: Outcome) -> Message:
    goals = fields.get("goals") or {}
    parts = [_line("ruling", text=fields["text"])]
    for side in SIDES:
        if goals.get(side):
            parts.append(side_message("line.goals", state, side, goals=signed(goals[side])))
    if fields.get("next_attack"):
        parts.append(side_message("line.next_attack", state, fields["next_attack"]))
    return comma_separated(parts)


def concede(state: State, fields: Fields, outcome: Outcome) -> Message:
    return side_message("line.concede", state, fields["side"])
