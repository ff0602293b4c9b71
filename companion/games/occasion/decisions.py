"""What this game expects in each phase: the sides to act, and the legal and barred choices. It has no dice."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Literal

from companion.games.base import (
    Choice,
    Decision,
    DisabledReason,
    Fields,
    JsonObject,
    Message,
    Option,
    Prompt,
    surrender_choices,
)
from companion.games.occasion import match_generator
from companion.games.occasion.attacking import attack_points
from companion.games.occasion.cards import Chance, PlayerCard, Zone, default_post_message
from companion.games.occasion.defending import current_duel, defence_points
from companion.games.occasion.duel_resolution import side_to_reveal
from companion.games.occasion.messages import (
    ability_message,
    chance_name,
    player_name,
    post_message,
    posts_message,
    side_message,
    word,
)
from companion.games.occasion.rulebook import RULEBOOK
from companion.games.occasion.state import DuelSide, State
from companion.games.occasion.tables import (
    ATTACK_STAT,
    CARD_KINDS,
    CROSS,
    DEFENCE_STAT,
    ENERGY_COST,
    FOUL_CARDS,
    FOUL_EFFECTS,
    MAX_ENERGY,
    MAX_VISIBLE_CHANCES,
    MOVES,
    SIDES,
    STATS,
    WALL,
    Phase,
    Side,
    opponent,
    side_index,
)
from companion.games.occasion.view import waiting_for
from companion.games.wording import MATCH_OVER, comma_separated, literal, reason_prompt, signed


def disabled_reason(state: State, fields: Fields) -> DisabledReason | None:
    """Return why an event is not legal, or None."""
    reason = RULEBOOK.refusal_for(state, RULEBOOK.parse(fields))
    return None if reason is None else DisabledReason(reason.rule, reason.message)


def player_options(
    state: State,
    side: Side,
    fields: Callable[[str], Fields],
    describe_card: Callable[[PlayerCard], tuple[Message, int | None]],
) -> tuple[Option, ...]:
    """Return a side's player cards for an event: the playable ones first, each group sorted by strength.

    `fields` makes the event for a card's id; `describe_card` returns its line and its points.
    """
    found: list[tuple[bool, int, str, Option]] = []
    for id, card in state.players[side_index(side)].items():
        reason = disabled_reason(state, fields(id))
        if reason is not None and id in state.in_play(side):
            continue
        detail, points = describe_card(card)
        effect = None if points is None or reason is not None else str(points)
        option = Option(id, literal(card.name), detail, effect, disabled_reason=reason)
        found.append((reason is not None, -(points or 0), card.name, option))
    return tuple(entry[3] for entry in sorted(found, key=lambda entry: entry[:3]))


def strength_line(state: State, card: PlayerCard, stat: str, base: int, bonus: int) -> Message:
    """Return a card's line before it is laid: post, the points that count, position bonus."""
    args = {"post": post_message(state, card.post), "stat": word("stat", stat), "base": base, "bonus": signed(bonus)}
    return Message("occasion.option.strength", args)


def post_and_abilities(state: State, card: PlayerCard) -> Message:
    """Return a card's line when its points do not count: post and abilities."""
    return comma_separated([post_message(state, card.post), *(ability_message(name) for name in card.abilities)])


def no_option_reason(options: Sequence[Option], rule: str, free: Sequence[str] = ()) -> DisabledReason | None:
    """Return why none of these options can be taken, or None if one can.

    Prefers the reason of a card in `free`: one that is neither used nor already on the table.
    """
    if any(option.disabled_reason is None for option in options):
        return None
    reasons = [option.disabled_reason for option in options if option.disabled_reason and option.value in free]
    reasons += [option.disabled_reason for option in options if option.disabled_reason]
    return reasons[0] if reasons else DisabledReason(rule, word("barred", "no_player"))


# Options of the attack: a chance card, a move, the next zone, the shot (chapters 2, 3, 9 and 10).


