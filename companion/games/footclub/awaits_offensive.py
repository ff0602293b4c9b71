"""What is awaited from the start of an offensive to the end of its shot: cards, Supporters, dice, a card taken back."""

from __future__ import annotations

from companion.games.base import Ask, Awaits, Barred, Choice, DiceAwait, Message, Option
from companion.games.footclub.awaits_cards import Play, mode_ask, plays
from companion.games.footclub.awaits_step import changes, club_said
from companion.games.footclub.awaits_trial import barred
from companion.games.footclub.bonus import ATTACKING_SUPPORT
from companion.games.footclub.duel import SUPPORT
from companion.games.footclub.match_cards import unplayable
from companion.games.footclub.offensives import stands_barred
from companion.games.footclub.pressing import freshness_kop
from companion.games.footclub.state import Offensive, State
from companion.games.footclub.tables import INDEX, MOST_SPENT, TYPES, Side, index_of, other
from companion.games.footclub.team import initial_bonus
from companion.games.footclub.words import card, word
from companion.games.wording import signed


def attack(state: State) -> Awaits:
    """Step 4: the club with the ball starts an offensive or declines (FC-14.8)."""
    side = other(state.defenders)
    event = {"event": "offensive", "side": side, "kind": "positional_attack"}
    start = _starting(state, side)
    found = plays(Play(state, event, "positional_attack", card("positional_attack"), 1, word("detail", "start"), start))
    solo = _solo(state, side)
    decline = Choice({"event": "no_offensive", "side": side}, word("do", "no_offensive"), side)
    title = club_said("footclub.await.attack", state, side)
    return Awaits(title, choices=(*found, *solo, decline, *changes(state)))


def _starting(state: State, side: Side) -> str:
    """The bonus that an offensive of this side would start from (FC-8.7)."""
    return signed(initial_bonus(state, side))


def _solo(state: State, side: Side) -> tuple[Choice, ...]:
    """A solo effort, plain or with its attacker's strength paid for (FC-8.9)."""
    club = state.club(side)
    event = {"event": "offensive", "side": side, "kind": "solo_effort"}
    label = card("solo_effort")
    reason = unplayable(club, "solo_effort") or stands_barred(club, "solo_effort")
    if reason is not None:
        return (Choice(event, label, side, barred=Barred(reason.rule, reason.message)),)
    skills = ["freshness"] + ["supporter"] * bool(club.supporters) + ["kop"] * freshness_kop(state, club)
    ask = Ask("pick", "skill", word("ask", "skill"), tuple(Option(skill, word("skill", skill)) for skill in skills))
    variants = tuple({"skill": skill} for skill in skills)
    start, strength = word("detail", "start"), word("detail", "strength")
    effect = _starting(state, side)
    plain = plays(Play(state, event, "solo_effort", label, 2, start, effect))
    strong = plays(Play(state, event, "solo_effort", label, 2, strength, before=ask, variants=variants))
    return (*plain, *(choice for choice in strong if choice.barred is None))


def offensive(state: State) -> Awaits:
    """Both clubs may add until the defence die lies; then the rest of the shot (chapters 9 and 11)."""
    current = _under_way(state)
    if current.closed:
        return _shot(state, current.side, current.throw, current.defence_die)
    defenders = other(current.side)
    added = (*_attackers_add(state, current), *_defenders_add(state, current, defenders))
    title = club_said("footclub.await.defence", state, defenders)
    dice = shot_dice(current.side, None)
    return Awaits(title, word("detail", "closes"), dice=dice, choices=added)


def set_piece(state: State) -> Awaits:
    """A free kick or penalty: the dice, and before them the window that the foul may have opened (FC-10.8)."""
    current = _under_way(state)
    made = _shot(state, current.side, current.throw, current.defence_die)
    return Awaits(made.title, made.detail, dice=made.dice, choices=changes(state))


def _under_way(state: State) -> Offensive:
    if state.offensive is None:
        raise ValueError(f"no offensive in phase {state.phase}")
    return state.offensive


def _shot(state: State, side: Side, throw: int, lying: int | None) -> Awaits:
    thrower = side if lying is not None else other(side)
    title = club_said("footclub.await.attack_die" if lying is not None else "footclub.await.defence", state, thrower)
    detail = word("detail", "second_throw") if throw > 1 else None
    return Awaits(title, detail, dice=shot_dice(side, lying))


def shot_dice(side: Side, lying: int | None) -> tuple[DiceAwait, ...]:
    """The defence die first, then the attack die of `side` (FC-11.1)."""
    attack_die = DiceAwait(side, "pips", 1, 1 if lying is None else 0, word("purpose", "attack"))
    if lying is not None:
        return (attack_die,)
    return (DiceAwait(other(side), "pips", 1, 0, word("purpose", "defence")), attack_die)


def _spend(state: State, current: Offensive, side: Side, effect: int) -> Choice:
    spent = current.spent[index_of(side)]
    event = {"event": "spend", "side": side, "supporters": 1}
    detail = Message("footclub.detail.spend", {"n": MOST_SPENT - spent, "most": MOST_SPENT})
    reason = barred(state, event)
    return Choice(event, word("do", "spend"), side, detail, signed(effect), rank=1, barred=reason)


def _attackers_add(state: State, current: Offensive) -> tuple[Choice, ...]:
    side = current.side
    found = [_spend(state, current, side, 1)]
    if state.setup.kop == "K01" and state.club(side).kop is not None:
        kop = {"event": "spend", "side": side, "kop": True}
        label = word("do", "kop" if state.club(side).kop == "up" else "kop_down")
        effect = signed(state.setup.kop_attack_bonus)
        found.append(Choice(kop, label, side, effect=effect, barred=barred(state, kop)))
    support = {"event": "attacking_support", "side": side}
    reason = barred(state, support)
    detail = word("detail", "from_hand")
    label = card("attacking_support")
    found.append(Choice(support, label, side, detail, signed(ATTACKING_SUPPORT), barred=reason))
    return tuple(found)


def _defenders_add(state: State, current: Offensive, side: Side) -> tuple[Choice, ...]:
    event = {"event": "defensive_support", "side": side}
    label = card("defensive_support")
    detail, effect = word("detail", "two_dice"), signed(-SUPPORT)
    mode = mode_ask(current.malus)
    usual = mode.options[0].effect
    play = Play(state, event, "defensive_support", label, 2, detail, effect, before=mode, usual=usual)
    return (_spend(state, current, side, -1), *plays(play))


def corner(state: State) -> Awaits:
    """A card of the own discard pile, the one just played included, comes back to the hand (FC-11.6)."""
    side = other(state.defenders)
    club = state.club(side)
    event = {"event": "recover", "side": side}
    options = tuple(
        Option(type_, card(type_), Message("footclub.option.discarded", {"n": club.discard[INDEX[type_]]}))
        for type_ in TYPES
        if club.discard[INDEX[type_]]
    )
    ask = Ask("pick", "card", word("ask", "recover"), options)
    choice = Choice(event, word("do", "recover"), side, rank=1, asks=(ask,))
    return Awaits(club_said("footclub.await.corner", state, side), choices=(choice,))
