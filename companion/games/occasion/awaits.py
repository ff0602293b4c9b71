"""What this game awaits in each phase: whose it is to act, and every choice that is legal or looked for. No dice."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Literal

from companion.games.base import Ask, Awaits, Barred, Choice, Fields, JsonObject, Message, Option
from companion.games.occasion import invention
from companion.games.occasion.attacking import attack_points
from companion.games.occasion.cards import Chance, PlayerCard, Zone
from companion.games.occasion.defending import defence_points, duel_of
from companion.games.occasion.resolving import due_to_reveal
from companion.games.occasion.rulebook import RULEBOOK
from companion.games.occasion.state import DuelSide, State
from companion.games.occasion.tables import (
    ATTACK_STAT,
    CROSS,
    DEFAULT_POSTS,
    DEFENCE_STAT,
    EFFECTS,
    ENERGY,
    KINDS,
    MOST_ENERGY,
    MOST_VISIBLE,
    MOVES,
    SHOWN,
    SIDES,
    STATS,
    WALL,
    Phase,
    Side,
    index_of,
    other,
)
from companion.games.occasion.view import waiting_for
from companion.games.occasion.words import ability, chance_name, player_name, post, posts, said, word
from companion.games.wording import listed, literal, signed


def barred(state: State, fields: Fields) -> Barred | None:
    """Why an event is not legal, or None."""
    reason = RULEBOOK.legal(state, RULEBOOK.parse(fields))
    return None if reason is None else Barred(reason.rule, reason.message)


def player_options(
    state: State, side: Side, fields: Callable[[str], Fields], shown: Callable[[PlayerCard], tuple[Message, int | None]]
) -> tuple[Option, ...]:
    """A side's player cards for an event: those that may be taken first, the strongest before the others.

    `fields` makes the event of a card's id; `shown` gives its line and its points.
    """
    found: list[tuple[bool, int, str, Option]] = []
    for id, card in state.players[index_of(side)].items():
        reason = barred(state, fields(id))
        if reason is not None and id in state.in_play(side):
            continue
        detail, points = shown(card)
        effect = None if points is None or reason is not None else str(points)
        option = Option(id, literal(card.name), detail, effect, barred=reason)
        found.append((reason is not None, -(points or 0), card.name, option))
    return tuple(entry[3] for entry in sorted(found, key=lambda entry: entry[:3]))


def strength(state: State, card: PlayerCard, stat: str, base: int, bonus: int) -> Message:
    """A card's line before it is laid: post, the points that count, position bonus."""
    args = {"post": post(state, card.post), "stat": word("stat", stat), "base": base, "bonus": signed(bonus)}
    return Message("occasion.option.strength", args)


def bare(state: State, card: PlayerCard) -> Message:
    """A card's line where its points do not count: post and abilities."""
    return listed([post(state, card.post), *(ability(name) for name in card.abilities)])


def none_left(options: Sequence[Option], rule: str, free: Sequence[str] = ()) -> Barred | None:
    """Why none of these options can be taken, None if one can.

    Preferably what bars a card of `free`, one that is not used or on the table already.
    """
    if any(option.barred is None for option in options):
        return None
    reasons = [option.barred for option in options if option.barred and option.value in free]
    reasons += [option.barred for option in options if option.barred]
    return reasons[0] if reasons else Barred(rule, word("barred", "no_player"))


# What the attack may do: a chance card, a move, the next zone, the shot (chapters 2, 3, 9 and 10).


def choose_occasion(state: State) -> Awaits:
    """One of the two cards face up, the end of the turn or of the match."""
    cards = [_occasion(state, card) for card in state.shown_to(state.attack)]
    if not cards:
        reason = Barred("OC-2.2", word("barred", "no_chance"))
        event = {"event": "occasion_played"}
        cards = [Choice(event, word("do", "occasion_played"), state.attack, rank=1, barred=reason)]
    over = Choice({"event": "match_ended"}, word("do", "match_ended"), detail=_result(state), rank=3, held=True)
    target = state.setup.goals_to_win
    detail = Message("occasion.detail.target", {"n": target}) if target else None
    return Awaits(
        said("await.choose_occasion", state, state.attack), detail, choices=(*cards, _turn_ended(state), over)
    )


