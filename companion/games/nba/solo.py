"""The automated solo opponent's turn (chapter 12): its two steps, its plan, and its restrictions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from companion.games.base import JsonObject, Outcome
from companion.games.nba import events as ev
from companion.games.nba.card_lookup import known_players, known_tactics
from companion.games.nba.cards import PlayerCard, TacticCard
from companion.games.nba.dice_set import NbaDiceSet, NbaFace
from companion.games.nba.odds import Pool, counting_law, expected_total, scoring_law
from companion.games.nba.refusals import refusal
from companion.games.nba.state import Opponent, State, cards_on_courts, with_step
from companion.games.nba.tables import COLOURS, MAX_RECRUITS, OFFENCE, POSITIONS, SKILLS, STATS, TYPES

Weights = tuple[int, ...]
"""The weight of each of STATS (NBA-12.1)."""


@dataclass(frozen=True, slots=True)
class OpponentStrength:
    """What the opponent can roll: dice of each of SKILLS, its collective level, the dice set and its weights."""

    dice: tuple[int, ...]
    collective: int
    dice_set: NbaDiceSet
    weights: Weights


@dataclass(frozen=True, slots=True)
class Recruit:
    """The card that enters, its position, and the card that leaves the match."""

    card: str
    position: str
    out: str


def card_value(card: PlayerCard, weights: Weights) -> int:
    """Return a card's value for the opponent (NBA-12.4)."""
    return sum(weight * stat for weight, stat in zip(weights, card.stats, strict=True))


def choose_recruit(
    offered: Sequence[PlayerCard], court: Sequence[PlayerCard], counter: int, weights: Weights
) -> Recruit | None:
    """Return the place on `court` (in the order of POSITIONS) where one of the offered cards gains most (NBA-12.4)."""
    best, chosen = None, None
    for index, card in enumerate(offered):
        if card.cost > counter:
            continue
        for place, position in enumerate(POSITIONS):
            gain = card_value(card, weights) - card_value(court[place], weights)
            sort_key = (gain, -card.cost, -index, -place)
            if position in card.positions and gain > 0 and (best is None or sort_key > best):
                best, chosen = sort_key, Recruit(card.id, position, court[place].id)
    return chosen


def rate_tactic(tactic: TacticCard, means: OpponentStrength, colours: frozenset[str]) -> Fraction:
    """Return a tactic's value for the opponent against attacks of these colours (NBA-12.5)."""
    if tactic.complexity > means.collective:
        return Fraction(0)
    total = Fraction(0)
    for skill, keep in tactic.keep:
        faces = means.dice_set.of(skill)
        law = scoring_law(faces) if skill in OFFENCE else counting_law(faces, colours, "even")
        pool = Pool(law, means.dice[SKILLS.index(skill)], keep)
        total += means.weights[STATS.index(skill)] * expected_total([pool])
    return total


@dataclass(frozen=True, slots=True)
class Exchange:
    """The tactic that the opponent takes, and the index on its board of the replaced one."""

    card: str
    place: int


def choose_exchange(
    market: Sequence[TacticCard],
    board: Sequence[TacticCard],
    counter: int,
    means: OpponentStrength,
    colours: frozenset[str],
) -> Exchange | None:
    """Return the open tactic that gains most over its weakest one of the same type (NBA-12.5); None if none gains."""
    weakest: dict[str, tuple[Fraction, int]] = {}
    for place, tactic in enumerate(board):
        rated = rate_tactic(tactic, means, colours), place
        weakest[tactic.type] = min(weakest.get(tactic.type, rated), rated)
    best, chosen = None, None
    for index, tactic in enumerate(market):
        if tactic.base or tactic.cost > counter or tactic.type not in weakest:
            continue
        lowest, place = weakest[tactic.type]
        gain = rate_tactic(tactic, means, colours) - lowest
        sort_key = (gain, -tactic.cost, -index)
        if gain > 0 and (best is None or sort_key > best):
            best, chosen = sort_key, Exchange(tactic.id, place)
    return chosen


def preferred_tactic(board: Sequence[TacticCard], means: OpponentStrength, colours: frozenset[str]) -> str | None:
    """Return, of tactics of one type, the highest rated one above 0, the earliest in a tie (NBA-12.6)."""
    rated = [(rate_tactic(tactic, means, colours), tactic.id) for tactic in board]
    highest = max((value for value, _ in rated), default=Fraction(0))
    return next((id for value, id in rated if value == highest), None) if highest > 0 else None


