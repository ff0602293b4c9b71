"""The solo opponent's turn (chapter 12): its two steps, its plan, and what it may not do; it is played by no person."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from companion.games.base import JsonObject, Outcome
from companion.games.nba import events as ev
from companion.games.nba.cards import PlayerCard, TacticCard
from companion.games.nba.dice_set import DiceSet, Face
from companion.games.nba.known import known_players, known_tactics
from companion.games.nba.odds import Pool, counting_law, expected, scoring_law
from companion.games.nba.refusing import refusal
from companion.games.nba.state import Opponent, State, moved, on_courts
from companion.games.nba.tables import COLOURS, MOST_RECRUITS, OFFENCE, POSITIONS, SKILLS, STATS, TYPES

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


STEPS = (ev.AiRecruit, ev.AiTactic)
"""What is logged in its turns only (NBA-12.3)."""
PERSONS = (ev.Adjust, ev.Replace, ev.Prepare, ev.BuyPlayer, ev.BuyTactic, ev.Keep)
"""What is never logged in its turns (NBA-12.3)."""
ALL_COLOURS = frozenset(COLOURS)


def opponent(state: State) -> Opponent:
    """What changes about the solo opponent. Only in a match with one."""
    if state.opponent is None:
        raise ValueError("no solo opponent plays")
    return state.opponent


def check_turn(state: State, kind: type[ev.Sound]) -> None:
    """Whose turn an event belongs to (NBA-12.3, in the phase column of section 15)."""
    if issubclass(kind, STEPS) and not state.solo_turn:
        raise refusal("NBA-12.3", "persons_turn")
    if issubclass(kind, PERSONS) and state.solo_turn:
        raise refusal("NBA-12.3", "opponents_turn")


def means(state: State) -> Means:
    """What the opponent can throw with its court of now."""
    solo = state.setup.solo
    if solo is None:
        raise ValueError("no solo opponent plays")
    dice = tuple([state.dice_of(solo.side, skill) for skill in SKILLS])
    return Means(dice, state.collective(solo.side), state.setup.dice_set, solo.weights)


def plan(state: State) -> dict[str, str | None]:
    """NBA-12.6: by type the tactic that it activates in this turn; nothing outside its turns."""
    planned: dict[str, str | None] = dict.fromkeys(TYPES)
    if not state.solo_turn:
        return planned
    can, colours = means(state), state.pending_colours(state.mover)
    for type_ in TYPES:
        if type_ not in state.done and not (state.ultimate and type_ == "offence"):
            board = [state.setup.tactic(id) for id in state.prepared(state.mover, type_)]
            planned[type_] = preferred(board, can, colours)
    return planned


# ai_recruit


def check_recruit(state: State, event: ev.AiRecruit) -> None:
    """NBA-1.2, then NBA-12.4: what may be offered."""
    cards = known_players(state, event.cards)
    if len(event.cards) > MOST_RECRUITS or len(set(event.cards)) < len(event.cards):
        raise refusal("NBA-12.4", "number", most=MOST_RECRUITS)
    courts = on_courts(state)
    gone = {id for team in state.teams for id in (*team.bought, *team.eliminated)}
    for card in cards:
        if card.role != "nba":
            raise refusal("NBA-12.4", "role", card=card.name)
        if card.id in courts or card.id in gone:
            raise refusal("NBA-12.4", "not_free", card=card.name)


def apply_recruit(state: State, event: ev.AiRecruit) -> tuple[State, Outcome]:
    """NBA-12.4: the best of the cards offered takes its place on court."""
    now, setup = opponent(state), state.setup
    team = state.team(state.mover)
    offered = [setup.player(id) for id in event.cards]
    chosen = recruit(offered, [setup.player(id) for id in team.court], now.resources, means(state).weights)
    outcome: Outcome = {"resources": now.resources, "recruit": None, "position": None, "out": None}
    if chosen is not None:
        court = [chosen.card if position == chosen.position else id for position, id in _places(team.court)]
        team = replace(team, court=tuple(court), bought=(*team.bought, chosen.card))
        outcome |= {"recruit": chosen.card, "position": chosen.position, "out": chosen.out}
    return moved(state, team, "ai_recruit"), outcome


def _places(court: tuple[str, ...]) -> zip[tuple[str, str]]:
    return zip(POSITIONS, court, strict=True)


# ai_tactic


def check_recruited(state: State) -> None:
    """NBA-12.3: the tactic comes after the recruit; asked before the fields are (section 15)."""
    if "ai_recruit" not in state.done:
        raise refusal("NBA-12.3", "recruit_first")


def check_tactic(state: State, event: ev.AiTactic) -> None:
    """NBA-1.2."""
    known_tactics(state, event.market)


def apply_tactic(state: State, event: ev.AiTactic) -> tuple[State, Outcome]:
    """NBA-12.5: the best of the open tactics takes the place of its weakest; if none is better, a new market comes."""
    now, setup = opponent(state), state.setup
    team = state.team(state.mover)
    market = [setup.tactic(id) for id in event.market]
    board = [setup.tactic(id) for id in team.prepared]
    chosen = exchange(market, board, now.resources, means(state), ALL_COLOURS)
    outcome: Outcome = {"choice": None, "out": None, "again": chosen is None and not now.again}
    if chosen is not None:
        out = team.prepared[chosen.place]
        prepared = (*team.prepared[: chosen.place], chosen.card, *team.prepared[chosen.place + 1 :])
        team = replace(team, prepared=prepared, bought=(*team.bought, chosen.card))
        outcome |= {"choice": chosen.card, "out": out}
    state = replace(state, opponent=replace(now, again=outcome["again"]))
    return moved(state, team, "ai_tactic"), outcome


def tactic_done(state: State) -> bool:
    """Whether its market step is over: something was found, or two markets were seen (NBA-12.5)."""
    return "ai_tactic" in state.done and not opponent(state).again


# Its activations and the end of its turn


def _waits(state: State) -> bool:
    """Whether a step of NBA-12.3 is still missing."""
    return not state.ultimate and not state.period and not tactic_done(state)


def check_activation(state: State, event: ev.Activate) -> None:
    """NBA-12.3 and NBA-12.6: after its two steps it activates the tactic that is planned."""
    if not state.solo_turn:
        return
    if _waits(state):
        raise refusal("NBA-12.3", "steps_first")
    planned = plan(state)[state.setup.tactic(event.tactic).type]
    if planned is None:
        raise refusal("NBA-12.6", "nothing")
    if planned != event.tactic:
        raise refusal("NBA-12.6", "other", tactic=state.setup.cards[planned].name)


def must_reroll(state: State, rerolls: int) -> tuple[int, ...]:
    """NBA-12.7: the indices it rolls again in the open roll, of at most `rerolls` dice; none in defence."""
    roll = state.roll
    if roll is None or not state.solo_turn or roll.rerolled or state.setup.tactic(roll.tactic).type == "defence":
        return ()
    return thrown_again(roll.dice, rerolls)


def check_reroll(state: State, event: ev.Reroll, rerolls: int) -> None:
    """NBA-12.7: exactly the dice that it must roll again."""
    if state.solo_turn and set(event.dice) != set(must_reroll(state, rerolls)):
        raise refusal("NBA-12.7")


def keeps(state: State) -> tuple[int, ...]:
    """NBA-12.7: the indices it keeps of the roll as it lies."""
    return kept(state.setup.tactic(state.rolling.tactic), state.rolling.dice, state.pending_colours(state.mover))


def check_end(state: State) -> None:
    """NBA-12.8: all of its turn is played."""
    if state.solo_turn and (_waits(state) or any(plan(state).values())):
        raise refusal("NBA-12.8")


def view(state: State, rerolls: int) -> JsonObject | None:
    """The key `ai` of the state (section 15)."""
    solo = state.setup.solo
    if solo is None:
        return None
    now = opponent(state)
    return {
        "side": solo.side,
        "resources": now.resources,
        "profile": solo.profile,
        "given": now.given,
        "plan": plan(state),
        "reroll": list(must_reroll(state, rerolls)),
    }
