"""The rules of OFUSAIDO: each event with its fields, phases, checks, effect and sentence, in the order of OC-1.7."""

from __future__ import annotations

from typing import Any, cast

from companion.games.base import JsonObject, Message, Refusal
from companion.games.engine import EventRule, Rulebook, ValidationOrder
from companion.games.event_schema import EventField, FieldParser, InvalidValue, count, integer, list_of, one_of, text
from companion.games.occasion import attacking, defending, describe, duel_resolution, turns
from companion.games.occasion import events as ev
from companion.games.occasion.cards import Chance, InvalidCard, PlayerCard, read_chance_card, read_player_card
from companion.games.occasion.refusals import refusal
from companion.games.occasion.state import State
from companion.games.occasion.tables import (
    CARD_KINDS,
    FOUL_CARDS,
    FOUL_EFFECTS,
    MAX_ENERGY,
    MOVES,
    PHASES_IN_PLAY,
    SIDES,
)

_side = one_of(*SIDES)
_SIDE = EventField("side", _side)


def _any_whole(value: object) -> int:
    if type(value) is not int:
        raise InvalidValue
    return value


def _not_blank(value: object) -> str:
    if not text(value).strip():
        raise InvalidValue
    return cast("str", value)


def _object(value: object) -> JsonObject:
    if not isinstance(value, dict):
        raise InvalidValue
    return value


def _goals(value: object) -> tuple[int, int]:
    if not isinstance(value, dict) or not value.keys() <= set(SIDES):
        raise InvalidValue
    return _any_whole(value.get("home", 0)), _any_whole(value.get("away", 0))


def _side_or_none(value: object) -> str | None:
    return None if value is None else cast("str", _side(value))


def _optional(name: str, read: FieldParser) -> EventField:
    return EventField(name, read, optional=True)


def _define(kind: str, id: str, card: JsonObject, side: Any = None) -> ev.DefineCard:
    made: PlayerCard | Chance | Message
    try:
        made = read_player_card(id, card) if kind == "player" else read_chance_card(id, card)
    except InvalidCard as fault:
        made = fault.message
    return ev.DefineCard(kind, id, made, side)


def _check_phase(state: State, rule: EventRule[State], event: object) -> None:
    """Check the phase (OC-1.3). Raises: Refusal."""
    if state.phase not in rule.phases:
        raise refusal("OC-1.3")


def _refuse(case: str, **args: object) -> Refusal:
    return refusal("OC-1.2", case, **args)


