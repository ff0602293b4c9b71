"""The deck of the player market drawn by the app (NBA-3.5), and the draft dealt by it (NBA-9.3). Pure, no widgets."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

from companion.games.base import Fields, JsonObject
from companion.games.nba.refusals import refusal
from companion.games.nba.tables import CHEAP_COSTS, DRAFT_COMMON, DRAFT_HAND, MIN_CHEAP_CARDS, MINI_MARKET_SIZE

Cards = Mapping[str, Fields]
"""The catalogue of a header: id → card (NBA-3.2)."""


def cards_on_sale(cards: Cards, excluded: Collection[str] = ()) -> list[str]:
    """Return the player cards of role `nba`, except those named."""
    return [
        id
        for id, card in cards.items()
        if card["kind"] == "player" and card.get("role", "nba") == "nba" and id not in excluded
    ]


def cost(cards: Cards, id: str) -> int:
    """Return the cost of a card."""
    return int(cards[id].get("cost", 0))


def count_cheap(cards: Cards, deck: Sequence[str]) -> int:
    """Return how many cards of a deck cost 3 to 5 (NBA-3.5)."""
    return sum(cost(cards, id) in CHEAP_COSTS for id in deck)


def draw_deck(cards: Cards, count: int, excluded: Collection[str], random: Random) -> list[str]:
    """Return `count` cards drawn by NBA-3.5, the cheapest on top. Raises: Refusal if the catalogue has too few."""
    pile = cards_on_sale(cards, excluded)
    if len(pile) < count:
        raise refusal("NBA-3.5", "few", n=len(pile), cards=count)
    random.shuffle(pile)
    drawn, rest = pile[:count], pile[count:]
    cheap = [id for id in rest if cost(cards, id) in CHEAP_COSTS]
    missing = max(0, MIN_CHEAP_CARDS - count_cheap(cards, drawn))
    if missing > len(cheap):
        raise refusal("NBA-3.5", "cheap", least=MIN_CHEAP_CARDS)
    others = [id for id in drawn if cost(cards, id) not in CHEAP_COSTS][:missing]
    drawn = [id for id in drawn if id not in others] + cheap[:missing]
    return sorted(drawn, key=lambda id: cost(cards, id))


@dataclass
class Draft:
    """A draft: in each round every side gets five cards, keeps one, gives two to the common deck and two to the box.

    - `hands`: side → its hands, one for each round
    - `chosen`: side → for each round played, its own card and then those for the common deck
    """

    hands: dict[str, list[list[str]]] = field(default_factory=dict)
    chosen: dict[str, list[list[str]]] = field(default_factory=dict)

    @classmethod
    def start(cls, cards: Cards, sides: Sequence[str], excluded: Collection[str], random: Random) -> Draft:
        """Deal all rounds. Raises: Refusal by NBA-9.3 if the catalogue has too few cards."""
        pile = cards_on_sale(cards, excluded)
        needed = len(sides) * MINI_MARKET_SIZE * DRAFT_HAND
        if len(pile) < needed:
            raise refusal("NBA-9.3", "few", n=len(pile), cards=needed)
        random.shuffle(pile)
        hands: dict[str, list[list[str]]] = {side: [] for side in sides}
        for _ in range(MINI_MARKET_SIZE):
            for side in sides:
                hands[side].append([pile.pop() for _ in range(DRAFT_HAND)])
        return cls(hands, {side: [] for side in sides})

    @classmethod
    def of(cls, stored: Fields) -> Draft:
        """Return the draft of its stored form (`stored`)."""
        return cls(stored["hands"], stored["chosen"])

    @property
    def stored(self) -> JsonObject:
        """Return the draft as plain values."""
        return {"hands": self.hands, "chosen": self.chosen}

    @property
    def round(self) -> int:
        """The round, from 1."""
        return min(MINI_MARKET_SIZE, 1 + min(len(rounds) for rounds in self.chosen.values()))

    @property
    def side(self) -> str | None:
        """The side that chooses now; None when the draft is over."""
        waiting = {side: len(rounds) for side, rounds in self.chosen.items() if len(rounds) < MINI_MARKET_SIZE}
        return min(waiting, key=lambda side: waiting[side], default=None)

    @property
    def hand(self) -> list[str]:
        """The five cards of the side that chooses now; empty when the draft is over."""
        return [] if self.side is None else self.hands[self.side][len(self.chosen[self.side])]

    def choose(self, own: str, common: Sequence[str]) -> None:
        """Let the side keep a card and give two to the common deck. Raises: Refusal by NBA-9.3 for other cards."""
        picked = [own, *common]
        if self.side is None or len(common) != DRAFT_COMMON or len({*picked} & {*self.hand}) != 1 + DRAFT_COMMON:
            raise refusal("NBA-9.3", "picks")
        self.chosen[self.side].append(picked)

    def mini(self, side: str) -> list[str]:
        """Return the cards that a side has kept."""
        return [picked[0] for picked in self.chosen.get(side, ())]

    def deck(self, cards: Cards, count: int, excluded: Collection[str], random: Random) -> list[str]:
        """Return the common deck in random order, with cards added or taken out at random to be `count`.

        Args: excluded: the cards of the courts and personal markets. Raises: Refusal if the catalogue has too few.
        """
        picks = [id for rounds in self.chosen.values() for picked in rounds for id in picked[1:]]
        common = [id for id in picks if id not in excluded]
        spare = cards_on_sale(cards, {*common, *excluded})
        random.shuffle(common)
        random.shuffle(spare)
        deck = [*common, *spare][:count]
        if len(deck) < count:
            raise refusal("NBA-3.5", "few", n=len(deck), cards=count)
        random.shuffle(deck)
        return deck
