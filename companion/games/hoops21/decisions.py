"""What hoops21 expects: the sides to act, the dice to roll, and the legal and barred choices."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from companion.games.base import (
    Choice,
    Decision,
    DiceRequest,
    Die,
    DisabledReason,
    Fields,
    JsonObject,
    Message,
    Option,
    Prompt,
    Refusal,
    surrender_choices,
)
from companion.games.hoops21 import chart, inbounding, odds, shots
from companion.games.hoops21.chart import choosing_side, effect_of, winner_choices
from companion.games.hoops21.contests import is_lost_by_reroll
from companion.games.hoops21.dice_checks import count_symbols
from companion.games.hoops21.free_throws import current_free_throws
from companion.games.hoops21.greedy_player import expected_lead, state_after
from companion.games.hoops21.messages import dice_message, side_message, symbol_message, word
from companion.games.hoops21.rulebook import RULEBOOK
from companion.games.hoops21.state import ALL_DICE, Counts, State, balls, playable_symbols
from companion.games.hoops21.tables import (
    DICE,
    DUNK_POINTS,
    PASS_LENGTH,
    SIDES,
    SYMBOLS,
    Effect,
    Side,
    Symbol,
    opponent,
    side_index,
)
from companion.games.hoops21.throws import reroll_from_dice
from companion.games.hoops21.view import waiting_for
from companion.games.wording import MATCH_OVER, comma_separated, literal, part_percent, percent, reason_prompt, signed


def choose_decision(state: State) -> Decision:
    """Return the prompt for a choice of the winner of a throw.

    Every choice is one tap; the best one by the odds of the next roll comes first. It is filled only if it scores at
    once: the odds of one roll do not show what a longer way is worth.
    """
    winner = choosing_side(state)
    events = sorted(winner_choices(state), key=lambda event: -expected_lead(state_after(state, event), winner))
    plays = comma_separated([symbol_message(name) for name in playable_symbols(state.open_contest.counts_of(winner))])
    scores = state_after(state, events[0]).score != state.score
    found = tuple(_choice(state, event, 1 if scores and event == events[0] else 2) for event in events)
    title = side_message("await.choose", state, winner)
    if is_lost_by_reroll(state):
        title = word("await", "choose_level")
    return Decision(title, Message("hoops21.detail.choose", {"plays": plays}), choices=found)


def _choice(state: State, event: JsonObject, prominence: Literal[1, 2]) -> Choice:
    winner = choosing_side(state)
    name: Symbol = event.get("symbol") or playable_symbols(state.open_contest.counts_of(winner))[0]
    effect = effect_of(state, winner, name, event.get("action"))
    label = word("do", effect)
    if effect == "shot":
        label = Message("hoops21.do.shot", {"points": shots.shot_points(state)})
    detail, worth = _choice_value(state, event, effect)
    return Choice(event, label, winner, detail, worth, prominence)


def _choice_value(state: State, event: JsonObject, effect: Effect) -> tuple[Message, str | Message]:
    """Return the value of a choice, in words and as a number."""
    if effect == "shot":
        return word("detail", "made"), part_percent(odds.shot_odds_from(state, state.distance), "made")
    if effect == "free_throws":
        return word("detail", "each_made"), percent(odds.free_throw_chance(state.setup.faces))
    end = state_after(state, event)
    if effect == "steal":
        return Message("hoops21.detail.to_section", {"section": end.pawn}), ""
    return _move(state, end, effect)


def _move(state: State, end: State, effect: Effect) -> tuple[Message, str]:
    """Return where a move ends, and by how many sections the pawn moves."""
    steps = (
        PASS_LENGTH
        if effect in ("blind_pass", "deflected_pass")
        else balls(state.open_contest.counts_of(choosing_side(state)))
    )
    if effect in ("push_back", "deflected_pass"):
        steps = -steps
    if end.score != state.score:
        return Message("hoops21.detail.dunk", {"points": DUNK_POINTS}), signed(steps)
    reached = "to_section" if end.attack == state.attack else "intercepted_on"
    parts = [Message(f"hoops21.detail.{reached}", {"section": end.pawn})]
    parts += [
        side_message("detail.then_fewer", state, side, dice=dice)
        for side, dice in zip(SIDES, end.dice_next, strict=True)
        if dice < DICE
    ]
    return comma_separated(parts), signed(steps)


# Tries an event on the state, so that only legal events are offered.


def disabled_reason(state: State, fields: Fields) -> DisabledReason | None:
    """Return why an event is not legal, or None."""
    try:
        RULEBOOK.validate(state, RULEBOOK.parse(fields))
    except Refusal as refused:
        return DisabledReason(refused.rule, refused.message)
    return None


# The menu in every phase: rulings on cases that the rules do not cover, and concession (chapter 12).

RULING_POINTS = (1, 2, 3, -1, -2, -3)


def menu_choices(state: State) -> tuple[Choice, ...]:
    return (*_rulings(state), *surrender_choices("concede", word("do", "concede"), SIDES, "team"))


def _rulings(state: State) -> Iterator[Choice]:
    token = (_team_prompt(state, "token", "token_of"),)
    named = token if state.token is None else ()
    sections = tuple(
        Option(section, Message("hoops21.section", {"section": section}))
        for section in range(1, state.setup.court.sections + 1)
    )
    pawn = Prompt("pick", "section", word("ask", "pawn_on"), sections, suggested=state.pawn)
    yield _ruling("ruling_inbound", {"restart": "inbound"}, (_team_prompt(state, "team", "inbound_by"), *named))
    yield _ruling("ruling_throw", {"restart": "throw"}, (pawn, *named))
    yield _ruling("ruling_jump_ball", {"restart": "jump_ball"}, ())
    yield _ruling("ruling_points", {}, (_points_prompt(state),))
    yield _ruling("ruling_token", {}, token, state)
    yield _ruling("ruling_note", {}, ())


def _ruling(label: str, fields: Fields, prompts: tuple[Prompt, ...], state: State | None = None) -> Choice:
    """Return a ruling whose reason is asked last; with a state, it is barred if no answer would be legal."""
    event: JsonObject = {"event": "ruling", **fields}
    refused = None
    if state is not None:
        refused = disabled_reason(
            state, {**event, "text": label, **{ask.field: ask.options[0].value for ask in prompts}}
        )
    reason = reason_prompt(word("ask", "ruling"))
    return Choice(
        event, word("do", label), prominence=3, prompts=(*prompts, reason), disabled_reason=refused, menu=True
    )


def _team_prompt(state: State, field: str, title: str) -> Prompt:
    options = tuple(Option(side, literal(state.setup.name(side))) for side in SIDES)
    return Prompt("pick", field, word("ask", title), options)


def _points_prompt(state: State) -> Prompt:
    options = []
    for side in SIDES:
        for points in RULING_POINTS:
            if state.score[side_index(side)] + points >= 0:
                label = side_message("option.points", state, side, points=signed(points))
                options.append(Option({side: points}, label))
    return Prompt("pick", "points", word("ask", "points"), tuple(options))


# Options of the holder of the power token (chapters 5 and 11): decide a tie, reroll own dice, or let them stand.


def tie_decision(state: State) -> Decision:
    """Return the prompt for the holder in a tie: win with the token, keep it and lose, or (advanced game) reroll."""
    holder = state.token_holder
    use = Choice(
        {"event": "token", "use": True}, word("do", "token_use"), holder, winning_effect(state, holder), prominence=1
    )
    keep = Choice(
        {"event": "token", "use": False}, word("do", "token_keep"), holder, winning_effect(state, opponent(holder))
    )
    title = side_message("await.tie", state, holder)
    if state.setup.advanced:
        return Decision(
            title,
            word("detail", "again"),
            dice=_reroll_dice(state),
            choices=(use, keep, _reroll_at_tie(state)),
            required_before_dice=_any_reroll(state),
        )
    event = {"event": "reroll", "team": holder}
    refused = Choice(event, word("do", "reroll"), holder, prominence=3, disabled_reason=disabled_reason(state, event))
    return Decision(title, choices=(use, keep, refused))


def reroll_decision(state: State) -> Decision:
    """Return the prompt for the holder, who is behind or has missed: reroll or let the dice stand."""
    holder = state.token_holder
    missed = state.open_contest.kind == "free_throw"
    stand = Choice(
        {"event": "stand"}, word("do", "stand"), holder, None if missed else winning_effect(state, opponent(holder))
    )
    title = side_message("await.missed" if missed else "await.behind", state, holder)
    return Decision(
        title,
        word("detail", "again"),
        dice=_reroll_dice(state),
        choices=(*reroll_choices(state, 1), stand),
        required_before_dice=_any_reroll(state),
    )


@dataclass(frozen=True, slots=True)
class RerollThrow:
    """The throw of a reroll: all dice of the holder count, those that stay and those that are thrown again."""

    state: State

    def dice(self, fields: Fields) -> tuple[DiceRequest, ...]:
        """Return all dice of the holder, with their faces after the reroll."""
        return _reroll_dice(self.state)

    def thrown_again(self, fields: Fields) -> tuple[Die, ...]:
        """Return the dice that the event does not keep; none if it does not say."""
        if "kept" not in fields:
            return ()
        holder = self.state.token_holder
        on_table = self.state.open_contest.counts_of(holder)
        kept = count_symbols(tuple(fields["kept"]))
        again = tuple(count - stays for count, stays in zip(on_table, kept, strict=True))
        return tuple(Die(holder, symbol=name) for name in odds.symbol_list(again))

    def event(self, fields: Fields, dice: Sequence[Die]) -> Fields | None:
        """Return the reroll that leaves these dice of the holder on the table."""
        return reroll_from_dice(self.state, dice, fields.get("kept", ()))


def _any_reroll(state: State) -> Choice:
    """Return the choice to throw own dice again, whichever they are."""
    event = {"event": "reroll", "team": state.token_holder}
    return Choice(event, word("do", "reroll"), state.token_holder, throw=RerollThrow(state))


def winning_effect(state: State, winner: Side) -> Message:
    """Return what a team would win: its plays of a throw, or the result of the shot."""
    if state.open_contest.kind == "shot":
        made = winner == state.attack
        return side_message(
            "detail.shot_made" if made else "detail.shot_missed", state, winner, points=shots.shot_points(state)
        )
    counts = state.open_contest.counts_of(winner)
    if balls(counts) == DICE:
        return side_message("detail.wins", state, winner, plays=word("effect", "slam_dunk"))
    plays = [word("effect", chart.effect_of(state, winner, name)) for name in playable_symbols(counts)]
    return side_message("detail.wins", state, winner, plays=comma_separated(plays))


def reroll_choices(state: State, prominence: Literal[1, 2]) -> tuple[Choice, ...]:
    """Return the advised reroll and any other one.

    The advised one asks only for the new faces, the other one also for the kept dice.
    """
    best, on_table = odds.best_reroll(state), state.open_contest.counts_of(state.token_holder)
    again = sum(on_table) - sum(best.keep)
    event = {"event": "reroll", "team": state.token_holder}
    advised = Choice(
        {**event, "kept": odds.symbol_list(best.keep)},
        Message("hoops21.do.reroll_some", {"n": again}),
        state.token_holder,
        Message("hoops21.detail.keep", {"dice": dice_message(best.keep)}),
        percent(best.win),
        prominence,
        (_rolled_prompt(state, again, again),),
        throw=RerollThrow(state),
    )
    rolled = replace(_rolled_prompt(state, 1, sum(on_table)), data=RolledDicePrompt(state))
    other = Choice(
        event,
        word("do", "reroll_other"),
        state.token_holder,
        prominence=3,
        prompts=(_kept_prompt(state, on_table, best.keep), rolled),
        throw=RerollThrow(state),
    )
    return (advised, other)


def _reroll_at_tie(state: State) -> Choice:
    """Return one choice for any reroll, with the advised dice selected: three choices are all seen at once."""
    advised, other = reroll_choices(state, 2)
    return replace(other, label=word("do", "reroll"), detail=advised.detail, effect=advised.effect, prominence=2)


@dataclass(frozen=True, slots=True)
class RolledDicePrompt:
    """The faces of the rerolled dice, once the kept ones are chosen."""

    state: State

    def with_answers(self, answers: Fields) -> Prompt:
        again = sum(self.state.open_contest.counts_of(self.state.token_holder)) - len(answers["kept"])
        return _rolled_prompt(self.state, again, again)


@dataclass(frozen=True, slots=True)
class KeptDiceProgress:
    """How many of `count` dice on the table stay, and how many are rerolled."""

    count: int

    def progress(self, answers: Fields) -> Message:
        again = self.count - len(answers["kept"])
        return Message("hoops21.ask.kept_so_far", {"kept": len(answers["kept"]), "n": again})


def _kept_prompt(state: State, on_table: Counts, best: Counts) -> Prompt:
    """Return the prompt for the kept dice, out of those on the table; at least one die is rerolled (HB-11.1)."""
    options = tuple(
        Option(name, symbol_message(name), die=Die(state.token_holder, symbol=name))
        for name in odds.symbol_list(on_table)
    )
    data = KeptDiceProgress(len(options))
    title, kept = word("ask", "kept"), odds.symbol_list(best)
    return Prompt("dice", "kept", title, options, maximum=len(options) - 1, suggested=kept, data=data)


def _rolled_prompt(state: State, least: int, most: int) -> Prompt:
    """Return the prompt for the faces of the rerolled dice."""
    faces = tuple(
        Option(name, symbol_message(name), maximum=most, die=Die(state.token_holder, symbol=name)) for name in SYMBOLS
    )
    title = Message("hoops21.ask.rolled", {"n": most}) if least == most else word("ask", "rolled_some")
    return Prompt("dice", "rolled", title, faces, most, minimum=least, maximum=most)


def _reroll_dice(state: State) -> tuple[DiceRequest, ...]:
    """Return all dice of the holder, with their faces after the reroll."""
    holder = state.token_holder
    return (
        DiceRequest(
            holder,
            holder,
            sum(state.open_contest.counts_of(holder)),
            purpose=word("purpose", "again"),
            counts_unmoved=True,
        ),
    )


def decision(state: State) -> Decision:
    """Return what the game expects: nothing once the match is over, otherwise at least one thing besides the menu."""
    if state.phase == "over":
        return Decision(MATCH_OVER)
    phase_decision = _DECISION_BY_PHASE[state.phase](state)
    choices = tuple(
        sorted(phase_decision.choices, key=lambda choice: (choice.disabled_reason is not None, choice.prominence))
    )
    return replace(phase_decision, sides=waiting_for(state), choices=(*choices, *menu_choices(state)))


def both_teams_dice(counts: tuple[int, int]) -> tuple[DiceRequest, ...]:
    """Return dice that both teams roll at the same time."""
    return tuple(DiceRequest(side, side, count) for side, count in zip(SIDES, counts, strict=True))


def _jump_ball(state: State) -> Decision:
    return Decision(word("await", "jump_ball"), word("detail", "jump_ball"), dice=both_teams_dice(ALL_DICE))


def _throw(state: State) -> Decision:
    fewer = next((side for side in SIDES if state.dice_next[side_index(side)] < DICE), None)
    detail = (
        None if fewer is None else side_message("detail.fewer", state, fewer, dice=state.dice_next[side_index(fewer)])
    )
    return Decision(word("await", "throw"), detail, dice=both_teams_dice(state.dice_next))


def _shot(state: State) -> Decision:
    """Return the prompt for dice of both teams; before them the attack may step outside the arc (HB-7.5)."""
    attack, _ = state.attack_and_pawn
    event = {"event": "step_back"}
    refused = disabled_reason(state, event)
    made = None
    if refused is None:
        made = part_percent(odds.shot_odds_from(state, state.setup.court.arc + 1), "made")
    step = Choice(event, word("do", "step_back"), attack, word("detail", "step_back"), made, 2, disabled_reason=refused)
    title = side_message("await.shot", state, attack, points=shots.shot_points(state))
    detail = side_message("detail.tie", state, state.token_holder)
    return Decision(title, detail, dice=both_teams_dice(ALL_DICE), choices=(step,))


def _free_throw(state: State) -> Decision:
    shooting = current_free_throws(state)
    title = side_message("await.free_throw", state, shooting.team, number=shooting.number)
    return Decision(title, word("detail", "free_throw"), dice=(DiceRequest(shooting.team, shooting.team, DICE),))


def _inbound(state: State) -> Decision:
    """Return the prompt for the race.

    Each team rolls at its own pace, and the end can always be entered in one tap (HB-9.6).
    """
    attack, _ = state.attack_and_pawn
    thief = opponent(attack)
    dice = tuple(
        DiceRequest(side, side, inbounding.dice_due(state, side), independent=True) for side in (attack, thief)
    )
    detail = Message(
        "hoops21.detail.inbound",
        {"n": inbounding.steps_to_half_line(state), "aside": state.set_aside or 0, "dice": DICE},
    )
    crossed = Choice({"event": "inbound_end", "stolen": False}, word("do", "crossed"), attack, prominence=1)
    options = tuple(
        Option(section, Message("hoops21.section", {"section": section}))
        for section in inbounding.steal_sections(state)
    )
    ask = Prompt("pick", "section", word("ask", "stolen_on"), options, suggested=state.pawn)
    stolen = Choice({"event": "inbound_end", "stolen": True}, word("do", "stolen"), thief, prominence=1, prompts=(ask,))
    return Decision(side_message("await.inbound", state, attack), detail, dice=dice, choices=(crossed, stolen))


_DECISION_BY_PHASE: Mapping[str, Callable[[State], Decision]] = {
    "jump_ball": _jump_ball,
    "throw": _throw,
    "tie": tie_decision,
    "reroll": reroll_decision,
    "choose": choose_decision,
    "shot": _shot,
    "free_throw": _free_throw,
    "inbound": _inbound,
}
