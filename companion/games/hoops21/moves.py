"""Random legal events: a player for both teams who knows the rules but has no plan, for demonstrations and tests."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from companion.games.hoops21 import inbounding, odds
from companion.games.hoops21.chart import choices
from companion.games.hoops21.free_throws import under_way
from companion.games.hoops21.shots import inside
from companion.games.hoops21.state import State
from companion.games.hoops21.tables import DICE, RESTARTS, SIDES, SYMBOLS, Phase, Side, other

Move = dict[str, Any]
CONCEDE_CHANCE = 0.0002
RULING_CHANCE = 0.004
TEXTS = ("Ballon sorti par le public", "Dé tombé de la table", "Lancer gêné, on recommence", "Marche, remise en jeu")
"""What the players wrote down with an invented ruling."""


def random_event(state: State, random: Random) -> Move:
    """Some event that is legal now; a ruling or giving up now and then for its own sake."""
    chance = random.random()
    if chance < CONCEDE_CHANCE:
        return {"event": "concede", "team": random.choice(SIDES)}
    if chance < CONCEDE_CHANCE + RULING_CHANCE:
        return _ruling(state, random)
    return _BY_PHASE[state.phase](state, random)


def dice(state: State, random: Random, count: int = DICE) -> list[str]:
    """Dice as they fall, by the faces of the setup."""
    return random.choices(SYMBOLS, weights=state.setup.faces, k=count)


def both(state: State, random: Random) -> Move:
    """The dice that both teams throw in this phase."""
    orange, white = state.dice_next
    return {
        "event": state.phase,
        "orange": dice(state, random, orange),
        "white": dice(state, random, white),
    }


def free_throw(state: State, random: Random) -> Move:
    return {"event": "free_throw", under_way(state).team: dice(state, random)}


def inbound_throw(state: State, random: Random, team: Side) -> Move:
    return {"event": "inbound_throw", "team": team, "dice": dice(state, random, inbounding.due(state, team))}


def reroll(state: State, random: Random, keep: tuple[int, ...]) -> Move:
    """The holder throws again all dice but these. `team` is no field of the rules: it tells whose dice they are."""
    again = sum(state.lying.of(state.holder)) - sum(keep)
    return {
        "event": "reroll",
        "team": state.holder,
        "kept": odds.spelled(keep),
        "rolled": dice(state, random, again),
    }


def _shot(state: State, random: Random) -> Move:
    if inside(state) and random.random() < 0.3:
        return {"event": "step_back"}
    return both(state, random)


def _tie(state: State, random: Random) -> Move:
    if state.setup.advanced and random.random() < 0.4:
        return _any_reroll(state, random)
    return {"event": "token", "use": random.random() < 0.6}


def _reroll(state: State, random: Random) -> Move:
    return _any_reroll(state, random) if random.random() < 0.6 else {"event": "stand"}


def _any_reroll(state: State, random: Random) -> Move:
    return reroll(state, random, random.choice(odds.ways_to_reroll(state)).keep)


def _choose(state: State, random: Random) -> Move:
    return random.choice(choices(state))


def _inbound(state: State, random: Random) -> Move:
    """Both teams throw at their own pace; now and then the players only tell how the race ended."""
    attack, _ = state.on_court
    if random.random() < 0.1:
        if random.random() < 0.7:
            return {"event": "inbound_end", "stolen": False}
        return {"event": "inbound_end", "stolen": True, "section": random.choice(inbounding.steal_sections(state))}
    return inbound_throw(state, random, attack if random.random() < 0.5 else other(attack))


def _ruling(state: State, random: Random) -> Move:
    event: Move = {"event": "ruling", "text": random.choice(TEXTS)}
    if random.random() < 0.4:
        lowest = [max(-1, -points) for points in state.score]
        event["points"] = {side: random.randint(low, 2) for side, low in zip(SIDES, lowest, strict=True)}
    restart = random.choice((None, *RESTARTS))
    if restart is not None:
        event["restart"] = restart
    if restart == "throw":
        event["section"] = random.randint(1, state.setup.court.sections)
    if restart == "inbound":
        event["team"] = random.choice(SIDES)
    named = restart in ("throw", "inbound") and state.token is None
    if named or (random.random() < 0.3 and (restart is not None or state.phase != "reroll")):
        event["token"] = random.choice(SIDES)
    return event


_BY_PHASE: Mapping[Phase, Callable[[State, Random], Move]] = {
    "jump_ball": both,
    "throw": both,
    "tie": _tie,
    "reroll": _reroll,
    "choose": _choose,
    "shot": _shot,
    "free_throw": free_throw,
    "inbound": _inbound,
}
