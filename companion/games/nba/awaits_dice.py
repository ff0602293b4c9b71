"""What is awaited where dice lie: what a tactic rolls, what is rolled again, what is kept, a mismatch."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from companion.games.base import Ask, Awaits, Choice, DiceAwait, Die, Message, Option
from companion.games.nba import events as ev
from companion.games.nba import forecast, rerolls, solo, solo_choice
from companion.games.nba.activation import most_rerolled
from companion.games.nba.advice import defence_advice, offence_advice
from companion.games.nba.awaits_trial import Completion, barred_kind
from companion.games.nba.dice_set import DiceSet, needs_asking
from companion.games.nba.mismatch import attack_dice, defence_dice, may_play
from companion.games.nba.state import State
from companion.games.nba.tables import COLOURS, DEFENCE, MOST_OF_A_KIND, OFFENCE, POSITIONS, UNKNOWN
from companion.games.nba.words import about, bodies, face, said, word
from companion.games.wording import listed

Size = Mapping[str, int]


def all_of(kinds: tuple[str, ...]) -> dict[str, int]:
    """As many dice of these kinds as there are."""
    return dict.fromkeys(kinds, MOST_OF_A_KIND)


def dice_ask(dice_set: DiceSet, field: str, size: Size, exact: bool = True) -> Ask:
    """Dice told by touch: every face of these kinds, each as often as dice of its kind may lie there."""
    options = [
        Option(value, label, word("body", kind), most=count, die=as_die(value))
        for kind, count in size.items()
        if count
        for value, label in faces(dice_set, kind)
    ]
    total = sum(size.values())
    title = Message("nba.ask.dice", {"dice": bodies(size)})
    return Ask("dice", field, title, tuple(options), total, total if exact else 0, max(1, total), data=dict(size))


def faces(dice_set: DiceSet, kind: str) -> list[tuple[dict[str, Any], Message]]:
    """The different dice that can lie there, as a journal has them; an unknown number in each colour."""
    found: dict[tuple[int, str | None], None] = {}
    for value, colour in dice_set.of(kind):
        for each in COLOURS if colour == UNKNOWN else (colour,):
            found[value, each] = None
    dice = []
    for value, colour in found:
        die: dict[str, Any] = {"die": kind, "value": value}
        if colour is not None:
            die["colour"] = colour
        if needs_asking(dice_set, kind, value):
            die["asked"] = True
        dice.append((die, face(kind, value, colour)))
    return dice


def as_die(written: Mapping[str, Any]) -> Die:
    """A die of the journal as the table knows it; an offence die has no colour but its body's."""
    kind = written["die"]
    return Die(kind, written["value"], None if kind in OFFENCE else written.get("colour"))


def lying(state: State) -> tuple[Option, ...]:
    """The dice of the open roll as they lie, each by its index."""
    return tuple(
        Option(
            index,
            face(die.die, die.value, die.colour),
            word("body", die.die),
            die=Die(die.die, die.value, None if die.die in OFFENCE else die.colour),
        )
        for index, die in enumerate(state.rolling.dice)
    )


def due(side: str, least: Size, most: Size, purpose: Message) -> tuple[DiceAwait, ...]:
    """Dice awaited, of each kind from `least` to `most`."""
    return tuple(
        DiceAwait(side, kind, count, purpose=purpose, least=None if least.get(kind, 0) == count else least.get(kind, 0))
        for kind, count in most.items()
        if count
    )


def logged_dice(state: State) -> tuple[DiceAwait, ...]:
    """Level `scores`: the dice kept, of any kind that may still be laid in this turn."""
    free: dict[str, int] = {}
    for kind, kinds in ((ev.Attack, OFFENCE), (ev.Defend, DEFENCE)):
        if barred_kind(state, kind) is None:
            free |= all_of(kinds)
    return due(state.mover, {}, free, word("purpose", "kept"))


