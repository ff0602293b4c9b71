"""What is awaited in a turn outside an offensive: steps 2, 3 and 5, changes, a vacant armband (chapters 12 to 14)."""

from __future__ import annotations

from companion.games.base import Ask, Awaits, Choice, DiceAwait, Message, Option
from companion.games.footclub import awaits_lineup, team
from companion.games.footclub.awaits_cards import Play, mode_ask, plays, presses
from companion.games.footclub.awaits_trial import barred
from companion.games.footclub.course import must_discard
from companion.games.footclub.state import Club, State
from companion.games.footclub.tables import INDEX, SIDES, TYPES, Side, other
from companion.games.footclub.words import card, word
from companion.games.wording import literal, short_name, signed


def club_said(id: str, state: State, side: Side) -> Message:
    """A sentence about a club."""
    return Message(id, {"club": state.setup.name(side)})


def vacant(state: State) -> Awaits:
    """A captain must be named, or comes with a change, before anything else (FC-3.9)."""
    sides = [club.side for club in state.clubs if club.vacant]
    choices: list[Choice] = []
    for side in sides:
        club = state.club(side)
        options = tuple(_mate(club, id) for id in team.captains(club, club.on_pitch))
        ask = Ask("pick", "player", club_said("footclub.ask.captain", state, side), options)
        choices.append(Choice({"event": "captain", "side": side}, word("do", "captain"), side, rank=1, asks=(ask,)))
    return Awaits(club_said("footclub.await.captain", state, sides[0]), choices=(*choices, *changes(state)))


def below(state: State) -> Awaits:
    """A club of fewer than eight must replace its injured player before anything else (FC-13.9)."""
    side = next(club.side for club in state.clubs if club.below)
    return Awaits(club_said("footclub.await.below", state, side), word("detail", "below"), choices=changes(state))


def changes(state: State) -> tuple[Choice, ...]:
    """The changes of either club in step 2 or an open window; none elsewhere."""
    if state.phase != "preparation" and not state.window:
        return ()
    waiting = [club.side for club in state.clubs if club.below]
    return tuple(awaits_lineup.change(state, side) for side in waiting or SIDES)


def _mate(club: Club, id: str) -> Option:
    one = club.players[id].card
    return Option(id, literal(short_name(one.name)), Message("footclub.option.stars", {"n": one.level}))


def preparation(state: State) -> Awaits:
    """Step 2, which the club without the ball ends by starting step 3."""
    found: list[Choice] = []
    for side in SIDES:
        found += _supporter(state, side)
    detail = Message("footclub.detail.preparation", {"turn": state.turn})
    permutations = [awaits_lineup.permutation(state, side) for side in SIDES]
    title = club_said("footclub.await.possession", state, state.defenders)
    return Awaits(title, detail, choices=(*_fight(state), *found, *changes(state), *permutations))


def _supporter(state: State, side: Side) -> tuple[Choice, ...]:
    """A Supporters card to the stands; gone once it is laid, barred when it is too late or none is left."""
    if state.club(side).supporter_laid:
        return ()
    event = {"event": "supporter", "side": side}
    return (Choice(event, word("do", "supporter"), side, word("detail", "to_stands"), barred=barred(state, event)),)


def possession(state: State) -> Awaits:
    """Step 3: the club without the ball presses, tackles or leaves it."""
    title = club_said("footclub.await.possession", state, state.defenders)
    return Awaits(title, choices=(*_fight(state), *changes(state)))


def counter(state: State) -> Awaits:
    """After a save: a counter-attack at once, or a new step 3 (FC-8.4, FC-11.4)."""
    side = other(state.defenders)
    event = {"event": "offensive", "side": side, "kind": "counter_attack"}
    start = signed(team.initial_bonus(state, side))
    found = plays(Play(state, event, "counter_attack", card("counter_attack"), 1, word("detail", "start"), start))
    title = club_said("footclub.await.counter", state, side)
    detail = club_said("footclub.detail.counter", state, state.defenders)
    return Awaits(title, detail, choices=(*found, *_fight(state), *changes(state)))


def _fight(state: State) -> tuple[Choice, ...]:
    side = state.defenders
    tackle = {"event": "tackle", "side": side}
    leave = {"event": "leave", "side": side}
    found = [Choice(leave, word("do", "leave"), side, rank=1), *presses(state, side)]
    mode = mode_ask()
    found += plays(Play(state, tackle, "tackle", card("tackle"), 2, before=mode, usual=mode.options[0].effect))
    return tuple(found)


def duel(state: State) -> Awaits:
    """Two dice of the club that tackles or supports."""
    if state.duel is None:
        raise ValueError("no duel to throw for")
    side = state.duel.side
    second = state.duel.throw > 1
    title = club_said("footclub.await.throw_again" if second else "footclub.await.throw", state, side)
    dice = (DiceAwait(side, "pips", 2, purpose=word("purpose", state.duel.kind)),)
    return Awaits(title, dice=dice, choices=changes(state))


def end_of_turn(state: State) -> Awaits:
    """Step 5: each club that has too many cards discards exactly these (FC-14.10, FC-14.11)."""
    choices = []
    for side in SIDES:
        club = state.club(side)
        count = must_discard(state, club)
        if count:
            choices.append(_discard(club, count))
    return Awaits(word("await", "end_of_turn"), word("detail", "end_of_turn"), choices=tuple(choices))


def _discard(club: Club, count: int) -> Choice:
    """The `cards` of the event are a list; of one card, each option is that list."""
    left = club.cards_left or (count,) * len(TYPES)
    options = tuple(
        Option([type_] if count == 1 else type_, card(type_), most=min(count, left[INDEX[type_]]))
        for type_ in TYPES
        if left[INDEX[type_]] > 0
    )
    message = Message("footclub.ask.discard", {"n": count})
    ask = Ask("pick", "cards", message, options, times=count)
    detail = Message("footclub.detail.cards", {"n": count})
    event = {"event": "discard", "side": club.side}
    return Choice(event, word("do", "discard"), club.side, detail, rank=1, asks=(ask,))
