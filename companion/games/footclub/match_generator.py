"""Random headers for random matches: fictional clubs, squads that can field a team, sometimes a market."""

from __future__ import annotations

from random import Random

from companion.games.base import JsonObject
from companion.games.footclub.tables import (
    COLOURS,
    COPIES,
    FORMATIONS,
    KOPS,
    PLACES,
    POSTS,
    PROFILES,
    RIBBON_WIDTH,
    SIDES,
    STRENGTHS,
    VERSATILE_POSTS,
)

TOWNS = ("Aubrelle", "Brévins", "Castelmont", "Dornac", "Esquières", "Fontbrune", "Grandlac", "Hautval")
FIRST_NAMES = ("Aline", "Bastien", "Cléo", "Damien", "Elsa", "Farid", "Gaël", "Hugo", "Inès", "Jonas", "Karim", "Lou")
LAST_NAMES = ("Abrial", "Besson", "Carlier", "Delmas", "Escot", "Fabre", "Garin", "Hamel", "Isnard", "Jaffré", "Kern")
SIMPLE_STRENGTHS = tuple(strength for strength in STRENGTHS if strength != "versatile")
BOX_LEVELS = (5,) * 8 + (4,) * 12 + (3,) * 24
"""Levels of the 44 outfield players of the box (FC-1.2)."""


def random_header(random: Random) -> JsonObject:
    """Return a header with two fictional clubs and a legal setup; the same random numbers give the same header."""
    towns = random.sample(TOWNS, 2)
    setup: JsonObject = {"home": random.choice(SIDES), "kop": random.choice(KOPS)}
    setup["format"] = random.choice(("single", "single", "single", "league", "leg1", "leg2", "leg2"))
    if random.random() < 0.3:
        setup["options"] = {"kop_attack_bonus": random.choice((1, 2))}
    catalogue: JsonObject = {}
    if random.random() < 0.3:
        catalogue["match_cards"] = _match_cards(random)
    market = random.random() < 0.15
    if market:
        setup["market"] = True
        catalogue["team_cards"] = team_cards(random)
        pool = [card["id"] for card in catalogue["team_cards"]["players"]]
    else:
        setup["squads"] = {side: squad(random, side) for side in SIDES}
        pool = [card["id"] for side in SIDES for card in setup["squads"][side]["players"][10:]]
        if setup["format"] == "leg2":
            catalogue["team_cards"] = {"players": [player(random, f"t{n}", 5 if n < 4 else 4) for n in range(10)]}
    if catalogue:
        setup["catalogue"] = catalogue
    if setup["format"] == "leg2":
        setup["first_leg"] = _first_leg(random, pool)
    if random.random() < 0.5:
        setup["options"] = {**setup.get("options", {}), "consent": True}
    names = {side: {"name": f"FC {town}"} for side, town in zip(SIDES, towns, strict=True)}
    return {"journal": 1, "game": "footclub", "sides": names, "setup": setup}


def _first_leg(random: Random, pool: list[str]) -> JsonObject:
    marked = random.sample(pool, min(3, len(pool)))
    leg: JsonObject = {"score": {side: random.choice((0, 0, 1, 1, 2)) for side in SIDES}}
    for key, id in zip(("suspended", "booked", "injured"), marked, strict=False):
        if random.random() < 0.6:
            leg[key] = [id]
    return leg


def squad(random: Random, side: str) -> JsonObject:
    """Return a squad whose first ten players fill a formation, so that it can always field a team."""
    formation = random.choice(sorted(FORMATIONS))
    posts = [post for post, count in zip(POSTS, formation, strict=True) for _ in range(count)]
    extra = random.choice((0, 2, 5, 5, 5, 7))
    posts += [random.choice(POSTS) for _ in range(extra)]
    levels = [5, 5, 4, 4, 4] + [random.choice((3, 3, 3, 2, 1)) for _ in posts[5:]]
    random.shuffle(levels)
    cards = enumerate(zip(posts, levels, strict=True))
    players = [player(random, f"{side[0]}{n}", level, post) for n, (post, level) in cards]
    stars = random.randint(3, 5)
    coach = {"id": f"{side[0]}-coach", "level": stars, **_style(random, players[:10])}
    return {"coach": coach, "goalkeeper": {"id": f"{side[0]}-gk", "level": 8 - stars}, "players": players}


def player(random: Random, id: str, level: int, post: str | None = None) -> JsonObject:
    """Return a fictional outfield player, of a given post or of any post."""
    name = f"{random.choice(FIRST_NAMES)} {random.choice(LAST_NAMES)}"
    post = post or random.choice(POSTS)
    card: JsonObject = {"id": id, "name": name, "posts": [post], "level": level}
    kind = random.random()
    if kind < 0.2:
        return {**card, "profiles": random.sample(PROFILES, 2)}
    card["profiles"] = [random.choice(PROFILES)]
    both = next((sorted(pair) for pair in VERSATILE_POSTS if post in pair), None)
    if kind < 0.4 and both is not None:
        return {**card, "posts": both, "strength": "versatile"}
    return {**card, "strength": random.choice((*SIMPLE_STRENGTHS, None))}


def _style(random: Random, players: list[JsonObject]) -> JsonObject:
    """Return a coach's style; in half of the cases these players match it exactly."""
    liked = [card["profiles"][0] for card in players]
    if random.random() < 0.5:
        liked = random.choices(PROFILES, k=10)
    style = {profile: liked.count(profile) for profile in PROFILES}
    highest = [profile for profile in PROFILES if style[profile] == max(style.values())]
    return {"style": style, "preferred": random.choice(highest)}


def team_cards(random: Random) -> JsonObject:
    """Return the team cards of a full box: 3 coaches, 3 goalkeepers, 44 players (FC-1.2)."""
    posts = [post for post in POSTS for _ in range(9)][: len(BOX_LEVELS)]
    random.shuffle(posts)
    players = [
        player(random, f"E{n:02d}", level, post)
        for n, (level, post) in enumerate(zip(BOX_LEVELS, posts, strict=True), start=7)
    ]
    coaches = [{"id": f"E{n:02d}", "level": n + 2, **_style(random, players[n : n + 10])} for n in (1, 2, 3)]
    goalkeepers = [{"id": f"E{n:02d}", "level": n - 1} for n in (4, 5, 6)]
    return {"coaches": coaches, "goalkeepers": goalkeepers, "players": players}


def _match_cards(random: Random) -> JsonObject:
    types = [type_ for type_, copies in COPIES.items() for _ in range(copies)]
    random.shuffle(types)
    cards: JsonObject = {}
    for number in sorted(random.sample(range(1, 43), random.randint(10, 42))):
        type_ = types[number - 1]
        card: JsonObject = {"type": type_}
        if type_ in RIBBON_WIDTH:
            card["ribbon"] = ribbon(random, RIBBON_WIDTH[type_])
        cards[str(number)] = card
    return cards


def ribbon(random: Random, width: int) -> list[object]:
    """Return six random sections of `width` places each."""
    if width == 1:
        return random.choices(PLACES, k=len(COLOURS))
    return [random.choices(PLACES, k=width) for _ in COLOURS]
