"""What a correction would come to, worked out without doing it: the facts told otherwise, the score, what breaks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.games.base import Fields, Game, Refusal
from companion.journal.envelope import without_free_fields
from companion.journal.ledger import Ledger
from companion.table.story import Difference, differences


@dataclass(frozen=True, slots=True)
class Consequences:
    """`differences` begins with the corrected fact; every later one that comes to something else follows.

    `broken` says why the corrected match cannot stand. `itself`: then the fact itself is what breaks a rule, otherwise
    one that follows. `score` is None when it stays as it is, or when nothing can be said.
    """

    differences: tuple[Difference, ...]
    followers: int
    score: tuple[Mapping[str, int], Mapping[str, int]] | None = None
    broken: Refusal | None = None
    itself: bool = False


def consequences(game: Game[Any, Any], ledger: Ledger[Any, Any], line: int, fields: Fields) -> Consequences:
    """What comes of these fields on the line of a standing fact. StopIteration if none stands there."""
    standing = ledger.standing
    at = next(index for index, event in enumerate(standing) if event.line == line)
    followers = len(standing) - at - 1
    try:
        found = _itself(game, standing[at - 1].state_after if at else ledger.initial, standing[at], fields)
    except Refusal as refusal:
        return Consequences((), followers, broken=refusal, itself=True)
    try:
        proposal = ledger.propose({"event": "correct", "line": line, "with": dict(fields)})
    except Refusal as refusal:
        return Consequences(found, followers, broken=refusal)
    before, after = (game.view(state).get("score") or {} for state in (ledger.state, proposal.state))
    score = (before, after) if before != after else None
    return Consequences(differences(game, ledger, proposal), followers, score)


def _itself(game: Game[Any, Any], state: Any, old: Any, fields: Fields) -> tuple[Difference, ...]:
    """The corrected fact alone. Raises Refusal if it breaks a rule."""
    event = game.parse(without_free_fields(fields))
    game.decide(state, event)
    after, outcome = game.apply(state, event)
    told = game.describe(old.state_after, old.fields, old.outcome), game.describe(after, fields, outcome)
    return (Difference(old.line, *told),) if told[0] != told[1] else ()
