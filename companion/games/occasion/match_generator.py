"""Random headers and cards for random matches: fictional clubs, players and chance cards."""

from __future__ import annotations

from random import Random

from companion.games.base import JsonObject
from companion.games.occasion.tables import CROSS, DEFAULT_POSTS, SIDES, WALL

TOWNS = ("Aubrelle", "Brévins", "Castelmont", "Dornac", "Esquières", "Fontbrune", "Grandlac", "Hautval")
NAMES = ("Aline", "Bastien", "Cléo", "Damien", "Elsa", "Farid", "Gaël", "Hugo", "Inès", "Jonas", "Karim", "Lou", "Maya")
ABILITIES = ("vision", "sprint", "sang-froid", "tacle appuyé")
CHANCE_NAMES = ("aile gauche", "aile droite", "plein axe", "contre", "corner", "longue balle", "une-deux")
CUSTOM_POSTS = {"G": "but", "D": "arrière", "DG": "arrière", "M": "milieu", "MG": "milieu", "A": "avant", "AG": "avant"}


def random_header(random: Random) -> JsonObject:
    """Return a header with fictional clubs and a legal setup; sometimes one without any cards."""
    names = {side: {"name": f"FC {town}"} for side, town in zip(SIDES, random.sample(TOWNS, 2), strict=True)}
    header: JsonObject = {"journal": 1, "game": "occasion", "sides": names}
    if random.random() < 0.02:
        return header
    setup: JsonObject = {}
    if random.random() < 0.7:
        setup["first_attack"] = random.choice(SIDES)
    posts = tuple(DEFAULT_POSTS)
    if random.random() < 0.3:
        posts = tuple(CUSTOM_POSTS)
        setup["posts"] = dict(CUSTOM_POSTS)
    setup["players"] = {
        side: {f"{side[0]}{n}": random_player_card(random, posts) for n in range(1, random.randint(7, 14))}
        for side in SIDES
    }
    setup["occasions"] = {f"c{n}": random_chance_card(random, posts) for n in range(1, random.randint(3, 7))}
    setup["visible"] = {
        side: random.sample(sorted(setup["occasions"]), 2 if random.random() < 0.8 else 1)
        for side in SIDES
        if random.random() < 0.9
    }
    if random.random() < 0.7:
        setup["goals_to_win"] = random.choice((None, 1, 2, 3, 5))
    return {**header, "setup": setup}


def random_player_card(random: Random, posts: tuple[str, ...]) -> JsonObject:
    """Return a random player's card."""
    card: JsonObject = {"post": random.choice(posts)}
    card |= {stat: random.randint(0, 7) for stat in ("pass", "dribble", "int", "tak")}
    if random.random() < 0.8:
        card["name"] = f"{random.choice(NAMES)} {random.choice(TOWNS)}"
    abilities = [ability for ability in (CROSS, WALL) if random.random() < 0.3]
    abilities += random.sample(ABILITIES, random.choice((0, 0, 1, 2)))
    if abilities or random.random() < 0.2:
        card["abilities"] = abilities
    return card


def random_chance_card(random: Random, posts: tuple[str, ...]) -> JsonObject:
    """Return a random chance card of two to four rows, the highest one with shooting zones only."""
    levels = sorted(random.sample(range(1, 7), random.randint(2, 4)))
    zones: list[JsonObject] = []
    for level in levels:
        for _ in range(random.choice((1, 1, 2, 3))):
            zone = {"id": f"z{len(zones) + 1}", "row": level}
            shot = level == levels[-1] or random.random() < 0.1
            zones.append({**zone, **_posts(random, posts), **({"shot": True} if shot else {})})
    for zone in zones:
        if random.random() < 0.25:
            higher = [other["id"] for other in zones if other["row"] >= zone["row"] and other is not zone]
            if higher or zone.get("shot"):
                zone["next"] = random.sample(higher, min(len(higher), random.randint(1, 2)))
    random.shuffle(zones)
    return {"name": random.choice(CHANCE_NAMES).capitalize(), "zones": zones}


def _posts(random: Random, posts: tuple[str, ...]) -> JsonObject:
    """Return the posts of a zone: for both sides, for one each, or for none.

    A match may have only one post, or none.
    """
    kind = random.random()
    if kind < 0.1:
        return {}
    found: JsonObject = {"attack_posts": random.sample(posts, min(len(posts), random.randint(1, 2)))}
    if kind < 0.6:
        found["defence_posts"] = random.sample(posts, min(len(posts), random.randint(0, 2)))
    return found
