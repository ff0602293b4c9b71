"""The skeleton of a stage: its ties, and where the two sides of each come from. Nothing of results yet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from companion.tournament import seeding
from companion.tournament.values import NOBODY, Stage

NodeKind = Literal["group", "swiss", "winners", "losers", "final", "reset", "third"]


@dataclass(frozen=True, slots=True)
class Source:
    """Where a side comes from: an `entry` by id, a `seed` by number, the `winner` or the `loser` of a tie by id."""

    kind: Literal["entry", "seed", "winner", "loser"]
    of: str

    @property
    def fixed(self) -> bool:
        """Whether it needs no other tie to be over."""
        return self.kind == "entry"


@dataclass(frozen=True, slots=True)
class Node:
    """A tie: one match, or two legs. `round` counts from 1 within its kind, `number` within the round."""

    id: str
    stage: int
    kind: NodeKind
    round: int
    number: int
    home: Source
    away: Source
    legs: int = 1
    group: str | None = None

    def matches(self) -> tuple[str, ...]:
        """The ids of its matches: its own, or that of each leg."""
        return (self.id,) if self.legs == 1 else (f"{self.id}/1", f"{self.id}/2")


def entry(id: str) -> Source:
    """The source of an entry that is known."""
    return Source("entry", id)


def fixed_node(stage: int, round: int, number: int, pair: tuple[str, str], group: str | None = None) -> Node:
    """A tie of a round robin (with a group) or of a Swiss round."""
    kind: NodeKind = "group" if group else "swiss"
    id = f"s{stage}-{group or 'r'}{round}-{number}"
    return Node(id, stage, kind, round, number, entry(pair[0]), entry(pair[1]), group=group)


def bracket(number: int, stage: Stage, seeds: int) -> tuple[Node, ...]:
    """The ties of a knock-out of so many seeds, each after those it comes from."""
    if seeds < 2:
        return ()
    rounds = _winners(number, stage, seeds)
    if stage.kind == "double_knock_out":
        return _double(number, stage, rounds)
    ties = [node for round in rounds for node in round]
    if stage.third_place and len(rounds) > 1:
        first, second = rounds[-2]
        third = Node(
            f"s{number}-third",
            number,
            "third",
            1,
            1,
            Source("loser", first.id),
            Source("loser", second.id),
            stage.final_legs,
        )
        ties.insert(-1, third)
    return tuple(ties)


def _winners(number: int, stage: Stage, seeds: int) -> list[list[Node]]:
    down = [
        Source("seed", str(seed)) if seed <= seeds else entry(NOBODY) for seed in seeding.places(seeding.size(seeds))
    ]
    rounds: list[list[Node]] = []
    single = stage.kind == "knock_out"
    while len(down) > 1:
        round = len(rounds) + 1
        last = len(down) == 2 and single
        kind: NodeKind = "final" if last else "winners"
        ties = [
            Node(
                f"s{number}-final" if last else f"s{number}-w{round}-{at // 2 + 1}",
                number,
                kind,
                round,
                at // 2 + 1,
                down[at],
                down[at + 1],
                stage.final_legs if last else stage.legs,
            )
            for at in range(0, len(down), 2)
        ]
        rounds.append(ties)
        down = [Source("winner", tie.id) for tie in ties]
    return rounds


def _double(number: int, stage: Stage, rounds: list[list[Node]]) -> tuple[Node, ...]:
    """The losers of each round drop in, the other way round in every second one, so that they meet again late."""
    ties = list(rounds[0])
    down = [Source("loser", tie.id) for tie in rounds[0]]
    losers = 0
    for turn, winners in enumerate(rounds[1:]):
        losers += 1
        played = _losers_round(number, losers, list(zip(down[::2], down[1::2], strict=True)))
        ties += [*played, *winners]
        dropped = [Source("loser", tie.id) for tie in winners]
        dropped = _turned(dropped, turn)
        losers += 1
        survivors = [Source("winner", tie.id) for tie in played]
        played = _losers_round(number, losers, list(zip(dropped, survivors, strict=True)))
        ties += played
        down = [Source("winner", tie.id) for tie in played]
    top = rounds[-1][0]
    final = Node(f"s{number}-final", number, "final", 1, 1, Source("winner", top.id), down[0])
    ties.append(final)
    if stage.reset:
        again = Source("loser", final.id), Source("winner", final.id)
        ties.append(Node(f"s{number}-reset", number, "reset", 1, 1, *again))
    return tuple(ties)


def _losers_round(number: int, round: int, pairs: Sequence[tuple[Source, Source]]) -> list[Node]:
    return [
        Node(f"s{number}-l{round}-{at}", number, "losers", round, at, home, away)
        for at, (home, away) in enumerate(pairs, 1)
    ]


def _turned(dropped: list[Source], turn: int) -> list[Source]:
    """Reversed in the first, third, … round of dropping; its halves exchanged in the others."""
    if turn % 2 == 0:
        return dropped[::-1]
    half = len(dropped) // 2
    return dropped[half:] + dropped[:half]
