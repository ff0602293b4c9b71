"""The moments of a hoops21 match: throws, shots, dunks, free throws, interceptions, the end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from companion.games.base import Fields, Message, Outcome
from companion.games.hoops21.dice_checks import count_symbols
from companion.games.hoops21.messages import side_message, word
from companion.games.hoops21.scene import throw_rows
from companion.games.hoops21.state import NO_DICE, Contest, State
from companion.games.hoops21.tables import SIDES, Side, opponent
from companion.games.moments import MomentRow, ResultMoment
from companion.games.wording import literal, result_message

ContestKind = Literal["throw", "shot", "free_throw"]
_THROWN: dict[str, ContestKind] = {"throw": "throw", "shot": "shot", "free_throw": "free_throw"}
"""The contest of the events that throw all its dice."""
_DECISIONS = ("token", "stand", "choose")
"""Events that settle the dice on the table without a throw."""
_QUIET_CHOICES = ("advance", "blind_pass", "push_back", "deflected_pass", "shot", "free_throws")
"""Effects that a player has just chosen by touch: the court shows them."""


def moments(before: State, fields: Fields, outcome: Outcome, after: State) -> Sequence[ResultMoment]:
    """Return the moments of an event. Dice that wait for a decision have none: the table shows them large itself."""
    found = _result(before, fields, outcome, after)
    found_moments = [] if found is None else [found]
    if after.phase == "over" and before.phase != "over" and after.winner is not None:
        orange, white = after.score
        score = literal(f"{orange} – {white}")
        found_moments.append(ResultMoment("end", result_message(after.setup.name(after.winner)), after.winner, score))
    return found_moments


def _result(before: State, fields: Fields, outcome: Outcome, after: State) -> ResultMoment | None:
    event = fields["event"]
    if event == "jump_ball":
        return _jump_ball(before, fields, outcome, after)
    if event in ("inbound_throw", "inbound_end"):
        return _race(outcome, after)
    contest = _contest(before, fields)
    if contest is None:
        return None
    rows = _rows(before, contest)
    if "balls" in outcome:
        return _free_throw(after, outcome, rows)
    if outcome["winner"] is None or (outcome.get("effect") == "choose" and event != "reroll"):
        return None
    if "made" in outcome:
        return _with_reason(_shot(before, outcome, rows), after, event, outcome)
    if event == "choose" and outcome["effect"] in _QUIET_CHOICES and not outcome["points"]:
        return _intercepted(after, rows) if outcome.get("intercepted") else None
    return _with_reason(_effect(after, outcome, rows), after, event, outcome)


def _contest(before: State, fields: Fields) -> Contest | None:
    """Return the dice that an event throws or settles; None for an event without dice."""
    event = fields["event"]
    if event in _THROWN:
        orange, white = (count_symbols(tuple(fields[side])) if side in fields else NO_DICE for side in SIDES)
        return Contest(_THROWN[event], (orange, white))
    if event == "reroll":
        return before.open_contest.with_dice(before.token_holder, count_symbols((*fields["kept"], *fields["rolled"])))
    return before.contest if event in _DECISIONS else None


def _rows(state: State, contest: Contest) -> tuple[MomentRow, ...]:
    """Return the dice of both teams with their numbers; for a shot with the modifier of the pawn's section."""
    return tuple(
        MomentRow(row.side, row.groups, str(row.number).replace("-", "\N{MINUS SIGN}"), row.label)
        for row in throw_rows(state, contest)
    )


def _jump_ball(before: State, fields: Fields, outcome: Outcome, after: State) -> ResultMoment:
    contest = Contest("free_throw", (count_symbols(tuple(fields["orange"])), count_symbols(tuple(fields["white"]))))
    winner: Side | None = outcome["winner"]
    rows = _rows(before, contest)
    if winner is None:
        return ResultMoment("result", word("headline", "tie"), None, word("moment", "again"), rows)
    return ResultMoment("result", side_message("headline.attack", after, winner), winner, None, rows)


def _race(outcome: Outcome, after: State) -> ResultMoment | None:
    """Return the end of an inbounding race; its throws have no moment, because nobody stops for them."""
    if outcome["stolen"]:
        return _intercepted(after, ())
    if outcome["crossed"]:
        attack, _ = after.attack_and_pawn
        return ResultMoment("result", side_message("moment.crossed", after, attack), attack)
    return None


def _intercepted(after: State, rows: tuple[MomentRow, ...]) -> ResultMoment:
    attack, _ = after.attack_and_pawn
    return ResultMoment("result", side_message("moment.intercepted", after, attack), attack, None, rows)


def _free_throw(after: State, outcome: Outcome, rows: tuple[MomentRow, ...]) -> ResultMoment | None:
    team: Side = outcome["team"]
    if outcome["made"] is None:
        return None
    if outcome["made"]:
        return ResultMoment("score", word("moment", "free_throw_made"), team, None, rows)
    return ResultMoment("result", word("moment", "free_throw_missed"), opponent(team), None, rows)


def _shot(before: State, outcome: Outcome, rows: tuple[MomentRow, ...]) -> ResultMoment:
    attack, _ = before.attack_and_pawn
    if outcome["made"]:
        basket = Message("hoops21.moment.basket", {"n": outcome["points"]})
        return ResultMoment("score", basket, attack, None, rows)
    return ResultMoment("result", word("moment", "missed"), opponent(attack), None, rows)


def _effect(after: State, outcome: Outcome, rows: tuple[MomentRow, ...]) -> ResultMoment:
    """Return the effect of a won throw (HB-6.1)."""
    winner: Side = outcome["winner"]
    effect = outcome["effect"]
    if outcome.get("intercepted") or effect == "steal":
        return _intercepted(after, rows)
    if outcome["points"]:
        id = "slam_dunk" if effect == "slam_dunk" else "dunk"
        return ResultMoment("score", Message(f"hoops21.moment.{id}", {"n": outcome["points"]}), winner, None, rows)
    if effect == "choose":
        return ResultMoment("result", side_message("headline.won", after, winner), winner, None, rows)
    return ResultMoment("result", word("moment", effect), winner, None, rows)


def _with_reason(moment: ResultMoment, after: State, event: str, outcome: Outcome) -> ResultMoment:
    """Return the moment with the reason why a side has lost although the dice are level (HB-11.5), if that is so."""
    if event != "reroll" or outcome["leader"] is not None:
        return moment
    return replace(moment, detail=side_message("moment.level", after, outcome["team"]))
