"""What is said aloud of a match: which sentences for which news. Nothing is said twice, and never a secret.

A fact is known by its place among the facts that stand and by its words: what is recorded anew after an undo, or stays
as it was after a correction, has been heard already.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from companion.games.base import Awaits, Message, Scene
from companion.games.figures import Headline, Sum
from companion.table.ports import News, NewsKind
from companion.table.session import Session

Mode = Literal["off", "results", "all"]

MOST_CHOICES = 6
"""So many choices of a side are named; of more it is said how many."""


class Cue(StrEnum):
    """What a short sound stands for; each of it can be seen too."""

    READ = "read"
    QUESTION = "question"
    REFUSAL = "refusal"
    GOAL = "goal"


@dataclass(frozen=True, slots=True)
class Heard:
    """What one piece of news comes to: a sound, and the sentences of each mode (`all` includes the results)."""

    cue: Cue | None = None
    results: tuple[Message, ...] = ()
    more: tuple[Message, ...] = ()

    def said(self, mode: Mode) -> tuple[Message, ...]:
        """The sentences of a mode."""
        if mode == "off":
            return ()
        return self.results + self.more if mode == "all" else self.results


@dataclass(frozen=True, slots=True)
class _Moment:
    """What there was to see and to do in one state."""

    scene: Scene
    awaits: Awaits
    score: Mapping[str, int]
    finished: bool

    @classmethod
    def of(cls, session: Session) -> _Moment:
        scene = session.scene()
        score = dict(zip((side.side for side in scene.sides), scene.board.score, strict=True))
        return cls(scene, session.awaits(), score, session.game.finished(session.state))

    @property
    def headline(self) -> Headline | None:
        return next((figure for figure in self.scene.figures if isinstance(figure, Headline)), None)

    @property
    def sum(self) -> Sum | None:
        return next((figure for figure in self.scene.figures if isinstance(figure, Sum)), None)

    def private(self, event: str) -> bool:
        """Whether an event is prepared out of the other side's sight: line-ups, secret choices."""
        mine = [choice for choice in self.awaits.choices if choice.event.get("event") == event]
        return any(ask.secret or ask.kind == "lineup" for choice in mine for ask in choice.asks)

    def names(self) -> dict[str, str]:
        return {side.side: side.name for side in self.scene.sides}


