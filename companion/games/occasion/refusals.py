"""The refusals of this game: a rule number with the catalogue sentence that explains it."""

from __future__ import annotations

from companion.games.refusals import Refusals

refusal = Refusals("occasion")
