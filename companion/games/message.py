"""The words of every game: a text of the catalogues with its arguments, and a die with its face."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Message:
    """A text of the catalogues: an id such as `footclub.refusal.FC-8.2` and its named arguments.

    An argument may itself be a Message, translated first. `n`, if given, chooses the plural.
    """

    id: str
    args: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.id}({', '.join(f'{k}={v}' for k, v in self.args.items())})" if self.args else self.id


@dataclass(frozen=True, slots=True, order=True)
class Die:
    """One die with the face that counts. What a kind of die lacks is None."""

    kind: str
    value: int | None = None
    colour: str | None = None
    symbol: str | None = None
