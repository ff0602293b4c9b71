"""What the game expects in each phase: the sides to act, the dice to roll, and the legal and barred choices."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

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
from companion.games.nba import events as ev
from companion.games.nba import forecast, rerolls, solo
from companion.games.nba.activation import check_usable, max_rerolled
from companion.games.nba.card_options import (
    catalogue_players,
    catalogue_tactics,
    owned_first,
    owned_players,
    owned_tactics_first,
    player_group,
    player_option,
    tactic_group,
    tactic_option,
    unseen_players,
)
from companion.games.nba.cards import TacticCard
from companion.games.nba.dice_set import UNREAD, NbaDiceSet, needs_asking
from companion.games.nba.legality import CompletionCheck, disabled_reason, kind_disabled_reason
from companion.games.nba.market import is_on_sale
from companion.games.nba.market_choices import is_market_open, market_choices
from companion.games.nba.messages import card_name, dice_count_message, face_message, rounded_mean, side_message, word
from companion.games.nba.mismatch import attack_dice, can_play, defence_dice
from companion.games.nba.odds import expected_total
from companion.games.nba.reroll_advice import defence_advice, offence_advice
from companion.games.nba.rulebook import RULEBOOK
from companion.games.nba.scoring import score_attack
from companion.games.nba.state import State
from companion.games.nba.substitutions import may_not_enter
from companion.games.nba.tables import (
    COLOURS,
    DEFENCE,
    MAX_DICE_PER_KIND,
    MAX_PREPARED,
    MAX_RECRUITS,
    OFFENCE,
    POSITIONS,
    TRACK_SLOTS,
    UNKNOWN_COLOUR,
)
from companion.games.nba.throws import activation_from_dice, event_from_dice, reroll_from_dice
from companion.games.wording import MATCH_OVER, comma_separated, literal, reason_prompt, signed

# A person's actions in a turn of level `full` before activations: adjust, substitute, prepare, buy (chapter 6).

NOBODY_CAN_ENTER = DisabledReason("NBA-6.3", Message("nba.refusal.NBA-6.3.nothing"))


@dataclass(frozen=True, slots=True)
class CourtData:
    """Data for the court editor: the current cards and the cards allowed at each position.

    The editor answers with the event's fields: `court` (position → card, changed positions only) and
    `fatigue_removed`, at most `fatigue_held`.
    """

    court: tuple[tuple[str, str], ...]
    candidates: tuple[tuple[str, tuple[str, ...]], ...]
    fatigue_held: int
    owned: frozenset[str] = frozenset()
    """The cards known to belong to the side."""


def action_choices(state: State, is_next: bool) -> tuple[Choice, ...]:
    """Return all actions that come before the activations, with the tactics filled if this `is_next`; barred after
    their phase.
    """
    return (
        *_adjust_choices(state),
        *_replace_choices(state),
        *_prepare_choices(state, is_next),
        *market_choices(state),
    )


def _adjust_choices(state: State) -> tuple[Choice, ...]:
    """Return the choice of the adjustment phase; empty once another action was taken."""
    if state.phase != "adjust" or state.ultimate:
        return ()
    prompts = [Prompt("count", "tactics_replaced", word("ask", "tactics_replaced"), maximum=TRACK_SLOTS, suggested=0)]
    deck = state.setup.market_list
    if state.laid and deck is None:
        options = tuple(player_option(state, one) for one in unseen_players(state))
        if options:
            title = Message("nba.ask.revealed", {"n": state.laid})
            prompts.append(Prompt("pick", "revealed", title, options, state.laid, 0, state.laid, optional=True))
    return (Choice({"event": "adjust"}, word("do", "adjust"), state.active_side, prominence=3, prompts=tuple(prompts)),)


def _replace_choices(state: State) -> tuple[Choice, ...]:
    """Return the substitutions: one card for another in two taps, or several at once in the court editor."""
    if state.ultimate:
        return ()
    reason = kind_disabled_reason(state, ev.Replace)
    team = state.team(state.active_side)
    entering = [
        one for one in catalogue_players(state) if one.id not in team.court and not may_not_enter(state, one.id)
    ]
    by_position = tuple(
        (position, tuple(one.id for one in owned_first(state, entering) if position in one.positions))
        for position in POSITIONS
    )
    owned = owned_players(state)
    placements = sorted(
        ((position, id) for position, ids in by_position for id in ids), key=lambda placement: placement[1] not in owned
    )
    options = tuple(
        Option({position: id}, literal(card_name(state, id)), _for(state, position), group=player_group(state, id))
        for position, id in placements
    )
    prompts = [Prompt("pick", "court", word("ask", "replace"), options)]
    if team.fatigue_held:
        # Not 1: only the side knows whether a fatigue card is in its hand (NBA-6.4).
        prompts.append(Prompt("count", "fatigue_removed", word("ask", "fatigue_removed"), maximum=1, suggested=0))
    event = {"event": "replace"}
    data = CourtData(tuple(zip(POSITIONS, team.court, strict=True)), by_position, team.fatigue_held, owned)
    several = Prompt("lineup", "court", word("ask", "court"), data=data)
    side = team.side
    nobody = None if options else NOBODY_CAN_ENTER
    return (
        Choice(event, word("do", "replace"), side, prompts=tuple(prompts), disabled_reason=reason or nobody),
        Choice(
            event,
            word("do", "replace_several"),
            side,
            prominence=3,
            prompts=(several,),
            disabled_reason=reason or nobody,
        ),
    )


def _for(state: State, position: str) -> Message:
    standing = card_name(state, state.card_at(state.active_side, position))
    return Message("nba.option.instead", {"position": word("position_short", position), "player": standing})


def _prepare_choices(state: State, is_next: bool) -> tuple[Choice, ...]:
    """Return the choices to lay tactics on the board, discard them from it, or both at once (NBA-6.5)."""
    team = state.team(state.active_side)
    reason = kind_disabled_reason(state, ev.Prepare)
    event = {"event": "prepare"}
    data = CompletionCheck(state, event)
    known = _playable(state, catalogue_tactics(state))
    options = tuple(_preparation_option(state, one) for one in owned_tactics_first(state, known))
    lay = Prompt("pick", "tactics", word("ask", "tactics"), options, 1, 1, 2 * MAX_PREPARED)
    choices = []
    if known:
        reasons = [
            None if reason else disabled_reason(state, {**event, "tactics": [option.value]}) for option in options
        ]
        tried = tuple(replace(option, disabled_reason=why) for option, why in zip(options, reasons, strict=True))
        full = reasons[0] if all(reasons) else None
        only_lay = (replace(lay, options=tried, data=data),)
        prominence: Any = 1 if is_next else 2
        choices.append(
            Choice(
                event,
                word("do", "prepare"),
                team.side,
                None,
                None,
                prominence,
                only_lay,
                disabled_reason=reason or full,
            )
        )
    on_board = _playable(state, [state.setup.tactic(id) for id in dict.fromkeys(team.prepared)])
    if on_board:
        board = tuple(
            tactic_option(one, team.prepared.count(one.id), group=word("group", f"prepared_{one.type}"))
            for one in on_board
        )
        drop = Prompt("pick", "discard", word("ask", "discard"), board, 1, 1, len(team.prepared), data=data)
        for label, prompts in (("discard", (drop,)), ("exchange", (drop, lay))):
            choices.append(
                Choice(event, word("do", label), team.side, prominence=3, prompts=prompts, disabled_reason=reason)
            )
    return tuple(choices)


def _preparation_option(state: State, one: TacticCard) -> Option:
    """Return a tactic with the dice that it would roll now and their mean total, or the level that it still needs."""
    side, group = state.active_side, tactic_group(state, one)
    level = state.collective(side)
    if level < one.complexity:
        detail = Message("nba.option.level_missing", {"complexity": one.complexity, "level": level})
        return Option(one.id, literal(one.name), detail, maximum=MAX_PREPARED, group=group)
    detail = dice_count_message(state.roll_size(side, one))
    counts = one.type == "offence" or bool(state.pending_colours(side))
    mean = rounded_mean(expected_total(forecast.pools(state, side, one))) if counts else None
    return Option(one.id, literal(one.name), detail, mean, MAX_PREPARED, group=group)


def _playable(state: State, cards: Iterable[TacticCard]) -> list[TacticCard]:
    """Return the tactics that may still be played: no offence in an ultimate defence (NBA-8.4)."""
    return [one for one in cards if not (state.ultimate and one.type == "offence")]


# While dice are on the table: a tactic's roll, rerolls, kept dice, a mismatch.

Size = Mapping[str, int]


def max_dice_of(kinds: tuple[str, ...]) -> dict[str, int]:
    """Return the maximum number of dice of these kinds."""
    return dict.fromkeys(kinds, MAX_DICE_PER_KIND)


def dice_prompt(dice_set: NbaDiceSet, field: str, size: Size, exact: bool = True) -> Prompt:
    """Return the prompt to enter dice by touch: every face of these kinds, each up to the number of dice of its
    kind."""
    options = [
        Option(value, label, word("body", kind), maximum=count, die=as_die(value))
        for kind, count in size.items()
        if count
        for value, label in possible_dice(dice_set, kind)
    ]
    total = sum(size.values())
    title = Message("nba.ask.dice", {"dice": dice_count_message(size)})
    return Prompt("dice", field, title, tuple(options), total, total if exact else 0, max(1, total), data=dict(size))


def possible_dice(dice_set: NbaDiceSet, kind: str) -> list[tuple[JsonObject, Message]]:
    """Return the different dice of a kind in the journal's format; an unknown number appears in each colour."""
    found: dict[tuple[int, str | None], None] = {}
    for value, colour in dice_set.of(kind):
        for each in COLOURS if colour == UNKNOWN_COLOUR else (colour,):
            found[value, each] = None
    dice = []
    for value, colour in found:
        die: JsonObject = {"die": kind, "value": value}
        if colour is not None:
            die["colour"] = colour
        if needs_asking(dice_set, kind, value):
            die["asked"] = True
        dice.append((die, face_message(kind, value, colour)))
    return dice


