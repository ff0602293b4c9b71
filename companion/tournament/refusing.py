"""How the tournament refuses: a reason's id with the sentence of the catalogues that explains it."""

from __future__ import annotations

from typing import Any

from companion.games.base import Message, Refusal


def refusal(reason: str, **args: Any) -> Refusal:
    """The refusal for a reason; its `rule` is the reason's id."""
    return Refusal(reason, Message(f"tournament.refusal.{reason}", args))
