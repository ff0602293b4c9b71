"""What the game awaits in each phase: who may act, the dice due, and every choice that is legal or looked for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

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
from companion.games.nba import events as ev
from companion.games.nba import forecast, rerolls, solo
from companion.games.nba.activation import check_usable, most_rerolled
from companion.games.nba.advice import defence_advice, offence_advice
from companion.games.nba.cards import PlayerCard, TacticCard
from companion.games.nba.court import may_not_enter
from companion.games.nba.dice_set import DiceSet, needs_asking
from companion.games.nba.market import free, player_cost, tactic_cost
from companion.games.nba.mismatch import attack_dice, defence_dice, may_play
from companion.games.nba.odds import expected
from companion.games.nba.rulebook import RULEBOOK
from companion.games.nba.scoring import score_attack
from companion.games.nba.state import State
from companion.games.nba.tables import (
    COLOURS,
    DEFENCE,
    MOST_OF_A_KIND,
    MOST_PREPARED,
    MOST_RECRUITS,
    OFFENCE,
    POSITIONS,
    SLOTS,
    UNKNOWN,
)
from companion.games.nba.track import HIDDEN
from companion.games.nba.words import about, bodies, card, face, said, word
from companion.games.wording import listed, literal, signed


def barred_kind(state: State, kind: type[ev.Sound]) -> Barred | None:
    """Why events of a kind are barred now whatever their fields."""
    try:
        RULEBOOK.check_time(state, kind)
    except Refusal as reason:
        return Barred(reason.rule, reason.message)
    return None


def barred(state: State, fields: Fields) -> Barred | None:
    """Why this event would be refused."""
    reason = RULEBOOK.legal(state, RULEBOOK.parse(fields))
    return None if reason is None else Barred(reason.rule, reason.message)


@dataclass(frozen=True, slots=True)
class Completion:
    """The last ask of a choice: whether its answers can be taken together."""

    state: State
    event: Fields

    def barred(self, answers: Fields) -> Barred | None:
        return barred(self.state, {**self.event, **answers})


# What a person may do in a turn of level `full` before activating: adjust, substitute, prepare, buy (chapter 6).

MOST_PAID = 12
NOBODY = Barred("NBA-6.3", Message("nba.refusal.NBA-6.3.nothing"))


@dataclass(frozen=True, slots=True)
class CourtData:
    """What the editor of a court needs: the cards as they stand and those that may stand on each position.

    It answers with the fields of the event: `court` (position → card, for those that change) and `fatigue_removed`, at
    most `held`.
    """

    court: tuple[tuple[str, str], ...]
    candidates: tuple[tuple[str, tuple[str, ...]], ...]
    held: int
    owned: frozenset[str] = frozenset()
    """The cards that are known to belong to the side."""


def actions(state: State) -> tuple[Choice, ...]:
    """Everything that comes before the activations, barred where its time is over."""
    return (*_adjust(state), *_replace(state), *_prepare(state), *_buy_players(state), *_buy_tactic(state))


def player_option(state: State, one: PlayerCard, effect: str | None = None) -> Option:
    """An athlete with where he may stand and what he is worth."""
    places = Message("nba.option.player", {"positions": _positions(one), "value": one.value, "cost": one.cost})
    return Option(one.id, literal(one.name), places, effect)


def _positions(one: PlayerCard) -> Message:
    head, *rest = [word("position_short", position) for position in POSITIONS if position in one.positions]
    for text in rest:
        head = Message("common.list", {"head": head, "rest": text})
    return head


def tactic_option(one: TacticCard, most: int = MOST_PREPARED, effect: str | None = None) -> Option:
    """A tactic with its complexity and the dice it keeps."""
    args = {"type": word("type", one.type), "complexity": one.complexity, "value": one.value}
    return Option(one.id, literal(one.name), Message("nba.option.tactic", args), effect, most=most)


def _adjust(state: State) -> tuple[Choice, ...]:
    """The adjustment phase; gone once something else was done."""
    if state.phase != "adjust" or state.ultimate:
        return ()
    asks = [Ask("count", "tactics_replaced", word("ask", "tactics_replaced"), most=SLOTS, suggested=0)]
    deck = state.setup.market_list
    if state.laid and deck is None:
        options = tuple(player_option(state, one) for one in _never_seen(state))
        if options:
            title = Message("nba.ask.revealed", {"n": state.laid})
            asks.append(Ask("pick", "revealed", title, options, state.laid, 0, state.laid, optional=True))
    return (Choice({"event": "adjust"}, word("do", "adjust"), state.mover, rank=3, asks=tuple(asks)),)


def _never_seen(state: State) -> Iterable[PlayerCard]:
    seen = {id for team in state.teams for id in team.mini} | set(state.track)
    return [one for one in players(state) if one.id not in seen and free(state, one)]


def players(state: State) -> list[PlayerCard]:
    """The player cards of the catalogue."""
    return [one for one in state.setup.cards.values() if isinstance(one, PlayerCard)]


def tactics(state: State) -> list[TacticCard]:
    """The tactics of the catalogue."""
    return [one for one in state.setup.cards.values() if isinstance(one, TacticCard)]


def _replace(state: State) -> tuple[Choice, ...]:
    """One card for another in two taps; several at once in the editor of the court."""
    if state.ultimate:
        return ()
    reason = barred_kind(state, ev.Replace)
    team = state.team(state.mover)
    entering = [one for one in players(state) if one.id not in team.court and not may_not_enter(state, one.id)]
    by_position = tuple(
        (position, tuple(one.id for one in owned_first(state, entering) if position in one.positions))
        for position in POSITIONS
    )
    owned = owned_players(state)
    ways = sorted(((position, id) for position, ids in by_position for id in ids), key=lambda way: way[1] not in owned)
    options = tuple(Option({position: id}, literal(card(state, id)), _for(state, position)) for position, id in ways)
    asks = [Ask("pick", "court", word("ask", "replace"), options)]
    if team.held:
        asks.append(Ask("count", "fatigue_removed", word("ask", "fatigue_removed"), most=1, suggested=1))
    event = {"event": "replace"}
    data = CourtData(tuple(zip(POSITIONS, team.court, strict=True)), by_position, team.held, owned)
    several = Ask("lineup", "court", word("ask", "court"), data=data)
    side = team.side
    nobody = None if options else NOBODY
    return (
        Choice(event, word("do", "replace"), side, asks=tuple(asks), barred=reason or nobody),
        Choice(event, word("do", "replace_several"), side, rank=3, asks=(several,), barred=reason or nobody),
    )


def _for(state: State, position: str) -> Message:
    standing = card(state, state.standing(state.mover, position))
    return Message("nba.option.instead", {"position": word("position_short", position), "player": standing})


def owned_players(state: State) -> frozenset[str]:
    """The player cards that the journal gives to the active side."""
    team = state.team(state.mover)
    roster = state.setup.rosters[team.side]
    return frozenset((*roster.court, *(roster.bench or ()), *team.bought))


def owned_first(state: State, cards: Sequence[PlayerCard]) -> list[PlayerCard]:
    """The cards of the active side come before the others; the one bought last is the first of all."""
    owned, bought = owned_players(state), state.team(state.mover).bought
    return sorted(cards, key=lambda one: (one.id not in owned, -bought.index(one.id) - 1 if one.id in bought else 0))


def _prepare(state: State) -> tuple[Choice, ...]:
    """Tactics laid on the board, thrown away from it, or both at once (NBA-6.5)."""
    team = state.team(state.mover)
    reason = barred_kind(state, ev.Prepare)
    event = {"event": "prepare"}
    data = Completion(state, event)
    known = _playable(state, tactics(state))
    owned = {*(state.setup.rosters[team.side].tactics or ()), *team.bought}
    options = tuple(tactic_option(one) for one in sorted(known, key=lambda one: one.id not in owned))
    lay = Ask("pick", "tactics", word("ask", "tactics"), options, 1, 1, 2 * MOST_PREPARED)
    choices = []
    if known:
        reasons = [None if reason else barred(state, {**event, "tactics": [option.value]}) for option in options]
        tried = tuple(replace(option, barred=why) for option, why in zip(options, reasons, strict=True))
        full = reasons[0] if all(reasons) else None
        only_lay = (replace(lay, options=tried, data=data),)
        choices.append(Choice(event, word("do", "prepare"), team.side, asks=only_lay, barred=reason or full))
    lying = _playable(state, [state.setup.tactic(id) for id in dict.fromkeys(team.prepared)])
    if lying:
        board = tuple(tactic_option(one, team.prepared.count(one.id)) for one in lying)
        drop = Ask("pick", "discard", word("ask", "discard"), board, 1, 1, len(team.prepared), data=data)
        for label, asks in (("discard", (drop,)), ("exchange", (drop, lay))):
            choices.append(Choice(event, word("do", label), team.side, rank=3, asks=asks, barred=reason))
    return tuple(choices)


def _playable(state: State, cards: Iterable[TacticCard]) -> list[TacticCard]:
    """The tactics that may still be played: no offence in an ultimate defence (NBA-8.4)."""
    return [one for one in cards if not (state.ultimate and one.type == "offence")]


def _paid(state: State, cost: int, event: JsonObject | None = None) -> Ask:
    """Player cards thrown from the hand; which ones it holds only the side knows."""
    court = state.team(state.mover).court
    options = tuple(
        player_option(state, one, f"+{one.value}")
        for one in owned_first(state, players(state))
        if one.value and one.id not in court
    )
    title = Message("nba.ask.paid", {"cost": cost})
    data = Completion(state, event) if event is not None else None
    return Ask("pick", "paid", title, options, 1, 0 if cost == 0 else 1, MOST_PAID, data=data)


def _buy_players(state: State) -> tuple[Choice, ...]:
    """One choice for each card on the track, and for each of the personal market."""
    if state.ultimate or state.period:
        return ()
    reason = barred_kind(state, ev.BuyPlayer)
    team = state.team(state.mover)
    choices = []
    for slot, lying in enumerate(state.track, 1):
        if lying is None:
            continue
        event = {"event": "buy_player", "slot": slot}
        if lying != HIDDEN:
            choices.append(_purchase(state, {**event, "card": lying}, lying, reason))
        elif candidates := list(_never_seen(state)):
            options = tuple(player_option(state, one, f"−{player_cost(state, one)}") for one in candidates)
            label = Message("nba.do.buy_slot", {"slot": slot})
            dearest = max(player_cost(state, one) for one in candidates)
            asks = (Ask("pick", "card", word("ask", "card"), options), _paid(state, dearest))
            choices.append(Choice(event, label, team.side, rank=3, asks=asks, barred=reason))
    choices += [_purchase(state, {"event": "buy_player", "from": "mini", "card": id}, id, reason) for id in team.mini]
    return tuple(choices)


def _purchase(state: State, event: JsonObject, id: str, reason: Barred | None) -> Choice:
    one = state.setup.player(id)
    cost = player_cost(state, one)
    label = Message("nba.do.buy", {"card": one.name})
    option = player_option(state, one)
    ask = _paid(state, cost, event)
    if reason is None and not free(state, one):
        reason = barred(state, {**event, "paid": []})
    return Choice(event, label, state.mover, option.detail, f"−{cost}", 3, (ask,), barred=reason)


def _buy_tactic(state: State) -> tuple[Choice, ...]:
    if state.ultimate or state.period:
        return ()
    for_sale = [one for one in tactics(state) if not one.base]
    if not for_sale:
        return ()
    options = tuple(tactic_option(one, 1, f"−{tactic_cost(state, one)}") for one in for_sale)
    team = state.team(state.mover)
    owned = {*(state.setup.rosters[team.side].tactics or ()), *team.bought}
    worth = tuple(
        tactic_option(one, MOST_PREPARED, f"+{one.value}")
        for one in sorted(tactics(state), key=lambda one: one.id not in owned)
        if one.value
    )
    dearest = max(tactic_cost(state, one) for one in for_sale)
    asks = (
        Ask("pick", "card", word("ask", "tactic_card"), options),
        Ask("pick", "paid", Message("nba.ask.paid_tactics", {"cost": dearest}), worth, 1, 0, MOST_PAID),
    )
    reason = barred_kind(state, ev.BuyTactic)
    return (Choice({"event": "buy_tactic"}, word("do", "buy_tactic"), team.side, rank=3, asks=asks, barred=reason),)


# What is awaited where dice lie: what a tactic rolls, what is rolled again, what is kept, a mismatch.

Size = Mapping[str, int]


def all_of(kinds: tuple[str, ...]) -> dict[str, int]:
    """As many dice of these kinds as there are."""
    return dict.fromkeys(kinds, MOST_OF_A_KIND)


def dice_ask(dice_set: DiceSet, field: str, size: Size, exact: bool = True) -> Ask:
    """Dice told by touch: every face of these kinds, each as often as dice of its kind may lie there."""
    options = [
        Option(value, label, word("body", kind), most=count, die=as_die(value))
        for kind, count in size.items()
        if count
        for value, label in faces(dice_set, kind)
    ]
    total = sum(size.values())
    title = Message("nba.ask.dice", {"dice": bodies(size)})
    return Ask("dice", field, title, tuple(options), total, total if exact else 0, max(1, total), data=dict(size))


def faces(dice_set: DiceSet, kind: str) -> list[tuple[JsonObject, Message]]:
    """The different dice that can lie there, as a journal has them; an unknown number in each colour."""
    found: dict[tuple[int, str | None], None] = {}
    for value, colour in dice_set.of(kind):
        for each in COLOURS if colour == UNKNOWN else (colour,):
            found[value, each] = None
    dice = []
    for value, colour in found:
        die: JsonObject = {"die": kind, "value": value}
        if colour is not None:
            die["colour"] = colour
        if needs_asking(dice_set, kind, value):
            die["asked"] = True
        dice.append((die, face(kind, value, colour)))
    return dice


def as_die(written: Fields) -> Die:
    """A die of the journal as the table knows it; an offence die has no colour but its body's."""
    kind = written["die"]
    return Die(kind, written["value"], None if kind in OFFENCE else written.get("colour"))