def as_die(written: Fields) -> Die:
    """Return a die of the journal as a table die; an offence die has only its body's colour."""
    kind = written["die"]
    return Die(kind, written["value"], None if kind in OFFENCE else written.get("colour"))


def roll_options(state: State) -> tuple[Option, ...]:
    """Return the dice of the open roll as options, each by its index."""
    return tuple(
        Option(
            index,
            face_message(die.die, die.value, die.colour),
            word("body", die.die),
            die=Die(die.die, die.value, None if die.die in OFFENCE else die.colour),
        )
        for index, die in enumerate(state.open_roll.dice)
    )


def expected_dice(side: str, least: Size, most: Size, purpose: Message) -> tuple[DiceRequest, ...]:
    """Return the expected dice, from `least` to `most` of each kind."""
    return tuple(
        DiceRequest(
            side, kind, count, purpose=purpose, min_count=None if least.get(kind, 0) == count else least.get(kind, 0)
        )
        for kind, count in most.items()
        if count
    )


def scores_level_dice(state: State) -> tuple[DiceRequest, ...]:
    """Return the expected dice at level `scores`: kept dice of any kind that may still be laid this turn."""
    free: dict[str, int] = {}
    for kind, kinds in ((ev.Attack, OFFENCE), (ev.Defend, DEFENCE)):
        if kind_disabled_reason(state, kind) is None:
            free |= max_dice_of(kinds)
    return expected_dice(state.active_side, {}, free, word("purpose", "kept"))


