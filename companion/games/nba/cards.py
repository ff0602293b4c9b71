"""Player cards and tactic cards of the header's catalogue, and their reader (NBA-3.2)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.games.base import Fields
from companion.games.event_schema import FieldParser, InvalidValue, boolean, count, integer, list_of, one_of, text
from companion.games.nba.refusals import refusal
from companion.games.nba.tables import FATIGUE_CARD, POSITIONS, ROLES, SKILLS_OF, STATS, TYPES

MAX_SKILLS = 3


@dataclass(frozen=True, slots=True)
class PlayerCard:
    """A player card. `stats` are in the order of STATS."""

    id: str
    name: str
    positions: tuple[str, ...]
    role: str = "nba"
    cost: int = 0
    value: int = 0
    stats: tuple[int, ...] = (0,) * len(STATS)
    decisive: bool = False

    def stat(self, name: str) -> int:
        """Return a skill, `iq` or `rebounds`."""
        return self.stats[STATS.index(name)]


@dataclass(frozen=True, slots=True)
class TacticCard:
    """A tactic. `keep` holds (skill, number of kept dice) in the order of the skills in NBA-2.2."""

    id: str
    name: str
    type: str
    keep: tuple[tuple[str, int], ...]
    complexity: int = 0
    cost: int = 0
    value: int = 0
    base: bool = False

    @property
    def skills(self) -> tuple[str, ...]:
        """The skills whose dice the tactic rolls."""
        return tuple(skill for skill, _ in self.keep)

    def keep_count(self, skill: str) -> int:
        """Return how many dice of a skill the tactic keeps; 0 for a skill that it does not roll."""
        return next((most for each, most in self.keep if each == skill), 0)


Card = PlayerCard | TacticCard
Catalogue = Mapping[str, Card]

_positions = list_of(one_of(*POSITIONS), min_length=1)
_role = one_of(*ROLES)
_type = one_of(*TYPES)
_kept = integer(1)


def read_cards(value: object) -> dict[str, Card]:
    """Read the catalogue of the header. Raises: Refusal by NBA-3.2."""
    if not isinstance(value, dict):
        raise refusal("NBA-3.2", "not_object")
    return {id: _card(id, card) for id, card in value.items()}


def _card(id: str, card: Any) -> Card:
    if id == FATIGUE_CARD:
        raise refusal("NBA-3.2", "reserved")
    if not isinstance(card, dict) or card.get("kind") not in ("player", "tactic"):
        raise refusal("NBA-3.2", "kind", card=id)
    read = _Reading(id, card)
    return _player(read) if card["kind"] == "player" else _tactic(read)


def _player(read: _Reading) -> PlayerCard:
    return PlayerCard(
        read.id,
        read("name", text, read.id),
        read("positions", _positions),
        read("role", _role, "nba"),
        read("cost", count, 0),
        read("value", count, 0),
        tuple([read(stat, count, 0) for stat in STATS]),
        read("decisive", boolean, False),
    )


def _tactic(read: _Reading) -> TacticCard:
    type_: str = read("type", _type)

    def keep(value: object) -> tuple[tuple[str, int], ...]:
        skills = SKILLS_OF[type_]
        if not isinstance(value, dict) or not 1 <= len(value) <= MAX_SKILLS or not value.keys() <= set(skills):
            raise InvalidValue
        return tuple([(skill, _kept(value[skill])) for skill in skills if skill in value])

    return TacticCard(
        read.id,
        read("name", text, read.id),
        type_,
        read("keep", keep),
        read("complexity", count, 0),
        read("cost", count, 0),
        read("value", count, 0),
        read("base", boolean, False),
    )


@dataclass(frozen=True, slots=True)
class _Reading:
    """Reads one card; every error names the card and the key."""

    id: str
    fields: Fields

    def __call__(self, key: str, read: FieldParser, default: Any = None) -> Any:
        if key not in self.fields and default is not None:
            return default
        try:
            return read(self.fields[key])
        except (InvalidValue, KeyError):
            raise refusal("NBA-3.2", "value", card=self.id, key=key) from None