def rolled_dice(state: State) -> tuple[DiceAwait, ...]:
    """Level `full`: the dice of the tactics that may be activated now. With several the dice thrown tell which."""
    sizes = [state.roll_size(state.mover, state.setup.tactic(id)) for id in may_activate(state)]
    kinds = dict.fromkeys(kind for size in sizes for kind in size)
    least = {kind: min(size.get(kind, 0) for size in sizes) for kind in kinds}
    most = {kind: max(size.get(kind, 0) for size in sizes) for kind in kinds}
    return due(state.mover, least, most, word("purpose", "activate"))


def may_activate(state: State) -> tuple[str, ...]:
    """The different prepared tactics that may be activated now; for the solo opponent those it plans."""
    if state.solo_turn:
        return tuple([id for id in solo.plan(state).values() if id is not None])
    board = dict.fromkeys(state.team(state.mover).prepared)
    return tuple([id for id in board if forecast.usable(state, state.mover, state.setup.tactic(id))])


def roll(state: State) -> Awaits:
    """An open roll: dice to roll again once, dice to keep."""
    side = state.mover
    tactic = state.setup.tactic(state.rolling.tactic)
    title = said("await.roll", state, side, tactic=tactic.name)
    if state.solo_turn:
        again = solo.must_reroll(state, rerolls.left(state))
        dice = due(side, _kinds(state, again), _kinds(state, again), word("purpose", "reroll"))
        return Awaits(title, word("detail", "solo_reroll"), (side,), dice, (_again(state, again, 1),))
    most = _rerollable(state)
    dice = due(side, {}, most, word("purpose", "reroll"))
    detail = Message("nba.detail.rerolls", {"n": sum(most.values()) and max(most.values())})
    return Awaits(title, detail, (side,), dice, (*_rerolls(state), *_keeps(state)))


def _kinds(state: State, indices: tuple[int, ...]) -> dict[str, int]:
    dice = [state.rolling.dice[index].die for index in indices]
    return {kind: dice.count(kind) for kind in dict.fromkeys(dice)}


def _rerollable(state: State) -> dict[str, int]:
    """Of each kind of the open roll, how many dice may be rolled again; the coach's extra one included."""
    if state.rolling.rerolled:
        return {}
    tactic = state.setup.tactic(state.rolling.tactic)
    lying = {skill: state.rolling.of_kind(skill) for skill in tactic.skills}
    return {skill: min(len(dice), most_rerolled(state, dice)) for skill, dice in lying.items()}


def _again(state: State, indices: tuple[int, ...], rank: Any, effect: str | None = None) -> Choice:
    """These dice rolled again; what is still missing is how they lie then."""
    ask = dice_ask(state.setup.dice_set, "to", _kinds(state, indices))
    event = {"event": "reroll", "dice": list(indices)}
    detail = shown(state, indices)
    return Choice(event, Message("nba.do.reroll", {"n": len(indices)}), state.mover, detail, effect, rank, (ask,))


def shown(state: State, indices: tuple[int, ...]) -> Message:
    """These dice of the open roll as they lie."""
    lying = [state.rolling.dice[index] for index in indices]
    return listed([face(die.die, die.value, die.colour) for die in lying] or [word("dice", "none")])


def advised(state: State) -> tuple[int, ...]:
    """The dice that are best rolled again: in offence by NBA-14.3; in defence all that do not count, if any may."""
    left = rerolls.left(state)
    if state.setup.tactic(state.rolling.tactic).type == "offence":
        return offence_advice(forecast.parts(state), left).dice
    blank = [index for part in forecast.parts(state) for index, value in part.dice if not value]
    return tuple(sorted(blank)[:left])


@dataclass(frozen=True, slots=True)
class Thrown:
    """The dice that are rolled again, once it is known which."""

    state: State

    def after(self, answers: Mapping[str, Any]) -> Ask:
        return dice_ask(self.state.setup.dice_set, "to", _kinds(self.state, tuple(answers["dice"])))