def activation_dice(state: State) -> tuple[DiceRequest, ...]:
    """Return the expected dice at level `full`: those of the tactics that may be activated now.

    With several tactics the dice identify the tactic.
    """
    sizes = [state.roll_size(state.active_side, state.setup.tactic(id)) for id in activatable_tactics(state)]
    kinds = dict.fromkeys(kind for size in sizes for kind in size)
    least = {kind: min(size.get(kind, 0) for size in sizes) for kind in kinds}
    most = {kind: max(size.get(kind, 0) for size in sizes) for kind in kinds}
    return expected_dice(state.active_side, least, most, word("purpose", "activate"))


def activatable_tactics(state: State) -> tuple[str, ...]:
    """Return the different prepared tactics that may be activated now; for the solo opponent, its planned ones."""
    if state.solo_turn:
        return tuple([id for id in solo.plan(state).values() if id is not None])
    board = dict.fromkeys(state.team(state.active_side).prepared)
    return tuple([id for id in board if forecast.is_usable(state, state.active_side, state.setup.tactic(id))])


def roll_decision(state: State) -> Decision:
    """Return the prompt for one reroll of an open roll, or the dice to keep."""
    side = state.active_side
    if state.solo_turn:
        tactic = state.setup.tactic(state.open_roll.tactic)
        title = side_message("await.roll", state, side, tactic=tactic.name)
        again = solo.planned_reroll(state, rerolls.remaining(state))
        dice = expected_dice(side, _kinds(state, again), _kinds(state, again), word("purpose", "reroll"))
        return Decision(title, word("detail", "solo_reroll"), (side,), dice, (_reroll_choice(state, again, 1),))
    most = _max_rerolls_by_kind(state)
    dice = expected_dice(side, {}, most, word("purpose", "reroll"))
    together = max(most.values(), default=0)
    title = side_message("await.reroll" if together else "await.keep", state, side)
    priced = "rerolls_priced" if rerolls.costs_fatigue(state) else "rerolls"
    detail = Message(f"nba.detail.{priced}", {"n": together}) if together else None
    any_reroll = Choice({"event": "reroll"}, word("do", "reroll_dice"), side, throw=RerollThrow(state))
    choices = (*_reroll_choices(state), *_keep_choices(state))
    return Decision(title, detail, (side,), dice, choices, any_reroll if dice else None)


