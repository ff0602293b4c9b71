"""The timeline: one line for each event with its outcome; undone events without an outcome."""

from __future__ import annotations

from typing import Any

from companion.games.nba import NBA
from companion.language import Language
from tests.games.nba.kit import Match, dice, full, header, solo

FRENCH = Language("fr")


def french(match: Match, fields: dict[str, Any], outcome: dict[str, Any]) -> str:
    """Return the line in French, with ordinary spaces."""
    return FRENCH.text(NBA.describe(match.state, fields, outcome)).replace("\N{NO-BREAK SPACE}", " ")


def line(match: Match, event: str, **fields: Any) -> str:
    outcome = match.play(event, **fields)
    return french(match, {"event": event, **fields}, outcome)


def bare(match: Match, event: str, **fields: Any) -> str:
    return french(match, {"event": event, **fields}, {})


def test_a_die_whose_face_nobody_entered_is_not_told() -> None:
    match = Match(full()).reshape("ann", prepared=("t-out",))
    thrown = [*dice("three_points 9 2"), {**dice("three_points 0")[0], "unread": True}]
    assert line(match, "activate", tactic="t-out", dice=thrown).endswith(": 3 Points 9 · 2")


def test_a_match_of_scores() -> None:
    match = Match(header(variants={"mismatch": 1}))
    assert line(match, "attack", dice=dice("inside 7 4, penetration 3")) == (
        "Attaque 14 : Jeu Intérieur 7 · 4, Pénétration 3"
    )
    assert line(match, "end_turn") == "Fin de tour, à Benoît de jouer"
    assert line(match, "defend", dice=dice("stop 3y 0"), fatigue=2) == (
        "Défense 3 contre Anne : Stop 3 jaune · 0, 2 cartes Fatigue prises"
    )
    mismatch = {"side": "ann", "position": "pg", "attack": dice("inside 4"), "defence": []}
    assert line(match, "mismatch", **mismatch) == "Mismatch Meneur de Jeu : 4 points pour Anne (4 − 0)"
    assert line(match, "end_turn") == "Anne : 11 points contre Benoît (14 − 3), à Anne de jouer"
    award = [{"side": "ann", "against": "ben", "points": -1}]
    assert line(match, "ruling", text="Faute", points=award) == "Décision de table : Faute, −1 pour Anne contre Benoît"
    assert line(match, "concede", side="ann") == "Abandon : Anne"


def test_a_full_match() -> None:
    match = Match(full()).reshape("ann", taken=1)
    assert line(match, "adjust", tactics_replaced=1, revealed=["n-ace"]) == (
        "révélé : n-ace, 1 tactique du marché remplacée"
    )
    assert line(match, "replace", court={"pg": "b-pg"}, fatigue_removed=1) == (
        "Entre : b-pg (sort : s-pg), 1 carte Fatigue écartée"
    )
    assert line(match, "buy_player", card="n-ace", slot=1, paid=["s-pg", "b-sg", "b-sf"]) == (
        "Achat : n-ace pour 4 (payé 4), sur la pioche"
    )
    assert line(match, "prepare", tactics=["t-trap", "t-post"]) == "Tactiques choisies : t-trap, t-post"
    assert line(match, "activate", tactic="t-trap", dice=dice("block 0 3r, stop 0 0 0")) == (
        "t-trap : Contre 0 · 3 rouge, Stop 0 · 0 · 0"
    )
    assert (
        line(match, "reroll", dice=[0], to=dice("block 1r")) == "1 dé relancé : Contre 1 rouge, 1 carte Fatigue prise"
    )
    assert line(match, "keep", dice=[1]) == "Défense 0 contre Benoît : Contre 3 rouge"


def test_the_solo_opponents_turn() -> None:
    match = Match(solo(first="ben", resources=8))
    recruited = line(match, "ai_recruit", cards=["n-lead"])
    assert recruited == "Recrue : n-lead (Meneur de Jeu), s-pg quitte le match"
    assert line(match, "ai_tactic", market=[]) == "Rien au marché : six nouvelles tactiques"
    assert line(match, "ai_tactic", market=["t-five"]) == "Tactique prise : t-five, à la place : t-post"
    assert bare(match, "ai_tactic", market=["t-five"]) == "Marché : t-five"


def test_overtime_and_draw() -> None:
    match = Match(header(market_cards=6)).pass_turns(10)
    assert line(match, "end_turn") == "Fin de tour, égalité"
    assert line(match, "overtime") == "Prolongation 1, Benoît commence"
    match.pass_turns(7)
    assert line(match, "accept_draw") == "Match nul"


def test_what_was_taken_back_is_the_bare_fact() -> None:
    match = Match(full())
    assert bare(match, "activate", tactic="t-out", dice=dice("three_points 2")) == "t-out : 3 Points 2"
    assert bare(match, "replace", court={"pg": "b-pg"}) == "Remplacement : b-pg"
    assert bare(match, "keep", dice=[0, 1]) == "2 dés gardés"
    assert bare(match, "end_turn") == "Fin de tour"
    assert bare(match, "attack", dice=[]) == "Attaque : aucun dé"