def reroll_indices(dice: Sequence[NbaFace], rerolls: int) -> tuple[int, ...]:
    """Return the indices of the offence dice that show 0, in roll order, up to the allowed rerolls (NBA-12.7)."""
    return tuple(index for index, die in enumerate(dice) if die.value == 0)[:rerolls]


def indices_to_keep(tactic: TacticCard, dice: Sequence[NbaFace], colours: frozenset[str]) -> tuple[int, ...]:
    """Return the indices it keeps, rising (NBA-12.7).

    Per skill these are the highest dice above 0, in defence only those that count.
    """
    chosen: list[int] = []
    for skill, keep in tactic.keep:
        counting = [
            (-die.value, index)
            for index, die in enumerate(dice)
            if die.die == skill and die.value > 0 and (tactic.type == "offence" or die.colour in colours)
        ]
        chosen += [index for _, index in sorted(counting)[:keep]]
    return tuple(sorted(chosen))


SOLO_EVENTS = (ev.AiRecruit, ev.AiTactic)
"""Events that are logged only in its turns (NBA-12.3)."""
HUMAN_EVENTS = (ev.Adjust, ev.Replace, ev.Prepare, ev.BuyPlayer, ev.BuyTactic, ev.Keep)
"""Events that are never logged in its turns (NBA-12.3)."""
ALL_COLOURS = frozenset(COLOURS)


def opponent(state: State) -> Opponent:
    """Return the changing state of the solo opponent. Only in a match with one."""
    if state.opponent is None:
        raise ValueError("no solo opponent plays")
    return state.opponent


def check_turn(state: State, kind: type[ev.AnyEvent]) -> None:
    """Check that the event belongs to the active kind of side (NBA-12.3, in the phase column of section 15).

    Raises: Refusal.
    """
    if issubclass(kind, SOLO_EVENTS) and not state.solo_turn:
        raise refusal("NBA-12.3", "persons_turn")
    if issubclass(kind, HUMAN_EVENTS) and state.solo_turn:
        raise refusal("NBA-12.3", "opponents_turn")


def opponent_strength(state: State) -> OpponentStrength:
    """Return what the opponent can roll with its current court."""
    solo = state.setup.solo
    if solo is None:
        raise ValueError("no solo opponent plays")
    dice = tuple([state.dice_count(solo.side, skill) for skill in SKILLS])
    return OpponentStrength(dice, state.collective(solo.side), state.setup.dice_set, solo.weights)


def plan(state: State) -> dict[str, str | None]:
    """Return by type the tactic that it activates in this turn (NBA-12.6); empty outside its turns."""
    planned: dict[str, str | None] = dict.fromkeys(TYPES)
    if not state.solo_turn:
        return planned
    strength, colours = opponent_strength(state), state.pending_colours(state.active_side)
    for type_ in TYPES:
        if type_ not in state.done and not (state.ultimate and type_ == "offence"):
            board = [state.setup.tactic(id) for id in state.prepared(state.active_side, type_)]
            planned[type_] = preferred_tactic(board, strength, colours)
    return planned


# ai_recruit


def check_recruit(state: State, event: ev.AiRecruit) -> None:
    """Check NBA-1.2, then NBA-12.4: which cards may be offered. Raises: Refusal."""
    cards = known_players(state, event.cards)
    if len(event.cards) > MAX_RECRUITS or len(set(event.cards)) < len(event.cards):
        raise refusal("NBA-12.4", "number", most=MAX_RECRUITS)
    courts = cards_on_courts(state)
    gone = {id for team in state.teams for id in (*team.bought, *team.eliminated)}
    for card in cards:
        if card.role != "nba":
            raise refusal("NBA-12.4", "role", card=card.name)
        if card.id in courts or card.id in gone:
            raise refusal("NBA-12.4", "not_free", card=card.name)


def apply_recruit(state: State, event: ev.AiRecruit) -> tuple[State, Outcome]:
    """Put the best of the offered cards in its place on court (NBA-12.4)."""
    now, setup = opponent(state), state.setup
    team = state.team(state.active_side)
    offered = [setup.player(id) for id in event.cards]
    chosen = choose_recruit(
        offered, [setup.player(id) for id in team.court], now.resources, opponent_strength(state).weights
    )
    outcome: Outcome = {"resources": now.resources, "recruit": None, "position": None, "out": None}
    if chosen is not None:
        court = [chosen.card if position == chosen.position else id for position, id in _places(team.court)]
        team = replace(team, court=tuple(court), bought=(*team.bought, chosen.card))
        outcome |= {"recruit": chosen.card, "position": chosen.position, "out": chosen.out}
    return with_step(state, team, "ai_recruit"), outcome