@dataclass(frozen=True, slots=True)
class RerollThrow:
    """The throw of a reroll: the dice that the event names, or any that may be rerolled."""

    state: State

    def dice(self, fields: Fields) -> tuple[DiceRequest, ...]:
        """Return the dice to throw."""
        side, purpose = self.state.active_side, word("purpose", "reroll")
        if "dice" not in fields:
            return expected_dice(side, {}, _max_rerolls_by_kind(self.state), purpose)
        kinds = _kinds(self.state, tuple(fields["dice"]))
        return expected_dice(side, kinds, kinds, purpose)

    def thrown_again(self, fields: Fields) -> tuple[Die, ...]:
        """Return the dice of the open roll that are picked up."""
        dice = self.state.open_roll.dice
        return tuple(
            Die(dice[index].die, dice[index].value, None if dice[index].die in OFFENCE else dice[index].colour)
            for index in fields.get("dice", ())
        )

    def event(self, fields: Fields, dice: Sequence[Die]) -> Fields | None:
        """Return the reroll with these new faces."""
        if "dice" not in fields:
            return event_from_dice(self.state, dice)
        return reroll_from_dice(self.state, fields["dice"], dice)


@dataclass(frozen=True, slots=True)
class ActivationThrow:
    """The throw of a tactic: all its dice."""

    state: State

    def dice(self, fields: Fields) -> tuple[DiceRequest, ...]:
        """Return the dice to throw."""
        size = self.state.roll_size(self.state.active_side, self.state.setup.tactic(fields["tactic"]))
        return expected_dice(self.state.active_side, size, size, word("purpose", "activate"))

    def thrown_again(self, fields: Fields) -> tuple[Die, ...]:
        """Return no dice: all of them are in the hand."""
        return ()

    def event(self, fields: Fields, dice: Sequence[Die]) -> Fields | None:
        """Return the activation with these dice."""
        return activation_from_dice(self.state, fields["tactic"], dice)


def _kinds(state: State, indices: tuple[int, ...]) -> dict[str, int]:
    dice = [state.open_roll.dice[index].die for index in indices]
    return {kind: dice.count(kind) for kind in dict.fromkeys(dice)}


def _max_rerolls_by_kind(state: State) -> dict[str, int]:
    """Return how many dice of each kind of the open roll may be rerolled, including the coach's extra die."""
    if state.open_roll.rerolled:
        return {}
    tactic = state.setup.tactic(state.open_roll.tactic)
    dice_by_skill = {skill: state.open_roll.of_kind(skill) for skill in tactic.skills}
    return {skill: min(len(dice), max_rerolled(state, dice)) for skill, dice in dice_by_skill.items()}


def _reroll_choice(state: State, indices: tuple[int, ...], prominence: Any, effect: Message | None = None) -> Choice:
    """Return the choice to reroll these dice, with its price; their new faces are still missing."""
    ask = dice_prompt(state.setup.dice_set, "to", _kinds(state, indices))
    event = {"event": "reroll", "dice": list(indices)}
    detail = _showing(state, indices)
    if not state.solo_turn and (price := rerolls.fatigue_price(state, indices)):
        detail = Message("nba.detail.reroll_price", {"n": price, "dice": detail})
    label = Message("nba.do.reroll", {"n": len(indices)})
    return Choice(event, label, state.active_side, detail, effect, prominence, (ask,), throw=RerollThrow(state))


def _showing(state: State, indices: tuple[int, ...]) -> Message:
    """Return which dice of the open roll are meant: a face alone reads as a number of points."""
    return Message("nba.detail.showing", {"n": len(indices), "dice": dice_message(state, indices)})


def dice_message(state: State, indices: tuple[int, ...]) -> Message:
    """Return these dice of the open roll as text."""
    dice = [state.open_roll.dice[index] for index in indices]
    return comma_separated([face_message(die.die, die.value, die.colour) for die in dice] or [word("dice", "none")])


@dataclass(frozen=True, slots=True)
class RerolledDicePrompt:
    """The dice to reroll, once they are chosen."""

    state: State

    def with_answers(self, answers: Fields) -> Prompt:
        return dice_prompt(self.state.setup.dice_set, "to", _kinds(self.state, tuple(answers["dice"])))


def _reroll_choices(state: State) -> tuple[Choice, ...]:
    """Return the reroll that pays best, filled if it is worth its price, and the choice of other dice."""
    most = _max_rerolls_by_kind(state)
    if not any(most.values()):
        return ()
    best = forecast.most_useful_reroll(state)
    prominence = 1 if forecast.advised_reroll(state) else 2
    mean = rounded_mean(_mean_after_reroll(state, len(best)))
    choices = [_reroll_choice(state, best, prominence, mean)] if best else []
    together = min(len(state.open_roll.dice), max(most.values()))
    priced = rerolls.costs_fatigue(state)
    title = word("ask", "reroll_priced" if priced else "reroll")
    pick = Prompt("dice", "dice", title, roll_options(state), together, 1, together, suggested=list(best))
    to = replace(dice_prompt(state.setup.dice_set, "to", most, exact=False), data=RerolledDicePrompt(state))
    label, detail = word("do", "reroll_others"), word("detail", "fatigue_each") if priced else None
    throw = RerollThrow(state)
    others = Choice(
        {"event": "reroll"}, label, state.active_side, detail, prominence=3, prompts=(pick, to), throw=throw
    )
    return (*choices, others)


