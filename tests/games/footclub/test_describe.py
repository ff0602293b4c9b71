"""Timeline lines of FootClub; all its messages exist in both catalogues with all placeholders filled."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields as dataclass_fields
from dataclasses import is_dataclass
from random import Random
from typing import Any

import pytest

from companion.games.base import Message
from companion.games.footclub import FOOTCLUB
from companion.games.footclub.rulebook import RULEBOOK
from companion.games.footclub.state import State
from companion.games.footclub.tables import (
    COLOURS,
    FORMATS,
    KOPS,
    MODES,
    PHASES,
    PLACES,
    POSTS,
    PROFILES,
    SIDES,
    STRENGTHS,
    TYPES,
)
from companion.language import LANGUAGES, Language, messages
from tests.games.footclub.scenes import ATTACK, KICK_OFF, played, states

KNOWN = {code: messages(code) for code in LANGUAGES}
MAX_MATCHES = 300
IDENTIFIERS: dict[str, tuple[str, ...]] = {
    "card": (*TYPES, "free_kick", "penalty"),
    "post": (*POSTS, "gk"),
    "place": PLACES,
    "ball": COLOURS,
    "section": COLOURS,
    "profile": PROFILES,
    "profile_short": PROFILES,
    "strength": STRENGTHS,
    "tackle": MODES,
    "defensive_support": MODES,
    "phase": PHASES,
    "side": SIDES,
    "kop": KOPS,
    "format": FORMATS,
    "half": ("0", "1", "2", "3"),
    "result": ("goals", "extra_time", "shootout", "aggregate", "away_goals", "forfeit"),
}


def messages_in(value: Any) -> Iterator[Message]:
    """Yield every message within a value of the game, including nested ones."""
    if isinstance(value, Message):
        yield value
        for arg in value.args.values():
            yield from messages_in(arg)
    elif isinstance(value, State):
        return
    elif is_dataclass(value):
        for field in dataclass_fields(value):
            yield from messages_in(getattr(value, field.name))
    elif isinstance(value, tuple):
        for entry in value:
            yield from messages_in(entry)


LINES = [
    (
        KICK_OFF[:1],
        "Valcendre : 2-2-1-3-2, ATT 24, DEF 23, optimisée",
        "Valcendre: 2-2-1-3-2, ATT 24, DEF 23, optimised",
    ),
    (KICK_OFF[:2], "Port-Mélian : 2-2-2-2-2, ATT 19, DEF 26", "Port-Mélian: 2-2-2-2-2, ATT 19, DEF 26"),
    (KICK_OFF[:3], "Valcendre a fait ses choix tactiques", "Valcendre has made its tactical choices"),
    (KICK_OFF, "Ballon jaune, 1re mi-temps : Port-Mélian engage", "Yellow ball, 1st half: Port-Mélian kicks off"),
    ([*KICK_OFF, ATTACK[0]], "Tacle régulier : T. Lescure sur T. Barsac", "Regular tackle: T. Lescure on T. Barsac"),
    ([*KICK_OFF, *ATTACK[:2]], "T. Lescure : tacle réussi, 4 + 5", "T. Lescure: tackle won, 4 + 5"),
    (
        [*KICK_OFF, ATTACK[0], {"event": "roll", "dice": [1, 1]}],
        "T. Lescure : tacle, faute, 1 + 1, carton jaune, T. Barsac : blessure légère",
        "T. Lescure: tackle, foul, 1 + 1, yellow card, T. Barsac: light injury",
    ),
    ([*KICK_OFF, *ATTACK[:3]], "Port-Mélian laisse le ballon", "Port-Mélian lets them keep the ball"),
    (
        [*KICK_OFF, *ATTACK],
        "Attaque placée : E. Garance, départ −1",
        "Positional attack: E. Garance, starting bonus −1",
    ),
    (
        [*KICK_OFF, *ATTACK, {"event": "spend", "side": "blue", "supporters": 1}],
        "Valcendre époumone 1 Supporter, bonus ±0",
        "Valcendre spends 1 Supporter, bonus ±0",
    ),
    (
        [*KICK_OFF, *ATTACK, {"event": "shot", "defence": 2, "attack": 5}],
        "But ! E. Garance, attaque 4, défense 2",
        "Goal! E. Garance, attack 4, defence 2",
    ),
    (
        [*KICK_OFF, *ATTACK, {"event": "shot", "defence": 5, "attack": 5}],
        "Arrêt du gardien, attaque 4, défense 5",
        "Save, attack 4, defence 5",
    ),
    (
        [
            *KICK_OFF,
            *ATTACK,
            {"event": "defensive_support", "side": "red", "section": "cb_l"},
            {"event": "roll", "dice": [1, 1]},
        ],
        "T. Barsac : soutien à relancer, 1 + 1",  # he is unyielding, so aggressive (FC-10.6)
        "T. Barsac: support, throw again, 1 + 1",
    ),
]


@pytest.mark.parametrize(("events", "french", "english"), LINES)
def test_lines(events: list[dict[str, Any]], french: str, english: str) -> None:
    line = RULEBOOK.describe(*played(*events))
    text = Language("fr").text(line).replace("\N{NO-BREAK SPACE}", " ").replace("\N{NARROW NO-BREAK SPACE}", " ")
    assert text == french
    assert Language("en").text(line) == english


def test_every_event_has_a_line_in_both_languages_also_once_taken_back() -> None:
    seen: set[str] = set()
    for seed in range(MAX_MATCHES):
        if seen == set(RULEBOOK.events):
            break
        random = Random(seed)
        state = FOOTCLUB.initial_state(FOOTCLUB.random_header(random))
        while not FOOTCLUB.finished(state):
            fields = FOOTCLUB.random_event(state, random)
            before, (state, outcome) = state, FOOTCLUB.apply(state, FOOTCLUB.parse(fields))
            lines = [
                RULEBOOK.describe(state, fields, outcome),
                RULEBOOK.describe(before, fields, {}),
                RULEBOOK.describe(state, fields, {}),
            ]
            check_known(messages_in(tuple(lines)))
            seen.add(fields["event"])
    assert seen == set(RULEBOOK.events)


@pytest.mark.parametrize("seed", range(12))
def test_everything_said_is_in_both_catalogues(seed: int) -> None:
    for state in states(seed):
        check_known(messages_in((FOOTCLUB.decision(state), FOOTCLUB.scene(state))))


def check_known(found: Iterator[Message]) -> None:
    for message in found:
        for code in LANGUAGES:
            assert message.id in KNOWN[code], message
            sentence = Language(code).text(message)
            assert sentence != message.id, message
            assert "{" not in sentence, message


@pytest.mark.parametrize("kind", IDENTIFIERS)
def test_every_identifier_has_a_word_in_both_languages(kind: str) -> None:
    for identifier in IDENTIFIERS[kind]:
        for code in LANGUAGES:
            assert f"footclub.{kind}.{identifier}" in KNOWN[code]
