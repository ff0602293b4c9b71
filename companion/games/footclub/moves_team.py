"""Random team sheets and changes for the random player: line-ups the rules allow, found without trying them all."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from random import Random
from typing import Any

from companion.games.footclub.match_cards import pile_size, reserve
from companion.games.footclub.state import Club, Lineup, State
from companion.games.footclub.tables import FORMATIONS, POSTS, TYPES, Formation
from companion.games.footclub.team import captains

MOST_TRIED = 40
"""Substitutions looked at before the random player gives a change up."""


def team_sheet(club: Club, random: Random) -> dict[str, Any] | None:
    """A legal team sheet, or None if the squad cannot field a team."""
    able = [player.card for player in club.players.values() if player.status == "bench"]
    formations = sorted(FORMATIONS)
    random.shuffle(formations)
    by_posts: dict[tuple[str, ...], list[str]] = {}
    for card in random.sample(able, len(able)):
        by_posts.setdefault(tuple(sorted(card.posts)), []).append(card.id)
    lineup = next((found for formation in formations if (found := _filled(by_posts, formation)) is not None), None)
    if lineup is None:
        return None
    captain = random.choice(captains(club, [id for line in lineup for id in line]))
    return {"event": "team_sheet", "side": club.side, "lineup": _as_object(lineup), "captain": captain}


def _filled(by_posts: dict[tuple[str, ...], list[str]], formation: Formation) -> Lineup | None:
    """Players for every post of a formation: those of one post first, the versatile where they lack."""
    left = {posts: list(ids) for posts, ids in by_posts.items()}
    lines = []
    for post, count in zip(POSTS, formation, strict=True):
        line: list[str] = []
        for posts in sorted(left, key=len):
            if post in posts:
                while left[posts] and len(line) < count:
                    line.append(left[posts].pop())
        if len(line) < count:
            return None
        lines.append(tuple(line))
    return tuple(lines)


def _as_object(lineup: Lineup) -> dict[str, list[str]]:
    return {post: list(line) for post, line in zip(POSTS, lineup, strict=True) if line}


def tactics(state: State, club: Club, random: Random) -> dict[str, Any]:
    """A tactical choice within the reserve, sometimes a secret one."""
    event: dict[str, Any] = {"event": "tactics", "side": club.side}
    if random.random() < 0.2:
        return event
    cards = [type_ for type_, count in zip(TYPES, reserve(club), strict=True) for _ in range(count)]
    chosen = random.sample(cards, pile_size(state))
    return {**event, "cards": {type_: chosen.count(type_) for type_ in TYPES if type_ in chosen}}


def changes(club: Club, random: Random, must: bool = False) -> Iterator[dict[str, Any]]:
    """Changes of one player that may be legal: first of the injured who left, then (unless `must`) of anybody."""
    bench = [player.card for player in club.players.values() if player.status == "bench"]
    leaving = _leaving(club, random, must)
    if not club.replacements_left or not bench or not leaving:
        return
    tried = [(out, card) for out in leaving for card in random.sample(bench, len(bench))]
    for out, card in tried if must else tried[:MOST_TRIED]:
        place = club.place_of(out)
        same_post = place is not None and POSTS[place[0]] in card.posts
        if not (must or same_post or club.players[out].status == "injured_off"):
            continue
        yield from _arrangements(club, out, card.id, random)


def _leaving(club: Club, random: Random, must: bool) -> list[str]:
    """Those who may be replaced: the injured who left, then, unless a change must be made, anybody."""
    injured = [id for id, player in club.players.items() if player.status == "injured_off"]
    return injured if must else injured + random.sample(club.on_pitch, len(club.on_pitch))


def _arrangements(club: Club, out: str, entering: str, random: Random) -> Iterator[dict[str, Any]]:
    event: dict[str, Any] = {"event": "change", "side": club.side, "subs": [{"out": out, "in": entering}]}
    on_pitch = [id for id in club.on_pitch if id != out] + [entering]
    if club.captain in (None, out) and random.random() < 0.6:
        event["captain"] = random.choice(captains(club, on_pitch))
    if random.random() < 0.7:
        yield event
    for lineup in _lineups(club, on_pitch, random):
        yield {**event, "lineup": lineup}
    yield event


def reorganisation(club: Club, random: Random) -> Iterator[dict[str, Any]]:
    """The team arranged anew after a replacement in the same window (FC-12.5)."""
    for lineup in _lineups(club, list(club.on_pitch), random):
        yield {"event": "change", "side": club.side, "subs": [], "lineup": lineup}


def _lineups(club: Club, ids: list[str], random: Random) -> Iterator[dict[str, list[str]]]:
    """A few arrangements of these players at posts of their cards; the composition is left to the rules."""
    versatile = [id for id in ids if len(club.players[id].card.posts) == 2][:4]
    for order in list(permutations((0, 1), 2))[: 1 + bool(versatile)]:
        lineup: dict[str, list[str]] = {}
        for id in random.sample(ids, len(ids)):
            posts = club.players[id].card.posts
            post = posts[order[random.randrange(2)]] if len(posts) == 2 else posts[0]
            lineup.setdefault(post, []).append(id)
        yield lineup
