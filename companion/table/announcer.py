"""Spoken announcements of a match: which sentences for which news. Never repeats itself or reveals a secret.

An event is identified by its position among the valid events and by its text. An event that is recorded again after an
undo, or is unchanged by a correction, is not announced again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from companion.games.base import Decision, Message, Scene
from companion.games.figures import Headline, Sum
from companion.table.ports import News, NewsKind
from companion.table.session import Session

Mode = Literal["off", "results", "all"]

MAX_SPOKEN_CHOICES = 6
"""Maximum number of a side's choices that are named. The others are only counted."""


class Cue(StrEnum):
    """Meaning of a short sound. Each is also visible on the screen."""

    READ = "read"
    QUESTION = "question"
    REFUSAL = "refusal"
    GOAL = "goal"


@dataclass(frozen=True, slots=True)
class Announcement:
    """Announcement of one news item: a sound, and the sentences of each mode (`all` includes the results)."""

    cue: Cue | None = None
    results: tuple[Message, ...] = ()
    more: tuple[Message, ...] = ()

    def messages(self, mode: Mode) -> tuple[Message, ...]:
        """Return the sentences of a mode."""
        if mode == "off":
            return ()
        return self.results + self.more if mode == "all" else self.results


@dataclass(frozen=True, slots=True)
class _Snapshot:
    """Visible content and available choices of one state."""

    scene: Scene
    decision: Decision
    score: Mapping[str, int]
    is_finished: bool

    @classmethod
    def of(cls, session: Session) -> _Snapshot:
        scene = session.scene()
        score = dict(zip((side.side for side in scene.sides), scene.board.score, strict=True))
        return cls(scene, session.people_decision(), score, session.game.finished(session.state))

    @property
    def headline(self) -> Headline | None:
        return next((figure for figure in self.scene.figures if isinstance(figure, Headline)), None)

    @property
    def total(self) -> Sum | None:
        return next((figure for figure in self.scene.figures if isinstance(figure, Sum)), None)

    def is_private(self, event: str) -> bool:
        """Return True if an event is prepared hidden from the other side: line-ups, secret choices."""
        choices = [choice for choice in self.decision.choices if choice.event.get("event") == event]
        return any(prompt.secret or prompt.kind == "lineup" for choice in choices for prompt in choice.prompts)

    def side_names(self) -> dict[str, str]:
        return {side.side: side.name for side in self.scene.sides}