def lying(state: State) -> tuple[Option, ...]:
    """The dice of the open roll as they lie, each by its index."""
    return tuple(
        Option(
            index,
            face(die.die, die.value, die.colour),
            word("body", die.die),
            die=Die(die.die, die.value, None if die.die in OFFENCE else die.colour),
        )
        for index, die in enumerate(state.rolling.dice)
    )


def due(side: str, least: Size, most: Size, purpose: Message) -> tuple[DiceAwait, ...]:
    """Dice awaited, of each kind from `least` to `most`."""
    return tuple(
        DiceAwait(side, kind, count, purpose=purpose, least=None if least.get(kind, 0) == count else least.get(kind, 0))
        for kind, count in most.items()
        if count
    )


def logged_dice(state: State) -> tuple[DiceAwait, ...]:
    """Level `scores`: the dice kept, of any kind that may still be laid in this turn."""
    free: dict[str, int] = {}
    for kind, kinds in ((ev.Attack, OFFENCE), (ev.Defend, DEFENCE)):
        if barred_kind(state, kind) is None:
            free |= all_of(kinds)
    return due(state.mover, {}, free, word("purpose", "kept"))


def rolled_dice(state: State) -> tuple[DiceAwait, ...]:
    """Level `full`: the dice of the tactics that may be activated now. With several the dice thrown tell which."""
    sizes = [state.roll_size(state.mover, state.setup.tactic(id)) for id in may_activate(state)]
    kinds = dict.fromkeys(kind for size in sizes for kind in size)
    least = {kind: min(size.get(kind, 0) for size in sizes) for kind in kinds}
    most = {kind: max(size.get(kind, 0) for size in sizes) for kind in kinds}
    return due(state.mover, least, most, word("purpose", "activate"))


