"""Who and what each side plays with, by game, and what a person of a match is called. Nothing that is secret. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from companion.games.base import Message
from companion.games.footclub import words_people
from companion.games.footclub.scene import board as footclub_board
from companion.games.footclub.scene_board import BoardPlayer as Footballer
from companion.games.nba.scene import board as nba_board
from companion.games.nba.words import card as nba_card
from companion.games.occasion.words import player_name, post


@dataclass(frozen=True, slots=True)
class Member:
    """Somebody or a card of a side: the post, the name, what there is to say besides."""

    role: Message
    name: str
    notes: tuple[Message, ...] = ()


@dataclass(frozen=True, slots=True)
class Group:
    """Members that belong together: those on the pitch, the bench, a court, tactics."""

    title: Message
    members: tuple[Member, ...]


LineUp = Mapping[str, tuple[Group, ...]]
"""The groups of each side; none for a game that has no such cards, or before they are known."""


def line_up(game_id: str, state: Any) -> LineUp:
    """The line-ups, courts or cards of a situation."""
    return _LINE_UPS[game_id](state)


def person(game_id: str, state: Any, side: str, id: str) -> str:
    """What the players call somebody of a side; the id if nothing else is known."""
    return _PEOPLE[game_id](state, side, id)


def _footclub(state: Any) -> LineUp:
    found = {}
    for side in footclub_board(state).clubs:
        groups = []
        if side.lineup:
            on_pitch = tuple(_footballer(one) for _, line in side.lineup for one in line)
            groups.append(Group(Message("report.group.formation", {"formation": side.formation or ""}), on_pitch))
        if side.lineup and side.bench:
            groups.append(Group(Message("report.group.bench"), tuple(_footballer(one) for one in side.bench)))
        found[side.side] = tuple(groups)
    return found


def _footballer(player: Footballer) -> Member:
    notes = [Message("report.note.level", {"level": player.level})]
    if player.captain:
        notes.append(Message("report.note.captain"))
    if player.yellow:
        notes.append(Message("report.note.yellow", {"n": player.yellow}))
    if player.injury:
        notes.append(Message("report.note.injury"))
    if player.status in ("sent_off", "injured_off", "suspended"):
        notes.append(Message(f"report.note.{player.status}"))
    return Member(Message(f"footclub.post.{player.post}"), player.name, tuple(notes))


def _nba(state: Any) -> LineUp:
    found = {}
    for side in nba_board(state).sides:
        court = tuple(Member(Message(f"nba.position.{one.position}"), one.name) for one in side.court)
        tactics = tuple(Member(Message(f"nba.type.{one.type}"), one.name) for one in side.tactics)
        groups = (Group(Message("report.group.court"), court), Group(Message("report.group.tactics"), tactics))
        found[side.side] = tuple(group for group in groups if group.members)
    return found


def _occasion(state: Any) -> LineUp:
    found = {}
    for side, cards in zip(("home", "away"), state.players, strict=True):
        members = tuple(Member(post(state, card.post), card.name) for card in cards.values())
        found[side] = (Group(Message("report.group.cards"), members),) if members else ()
    return found


def _nothing(state: Any) -> LineUp:
    return {}


_LINE_UPS: Mapping[str, Callable[[Any], LineUp]] = {
    "footclub": _footclub,
    "hoops21": _nothing,
    "nba": _nba,
    "occasion": _occasion,
}

_PEOPLE: Mapping[str, Callable[[Any, str, str], str]] = {
    "footclub": lambda state, _, id: words_people.full_name(state, id),
    "hoops21": lambda _, __, id: id,
    "nba": lambda state, _, id: nba_card(state, id),
    "occasion": lambda state, side, id: player_name(state, id, "home" if side == "home" else "away"),
}
