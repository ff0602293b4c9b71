"""Messages as text for the database: `[id, {arguments}]`, a message among the arguments alike."""

from __future__ import annotations

from typing import Any

import msgspec

from companion.games.base import Message


def written(message: Message) -> str:
    """A message as JSON."""
    return msgspec.json.encode(_plain(message)).decode()


def read(text: str) -> Message:
    """The message that `written` wrote. Raises ValueError for another text."""
    try:
        value = msgspec.json.decode(text)
        return _message(value)
    except (msgspec.DecodeError, TypeError, AttributeError) as fault:
        raise ValueError(f"no message: {fault}") from None


def _plain(value: Any) -> Any:
    if isinstance(value, Message):
        return [value.id, {key: _plain(each) for key, each in value.args.items()}]
    return value if value is None or isinstance(value, str | int | float) else str(value)


def _message(value: list[Any]) -> Message:
    id, args = value
    return Message(id, {key: _message(each) if isinstance(each, list) else each for key, each in args.items()})
