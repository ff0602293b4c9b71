"""The moments of a match of chances: goals, missed chances, cards, the end."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.base import Fields, Message, Outcome
from companion.games.moments import ResultMoment
from companion.games.occasion.messages import player_name, word
from companion.games.occasion.state import State
from companion.games.wording import literal, result_message


def moments(before: State, fields: Fields, outcome: Outcome, after: State) -> Sequence[ResultMoment]:
    """Return the moments of an event, in the order in which they are shown."""
    found: list[ResultMoment] = []
    if fields["event"] == "goal_scored":
        found.append(_goal(before, fields))
    elif fields["event"] == "chance_missed":
        found.append(ResultMoment("result", word("moment", "missed"), before.defence))
    elif fields["event"] == "foul_called" and "card" in fields:
        found.append(_card(before, fields))
    if after.phase == "over" and before.phase != "over":
        found.append(_end(after))
    return found


def _goal(before: State, fields: Fields) -> ResultMoment:
    side = before.attack
    team = before.setup.name(side)
    if isinstance(fields.get("player"), str):
        scorer = Message("occasion.moment.goal", {"name": player_name(before, fields["player"], side)})
        return ResultMoment("score", scorer, side, literal(team))
    return ResultMoment("score", Message("occasion.moment.goal", {"name": team}), side)


def _card(before: State, fields: Fields) -> ResultMoment:
    side, card = fields["side"], fields["card"]
    team = before.setup.name(side)
    name = player_name(before, fields["player"], side) if isinstance(fields.get("player"), str) else team
    headline = Message(f"occasion.moment.{card}", {"name": name})
    return ResultMoment("card", headline, side, None if name == team else literal(team), card=card)


def _end(after: State) -> ResultMoment:
    home, away = after.score
    score = Message("occasion.moment.score", {"home": home, "away": away})
    if after.winner is None:
        return ResultMoment("end", result_message(None), None, score)
    return ResultMoment("end", result_message(after.setup.name(after.winner)), after.winner, score)
