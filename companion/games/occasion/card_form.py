"""A new card as a form: what is asked field by field, the card that the answers make, the field a refusal is about."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from companion.games.base import Ask, Message, Option
from companion.games.occasion import invention
from companion.games.occasion.cards import Chance, PlayerCard
from companion.games.occasion.state import State
from companion.games.occasion.tables import CROSS, DEFAULT_POSTS, STATS, WALL, Side, index_of
from companion.games.occasion.words import ability, post, word
from companion.games.wording import literal

MOST_POINTS = 20
"""Points that the form counts up to: the rules know no limit, cards that are printed do."""
MOST_ROWS = 9

Answers = Mapping[str, Any]
"""What was answered so far, by the field of each ask."""


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

    def part_fields(self, parts: Sequence[Answers], at: int) -> tuple[Ask, ...]:
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

    def fields_of(self, answers: Answers, parts: Sequence[Answers]) -> dict[str, Any]:
        """`id` and `card` as the event wants them."""
        card = {ask.field: answers[ask.field] for ask in self.fields if ask.field in answers}
        id = card.pop("id", "")
        other = card.pop("ability", None)
        if other is not None:
            card["abilities"] = [*card.get("abilities", []), other]
        if self.parts:
            card["zones"] = [dict(part) for part in parts]
        return {"id": id, "card": card}

    def answers_of(self, fields: Answers) -> tuple[dict[str, Any], list[dict[str, Any]]]:
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

    def invent(self, random: Random) -> dict[str, Any] | None:
        """`id` and `card` of an invented card, its id a number that no card has; None for a player without a post."""
        if not self.parts and not self.posts:
            return None
        made = invention.occasion if self.parts else invention.player
        return {"id": str(_free(self.taken)), "card": made(random, self.posts)}

    def part_title(self, part: Answers) -> Message:
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