RULES: dict[str, EventRule[State]] = {
    "occasion_played": EventRule(
        event=ev.OccasionPlayed,
        phases=frozenset({"choose_occasion"}),
        fields=(EventField("card", text), _optional("zone", text)),
        check=attacking.check_occasion_played,
        apply=attacking.apply_occasion_played,
        sentence=describe.occasion_played,
    ),
    "attack_move": EventRule(
        event=ev.AttackMove,
        phases=frozenset({"attack_move"}),
        fields=(EventField("player", text), EventField("move", one_of(*MOVES))),
        check=attacking.check_attack_move,
        apply=attacking.apply_attack_move,
        sentence=describe.attack_move,
    ),
    "defence_choice": EventRule(
        event=ev.DefenceChoice,
        phases=frozenset({"defence"}),
        fields=(EventField("choice", one_of("oppose", "let_pass")),),
        conditional_fields={"oppose": EventField("player", text)},
        check=defending.check_defence_choice,
        apply=defending.apply_defence_choice,
        sentence=describe.defence_choice,
    ),
    "add_support": EventRule(
        event=ev.AddSupport,
        phases=frozenset({"support"}),
        fields=(_SIDE, EventField("players", list_of(text, min_length=1))),
        check=defending.check_add_support,
        apply=defending.apply_add_support,
        sentence=describe.add_support,
    ),
    "support_done": EventRule(
        event=ev.SupportDone,
        phases=frozenset({"support"}),
        fields=(_SIDE,),
        check=defending.check_support_done,
        apply=defending.apply_support_done,
        sentence=describe.support_done,
    ),
    "ability_used": EventRule(
        event=ev.AbilityUsed,
        phases=frozenset({"support"}),
        fields=(_SIDE, EventField("player", text), EventField("ability", text), EventField("points", _any_whole)),
        check=defending.check_ability_used,
        apply=defending.apply_ability_used,
        sentence=describe.ability_used,
    ),
    "reveal": EventRule(
        event=ev.Reveal,
        phases=frozenset({"reveal"}),
        fields=(_SIDE, EventField("value", integer(0, MAX_ENERGY))),
        check=duel_resolution.check_reveal,
        apply=duel_resolution.apply_reveal,
        sentence=describe.reveal,
    ),
    "foul_called": EventRule(
        event=ev.FoulCalled,
        phases=frozenset({"reveal", "verdict"}),
        fields=(
            _SIDE,
            EventField("effect", one_of(*FOUL_EFFECTS)),
            _optional("card", one_of(*FOUL_CARDS)),
            _optional("player", text),
        ),
        check=duel_resolution.check_foul_called,
        apply=duel_resolution.apply_foul_called,
        sentence=describe.foul_called,
    ),
    "resolve": EventRule(
        event=ev.Resolve,
        phases=frozenset({"verdict"}),
        apply=duel_resolution.apply_resolve,
        sentence=describe.resolve,
    ),
    "advance": EventRule(
        event=ev.Advance,
        phases=frozenset({"advance"}),
        fields=(EventField("zone", text),),
        check=attacking.check_advance,
        apply=attacking.apply_advance,
        sentence=describe.advance,
    ),
    "goal_scored": EventRule(
        event=ev.GoalScored,
        phases=frozenset({"shot"}),
        apply=turns.apply_goal_scored,
        sentence=describe.goal_scored,
    ),
    "chance_missed": EventRule(
        event=ev.ChanceMissed,
        phases=frozenset({"shot"}),
        apply=turns.apply_chance_missed,
        sentence=describe.chance_missed,
    ),
    "turn_ended": EventRule(
        event=ev.TurnEnded,
        phases=frozenset({"choose_occasion", "attack_move"}),
        apply=turns.apply_turn_ended,
        sentence=describe.turn_ended,
    ),
    "match_ended": EventRule(
        event=ev.MatchEnded,
        phases=frozenset({"choose_occasion"}),
        apply=turns.apply_match_ended,
        sentence=describe.match_ended,
    ),
    "occasion_shown": EventRule(
        event=ev.OccasionShown,
        phases=frozenset(PHASES_IN_PLAY),
        fields=(_SIDE, EventField("card", text)),
        check=attacking.check_occasion_shown,
        apply=attacking.apply_occasion_shown,
        sentence=describe.occasion_shown,
    ),
    "define_card": EventRule(
        event=ev.DefineCard,
        phases=frozenset(PHASES_IN_PLAY),
        fields=(EventField("kind", one_of(*CARD_KINDS)), EventField("id", text), EventField("card", _object)),
        conditional_fields={"player": _SIDE},
        constructor=_define,
        check=turns.check_define_card,
        apply=turns.apply_define_card,
        sentence=describe.define_card,
    ),
    "cards_recovered": EventRule(
        event=ev.CardsRecovered,
        phases=frozenset(PHASES_IN_PLAY),
        fields=(_SIDE, _optional("players", list_of(text)), _optional("energy", count)),
        check=turns.check_cards_recovered,
        apply=turns.apply_cards_recovered,
        sentence=describe.cards_recovered,
    ),
    "ruling": EventRule(
        event=ev.Ruling,
        phases=frozenset(PHASES_IN_PLAY),
        fields=(EventField("text", _not_blank), _optional("goals", _goals), _optional("next_attack", _side_or_none)),
        check=turns.check_ruling,
        apply=turns.apply_ruling,
        sentence=describe.ruling,
    ),
    "concede": EventRule(
        event=ev.Concede,
        phases=frozenset(PHASES_IN_PLAY),
        fields=(_SIDE,),
        apply=turns.apply_concede,
        sentence=describe.concede,
    ),
}

RULEBOOK: Rulebook[State] = Rulebook(
    RULES,
    ValidationOrder(
        finished_phase="over",
        finished_refusal=lambda: refusal("OC-1.4"),
        precondition=_check_phase,
        refuse=_refuse,
    ),
)
