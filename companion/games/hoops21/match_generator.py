"""Random headers for random matches: fictional teams, sometimes another court, other dice, other rules."""

from __future__ import annotations

from random import Random

from companion.games.base import JsonObject
from companion.games.hoops21.tables import DEFAULT_FACES, MARKS, SIDES, SYMBOLS

TEAMS = ("Les Huppes", "Quai Nord", "Les Martinets", "Bois-Joli", "Les Comètes", "Port-Vieux", "Les Lynx", "La Butte")
TARGETS = (5, 11, 15, 31)
COURTS = (4, 8, 10, 12, 18, 24, 40)
DICE_FACES = (
    DEFAULT_FACES,
    (3, 1, 1, 1),
    (1, 2, 2, 1),
    (2, 2, 1, 1),
    (2, 0, 2, 2),
    (2, 1, 1, 2),
    (4, 1, 1, 0),
    (3, 0, 3, 0),
)
"""Faces of a die by symbol, in several versions: the players' dice may be printed differently."""


def random_header(random: Random) -> JsonObject:
    """Return a header with two fictional teams and a legal setup; the same random numbers give the same header."""
    names = random.sample(TEAMS, 2)
    sides = {side: {"name": name} for side, name in zip(SIDES, names, strict=True)}
    header: JsonObject = {"journal": 1, "game": "hoops21", "sides": sides}
    setup: JsonObject = {}
    if random.random() < 0.5:
        setup["advanced_token"] = random.random() < 0.9
    if random.random() < 0.3:
        setup["target"] = random.choice(TARGETS)
    if random.random() < 0.25:
        setup["dice_faces"] = dict(zip(SYMBOLS, random.choice(DICE_FACES), strict=True))
    if random.random() < 0.3:
        setup["court"] = _court(random)
    return {**header, "setup": setup} if setup else header


def _court(random: Random) -> JsonObject:
    court: JsonObject = {}
    sections = 16
    if random.random() < 0.8:
        sections = court["sections"] = random.choice(COURTS)
    if sections < 12 or random.random() < 0.5:
        court["arc"] = random.randint(0, sections // 2 - 2)
    if random.random() < 0.6:
        distances = random.sample(range(sections // 2), random.randint(1, sections // 2))
        court["modifiers"] = {str(distance): random.choice(MARKS) for distance in sorted(distances)}
    return court
