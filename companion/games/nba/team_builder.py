"""The team that a side begins with: starters, substitutes, base tactics (NBA-3.3, 3.4, 9.2, 12.1). Pure, no widgets."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import cycle, islice
from typing import Any, Literal

from companion.games.base import Fields, JsonObject, Message
from companion.games.nba.tables import (
    BASE_TACTIC_COUNT,
    BENCH,
    DECK,
    LEAST_BENCH,
    LEAST_TACTICS,
    OFFENCE_SHARE,
    POSITIONS,
    STATS,
    TYPES,
)
from companion.games.wording import comma_separated

Cards = Mapping[str, Fields]
"""The catalogue of a header: id → card (NBA-3.2)."""
DeckPart = Literal["bench", "tactics"]


@dataclass(frozen=True, slots=True)
class TeamRules:
    """The limits of a side's deck.

    - `selection`: the deck of NBA-9.2 instead of that of NBA-3.4
    - `solo`: the solo opponent, which has base tactics and no substitutes (NBA-12.1)
    - `kept`: the cards of earlier matches that may take the place of a base card (NBA-13.2)
    """

    selection: bool = False
    solo: bool = False
    kept: tuple[str, ...] = ()

    @property
    def bench(self) -> range:
        """The numbers of substitutes that the rules allow."""
        return range(LEAST_BENCH, DECK - LEAST_TACTICS + 1) if self.selection else range(BENCH, BENCH + 1)

    @property
    def tactics(self) -> range:
        """The numbers of base tactics that the rules allow."""
        if self.selection and not self.solo:
            return range(LEAST_TACTICS, DECK - LEAST_BENCH + 1)
        return range(BASE_TACTIC_COUNT, BASE_TACTIC_COUNT + 1)

    @property
    def deck(self) -> int:
        """The number of substitutes and tactics together."""
        return BASE_TACTIC_COUNT if self.solo else DECK


def starters(cards: Cards, position: str = "") -> list[str]:
    """Return the starters of the catalogue, optionally those of one position."""
    return [id for id in _players(cards, "starter") if not position or position in cards[id]["positions"]]


def substitutes(cards: Cards, rules: TeamRules) -> list[str]:
    """Return the cards that may be on a bench: substitutes, and the kept players."""
    return [*_players(cards, "substitute"), *_kept(cards, rules, "player")]


def base_tactics(cards: Cards, rules: TeamRules, type_: str = "") -> list[str]:
    """Return the tactics that may be in a deck, base tactics and kept ones; optionally those of one type."""
    base = [id for id, card in cards.items() if card["kind"] == "tactic" and card.get("base")]
    found = [*base, *(id for id in _kept(cards, rules, "tactic") if id not in base)]
    return [id for id in found if not type_ or cards[id]["type"] == type_]


def _players(cards: Cards, role: str) -> list[str]:
    return [id for id, card in cards.items() if card["kind"] == "player" and card.get("role", "nba") == role]


def _kept(cards: Cards, rules: TeamRules, kind: str) -> list[str]:
    return [id for id in rules.kept if id in cards and cards[id]["kind"] == kind]


@dataclass
class TeamDraft:
    """A team under construction. `court` maps positions to starters; `tactics` may hold copies of a card (NBA-3.4)."""

    court: dict[str, str] = field(default_factory=dict)
    bench: list[str] = field(default_factory=list)
    tactics: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, roster: Fields) -> TeamDraft:
        """Return the team of a roster of the header."""
        return cls(dict(roster.get("court", {})), list(roster.get("bench") or ()), list(roster.get("tactics") or ()))

    def roster(self, rules: TeamRules) -> JsonObject:
        """Return the team as a roster of the header; the solo opponent has no bench."""
        made: JsonObject = {
            "court": {position: self.court[position] for position in POSITIONS if position in self.court}
        }
        if not rules.solo:
            made["bench"] = list(self.bench)
        return {**made, "tactics": list(self.tactics)}

    # Changes

    def place(self, position: str, id: str) -> None:
        """Let a starter begin at a position; at another position of his he leaves a gap."""
        self.court = {where: one for where, one in self.court.items() if one != id}
        self.court[position] = id
        self.bench = [one for one in self.bench if one != id]

    def toggle(self, id: str) -> None:
        """Put a substitute into the deck, or take it out."""
        if id in self.bench:
            self.bench.remove(id)
        else:
            self.bench.append(id)

    def set_copies(self, id: str, count: int) -> None:
        """Set the number of copies of a tactic in the deck."""
        left = self.tactics.count(id)
        for _ in range(left, count):
            self.tactics.append(id)
        for _ in range(count, left):
            self.tactics.remove(id)

    # Checks

    def count(self, cards: Cards, type_: str) -> int:
        """Return the number of tactics of a type in the deck."""
        return sum(cards[id]["type"] == type_ for id in self.tactics)

    def total(self, cards: Cards, stat: str) -> int:
        """Return the sum of a value over the court."""
        return sum(int(cards[id].get(stat, 0)) for id in self.court.values())

    def faults(self, cards: Cards, rules: TeamRules) -> tuple[Message, ...]:
        """Return what the rules still ask for, one sentence each; a catalogue that cannot give it is named."""
        found = []
        for position in POSITIONS:
            if position not in self.court:
                known = starters(cards, position)
                found.append(_message("no_starter" if known else "no_starter_card", position=_position(position)))
        parts = [("tactics", rules.tactics, len(self.tactics))]
        if not rules.solo:
            parts.insert(0, ("bench", rules.bench, len(self.bench)))
        for part, allowed, count in parts:
            if count not in allowed:
                found.append(_count_fault(part, count, allowed, cards, rules))
        count = sum(count for _, _, count in parts)
        if not found and count != rules.deck:
            found.append(_message("deck_count", n=count, due=rules.deck))
        return tuple(found)

    def remarks(self, cards: Cards, rules: TeamRules) -> tuple[Message, ...]:
        """Return what a legal team lacks for play: positions without a substitute, a type without a tactic."""
        found = []
        if not rules.solo:
            bare = [position for position in POSITIONS if not _plays(cards, self.bench, position)]
            for name, positions in (
                ("uncovered", [one for one in bare if _plays(cards, substitutes(cards, rules), one)]),
                ("uncovered_card", [one for one in bare if not _plays(cards, substitutes(cards, rules), one)]),
            ):
                if positions:
                    found.append(_message(name, positions=comma_separated([_position(one) for one in positions])))
        for type_ in TYPES:
            if not self.count(cards, type_):
                known = base_tactics(cards, rules, type_)
                found.append(_message(f"no_{type_}" if known else f"no_{type_}_card"))
        return tuple(found)


def _plays(cards: Cards, ids: Iterable[str], position: str) -> bool:
    return any(position in cards[id]["positions"] for id in ids)


def _count_fault(part: str, count: int, allowed: range, cards: Cards, rules: TeamRules) -> Message:
    """Return why the number of substitutes or tactics is wrong."""
    known = substitutes(cards, rules) if part == "bench" else base_tactics(cards, rules)
    if part == "bench" and len(known) < allowed.start:
        return _message("bench_cards", n=len(known), due=allowed.start)
    if part == "tactics" and not known:
        return _message("tactics_cards")
    exact = "" if len(allowed) == 1 else "_least" if count < allowed.start else "_most"
    return _message(f"{part}_count{exact}", n=count, due=allowed.start if count < allowed.start else allowed[-1])


# Cards kept from earlier matches


def most_copies(cards: Cards, rules: TeamRules, id: str) -> int:
    """Return how many copies of a tactic a deck may hold: base tactics repeat, a kept one as often as it was kept."""
    return rules.tactics[-1] if cards[id].get("base") else rules.kept.count(id)


def with_kept_cards(cards: Cards, rules: TeamRules, draft: TeamDraft) -> TeamDraft:
    """Return the team with each kept card in the place of a base card, so that the deck keeps its size (NBA-13.2).

    A kept player replaces the weakest substitute, one who plays one of his positions if there is one. A kept tactic
    replaces a base tactic of its type if there is one, a copy first. Without a base card to replace it is left out.
    """
    made = TeamDraft(dict(draft.court), list(draft.bench), list(draft.tactics))
    for id in dict.fromkeys(id for id in rules.kept if id in cards):
        is_player = cards[id]["kind"] == "player"
        part, wanted = (made.bench, 1) if is_player else (made.tactics, rules.kept.count(id))
        for _ in range(part.count(id), wanted):
            place = place_of_kept_card(cards, rules.kept, part, id)
            if place is not None:
                part[part.index(place)] = id
    return made


def place_of_kept_card(cards: Cards, kept: Sequence[str], part: Sequence[str], id: str) -> str | None:
    """Return the base card of a bench or of tactics that a kept card replaces, or None if no base card is left."""
    base = [one for one in part if one not in kept]
    if cards[id]["kind"] == "player":
        ranked = by_strength(cards, base)
        near = [one for one in ranked if set(cards[one]["positions"]) & set(cards[id]["positions"])]
        return next(reversed(near or ranked), None)
    alike = [one for one in base if cards[one]["type"] == cards[id]["type"]]
    copies = [one for one in alike if alike.count(one) > 1]
    return next(reversed(copies or alike or base), None)


# Suggestions


def suggest_team(cards: Cards, rules: TeamRules, court: Mapping[str, str] | None = None) -> TeamDraft:
    """Return a suggested team: the strongest starters, or the given court, with a deck that covers every position.

    What the catalogue cannot give stays empty.
    """
    draft = TeamDraft(dict(court) if court else fill_positions(cards, by_strength(cards, starters(cards))))
    if not rules.solo:
        draft.bench = _suggest_bench(cards, rules, draft)
    wanted = min(rules.deck - len(draft.bench), rules.tactics[-1])
    draft.tactics = _suggest_tactics(cards, rules, draft, wanted)
    return draft


def fill_positions(cards: Cards, ids: Sequence[str]) -> dict[str, str]:
    """Return position → card with as many positions filled as possible; cards earlier in the list come first.

    A card takes a place if the cards already placed can make room (augmenting paths of a bipartite matching).
    """
    placed: dict[str, str] = {}
    for id in ids:
        _place(cards, id, placed, set())
    return {position: placed[position] for position in POSITIONS if position in placed}


def _place(cards: Cards, id: str, placed: dict[str, str], tried: set[str]) -> bool:
    for position in POSITIONS:
        if position in tried or position not in cards[id]["positions"]:
            continue
        tried.add(position)
        if position not in placed or _place(cards, placed[position], placed, tried):
            placed[position] = id
            return True
    return False


def by_strength(cards: Cards, ids: Iterable[str]) -> list[str]:
    """Return player cards by the sum of their values, the strongest first."""
    return sorted(ids, key=lambda id: -sum(int(cards[id].get(stat, 0)) for stat in STATS))


def _suggest_bench(cards: Cards, rules: TeamRules, draft: TeamDraft) -> list[str]:
    """Return seven substitutes, or as many as there are: one for each position first, then the strongest."""
    ranked = by_strength(cards, (id for id in substitutes(cards, rules) if id not in draft.court.values()))
    kept = [id for id in ranked if id in rules.kept]
    covering = fill_positions(cards, ranked).values()
    return list(dict.fromkeys((*kept, *covering, *ranked)))[:BENCH]


def _suggest_tactics(cards: Cards, rules: TeamRules, draft: TeamDraft, wanted: int) -> list[str]:
    """Return base tactics: three offensive ones of five where there are both types, different ones first."""
    ranked = {type_: _ranked_tactics(cards, rules, draft, type_) for type_ in TYPES}
    if not any(ranked.values()):
        return []
    offences = OFFENCE_SHARE * wanted // BASE_TACTIC_COUNT
    if not ranked["offence"] or not ranked["defence"]:
        offences = wanted if ranked["offence"] else 0
    counts = {"offence": offences, "defence": wanted - offences}
    return [id for type_ in TYPES for id in _in_turn(ranked[type_], rules.kept, counts[type_])]


def _in_turn(ranked: Sequence[str], kept: Sequence[str], count: int) -> list[str]:
    """Return so many tactics: the kept ones as often as they were kept, then the others over and over."""
    base = [id for id in ranked if id not in kept]
    return [*(id for id in kept if id in ranked), *islice(cycle(base), count)][:count]


def _ranked_tactics(cards: Cards, rules: TeamRules, draft: TeamDraft, type_: str) -> list[str]:
    """Return the tactics of a type: first those that the court reaches, by the dice that it keeps."""

    def rank(id: str) -> tuple[bool, int]:
        keep: Mapping[str, Any] = cards[id].get("keep", {})
        dice = sum(min(int(count), draft.total(cards, skill)) for skill, count in keep.items())
        out_of_reach = int(cards[id].get("complexity", 0)) > draft.total(cards, "iq")
        return out_of_reach, -dice

    return sorted(base_tactics(cards, rules, type_), key=rank)


def _position(position: str) -> Message:
    return Message(f"nba.position.{position}")


def _message(name: str, **args: object) -> Message:
    return Message(f"app.nba.team.{name}", args)
