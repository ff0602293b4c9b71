"""Random headers for random matches: fictional cards, courts that can play them, every variant."""

from __future__ import annotations

from random import Random

from companion.games.base import JsonObject
from companion.games.nba.tables import (
    BASE_TACTIC_COUNT,
    BENCH,
    COACH_POWERS,
    COLOURS,
    DEFENCE,
    MINI_MARKET_SIZE,
    OFFENCE,
    POSITIONS,
    SIDES,
    SIX_NINE,
    SKILLS,
    SKILLS_OF,
    SOLO_PROFILES,
    STATS,
    TYPES,
    UNKNOWN_COLOUR,
)

SIDE_NAMES = ("Aurore", "Bilal", "Capucine", "Djibril")
FIRST_NAMES = ("Anton", "Basile", "Carl", "Denis", "Ezra", "Félix", "Goran", "Hakim", "Ivan", "Jules", "Kofi", "Luka")
LAST_NAMES = ("Alder", "Brooks", "Carver", "Dalton", "Easton", "Fulton", "Grover", "Harlan", "Ingram", "Jarvis")
TOWNS = ("Belmont", "Clayton", "Dover", "Elmira", "Fargo", "Grafton", "Hanover", "Juneau", "Keene", "Laredo")
SHORT_MARKET_SIZES = (6, 8, 8, 10, 12)
SPARE_PLAYERS = 24
"""The number of NBA players beyond those of the market: for personal markets and the solo opponent's choice."""


def random_header(random: Random) -> JsonObject:
    """Return a header with fictional sides and a legal setup; the same random numbers give the same header."""
    count = random.choice((2, 2, 2, 2, 3, 4))
    sides = SIDES[:count]
    setup: JsonObject = {"level": random.choice(("scores", "full", "full", "full"))}
    solo = count == 2 and setup["level"] == "full" and random.random() < 0.3
    cards = _duration(setup, random, count)
    variants = _variants(random, solo)
    if random.random() < 0.7 or solo:
        setup["variants"] = variants
    _options(setup, random, sides)
    if setup["level"] == "full":
        _full(setup, random, sides, cards)
    if solo:
        setup["solo"] = _solo(random, random.choice(sides))
    names = {side: {"name": name} for side, name in zip(sides, SIDE_NAMES, strict=False)}
    return {"journal": 1, "game": "nba", "sides": names, "setup": setup}


def _duration(setup: JsonObject, random: Random, count: int) -> int:
    """Set the length of the match, mostly short; returns the number of market cards."""
    if random.random() < 0.15:
        setup["duration"] = "short"
        return 12 * count // 2
    cards = random.choice(SHORT_MARKET_SIZES)
    setup["market_cards"] = cards
    if random.random() < 0.2:
        setup["clock"] = "market"
    return cards


def _variants(random: Random, solo: bool) -> JsonObject:
    chosen: JsonObject = {key: random.random() < 0.35 for key in ("team_selection", "draft", "money_time", "decisive")}
    if not solo and random.random() < 0.4:
        chosen["mismatch"] = random.randint(0, 5)
    return chosen


def _options(setup: JsonObject, random: Random, sides: tuple[str, ...]) -> None:
    if random.random() < 0.5:
        setup["first"] = random.choice(sides)
    if random.random() < 0.3:
        setup["fatigue"] = {"cards": random.randint(0, 12), "removed_to": random.choice(("pile", "box"))}
    if random.random() < 0.5:
        setup["coaches"] = {side: _coach(random) for side in sides if random.random() < 0.8}
    if random.random() < 0.4:
        setup["dice_set"] = _dice_set(random)


def _coach(random: Random) -> JsonObject:
    power = random.choice(COACH_POWERS)
    coach: JsonObject = {"power": power}
    if power == "second_tactic" and random.random() < 0.5:
        coach["extra"] = random.randint(0, 2)
    if power == "discount":
        coach |= {"skill": random.choice(STATS), "min": random.randint(0, 3)}
    if power == "reroll":
        coach["die"] = random.choice(SKILLS)
    return coach


def _dice_set(random: Random) -> JsonObject:
    """Return a set with varying marks, sometimes with all colours of one kind known."""
    chosen: JsonObject = {"id": "at-the-table", "six_nine": random.choice(SIX_NINE)}
    if random.random() < 0.6:
        faces: list[JsonObject] = [{"value": 0}]
        faces += [{"value": value, "colour": random.choice((*COLOURS, UNKNOWN_COLOUR))} for value in (1, 1, 2, 2, 4)]
        chosen["faces"] = {"interception": faces}
    return chosen


