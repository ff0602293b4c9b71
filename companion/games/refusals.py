"""How a game refuses: the number of a rule paired with the sentence of the catalogues that explains it."""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.base import Message, Refusal


@dataclass(frozen=True, slots=True)
class Refusals:
    """The refusals of one game, by the game's id.

    `case` tells apart sentences of one rule.

    >>> Refusals("hoops21")("HB-1.6", "count", n=6).message.id
    'hoops21.refusal.HB-1.6.count'
    """

    game: str

    def __call__(self, rule: str, case: str = "", **args: object) -> Refusal:
        """The refusal by a rule, to be raised."""
        return Refusal(rule, self.sentence(rule, case, **args))

    def sentence(self, rule: str, case: str = "", **args: object) -> Message:
        """The sentence that explains a refusal."""
        return Message(f"{self.game}.refusal.{rule}{'.' + case if case else ''}", args)
