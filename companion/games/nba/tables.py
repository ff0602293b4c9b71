"""The fixed numbers and identifiers of the game: skills, positions, phases, the dice of record, durations, profiles."""

from __future__ import annotations

from typing import Final

SIDES: Final = ("one", "two", "three", "four")
"""Side ids of headers that the program makes itself. A journal may use any ids."""

OFFENCE: Final = ("three_points", "inside", "penetration")
DEFENCE: Final = ("interception", "block", "stop")
SKILLS: Final = (*OFFENCE, *DEFENCE)
"""The six skills, which are also the six kinds of dice, in the order of NBA-2.2."""
STATS: Final = (*SKILLS, "rebounds", "iq")
"""The values of a player card, in the order of NBA-12.1."""
TYPES: Final = ("offence", "defence")
SKILLS_OF: Final[dict[str, tuple[str, ...]]] = {"offence": OFFENCE, "defence": DEFENCE}
POSITIONS: Final = ("pg", "sg", "sf", "pf", "c")
ROLES: Final = ("starter", "substitute", "nba")
FATIGUE_CARD: Final = "fatigue"
"""The reserved card id (NBA-3.2)."""

COLOURS: Final = ("blue", "yellow", "red")
UNKNOWN_COLOUR: Final = "unknown"
BODY_COLOURS: Final[dict[str, str]] = {"three_points": "blue", "inside": "yellow", "penetration": "red"}
"""The body colours of the offence dice (NBA-2.1)."""
MAX_DICE_PER_KIND: Final = 10
FACES_PER_DIE: Final = 6
SIX_NINE: Final = ("underline", "dot", "unmarked")

RULEBOOK_FACES: Final[dict[str, tuple[tuple[int, str | None], ...]]] = {
    "three_points": ((0, None), (0, None), (0, None), (2, None), (6, None), (9, None)),
    "inside": ((0, None), (0, None), (2, None), (4, None), (6, None), (7, None)),
    "penetration": ((0, None), (2, None), (3, None), (4, None), (6, None), (6, None)),
    "interception": (
        (0, None),
        (1, UNKNOWN_COLOUR),
        (1, UNKNOWN_COLOUR),
        (2, "blue"),
        (2, UNKNOWN_COLOUR),
        (4, UNKNOWN_COLOUR),
    ),
    "block": ((0, None), (1, "red"), (2, "yellow"), (2, UNKNOWN_COLOUR), (2, UNKNOWN_COLOUR), (3, "red")),
    "stop": ((0, None), (1, "red"), (1, UNKNOWN_COLOUR), (2, "yellow"), (3, "yellow"), (3, "blue")),
}
"""The dice of the set `rulebook` (NBA-2.2): value and colour of the number."""

PROPOSED_FACES: Final[dict[str, tuple[tuple[int, str | None], ...]]] = {
    "interception": ((0, None), (1, "yellow"), (2, "yellow"), (1, "blue"), (2, "blue"), (4, "blue")),
    "block": ((0, None), (2, "yellow"), (2, "yellow"), (1, "red"), (2, "red"), (3, "red")),
    "stop": ((0, None), (2, "yellow"), (3, "yellow"), (3, "blue"), (1, "red"), (1, "red")),
}
"""Value and colour of the defence dice completed with the hints of NBA-2.3: only a proposal, never treated as known."""

LEVELS: Final = ("scores", "full")
CLOCKS: Final = ("turns", "market")
DURATIONS: Final[dict[str, int]] = {"short": 12, "normal": 20, "long": 32, "epic": 44}
"""Cards of the player market for two sides (NBA-9.1)."""
MIN_MARKET_CARDS: Final = 6
MAX_MARKET_CARDS: Final = 100
NORMAL_CARDS: Final = (20, 24)
"""Market cards of a normal match for two sides: of the setup (our reading), of the book's table (section 16)."""
EXTRA_TURNS: Final = 4
"""The turns of the match beyond the cards of the market (NBA-8.3)."""
TRACK_SLOTS: Final = 6
FATIGUE_PILE: Final[dict[int, int]] = {2: 9, 3: 18, 4: 18}
"""Fatigue cards by number of sides (NBA-3.1)."""
MAX_FATIGUE: Final = 99
REMOVED_TO: Final = ("pile", "box")
CHEAP_COSTS: Final = (3, 4, 5)
MIN_CHEAP_CARDS: Final = 4
"""The minimum number of market cards that have one of the costs above (NBA-3.5)."""

BENCH: Final = 7
BASE_TACTIC_COUNT: Final = 5
OFFENCE_SHARE: Final = 3
"""The offensive tactics among the five of the book's starting decks."""
DECK: Final = 12
"""The number of cards besides the five on court (NBA-3.4)."""
LEAST_BENCH: Final = 5
LEAST_TACTICS: Final = 3
"""The minimum number of tactics, with team selection (NBA-9.2)."""
MINI_MARKET_SIZE: Final = 5
DRAFT_HAND: Final = 5
"""The cards that a side gets in each of the MINI_MARKET_SIZE rounds of a draft (NBA-9.3)."""
DRAFT_COMMON: Final = 2
"""The cards of each of these hands that go into the common deck."""
MAX_PREPARED: Final = 3
"""The maximum number of tactics of one type on a board (NBA-6.5)."""
MAX_TOKENS: Final = 5
REBOUNDS_PER_DIE: Final = 3
MONEY_TIME_REROLLS: Final = 2
OVERTIME_TURNS: Final = 6
HAND: Final = 6

COACH_POWERS: Final = ("collective", "rebounds", "second_tactic", "discount", "draw7", "reroll")
SOLO_PROFILES: Final[dict[str, tuple[int, ...]]] = {
    "shooters": (3, 1, 2, 2, 1, 1, 1, 2),
    "bigs": (1, 3, 1, 1, 2, 1, 2, 2),
    "drivers": (2, 1, 3, 1, 1, 2, 1, 2),
}
"""The weights of STATS for the solo opponent (NBA-12.1)."""
CUSTOM: Final = "custom"
DEFAULT_RESOURCES: Final = 2
MAX_RECRUITS: Final = 3

PHASES: Final = ("adjust", "actions", "roll", "activation", "tied", "over")
TURN_PHASES: Final = frozenset({"adjust", "actions", "activation"})
"""The phases in which a turn is open but no roll is (T of section 15)."""
ACTION_PHASES: Final = frozenset({"adjust", "actions"})
"""The phases before any activation (A of section 15)."""