def choose_chance_decision(state: State) -> Decision:
    """Return the prompt for one of the two open cards, the end of the turn or of the match."""
    cards = [_chance_choice(state, card) for card in state.visible_to(state.attack)]
    if not cards:
        reason = DisabledReason("OC-2.2", word("barred", "no_chance"))
        event = {"event": "occasion_played"}
        cards = [Choice(event, word("do", "occasion_played"), state.attack, prominence=1, disabled_reason=reason)]
    over = Choice(
        {"event": "match_ended"},
        word("do", "match_ended"),
        detail=_result(state),
        prominence=3,
        needs_long_press=True,
        menu=not any(state.score),  # before the first goal it would be the one button in the middle
    )
    target = state.setup.goals_to_win
    detail = Message("occasion.detail.target", {"n": target}) if target else None
    awaited = "choose_occasion" if state.visible_to(state.attack) else "place_occasion"
    return Decision(
        side_message(f"await.{awaited}", state, state.attack), detail, choices=(*cards, _turn_ended(state), over)
    )


def _chance_choice(state: State, card: str) -> Choice:
    """Return the choice of an open card; the zone is asked if the lowest row has several (OC-2.3)."""
    chance = state.occasions[card]
    event = {"event": "occasion_played", "card": card}
    zones = tuple(zone_option(state, chance.zone(id)) for id in chance.starts)
    prompts = (Prompt("pick", "zone", word("ask", "start"), zones),) if len(zones) > 1 else ()
    detail = zones[0].detail if len(zones) == 1 else Message("occasion.detail.starts", {"n": len(zones)})
    return Choice(event, literal(chance.name), state.attack, detail, prominence=1, prompts=prompts)


def zone_option(state: State, zone: Zone) -> Option:
    """Return a zone with the posts that get a bonus there, or marked as a shooting zone."""
    return Option(zone.id, literal(zone.id), zone_detail(state, zone))


def zone_detail(state: State, zone: Zone) -> Message:
    """Return what the attack finds in a zone."""
    if zone.shot:
        return word("zone", "shot")
    args = {"attack": posts_message(state, zone.attack_posts), "defence": posts_message(state, zone.defence_posts)}
    return Message("occasion.zone.posts", args)


def _turn_ended(state: State) -> Choice:
    return Choice({"event": "turn_ended"}, word("do", "turn_ended"), state.attack, prominence=3, needs_long_press=True)


def _result(state: State) -> Message:
    home, away = state.score
    return Message("occasion.detail.score", {"home": home, "away": away})


def attack_move_decision(state: State) -> Decision:
    """Return the prompt for a pass, dribble or cross, each with the players who can, or the end of the turn."""
    if state.carrier is None:
        moves = [_move_choice(state, move) for move in MOVES]
        title = side_message("await.attack_move", state, state.attack)
    else:
        moves = [_carrier_move_choice(state, state.carrier, move) for move in MOVES]
        title = side_message(
            "await.carrier_move", state, state.attack, player=player_name(state, state.carrier, state.attack)
        )
    return Decision(title, choices=(*moves, _turn_ended(state)))


def _move_choice(state: State, move: str) -> Choice:
    event = {"event": "attack_move", "move": move}

    def describe_card(card: PlayerCard) -> tuple[Message, int]:
        base, bonus = attack_points(state, card.id, move)
        return strength_line(state, card, ATTACK_STAT[move], base, bonus), base + bonus

    options = player_options(state, state.attack, lambda id: {**event, "player": id}, describe_card)
    used = state.used(state.attack)
    reason = no_option_reason(options, "OC-3.1", [str(option.value) for option in options if option.value not in used])
    ask = Prompt("pick", "player", word("ask", move), options)
    prompts = () if reason else (ask,)
    return Choice(
        event,
        word("move", move),
        state.attack,
        _cost(move),
        prominence=_prominence(move),
        prompts=prompts,
        disabled_reason=reason,
    )


