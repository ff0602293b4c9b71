"""What hoops21 awaits: whose it is to act, the dice due, and every choice that is legal or looked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Literal

from companion.games.base import (
    Ask,
    Awaits,
    Barred,
    Choice,
    DiceAwait,
    Die,
    Fields,
    JsonObject,
    Message,
    Option,
    Refusal,
)
from companion.games.hoops21 import chart, inbounding, odds, shots
from companion.games.hoops21.chart import choices, chooser, effect_of
from companion.games.hoops21.free_throws import under_way
from companion.games.hoops21.rulebook import RULEBOOK
from companion.games.hoops21.sound_player import after, lead
from companion.games.hoops21.state import ALL_DICE, Counts, State, balls, candidates
from companion.games.hoops21.tables import (
    DICE,
    DUNK,
    PASS_LENGTH,
    SIDES,
    SYMBOLS,
    Effect,
    Side,
    Symbol,
    index_of,
    other,
)
from companion.games.hoops21.view import waiting_for
from companion.games.hoops21.words import dice_said, said, symbol, word
from companion.games.wording import listed, literal, percent, signed


def choose(state: State) -> Awaits:
    """Every choice is one tap; the one that the odds favour stands first."""
    winner, events = chooser(state), choices(state)
    best = max(events, key=lambda event: lead(after(state, event), winner))
    plays = listed([symbol(name) for name in candidates(state.lying.of(winner))])
    found = tuple(_choice(state, event, 1 if event == best else 2) for event in events)
    return Awaits(
        said("await.choose", state, winner), Message("hoops21.detail.choose", {"plays": plays}), choices=found
    )


def _choice(state: State, event: JsonObject, rank: Literal[1, 2]) -> Choice:
    winner = chooser(state)
    name: Symbol = event.get("symbol") or candidates(state.lying.of(winner))[0]
    effect = effect_of(state, winner, name, event.get("action"))
    label = word("do", effect)
    if effect == "shot":
        label = Message("hoops21.do.shot", {"points": shots.points(state)})
    detail, worth = _worth(state, event, effect)
    return Choice(event, label, winner, detail, worth, rank)


def _worth(state: State, event: JsonObject, effect: Effect) -> tuple[Message, str]:
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


# Tries an event out on the situation, so that what is offered is what the rules let pass.


def barred(state: State, fields: Fields) -> Barred | None:
    """Why an event is not legal, or None."""
    try:
        RULEBOOK.decide(state, RULEBOOK.parse(fields))
    except Refusal as refused:
        return Barred(refused.rule, refused.message)
    return None


# What stands in the menu in every phase: rulings on what the rules do not foresee, and giving up (chapter 12).

POINTS = (1, 2, 3, -1, -2, -3)


def menu_choices(state: State) -> tuple[Choice, ...]:
    return (*_rulings(state), *_concessions(state))


def _rulings(state: State) -> Iterator[Choice]:
    token = (_team(state, "token", "token_of"),)
    named = token if state.token is None else ()
    sections = tuple(
        Option(section, Message("hoops21.section", {"section": section}))
        for section in range(1, state.setup.court.sections + 1)
    )
    pawn = Ask("pick", "section", word("ask", "pawn_on"), sections, suggested=state.pawn)
    yield _ruling("ruling_inbound", {"restart": "inbound"}, (_team(state, "team", "inbound_by"), *named))
    yield _ruling("ruling_throw", {"restart": "throw"}, (pawn, *named))
    yield _ruling("ruling_jump_ball", {"restart": "jump_ball"}, ())
    yield _ruling("ruling_points", {}, (_points(state),))
    yield _ruling("ruling_token", {}, token, state)
    yield _ruling("ruling_note", {}, ())


def _ruling(label: str, fields: Fields, asks: tuple[Ask, ...], state: State | None = None) -> Choice:
    """A ruling with its words asked for first; with a state, barred where no answer would be legal."""
    event: JsonObject = {"event": "ruling", **fields}
    refused = None
    if state is not None:
        refused = barred(state, {**event, "text": label, **{ask.field: ask.options[0].value for ask in asks}})
    words = Ask("text", "text", word("ask", "ruling"))
    return Choice(event, word("do", label), rank=3, asks=(words, *asks), barred=refused, menu=True)


def _team(state: State, field: str, title: str) -> Ask:
    options = tuple(Option(side, literal(state.setup.name(side))) for side in SIDES)
    return Ask("pick", field, word("ask", title), options)


def _points(state: State) -> Ask:
    options = []
    for side in SIDES:
        for points in POINTS:
            if state.score[index_of(side)] + points >= 0:
                label = said("option.points", state, side, points=signed(points))
                options.append(Option({side: points}, label))
    return Ask("pick", "points", word("ask", "points"), tuple(options))


def _concessions(state: State) -> Iterator[Choice]:
    """HB-12.2."""
    for side in SIDES:
        yield Choice({"event": "concede", "team": side}, word("do", "concede"), side, rank=3, held=True, menu=True)


# What the holder of the power token may do (chapters 5 and 11): decide a tie, throw own dice again, or leave them.


def tie(state: State) -> Awaits:
    """The holder wins with the token, keeps it and loses, or in the advanced game throws again."""
    holder = state.holder
    use = Choice({"event": "token", "use": True}, word("do", "token_use"), holder, prize(state, holder), rank=1)
    keep = Choice({"event": "token", "use": False}, word("do", "token_keep"), holder, prize(state, other(holder)))
    title = said("await.tie", state, holder)
    if state.setup.advanced:
        return Awaits(title, word("detail", "again"), dice=_again(state), choices=(use, keep, *rerolls(state, 2)))
    event = {"event": "reroll", "team": holder}
    refused = Choice(event, word("do", "reroll"), holder, rank=3, barred=barred(state, event))
    return Awaits(title, choices=(use, keep, refused))


def reroll(state: State) -> Awaits:
    """The holder is behind or has missed: it throws again, or leaves its dice."""
    holder = state.holder
    missed = state.lying.kind == "free_throw"
    stand = Choice({"event": "stand"}, word("do", "stand"), holder, None if missed else prize(state, other(holder)))
    title = said("await.missed" if missed else "await.behind", state, holder)
    return Awaits(title, word("detail", "again"), dice=_again(state), choices=(*rerolls(state, 1), stand))


def prize(state: State, winner: Side) -> Message:
    """What a team would win: its plays of a throw, or what becomes of the shot."""
    if state.lying.kind == "shot":
        made = winner == state.attack
        return said("detail.shot_made" if made else "detail.shot_missed", state, winner, points=shots.points(state))
    counts = state.lying.of(winner)
    if balls(counts) == DICE:
        return said("detail.wins", state, winner, plays=word("effect", "slam_dunk"))
    plays = [word("effect", chart.effect_of(state, winner, name)) for name in candidates(counts)]
    return said("detail.wins", state, winner, plays=listed(plays))


def rerolls(state: State, rank: Literal[1, 2]) -> tuple[Choice, ...]:
    """The advised reroll, of which only the new faces are asked; and any other, of which also the dice that stay."""
    best, lying = odds.best_reroll(state), state.lying.of(state.holder)
    again = sum(lying) - sum(best.keep)
    event = {"event": "reroll", "team": state.holder}
    advised = Choice(
        {**event, "kept": odds.spelled(best.keep)},
        Message("hoops21.do.reroll_some", {"n": again}),
        state.holder,
        Message("hoops21.detail.keep", {"dice": dice_said(best.keep)}),
        percent(best.win),
        rank,
        (_rolled(state, again, again),),
    )
    asks = (_kept(state, lying, best.keep), _rolled(state, 1, sum(lying)))
    return (advised, Choice(event, word("do", "reroll_other"), state.holder, rank=3, asks=asks))


def _kept(state: State, lying: Counts, best: Counts) -> Ask:
    """The dice that stay, as they lie; at least one is thrown again (HB-11.1)."""
    options = tuple(
        Option(name, symbol(name), most=count, die=Die(state.holder, symbol=name))
        for name, count in zip(SYMBOLS, lying, strict=True)
        if count
    )
    most = sum(lying) - 1
    return Ask("dice", "kept", word("ask", "kept"), options, least=0, most=most, suggested=odds.spelled(best))


def _rolled(state: State, least: int, most: int) -> Ask:
    """What the dice thrown again show."""
    faces = tuple(Option(name, symbol(name), most=most, die=Die(state.holder, symbol=name)) for name in SYMBOLS)
    title = Message("hoops21.ask.rolled", {"n": most}) if least == most else word("ask", "rolled_some")
    return Ask("dice", "rolled", title, faces, most, least=least, most=most)


def _again(state: State) -> tuple[DiceAwait, ...]:
    """All dice of the holder, as they lie once some were thrown again."""
    holder = state.holder
    return (DiceAwait(holder, holder, sum(state.lying.of(holder)), purpose=word("purpose", "again"), staying=True),)


def awaits(state: State) -> Awaits:
    """A match that is over awaits nothing; any other one something besides what stands in the menu."""
    if state.phase == "over":
        return Awaits(word("await", "over"))
    made = _PHASES[state.phase](state)
    choices = tuple(sorted(made.choices, key=lambda choice: (choice.barred is not None, choice.rank)))
    return replace(made, sides=waiting_for(state), choices=(*choices, *menu_choices(state)))


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
    "tie": tie,
    "reroll": reroll,
    "choose": choose,
    "shot": _shot,
    "free_throw": _free_throw,
    "inbound": _inbound,
}