def _mean_after_reroll(state: State, count: int) -> Fraction:
    """Return the mean of the kept total after the advised reroll of `count` dice; for 0, the current kept total."""
    left, found = rerolls.remaining(state), forecast.roll_parts(state)
    if state.setup.tactic(state.open_roll.tactic).type == "offence":
        advice = offence_advice(found, left)
        return advice.expected if count else advice.now
    return defence_advice(found, left)[count].even


def best_dice_to_keep(state: State) -> tuple[int, ...]:
    """Return the dice to keep: the highest of each skill that score or count."""
    tactic = state.setup.tactic(state.open_roll.tactic)
    return solo.indices_to_keep(tactic, state.open_roll.dice, state.pending_colours(state.active_side))


def _keep_choices(state: State) -> tuple[Choice, ...]:
    best = best_dice_to_keep(state)
    tactic = state.setup.tactic(state.open_roll.tactic)
    detail = _showing(state, best)
    if rerolls.costs_fatigue(state) and any(_max_rerolls_by_kind(state).values()):
        detail = Message("nba.detail.keep_price", {"dice": detail})
    prominence: Any = 2 if forecast.advised_reroll(state) else 1
    event: JsonObject = {"event": "keep", "dice": list(best)}
    now = Message("nba.effect.points", {"n": int(_mean_after_reroll(state, 0))})
    first = Choice(event, word("do", "keep"), state.active_side, detail, now, prominence)
    ending = _keep_and_end(state, first)
    most = sum(n for _, n in tactic.keep)
    event = {"event": "keep"}
    data = CompletionCheck(state, event)
    pick = Prompt(
        "dice", "dice", word("ask", "keep"), roll_options(state), most, 0, most, suggested=list(best), data=data
    )
    others = Choice(event, word("do", "keep_others"), state.active_side, prominence=3, prompts=(pick,))
    return first, *ending, others


def _keep_and_end(state: State, keep: Choice) -> tuple[Choice, ...]:
    """Return the choice to keep these dice and end the turn, if no tactic is left to activate."""
    after, _ = RULEBOOK.apply(state, RULEBOOK.parse(keep.event))
    if activatable_tactics(after):
        return ()
    detail = _next_score_message(after)
    return (Choice(keep.event, word("do", "keep_and_end"), keep.side, detail, then=({"event": "end_turn"},)),)


@dataclass(frozen=True, slots=True)
class KeepEntered:
    """The choices to keep the dice entered so far of a tactic's roll, at once and without a reroll.

    The rest of the roll stays on the table without a face: players without a camera enter only what they keep.
    """

    state: State
    tactic: str

    def choices(self, answer: Sequence[JsonObject]) -> tuple[Choice, ...]:
        """Return the choice to keep the best of these dice; after the last tactic also the one that ends the turn."""
        state, tactic = self.state, self.state.setup.tactic(self.tactic)
        missing = Counter(state.roll_size(state.active_side, tactic))
        missing.subtract(die["die"] for die in answer)
        dice = [*answer, *(self._unread(kind) for kind in missing.elements())]
        activate = {"event": "activate", "tactic": self.tactic, "dice": dice}
        if disabled_reason(state, activate) is not None:
            return ()
        rolled, _ = RULEBOOK.apply(state, RULEBOOK.parse(activate))
        best = self._kept(rolled, len(answer))
        keep = {"event": "keep", "dice": list(best)}
        kept, _ = RULEBOOK.apply(rolled, RULEBOOK.parse(keep))
        now = str(_mean_after_reroll(rolled, 0))
        prominence: Any = 1 if best else 2
        first = Choice(
            activate, word("do", "keep"), state.active_side, dice_message(rolled, best), now, prominence, then=(keep,)
        )
        if activatable_tactics(kept):
            return (first,)
        detail = _next_score_message(kept)
        label = word("do", "keep_and_end")
        return first, Choice(activate, label, first.side, detail, then=(keep, {"event": "end_turn"}))

    def _kept(self, rolled: State, entered: int) -> tuple[int, ...]:
        """Return the dice to keep; with three or four sides also those that may count against a later attack."""
        best = best_dice_to_keep(rolled)
        if len(rolled.teams) == 2:
            return best
        tactic, dice = rolled.setup.tactic(self.tactic), rolled.open_roll.dice
        found: list[int] = []
        for skill, most in tactic.keep:
            known = [n for n in rolled.open_roll.of_kind(skill) if n < entered and dice[n].value]
            found += sorted(known, key=lambda n: (n not in best, -dice[n].value))[:most]
        return tuple(sorted(found))

    def _unread(self, kind: str) -> JsonObject:
        faces = [die for die, _ in possible_dice(self.state.setup.dice_set, kind)]
        return {**min(faces, key=lambda die: int(die["value"])), UNREAD: True}


