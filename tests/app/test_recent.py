"""Order of long lists: recent picks first, then the game's order, barred options last."""

from __future__ import annotations

from companion.app.prompts.flow import MAX_RECENT_PICKS, RecentPicks
from companion.games.base import DisabledReason, Message, Option, Prompt


def asked(count=20, disabled=()):
    options = tuple(
        Option(
            number,
            Message(str(number)),
            disabled_reason=DisabledReason("FC-1", Message("no")) if number in disabled else None,
        )
        for number in range(count)
    )
    return Prompt("pick", "card", Message("which"), options)


def values(recent, ask):
    return [option.value for option in recent.ordered_options(ask)]


def test_without_picks_only_what_is_barred_moves():
    assert values(RecentPicks(), asked(5, disabled=(0, 2))) == [1, 3, 4, 0, 2]


def test_the_newest_pick_stands_first():
    recent, ask = RecentPicks(), asked(6)
    for value in (3, 5, 3, 1):
        recent.remember(ask, value)
    assert values(recent, ask) == [1, 3, 5, 0, 2, 4]


def test_a_pick_that_is_barred_now_stays_behind_what_is_legal():
    recent = RecentPicks()
    recent.remember(asked(4), 2)
    assert values(recent, asked(4, disabled=(2, 3))) == [0, 1, 2, 3]


def test_only_so_many_are_remembered_and_values_may_be_lists():
    recent = RecentPicks()
    ask = Prompt("pick", "pairs", Message("which"), tuple(Option([n, n], Message(str(n))) for n in range(20)))
    for number in range(20):
        recent.remember(ask, [number, number])
    assert [value[0] for value in values(recent, ask)][: MAX_RECENT_PICKS + 1] == [
        *range(19, 19 - MAX_RECENT_PICKS, -1),
        0,
    ]
