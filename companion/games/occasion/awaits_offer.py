"""Options and choices made by trying them out on the situation: what is offered is what the rules let pass."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from companion.games.base import Barred, Fields, Message, Option
from companion.games.occasion.cards import PlayerCard
from companion.games.occasion.rulebook import RULEBOOK
from companion.games.occasion.state import State
from companion.games.occasion.tables import Side, index_of
from companion.games.occasion.words import ability, post, word
from companion.games.wording import listed, literal, signed


def barred(state: State, fields: Fields) -> Barred | None:
    """Why an event is not legal, or None."""
    reason = RULEBOOK.legal(state, RULEBOOK.parse(fields))
    return None if reason is None else Barred(reason.rule, reason.message)


def player_options(
    state: State, side: Side, fields: Callable[[str], Fields], shown: Callable[[PlayerCard], tuple[Message, int | None]]
) -> tuple[Option, ...]:
    """A side's player cards for an event: those that may be taken first, the strongest before the others.

    `fields` makes the event of a card's id; `shown` gives its line and its points.
    """
    found: list[tuple[bool, int, str, Option]] = []
    for id, card in state.players[index_of(side)].items():
        reason = barred(state, fields(id))
        if reason is not None and id in state.in_play(side):
            continue
        detail, points = shown(card)
        effect = None if points is None or reason is not None else str(points)
        option = Option(id, literal(card.name), detail, effect, barred=reason)
        found.append((reason is not None, -(points or 0), card.name, option))
    return tuple(entry[3] for entry in sorted(found, key=lambda entry: entry[:3]))


def strength(state: State, card: PlayerCard, stat: str, base: int, bonus: int) -> Message:
    """A card's line before it is laid: post, the points that count, position bonus."""
    args = {"post": post(state, card.post), "stat": word("stat", stat), "base": base, "bonus": signed(bonus)}
    return Message("occasion.option.strength", args)


def bare(state: State, card: PlayerCard) -> Message:
    """A card's line where its points do not count: post and abilities."""
    return listed([post(state, card.post), *(ability(name) for name in card.abilities)])


def none_left(options: Sequence[Option], rule: str, free: Sequence[str] = ()) -> Barred | None:
    """Why none of these options can be taken, None if one can.

    Preferably what bars a card of `free`, one that is not used or on the table already.
    """
    if any(option.barred is None for option in options):
        return None
    reasons = [option.barred for option in options if option.barred and option.value in free]
    reasons += [option.barred for option in options if option.barred]
    return reasons[0] if reasons else Barred(rule, word("barred", "no_player"))