def _carrier_move_choice(state: State, player: str, move: str) -> Choice:
    """Return the carrier's move; the carrier is fixed, so one tap is enough (OC-3.6)."""
    event = {"event": "attack_move", "player": player, "move": move}
    base, bonus = attack_points(state, player, move)
    card = state.card(state.attack, player)
    detail = strength_line(state, card, ATTACK_STAT[move], base, bonus) if card else None
    reason = disabled_reason(state, event)
    effect = None if reason else str(base + bonus)
    return Choice(event, word("move", move), state.attack, detail, effect, _prominence(move), disabled_reason=reason)


def _prominence(move: str) -> Literal[1, 2]:
    return 1 if move == "pass" else 2


def _cost(move: str) -> Message:
    return Message("occasion.detail.energies", {"n": ENERGY_COST[move]})


def advance_decision(state: State) -> Decision:
    """Return the prompt for one of the zones that the attack may choose."""
    chance = state.chance
    choices = (
        tuple(
            Choice({"event": "advance", "zone": zone.id}, literal(zone.id), state.attack, zone_detail(state, zone))
            for zone in (chance.zone(id) for id in state.options)
        )
        if chance
        else ()
    )
    return Decision(side_message("await.advance", state, state.attack), choices=choices)


def shot_decision(state: State) -> Decision:
    """Return the prompt for the result of a shot, which the players take by their own rules (OC-10.3)."""
    goal = Choice({"event": "goal_scored"}, word("do", "goal_scored"))
    missed = Choice({"event": "chance_missed"}, word("do", "chance_missed"))
    name = chance_name(state, state.place.card) if state.place else ""
    title = side_message("await.shot", state, state.attack, chance=name)
    return Decision(title, word("detail", "shot"), choices=(goal, missed))


# A duel: opposition, supports, abilities, energies, fouls, the verdict (chapters 4 to 9).


def defence_decision(state: State) -> Decision:
    """Return the prompt for the defence to oppose a player or to let through."""
    event = {"event": "defence_choice", "choice": "oppose"}
    stat = DEFENCE_STAT[current_duel(state).move]

    def describe_card(card: PlayerCard) -> tuple[Message, int]:
        base, bonus = defence_points(state, card.id)
        return strength_line(state, card, stat, base, bonus), base + bonus

    options = player_options(state, state.defence, lambda id: {**event, "player": id}, describe_card)
    used = state.used(state.defence)
    reason = no_option_reason(options, "OC-4.2", [str(option.value) for option in options if option.value not in used])
    prompts = () if reason else (Prompt("pick", "player", word("ask", f"oppose_{current_duel(state).move}"), options),)
    oppose = Choice(event, word("do", "oppose"), state.defence, prominence=1, prompts=prompts, disabled_reason=reason)
    let_pass = {"event": "defence_choice", "choice": "let_pass"}
    follows = "let_cross" if current_duel(state).move == "cross" else "let_pass"
    through = Choice(let_pass, word("do", "let_pass"), state.defence, word("detail", follows))
    title = side_message("await.defence", state, state.defence, move=word("move", current_duel(state).move))
    return Decision(title, choices=(oppose, through))


def support_decision(state: State) -> Decision:
    """Return the prompt for the side whose turn it is to add players or none.

    Either side may declare an ability.
    """
    due = current_duel(state).turn or state.attack
    done = Choice(
        {"event": "support_done", "side": due},
        word("do", "support_done"),
        due,
        _end_of_support_detail(state),
        prominence=1,
    )
    abilities = [choice for side in SIDES for choice in _ability_choices(state, side)]
    title = side_message("await.support", state, due)
    return Decision(title, choices=(done, *_support_choices(state, due), *abilities))


def _end_of_support_detail(state: State) -> Message | None:
    """Return what follows if this side adds nothing."""
    return word("detail", "then_reveal") if current_duel(state).declined else None


def _support_choices(state: State, side: Side) -> tuple[Choice, ...]:
    """Return the choice of one card or several at once."""
    event = {"event": "add_support", "side": side}
    options = player_options(
        state, side, lambda id: {**event, "players": [id]}, lambda card: (post_and_abilities(state, card), None)
    )
    label = word("do", "add_support")
    reason = no_option_reason(options, "OC-5.3")
    if reason is not None:
        return (Choice(event, label, side, disabled_reason=reason),)
    free = sum(option.disabled_reason is None for option in options)
    ask = Prompt("pick", "players", word("ask", "support"), options, minimum=1, maximum=free)
    return (Choice(event, label, side, word("detail", "support"), prompts=(ask,)),)


