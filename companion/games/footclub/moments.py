"""The moments of a FootClub match: tackles and supports, shots, cards, injuries, the whistles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from companion.games.base import Die, Fields, Message, Outcome
from companion.games.figures import DiceGroup
from companion.games.footclub import messages
from companion.games.footclub.duel import SUPPORT
from companion.games.footclub.messages import card_message, word
from companion.games.footclub.scene import TWO_ONES, ruler
from companion.games.footclub.state import Duel, State
from companion.games.footclub.tables import PENALTY_BONUS, Side, opponent
from companion.games.moments import MomentKind, MomentRow, ResultMoment
from companion.games.wording import comma_separated, literal, result_message, signed

BREAKS = ("half_time", "full_time", "extra_time_break")
"""Phases that begin with the referee's whistle."""


def moments(before: State, fields: Fields, outcome: Outcome, after: State) -> Sequence[ResultMoment]:
    """Return the moments of an event, in the order in which they are shown."""
    found: list[ResultMoment] = []
    if fields["event"] == "roll" and before.duel is not None:
        found += _roll(before, before.duel, fields, outcome)
    elif fields["event"] == "shot" and outcome["result"] != "pending":
        found.append(_kick(before, fields, outcome) if before.shootout else _shot(before, fields, outcome))
    elif fields["event"] == "ball":
        found.append(_ball(after, fields, outcome))
    if after.phase != before.phase and after.phase == "finished":
        found.append(_final_whistle(after))
    elif after.phase != before.phase and after.phase in BREAKS and before.phase not in BREAKS:
        found.append(ResultMoment("result", word("phase", after.phase), detail=_score(after)))
    return found


def _pips(side: Side, values: Sequence[int], number: int, label: Message | None = None) -> MomentRow:
    """Return dice of one side with the number that they make."""
    dice = tuple(DiceGroup(Die("pips", value), 1, counts=True) for value in values)
    return MomentRow(side, dice, signed(number) if number < 0 else str(number), label)


def _ball(after: State, fields: Fields, outcome: Outcome) -> ResultMoment:
    side: Side = outcome["kickoff"]
    row = MomentRow(None, (DiceGroup(Die("ball", colour=fields["colour"]), 1, counts=True),))
    begins = Message("footclub.moment.kick_off", {"club": after.setup.name(side)})
    return ResultMoment("result", begins, side, word("ball", fields["colour"]), (row,))


# Two dice of a tackle or a defensive support.


def _roll(before: State, duel: Duel, fields: Fields, outcome: Outcome) -> list[ResultMoment]:
    total, dice = outcome["total"], fields["dice"]
    label = literal(signed(duel.modifier)) if total != sum(dice) else None
    moment = _rolled(before, duel, outcome)
    moment = replace(moment, rows=(_pips(duel.side, dice, total, label),), ruler=ruler(duel), cell=sum(dice) - TWO_ONES)
    if outcome["injury"] is None or duel.target is None:
        return [moment]
    hurt = Message(f"footclub.moment.{outcome['injury']}", {"player": messages.full_name(before, duel.target)})
    return [moment, ResultMoment("result", hurt, opponent(duel.side))]


def _rolled(before: State, duel: Duel, outcome: Outcome) -> ResultMoment:
    """Return what a roll of two dice means, without its dice."""
    result = outcome["result"]
    player = {"player": messages.full_name(before, duel.player)}
    if result == "success":
        if duel.kind == "tackle":
            return ResultMoment("result", Message("footclub.moment.ball_won", player), duel.side)
        lowered = Message("footclub.moment.support", {**player, "bonus": signed(-SUPPORT)})
        return ResultMoment("result", lowered, duel.side)
    if result == "second_throw":
        return ResultMoment("result", word("moment", "rolled_again"), duel.side, literal(player["player"]))
    awarded = [card_message(outcome["set_piece"])] if outcome["set_piece"] else []
    card = outcome["card"]
    if card is None:
        foul = Message("footclub.moment.foul", player)
        return ResultMoment("result", foul, duel.side, comma_separated(awarded) if awarded else None)
    if outcome["sent_off"] and card == "yellow":
        awarded.insert(0, word("moment", "second_yellow"))
        card = "red"
    details = comma_separated(awarded) if awarded else None
    return ResultMoment("card", Message(f"footclub.moment.{card}", player), duel.side, details, card=card)


# The shot: one die of each club.


def _shot(before: State, fields: Fields, outcome: Outcome) -> ResultMoment:
    offensive = before.offensive
    if offensive is None:
        raise ValueError(f"no offensive in phase {before.phase}")
    side, result = offensive.side, outcome["result"]
    added = offensive.final if offensive.throw == 1 else 0
    rows = _shot_rows(side, fields, outcome, added)
    if result == "goal":
        return ResultMoment("score", _named(before, "goal", outcome.get("scorer")), side, rows=rows)
    if result == "save":
        return ResultMoment("result", _saved(before, opponent(side)), opponent(side), rows=rows)
    return _undecided(side, result, rows)


def _named(before: State, id: str, player: str | None) -> Message:
    """Return a headline with the name of a player, if it is known."""
    if player is None:
        return word("moment", f"{id}_bare")
    return Message(f"footclub.moment.{id}", {"player": messages.full_name(before, player)})


def _saved(before: State, side: Side) -> Message:
    return Message("footclub.moment.save", {"player": before.club(side).goalkeeper.name})


def _undecided(side: Side, result: str, rows: tuple[MomentRow, ...]) -> ResultMoment:
    """Return the moment of a corner, of a level first throw or of a ball on the post."""
    again = None if result == "corner" else word("moment", "throw_again")
    return ResultMoment("result", word("moment", "level" if result == "second_throw" else result), side, again, rows)


def _shot_rows(side: Side, fields: Fields, outcome: Outcome, added: int) -> tuple[MomentRow, ...]:
    """Return the attack die with its bonus, and the defence die."""
    label = Message("footclub.moment.sum", {"die": fields["attack"], "bonus": signed(added)}) if added else None
    attack = _pips(side, (fields["attack"],), outcome["attack_total"], label)
    return attack, _pips(opponent(side), (outcome["defence"],), outcome["defence"])


def _kick(before: State, fields: Fields, outcome: Outcome) -> ResultMoment:
    """Return the moment of a kick of the shoot-out."""
    shootout = before.shootout
    if shootout is None or shootout.next is None:
        raise ValueError("no kick is due")
    side, result, shooter = shootout.next, outcome["result"], outcome["shooter"]
    rows = _shot_rows(side, fields, outcome, PENALTY_BONUS if shootout.throw == 1 else 0)
    if result in ("goal", "corner"):
        kind: MomentKind = "score" if result == "goal" else "result"
        return ResultMoment(kind, _named(before, "goal" if result == "goal" else "missed", shooter), side, rows=rows)
    if result == "save":
        return ResultMoment("result", _saved(before, opponent(side)), opponent(side), rows=rows)
    return _undecided(side, result, rows)


# The whistles.


def _score(after: State) -> Message:
    blue, red = after.score
    return Message("footclub.moment.score", {"blue": blue, "red": red})


def _final_whistle(after: State) -> ResultMoment:
    result = after.result
    if result is None or result.winner is None:
        return ResultMoment("end", word("result", "draw"), detail=_score(after))
    wins = result_message(after.setup.name(result.winner))
    how = _score(after)
    if result.by != "goals":
        how = comma_separated([how, word("result", result.by)])
    return ResultMoment("end", wins, result.winner, how)
