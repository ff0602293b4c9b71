"""How NBA refuses: one place that pairs a rule number with the sentence of the catalogues that explains it."""

from __future__ import annotations

from typing import Any

from companion.games.base import Message, Refusal


def refusal(rule: str, case: str = "", **args: Any) -> Refusal:
    """The refusal by a rule; `case` tells apart sentences of one rule (`nba.refusal.NBA-7.1.not_prepared`)."""
    return Refusal(rule, sentence(rule, case, **args))


def sentence(rule: str, case: str = "", **args: Any) -> Message:
    """The sentence that explains a refusal."""
    return Message(f"nba.refusal.{rule}{'.' + case if case else ''}", args)