def _ability_choices(state: State, side: Side) -> tuple[Choice, ...]:
    """Return each printed ability of a side's cards in the duel, with its points (chapter 6)."""
    found = []
    for id in state.in_play(side):
        card = state.card(side, id)
        for name in card.free_abilities if card else ():
            event = {"event": "ability_used", "side": side, "player": id, "ability": name}
            title = Message("occasion.ask.points", {"ability": name})
            ask = Prompt("count", "points", title, minimum=-MAX_ENERGY, maximum=MAX_ENERGY, suggested=1)
            label = Message("occasion.do.ability_used", {"ability": name})
            detail = literal(player_name(state, id, side))
            found.append(Choice(event, label, side, detail, prominence=3, prompts=(ask,)))
    return tuple(found)


def reveal_decision(state: State) -> Decision:
    """Return the prompt for the next energy, by the card it belongs to; from the first one on, a foul may be called."""
    due = side_to_reveal(state) or state.attack
    own = state.duellist(due)
    player = "" if own is None else player_name(state, _next_energy_card(own), due)
    doubled = state.bonus_x2 and due == state.attack and own is not None and not own.energy
    ask = Prompt("value", "value", Message("occasion.ask.energy", {"player": player}), maximum=MAX_ENERGY)
    detail = word("detail", "doubled") if doubled else None
    event = {"event": "reveal", "side": due}
    choice = Choice(event, word("do", "reveal"), due, detail or literal(player), prominence=1, prompts=(ask,))
    title = Message("occasion.await.reveal", {"player": player})
    return Decision(title, detail, choices=(choice, foul_choice(state)))


def _next_energy_card(own: DuelSide) -> str:
    """Return the card whose energy is revealed next."""
    return own.cards[min(len(own.energy), len(own.cards) - 1)]


@dataclass(frozen=True, slots=True)
class FoulingPlayerPrompt:
    """The `data` of the prompt for the player who fouled: the options depend on the side named before."""

    by_side: Mapping[Side, tuple[Option, ...]]

    def with_answers(self, answers: Fields) -> Prompt:
        """Return the prompt with the players of the fouling side."""
        options = self.by_side[answers["side"]]
        no_player = word("option", "no_player")
        return Prompt("pick", "player", word("ask", "fouling"), options, optional=True, data=self, skip_label=no_player)


def foul_choice(state: State) -> Choice:
    """Return a foul of either side with its effect; optionally the card shown and the player (chapter 8)."""
    event = {"event": "foul_called"}
    reason = disabled_reason(state, {**event, "side": state.defence, "effect": "none"})
    sides = tuple(Option(side, literal(state.setup.name(side))) for side in SIDES)
    effects = tuple(Option(effect, _effect_message(state, effect)) for effect in FOUL_EFFECTS)
    cards = tuple(Option(card, word("option", card)) for card in FOUL_CARDS)
    players = {
        side: tuple(Option(id, literal(player_name(state, id, side))) for id in state.in_play(side)) for side in SIDES
    }
    prompts = (
        Prompt("pick", "side", word("ask", "foul_side"), sides, suggested=state.defence),
        Prompt("pick", "effect", word("ask", "effect"), effects),
        Prompt("pick", "card", word("ask", "card"), cards, optional=True, skip_label=word("option", "no_card")),
        Prompt(
            "pick",
            "player",
            word("ask", "fouling"),
            optional=True,
            data=FoulingPlayerPrompt(players),
            skip_label=word("option", "no_player"),
        ),
    )
    return Choice(
        event, word("do", "foul_called"), prominence=3, prompts=() if reason else prompts, disabled_reason=reason
    )


def _effect_message(state: State, effect: str) -> Message:
    return Message(
        f"occasion.effect.{effect}",
        {
            "attack": state.setup.name(state.attack),
            "defence": state.setup.name(opponent(state.attack)),
        },
    )


