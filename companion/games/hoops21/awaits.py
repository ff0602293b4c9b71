"""What hoops21 awaits: whose it is to act, the dice due, and every choice that is legal or looked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from companion.games.base import Ask, Awaits, Choice, DiceAwait, Message, Option
from companion.games.hoops21 import awaits_menu, awaits_token, inbounding, odds, shots
from companion.games.hoops21.awaits_choose import choose
from companion.games.hoops21.awaits_trial import barred
from companion.games.hoops21.free_throws import under_way
from companion.games.hoops21.state import ALL_DICE, State
from companion.games.hoops21.tables import DICE, SIDES, index_of, other
from companion.games.hoops21.view import waiting_for
from companion.games.hoops21.words import said, word
from companion.games.wording import percent


def awaits(state: State) -> Awaits:
    """A match that is over awaits nothing; any other one something besides what stands in the menu."""
    if state.phase == "over":
        return Awaits(word("await", "over"))
    made = _PHASES[state.phase](state)
    choices = tuple(sorted(made.choices, key=lambda choice: (choice.barred is not None, choice.rank)))
    return replace(made, sides=waiting_for(state), choices=(*choices, *awaits_menu.choices(state)))


def both_dice(counts: tuple[int, int]) -> tuple[DiceAwait, ...]:
    """Dice that both teams throw at the same time."""
    return tuple(DiceAwait(side, side, count) for side, count in zip(SIDES, counts, strict=True))


def _jump_ball(state: State) -> Awaits:
    return Awaits(word("await", "jump_ball"), word("detail", "jump_ball"), dice=both_dice(ALL_DICE))


def _throw(state: State) -> Awaits:
    fewer = next((side for side in SIDES if state.dice_next[index_of(side)] < DICE), None)
    detail = None if fewer is None else said("detail.fewer", state, fewer, dice=state.dice_next[index_of(fewer)])
    return Awaits(word("await", "throw"), detail, dice=both_dice(state.dice_next))


def _shot(state: State) -> Awaits:
    """Dice of both teams; before them the attack may step outside the arc (HB-7.5)."""
    attack, _ = state.on_court
    event = {"event": "step_back"}
    refused = barred(state, event)
    made = None
    if refused is None:
        made = percent(odds.shot_from(state, state.setup.court.arc + 1)["made"])
    step = Choice(event, word("do", "step_back"), attack, word("detail", "step_back"), made, 2, barred=refused)
    title = said("await.shot", state, attack, points=shots.points(state))
    detail = said("detail.tie", state, state.holder)
    return Awaits(title, detail, dice=both_dice(ALL_DICE), choices=(step,))


def _free_throw(state: State) -> Awaits:
    shooting = under_way(state)
    title = said("await.free_throw", state, shooting.team, number=shooting.number)
    return Awaits(title, word("detail", "free_throw"), dice=(DiceAwait(shooting.team, shooting.team, DICE),))


def _inbound(state: State) -> Awaits:
    """The race: each team throws at its own pace, and its end can always be told in one tap (HB-9.6)."""
    attack, _ = state.on_court
    thief = other(attack)
    dice = tuple(DiceAwait(side, side, inbounding.due(state, side), apart=True) for side in (attack, thief))
    detail = Message(
        "hoops21.detail.inbound", {"n": inbounding.to_cross(state), "aside": state.set_aside or 0, "dice": DICE}
    )
    crossed = Choice({"event": "inbound_end", "stolen": False}, word("do", "crossed"), attack, rank=1)
    options = tuple(
        Option(section, Message("hoops21.section", {"section": section}))
        for section in inbounding.steal_sections(state)
    )
    ask = Ask("pick", "section", word("ask", "stolen_on"), options, suggested=state.pawn)
    stolen = Choice({"event": "inbound_end", "stolen": True}, word("do", "stolen"), thief, rank=1, asks=(ask,))
    return Awaits(said("await.inbound", state, attack), detail, dice=dice, choices=(crossed, stolen))


_PHASES: Mapping[str, Callable[[State], Awaits]] = {
    "jump_ball": _jump_ball,
    "throw": _throw,
    "tie": awaits_token.tie,
    "reroll": awaits_token.reroll,
    "choose": choose,
    "shot": _shot,
    "free_throw": _free_throw,
    "inbound": _inbound,
}
