"""What is awaited in a duel: opposition, supports, abilities, energies, fouls, the verdict (chapters 4 to 9)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.games.base import Ask, Awaits, Choice, Message, Option
from companion.games.occasion.awaits_offer import bare, barred, none_left, player_options, strength
from companion.games.occasion.cards import PlayerCard
from companion.games.occasion.defending import defence_points, duel_of
from companion.games.occasion.resolving import due_to_reveal
from companion.games.occasion.state import DuelSide, State
from companion.games.occasion.tables import DEFENCE_STAT, EFFECTS, MOST_ENERGY, SHOWN, SIDES, Side, other
from companion.games.occasion.words import player_name, said, word
from companion.games.wording import literal


def defence(state: State) -> Awaits:
    """The defence opposes a player or lets through."""
    event = {"event": "defence_choice", "choice": "oppose"}
    stat = DEFENCE_STAT[duel_of(state).move]

    def shown(card: PlayerCard) -> tuple[Message, int]:
        base, bonus = defence_points(state, card.id)
        return strength(state, card, stat, base, bonus), base + bonus

    options = player_options(state, state.defence, lambda id: {**event, "player": id}, shown)
    used = state.used(state.defence)
    reason = none_left(options, "OC-4.2", [option.value for option in options if option.value not in used])
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

    def after(self, answers: Mapping[str, Any]) -> Ask:
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
