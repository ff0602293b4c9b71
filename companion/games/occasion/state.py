"""The situation of a match as frozen values: what lies on the table, whose move it is, the duel under way."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TypeVar

from companion.games.occasion.cards import Chance, PlayerCard, Zone
from companion.games.occasion.setup import Setup
from companion.games.occasion.tables import Phase, Side, index_of, other

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class DuelSide:
    """One side of a duel. `energy` are the revealed values as counted, in the order of `cards`."""

    player: str
    base: int
    bonus: int
    support: tuple[str, ...] = ()
    energy: tuple[int, ...] = ()
    ability: int = 0

    @property
    def cards(self) -> tuple[str, ...]:
        """Base player, then supports in the order laid."""
        return (self.player, *self.support)

    @property
    def total(self) -> int:
        """Over what is face up (OC-9.1)."""
        return self.base + self.bonus + self.ability + sum(self.energy)

    @property
    def face_down(self) -> int:
        """Energies that still lie face down."""
        return len(self.cards) - len(self.energy)


@dataclass(frozen=True, slots=True)
class Duel:
    """From the announced move to the end of the duel. `defence` is None until the defence opposes.

    `turn` is whose turn it is to support, `declined` whether the other side has just added nothing (OC-5.4).
    """

    move: str
    attack: DuelSide
    defence: DuelSide | None = None
    turn: Side | None = None
    declined: bool = False

    @property
    def margin(self) -> int | None:
        """Attack total minus defence total (OC-11.2)."""
        return None if self.defence is None else self.attack.total - self.defence.total

    @property
    def revealed(self) -> int:
        """Energies turned up so far."""
        return len(self.attack.energy) + (len(self.defence.energy) if self.defence else 0)


@dataclass(frozen=True, slots=True)
class Place:
    """Where the chance is: the card's id and the zone's."""

    card: str
    zone: str


@dataclass(frozen=True, slots=True)
class Shown:
    """A card shown after a foul (OC-8.4)."""

    side: Side
    player: str | None
    card: str
    turn: int


@dataclass(frozen=True, slots=True)
class State:
    """The whole match situation. Two equal states are the same situation. Pairs are (home, away)."""

    setup: Setup
    players: tuple[Mapping[str, PlayerCard], Mapping[str, PlayerCard]] = field(hash=False)
    occasions: Mapping[str, Chance] = field(hash=False)
    attack: Side
    phase: Phase = "choose_occasion"
    turn: int = 1
    score: tuple[int, int] = (0, 0)
    visible: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    place: Place | None = None
    carrier: str | None = None
    bonus_x2: bool = False
    duel: Duel | None = None
    options: tuple[str, ...] = ()
    energy_used: tuple[int, int] = (0, 0)
    discard: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    cards_shown: tuple[Shown, ...] = ()
    winner: Side | None = None

    @property
    def defence(self) -> Side:
        """The side that does not attack."""
        return other(self.attack)

    def card(self, side: Side, id: str) -> PlayerCard | None:
        """A player card of a side's list."""
        return self.players[index_of(side)].get(id)

    def shown_to(self, side: Side) -> tuple[str, ...]:
        """The chance cards face up before a side."""
        return self.visible[index_of(side)]

    def used(self, side: Side) -> tuple[str, ...]:
        """The player cards of a side in the discard."""
        return self.discard[index_of(side)]

    def duellist(self, side: Side) -> DuelSide | None:
        """A side's part of the duel under way."""
        if self.duel is None:
            return None
        return self.duel.attack if side == self.attack else self.duel.defence

    def in_play(self, side: Side) -> tuple[str, ...]:
        """The player cards of a side on the table: those of its part of the duel, or the carrier."""
        own = self.duellist(side)
        if own is not None:
            return own.cards
        return (self.carrier,) if self.carrier is not None and side == self.attack else ()

    @property
    def chance(self) -> Chance | None:
        """The chance card in the middle."""
        return None if self.place is None else self.occasions[self.place.card]

    @property
    def zone(self) -> Zone | None:
        """The zone that the chance is in."""
        return None if self.place is None else self.occasions[self.place.card].zone(self.place.zone)

    def with_duellist(self, side: Side, own: DuelSide) -> State:
        """The duel with another part of a side."""
        if self.duel is None:
            raise ValueError("no duel is under way")
        duel = replace(self.duel, attack=own) if side == self.attack else replace(self.duel, defence=own)
        return replace(self, duel=duel)

    def with_energy(self, side: Side, count: int) -> State:
        """So many more energies of a side are used (fewer if negative)."""
        return replace(self, energy_used=put(self.energy_used, side, self.energy_used[index_of(side)] + count))


def put(pair: tuple[Value, Value], side: Side, value: Value) -> tuple[Value, Value]:
    """The pair with another value of a side."""
    return (value, pair[1]) if side == "home" else (pair[0], value)