def may_activate(state: State) -> tuple[str, ...]:
    """The different prepared tactics that may be activated now; for the solo opponent those it plans."""
    if state.solo_turn:
        return tuple([id for id in solo.plan(state).values() if id is not None])
    board = dict.fromkeys(state.team(state.mover).prepared)
    return tuple([id for id in board if forecast.usable(state, state.mover, state.setup.tactic(id))])


def roll(state: State) -> Awaits:
    """An open roll: dice to roll again once, dice to keep."""
    side = state.mover
    tactic = state.setup.tactic(state.rolling.tactic)
    title = said("await.roll", state, side, tactic=tactic.name)
    if state.solo_turn:
        again = solo.must_reroll(state, rerolls.left(state))
        dice = due(side, _kinds(state, again), _kinds(state, again), word("purpose", "reroll"))
        return Awaits(title, word("detail", "solo_reroll"), (side,), dice, (_again(state, again, 1),))
    most = _rerollable(state)
    dice = due(side, {}, most, word("purpose", "reroll"))
    detail = Message("nba.detail.rerolls", {"n": sum(most.values()) and max(most.values())})
    return Awaits(title, detail, (side,), dice, (*_rerolls(state), *_keeps(state)))


def _kinds(state: State, indices: tuple[int, ...]) -> dict[str, int]:
    dice = [state.rolling.dice[index].die for index in indices]
    return {kind: dice.count(kind) for kind in dict.fromkeys(dice)}


