"""A doubt about a die, put to the players with its picture; about the die, never about its consequence."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from companion.table.throws import AskExtra, AskFace, AskWhose, possible_faces
from vision.roll import DieReading, Face, SeenRoll

MOST_CANDIDATES = 2
"""Answers shown large (SCREENS.md, section 7)."""


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked: the face of a die, which die does not count, or whose die it is.

    `dice` are all new dice of the roll and `index` the one in doubt (-1 when it is about all of them); `crop` and
    `picture` are JPEG bytes, empty where there is no picture. `spare`: it may be no die, and then its index is the
    answer.
    """

    kind: Literal["face", "extra", "whose"]
    dice: tuple[DieReading, ...]
    index: int
    number: int = 1
    total: int = 1
    side: str | None = None
    picture: bytes = b""
    picture_size: tuple[int, int] = (0, 0)
    crop: bytes = b""
    candidates: tuple[Face, ...] = ()
    others: tuple[Face, ...] = ()
    spare: bool = False

    @property
    def reading(self) -> DieReading | None:
        return self.dice[self.index] if self.index >= 0 else None


@dataclass(frozen=True, slots=True)
class PendingRoll:
    """New dice that make no event yet, with the answers given so far.

    `dice` and `crops` are the new dice only; `seen` is the whole roll (evidence); `answered` counts faces told;
    `no_dice` are readings that a player said to be no die.
    """

    seen: SeenRoll
    dice: tuple[DieReading, ...]
    crops: tuple[bytes, ...]
    ordered: bool = False
    answered: int = 0
    sides: tuple[str | None, ...] = field(default=())
    no_dice: tuple[DieReading, ...] = ()

    @classmethod
    def of(cls, seen: SeenRoll, fresh: Sequence[int], sides: Sequence[str | None]) -> PendingRoll:
        crops = [seen.crops[index] if index < len(seen.crops) else b"" for index in fresh]
        return cls(seen, tuple(seen.roll.dice[index] for index in fresh), tuple(crops), sides=tuple(sides))

    def question(self, verdict: AskFace | AskExtra | AskWhose, faces_of: Callable[[str], Sequence[Face]]) -> Question:
        """The question that a verdict raises about these dice; `faces_of` a kind are all that a die of it can show."""
        if isinstance(verdict, AskFace):
            return self._face_question(verdict, faces_of(self.dice[verdict.index].kind))
        kind: Literal["extra", "whose"] = "extra" if isinstance(verdict, AskExtra) else "whose"
        return Question(kind, self.dice, -1, picture=self.seen.picture, picture_size=self.seen.size)

    def _face_question(self, verdict: AskFace, every: Sequence[Face]) -> Question:
        index = verdict.index
        die = self.dice[index]
        faces = possible_faces(die, every)
        large = faces[:MOST_CANDIDATES] if len(faces) < len(every) or die.possible else ()
        doubtful = sum(not other.certain for other in self.dice)
        side = self.sides[index] if index < len(self.sides) else None
        return Question(
            "face",
            self.dice,
            index,
            number=self.answered + 1,
            total=self.answered + doubtful,
            side=side,
            picture=self.seen.picture,
            picture_size=self.seen.size,
            crop=self.crops[index],
            candidates=large,
            others=tuple(face for face in every if face not in large),
            spare=verdict.spare,
        )

    def with_face(self, index: int, face: Face) -> PendingRoll:
        """The face of a die as a player said it."""
        told = replace(self.dice[index], face=face, doubt=None, possible=((face, 1.0),))
        return replace(self, dice=(*self.dice[:index], told, *self.dice[index + 1 :]), answered=self.answered + 1)

    def without(self, index: int, no_die: bool = False) -> PendingRoll:
        """A die that does not count is left out; `no_die`: since there is none."""
        keep = [i for i in range(len(self.dice)) if i != index]
        dice, crops = tuple(self.dice[i] for i in keep), tuple(self.crops[i] for i in keep)
        no_dice = (*self.no_dice, self.dice[index]) if no_die else self.no_dice
        return replace(self, dice=dice, crops=crops, no_dice=no_dice)

    def only(self, indices: Sequence[int]) -> PendingRoll:
        """Some of the dice, with nothing answered yet about their order."""
        dice, crops = tuple(self.dice[i] for i in indices), tuple(self.crops[i] for i in indices)
        return replace(self, dice=dice, crops=crops, ordered=False)

    def first(self, index: int) -> PendingRoll:
        """The die that counts first is put first; the order is settled then."""
        order = [index, *(i for i in range(len(self.dice)) if i != index)]
        return replace(
            self, dice=tuple(self.dice[i] for i in order), crops=tuple(self.crops[i] for i in order), ordered=True
        )