def verdict_decision(state: State) -> Decision:
    """Return the prompt for the players to confirm the winner or to call a foul."""
    margin = current_duel(state).margin or 0
    winner = state.attack if margin > 0 else state.defence
    resolve = Choice({"event": "resolve"}, word("do", "resolve"), prominence=1)
    return Decision(side_message("await.verdict", state, winner), choices=(resolve, foul_choice(state)))


# The form of a new card: the fields, the resulting card, and the field that a refusal concerns.

MAX_FORM_POINTS = 20
"""The maximum points that the form offers: the rules set no limit, printed cards do."""
MAX_FORM_ROWS = 9


@dataclass(frozen=True, slots=True)
class CardForm:
    """The `data` of an ask answered by a new card: `id` and `card` become fields of `define_card` (OC-1.6).

    `fields` are the asks of the card itself; a card with `parts` (the zones of a chance) has those of `part_fields`
    for each part.
    """

    kind: str
    posts: tuple[str, ...]
    used_ids: frozenset[str]
    fields: tuple[Prompt, ...]
    parts: bool = False

    def part_fields(self, parts: Sequence[Fields], at: int) -> tuple[Prompt, ...]:
        """Return the prompts of one zone; the zones it may lead to depend on the other zones."""
        others = [str(part["id"]) for place, part in enumerate(parts) if place != at and part.get("id")]
        row = max((int(part.get("row", 0)) for part in parts[:at]), default=0) + 1
        posts = tuple(Option(id, default_post_message(id)) for id in self.posts)
        ways = tuple(Option(id, literal(id)) for id in others)
        kinds = tuple(Option(shot, _zone_message("shot" if shot else "played")) for shot in (False, True))
        return (
            Prompt("text", "id", _zone_message("id")),
            Prompt(
                "count",
                "row",
                _zone_message("row"),
                minimum=1,
                maximum=MAX_FORM_ROWS,
                suggested=min(row, MAX_FORM_ROWS),
            ),
            Prompt("pick", "shot", _zone_message("kind"), kinds, suggested=False),
            Prompt(
                "pick",
                "attack_posts",
                _zone_message("attack_posts"),
                posts,
                minimum=0,
                maximum=len(posts),
                suggested=[],
            ),
            Prompt(
                "pick",
                "defence_posts",
                _zone_message("defence_posts"),
                posts,
                minimum=0,
                maximum=len(posts),
                optional=True,
            ),
            Prompt("pick", "next", _zone_message("next"), ways, minimum=0, maximum=len(ways), optional=True),
        )

    def fields_of(self, answers: Fields, parts: Sequence[Fields]) -> JsonObject:
        """Return `id` and `card` as the event needs them."""
        card = {ask.field: answers[ask.field] for ask in self.fields if ask.field in answers}
        id = card.pop("id", "")
        other = card.pop("ability", None)
        if other is not None:
            card["abilities"] = [*card.get("abilities", []), other]
        if self.parts:
            card["zones"] = [dict(part) for part in parts]
        return {"id": id, "card": card}

    def answers_of(self, fields: Fields) -> tuple[JsonObject, list[JsonObject]]:
        """Return the answers and zones from which `fields_of` makes these fields."""
        card = dict(fields["card"])
        zones = [dict(zone) for zone in card.pop("zones", ())]
        prompts = {ask.field: ask for ask in self.fields}
        if "ability" in prompts:
            offered = {option.value for option in prompts["abilities"].options}
            named = list(card.get("abilities", ()))
            card["abilities"] = [name for name in named if name in offered]
            for name in named:
                if name not in offered:
                    card["ability"] = name
        return {"id": fields["id"], **card}, zones

    def random_answer(self, random: Random) -> JsonObject | None:
        """Return `id` and `card` of a random card, its id an unused number; None for a player if the match has no
        posts.
        """
        if not self.parts and not self.posts:
            return None
        made = match_generator.random_chance_card if self.parts else match_generator.random_player_card
        return {"id": str(_free_id(self.used_ids)), "card": made(random, self.posts)}

    def part_title(self, part: Fields) -> Message:
        """Return a zone on one line: its name, its row, its kind."""
        kind = _zone_message("shot" if part.get("shot") else "played")
        name = part.get("id") or "?"
        return Message("occasion.form.zone.title", {"zone": name, "row": part.get("row", 1), "kind": kind})

    def fault_message(self, fault: Message) -> Message:
        """Return a refusal as shown beside its field, without the card's name."""
        reason = fault.args.get("reason")
        if not isinstance(reason, Message):
            return fault
        return _form_message("missing") if reason.id.endswith(".missing") else reason

    def fault_location(self, fault: Message) -> tuple[str, str]:
        """Return the field that a refusal concerns, and the zone if it concerns one; both empty for the whole card."""
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
    """Return the form of a player of a side, or of a chance card (no side)."""
    known: Mapping[str, PlayerCard] | Mapping[str, Chance]
    known = state.occasions if side is None else state.players[side_index(side)]
    posts = tuple(state.setup.posts)
    named = (
        Prompt("text", "id", _form_message("id"), suggested=_free_id(known)),
        Prompt("text", "name", _form_message("name"), optional=True),
    )
    if side is None:
        return CardForm(kind, posts, frozenset(known), named, parts=True)
    printed = dict.fromkeys(name for card in state.players[side_index(side)].values() for name in card.abilities)
    abilities = tuple(Option(name, ability_message(name)) for name in dict.fromkeys((CROSS, WALL, *printed)))
    fields = (
        *named,
        Prompt("pick", "post", _form_message("post"), tuple(Option(id, post_message(state, id)) for id in posts)),
        *(Prompt("count", stat, word("stat", stat), maximum=MAX_FORM_POINTS, suggested=0) for stat in STATS),
        Prompt(
            "pick", "abilities", _form_message("abilities"), abilities, minimum=0, maximum=len(abilities), suggested=[]
        ),
        Prompt("text", "ability", _form_message("ability"), optional=True),
    )
    return CardForm(kind, posts, frozenset(known), fields)