def _rerollable(state: State) -> dict[str, int]:
    """Of each kind of the open roll, how many dice may be rolled again; the coach's extra one included."""
    if state.rolling.rerolled:
        return {}
    tactic = state.setup.tactic(state.rolling.tactic)
    lying = {skill: state.rolling.of_kind(skill) for skill in tactic.skills}
    return {skill: min(len(dice), most_rerolled(state, dice)) for skill, dice in lying.items()}


def _again(state: State, indices: tuple[int, ...], rank: Any, effect: str | None = None) -> Choice:
    """These dice rolled again; what is still missing is how they lie then."""
    ask = dice_ask(state.setup.dice_set, "to", _kinds(state, indices))
    event = {"event": "reroll", "dice": list(indices)}
    detail = shown(state, indices)
    return Choice(event, Message("nba.do.reroll", {"n": len(indices)}), state.mover, detail, effect, rank, (ask,))


def shown(state: State, indices: tuple[int, ...]) -> Message:
    """These dice of the open roll as they lie."""
    lying = [state.rolling.dice[index] for index in indices]
    return listed([face(die.die, die.value, die.colour) for die in lying] or [word("dice", "none")])


def advised(state: State) -> tuple[int, ...]:
    """The dice that are best rolled again: in offence by NBA-14.3; in defence all that do not count, if any may."""
    left = rerolls.left(state)
    if state.setup.tactic(state.rolling.tactic).type == "offence":
        return offence_advice(forecast.parts(state), left).dice
    blank = [index for part in forecast.parts(state) for index, value in part.dice if not value]
    return tuple(sorted(blank)[:left])


