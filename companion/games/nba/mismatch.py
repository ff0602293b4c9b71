"""The mini-game between two players in the same position (chapter 10): its tokens, its dice, its points."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from companion.games.base import Outcome
from companion.games.nba import events as ev
from companion.games.nba.card_lookup import check_side, invalid_field
from companion.games.nba.dice_set import check_dice, die_face
from companion.games.nba.refusals import refusal
from companion.games.nba.scoring import count_reason, counting_value
from companion.games.nba.state import State
from companion.games.nba.tables import DEFENCE, MAX_DICE_PER_KIND, OFFENCE, SKILLS
from companion.games.nba.teams import LaidDice


def check_variant(state: State) -> None:
    """Check that the variant is played (NBA-10.1). Raises: Refusal."""
    if not state.setup.variants.mismatch:
        raise refusal("NBA-10.1")


def defending_side(state: State, event: ev.Mismatch) -> str:
    """Return the defending side: the named one, or the other one of two sides. Raises: Refusal by NBA-1.2."""
    check_side(state, event.side)
    if event.against is None:
        if len(state.teams) > 2:
            raise invalid_field("against")
        return state.setup.opponents(event.side)[0]
    check_side(state, event.against, "against")
    if event.against == event.side:
        raise invalid_field("against")
    return event.against


def can_play(state: State, side: str, position: str) -> bool:
    """Return True if a side still has a token for this position (NBA-10.2)."""
    tokens = state.team(side).tokens
    return position not in tokens and len(tokens) < state.setup.variants.mismatch


def check_mismatch(state: State, event: ev.Mismatch) -> None:
    """Check NBA-1.2, NBA-10.2, the dice, NBA-10.3. Raises: Refusal."""
    against = defending_side(state, event)
    if event.position in state.team(event.side).tokens:
        raise refusal("NBA-10.2", "position", name=state.setup.names[event.side])
    if not can_play(state, event.side, event.position):
        most = state.setup.variants.mismatch
        raise refusal("NBA-10.2", "tokens", name=state.setup.names[event.side], most=most)
    check_dice(state.setup.dice_set, event.attack)
    check_dice(state.setup.dice_set, event.defence)
    _check_rolled(state, event.attack, attack_dice(state, event.side, event.position), OFFENCE, "attack")
    _check_rolled(state, event.defence, defence_dice(state, against, event.position), DEFENCE, "defence")


def attack_dice(state: State, side: str, position: str) -> dict[str, int] | None:
    """Return the offence dice that the player at a position rolls; None at level `scores`, where no court is known."""
    return _dice(state, side, position, OFFENCE)


def defence_dice(state: State, side: str, position: str) -> dict[str, int] | None:
    """Return the defence dice that the player at a position rolls; None at level `scores`."""
    return _dice(state, side, position, DEFENCE)


def _dice(state: State, side: str, position: str, skills: Iterable[str]) -> dict[str, int] | None:
    if not state.setup.full:
        return None
    card = state.setup.player(state.card_at(side, position))
    return {skill: min(MAX_DICE_PER_KIND, card.stat(skill)) for skill in skills}


def _check_rolled(
    state: State, dice: tuple[ev.ReadDie, ...], due: dict[str, int] | None, kinds: tuple[str, ...], case: str
) -> None:
    """Check NBA-10.3: dice of the right type, and at level `full` exactly those of the player. Raises: Refusal."""
    rolled = {kind: sum(die.kind == kind for die in dice) for kind in SKILLS}
    if any(count and kind not in kinds for kind, count in rolled.items()):
        raise refusal("NBA-10.3", f"{case}_kind")
    if due is not None and any(rolled[kind] != count for kind, count in due.items()):
        raise refusal("NBA-10.3", case, dice=sum(due.values()))


def apply_mismatch(state: State, event: ev.Mismatch) -> tuple[State, Outcome]:
    """Score the mismatch at once (NBA-10.4); zones, pending attacks and the phase do not change."""
    against = defending_side(state, event)
    attack = LaidDice(tuple([die_face(die) for die in event.attack])) if event.attack else None
    defence = tuple([die_face(die) for die in event.defence])
    stopped = counting_value(defence, attack)
    thrown = attack.value if attack else 0
    points = max(0, thrown - stopped)
    team = state.team(event.side)
    team = replace(team, tokens=(*team.tokens, event.position))
    matches = state.with_points(event.side, against, points)
    state = replace(state, teams=state.with_teams(team), matches=matches)
    reasons = [count_reason(die, attack) for die in defence]
    return state, {"attack": thrown, "defence": stopped, "why": reasons, "points": points}
