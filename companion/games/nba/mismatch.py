"""The mini-game of two players on the same position (chapter 10): its tokens, its dice, its points."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from companion.games.base import Outcome
from companion.games.nba import events as ev
from companion.games.nba.dice_set import check_dice, lying
from companion.games.nba.known import check_side, wrong
from companion.games.nba.refusing import refusal
from companion.games.nba.scoring import counting, why
from companion.games.nba.state import State
from companion.games.nba.tables import DEFENCE, MOST_OF_A_KIND, OFFENCE, SKILLS
from companion.games.nba.teams import Laid


def check_on(state: State) -> None:
    """NBA-10.1: the variant is played."""
    if not state.setup.variants.mismatch:
        raise refusal("NBA-10.1")


def defender(state: State, event: ev.Mismatch) -> str:
    """Whose player defends: the one named, or the other one of two sides. Raises `Refusal` by NBA-1.2."""
    check_side(state, event.side)
    if event.against is None:
        if len(state.teams) > 2:
            raise wrong("against")
        return state.setup.opponents(event.side)[0]
    check_side(state, event.against, "against")
    if event.against == event.side:
        raise wrong("against")
    return event.against


def may_play(state: State, side: str, position: str) -> bool:
    """Whether a side still has a token for this position (NBA-10.2)."""
    tokens = state.team(side).tokens
    return position not in tokens and len(tokens) < state.setup.variants.mismatch


def check_mismatch(state: State, event: ev.Mismatch) -> None:
    """NBA-1.2, NBA-10.2, the dice, NBA-10.3."""
    against = defender(state, event)
    if event.position in state.team(event.side).tokens:
        raise refusal("NBA-10.2", "position", name=state.setup.names[event.side])
    if not may_play(state, event.side, event.position):
        most = state.setup.variants.mismatch
        raise refusal("NBA-10.2", "tokens", name=state.setup.names[event.side], most=most)
    check_dice(state.setup.dice_set, event.attack)
    check_dice(state.setup.dice_set, event.defence)
    _check_rolled(state, event.attack, attack_dice(state, event.side, event.position), OFFENCE, "attack")
    _check_rolled(state, event.defence, defence_dice(state, against, event.position), DEFENCE, "defence")


def attack_dice(state: State, side: str, position: str) -> dict[str, int] | None:
    """The offence dice that the player on a position rolls; None at level `scores`, where no court is known."""
    return _dice(state, side, position, OFFENCE)


def defence_dice(state: State, side: str, position: str) -> dict[str, int] | None:
    """The defence dice that the player on a position rolls; None at level `scores`."""
    return _dice(state, side, position, DEFENCE)


def _dice(state: State, side: str, position: str, skills: Iterable[str]) -> dict[str, int] | None:
    if not state.setup.full:
        return None
    card = state.setup.player(state.standing(side, position))
    return {skill: min(MOST_OF_A_KIND, card.stat(skill)) for skill in skills}


def _check_rolled(
    state: State, dice: tuple[ev.ReadDie, ...], due: dict[str, int] | None, kinds: tuple[str, ...], case: str
) -> None:
    """NBA-10.3: dice of the right type, and at level `full` exactly those of the player."""
    rolled = {kind: sum(die.kind == kind for die in dice) for kind in SKILLS}
    if any(count and kind not in kinds for kind, count in rolled.items()):
        raise refusal("NBA-10.3", f"{case}_kind")
    if due is not None and any(rolled[kind] != count for kind, count in due.items()):
        raise refusal("NBA-10.3", case, dice=sum(due.values()))


def apply_mismatch(state: State, event: ev.Mismatch) -> tuple[State, Outcome]:
    """NBA-10.4: scored at once; zones, pending attacks and the phase stay."""
    against = defender(state, event)
    attack = Laid(tuple([lying(die) for die in event.attack])) if event.attack else None
    defence = tuple([lying(die) for die in event.defence])
    stopped = counting(defence, attack)
    thrown = attack.value if attack else 0
    points = max(0, thrown - stopped)
    team = state.team(event.side)
    team = replace(team, tokens=(*team.tokens, event.position))
    matches = state.scored(event.side, against, points)
    state = replace(state, teams=state.with_teams(team), matches=matches)
    reasons = [why(die, attack) for die in defence]
    return state, {"attack": thrown, "defence": stopped, "why": reasons, "points": points}
