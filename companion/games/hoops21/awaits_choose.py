"""What the winner of a throw may choose (HB-4.4, HB-6.2), each choice with what it comes to."""

from __future__ import annotations

from typing import Any, Literal

from companion.games.base import Awaits, Choice, Message
from companion.games.hoops21 import odds, shots
from companion.games.hoops21.awaits_trial import after
from companion.games.hoops21.chart import choices, chooser, effect_of
from companion.games.hoops21.sound_player import lead
from companion.games.hoops21.state import State, balls, candidates
from companion.games.hoops21.tables import DUNK, PASS_LENGTH, Effect, Symbol
from companion.games.hoops21.words import said, symbol, word
from companion.games.wording import listed, percent, signed


def choose(state: State) -> Awaits:
    """Every choice is one tap; the one that the odds favour stands first."""
    winner, events = chooser(state), choices(state)
    best = max(events, key=lambda event: lead(after(state, event), winner))
    plays = listed([symbol(name) for name in candidates(state.lying.of(winner))])
    found = tuple(_choice(state, event, 1 if event == best else 2) for event in events)
    return Awaits(
        said("await.choose", state, winner), Message("hoops21.detail.choose", {"plays": plays}), choices=found
    )


def _choice(state: State, event: dict[str, Any], rank: Literal[1, 2]) -> Choice:
    winner = chooser(state)
    name: Symbol = event.get("symbol") or candidates(state.lying.of(winner))[0]
    effect = effect_of(state, winner, name, event.get("action"))
    label = word("do", effect)
    if effect == "shot":
        label = Message("hoops21.do.shot", {"points": shots.points(state)})
    detail, worth = _worth(state, event, effect)
    return Choice(event, label, winner, detail, worth, rank)


def _worth(state: State, event: dict[str, Any], effect: Effect) -> tuple[Message, str]:
    """What a choice comes to, in words and as a figure."""
    if effect == "shot":
        return word("detail", "made"), percent(odds.shot_from(state, state.distance)["made"])
    if effect == "free_throws":
        return word("detail", "each_made"), percent(odds.free_throw(state.setup.faces))
    end = after(state, event)
    if effect == "steal":
        return Message("hoops21.detail.to_section", {"section": end.pawn}), ""
    return _move(state, end, effect)


def _move(state: State, end: State, effect: Effect) -> tuple[Message, str]:
    """Where a move leads, and by how many sections it counts."""
    steps = PASS_LENGTH if effect in ("blind_pass", "deflected_pass") else balls(state.lying.of(chooser(state)))
    if effect in ("push_back", "deflected_pass"):
        stolen = "intercepted_on" if end.attack != state.attack else "to_section"
        return Message(f"hoops21.detail.{stolen}", {"section": end.pawn}), signed(-steps)
    if end.score != state.score:
        return Message("hoops21.detail.dunk", {"points": DUNK}), signed(steps)
    return Message("hoops21.detail.to_section", {"section": end.pawn}), signed(steps)
