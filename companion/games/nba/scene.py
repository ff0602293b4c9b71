"""What there is to see of an NBA match: the sides with their facts, the scoreboard's value and the figures."""

from __future__ import annotations

from companion.games.base import Fact, Message, Scene, SideScene
from companion.games.nba import rerolls
from companion.games.nba.dice_set import Face
from companion.games.nba.scene_board import BoardDie, BoardMatch, BoardPlayer, BoardSide, BoardTactic, NbaBoard
from companion.games.nba.scene_figures import figures
from companion.games.nba.scoring import why
from companion.games.nba.state import State
from companion.games.nba.tables import POSITIONS, SKILLS
from companion.games.nba.teams import Laid, Team
from companion.games.nba.track import HIDDEN
from companion.games.nba.words import card, word

COLOURS = ("violet", "lime", "orange", "white")
"""The colour tokens of the sides in header order; none is the colour of a die."""


def scene(state: State) -> Scene:
    """Only what lies open: never a hand, a deck or a discard (NBA-3.8)."""
    setup = state.setup
    sides = tuple(
        SideScene(side, setup.names[side], colour, initial(setup.names[side]), side_facts(state, side))
        for side, colour in zip(setup.sides, COLOURS, strict=False)
    )
    return Scene(sides, board(state), figures(state))


def initial(name: str) -> str:
    """The letter of a side; a name without one has none."""
    return name.strip()[:1].upper()


def side_facts(state: State, side: str) -> tuple[Fact, ...]:
    """At most five, the most needed first; level and rebounds stand on the scoreboard."""
    team = state.team(side)
    facts = [_fact("attack", team.attack.value)] if team.attack is not None else []
    if state.opponent is not None and state.setup.is_solo(side):
        return (*facts, _fact("resources", state.opponent.resources))
    facts.append(_fact("fatigue", team.held))
    facts.append(_fact("pile", state.pile))
    if state.setup.full:
        facts.append(_fact("rerolls", rerolls.rebound_rerolls(state, side)))
    if state.setup.variants.mismatch:
        facts.append(_fact("tokens", state.setup.variants.mismatch - len(team.tokens)))
    return tuple(facts)


def _fact(id: str, value: int) -> Fact:
    label: Message = word("fact", id)
    return Fact(label, str(value))


def board(state: State) -> NbaBoard:
    """The scoreboard's value."""
    setup, result = state.setup, state.result
    names = [None if id is None else id if id == HIDDEN else card(state, id) for id in state.track]
    winner = result.winner if result else None
    return NbaBoard(
        sides=tuple(_side(state, team) for team in state.teams),
        matches=tuple(BoardMatch(pair, points) for pair, points in zip(setup.pairs, state.matches, strict=True)),
        phase=state.phase,
        active=state.active,
        first=state.first,
        turn=state.turn,
        limit=state.limit,
        period=state.period,
        ultimate=state.ultimate,
        closing=state.closing,
        money_time=state.money_time,
        track=() if state.period else tuple(names),
        deck=state.deck,
        pile=state.pile,
        roll=_dice(state.roll.dice) if state.roll else (),
        roll_tactic=card(state, state.roll.tactic) if state.roll else None,
        winner=winner,
        draw=state.phase == "over" and winner is None,
        ranking=result.ranking if result and result.ranking else (),
    )


def _dice(dice: tuple[Face, ...]) -> tuple[BoardDie, ...]:
    return tuple(BoardDie(die.die, die.value, die.colour) for die in dice)


def _side(state: State, team: Team) -> BoardSide:
    side, full = team.side, state.setup.full
    return BoardSide(
        side=side,
        name=state.setup.names[side],
        score=state.score(side),
        solo=state.setup.is_solo(side),
        court=tuple(_player(state, position, id) for position, id in zip(POSITIONS, team.court, strict=False)),
        tactics=tuple(_tactic(state, side, id) for id in team.prepared),
        skills=tuple(state.stat(side, skill) for skill in SKILLS) if full else (),
        collective=state.collective(side) if full else None,
        rebounds=state.rebounds(side) if full else None,
        rerolls=rerolls.rebound_rerolls(state, side) if full else None,
        attack=_dice(team.attack.dice) if team.attack else (),
        attack_value=team.attack.value if team.attack else None,
        defence=_defence(state, side, team.defence),
        fatigue=team.held,
        mini=len(team.mini),
        tokens=team.tokens,
    )


def _player(state: State, position: str, id: str) -> BoardPlayer:
    one = state.setup.player(id)
    skills = one.stats[: len(SKILLS)]
    return BoardPlayer(position, id, one.name, skills, one.stat("iq"), one.stat("rebounds"), one.decisive)


def _tactic(state: State, side: str, id: str) -> BoardTactic:
    one = state.setup.tactic(id)
    return BoardTactic(id, one.name, one.type, one.complexity, one.keep, state.collective(side) >= one.complexity)


def _defence(state: State, side: str, defence: Laid | None) -> tuple[BoardDie, ...]:
    if defence is None:
        return ()
    attacks = [state.team(other).attack for other in state.setup.opponents(side)]
    attack = next((each for each in attacks if each is not None), None)
    return tuple(BoardDie(die.die, die.value, die.colour, why(die, attack)) for die in defence.dice)
