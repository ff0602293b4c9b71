"""The moments of an NBA match: rolled and kept dice, scored and stopped attacks, mismatches, the end."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from companion.games.base import Fields, Message, Outcome
from companion.games.figures import DiceGroup
from companion.games.moments import MomentRow, ResultMoment
from companion.games.nba.dice_set import NbaFace
from companion.games.nba.messages import card_name, side_message, word
from companion.games.nba.scene import die_of, lanes
from companion.games.nba.scoring import counting_value
from companion.games.nba.state import State
from companion.games.nba.teams import LaidDice
from companion.games.wording import comma_separated, literal, result_message


def moments(before: State, fields: Fields, outcome: Outcome, after: State) -> Sequence[ResultMoment]:
    """Return the moments of an event, in the order in which they are shown."""
    event = fields["event"]
    found: list[ResultMoment] = []
    if event in ("activate", "reroll", "keep", "attack", "defend"):
        found.append(_laid(before, after) if after.roll is None else _rolled(after))
    elif event == "end_turn":
        found += [_scored(before, scored) for scored in outcome["scored"]]
    elif event == "mismatch":
        found.append(_mismatch(after, fields, outcome))
    if after.phase == "over" and before.phase != "over":
        found.append(_end(after))
    return found


def _groups(dice: Iterable[NbaFace], counting: Iterable[NbaFace]) -> tuple[DiceGroup, ...]:
    """Return one group for each die; those in `counting` make up the number."""
    uncounted = list(counting)
    groups = []
    for die in dice:
        counts = die in uncounted
        if counts:
            uncounted.remove(die)
        groups.append(DiceGroup(die_of(die), 1, counts))
    return tuple(groups)


def _rolled(after: State) -> ResultMoment:
    """Return the dice of an open roll, and what the best of them are worth as they lie."""
    side, roll = after.active_side, after.open_roll
    offence = after.setup.tactic(roll.tactic).type == "offence"
    compared = lanes(after)
    name = literal(card_name(after, roll.tactic))
    if not compared:
        row = MomentRow(side, _groups(roll.dice, ()))
        return ResultMoment("result", word("moment", "defence_rolled"), side, name, (row,))
    best = compared[0]
    worth = best.total if offence else best.parts[-1][0]
    rolled = next(row for row in best.rows if row.side == side)
    groups = tuple(
        DiceGroup(one.die, 1, one.mark in ("yes", "again") and (not offence or one.mark == "yes"))
        for cell in rolled.cells
        for one in cell
    )
    headline = Message("nba.moment.attack_rolled" if offence else "nba.moment.defence_worth", {"n": worth})
    return ResultMoment("result", headline, side, name, (MomentRow(side, groups, str(worth)),))


def _laid(before: State, after: State) -> ResultMoment:
    """Return the dice that a side has just laid in its zone."""
    side = after.active_side
    team, earlier = after.team(side), before.team(side)
    if team.attack is not None and team.attack != earlier.attack:
        dice, worth = team.attack.dice, team.attack.value
        row = MomentRow(side, _groups(dice, dice), str(worth))
        return ResultMoment("result", Message("nba.moment.attack", {"n": worth}), side, None, (row,))
    laid = team.defence.dice if team.defence is not None else ()
    pending = _pending(after, side)
    stopped = min(counting_value(laid, pending), pending.value if pending is not None else 0)
    row = MomentRow(side, _groups(laid, _counting(laid, pending)), str(stopped))
    return ResultMoment(
        "result", Message("nba.moment.defence_worth", {"n": stopped}), side, None, (row,) if laid else ()
    )


def _pending(state: State, side: str) -> LaidDice | None:
    """Return the first attack pending against a side."""
    attacks = (state.team(other).attack for other in state.setup.opponents(side))
    return next((attack for attack in attacks if attack is not None), None)


def _counting(dice: Iterable[NbaFace], attack: LaidDice | None) -> list[NbaFace]:
    return [die for die in dice if counting_value((die,), attack)]


def _scored(before: State, scored: Fields) -> ResultMoment:
    """Return an attack with the defence against it, and its points."""
    side, against, points = scored["side"], scored["against"], scored["points"]
    attack, defence = before.team(side).attack, before.team(against).defence
    dice = attack.dice if attack else ()
    rows = [MomentRow(side, _groups(dice, dice), str(scored["attack"]))]
    if defence is not None:
        groups = _groups(defence.dice, _counting(defence.dice, attack))
        rows.append(MomentRow(against, groups, f"\N{MINUS SIGN}{scored['defence']}"))
    if not points:
        return ResultMoment("result", side_message("moment.stopped", before, against), against, None, tuple(rows))
    basket = side_message("moment.basket", before, side, n=points)
    return ResultMoment("score", basket, side, None, tuple(rows))


def _mismatch(after: State, fields: Fields, outcome: Outcome) -> ResultMoment:
    side, points = fields["side"], outcome["points"]
    sums = Message("nba.moment.sums", {"attack": outcome["attack"], "defence": outcome["defence"]})
    headline = side_message("moment.basket" if points else "moment.mismatch_stopped", after, side, n=points)
    return ResultMoment("score" if points else "result", headline, side, sums)


def _end(after: State) -> ResultMoment:
    score = comma_separated(
        [
            Message("nba.moment.side_score", {"side": name, "n": after.score(side)})
            for side, name in after.setup.names.items()
        ]
    )
    winner = after.result.winner if after.result else None
    if winner is None:
        return ResultMoment("end", result_message(None), None, score)
    return ResultMoment("end", result_message(after.setup.names[winner]), winner, score)