def _occasion(state: State, card: str) -> Choice:
    """A card face up; the zone is asked where the lowest row has several (OC-2.3)."""
    chance = state.occasions[card]
    event = {"event": "occasion_played", "card": card}
    zones = tuple(zone_option(state, chance.zone(id)) for id in chance.starts)
    asks = (Ask("pick", "zone", word("ask", "start"), zones),) if len(zones) > 1 else ()
    detail = zones[0].detail if len(zones) == 1 else Message("occasion.detail.starts", {"n": len(zones)})
    return Choice(event, literal(chance.name), state.attack, detail, rank=1, asks=asks)


def zone_option(state: State, zone: Zone) -> Option:
    """A zone with the posts that bring a bonus there, or the word for a shooting zone."""
    return Option(zone.id, literal(zone.id), zone_detail(state, zone))


def zone_detail(state: State, zone: Zone) -> Message:
    """What awaits the attack in a zone."""
    if zone.shot:
        return word("zone", "shot")
    args = {"attack": posts(state, zone.attack_posts), "defence": posts(state, zone.defence_posts)}
    return Message("occasion.zone.posts", args)


def _turn_ended(state: State) -> Choice:
    return Choice({"event": "turn_ended"}, word("do", "turn_ended"), state.attack, rank=3, held=True)


def _result(state: State) -> Message:
    home, away = state.score
    return Message("occasion.detail.score", {"home": home, "away": away})


def attack_move(state: State) -> Awaits:
    """Pass, dribble or cross, each with the players who can, or the end of the turn."""
    if state.carrier is None:
        moves = [_move(state, move) for move in MOVES]
        title = said("await.attack_move", state, state.attack)
    else:
        moves = [_carrier_move(state, state.carrier, move) for move in MOVES]
        title = said("await.carrier_move", state, state.attack, player=player_name(state, state.carrier, state.attack))
    return Awaits(title, choices=(*moves, _turn_ended(state)))


def _move(state: State, move: str) -> Choice:
    event = {"event": "attack_move", "move": move}

    def shown(card: PlayerCard) -> tuple[Message, int]:
        base, bonus = attack_points(state, card.id, move)
        return strength(state, card, ATTACK_STAT[move], base, bonus), base + bonus

    options = player_options(state, state.attack, lambda id: {**event, "player": id}, shown)
    used = state.used(state.attack)
    reason = none_left(options, "OC-3.1", [str(option.value) for option in options if option.value not in used])
    ask = Ask("pick", "player", word("ask", move), options)
    asks = () if reason else (ask,)
    return Choice(event, word("move", move), state.attack, _cost(move), rank=_rank(move), asks=asks, barred=reason)


def _carrier_move(state: State, player: str, move: str) -> Choice:
    """The carrier is settled, so one tap is enough (OC-3.6)."""
    event = {"event": "attack_move", "player": player, "move": move}
    base, bonus = attack_points(state, player, move)
    card = state.card(state.attack, player)
    detail = strength(state, card, ATTACK_STAT[move], base, bonus) if card else None
    reason = barred(state, event)
    effect = None if reason else str(base + bonus)
    return Choice(event, word("move", move), state.attack, detail, effect, _rank(move), barred=reason)


def _rank(move: str) -> Literal[1, 2]:
    return 1 if move == "pass" else 2


def _cost(move: str) -> Message:
    return Message("occasion.detail.energies", {"n": ENERGY[move]})


def advance(state: State) -> Awaits:
    """The zones that the attack may choose from."""
    chance = state.chance
    choices = (
        tuple(
            Choice({"event": "advance", "zone": zone.id}, literal(zone.id), state.attack, zone_detail(state, zone))
            for zone in (chance.zone(id) for id in state.options)
        )
        if chance
        else ()
    )
    return Awaits(said("await.advance", state, state.attack), choices=choices)


def shot(state: State) -> Awaits:
    """The players shoot by their own rules and say what came of it (OC-10.3)."""
    goal = Choice({"event": "goal_scored"}, word("do", "goal_scored"))
    missed = Choice({"event": "chance_missed"}, word("do", "chance_missed"))
    name = chance_name(state, state.place.card) if state.place else ""
    title = said("await.shot", state, state.attack, chance=name)
    return Awaits(title, word("detail", "shot"), choices=(goal, missed))


# What is awaited in a duel: opposition, supports, abilities, energies, fouls, the verdict (chapters 4 to 9).


