"""Events as data and the order of checks: OC-1.2 to OC-1.7."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.base import Refusal
from companion.games.occasion import OCCASION
from companion.games.occasion.rulebook import RULEBOOK
from companion.games.occasion.tables import PHASES
from companion.journal.ledger import Ledger
from tests.games.occasion.kit import Match, header, in_phase, player

ANYTIME = {"occasion_shown", "define_card", "cards_recovered", "ruling", "concede"}
LEGAL_IN: dict[str, set[str]] = {
    "occasion_played": {"choose_occasion"},
    "attack_move": {"attack_move"},
    "defence_choice": {"defence"},
    "add_support": {"support"},
    "support_done": {"support"},
    "ability_used": {"support"},
    "reveal": {"reveal"},
    "foul_called": {"reveal", "verdict"},
    "resolve": {"verdict"},
    "advance": {"advance"},
    "goal_scored": {"shot"},
    "chance_missed": {"shot"},
    "turn_ended": {"choose_occasion", "attack_move"},
    "match_ended": {"choose_occasion"},
    **{event: set(PHASES) - {"over"} for event in ANYTIME},
}


@pytest.mark.parametrize("phase", PHASES)
def test_each_event_is_legal_in_its_phases_only(phase: str) -> None:
    match = in_phase(phase)
    for event in RULEBOOK.events:
        rule = match.refused(event, side=7)  # an invalid field is detected only in the right phase
        if phase == "over":
            assert rule == "OC-1.4"
        elif phase not in LEGAL_IN[event]:
            assert rule == "OC-1.3"
        else:
            assert rule != "OC-1.3"


def test_every_event_has_its_rule() -> None:
    assert len(RULEBOOK.rules) == len(RULEBOOK.events) == len(LEGAL_IN)


BAD_FIELDS: list[tuple[str, str, dict[str, Any]]] = [
    ("choose_occasion", "occasion_played", {}),
    ("choose_occasion", "occasion_played", {"card": 1}),
    ("choose_occasion", "occasion_played", {"card": "posts", "zone": None}),
    ("choose_occasion", "occasion_played", {"card": "posts", "zone": 1}),
    ("attack_move", "attack_move", {"player": "lb"}),
    ("attack_move", "attack_move", {"move": "pass"}),
    ("attack_move", "attack_move", {"player": "lb", "move": "shoot"}),
    ("attack_move", "attack_move", {"player": None, "move": "pass"}),
    ("defence", "defence_choice", {}),
    ("defence", "defence_choice", {"choice": "wait"}),
    ("defence", "defence_choice", {"choice": "oppose"}),
    ("defence", "defence_choice", {"choice": "oppose", "player": None}),
    ("support", "add_support", {"side": "home"}),
    ("support", "add_support", {"side": "home", "players": []}),
    ("support", "add_support", {"side": "home", "players": "lw"}),
    ("support", "add_support", {"side": "home", "players": [1]}),
    ("support", "add_support", {"side": "left", "players": ["lw"]}),
    ("support", "support_done", {}),
    ("support", "support_done", {"side": None}),
    ("support", "ability_used", {"side": "home", "player": "lb", "ability": "vision"}),
    ("support", "ability_used", {"side": "home", "player": "lb", "ability": "vision", "points": True}),
    ("support", "ability_used", {"side": "home", "player": "lb", "ability": "vision", "points": 1.5}),
    ("support", "ability_used", {"side": "home", "player": "lb", "ability": 1, "points": 1}),
    ("reveal", "reveal", {"side": "home"}),
    ("reveal", "reveal", {"side": "home", "value": -1}),
    ("reveal", "reveal", {"side": "home", "value": 100}),
    ("reveal", "reveal", {"side": "home", "value": "3"}),
    ("verdict", "foul_called", {"side": "home"}),
    ("verdict", "foul_called", {"effect": "none"}),
    ("verdict", "foul_called", {"side": "home", "effect": "penalty"}),
    ("verdict", "foul_called", {"side": "home", "effect": "none", "card": "blue"}),
    ("verdict", "foul_called", {"side": "home", "effect": "none", "card": None}),
    ("verdict", "foul_called", {"side": "home", "effect": "none", "player": None}),
    ("advance", "advance", {}),
    ("advance", "advance", {"zone": 1}),
    ("choose_occasion", "occasion_shown", {"side": "home"}),
    ("choose_occasion", "occasion_shown", {"side": "home", "card": None}),
    ("choose_occasion", "define_card", {"kind": "player", "id": "x", "card": player("LB", "1 1 1 1")}),
    ("choose_occasion", "define_card", {"kind": "player", "side": "no", "id": "x", "card": player("LB", "1 1 1 1")}),
    ("choose_occasion", "define_card", {"kind": "energy", "side": "home", "id": "x", "card": {}}),
    ("choose_occasion", "define_card", {"kind": "player", "side": "home", "id": 1, "card": {}}),
    ("choose_occasion", "define_card", {"kind": "occasion", "id": "x"}),
    ("choose_occasion", "cards_recovered", {}),
    ("choose_occasion", "cards_recovered", {"side": "home", "players": None}),
    ("choose_occasion", "cards_recovered", {"side": "home", "players": [1]}),
    ("choose_occasion", "cards_recovered", {"side": "home", "energy": -1}),
    ("choose_occasion", "cards_recovered", {"side": "home", "energy": None}),
    ("choose_occasion", "ruling", {}),
    ("choose_occasion", "ruling", {"text": ""}),
    ("choose_occasion", "ruling", {"text": " \t"}),
    ("choose_occasion", "ruling", {"text": 1}),
    ("choose_occasion", "ruling", {"text": "x", "goals": None}),
    ("choose_occasion", "ruling", {"text": "x", "goals": {"left": 1}}),
    ("choose_occasion", "ruling", {"text": "x", "goals": {"home": True}}),
    ("choose_occasion", "ruling", {"text": "x", "goals": {"home": 0.5}}),
    ("choose_occasion", "ruling", {"text": "x", "next_attack": "left"}),
    ("choose_occasion", "concede", {"side": "both"}),
]


@pytest.mark.parametrize(("phase", "event", "fields"), BAD_FIELDS, ids=str)
def test_a_bad_field_is_refused_in_the_right_phase(phase: str, event: str, fields: dict[str, Any]) -> None:
    assert in_phase(phase).refused(event, **fields) == "OC-1.2"
    assert in_phase("over").refused(event, **fields) == "OC-1.4"
    if event not in ANYTIME:
        assert in_phase("defence" if phase != "defence" else "shot").refused(event, **fields) == "OC-1.3"


def test_an_unknown_event_comes_before_everything() -> None:
    match = in_phase("over")
    assert [match.refused(event) for event in ("dance", "", "Goal_scored")] == ["OC-1.2"] * 3
    with pytest.raises(Refusal) as refused:
        OCCASION.parse({"side": "home"})
    assert refused.value.rule == "OC-1.2"


def test_unlisted_and_ignored_fields_say_nothing() -> None:
    assert in_phase("choose_occasion").refused("occasion_played", card="posts", player=3, dice=None) is None
    assert in_phase("defence").refused("defence_choice", choice="let_pass", player=None) is None
    assert in_phase("shot").refused("goal_scored", player=None) is None
    assert in_phase("shot").refused("chance_missed", player=["lw"]) is None
    card = {"zones": [{"id": "S", "row": 1, "shot": True}]}
    assert Match().refused("define_card", kind="occasion", id="x", card=card, side=None) is None
    assert Match().refused("ruling", text="x", next_attack=None, goals={}) is None


def ledger(*events: dict[str, Any]) -> Ledger[Any, Any]:
    made: Ledger[Any, Any] = Ledger(OCCASION, header())
    for fields in events:
        made.commit(made.propose(fields))
    return made


def refused_by(made: Ledger[Any, Any], fields: dict[str, Any]) -> str:
    with pytest.raises(Refusal) as refused:
        made.propose(fields)
    return refused.value.rule


def test_undo_and_correct_without_anything_standing() -> None:
    made = ledger({"event": "turn_ended"}, {"event": "undo"})
    assert refused_by(made, {"event": "undo"}) == "OC-1.5"
    end_turn = {"event": "turn_ended"}
    for line in (0, 1, 2, 3, 9):
        assert refused_by(made, {"event": "correct", "line": line, "with": end_turn}) == "OC-1.5"


@pytest.mark.parametrize(
    "fields",
    [
        {"with": {"event": "turn_ended"}},
        {"line": True, "with": {"event": "turn_ended"}},
        {"line": 2},
        {"line": 2, "with": []},
        {"line": 2, "with": {}},
        {"line": 2, "with": {"event": 1}},
        {"line": 2, "with": {"event": "undo"}},
        {"line": 2, "with": {"event": "correct", "line": 2, "with": {"event": "turn_ended"}}},
        {"line": 2, "with": {"event": "dance"}},
    ],
    ids=str,
)
def test_a_malformed_correction_is_refused(fields: dict[str, Any]) -> None:
    assert refused_by(ledger({"event": "turn_ended"}), {"event": "correct", **fields}) == "OC-1.2"


def test_a_correction_replays_what_follows() -> None:
    made = ledger(
        {"event": "occasion_played", "card": "wing", "zone": "L1"},
        {"event": "attack_move", "player": "lw", "move": "cross"},
        {"event": "defence_choice", "choice": "let_pass"},
        {"event": "goal_scored"},
        {"event": "match_ended"},
    )
    changed = {"event": "correct", "line": 5, "with": {"event": "chance_missed"}}
    made.commit(made.propose(changed))
    assert OCCASION.view(made.state)["winner"] is None
    broken = {"event": "correct", "line": 3, "with": {"event": "attack_move", "player": "lb", "move": "cross"}}
    assert refused_by(made, broken) == "OC-3.4"
    later = {"event": "correct", "line": 3, "with": {"event": "attack_move", "player": "lb", "move": "pass"}}
    assert refused_by(made, later) == "OC-1.3"
    made.commit(made.propose({"event": "undo", "why": "unlisted fields are ignored"}))
    assert OCCASION.view(made.state)["phase"] == "choose_occasion"
