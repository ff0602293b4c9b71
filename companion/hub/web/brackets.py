"""A bracket as columns: a round each, the ties in the order in which they lead on."""

from __future__ import annotations

from dataclasses import dataclass

from companion.hub.web.match_words import Names
from companion.tournament.course import StageCourse
from companion.tournament.outcomes import Match, Tie


@dataclass(frozen=True, slots=True)
class TieSide:
    """One side of a tie: its name, its points leg by leg, whether it went on."""

    name: str
    points: tuple[str, ...]
    won: bool
    lost: bool


@dataclass(frozen=True, slots=True)
class TieBox:
    """A tie as it is drawn; `match` is the one that its link leads to."""

    title: str
    home: TieSide
    away: TieSide
    match: Match
    now: bool


@dataclass(frozen=True, slots=True)
class Column:
    """A round of a bracket."""

    title: str
    ties: tuple[TieBox, ...]


def brackets(names: Names, stage: StageCourse) -> list[list[Column]]:
    """The bracket of a stage; of a double knock-out that of the winners with the finals, then that of the losers."""
    found: dict[tuple[str, int], list[Tie]] = {}
    for tie in stage.ties:
        if all(match.status == "not_needed" for match in tie.matches):
            continue
        found.setdefault((tie.node.kind, tie.node.round), []).append(tie)
    columns = {
        key: Column(names.column(stage, *key), tuple(_box(names, tie) for tie in sorted(ties, key=_place)))
        for key, ties in found.items()
    }
    upper = [columns[key] for key in columns if key[0] == "winners"]
    upper += [columns[key] for kind in ("final", "reset", "third") for key in columns if key[0] == kind]
    lower = [columns[key] for key in columns if key[0] == "losers"]
    return [each for each in (upper, lower) if each]


def _place(tie: Tie) -> int:
    return tie.node.number


def _box(names: Names, tie: Tie) -> TieBox:
    running = next((match for match in tie.matches if match.status == "called"), None)
    newest = running or next((match for match in reversed(tie.matches) if match.over), tie.matches[0])
    return TieBox(names.tie(tie), _side(names, tie, True), _side(names, tie, False), newest, running is not None)


def _side(names: Names, tie: Tie, home: bool) -> TieSide:
    seat = tie.home if home else tie.away
    points = []
    for match in tie.matches:
        if match.score is not None:
            at_home = home == (match.leg != 2)
            points.append(str(match.score[0 if at_home else 1]))
    name = names.side(tie.matches[0], home)
    return TieSide(name, tuple(points), seat is not None and seat == tie.winner, seat is not None and seat == tie.loser)