def defence(state: State) -> Awaits:
    """The defence opposes a player or lets through."""
    event = {"event": "defence_choice", "choice": "oppose"}
    stat = DEFENCE_STAT[duel_of(state).move]

    def shown(card: PlayerCard) -> tuple[Message, int]:
        base, bonus = defence_points(state, card.id)
        return strength(state, card, stat, base, bonus), base + bonus

    options = player_options(state, state.defence, lambda id: {**event, "player": id}, shown)
    used = state.used(state.defence)
    reason = none_left(options, "OC-4.2", [str(option.value) for option in options if option.value not in used])
    asks = () if reason else (Ask("pick", "player", word("ask", f"oppose_{duel_of(state).move}"), options),)
    oppose = Choice(event, word("do", "oppose"), state.defence, rank=1, asks=asks, barred=reason)
    let_pass = {"event": "defence_choice", "choice": "let_pass"}
    through = Choice(let_pass, word("do", "let_pass"), state.defence, word("detail", "let_pass"))
    title = said("await.defence", state, state.defence, move=word("move", duel_of(state).move))
    return Awaits(title, choices=(oppose, through))


def support(state: State) -> Awaits:
    """The side whose turn it is adds players or none; either side may declare an ability."""
    due = duel_of(state).turn or state.attack
    done = Choice({"event": "support_done", "side": due}, word("do", "support_done"), due, _then(state), rank=1)
    abilities = [choice for side in SIDES for choice in _abilities(state, side)]
    title = said("await.support", state, due)
    return Awaits(title, choices=(done, *_supports(state, due), *abilities))


def _then(state: State) -> Message | None:
    """What follows when this side adds nothing."""
    return word("detail", "then_reveal") if duel_of(state).declined else None


def _supports(state: State, side: Side) -> tuple[Choice, ...]:
    """One card or several at once."""
    event = {"event": "add_support", "side": side}
    options = player_options(state, side, lambda id: {**event, "players": [id]}, lambda card: (bare(state, card), None))
    label = word("do", "add_support")
    reason = none_left(options, "OC-5.3")
    if reason is not None:
        return (Choice(event, label, side, barred=reason),)
    free = sum(option.barred is None for option in options)
    ask = Ask("pick", "players", word("ask", "support"), options, least=1, most=free)
    return (Choice(event, label, side, word("detail", "support"), asks=(ask,)),)


def _abilities(state: State, side: Side) -> tuple[Choice, ...]:
    """Each printed ability of a side's cards in the duel, with the points that it brings (chapter 6)."""
    found = []
    for id in state.in_play(side):
        card = state.card(side, id)
        for name in card.free_abilities if card else ():
            event = {"event": "ability_used", "side": side, "player": id, "ability": name}
            title = Message("occasion.ask.points", {"ability": name})
            ask = Ask("count", "points", title, least=-MOST_ENERGY, most=MOST_ENERGY, suggested=1)
            label = Message("occasion.do.ability_used", {"ability": name})
            detail = literal(player_name(state, id, side))
            found.append(Choice(event, label, side, detail, rank=3, asks=(ask,)))
    return tuple(found)


def reveal(state: State) -> Awaits:
    """The energy that is due, by the card it lies at; from the first one on a foul may be called."""
    due = due_to_reveal(state) or state.attack
    own = state.duellist(due)
    player = "" if own is None else player_name(state, _next_card(own), due)
    doubled = state.bonus_x2 and due == state.attack and own is not None and not own.energy
    ask = Ask("value", "value", Message("occasion.ask.energy", {"player": player}), most=MOST_ENERGY)
    detail = word("detail", "doubled") if doubled else None
    event = {"event": "reveal", "side": due}
    choice = Choice(event, word("do", "reveal"), due, detail or literal(player), rank=1, asks=(ask,))
    title = Message("occasion.await.reveal", {"player": player})
    return Awaits(title, detail, choices=(choice, foul(state)))


def _next_card(own: DuelSide) -> str:
    """The card whose energy is turned up next."""
    return own.cards[min(len(own.energy), len(own.cards) - 1)]


@dataclass(frozen=True, slots=True)
class Fouling:
    """The `data` of the ask for the player who fouled: who it may be depends on the side that was named before."""

    by_side: Mapping[Side, tuple[Option, ...]]

    def after(self, answers: Fields) -> Ask:
        """The ask with the players of the fouling side."""
        options = self.by_side[answers["side"]]
        return Ask("pick", "player", word("ask", "fouling"), options, optional=True, data=self)