def _free_id(known: Collection[str]) -> str:
    """Return the first number that is not used as a card's id."""
    return next(str(number) for number in range(1, len(known) + 2) if str(number) not in known)


def _form_message(what: str) -> Message:
    return Message(f"occasion.form.{what}")


def _zone_message(what: str) -> Message:
    return Message(f"occasion.form.zone.{what}")


# Declarations in any phase: a new chance card, recovered cards, a new card, a ruling, a concession.


def anytime_choices(state: State) -> tuple[Choice, ...]:
    """Return everything that is legal in any phase but `over`."""
    found: list[Choice] = []
    for side in SIDES:
        found += (*_show_chance_choices(state, side), *_recover_choices(state, side))
    found.append(_ruling_choice(state))
    found += [
        _define_card_choice(state, kind, side)
        for kind in CARD_KINDS
        for side in (SIDES if kind == "player" else (None,))
    ]
    return (*found, *surrender_choices("concede", word("do", "concede"), SIDES))


def _show_chance_choices(state: State, side: Side) -> tuple[Choice, ...]:
    """Return the choice to reveal a chance card; barred while two are open, empty if no card is left."""
    menu = state.phase != "choose_occasion"
    event = {"event": "occasion_shown", "side": side}
    label = word("do", "occasion_shown")
    free = [card for card in state.occasions if card not in state.visible_to(side)]
    if not free:
        return ()
    if len(state.visible_to(side)) >= MAX_VISIBLE_CHANCES:
        reason = disabled_reason(state, {**event, "card": free[0]})
        return () if menu else (Choice(event, label, side, prominence=3, disabled_reason=reason),)
    options = tuple(Option(card, literal(chance_name(state, card))) for card in free)
    ask = Prompt("pick", "card", word("ask", "occasion_shown"), options)
    needed = side == state.attack and not state.visible_to(side)  # without an open card nothing else can be played
    return (Choice(event, label, side, prominence=1 if needed else 2, prompts=(ask,), menu=menu),)


