"""How the solo opponent judges cards and tactics (12.4 to 12.7): its taste as weights, its choices by exact means."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from companion.games.nba.cards import PlayerCard, TacticCard
from companion.games.nba.dice_set import DiceSet, Face
from companion.games.nba.odds import Pool, counting_law, expected, scoring_law
from companion.games.nba.tables import OFFENCE, POSITIONS, SKILLS, STATS

Weights = tuple[int, ...]
"""What each of STATS weighs (NBA-12.1)."""


@dataclass(frozen=True, slots=True)
class Means:
    """What it can throw: dice of each of SKILLS, its collective level, the dice themselves and its taste."""

    dice: tuple[int, ...]
    collective: int
    dice_set: DiceSet
    weights: Weights


@dataclass(frozen=True, slots=True)
class Recruit:
    """The card that enters, the position that it takes, the card that leaves the match."""

    card: str
    position: str
    out: str


def worth(card: PlayerCard, weights: Weights) -> int:
    """What a card is worth to it (NBA-12.4)."""
    return sum(weight * stat for weight, stat in zip(weights, card.stats, strict=True))


def recruit(
    offered: Sequence[PlayerCard], court: Sequence[PlayerCard], counter: int, weights: Weights
) -> Recruit | None:
    """NBA-12.4: the place on `court` (in the order of POSITIONS) where one of the cards offered gains most."""
    best, chosen = None, None
    for index, card in enumerate(offered):
        if card.cost > counter:
            continue
        for place, position in enumerate(POSITIONS):
            gain = worth(card, weights) - worth(court[place], weights)
            rank = (gain, -card.cost, -index, -place)
            if position in card.positions and gain > 0 and (best is None or rank > best):
                best, chosen = rank, Recruit(card.id, position, court[place].id)
    return chosen


def rating(tactic: TacticCard, means: Means, colours: frozenset[str]) -> Fraction:
    """NBA-12.5: what a tactic is worth to it when attacks of these colours are looked at."""
    if tactic.complexity > means.collective:
        return Fraction(0)
    total = Fraction(0)
    for skill, keep in tactic.keep:
        faces = means.dice_set.of(skill)
        law = scoring_law(faces) if skill in OFFENCE else counting_law(faces, colours, "even")
        pool = Pool(law, means.dice[SKILLS.index(skill)], keep)
        total += means.weights[STATS.index(skill)] * expected([pool])
    return total


@dataclass(frozen=True, slots=True)
class Exchange:
    """The tactic it takes and the index, on its board, of the one that makes room."""

    card: str
    place: int


def exchange(
    market: Sequence[TacticCard],
    board: Sequence[TacticCard],
    counter: int,
    means: Means,
    colours: frozenset[str],
) -> Exchange | None:
    """NBA-12.5: the open tactic that gains most over the weakest of its own of the same type; None if none gains."""
    weakest: dict[str, tuple[Fraction, int]] = {}
    for place, tactic in enumerate(board):
        rated = rating(tactic, means, colours), place
        weakest[tactic.type] = min(weakest.get(tactic.type, rated), rated)
    best, chosen = None, None
    for index, tactic in enumerate(market):
        if tactic.base or tactic.cost > counter or tactic.type not in weakest:
            continue
        lowest, place = weakest[tactic.type]
        gain = rating(tactic, means, colours) - lowest
        rank = (gain, -tactic.cost, -index)
        if gain > 0 and (best is None or rank > best):
            best, chosen = rank, Exchange(tactic.id, place)
    return chosen


def preferred(board: Sequence[TacticCard], means: Means, colours: frozenset[str]) -> str | None:
    """NBA-12.6: of tactics of one type the one rated highest above 0, the earliest of equal ones."""
    rated = [(rating(tactic, means, colours), tactic.id) for tactic in board]
    highest = max((value for value, _ in rated), default=Fraction(0))
    return next((id for value, id in rated if value == highest), None) if highest > 0 else None


def thrown_again(dice: Sequence[Face], rerolls: int) -> tuple[int, ...]:
    """NBA-12.7: the indices of the offence dice that show 0, in roll order, as many as may be rolled again."""
    return tuple(index for index, die in enumerate(dice) if die.value == 0)[:rerolls]


def kept(tactic: TacticCard, dice: Sequence[Face], colours: frozenset[str]) -> tuple[int, ...]:
    """NBA-12.7: the indices it keeps, rising: per skill the highest dice above 0 (in defence only those that count)."""
    chosen: list[int] = []
    for skill, keep in tactic.keep:
        counting = [
            (-die.value, index)
            for index, die in enumerate(dice)
            if die.die == skill and die.value > 0 and (tactic.type == "offence" or die.colour in colours)
        ]
        chosen += [index for _, index in sorted(counting)[:keep]]
    return tuple(sorted(chosen))
