"""What a first leg decides about the second, and the players offered to the clubs between the legs (chapter 16)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from companion.games.base import Fields, JsonObject, Message
from companion.games.footclub.legs import OFFERED, carry_over
from companion.games.footclub.messages import full_name
from companion.games.footclub.state import State
from companion.games.footclub.tables import SIDES, Side, index_of
from companion.games.wording import comma_separated, literal


def second_leg(header: Fields, state: State) -> JsonObject | None:
    """Return the `sides` and `setup` of the second leg as far as the first leg decides them (FC-16.1 to FC-16.5).

    Returns None if the match is no first leg or is not over. The kop is left to the club now at home.
    """
    carried = carry_over(state)
    if state.phase != "finished" or carried is None or not state.clubs:
        return None
    setup: JsonObject = {
        "home": state.setup.away,
        "format": "leg2",
        "squads": header["setup"].get("squads") or _squads(header, state),
        "first_leg": {**carried, "score": dict(zip(SIDES, state.score, strict=True))},
    }
    setup.update({key: header["setup"][key] for key in ("options",) if key in header["setup"]})
    return {"sides": {side: dict(header["sides"][side]) for side in SIDES}, "setup": setup}


CARRIED = ("suspended", "booked", "injured")
"""What passes from a first leg to the second, in the order of the rules (FC-16.3 to FC-16.5)."""


def carried(state: State) -> tuple[Message, ...]:
    """Return who misses the second leg, who begins it with a half card and who with an injury, one sentence each."""
    facts = carry_over(state) or {}
    return tuple(
        Message(f"footclub.carried.{fact}", {"players": comma_separated([literal(full_name(state, id)) for id in ids])})
        for fact in CARRIED
        if (ids := facts.get(fact))
    )


def person_marks(state: State) -> dict[tuple[str, str], dict[str, int]]:
    """Return the cards and serious injuries of each player who has any, by side and id."""
    found = {}
    for club in state.clubs:
        for id, player in club.players.items():
            sent_off, injured = player.status == "sent_off", player.left_from is not None
            marks = {"yellow": player.yellow, "red": int(sent_off), "injured": int(injured)}
            if any(marks.values()):
                found[str(club.side), id] = {mark: n for mark, n in marks.items() if n}
    return found


def _squads(header: Fields, state: State) -> JsonObject:
    """Return the squads that a market has made (FC-2.7), as the catalogue of the header describes the cards."""
    lists: Mapping[str, Sequence[Fields]] = header["setup"]["catalogue"]["team_cards"]
    cards = {card["id"]: dict(card) for kind in lists.values() for card in kind}
    return {
        club.side: {
            "coach": cards[club.coach.id],
            "goalkeeper": cards[club.goalkeeper.id],
            "players": [cards[id] for id in club.players],
        }
        for club in state.clubs
    }


def unowned_players(state: State, side: Side) -> dict[int, list[str]]:
    """Return the players that may be offered to a club, by level: in no squad, not offered to the other (FC-16.6)."""
    taken = {id for club in state.clubs for id in club.players}.union(*state.offers)
    found: dict[int, list[str]] = {level: [] for level in OFFERED}
    for card in state.setup.team_cards.players:
        if card.level in OFFERED and card.id not in taken:
            found[card.level].append(card.id)
    return found


def may_transfer(state: State, side: Side) -> bool:
    """Return True if a club may still be offered players: before its team sheet, and enough cards are left."""
    if state.setup.format != "leg2" or state.offers[index_of(side)] or state.club(side).lineup is not None:
        return False
    return all(len(ids) >= OFFERED[level] for level, ids in unowned_players(state, side).items())


def draw_offer(state: State, side: Side, random: Random) -> tuple[str, ...]:
    """Return the five players offered to a club, drawn by lot, the best first (FC-16.6).

    Raises: ValueError if too few are left (`may_transfer`).
    """
    found = unowned_players(state, side)
    return tuple(id for level in sorted(OFFERED, reverse=True) for id in random.sample(found[level], OFFERED[level]))
