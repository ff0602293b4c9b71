"""Dice set against each other by colour: a pending attack and the dice that stop it, or the dice of an open roll."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from companion.games.base import Die, Message
from companion.games.figures import LaneDie, LaneRow, Lanes
from companion.games.nba import awaits_dice, forecast, rerolls
from companion.games.nba.advice import offence_advice
from companion.games.nba.dice_set import Face
from companion.games.nba.scoring import counting, why
from companion.games.nba.state import State
from companion.games.nba.tables import BODY, COLOURS, OFFENCE
from companion.games.nba.teams import Laid
from companion.games.nba.words import card, face, figure, said, word
from companion.games.wording import literal

MATCH = "match"
VOWELS = frozenset("aeiouyàâäéèêëîïôöûüœæ")
"""Before them French says `d’` instead of `de`."""


def lanes(state: State) -> tuple[Lanes, ...]:
    """What is pending between the side whose turn it is and each opponent; in an open roll its dice."""
    rolling = state.roll is not None
    if rolling and state.setup.tactic(state.rolling.tactic).type == "offence":
        return (_offence_roll(state),)
    side = state.mover
    several = len(state.teams) > 2
    found = []
    for other in state.setup.opponents(side):
        if rolling or state.team(other).attack is not None:
            made = _against(state, other, side)
        elif state.team(side).attack is not None:
            made = _against(state, side, other)
        else:
            continue
        found.append(_between(made, side, other) if several else made)
    return tuple(found)


def _between(made: Lanes, side: str, other: str) -> Lanes:
    return Lanes(
        made.title, made.colours, made.rows, made.total, made.outcome, made.side, made.parts, between=(side, other)
    )


def _against(state: State, attacker: str, defender: str) -> Lanes:
    """An attack and the defence dice against it: those laid, or those of the defence being rolled."""
    attack = state.team(attacker).attack
    rolled = state.roll is not None and defender == state.mover
    laid = state.team(defender).defence
    dice: Sequence[Face] = state.rolling.dice if rolled else _dice(laid)
    kept = set(awaits_dice.best_kept(state)) if rolled else set(range(len(dice)))
    again = set(awaits_dice.advised(state)) if rolled else set()
    columns = _columns(attack)
    attacking = _cells(columns, [(die.colour, _attacking(state, die, attacker)) for die in _dice(attack)])
    lying = [
        (die.colour if why(die, attack) == MATCH else None, _defending(die, attack, n in kept, n in again))
        for n, die in enumerate(dice)
    ]
    defending = _cells(columns, lying)
    counts = _counted([die for n, die in enumerate(dice) if n in kept], attack)
    scored = attack.value if attack else 0
    rows = (
        LaneRow(attacker, word("lanes", "attack"), str(scored), attacking),
        LaneRow(defender, word("lanes", "defence"), " + ".join(str(count) for count in counts) or "0", defending),
    )
    soon = attacker == state.setup.after(state.mover)
    outcome = said("lanes.end_of_turn" if soon else "lanes.own_turn", state, attacker)
    title = _rolled_title(state) if rolled else _pending_title(state, attacker)
    parts = ((scored, attacker), (sum(counts), defender))
    return Lanes(title, columns, rows, max(0, scored - sum(counts)), outcome, attacker, parts)


def _counted(kept: Sequence[Face], attack: Laid | None) -> list[int]:
    """The numbers of the defence dice that count against an attack."""
    return [die.value for die in kept if counting((die,), attack)]


def _pending_title(state: State, attacker: str) -> Message:
    elided = state.setup.names[attacker][:1].lower() in VOWELS
    return said("lanes.pending_elided" if elided else "lanes.pending", state, attacker)


def _rolled_title(state: State) -> Message:
    return said("headline.roll", state, state.mover, tactic=card(state, state.rolling.tactic))


def _columns(attack: Laid | None) -> tuple[str | None, ...]:
    """The colours of an attack, and a column for dice of none of them."""
    colours = attack.colours if attack is not None else ()
    return (*(colour for colour in COLOURS if colour in colours), None)


def _dice(laid: Laid | None) -> tuple[Face, ...]:
    return laid.dice if laid is not None else ()


def _cells(
    columns: Sequence[str | None], dice: Iterable[tuple[str | None, LaneDie]]
) -> tuple[tuple[LaneDie, ...], ...]:
    """The dice in their columns, the highest first."""
    found: dict[str | None, list[LaneDie]] = {column: [] for column in columns}
    for column, die in dice:
        found[column].append(die)
    return tuple(tuple(sorted(found[column], key=lambda lane: -(lane.die.value or 0))) for column in columns)


def die_of(lying: Face) -> Die:
    """A die as the table knows it: an offence die has no colour but its body's."""
    return Die(lying.die, lying.value, None if lying.die in OFFENCE else lying.colour)


def _attacking(state: State, die: Face, side: str) -> LaneDie:
    says = said("lanes.says.attack", state, side, n=die.value, die=_named(die))
    return LaneDie(die_of(die), says=says)


def _named(die: Face) -> Message:
    return Message("nba.die", {"kind": word("skill", die.die), "face": face(die.die, die.value, die.colour)})


def _defending(die: Face, attack: Laid | None, kept: bool, again: bool) -> LaneDie:
    reason = why(die, attack)
    args = {"die": _named(die), "n": die.value}
    if reason == MATCH:
        beside = literal(f"\N{MINUS SIGN}{die.value}") if kept else word("lanes", "not_kept")
        says = Message(f"nba.lanes.says.{MATCH if kept else 'not_kept'}", args)
        return LaneDie(die_of(die), "again" if again else "yes" if kept else "no", beside, says)
    if die.colour is not None:
        args["colour"] = word("colour", die.colour)
    beside = word("lanes", "blank") if reason == "blank" else word("colour", str(die.colour))
    return LaneDie(die_of(die), "again" if again else "no", beside, Message(f"nba.lanes.says.{reason}", args))


def _offence_roll(state: State) -> Lanes:
    """The dice of an attack that is being rolled: what is best kept, what is best thrown again."""
    roll, side = state.rolling, state.mover
    kept, advice = set(awaits_dice.best_kept(state)), offence_advice(forecast.parts(state), rerolls.left(state))
    columns: tuple[str | None, ...] = tuple(BODY[skill] for skill in state.setup.tactic(roll.tactic).skills)
    dice = [(BODY[die.die], _rolled(die, n in kept, n in advice.dice)) for n, die in enumerate(roll.dice)]
    row = LaneRow(side, word("lanes", "roll"), "", _cells(columns, dice))
    if advice.dice:
        args = {"n": len(advice.dice), "mean": figure(advice.expected)}
        outcome = Message("nba.lanes.now_or_again", args)
    else:
        outcome = word("lanes", "now")
    return Lanes(_rolled_title(state), columns, (row,), int(advice.now), outcome, side)


def _rolled(die: Face, kept: bool, again: bool) -> LaneDie:
    args = {"die": _named(die), "n": die.value}
    if again:
        return LaneDie(die_of(die), "again", word("lanes", "again"), Message("nba.lanes.says.again", args))
    if kept:
        return LaneDie(die_of(die), "yes", literal(f"+{die.value}"), Message("nba.lanes.says.kept", args))
    return LaneDie(die_of(die), "no", word("lanes", "not_kept"), Message("nba.lanes.says.not_kept", args))