def mismatch_choices(state: State) -> tuple[Choice, ...]:
    """Return one choice for each side with a token left and each opponent (chapter 10)."""
    if kind_disabled_reason(state, ev.Mismatch) is not None:
        return ()
    free = {side: [p for p in POSITIONS if can_play(state, side, p)] for side in state.setup.sides}
    return tuple(
        _mismatch_choice(state, side, against, positions)
        for side, positions in free.items()
        for against in state.setup.opponents(side)
        if positions
    )


def _mismatch_choice(state: State, side: str, against: str, positions: list[str]) -> Choice:
    options = tuple(
        Option(position, word("position", position), _duel(state, side, against, position)) for position in positions
    )
    prompts = [Prompt("pick", "position", word("ask", "position"), options)]
    for field, kinds in (("attack", OFFENCE), ("defence", DEFENCE)):
        ask = dice_prompt(state.setup.dice_set, field, max_dice_of(kinds), exact=False)
        prompts.append(replace(ask, data=MismatchDicePrompt(state, side, against, field)) if state.setup.full else ask)
    event = {"event": "mismatch", "side": side, "against": against}
    detail = side_message("detail.mismatch", state, against)
    return Choice(event, word("do", "mismatch"), side, detail, prominence=3, prompts=tuple(prompts))


@dataclass(frozen=True, slots=True)
class MismatchDicePrompt:
    """The dice of one of the two players, once the position is known (NBA-10.3)."""

    state: State
    side: str
    against: str
    field: str

    def with_answers(self, answers: Fields) -> Prompt:
        position = answers["position"]
        if self.field == "attack":
            size = attack_dice(self.state, self.side, position)
        else:
            size = defence_dice(self.state, self.against, position)
        return dice_prompt(self.state.setup.dice_set, self.field, size or {})


def _duel(state: State, side: str, against: str, position: str) -> Message | None:
    """Return the dice that both players roll; None at level `scores`."""
    attack, defence = attack_dice(state, side, position), defence_dice(state, against, position)
    if attack is None or defence is None:
        return None
    return dice_count_message({**attack, **defence})


# The solo opponent's turn: cards that a person draws for it, and dice that a person rolls for it.


def solo_turn_decision(state: State) -> Decision:
    """Return the prompt for its recruit, its tactic, its activations, then the end of its turn (NBA-12.3)."""
    side = state.active_side
    if kind_disabled_reason(state, ev.AiRecruit) is None:
        return Decision(
            side_message("await.ai_recruit", state, side), _counter(state), (side,), choices=(_recruit_choice(state),)
        )
    if kind_disabled_reason(state, ev.AiTactic) is None:
        return Decision(
            side_message("await.ai_tactic", state, side),
            _counter(state),
            (side,),
            choices=(_market_tactic_choice(state),),
        )
    planned = activatable_tactics(state)
    if planned:
        dice = activation_dice(state)
        return Decision(
            side_message("await.solo", state, side),
            None,
            (side,),
            dice,
            tuple(_activate_choice(state, id) for id in planned),
        )
    event = {"event": "end_turn"}
    end = Choice(event, word("do", "end_turn"), side, prominence=1, disabled_reason=disabled_reason(state, event))
    return Decision(side_message("await.solo_end", state, side), None, (side,), choices=(end,))


def _counter(state: State) -> Message:
    return Message("nba.detail.counter", {"n": solo.opponent(state).resources})


def _recruit_choice(state: State) -> Choice:
    options = tuple(player_option(state, one) for one in catalogue_players(state) if is_on_sale(state, one))
    title = Message("nba.ask.recruits", {"n": MAX_RECRUITS})
    ask = Prompt("pick", "cards", title, options, MAX_RECRUITS, 0, MAX_RECRUITS)
    return Choice({"event": "ai_recruit"}, word("do", "ai_recruit"), state.active_side, prominence=1, prompts=(ask,))


def _market_tactic_choice(state: State) -> Choice:
    market = [one for one in catalogue_tactics(state) if not one.base]
    options = tuple(tactic_option(one, TRACK_SLOTS) for one in sorted(market, key=lambda one: one.type != "offence"))
    ask = Prompt("pick", "market", word("ask", "market"), options, TRACK_SLOTS, 0, TRACK_SLOTS)
    return Choice({"event": "ai_tactic"}, word("do", "ai_tactic"), state.active_side, prominence=1, prompts=(ask,))


def _activate_choice(state: State, id: str) -> Choice:
    tactic = state.setup.tactic(id)
    size = state.roll_size(state.active_side, tactic)
    event = {"event": "activate", "tactic": id}
    label = Message("nba.do.activate", {"tactic": tactic.name})
    return Choice(
        event,
        label,
        state.active_side,
        dice_count_message(size),
        prominence=1,
        prompts=(dice_prompt(state.setup.dice_set, "dice", size),),
        throw=ActivationThrow(state),
    )


