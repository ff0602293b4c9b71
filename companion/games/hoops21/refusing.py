"""How hoops21 refuses: one place that pairs a rule number with the sentence of the catalogues that explains it."""

from __future__ import annotations

from typing import Any

from companion.games.base import Message, Refusal


def refusal(rule: str, case: str = "", **args: Any) -> Refusal:
    """The refusal by a rule; `case` tells apart sentences of one rule (`hoops21.refusal.HB-1.6.count`)."""
    return Refusal(rule, Message(f"hoops21.refusal.{rule}{'.' + case if case else ''}", args))
