"""Refusals of a game: a rule number paired with the catalogue sentence that explains it."""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.base import Message, Refusal


@dataclass(frozen=True, slots=True)
class Refusals:
    """The refusals of one game, by the game's id.

    `case` distinguishes several sentences of one rule.

    >>> Refusals("hoops21")("HB-1.6", "count", n=6).message.id
    'hoops21.refusal.HB-1.6.count'
    """

    game: str

    def __call__(self, rule: str, case: str = "", **args: object) -> Refusal:
        """Return the refusal by a rule, ready to raise."""
        return Refusal(rule, self.sentence(rule, case, **args))

    def sentence(self, rule: str, case: str = "", **args: object) -> Message:
        """Return the sentence that explains a refusal."""
        return Message(f"{self.game}.refusal.{rule}{'.' + case if case else ''}", args)