RULING_POINTS = (-3, -2, -1, 1, 2, 3)
"""Points that the menu offers for a ruling; other values are entered by correcting the event."""


def decision(state: State) -> Decision:
    """Return what the game expects: nothing once the match is over, otherwise at least one thing besides the menu."""
    if state.phase == "over":
        return Decision(MATCH_OVER)
    phase_decision = _phase_decision(state)
    choices = tuple(
        sorted(phase_decision.choices, key=lambda choice: (choice.disabled_reason is not None, choice.prominence))
    )
    return replace(phase_decision, choices=(*choices, *_menu_choices(state)))


def _phase_decision(state: State) -> Decision:
    if state.phase == "tied":
        return _tied(state)
    if state.phase == "roll":
        return roll_decision(state)
    if state.solo_turn:
        made = solo_turn_decision(state)
    else:
        made = _full_level_decision(state) if state.setup.full else _scores_level_decision(state)
    last = _elimination_choices(state) if state.setup.full and not state.solo_turn else ()
    return replace(made, choices=(*made.choices, *mismatch_choices(state), *last))


def _tied(state: State) -> Decision:
    """Return the prompt for overtime or a draw (NBA-8.6)."""
    overtime = Choice({"event": "overtime"}, word("do", "overtime"), prominence=1)
    draw = Choice({"event": "accept_draw"}, word("do", "accept_draw"))
    return Decision(word("await", "tied"), word("detail", "tied"), state.setup.sides, choices=(overtime, draw))


def _title(state: State, id: str) -> Message:
    """Return who has to do what; in an ultimate turn also that it is one."""
    return side_message(f"await.{id}_ultimate" if state.ultimate else f"await.{id}", state, state.active_side)


def _scores_level_decision(state: State) -> Decision:
    """Return the prompt at level `scores`: the kept dice of attack and defence, then the end of the turn."""
    side, dice_set = state.active_side, state.setup.dice_set
    choices = []
    for name, kind, kinds in (("attack", ev.Attack, OFFENCE), ("defend", ev.Defend, DEFENCE)):
        if name == "attack" and state.ultimate:
            continue
        prompts = [dice_prompt(dice_set, "dice", max_dice_of(kinds), exact=False)]
        if name == "defend" and state.pile and not state.money_time:
            prompts.append(Prompt("count", "fatigue", word("ask", "fatigue"), maximum=state.pile, suggested=0))
        reason = kind_disabled_reason(state, kind)
        choices.append(Choice({"event": name}, word("do", name), side, prompts=tuple(prompts), disabled_reason=reason))
    dice = scores_level_dice(state)
    title = _title(state, "lay" if dice else "end")
    return Decision(title, None, (side,), dice, (*choices, *_end_turn_choices(state, is_next=not dice)))


def _full_level_decision(state: State) -> Decision:
    """Return, at level `full`, the best tactic of each type, the end of the turn, then everything else."""
    dice = activation_dice(state)
    best, others = _activation_choices(state)
    before = action_choices(state, is_next=not best)
    may_prepare = any(choice.event["event"] == "prepare" and choice.disabled_reason is None for choice in before)
    ends = _end_turn_choices(state, is_next=state.phase == "activation" or not (best or may_prepare))
    choices = (*best, *ends, *others, *before) if best or others else (*before, *ends)
    if dice and (best or not may_prepare):
        throw = "throw_closing" if is_market_open(state) else "throw"
        title, detail = _title(state, throw), _tactics_dice(state)
    elif may_prepare:
        title, detail = _title(state, "prepare"), None
    else:
        title, detail = _title(state, "end"), None
    return Decision(title, detail, (state.active_side,), dice, choices)


def _tactics_dice(state: State) -> Message:
    """Return the tactics that may be activated now, each with its dice."""
    side, parts = state.active_side, []
    for id in activatable_tactics(state):
        tactic = state.setup.tactic(id)
        dice = dice_count_message(state.roll_size(side, tactic))
        parts.append(Message("nba.detail.tactic_dice", {"tactic": tactic.name, "dice": dice}))
    return comma_separated(parts)