def _full(setup: JsonObject, random: Random, sides: tuple[str, ...], cards: int) -> None:
    """Add catalogue, rosters and, sometimes, the deck of the player market."""
    variants = setup.get("variants", {})
    market = [f"n{index}" for index in range(cards)]
    spare = [f"x{index}" for index in range(SPARE_PLAYERS)]
    catalogue: JsonObject = {}
    for index, position in enumerate(POSITIONS):
        catalogue[f"s{index}"] = _player(random, "starter", 0, 2, [position], 6)
    for index in range(BENCH):
        catalogue[f"r{index}"] = _player(random, "substitute", 0, 1, [POSITIONS[index % 5]], 3)
    costs = sorted([3, 3, 4, 5, *(random.randint(1, 9) for _ in range(cards - 4))])
    for id, cost in zip(market, costs, strict=True):
        catalogue[id] = _player(random, "nba", cost, 1 + cost // 2, None, 4 + cost)
    for id in spare:
        cost = random.randint(2, 6)
        catalogue[id] = _player(random, "nba", cost, 2, None, 4 + cost)
    catalogue |= _tactics(random)
    setup["cards"] = catalogue
    draft = variants.get("draft", False)
    setup["rosters"] = {
        side: _roster(
            random,
            variants.get("team_selection", False),
            spare[n * MINI_MARKET_SIZE : (n + 1) * MINI_MARKET_SIZE] if draft else None,
        )
        for n, side in enumerate(sides)
    }
    if random.random() < 0.4:
        setup["market_list"] = random.sample(market, cards) if draft else market
    if random.random() < 0.2:
        _keep(setup, random, sides)


def _player(random: Random, role: str, cost: int, value: int, positions: list[str] | None, strength: int) -> JsonObject:
    """Return a fictional player card with `strength` points spread over its values."""
    card: JsonObject = {
        "kind": "player",
        "name": f"{random.choice(FIRST_NAMES)} {random.choice(LAST_NAMES)}",
        "positions": positions or random.sample(POSITIONS, random.choice((1, 2, 2))),
        "role": role,
        "cost": cost,
        "value": value,
        "decisive": random.random() < 0.2,
        "iq": 1,
    }
    for _ in range(strength):
        stat = random.choice(STATS)
        card[stat] = card.get(stat, 0) + 1
    return card


def _tactics(random: Random) -> JsonObject:
    """Return base tactics of one skill in offence and two in defence, and more expensive ones that keep more dice."""
    cards: JsonObject = {}
    for index, skill in enumerate(OFFENCE):
        cards[f"b{index}"] = _tactic(f"Base {TOWNS[index]}", "offence", 3, 0, {skill: 2}, base=True)
    for index, (one, two) in enumerate((DEFENCE[::2], DEFENCE[1:])):
        keep = {one: 1, two: 1}
        cards[f"b{index + 3}"] = _tactic(f"Base {TOWNS[index + 3]}", "defence", 1, 0, keep, base=True)
    for index in range(10):
        type_ = random.choice(TYPES)
        skills = random.sample(SKILLS_OF[type_], random.choice((1, 2, 2, 3)))
        keep = {skill: random.randint(1, 3) for skill in skills}
        cost = 1 + sum(keep.values()) // 2
        cards[f"t{index}"] = _tactic(TOWNS[index], type_, random.randint(2, 9), cost, keep)
    return cards


def _tactic(name: str, type_: str, complexity: int, cost: int, keep: dict[str, int], base: bool = False) -> JsonObject:
    card = {"kind": "tactic", "name": name, "type": type_, "complexity": complexity, "cost": cost}
    return {**card, "value": 1 + cost // 2, "keep": keep, "base": base}


def _roster(random: Random, chosen: bool, mini: list[str] | None) -> JsonObject:
    roster: JsonObject = {"court": {position: f"s{index}" for index, position in enumerate(POSITIONS)}}
    bench = [f"r{index}" for index in range(BENCH)]
    tactics = [f"b{index}" for index in range(BASE_TACTIC_COUNT)]
    if chosen:
        tactics += random.choices(tactics, k=random.randint(0, 2))
        bench = random.sample(bench, 12 - len(tactics))
    roster |= {"bench": bench, "tactics": tactics}
    if mini is not None:
        roster["mini"] = mini
    return roster


def _keep(setup: JsonObject, random: Random, sides: tuple[str, ...]) -> None:
    """Make it a later stage: one side has kept a player in the place of a substitute (NBA-13.2)."""
    side = random.choice(sides)
    kept = f"x{SPARE_PLAYERS - 1}"
    setup["rosters"][side]["bench"][0] = kept
    setup["legacy"] = {"stage": random.randint(2, 4), "threshold": 6, "kept": {side: [kept]}}


def _solo(random: Random, side: str) -> JsonObject:
    solo: JsonObject = {"side": side}
    if random.random() < 0.7:
        solo["resources"] = random.choice((0, 2, 4))
    if random.random() < 0.6:
        solo["profile"] = random.choice((*SOLO_PROFILES, {stat: random.randint(0, 3) for stat in STATS}))
    return solo