def _recover_choices(state: State, side: Side) -> tuple[Choice, ...]:
    """Return the recovery of all used cards, of some players, or of some energies (OC-10.4).

    All cards come back between two turns as a rule; the rest is in the menu.
    """
    players, energy = state.used(side), state.energy_used[side_index(side)]
    event = {"event": "cards_recovered", "side": side}
    menu = state.phase != "choose_occasion"
    found = []
    if players or energy:
        everything = {**event, "players": list(players), "energy": energy}
        detail = Message("occasion.detail.used", {"players": len(players), "energy": energy})
        found.append(Choice(everything, word("do", "recover_all"), side, detail, prominence=3, menu=menu))
    if players:
        options = tuple(Option(id, literal(player_name(state, id, side))) for id in players)
        ask = Prompt("pick", "players", word("ask", "recover_player"), options, minimum=1, maximum=len(options))
        found.append(Choice(event, word("do", "recover_player"), side, prominence=3, prompts=(ask,), menu=True))
    if energy:
        ask = Prompt("count", "energy", word("ask", "recover_energy"), minimum=1, maximum=energy)
        found.append(Choice(event, word("do", "recover_energy"), side, prominence=3, prompts=(ask,), menu=True))
    return tuple(found)


def _ruling_choice(state: State) -> Choice:
    """Return any other ruling: a goal more or less, who attacks next, and why (OC-11.1)."""
    prompts = (
        Prompt("pick", "goals", word("ask", "goals"), _goal_options(state), optional=True),
        Prompt("pick", "next_attack", word("ask", "next_attack"), _next_attack_options(state), optional=True),
        reason_prompt(word("ask", "ruling")),
    )
    return Choice({"event": "ruling"}, word("do", "ruling"), prominence=3, prompts=prompts, menu=True)


def _goal_options(state: State) -> tuple[Option, ...]:
    found = []
    for more in (1, -1):
        for side in SIDES:
            goals = {side: more}
            reason: DisabledReason | None = disabled_reason(state, {"event": "ruling", "text": "?", "goals": goals})
            label = side_message("option.goal_more" if more > 0 else "option.goal_less", state, side)
            found.append(Option(goals, label, disabled_reason=reason))
    return tuple(found)


def _next_attack_options(state: State) -> tuple[Option, ...]:
    return tuple(Option(side, literal(state.setup.name(side))) for side in SIDES)


def _define_card_choice(state: State, kind: str, side: Side | None) -> Choice:
    """Return the choice to define a new card; while there is none of its kind it comes first."""
    event = {"event": "define_card", "kind": kind}
    if side is not None:
        event["side"] = side
    form = card_form(state, kind, side)
    first = not form.used_ids and (
        state.phase in ("attack_move", "defence") if side else state.phase == "choose_occasion"
    )
    prominence: Literal[1, 3] = 1 if first and side in (None, *waiting_for(state)) else 3
    ask = Prompt("lineup", "card", word("ask", f"define_{kind}"), data=form)
    return Choice(
        event, word("do", f"define_{kind}"), side, prominence=prominence, prompts=(ask,), menu=prominence == 3
    )


_DECISION_BY_PHASE: Mapping[Phase, Callable[[State], Decision]] = {
    "choose_occasion": choose_chance_decision,
    "attack_move": attack_move_decision,
    "defence": defence_decision,
    "support": support_decision,
    "reveal": reveal_decision,
    "verdict": verdict_decision,
    "advance": advance_decision,
    "shot": shot_decision,
}


def decision(state: State) -> Decision:
    """Return what the game expects; nothing once the match is over."""
    if state.phase == "over":
        return Decision(MATCH_OVER)
    phase_decision = _DECISION_BY_PHASE[state.phase](state)
    choices = sorted(
        (*phase_decision.choices, *anytime_choices(state)),
        key=lambda choice: (choice.disabled_reason is not None, choice.prominence),
    )
    return replace(phase_decision, sides=waiting_for(state), choices=tuple(choices))