@dataclass(frozen=True, slots=True)
class Thrown:
    """The dice that are rolled again, once it is known which."""

    state: State

    def after(self, answers: Fields) -> Ask:
        return dice_ask(self.state.setup.dice_set, "to", _kinds(self.state, tuple(answers["dice"])))


def _rerolls(state: State) -> tuple[Choice, ...]:
    most = _rerollable(state)
    if not any(most.values()):
        return ()
    best = advised(state)
    choices = [_again(state, best, 1, about(_after(state, len(best))))] if best else []
    together = min(len(state.rolling.dice), max(most.values()))
    pick = Ask("dice", "dice", word("ask", "reroll"), lying(state), together, 1, together, suggested=list(best))
    to = replace(dice_ask(state.setup.dice_set, "to", most, exact=False), data=Thrown(state))
    return (*choices, Choice({"event": "reroll"}, word("do", "reroll_others"), state.mover, rank=3, asks=(pick, to)))


def _after(state: State, count: int) -> Fraction:
    """The mean of what is kept after the advised reroll of so many dice; 0 dice: what is kept now."""
    left, found = rerolls.left(state), forecast.parts(state)
    if state.setup.tactic(state.rolling.tactic).type == "offence":
        advice = offence_advice(found, left)
        return advice.expected if count else advice.now
    return defence_advice(found, left)[count].even


