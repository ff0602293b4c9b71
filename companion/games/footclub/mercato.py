"""FootClub's squad market (chapter 2) dealt by the app: the app shuffles the cards, the game enforces the rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random

from companion.games.base import Fields, JsonObject, Message, Refusal
from companion.games.catalogue import Row
from companion.games.footclub import FOOTCLUB
from companion.games.footclub.catalogues import COACH, GOALKEEPER, PLAYER, row_of, team_cards
from companion.games.footclub.market import LOWER_LEVEL, UPPER_LEVELS
from companion.games.footclub.squads import CONSENT
from companion.games.footclub.state import State
from companion.games.footclub.tables import MARKET_PICKS, SIDES, STAFF_STARS, Side, opponent

OPENING = 3
"""The number of events before the first pick: two staff pairs and the open pairs."""
OPEN_PAIRS = 3


@dataclass(frozen=True, slots=True)
class Mercato:
    """A market in progress: the match header with its cards, the piles from the top, and the events so far."""

    header: Fields
    lower: tuple[str, ...]
    upper: tuple[str, ...]
    events: tuple[Fields, ...]

    @property
    def names(self) -> dict[str, str]:
        """Return the clubs' names by side."""
        return {side: self.header["sides"][side]["name"] for side in SIDES}

    @property
    def state(self) -> State:
        """Return the game's state after all events. Raises: Refusal if an event is not legal."""
        state = FOOTCLUB.initial_state(self.header)
        for fields in self.events:
            event = FOOTCLUB.parse(fields)
            FOOTCLUB.validate(state, event)
            state, _ = FOOTCLUB.apply(state, event)
        return state

    @property
    def picks(self) -> int:
        """Return the number of completed picks."""
        return len(self.events) - OPENING

    @property
    def finished(self) -> bool:
        return self.picks == MARKET_PICKS

    @property
    def next(self) -> Side | None:
        """Return the side to pick next, or None at the end."""
        first: Side = self.events[OPENING - 1]["first"]
        return None if self.finished else first if self.picks % 2 == 0 else opponent(first)

    @property
    def revealed(self) -> tuple[str, str]:
        """Return the two upper players that the side to pick sees (FC-2.4)."""
        one, two = self.upper[2 * self.picks : 2 * self.picks + 2]
        return one, two

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """Return the open pairs (FC-2.5); empty at the end."""
        market = self.state.market
        return market.pairs if market else ()

    def card(self, id: str) -> Row:
        """Return a card of the catalogue by its id."""
        lists = self.header["setup"]["catalogue"]["team_cards"]
        for sort, key in ((COACH, "coaches"), (GOALKEEPER, "goalkeepers"), (PLAYER, "players")):
            for card in lists[key]:
                if card["id"] == id:
                    return row_of(sort, card)
        raise KeyError(id)

    def squad(self, side: str) -> tuple[Row, ...]:
        """Return the cards that a club has so far: coach and goalkeeper, then its players in the order taken."""
        ids: list[str] = []
        for event in self.events:
            if event.get("side") == side and event["event"] == "market_staff":
                ids += [event["coach"], event["goalkeeper"]]
            elif event.get("side") == side:
                ids += [event["take"], *event["pair"]]
        return tuple(self.card(id) for id in ids)

    def pick(self, player: str, pair: Sequence[str]) -> Mercato:
        """Play one market turn: take one of the two players and one open pair. Raises: Refusal (FC-2.4 to FC-2.6)."""
        revealed_count = 2 * (OPEN_PAIRS + sum("next_pair" in event for event in self.events))
        fields: JsonObject = {"event": "market_pick", "side": self.next, "revealed": list(self.revealed)}
        fields |= {"take": player, "pair": list(pair)}
        if len(self.lower) - revealed_count >= 2:
            fields["next_pair"] = list(self.lower[revealed_count : revealed_count + 2])
        FOOTCLUB.validate(self.state, FOOTCLUB.parse(fields))
        return replace(self, events=(*self.events, fields))

    def undo(self) -> Mercato:
        """Return the market without the last pick; the opening stays."""
        return replace(self, events=self.events[: max(OPENING, len(self.events) - 1)])


def open_market(rows: Sequence[Row], names: Sequence[str], random: Random) -> Mercato:
    """Shuffle the catalogue and open the market for two clubs. Raises: Refusal (FC-2.1, FC-2.2)."""
    cards = team_cards(rows)
    sides = {side: {"name": name} for side, name in zip(SIDES, names, strict=True)}
    setup: JsonObject = {"home": "blue", "kop": "K01", "market": True}
    setup |= {"options": dict(CONSENT), "catalogue": {"team_cards": cards}}
    header: Fields = {"journal": 1, "game": "footclub", "sides": sides, "setup": setup}
    FOOTCLUB.initial_state(header)
    lower = [card["id"] for card in cards["players"] if card["level"] == LOWER_LEVEL]
    random.shuffle(lower)
    upper: list[str] = []
    for level in sorted(UPPER_LEVELS, reverse=True):
        pile = [card["id"] for card in cards["players"] if card["level"] == level]
        random.shuffle(pile)
        upper += pile
    opened = [lower[at : at + 2] for at in range(0, 2 * OPEN_PAIRS, 2)]
    events: list[Fields] = _staff(cards, random)
    events.append({"event": "market_open", "first": random.choice(SIDES), "pairs": opened})
    mercato = Mercato(header, tuple(lower), tuple(upper), tuple(events))
    assert mercato.state.market is not None
    return mercato


def _staff(cards: dict[str, list[JsonObject]], random: Random) -> list[Fields]:
    """Return a random pair of eight stars for each club (FC-2.2). Raises: Refusal if no two pairs can be made."""
    pairs = [
        (coach["id"], keeper["id"])
        for coach in cards["coaches"]
        for keeper in cards["goalkeepers"]
        if coach["level"] + keeper["level"] == STAFF_STARS
    ]
    both = [(one, two) for one in pairs for two in pairs if one[0] != two[0] and one[1] != two[1]]
    if not both:
        raise Refusal("FC-2.2", Message("catalogues.market.no_pairs", {"stars": STAFF_STARS}))
    chosen = zip(SIDES, random.choice(both), strict=True)
    return [{"event": "market_staff", "side": s, "coach": coach, "goalkeeper": keeper} for s, (coach, keeper) in chosen]