class Announcer:
    """Listens to one session. What stood when it came has been heard before."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._now = _Moment.of(session)
        standing = session.ledger.standing
        self._facts: list[Message] = [self._fact(index) for index in range(len(standing))]
        self._awaited: dict[int, tuple[Message, ...]] = {}
        if standing:
            self._awaited[len(standing)] = awaited(self._now.awaits, self._now.names())

    def greeting(self) -> Heard:
        """What is awaited first in a match that has just begun; nothing when one is taken up again."""
        return Heard(more=self._awaited_now())

    def hear(self, news: News) -> Heard:
        """What is to be heard of this news."""
        if news.kind is NewsKind.ENTRY:
            return self._entry(news)
        if news.kind in (NewsKind.UNDO, NewsKind.CORRECT):
            return self._amended(news.kind)
        if news.kind is NewsKind.QUESTION:
            return Heard(Cue.QUESTION, more=(Message("voice.question"),))
        if news.kind is NewsKind.NOTICE and news.text is not None:
            return Heard(more=(news.text,))
        return Heard()

    def _entry(self, news: News) -> Heard:
        before, self._now = self._now, _Moment.of(self._session)
        place = len(self._session.ledger.standing) - 1
        fact = self._fact(place)
        heard_before = place < len(self._facts) and self._facts[place] == fact
        if not heard_before:
            del self._facts[place:]
            self._facts.append(fact)
            self._awaited = {known: said for known, said in self._awaited.items() if known <= place}
        cue = self._cue(before, news)
        if heard_before:
            return Heard(cue, more=self._awaited_now())
        results = () if before.private(str(news.fields["event"])) else self._results(before, fact, news)
        return Heard(cue, results, self._awaited_now())

    def _amended(self, kind: NewsKind) -> Heard:
        """Undo and correct: the facts as they now stand count as heard, and so do those taken back."""
        self._now = _Moment.of(self._session)
        standing = len(self._session.ledger.standing)
        if kind is NewsKind.UNDO:
            return Heard(more=(Message("voice.undone"),))
        facts = [self._fact(index) for index in range(standing)]
        same = next((i for i, (a, b) in enumerate(zip(facts, self._facts, strict=False)) if a != b), standing)
        self._facts = facts
        self._awaited = {known: said for known, said in self._awaited.items() if known <= same or known == standing}
        return Heard(more=(Message("voice.corrected"), *self._awaited_now()))

    def _cue(self, before: _Moment, news: News) -> Cue | None:
        if sum(self._now.score.values()) > sum(before.score.values()):
            return Cue.GOAL
        return Cue.READ if self._session.game.dice(news.fields) else None

    def _results(self, before: _Moment, fact: Message, news: News) -> tuple[Message, ...]:
        """The fact; a new situation by its headline, which names the designated player in full, with the bonus."""
        now, headline = self._now, self._now.headline
        said = [fact]
        told = before.headline
        if headline is not None and headline.badge and headline.detail and headline != told:
            if self._session.game.dice(news.fields) or told is None or headline.text == told.text:
                said.append(headline.detail)
            else:
                said = [headline.text, headline.detail]
                if now.sum is not None and now.sum != before.sum:
                    said.append(Message("voice.sum", {"title": now.sum.title, "total": now.sum.total}))
        if now.score != before.score:
            said.append(_score(now))
        if now.finished:
            said.append(now.awaits.title)
        return _once(said)

    def _fact(self, place: int) -> Message:
        standing = self._session.ledger.standing[place]
        return self._session.game.describe(standing.state_after, standing.fields, standing.outcome)

    def _awaited_now(self) -> tuple[Message, ...]:
        """Who is awaited and what is legal, unless that was said for this place already."""
        if self._now.finished:
            return ()
        place = len(self._session.ledger.standing)
        words = awaited(self._now.awaits, self._now.names())
        if self._awaited.get(place) == words:
            return ()
        self._awaited[place] = words
        return words


def awaited(awaits: Awaits, names: Mapping[str, str]) -> tuple[Message, ...]:
    """Title and detail, then the legal choices of each side and of either. Answers that are secret are not in them."""
    said = [awaits.title] + ([awaits.detail] if awaits.detail is not None else [])
    for side in (*names, None):
        legal = [c for c in awaits.choices if c.side == side and c.barred is None and not c.menu]
        labels = _once([choice.label for choice in sorted(legal, key=lambda choice: choice.rank)])
        if labels:
            choices = _listed(labels)
            said.append(
                Message("voice.may", {"name": names[side], "choices": choices})
                if side is not None
                else Message("voice.either_may", {"choices": choices})
            )
    return tuple(said)


def _listed(labels: Sequence[Message]) -> Message:
    """Labels one after the other, the last of too many as their number."""
    shown, left = labels[:MOST_CHOICES], len(labels) - MOST_CHOICES
    whole = shown[-1] if left <= 0 else Message("voice.others", {"first": shown[-1], "n": left})
    for label in reversed(shown[:-1]):
        whole = Message("voice.list", {"first": label, "rest": whole})
    return whole


def _score(moment: _Moment) -> Message:
    names = moment.names()
    parts = [Message("voice.side_score", {"name": names.get(s, s), "score": n}) for s, n in moment.score.items()]
    return _listed(parts)


def _once(messages: Sequence[Message]) -> tuple[Message, ...]:
    """Each message once, in order (messages with arguments cannot be hashed)."""
    found: list[Message] = []
    for message in messages:
        if message not in found:
            found.append(message)
    return tuple(found)