def foul(state: State) -> Choice:
    """A foul of either side, with its effect, the card shown and the player if the players say so (chapter 8)."""
    event = {"event": "foul_called"}
    reason = barred(state, {**event, "side": state.defence, "effect": "none"})
    sides = tuple(Option(side, literal(state.setup.name(side))) for side in SIDES)
    effects = tuple(Option(effect, _effect(state, effect)) for effect in EFFECTS)
    cards = tuple(Option(card, word("card", card)) for card in SHOWN)
    players = {
        side: tuple(Option(id, literal(player_name(state, id, side))) for id in state.in_play(side)) for side in SIDES
    }
    asks = (
        Ask("pick", "side", word("ask", "foul_side"), sides, suggested=state.defence),
        Ask("pick", "effect", word("ask", "effect"), effects),
        Ask("pick", "card", word("ask", "card"), cards, optional=True),
        Ask("pick", "player", word("ask", "fouling"), optional=True, data=Fouling(players)),
    )
    return Choice(event, word("do", "foul_called"), rank=3, asks=() if reason else asks, barred=reason)


def _effect(state: State, effect: str) -> Message:
    return Message(
        f"occasion.effect.{effect}",
        {
            "attack": state.setup.name(state.attack),
            "defence": state.setup.name(other(state.attack)),
        },
    )


def verdict(state: State) -> Awaits:
    """The players confirm who wins, or call a foul."""
    margin = duel_of(state).margin or 0
    winner = state.attack if margin > 0 else state.defence
    resolve = Choice({"event": "resolve"}, word("do", "resolve"), rank=1)
    return Awaits(said("await.verdict", state, winner), choices=(resolve, foul(state)))


# A new card as a form: what is asked field by field, the card that the answers make, the field a refusal is about.

MOST_POINTS = 20
"""Points that the form counts up to: the rules know no limit, cards that are printed do."""
MOST_ROWS = 9


@dataclass(frozen=True, slots=True)
class CardForm:
    """The `data` of an ask that a whole new card answers: `id` and `card` become fields of `define_card` (OC-1.6).

    `fields` are the asks of the card itself; a card with `parts` (the zones of a chance) has those of `part_fields`
    for each of them.
    """

    kind: str
    posts: tuple[str, ...]
    taken: frozenset[str]
    fields: tuple[Ask, ...]
    parts: bool = False

    def part_fields(self, parts: Sequence[Fields], at: int) -> tuple[Ask, ...]:
        """The asks of one zone; where it leads depends on the other zones."""
        others = [str(part["id"]) for place, part in enumerate(parts) if place != at and part.get("id")]
        row = max((int(part.get("row", 0)) for part in parts[:at]), default=0) + 1
        posts = tuple(Option(id, post_word(id)) for id in self.posts)
        ways = tuple(Option(id, literal(id)) for id in others)
        kinds = tuple(Option(shot, _zone("shot" if shot else "played")) for shot in (False, True))
        return (
            Ask("text", "id", _zone("id")),
            Ask("count", "row", _zone("row"), least=1, most=MOST_ROWS, suggested=min(row, MOST_ROWS)),
            Ask("pick", "shot", _zone("kind"), kinds, suggested=False),
            Ask("pick", "attack_posts", _zone("attack_posts"), posts, least=0, most=len(posts), suggested=[]),
            Ask("pick", "defence_posts", _zone("defence_posts"), posts, least=0, most=len(posts), optional=True),
            Ask("pick", "next", _zone("next"), ways, least=0, most=len(ways), optional=True),
        )

    def fields_of(self, answers: Fields, parts: Sequence[Fields]) -> JsonObject:
        """`id` and `card` as the event wants them."""
        card = {ask.field: answers[ask.field] for ask in self.fields if ask.field in answers}
        id = card.pop("id", "")
        other = card.pop("ability", None)
        if other is not None:
            card["abilities"] = [*card.get("abilities", []), other]
        if self.parts:
            card["zones"] = [dict(part) for part in parts]
        return {"id": id, "card": card}

    def answers_of(self, fields: Fields) -> tuple[JsonObject, list[JsonObject]]:
        """The answers and the zones that `fields_of` makes these fields of."""
        card = dict(fields["card"])
        zones = [dict(zone) for zone in card.pop("zones", ())]
        asks = {ask.field: ask for ask in self.fields}
        if "ability" in asks:
            offered = {option.value for option in asks["abilities"].options}
            named = list(card.get("abilities", ()))
            card["abilities"] = [name for name in named if name in offered]
            for name in named:
                if name not in offered:
                    card["ability"] = name
        return {"id": fields["id"], **card}, zones

    def invent(self, random: Random) -> JsonObject | None:
        """`id` and `card` of an invented card, its id a number that no card has; None for a player without a post."""
        if not self.parts and not self.posts:
            return None
        made = invention.occasion if self.parts else invention.player
        return {"id": str(_free(self.taken)), "card": made(random, self.posts)}

    def part_title(self, part: Fields) -> Message:
        """A zone on one line: its name, its row, what it is."""
        kind = _zone("shot" if part.get("shot") else "played")
        name = part.get("id") or "?"
        return Message("occasion.form.zone.title", {"zone": name, "row": part.get("row", 1), "kind": kind})

    def says(self, fault: Message) -> Message:
        """A refusal as it is said beside its field: without naming the card again."""
        reason = fault.args.get("reason")
        if not isinstance(reason, Message):
            return fault
        return _form("missing") if reason.id.endswith(".missing") else reason

    def about(self, fault: Message) -> tuple[str, str]:
        """The field that a refusal is about, and the zone if it is about one; both empty for the whole card."""
        if fault.id == "occasion.refusal.OC-1.6.taken":
            return "id", ""
        reason = fault.args.get("reason")
        if not isinstance(reason, Message):
            return "", ""
        case = reason.id.rpartition(".")[2]
        if case == "post" and not self.parts:
            return "post", ""
        key = {"repeated_zone": "id", "unknown_next": "next", "dead_end": "next"}.get(case, "")
        return str(reason.args.get("key", key)), str(reason.args.get("zone", ""))