def best_kept(state: State) -> tuple[int, ...]:
    """The dice that are best kept: the highest of each skill that score or count."""
    tactic = state.setup.tactic(state.rolling.tactic)
    return solo.kept(tactic, state.rolling.dice, state.pending_colours(state.mover))


def _keeps(state: State) -> tuple[Choice, ...]:
    best = best_kept(state)
    tactic = state.setup.tactic(state.rolling.tactic)
    detail = shown(state, best)
    keep = {"event": "keep", "dice": list(best)}
    first = Choice(keep, word("do", "keep"), state.mover, detail, str(_after(state, 0)), rank=1)
    most = sum(n for _, n in tactic.keep)
    event = {"event": "keep"}
    data = Completion(state, event)
    pick = Ask("dice", "dice", word("ask", "keep"), lying(state), most, 0, most, suggested=list(best), data=data)
    return first, Choice(event, word("do", "keep_others"), state.mover, rank=3, asks=(pick,))


def mismatches(state: State) -> tuple[Choice, ...]:
    """One choice for each side that has a token left and each opponent (chapter 10)."""
    if barred_kind(state, ev.Mismatch) is not None:
        return ()
    free = {side: [p for p in POSITIONS if may_play(state, side, p)] for side in state.setup.sides}
    return tuple(
        _mismatch(state, side, against, positions)
        for side, positions in free.items()
        for against in state.setup.opponents(side)
        if positions
    )


def _mismatch(state: State, side: str, against: str, positions: list[str]) -> Choice:
    options = tuple(
        Option(position, word("position", position), _duel(state, side, against, position)) for position in positions
    )
    asks = [Ask("pick", "position", word("ask", "position"), options)]
    for field, kinds in (("attack", OFFENCE), ("defence", DEFENCE)):
        ask = dice_ask(state.setup.dice_set, field, all_of(kinds), exact=False)
        asks.append(replace(ask, data=Duel(state, side, against, field)) if state.setup.full else ask)
    event = {"event": "mismatch", "side": side, "against": against}
    detail = said("detail.mismatch", state, against)
    return Choice(event, word("do", "mismatch"), side, detail, rank=3, asks=tuple(asks))


@dataclass(frozen=True, slots=True)
class Duel:
    """The dice of one of the two players, once the position is known (NBA-10.3)."""

    state: State
    side: str
    against: str
    field: str

    def after(self, answers: Fields) -> Ask:
        position = answers["position"]
        if self.field == "attack":
            size = attack_dice(self.state, self.side, position)
        else:
            size = defence_dice(self.state, self.against, position)
        return dice_ask(self.state.setup.dice_set, self.field, size or {})


def _duel(state: State, side: str, against: str, position: str) -> Message | None:
    """The dice that both players roll; not known at level `scores`."""
    attack, defence = attack_dice(state, side, position), defence_dice(state, against, position)
    if attack is None or defence is None:
        return None
    return bodies({**attack, **defence})


# What is awaited in the solo opponent's turn: what a person draws for it, and the dice that a person throws for it.


def opponents_turn(state: State) -> Awaits:
    """Its recruit, its tactic, its activations, the end of its turn, in this order (NBA-12.3)."""
    side = state.mover
    if barred_kind(state, ev.AiRecruit) is None:
        return Awaits(said("await.ai_recruit", state, side), _counter(state), (side,), choices=(_recruit(state),))
    if barred_kind(state, ev.AiTactic) is None:
        return Awaits(said("await.ai_tactic", state, side), _counter(state), (side,), choices=(_tactic(state),))
    planned = may_activate(state)
    if planned:
        dice = rolled_dice(state)
        return Awaits(said("await.solo", state, side), None, (side,), dice, tuple(_roll(state, id) for id in planned))
    event = {"event": "end_turn"}
    end = Choice(event, word("do", "end_turn"), side, rank=1, barred=barred(state, event))
    return Awaits(said("await.solo_end", state, side), None, (side,), choices=(end,))


def _counter(state: State) -> Message:
    return Message("nba.detail.counter", {"n": solo.opponent(state).resources})


