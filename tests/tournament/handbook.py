"""Second computations of Swiss standings that share no code with the product.

`second_standings` follows FIDE's handbook C.07 (2024), articles 6, 8, 9.1, 14.1 and 16, for any points.
`third_standings` asks `tiebreak_core`, which knows the points 1, ½ and 0 only.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from tiebreak_core import GameRecord, PlayerTiebreakData, calculate_all_strict
from tiebreak_core.fide2024 import rank_standings

from companion.tournament.facts import TournamentState
from companion.tournament.progress import progress_of
from companion.tournament.values import NOBODY

PLAYED, BYE, WON, LOST, MISSED = "played", "pairing_bye", "forfeit_win", "forfeit_loss", "requested_bye"


@dataclass(frozen=True)
class Round:
    """One round of a player: how it went, the opponent if it was paired, and the result (1, ½ or 0)."""

    number: int
    kind: str
    result: Fraction
    opponent: str | None = None


History = Mapping[str, Sequence[Round]]
TieBreaks = dict[str, dict[str, Fraction]]


def history(state: TournamentState) -> History:
    """Return all rounds of all players of a Swiss whose drawn rounds are over, missed rounds included."""
    found: dict[str, dict[int, Round]] = {entry: {} for entry in state.entries}
    for match in progress_of(state).matches.values():
        assert match.home is not None
        assert match.away is not None
        for me, you, side in ((match.home, match.away, "home"), (match.away, match.home, "away")):
            if me == NOBODY:
                continue
            result = Fraction(1, 2) if match.winner is None else Fraction(match.winner == side)
            if match.by == "bye":
                found[me][match.round] = Round(match.round, BYE, Fraction(1))
            elif match.by == "double_forfeit":
                found[me][match.round] = Round(match.round, LOST, Fraction(0), None if you == NOBODY else you)
            elif match.by in ("forfeit", "withdrawal"):
                found[me][match.round] = Round(match.round, WON if result else LOST, result, you)
            else:
                found[me][match.round] = Round(match.round, PLAYED, result, you)
    every = range(1, len(state.draws) + 1)
    return {
        entry: [rounds.get(number, Round(number, MISSED, Fraction(0))) for number in every]
        for entry, rounds in found.items()
    }


class Handbook:
    """The articles, for a win, a draw and a defeat of these points."""

    def __init__(self, rounds: History, points: tuple[int, int, int]) -> None:
        self.rounds, (self.win, self.draw, self.loss) = rounds, points

    def score(self, me: str) -> int:
        return sum(self.worth(each) for each in self.rounds[me])

    def worth(self, each: Round) -> int:
        if each.kind in (MISSED, LOST):
            # a forfeit is a defeat; two forfeits and a missed round give nothing
            return 0 if each.kind == MISSED else self.loss
        return {Fraction(1): self.win, Fraction(1, 2): self.draw, Fraction(0): self.loss}[each.result]

    def adjusted(self, me: str) -> int:
        """16.3: a requested bye after which the player did not come back counts as a draw for the opponents."""
        total, came_back = 0, False
        for each in reversed(self.rounds[me]):
            came_back = came_back or each.kind in (PLAYED, BYE, WON)
            total += self.draw if each.kind == MISSED and not came_back else self.worth(each)
        return total

    def terms(self, me: str) -> list[tuple[int, Fraction, bool]]:
        """Opponent's score, own result, and whether the round was missed on purpose (16.4)."""
        return [
            (self.adjusted(each.opponent or ""), each.result, False)
            if each.kind == PLAYED
            else (self.score(me), each.result, each.kind in (MISSED, LOST))
            for each in self.rounds[me]
        ]

    def buchholz(self, me: str) -> int:
        return sum(score for score, _, _ in self.terms(me))

    def cut(self, me: str) -> list[int]:
        """14.1 with 16.5: without the lowest missed round, or else without the lowest."""
        scores = [score for score, _, _ in self.terms(me)]
        if len(scores) > 1:
            scores.remove(min([score for score, _, missed in self.terms(me) if missed] or scores))
        return scores

    def sonneborn(self, me: str) -> Fraction:
        return sum((score * result for score, result, _ in self.terms(me)), Fraction(0))

    def order(self, group: list[str]) -> list[list[str]]:
        """Article 6, for players who are level."""
        met = {
            me: [each for each in self.rounds[me] if each.opponent in group] for me in group
        }  # forfeits too: nothing can be made up for them
        own = {
            me: sum(
                Fraction(sum(self.worth(each) for each in among), len(among))
                for you in group
                if (among := [each for each in met[me] if each.opponent == you and each.kind == PLAYED])
            )
            for me in group
        }
        open_pairs = {me: len(group) - 1 - len({each.opponent for each in met[me]}) for me in group}
        if not any(open_pairs.values()):
            if len(set(own.values())) == 1:
                return [group]
            return [
                part
                for score in sorted(set(own.values()), reverse=True)
                for part in self.order([me for me in group if own[me] == score])
            ]
        return self._one_by_one(group)

    def _one_by_one(self, group: list[str]) -> list[list[str]]:
        for me in group:
            if all(self._surely_ahead(me, you, group) for you in group if you != me):
                rest = [you for you in group if you != me]
                return [[me], *(self._one_by_one(rest) if rest else [])]
        return [group]

    def _surely_ahead(self, me: str, you: str, group: list[str]) -> bool:
        """6.3: ahead although it lost and the other won all that was not played."""
        low, high = Fraction(0), Fraction(0)
        for player in group:
            for one, is_me in ((me, True), (you, False)):
                if player == one:
                    continue
                games = [each for each in self.rounds[one] if each.opponent == player]
                real = [self.worth(each) for each in games if each.kind == PLAYED]
                worth = Fraction(sum(real), len(real)) if real else Fraction(0)
                if is_me:
                    low += worth if games else self.loss
                else:
                    high += worth if games else self.win
        return low > high


