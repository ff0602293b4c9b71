"""The refusals of this game: a rule's number with the sentence of the catalogues that explains it."""

from __future__ import annotations

from companion.games.refusals import Refusals

refusal = Refusals("footclub")
