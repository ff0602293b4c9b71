"""From a confirmed journal to the result in the tournament, and from its later corrections to corrections there.

The score is never told by a table: it is what the journal comes to when the hub plays it. What cannot be counted now
waits with a notice, and is looked at again after every fact of the tournament.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import Any

import msgspec
from sqlalchemy import func, select

from companion.games.base import Message, Refusal
from companion.hub.database import UnknownTournament
from companion.hub.heads import COUNTED, NONE, PENDING, REPLACED, Head, columns, games_counted, read
from companion.hub.notices import close_notices, open_notice, told_before
from companion.hub.playing import Playing
from companion.hub.schema import CONFIRMATIONS, FACTS, JOURNALS
from companion.hub.shelf import Shelf
from companion.hub.sitting import Sitting, Standing
from companion.hub.words import NoticeKind
from companion.tournament import facts as fa
from companion.tournament import game_results, headers
from companion.tournament.course import course
from companion.tournament.naming import match_name
from companion.tournament.outcomes import Match, standing_report
from companion.tournament.refusing import refusal
from companion.tournament.values import winner_by_score

TROUBLES: tuple[NoticeKind, ...] = ("not_called_here", "result_refused", "result_differs")

NumberOf = Callable[[str], int | None]
"""The number of a table by its id."""


class Trouble(Exception):
    """Why a result is not counted: what the organiser is told."""

    def __init__(self, kind: NoticeKind, message: Message) -> None:
        super().__init__(str(message))
        self.kind = kind
        self.message = message


class Settling:
    """Counts results within one transaction."""

    def __init__(self, sitting: Sitting, shelf: Shelf, number_of: NumberOf) -> None:
        self.sitting = sitting
        self.work = sitting.work
        self._shelf = shelf
        self._number_of = number_of

    def settle(self, head: Head, asked: bool = False) -> Head:
        """Counts what the journal came to, if it is confirmed, over, and of a match; the head as it is then.

        What the organiser decided since it was counted stands; `asked` is that the organiser has it count for a match
        that is open again.
        """
        if head.branch != 0 or head.bound is None or not head.confirmed:
            return head
        if head.forgotten is not None:
            return self._deleted(head)
        playing = self._shelf.playing(head)
        if playing.refused is not None or not playing.over:
            return head
        try:
            changed = self._counted(head, playing, asked)
        except Trouble as trouble:
            return self._put_off(head, trouble)
        if changed is head:
            return head
        close_notices(self.work, changed, TROUBLES, changed.table_id)
        return self._shelf.put(changed)

    def settle_pending(self, tournament: str) -> None:
        """Looks again at all that waits in a tournament, until nothing more can be counted."""
        waiting = select(*columns()).where(JOURNALS.c.tournament == tournament, JOURNALS.c.outcome == PENDING)
        going = True
        while going:
            heads = [read(row) for row in self.work.connection.execute(waiting.order_by(JOURNALS.c.id))]
            outcomes = [self.settle(head).outcome for head in heads]
            going = COUNTED in outcomes

    def _deleted(self, head: Head) -> Head:
        """What is deleted cannot be played: the organiser is told what a table confirmed and enters it by hand."""
        try:
            standing, match = self._match(head)
        except Trouble:
            return head  # not even the organiser could have it count
        args = {"match": match_name(standing.state, match), "table": self._number_of(head.table_id) or head.table_id}
        if head.counted is None and not match.over:
            return self._put_off(head, Trouble("result_refused", Message("tournament.hub.notice.deleted", args)))
        if standing.told(head) and head.confirmed > self._told_line(head):
            return self._put_off(head, Trouble("result_refused", Message("tournament.hub.notice.deleted_since", args)))
        if head.outcome != PENDING:
            return head
        close_notices(self.work, head, TROUBLES, head.table_id)
        return self._shelf.put(replace(head, outcome=NONE if head.counted is None else COUNTED))

    def _told_line(self, head: Head) -> int:
        """The last line of a journal of which the tournament has the result."""
        ours = (FACTS.c.tournament == head.tournament, FACTS.c.table_id == head.table_id, FACTS.c.epoch == head.epoch)
        return self.work.connection.scalar(select(func.max(FACTS.c.line)).where(*ours)) or 0

    def _put_off(self, head: Head, trouble: Trouble) -> Head:
        if head.outcome != NONE and told_before(self.work.connection, trouble.kind, head, trouble.message):
            return head  # the organiser has this very trouble on the desk, or dismissed it
        open_notice(self.work, trouble.kind, head, trouble.message)
        return head if head.outcome == REPLACED else self._shelf.put(replace(head, outcome=PENDING))

    def _counted(self, head: Head, playing: Playing, asked: bool) -> Head:
        """The head with its result counted, or as it was if nothing is new. Raises Trouble."""
        standing, match = self._match(head)
        self._check_sides(standing, match, head, playing)
        assert playing.game is not None  # a match that is over has one
        view = playing.game.view(playing.state)
        found = game_results.result(playing.game.id, view, match, self._clock(playing))
        if found is None:
            return head
        shown = _shown(found)
        if shown == head.counted and not (asked and not match.over):
            return replace(head, outcome=COUNTED) if head.outcome == PENDING else head
        if not asked:
            self._check_game(head, match, playing)
        self._record(head, standing, match, found)
        for other in self._others(head):
            self._shelf.put(replace(other, outcome=REPLACED))
        return replace(head, outcome=COUNTED, counted=shown)

    def _match(self, head: Head) -> tuple[Standing, Match]:
        assert head.tournament is not None  # settle asked
        assert head.match is not None
        try:
            standing = self.sitting.standing(head.tournament)
        except UnknownTournament:
            raise Trouble("result_refused", Message("tournament.hub.notice.no_tournament")) from None
        match = course(standing.state).matches.get(head.match)
        if match is None:
            raise Trouble("result_refused", refusal("unknown_match", match=head.match).message)
        number = self._number_of(head.table_id)
        if head.bound_by is None and number not in standing.called.get(match.id, ()):
            args = {"match": match_name(standing.state, match), "table": number or head.table_id}
            raise Trouble("not_called_here", Message("tournament.hub.notice.not_called_here", args))
        return standing, match

    def _check_sides(self, standing: Standing, match: Match, head: Head, playing: Playing) -> None:
        """Those who played must be those who sit there now. Raises Trouble."""
        seated = headers.sides(standing.state, match)
        if head.entries is not None:
            played: Any = json.loads(head.entries)
        elif all(entry in standing.state.entries for entry in seated.values()):
            named = headers.names(standing.state, match)
            same = all(playing.names.get(side) == each["name"] for side, each in named.items())
            played = seated if same else None
        else:
            played = None
        if played != seated:
            raise Trouble("result_refused", refusal("other_sides", match=match_name(standing.state, match)).message)

    def _check_game(self, head: Head, match: Match, playing: Playing) -> None:
        """A game from before the match was to be played again does not count for the one after. Raises Trouble."""
        if head.outcome == REPLACED:
            raise Trouble("result_differs", Message("tournament.hub.notice.replaced"))
        if match.over:
            return
        earlier = head.counted is not None
        if not earlier and head.bound_by is None and playing.mark is not None:
            games = games_counted(self.work.connection, str(head.tournament)).get(str(head.match), 0)
            earlier = playing.mark.again < games
        if earlier:
            raise Trouble("result_differs", Message("tournament.hub.notice.earlier_game"))

    def _record(self, head: Head, standing: Standing, match: Match, found: fa.Result) -> None:
        """As a correction if the result that stands is this journal's. Raises Trouble."""
        report = standing_report(standing.state, match.id, match.home, match.away)
        if match.over and report is not None and _told(found) == (report.score, report.winner, report.by, report.carry):
            return  # entered by hand before the table's own came, and both agree
        by = self._confirmed_by(head)
        try:
            if match.over and report is not None and standing.told(head):
                self.sitting.record(standing.id, game_results.correction(found), by, source=head)
            else:
                self.sitting.record(standing.id, found, by, source=head)
        except Refusal as reason:
            if reason.rule != "over_already":
                raise Trouble("result_refused", reason.message) from None
            named = match_name(standing.state, match)
            args = {"match": named, "home": found.score[0], "away": found.score[1]}
            raise Trouble("result_differs", Message("tournament.hub.notice.result_differs", args)) from None

    def _confirmed_by(self, head: Head) -> str:
        found = self.work.connection.scalar(
            select(CONFIRMATIONS.c.by).where(
                CONFIRMATIONS.c.table_id == head.table_id,
                CONFIRMATIONS.c.epoch == head.epoch,
                CONFIRMATIONS.c.seq == head.confirmed,
            )
        )
        named = ", ".join(msgspec.json.decode(found, type=list[str])) if found else (head.bound_by or "")
        return named or head.table_id

    def _others(self, head: Head) -> list[Head]:
        """Journals of the same match that were counted before this one, also if they wait since they changed."""
        rows = select(*columns()).where(
            JOURNALS.c.tournament == head.tournament,
            JOURNALS.c.match == head.match,
            JOURNALS.c.outcome.in_((COUNTED, PENDING)),
            JOURNALS.c.counted.is_not(None),
            JOURNALS.c.id != head.id,
        )
        return [read(row) for row in self.work.connection.execute(rows)]

    def _clock(self, playing: Playing) -> int:
        """When the match ended, in seconds since 1970: by its last event, by the hub's clock if that says nothing."""
        at = playing.newest[-1].fields.get("at") if playing.newest else None
        for written in (at, self.work.now):
            try:
                return max(0, int(datetime.fromisoformat(str(written)).timestamp()))
            except (ValueError, OverflowError, OSError):
                continue
        return 0


def _told(found: fa.Result) -> tuple[Any, ...]:
    """What a report of it would say, besides when."""
    winner = winner_by_score(found.score) if found.winner == "score" else found.winner
    return found.score, winner, found.by, found.carry


def _shown(found: fa.Result) -> str:
    """What counts of a result, to tell whether a later one is another: not when it was."""
    return json.dumps(fa.printed(replace(found, clock=None)), sort_keys=True, ensure_ascii=False)