def card_form(state: State, kind: str, side: Side | None) -> CardForm:
    """The form of a player of a side, or of a chance card (no side)."""
    known: Mapping[str, PlayerCard] | Mapping[str, Chance]
    known = state.occasions if side is None else state.players[index_of(side)]
    posts = tuple(state.setup.posts)
    named = (Ask("text", "id", _form("id"), suggested=_free(known)), Ask("text", "name", _form("name"), optional=True))
    if side is None:
        return CardForm(kind, posts, frozenset(known), named, parts=True)
    printed = dict.fromkeys(name for card in state.players[index_of(side)].values() for name in card.abilities)
    abilities = tuple(Option(name, ability(name)) for name in dict.fromkeys((CROSS, WALL, *printed)))
    fields = (
        *named,
        Ask("pick", "post", _form("post"), tuple(Option(id, post(state, id)) for id in posts)),
        *(Ask("count", stat, word("stat", stat), most=MOST_POINTS, suggested=0) for stat in STATS),
        Ask("pick", "abilities", _form("abilities"), abilities, least=0, most=len(abilities), suggested=[]),
        Ask("text", "ability", _form("ability"), optional=True),
    )
    return CardForm(kind, posts, frozenset(known), fields)


def post_word(id: str) -> Message:
    """A post where no match is at hand to say whether it is one of the usual ones."""
    return word("post", id) if id in DEFAULT_POSTS else literal(id)


def _free(known: Collection[str]) -> str:
    """The first number that is no card's id."""
    return next(str(number) for number in range(1, len(known) + 2) if str(number) not in known)


def _form(what: str) -> Message:
    return Message(f"occasion.form.{what}")


def _zone(what: str) -> Message:
    return Message(f"occasion.form.zone.{what}")


# What may be declared in any phase: a new chance card, used cards taken back, a new card, a ruling, giving up.

OUTSIDE_DUEL = ("choose_occasion", "attack_move")
"""Phases in which the players sort their cards; elsewhere these choices stand in the menu."""


def declarations(state: State) -> tuple[Choice, ...]:
    """Everything that is legal in any phase but `over`."""
    found: list[Choice] = []
    for side in SIDES:
        found += (*_shown(state, side), *_recovered(state, side))
    found.append(_ruling(state))
    found += [_define(state, kind, side) for kind in KINDS for side in (SIDES if kind == "player" else (None,))]
    return (*found, *_concede())