def _places(court: tuple[str, ...]) -> zip[tuple[str, str]]:
    return zip(POSITIONS, court, strict=True)


# ai_tactic


def check_recruited(state: State) -> None:
    """Check that the recruit came before the tactic (NBA-12.3); called before the fields are checked (section 15).

    Raises: Refusal.
    """
    if "ai_recruit" not in state.done:
        raise refusal("NBA-12.3", "recruit_first")


def check_tactic(state: State, event: ev.AiTactic) -> None:
    """Check NBA-1.2. Raises: Refusal."""
    known_tactics(state, event.market)


def apply_tactic(state: State, event: ev.AiTactic) -> tuple[State, Outcome]:
    """Replace its weakest tactic by the best open one (NBA-12.5); if none is better, a new market follows."""
    now, setup = opponent(state), state.setup
    team = state.team(state.active_side)
    market = [setup.tactic(id) for id in event.market]
    board = [setup.tactic(id) for id in team.prepared]
    chosen = choose_exchange(market, board, now.resources, opponent_strength(state), ALL_COLOURS)
    outcome: Outcome = {"choice": None, "out": None, "again": chosen is None and not now.again}
    if chosen is not None:
        out = team.prepared[chosen.place]
        prepared = (*team.prepared[: chosen.place], chosen.card, *team.prepared[chosen.place + 1 :])
        team = replace(team, prepared=prepared, bought=(*team.bought, chosen.card))
        outcome |= {"choice": chosen.card, "out": out}
    state = replace(state, opponent=replace(now, again=outcome["again"]))
    return with_step(state, team, "ai_tactic"), outcome


def is_market_step_done(state: State) -> bool:
    """Return True if its market step is over: a tactic was found, or two markets were seen (NBA-12.5)."""
    return "ai_tactic" in state.done and not opponent(state).again


# Its activations and the end of its turn


def _waits(state: State) -> bool:
    """Return True if a step of NBA-12.3 is still missing."""
    return not state.ultimate and not state.period and not is_market_step_done(state)


def check_activation(state: State, event: ev.Activate) -> None:
    """Check that it activates the planned tactic after its two steps (NBA-12.3, NBA-12.6). Raises: Refusal."""
    if not state.solo_turn:
        return
    if _waits(state):
        raise refusal("NBA-12.3", "steps_first")
    planned = plan(state)[state.setup.tactic(event.tactic).type]
    if planned is None:
        raise refusal("NBA-12.6", "nothing")
    if planned != event.tactic:
        raise refusal("NBA-12.6", "other", tactic=state.setup.cards[planned].name)


def planned_reroll(state: State, rerolls: int) -> tuple[int, ...]:
    """Return the indices it rerolls in the open roll, at most `rerolls` dice; empty in defence (NBA-12.7)."""
    roll = state.roll
    if roll is None or not state.solo_turn or roll.rerolled or state.setup.tactic(roll.tactic).type == "defence":
        return ()
    return reroll_indices(roll.dice, rerolls)


def check_reroll(state: State, event: ev.Reroll, rerolls: int) -> None:
    """Check that exactly the required dice are rerolled (NBA-12.7). Raises: Refusal."""
    if state.solo_turn and set(event.dice) != set(planned_reroll(state, rerolls)):
        raise refusal("NBA-12.7")


def planned_keep(state: State) -> tuple[int, ...]:
    """Return the indices it keeps of the current roll (NBA-12.7)."""
    return indices_to_keep(
        state.setup.tactic(state.open_roll.tactic), state.open_roll.dice, state.pending_colours(state.active_side)
    )


def check_end(state: State) -> None:
    """Check that its whole turn was played (NBA-12.8). Raises: Refusal."""
    if state.solo_turn and (_waits(state) or any(plan(state).values())):
        raise refusal("NBA-12.8")


def view(state: State, rerolls: int) -> JsonObject | None:
    """Return the key `ai` of the state (section 15)."""
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
        "reroll": list(planned_reroll(state, rerolls)),
    }
