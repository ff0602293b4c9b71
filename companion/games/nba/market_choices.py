"""The choices of the market: what lies there with its price, and the cards that pay it (NBA-6.6, NBA-6.7)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from companion.games.base import Choice, DisabledReason, Fields, Hand, JsonObject, Message, Option, Prompt
from companion.games.nba import events as ev
from companion.games.nba.card_options import (
    catalogue_players,
    catalogue_tactics,
    owned_first,
    owned_tactics_first,
    player_group,
    player_option,
    tactic_group,
    tactic_option,
    unseen_players,
)
from companion.games.nba.cards import Card
from companion.games.nba.legality import disabled_reason, kind_disabled_reason
from companion.games.nba.market import is_available, player_cost, tactic_cost
from companion.games.nba.market_track import HIDDEN_CARD
from companion.games.nba.messages import word
from companion.games.nba.state import State
from companion.games.nba.tables import MAX_PREPARED
from companion.games.wording import literal

MAX_CARDS_PAID = 12
MARKET = Hand(word("do", "market"), word("ask", "market_card"), word("detail", "market"))


def market_choices(state: State) -> tuple[Choice, ...]:
    """Return one choice for each card of the player market, of the personal market and for each tactic for sale."""
    if state.ultimate or state.period:
        return ()
    return (*_player_choices(state), *_tactic_choices(state))


def is_market_open(state: State) -> bool:
    """Return True if the active side may still buy in this turn."""
    return any(choice.disabled_reason is None for choice in market_choices(state))


def _player_choices(state: State) -> Iterator[Choice]:
    reason = kind_disabled_reason(state, ev.BuyPlayer)
    team = state.team(state.active_side)
    hidden = _hidden_options(state) if HIDDEN_CARD in state.track else ()
    for slot, id in enumerate(state.track, 1):
        event = {"event": "buy_player", "slot": slot}
        if id == HIDDEN_CARD and hidden:
            yield _hidden_choice(state, event, hidden, reason)
        elif id not in (None, HIDDEN_CARD):
            yield _player_choice(state, {**event, "card": id}, reason, word("group", "market_players"))
    for id in team.mini:
        event = {"event": "buy_player", "from": "mini", "card": id}
        yield _player_choice(state, event, reason, word("group", "market_mini"))


def _hidden_options(state: State) -> tuple[Option, ...]:
    """Return the cards that may lie hidden on the track."""
    return tuple(player_option(state, one, _price(player_cost(state, one))) for one in unseen_players(state))


def _hidden_choice(
    state: State, event: JsonObject, options: tuple[Option, ...], reason: DisabledReason | None
) -> Choice:
    """Return the choice of a card that only the players see: they name it first."""
    prompts = (Prompt("pick", "card", word("ask", "card"), options), _payment(state, event))
    label = Message("nba.do.buy_slot", {"slot": event["slot"]})
    choice = Choice(event, label, state.active_side, word("detail", "name_card"), prompts=prompts)
    return _in_market(choice, reason, word("group", "market_players"))


def _price(cost: int) -> str:
    return f"\N{MINUS SIGN}{cost}"


def _player_choice(state: State, event: JsonObject, reason: DisabledReason | None, group: Message) -> Choice:
    one = state.setup.player(event["card"])
    if reason is None and not is_available(state, one):
        reason = disabled_reason(state, {**event, "paid": []})
    detail = player_option(state, one).detail
    effect = _price(player_cost(state, one))
    choice = Choice(event, literal(one.name), state.active_side, detail, effect, prompts=(_payment(state, event),))
    return _in_market(choice, reason, group)


def _tactic_choices(state: State) -> Iterator[Choice]:
    """Yield the tactics that the market can show, offence first: which of them lie there only the players see."""
    reason = kind_disabled_reason(state, ev.BuyTactic)
    for_sale = [one for one in catalogue_tactics(state) if not one.base]
    for one in sorted(for_sale, key=lambda one: one.type != "offence"):
        event: JsonObject = {"event": "buy_tactic", "card": one.id}
        detail, effect = tactic_option(one).detail, _price(tactic_cost(state, one))
        choice = Choice(event, literal(one.name), state.active_side, detail, effect, prompts=(_payment(state, event),))
        yield _in_market(choice, reason, word("group", f"market_{one.type}"))


def _in_market(choice: Choice, reason: DisabledReason | None, group: Message) -> Choice:
    return replace(choice, prominence=3, disabled_reason=reason, hand=MARKET, group=group)


def _payment(state: State, event: Fields) -> Prompt:
    """Return the prompt for the cards that pay; its options and price are known with the card that is bought."""
    return Prompt("pick", "paid", word("ask", "paid_any"), (), 1, 0, MAX_CARDS_PAID, data=Payment(state, event))


@dataclass(frozen=True, slots=True)
class Payment:
    """The cards discarded from the hand as payment, until they reach the price. The hand's content is secret.

    Before the card is known it adapts the prompt to it, after that it checks the sum.
    """

    state: State
    event: Fields

    def with_answers(self, answers: Fields) -> Prompt:
        """Return the prompt with the cards that can pay for the card of the event."""
        cost = self._cost(answers)
        options = tuple(self._players() if self.event["event"] == "buy_player" else self._tactics())
        title = Message("nba.ask.paid", {"cost": cost})
        return Prompt("pick", "paid", title, options, 1, 0 if cost == 0 else 1, MAX_CARDS_PAID, data=self)

    def disabled_reason(self, answers: Fields) -> DisabledReason | None:
        """Return why the cards do not pay."""
        return disabled_reason(self.state, {**self.event, **answers})

    def progress(self, answers: Fields) -> Message:
        """Return what is paid so far, and the price."""
        paid = sum(self._card(id).value for id in answers["paid"])
        return Message("nba.ask.paid_so_far", {"paid": paid, "cost": self._cost(answers)})

    def _card(self, id: str) -> Card:
        return self.state.setup.card(id)

    def _cost(self, answers: Fields) -> int:
        id = {**self.event, **answers}["card"]
        if self.event["event"] == "buy_player":
            return player_cost(self.state, self.state.setup.player(id))
        return tactic_cost(self.state, self.state.setup.tactic(id))

    def _players(self) -> Iterable[Option]:
        state = self.state
        court = state.team(state.active_side).court
        for one in owned_first(state, catalogue_players(state)):
            if one.value and one.id not in court:
                yield replace(player_option(state, one, f"+{one.value}"), group=player_group(state, one.id))

    def _tactics(self) -> Iterable[Option]:
        state = self.state
        for one in owned_tactics_first(state, catalogue_tactics(state)):
            if one.value:
                yield tactic_option(one, MAX_PREPARED, f"+{one.value}", tactic_group(state, one))