def _shown(state: State, side: Side) -> tuple[Choice, ...]:
    """A chance card laid face up; barred while two lie there, gone where no card is left to lay."""
    menu = state.phase != "choose_occasion"
    event = {"event": "occasion_shown", "side": side}
    label = word("do", "occasion_shown")
    free = [card for card in state.occasions if card not in state.shown_to(side)]
    if not free:
        return ()
    if len(state.shown_to(side)) >= MOST_VISIBLE:
        reason = barred(state, {**event, "card": free[0]})
        return () if menu else (Choice(event, label, side, rank=3, barred=reason),)
    options = tuple(Option(card, literal(chance_name(state, card))) for card in free)
    ask = Ask("pick", "card", word("ask", "occasion_shown"), options)
    return (Choice(event, label, side, rank=2, asks=(ask,), menu=menu),)


def _recovered(state: State, side: Side) -> tuple[Choice, ...]:
    """All used cards at once, one player, or some energies (OC-10.4)."""
    players, energy = state.used(side), state.energy_used[index_of(side)]
    event = {"event": "cards_recovered", "side": side}
    menu = state.phase not in OUTSIDE_DUEL
    found = []
    if players or energy:
        everything = {**event, "players": list(players), "energy": energy}
        detail = Message("occasion.detail.used", {"players": len(players), "energy": energy})
        found.append(Choice(everything, word("do", "recover_all"), side, detail, rank=3, menu=menu))
    if players:
        options = tuple(Option(id, literal(player_name(state, id, side))) for id in players)
        ask = Ask("pick", "players", word("ask", "recover_player"), options, least=1, most=len(options))
        found.append(Choice(event, word("do", "recover_player"), side, rank=3, asks=(ask,), menu=menu))
    if energy:
        ask = Ask("count", "energy", word("ask", "recover_energy"), least=1, most=energy)
        found.append(Choice(event, word("do", "recover_energy"), side, rank=3, asks=(ask,), menu=menu))
    return tuple(found)


def _ruling(state: State) -> Choice:
    """Anything else: its text, a goal more or less, who attacks next (OC-11.1)."""
    asks = (
        Ask("text", "text", word("ask", "ruling")),
        Ask("pick", "goals", word("ask", "goals"), _goals(state), optional=True),
        Ask("pick", "next_attack", word("ask", "next_attack"), _next(state), optional=True),
    )
    return Choice({"event": "ruling"}, word("do", "ruling"), rank=3, asks=asks, menu=True)


def _goals(state: State) -> tuple[Option, ...]:
    found = []
    for more in (1, -1):
        for side in SIDES:
            goals = {side: more}
            reason: Barred | None = barred(state, {"event": "ruling", "text": "?", "goals": goals})
            label = said("option.goal_more" if more > 0 else "option.goal_less", state, side)
            found.append(Option(goals, label, barred=reason))
    return tuple(found)


def _next(state: State) -> tuple[Option, ...]:
    return tuple(Option(side, literal(state.setup.name(side))) for side in SIDES)


def _define(state: State, kind: str, side: Side | None) -> Choice:
    """A new card, written by the players; while there is none of its kind it is what comes first."""
    event = {"event": "define_card", "kind": kind}
    if side is not None:
        event["side"] = side
    form = card_form(state, kind, side)
    first = not form.taken and (state.phase in ("attack_move", "defence") if side else state.phase == "choose_occasion")
    rank: Literal[1, 3] = 1 if first and side in (None, *waiting_for(state)) else 3
    ask = Ask("lineup", "card", word("ask", f"define_{kind}"), data=form)
    return Choice(event, word("do", f"define_{kind}"), side, rank=rank, asks=(ask,), menu=rank == 3)


def _concede() -> tuple[Choice, ...]:
    return tuple(
        Choice({"event": "concede", "side": side}, word("do", "concede"), side, rank=3, held=True, menu=True)
        for side in SIDES
    )


_PHASES: Mapping[Phase, Callable[[State], Awaits]] = {
    "choose_occasion": choose_occasion,
    "attack_move": attack_move,
    "defence": defence,
    "support": support,
    "reveal": reveal,
    "verdict": verdict,
    "advance": advance,
    "shot": shot,
}


def awaits(state: State) -> Awaits:
    """A match that is over awaits nothing."""
    if state.phase == "over":
        return Awaits(word("await", "over"))
    made = _PHASES[state.phase](state)
    choices = sorted((*made.choices, *declarations(state)), key=lambda choice: (choice.barred is not None, choice.rank))
    return replace(made, sides=waiting_for(state), choices=tuple(choices))