def _recruit(state: State) -> Choice:
    options = tuple(player_option(state, one) for one in players(state) if free(state, one))
    title = Message("nba.ask.recruits", {"n": MOST_RECRUITS})
    ask = Ask("pick", "cards", title, options, MOST_RECRUITS, 0, MOST_RECRUITS)
    return Choice({"event": "ai_recruit"}, word("do", "ai_recruit"), state.mover, rank=1, asks=(ask,))


def _tactic(state: State) -> Choice:
    options = tuple(tactic_option(one, SLOTS) for one in tactics(state) if not one.base)
    ask = Ask("pick", "market", word("ask", "market"), options, SLOTS, 0, SLOTS)
    return Choice({"event": "ai_tactic"}, word("do", "ai_tactic"), state.mover, rank=1, asks=(ask,))


def _roll(state: State, id: str) -> Choice:
    tactic = state.setup.tactic(id)
    size = state.roll_size(state.mover, tactic)
    event = {"event": "activate", "tactic": id}
    label = Message("nba.do.activate", {"tactic": tactic.name})
    return Choice(event, label, state.mover, bodies(size), rank=1, asks=(dice_ask(state.setup.dice_set, "dice", size),))


RULED = (-3, -2, -1, 1, 2, 3)
"""Points that the menu offers for a ruling; others are told by correcting the entry."""


def awaits(state: State) -> Awaits:
    """A match that is over awaits nothing; any other one something besides the menu."""
    if state.phase == "over":
        return Awaits(word("await", "over"))
    made = _awaited(state)
    choices = tuple(sorted(made.choices, key=lambda choice: (choice.barred is not None, choice.rank)))
    return replace(made, choices=(*choices, *_menu(state)))


def _awaited(state: State) -> Awaits:
    if state.phase == "tied":
        return _tied(state)
    if state.phase == "roll":
        return roll(state)
    if state.solo_turn:
        made = opponents_turn(state)
    else:
        made = _full(state) if state.setup.full else _scores(state)
    last = _eliminations(state) if state.setup.full and not state.solo_turn else ()
    return replace(made, choices=(*made.choices, *mismatches(state), *last))


def _tied(state: State) -> Awaits:
    """Overtime or a draw (NBA-8.6)."""
    overtime = Choice({"event": "overtime"}, word("do", "overtime"), rank=1)
    draw = Choice({"event": "accept_draw"}, word("do", "accept_draw"))
    return Awaits(word("await", "tied"), word("detail", "tied"), state.setup.sides, choices=(overtime, draw))


def _title(state: State) -> Message:
    return said("await.ultimate" if state.ultimate else "await.turn", state, state.mover)


def _where(state: State) -> Message:
    """Which turn this is."""
    if state.limit is None:
        return Message("nba.detail.turn", {"turn": state.turn})
    return Message("nba.detail.turn_of", {"turn": state.turn, "limit": state.limit})


def _scores(state: State) -> Awaits:
    """Level `scores`: the dice kept in attack and in defence, then the end of the turn."""
    side, dice_set = state.mover, state.setup.dice_set
    choices = []
    for name, kind, kinds in (("attack", ev.Attack, OFFENCE), ("defend", ev.Defend, DEFENCE)):
        if name == "attack" and state.ultimate:
            continue
        asks = [dice_ask(dice_set, "dice", all_of(kinds), exact=False)]
        if name == "defend" and state.pile and not state.money_time:
            asks.append(Ask("count", "fatigue", word("ask", "fatigue"), most=state.pile, suggested=0))
        reason = barred_kind(state, kind)
        choices.append(Choice({"event": name}, word("do", name), side, asks=tuple(asks), barred=reason))
    dice = logged_dice(state)
    return Awaits(_title(state), _where(state), (side,), dice, (*choices, *_ends(state)))


def _full(state: State) -> Awaits:
    """Level `full`: the tactic of each type that promises most, the end of the turn, then everything else."""
    dice = rolled_dice(state)
    best, others = _activations(state)
    before, ends = actions(state), _ends(state)
    choices = (*best, *ends, *others, *before) if best or others else (*before, *ends)
    return Awaits(_title(state), _where(state), (state.mover,), dice, choices)