def _rerolls(state: State) -> tuple[Choice, ...]:
    most = _rerollable(state)
    if not any(most.values()):
        return ()
    best = advised(state)
    choices = [_again(state, best, 1, about(_after(state, len(best))))] if best else []
    together = min(len(state.rolling.dice), max(most.values()))
    pick = Ask("dice", "dice", word("ask", "reroll"), lying(state), together, 1, together, suggested=list(best))
    to = replace(dice_ask(state.setup.dice_set, "to", most, exact=False), data=Thrown(state))
    return (*choices, Choice({"event": "reroll"}, word("do", "reroll_others"), state.mover, rank=3, asks=(pick, to)))


def _after(state: State, count: int) -> Fraction:
    """The mean of what is kept after the advised reroll of so many dice; 0 dice: what is kept now."""
    left, found = rerolls.left(state), forecast.parts(state)
    if state.setup.tactic(state.rolling.tactic).type == "offence":
        advice = offence_advice(found, left)
        return advice.expected if count else advice.now
    return defence_advice(found, left)[count].even


def best_kept(state: State) -> tuple[int, ...]:
    """The dice that are best kept: the highest of each skill that score or count."""
    tactic = state.setup.tactic(state.rolling.tactic)
    return solo_choice.kept(tactic, state.rolling.dice, state.pending_colours(state.mover))


def _keeps(state: State) -> tuple[Choice, ...]:
    best = best_kept(state)
    tactic = state.setup.tactic(state.rolling.tactic)
    detail = shown(state, best)
    keep = {"event": "keep", "dice": list(best)}
    first = Choice(keep, word("do", "keep"), state.mover, detail, str(_after(state, 0)), rank=1)
    most = sum(n for _, n in tactic.keep)
    event = {"event": "keep"}
    data = Completion(state, event)
    pick = Ask("dice", "dice", word("ask", "keep"), lying(state), most, 0, most, suggested=list(best), data=data)
    return first, Choice(event, word("do", "keep_others"), state.mover, rank=3, asks=(pick,))


def mismatches(state: State) -> tuple[Choice, ...]:
    """One choice for each side that has a token left and each opponent (chapter 10)."""
    if barred_kind(state, ev.Mismatch) is not None:
        return ()
    free = {side: [p for p in POSITIONS if may_play(state, side, p)] for side in state.setup.sides}
    return tuple(
        _mismatch(state, side, against, positions)
        for side, positions in free.items()
        for against in state.setup.opponents(side)
        if positions
    )


def _mismatch(state: State, side: str, against: str, positions: list[str]) -> Choice:
    options = tuple(
        Option(position, word("position", position), _duel(state, side, against, position)) for position in positions
    )
    asks = [Ask("pick", "position", word("ask", "position"), options)]
    for field, kinds in (("attack", OFFENCE), ("defence", DEFENCE)):
        ask = dice_ask(state.setup.dice_set, field, all_of(kinds), exact=False)
        asks.append(replace(ask, data=Duel(state, side, against, field)) if state.setup.full else ask)
    event = {"event": "mismatch", "side": side, "against": against}
    detail = said("detail.mismatch", state, against)
    return Choice(event, word("do", "mismatch"), side, detail, rank=3, asks=tuple(asks))


@dataclass(frozen=True, slots=True)
class Duel:
    """The dice of one of the two players, once the position is known (NBA-10.3)."""

    state: State
    side: str
    against: str
    field: str

    def after(self, answers: Mapping[str, Any]) -> Ask:
        position = answers["position"]
        if self.field == "attack":
            size = attack_dice(self.state, self.side, position)
        else:
            size = defence_dice(self.state, self.against, position)
        return dice_ask(self.state.setup.dice_set, self.field, size or {})


def _duel(state: State, side: str, against: str, position: str) -> Message | None:
    """The dice that both players roll; not known at level `scores`."""
    attack, defence = attack_dice(state, side, position), defence_dice(state, against, position)
    if attack is None or defence is None:
        return None
    return bodies({**attack, **defence})
