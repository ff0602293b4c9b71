"""The state of a match as immutable values: the cards on the table, whose move it is, the current duel."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TypeVar

from companion.games.occasion.cards import Chance, PlayerCard, Zone
from companion.games.occasion.setup import Setup
from companion.games.occasion.tables import Phase, Side, opponent, side_index

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
        """The base player, then the supports in the order laid."""
        return (self.player, *self.support)

    @property
    def total(self) -> int:
        """The total of the open points (OC-9.1)."""
        return self.base + self.bonus + self.ability + sum(self.energy)

    @property
    def face_down(self) -> int:
        """The number of face-down energies."""
        return len(self.cards) - len(self.energy)


@dataclass(frozen=True, slots=True)
class Duel:
    """A duel, from the announced move to its end. `defence` is None until the defence opposes.

    `turn` is the side whose turn it is to support; `declined` is True if the other side has just added nothing
    (OC-5.4).
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
        """The number of energies revealed so far."""
        return len(self.attack.energy) + (len(self.defence.energy) if self.defence else 0)


@dataclass(frozen=True, slots=True)
class ChancePosition:
    """The position of the chance: the card's id and the zone's."""

    card: str
    zone: str


@dataclass(frozen=True, slots=True)
class Booking:
    """A card shown after a foul (OC-8.4)."""

    side: Side
    player: str | None
    card: str
    turn: int


@dataclass(frozen=True, slots=True)
class State:
    """The full state of a match. Two equal states are the same situation. Pairs are (home, away)."""

    setup: Setup
    players: tuple[Mapping[str, PlayerCard], Mapping[str, PlayerCard]] = field(hash=False)
    occasions: Mapping[str, Chance] = field(hash=False)
    attack: Side
    phase: Phase = "choose_occasion"
    turn: int = 1
    score: tuple[int, int] = (0, 0)
    visible: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    place: ChancePosition | None = None
    carrier: str | None = None
    bonus_x2: bool = False
    duel: Duel | None = None
    options: tuple[str, ...] = ()
    energy_used: tuple[int, int] = (0, 0)
    discard: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    cards_shown: tuple[Booking, ...] = ()
    winner: Side | None = None

    @property
    def defence(self) -> Side:
        """The side that does not attack."""
        return opponent(self.attack)

    def card(self, side: Side, id: str) -> PlayerCard | None:
        """Return a player card of a side's list, or None."""
        return self.players[side_index(side)].get(id)

    def visible_to(self, side: Side) -> tuple[str, ...]:
        """Return the chance cards face up before a side."""
        return self.visible[side_index(side)]

    def used(self, side: Side) -> tuple[str, ...]:
        """Return the player cards of a side in the discard."""
        return self.discard[side_index(side)]

    def duellist(self, side: Side) -> DuelSide | None:
        """Return a side's part of the current duel."""
        if self.duel is None:
            return None
        return self.duel.attack if side == self.attack else self.duel.defence

    def in_play(self, side: Side) -> tuple[str, ...]:
        """Return the player cards of a side on the table: those of its part of the duel, or the carrier."""
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
        """The zone of the chance."""
        return None if self.place is None else self.occasions[self.place.card].zone(self.place.zone)

    def with_duellist(self, side: Side, own: DuelSide) -> State:
        """Return the state with another part of a side in the duel."""
        if self.duel is None:
            raise ValueError("no duel is under way")
        duel = replace(self.duel, attack=own) if side == self.attack else replace(self.duel, defence=own)
        return replace(self, duel=duel)

    def with_energy(self, side: Side, count: int) -> State:
        """Return the state with `count` more used energies of a side (fewer if negative)."""
        return replace(
            self, energy_used=with_side_value(self.energy_used, side, self.energy_used[side_index(side)] + count)
        )


def with_side_value(pair: tuple[Value, Value], side: Side, value: Value) -> tuple[Value, Value]:
    """Return the pair with one side's value replaced."""
    return (value, pair[1]) if side == "home" else (pair[0], value)