def second_standings(rounds: History, points: tuple[int, int, int]) -> tuple[TieBreaks, list[list[str]]]:
    """Return each player's tie-breaks, and the players in order: those in one list are level."""
    book = Handbook(rounds, points)
    values = {
        me: {
            "points": Fraction(book.score(me)),
            "buchholz_cut1": Fraction(sum(book.cut(me))),
            "buchholz": Fraction(book.buchholz(me)),
            "sonneborn": book.sonneborn(me),
        }
        for me in rounds
    }
    groups = [list(rounds)]
    for name in ("points", "buchholz_cut1", "buchholz", "sonneborn"):
        groups = [
            [me for me in group if values[me][name] == value]
            for group in groups
            for value in sorted({values[me][name] for me in group}, reverse=True)
        ]
    return values, [part for group in groups for part in book.order(group)]


def third_standings(rounds: History) -> tuple[dict[str, dict[str, float]], list[str]]:
    """Return the tie-breaks and the order of `tiebreak_core`."""
    number = {entry: at for at, entry in enumerate(rounds, 1)}
    players = {
        number[entry]: PlayerTiebreakData(
            number[entry],
            0,
            float(sum(each.result for each in played)),
            [
                GameRecord(
                    -1 if each.opponent is None else number[each.opponent],
                    0,
                    float(each.result),
                    "white",
                    each.number,
                    kind=MISSED if each.kind == LOST and each.opponent is None else each.kind,
                )
                for each in played
            ],
        )
        for entry, played in rounds.items()
    }
    names = ["buchholz_cut1", "buchholz", "sonneborn_berger"]
    count = max(len(played) for played in rounds.values())
    entries = list(rounds)
    values = {
        entry: calculate_all_strict(players[number[entry]], players, names, total_rounds=count, ruleset="fide-2024")
        for entry in entries
    }
    ranked = rank_standings(players, [*names, "direct_encounter"], count)
    return values, [entries[each.player_id - 1] for each in ranked.players]