def _activations(state: State) -> tuple[list[Choice], list[Choice]]:
    """One choice for each different tactic on the board, with its mean total: the best of each type, then the others.

    Of a type that was activated already there is nothing to choose.
    """
    rated: list[tuple[Fraction, Choice, str]] = []
    for id in dict.fromkeys(state.team(state.mover).prepared):
        tactic = state.setup.tactic(id)
        size = state.roll_size(state.mover, tactic)
        mean: Fraction = expected(forecast.pools(state, state.mover, tactic))
        label = Message("nba.do.activate", {"tactic": tactic.name})
        ask = dice_ask(state.setup.dice_set, "dice", size)
        reason = _unusable(state, id)
        event = {"event": "activate", "tactic": id}
        shown = Choice(event, label, state.mover, bodies(size), about(mean), 2, (ask,), barred=reason)
        rated.append((mean, shown, tactic.type))
    rated.sort(key=lambda one: (one[1].barred is not None, -one[0]))
    best: list[Choice] = []
    types: set[str] = set()
    for _, shown, type_ in rated:
        if shown.barred is None and type_ not in types:
            types.add(type_)
            best.append(replace(shown, rank=1))
    first = {choice.event["tactic"] for choice in best}
    return best, [shown for _, shown, _ in rated if shown.event["tactic"] not in first]


def _unusable(state: State, id: str) -> Barred | None:
    try:
        check_usable(state, state.setup.tactic(id))
    except Refusal as reason:
        return Barred(reason.rule, reason.message)
    return None


def _ends(state: State) -> tuple[Choice, ...]:
    """The end of the turn; where the market is the clock, whether it is empty now."""
    side, event = state.mover, {"event": "end_turn"}
    rank: Any = 1 if state.phase == "activation" else 2
    ends = [Choice(event, word("do", "end_turn"), side, _scores_next(state), rank=rank)]
    if state.setup.clock == "market" and not state.ultimate and not state.period:
        ends.append(Choice({**event, "market_empty": True}, word("do", "market_empty"), side, rank=3, held=True))
    return tuple(ends)


def _eliminations(state: State) -> tuple[Choice, ...]:
    """The end of the turn with cards that are removed from the match (NBA-8.2); the side's own cards come first."""
    side = state.mover
    court = state.team(side).court
    options = tuple(player_option(state, one) for one in owned_first(state, players(state)) if one.id not in court)
    if not options:
        return ()
    ask = Ask("pick", "eliminated", word("ask", "eliminated"), options, 1, 1, len(options))
    return (Choice({"event": "end_turn"}, word("do", "eliminate"), side, rank=3, asks=(ask,)),)


def _scores_next(state: State) -> Message | None:
    """What the end of the turn brings the side whose pending attack is scored then (NBA-5.1)."""
    side = state.setup.after(state.mover)
    if state.team(side).attack is None:
        return None
    points = sum(one.points for one in score_attack(state, side)[1])
    return said("detail.scores", state, side, n=points)


def _menu(state: State) -> tuple[Choice, ...]:
    """Rulings and giving up (NBA-15.1, NBA-15.2)."""
    found = []
    if state.phase != "tied":
        options = tuple(
            Option(
                {"side": side, "against": other, "points": points}, literal(signed(points)), _whom(state, side, other)
            )
            for side in state.setup.sides
            for other in state.setup.opponents(side)
            for points in RULED
        )
        asks = (
            Ask("text", "text", word("ask", "ruling")),
            Ask("pick", "points", word("ask", "ruling_points"), options, 1, 0, len(options), optional=True),
        )
        found.append(Choice({"event": "ruling"}, word("do", "ruling"), rank=3, asks=asks, menu=True))
    if len(state.teams) == 2:
        found += [
            Choice({"event": "concede", "side": side}, word("do", "concede"), side, rank=3, held=True, menu=True)
            for side in state.setup.sides
        ]
    return tuple(found)


def _whom(state: State, side: str, other: str) -> Message:
    return Message("nba.option.ruling", {"side": state.setup.names[side], "other": state.setup.names[other]})
