"""Messages as text for the database: `{"id": …, "args": {…}}`, a message among the arguments alike."""

from __future__ import annotations

from typing import Any

import msgspec

from companion.games.base import Message

_ENCODER = msgspec.json.Encoder(enc_hook=str)
"""What JSON has no word for (a fraction, a path) is kept as it would be shown."""


def written(message: Message) -> str:
    """A message as JSON."""
    return _ENCODER.encode(message).decode()


def read(text: str) -> Message:
    """The message that `written` wrote. Raises ValueError for another text."""
    try:
        return _message(msgspec.json.decode(text))
    except (msgspec.DecodeError, TypeError, KeyError, AttributeError) as fault:
        raise ValueError(f"no message: {fault}") from None


def storable(text: str) -> str:
    """A text that people typed or a table sent, without what a database cannot hold."""
    return text.replace("\0", "").encode(errors="replace").decode()


def _message(value: dict[str, Any]) -> Message:
    args = value["args"].items()
    return Message(value["id"], {key: _message(each) if isinstance(each, dict) else each for key, each in args})
