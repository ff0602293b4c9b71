"""The progress of a squad under construction: its members, the formations it can field, what is missing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from companion.games.base import Message
from companion.games.catalogue import Row
from companion.games.footclub.catalogues import COACH, GOALKEEPER, PLAYER
from companion.games.footclub.tables import FORMATIONS, POSTS, SQUAD_SIZE, Formation


@dataclass(frozen=True, slots=True)
class SquadStatus:
    """The coach's and goalkeeper's names (None if missing), the player counts by post and in total, and the stars.

    `formations` are those that the squad can field (FC-3.2, FC-3.6); `missing` lists what the squad needs to become a
    club.
    """

    coach: str | None
    goalkeeper: str | None
    players: int
    stars: int
    posts: Counter[str]
    formations: tuple[Formation, ...]
    missing: tuple[Message, ...]


def squad_status(rows: Sequence[Row]) -> SquadStatus:
    """Return the standing of the squad that these cards make; rows with missing values count as far as possible."""
    names = {sort: _first_name(rows, sort) for sort in (COACH, GOALKEEPER)}
    players = [row for row in rows if row.get("sort") == PLAYER]
    able = [_posts(row) for row in players]
    unfilled = {formation: _unfilled(formation, able) for formation in sorted(FORMATIONS)}
    formations = tuple(formation for formation, posts in unfilled.items() if not posts)
    missing = [_needed(sort, "FC-1.11") for sort, name in names.items() if name is None]
    missing += _wrong_size(len(players))
    if not formations:
        short = min(unfilled.values(), key=lambda posts: sum(posts.values()))
        missing.append(Message("catalogues.squad.posts", {"posts": _post_counts(short), "rule": "FC-3.2"}))
    stars = sum(row["level"] for row in players if isinstance(row.get("level"), int))
    posts = Counter(post for posts in able for post in posts)
    return SquadStatus(names[COACH], names[GOALKEEPER], len(players), stars, posts, formations, tuple(missing))


def _wrong_size(count: int) -> list[Message]:
    """Return what a squad with this many players has too few or too many of (FC-1.11)."""
    least, most = SQUAD_SIZE
    if count < least:
        return [Message("catalogues.squad.few", {"n": least - count, "rule": "FC-1.11"})]
    if count > most:
        return [Message("catalogues.squad.many", {"n": count - most, "rule": "FC-1.11"})]
    return []


def disabled_reason(row: Row, rows: Sequence[Row], most: int = SQUAD_SIZE[1]) -> Message | None:
    """Return why a card cannot join these: a second coach or goalkeeper, too many players, a duplicate id.

    None if it can.
    """
    if any(row["id"] == other.get("id") for other in rows):
        return Message("catalogues.squad.there", {"name": _name(row)})
    same = sum(other.get("sort") == row["sort"] for other in rows)
    if row["sort"] == PLAYER:
        return Message("catalogues.squad.full", {"most": most}) if same >= most else None
    return Message("catalogues.squad.one", {"sort": Message(f"catalogues.sort.{row['sort']}")}) if same else None


def _name(row: Row) -> str:
    return str(row.get("name") or row.get("id", ""))


def _first_name(rows: Sequence[Row], sort: str) -> str | None:
    return next((_name(row) for row in rows if row.get("sort") == sort), None)


def _posts(row: Row) -> tuple[str, ...]:
    return tuple(post for post in row.get("posts", ()) if post in POSTS)


def _needed(sort: str, rule: str) -> Message:
    return Message("catalogues.squad.needed", {"sort": Message(f"catalogues.sort.{sort}"), "rule": rule})


def _post_counts(posts: Counter[str]) -> Message:
    """Join posts with their counts by commas."""
    counts = [
        Message("catalogues.squad.count", {"count": posts[post], "post": Message(f"footclub.post.{post}")})
        for post in POSTS
        if posts[post]
    ]
    text = counts[-1]
    for word in reversed(counts[:-1]):
        text = Message("catalogues.words", {"first": word, "rest": text})
    return text


def _unfilled(formation: Formation, able: Sequence[tuple[str, ...]]) -> Counter[str]:
    """Return the posts of a formation that stay unfilled when as many as possible are filled."""
    spots = [post for post, count in zip(POSTS, formation, strict=True) for _ in range(count)]
    holder: dict[int, int] = {}

    def place(player: int, tried: set[int]) -> bool:
        for spot, post in enumerate(spots):
            if post not in able[player] or spot in tried:
                continue
            tried.add(spot)
            if spot not in holder or place(holder[spot], tried):
                holder[spot] = player
                return True
        return False

    for player in range(len(able)):
        place(player, set())
    return Counter(post for spot, post in enumerate(spots) if spot not in holder)
