"""The fixed numbers and identifiers of the game: skills, positions, phases, the dice of record, durations, profiles."""

from __future__ import annotations

from typing import Final

SIDES: Final = ("one", "two", "three", "four")
"""Side ids where the program itself makes a header. A journal's own ids are free."""

OFFENCE: Final = ("three_points", "inside", "penetration")
DEFENCE: Final = ("interception", "block", "stop")
SKILLS: Final = (*OFFENCE, *DEFENCE)
"""The six skills, which are the six kinds of dice too, in the order of NBA-2.2."""
STATS: Final = (*SKILLS, "rebounds", "iq")
"""What a player card is worth something for, in the order of NBA-12.1."""
TYPES: Final = ("offence", "defence")
SKILLS_OF: Final[dict[str, tuple[str, ...]]] = {"offence": OFFENCE, "defence": DEFENCE}
POSITIONS: Final = ("pg", "sg", "sf", "pf", "c")
ROLES: Final = ("starter", "substitute", "nba")
FATIGUE_CARD: Final = "fatigue"
"""The reserved card id (NBA-3.2)."""

COLOURS: Final = ("blue", "yellow", "red")
UNKNOWN: Final = "unknown"
BODY: Final[dict[str, str]] = {"three_points": "blue", "inside": "yellow", "penetration": "red"}
"""The body of an offence die is its colour (NBA-2.1)."""
MOST_OF_A_KIND: Final = 10
FACES: Final = 6
SIX_NINE: Final = ("underline", "dot", "unmarked")

RECORD_FACES: Final[dict[str, tuple[tuple[int, str | None], ...]]] = {
    "three_points": ((0, None), (0, None), (0, None), (2, None), (6, None), (9, None)),
    "inside": ((0, None), (0, None), (2, None), (4, None), (6, None), (7, None)),
    "penetration": ((0, None), (2, None), (3, None), (4, None), (6, None), (6, None)),
    "interception": ((0, None), (1, UNKNOWN), (1, UNKNOWN), (2, "blue"), (2, UNKNOWN), (4, UNKNOWN)),
    "block": ((0, None), (1, "red"), (2, "yellow"), (2, UNKNOWN), (2, UNKNOWN), (3, "red")),
    "stop": ((0, None), (1, "red"), (1, UNKNOWN), (2, "yellow"), (3, "yellow"), (3, "blue")),
}
"""The dice of the set `rulebook` (NBA-2.2): value and colour of the number."""

PROPOSED_FACES: Final[dict[str, tuple[tuple[int, str | None], ...]]] = {
    "interception": ((0, None), (1, "yellow"), (2, "yellow"), (1, "blue"), (2, "blue"), (4, "blue")),
    "block": ((0, None), (2, "yellow"), (2, "yellow"), (1, "red"), (2, "red"), (3, "red")),
    "stop": ((0, None), (2, "yellow"), (3, "yellow"), (3, "blue"), (1, "red"), (1, "red")),
}
"""Value and colour of the defence dice with the hints of NBA-2.3 filled in: never taken for known, only proposed."""

LEVELS: Final = ("scores", "full")
CLOCKS: Final = ("turns", "market")
DURATIONS: Final[dict[str, int]] = {"short": 12, "normal": 20, "long": 32, "epic": 44}
"""Cards of the player market for two sides (NBA-9.1)."""
LEAST_MARKET: Final = 6
MOST_MARKET: Final = 100
BEYOND_MARKET: Final = 4
"""Turns of the match beyond the cards of the market (NBA-8.3)."""
SLOTS: Final = 6
FATIGUE_PILE: Final[dict[int, int]] = {2: 9, 3: 18, 4: 18}
"""Fatigue cards by number of sides (NBA-3.1)."""
MOST_FATIGUE: Final = 99
REMOVED_TO: Final = ("pile", "box")
CHEAP: Final = (3, 4, 5)
LEAST_CHEAP: Final = 4
"""At least so many cards of the market have one of the costs above (NBA-3.5)."""

BENCH: Final = 7
BASE_TACTICS: Final = 5
DECK: Final = 12
"""Cards beside the five on court (NBA-3.4)."""
LEAST_BENCH: Final = 5
LEAST_TACTICS: Final = 3
"""With team selection (NBA-9.2)."""
MINI: Final = 5
MOST_PREPARED: Final = 3
"""Tactics of one type on a board (NBA-6.5)."""
MOST_TOKENS: Final = 5
REBOUNDS_PER_DIE: Final = 3
MONEY_TIME_DICE: Final = 2
OVERTIME_TURNS: Final = 6
HAND: Final = 6

POWERS: Final = ("collective", "rebounds", "second_tactic", "discount", "draw7", "reroll")
PROFILES: Final[dict[str, tuple[int, ...]]] = {
    "shooters": (3, 1, 2, 2, 1, 1, 1, 2),
    "bigs": (1, 3, 1, 1, 2, 1, 2, 2),
    "drivers": (2, 1, 3, 1, 1, 2, 1, 2),
}
"""What each of STATS weighs for the solo opponent (NBA-12.1)."""
CUSTOM: Final = "custom"
RESOURCES: Final = 2
MOST_RECRUITS: Final = 3

PHASES: Final = ("adjust", "actions", "roll", "activation", "tied", "over")
OPEN: Final = frozenset({"adjust", "actions", "activation"})
"""The phases in which a turn is open and no roll is (T of section 15)."""
ACTIONS: Final = frozenset({"adjust", "actions"})
"""The phases before any activation (A of section 15)."""