class Announcer:
    """Announces the news of one session. Earlier events count as announced."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._snapshot = _Snapshot.of(session)
        events = session.ledger.events
        self._event_messages: list[Message] = [self._event_message(index) for index in range(len(events))]
        self._announced_decisions: dict[int, tuple[Message, ...]] = {}
        if events:
            self._announced_decisions[len(events)] = decision_messages(
                self._snapshot.decision, self._snapshot.side_names()
            )

    def greeting(self) -> Announcement:
        """Return the first prompt of a new match; empty for a resumed one."""
        return Announcement(more=self._decision_messages())

    def announce(self, news: News) -> Announcement:
        """Return the announcement of a news item."""
        if news.kind is NewsKind.EVENT:
            return self._announce_event(news)
        if news.kind in (NewsKind.UNDO, NewsKind.CORRECT):
            return self._announce_amendment(news.kind)
        if news.kind is NewsKind.QUESTION:
            return Announcement(Cue.QUESTION, more=(Message("voice.question"),))
        if news.kind is NewsKind.NOTICE and news.text is not None:
            return Announcement(more=(news.text,))
        return Announcement()

    def _announce_event(self, news: News) -> Announcement:
        before, self._snapshot = self._snapshot, _Snapshot.of(self._session)
        index = len(self._session.ledger.events) - 1
        message = self._event_message(index)
        was_announced = index < len(self._event_messages) and self._event_messages[index] == message
        if not was_announced:
            del self._event_messages[index:]
            self._event_messages.append(message)
            self._announced_decisions = {
                position: messages for position, messages in self._announced_decisions.items() if position <= index
            }
        cue = self._cue(before, news)
        if was_announced:
            return Announcement(cue, more=self._decision_messages())
        results = () if before.is_private(str(news.fields["event"])) else self._results(before, message, news)
        return Announcement(cue, results, self._decision_messages())

    def _announce_amendment(self, kind: NewsKind) -> Announcement:
        """Handle undo and correct: the current events, and those undone, count as announced."""
        self._snapshot = _Snapshot.of(self._session)
        event_count = len(self._session.ledger.events)
        if kind is NewsKind.UNDO:
            return Announcement(more=(Message("voice.undone"),))
        event_messages = [self._event_message(index) for index in range(event_count)]
        unchanged_count = next(
            (i for i, (a, b) in enumerate(zip(event_messages, self._event_messages, strict=False)) if a != b),
            event_count,
        )
        self._event_messages = event_messages
        self._announced_decisions = {
            position: messages
            for position, messages in self._announced_decisions.items()
            if position <= unchanged_count or position == event_count
        }
        return Announcement(more=(Message("voice.corrected"), *self._decision_messages()))

    def _cue(self, before: _Snapshot, news: News) -> Cue | None:
        if sum(self._snapshot.score.values()) > sum(before.score.values()):
            return Cue.GOAL
        return Cue.READ if self._session.game.dice_from_event(news.fields) else None

    def _results(self, before: _Snapshot, event_message: Message, news: News) -> tuple[Message, ...]:
        """Return the event's sentence.

        A new situation is announced by its headline, which names the player in full, and bonus.
        """
        now, headline = self._snapshot, self._snapshot.headline
        messages = [event_message]
        earlier = before.headline
        if headline is not None and headline.badge and headline.detail and headline != earlier:
            if self._session.game.dice_from_event(news.fields) or earlier is None or headline.text == earlier.text:
                messages.append(headline.detail)
            else:
                messages = [headline.text, headline.detail]
                if now.total is not None and now.total != before.total:
                    messages.append(Message("voice.sum", {"title": now.total.title, "total": now.total.total}))
        if now.score != before.score:
            messages.append(_score_message(now))
        if now.is_finished:
            messages.append(now.decision.title)
        return _unique(messages)

    def _event_message(self, index: int) -> Message:
        event = self._session.ledger.events[index]
        return self._session.game.describe(event.state_after, event.fields, event.outcome)

    def _decision_messages(self) -> tuple[Message, ...]:
        """Return the prompt and the legal choices, unless already announced at this position."""
        if self._snapshot.is_finished:
            return ()
        index = len(self._session.ledger.events)
        messages = decision_messages(self._snapshot.decision, self._snapshot.side_names())
        if self._announced_decisions.get(index) == messages:
            return ()
        self._announced_decisions[index] = messages
        return messages


def decision_messages(decision: Decision, names: Mapping[str, str]) -> tuple[Message, ...]:
    """Return title and detail, then the legal choices of each side and of either. Omits secret answers."""
    messages = [decision.title] + ([decision.detail] if decision.detail is not None else [])
    for side in (*names, None):
        choices_of_side = [c for c in decision.choices if c.side == side and c.disabled_reason is None and not c.menu]
        labels = _unique([choice.label for choice in sorted(choices_of_side, key=lambda choice: choice.prominence)])
        if labels:
            choice_list = _join_labels(labels)
            messages.append(
                Message("voice.may", {"name": names[side], "choices": choice_list})
                if side is not None
                else Message("voice.either_may", {"choices": choice_list})
            )
    return tuple(messages)


def _join_labels(labels: Sequence[Message]) -> Message:
    """Join labels; those beyond the limit are replaced by their number."""
    spoken, hidden_count = labels[:MAX_SPOKEN_CHOICES], len(labels) - MAX_SPOKEN_CHOICES
    text = spoken[-1] if hidden_count <= 0 else Message("voice.others", {"first": spoken[-1], "n": hidden_count})
    for label in reversed(spoken[:-1]):
        text = Message("voice.list", {"first": label, "rest": text})
    return text


def _score_message(snapshot: _Snapshot) -> Message:
    names = snapshot.side_names()
    parts = [Message("voice.side_score", {"name": names.get(s, s), "score": n}) for s, n in snapshot.score.items()]
    return _join_labels(parts)


def _unique(messages: Sequence[Message]) -> tuple[Message, ...]:
    """Return each message once, in order (messages with arguments are not hashable)."""
    unique: list[Message] = []
    for message in messages:
        if message not in unique:
            unique.append(message)
    return tuple(unique)