def _activation_choices(state: State) -> tuple[list[Choice], list[Choice]]:
    """Return one choice for each different tactic on the board, with its mean total.

    The best of each type comes first, then the others: also a defence with no attack to stop. A type that was already
    activated offers no choice.
    """
    rated: list[tuple[Fraction, Choice, str]] = []
    for id in dict.fromkeys(state.team(state.active_side).prepared):
        tactic = state.setup.tactic(id)
        size = state.roll_size(state.active_side, tactic)
        mean: Fraction = expected_total(forecast.pools(state, state.active_side, tactic))
        label = Message("nba.do.activate", {"tactic": tactic.name})
        ask = replace(dice_prompt(state.setup.dice_set, "dice", size), early=KeepEntered(state, id))
        reason = _unusable_reason(state, id)
        event = {"event": "activate", "tactic": id}
        activation = Choice(
            event,
            label,
            state.active_side,
            dice_count_message(size),
            rounded_mean(mean),
            2,
            (ask,),
            disabled_reason=reason,
            throw=ActivationThrow(state),
        )
        rated.append((mean, activation, tactic.type))
    rated.sort(key=lambda one: (one[1].disabled_reason is not None, -one[0]))
    best: list[Choice] = []
    types: set[str] = set()
    for mean, activation, type_ in rated:
        if activation.disabled_reason is None and mean and type_ not in types:
            types.add(type_)
            best.append(replace(activation, prominence=1))
    first = {choice.event["tactic"] for choice in best}
    return best, [activation for _, activation, _ in rated if activation.event["tactic"] not in first]


def _unusable_reason(state: State, id: str) -> DisabledReason | None:
    try:
        check_usable(state, state.setup.tactic(id))
    except Refusal as reason:
        return DisabledReason(reason.rule, reason.message)
    return None


def _end_turn_choices(state: State, is_next: bool) -> tuple[Choice, ...]:
    """Return the end of the turn, filled if it `is_next`; if the market is the clock, also with the market empty."""
    side, event = state.active_side, {"event": "end_turn"}
    prominence: Any = 1 if is_next else 2
    detail = _next_score_message(state)
    ends = [Choice(event, word("do", "end_turn"), side, detail, prominence=prominence, pinned=True)]
    if _may_tell_empty_market(state):
        ends.append(
            Choice(
                {**event, "market_empty": True}, word("do", "market_empty"), side, prominence=3, needs_long_press=True
            )
        )
    return tuple(ends)


def _elimination_choices(state: State) -> tuple[Choice, ...]:
    """Return the end of the turn with cards removed from the match (NBA-8.2): players and tactics of the hand.

    The side's own cards come first. A tactic may be removed as often as the side has it, one that it is not known to
    have once.
    """
    side = state.active_side
    team = state.team(side)
    roster = state.setup.rosters[side]
    players = [one for one in owned_first(state, catalogue_players(state)) if one.id not in team.court]
    copies = Counter([*(roster.tactics or ()), *(id for id in team.bought if id not in team.court)])
    tactics = sorted(catalogue_tactics(state), key=lambda one: one.id not in copies)
    options = (
        *(replace(player_option(state, one), group=player_group(state, one.id)) for one in players),
        *(tactic_option(one, max(1, copies[one.id]), group=tactic_group(state, one)) for one in tactics),
    )
    if not options:
        return ()
    owned = owned_players(state) | set(copies)
    options = tuple(sorted(options, key=lambda option: option.value not in owned))
    ask = Prompt("pick", "eliminated", word("ask", "eliminated"), options, 1, 1, len(options))
    events: dict[str, JsonObject] = {"eliminate": {"event": "end_turn"}}
    if _may_tell_empty_market(state):
        events["eliminate_market"] = {"event": "end_turn", "market_empty": True}
    return tuple(
        Choice(event, word("do", label), side, prominence=3, prompts=(ask,)) for label, event in events.items()
    )


def _may_tell_empty_market(state: State) -> bool:
    """Return True if the market is the clock and the end of this turn may end normal time (NBA-8.3)."""
    return state.setup.clock == "market" and not state.ultimate and not state.period


def _next_score_message(state: State) -> Message | None:
    """Return what the end of the turn scores for the side whose pending attack is scored then (NBA-5.1)."""
    side = state.setup.next_side(state.active_side)
    if state.team(side).attack is None:
        return None
    points = sum(one.points for one in score_attack(state, side)[1])
    return side_message("detail.scores", state, side, n=points)


def _menu_choices(state: State) -> tuple[Choice, ...]:
    """Return rulings and concession (NBA-15.1, NBA-15.2), offered in the menu."""
    found = []
    if state.phase != "tied":
        options = tuple(
            Option(
                {"side": side, "against": other, "points": points}, literal(signed(points)), _whom(state, side, other)
            )
            for side in state.setup.sides
            for other in state.setup.opponents(side)
            for points in RULING_POINTS
        )
        prompts = (
            Prompt("pick", "points", word("ask", "ruling_points"), options, 1, 0, len(options), optional=True),
            reason_prompt(word("ask", "ruling")),
        )
        found.append(Choice({"event": "ruling"}, word("do", "ruling"), prominence=3, prompts=prompts, menu=True))
    if len(state.teams) == 2:
        found += surrender_choices("concede", word("do", "concede"), state.setup.sides)
    return tuple(found)


def _whom(state: State, side: str, other: str) -> Message:
    return Message("nba.option.ruling", {"side": state.setup.names[side], "other": state.setup.names[other]})
