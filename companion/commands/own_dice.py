"""The dice of this table: the set that the product knows, with what its players have confirmed of open colours."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from companion.games.base import AnyGame, Die, Fields, GameState
from companion.journal.files import write_atomically
from vision import dice_sets
from vision.decision.reader import Reader
from vision.detection.table_plane import Overhead
from vision.dice_sets import DiceSet, DiceSetError, Kind, is_open, to_toml, with_confirmed, with_every_ink
from vision.roll import Face

log = logging.getLogger(__name__)

FOLDER = "dice_sets"
"""Beside the matches."""

TABLE = "table"
"""Id in a header of a dice set that players of this table have confirmed."""


def table_dice_set(name: str, folder: Path | None) -> DiceSet:
    """The dice set of a game at this table: its own file if there is a sound one, else the product's.

    A game without a set of its own is played with classic dice.
    """
    known = name if name in dice_sets.names() else "pips"
    path = None if folder is None else folder / f"{known}.toml"
    if path is not None and path.exists():
        try:
            return dice_sets.load(str(path))
        except DiceSetError as fault:
            log.warning("the dice of this table are not known: %s", fault)
    return dice_sets.load(known)


def table_reader(folder: Path | None, simulated: bool, name: str) -> Reader:
    """The real reader of this table's dice. `simulated`: below a drawn camera, which looks straight down."""
    dice_set = with_every_ink(table_dice_set(name, folder))
    return Reader(dice_set, view=Overhead(), one_tray=True) if simulated else Reader(dice_set)


def dice_memories(games: Iterable[str], folder: Path) -> dict[str, OwnDice]:
    """What the players of this table confirm of the dice of each game that leaves colours open."""
    sets = {name: table_dice_set(name, folder) for name in games if name in dice_sets.names()}
    coloured = {name: dice_set for name, dice_set in sets.items() if any(kind.inks for kind in dice_set.kinds)}
    return {name: OwnDice(own, folder / f"{name}.toml") for name, own in coloured.items()}


def match_dice_set(game: AnyGame, state: GameState, dice_set: DiceSet) -> DiceSet:
    """The set with the faces that the dice of this match have, where its header says so."""
    kinds = []
    for kind in dice_set.kinds:
        faces = tuple(Face(die.value, die.colour, die.symbol) for die in game.faces(state, kind.name))
        kinds.append(Kind(kind.name, kind.marks, kind.bodies, faces or kind.faces, kind.underlined, kind.inks))
    return DiceSet(dice_set.name, tuple(kinds))


class OwnDice:
    """Remembers the colours that players confirm (`companion.table.ports.DiceMemory`), in a file if there is one."""

    def __init__(self, dice_set: DiceSet, path: Path | None = None) -> None:
        self.dice_set = dice_set
        self._path = path

    def is_confirmed(self, die: Die) -> bool:
        kind = self._kind(die.kind)
        return kind is None or not is_open(kind, _face(die))

    def confirm(self, die: Die) -> None:
        """A file that cannot be written is logged: the match goes on."""
        updated = with_confirmed(self.dice_set, die.kind, _face(die))
        if updated == self.dice_set:
            return
        self.dice_set = updated
        if self._path is not None:
            try:
                self._path.parent.mkdir(parents=True, exist_ok=True)
                write_atomically(self._path, to_toml(updated).encode())
            except OSError as fault:
                log.warning("the colours of the dice were not kept: %s", fault)

    def with_known_faces(self, header: Fields) -> Fields:
        """The known faces of the dice whose numbers have colours, for the odds of the match."""
        setup = header.get("setup") or {}
        if not isinstance(setup, dict) or setup.get("dice_set") is not None:
            return header
        known = dice_sets.load(self.dice_set.name)
        coloured = {kind.name: _faces(kind) for kind in self.dice_set.kinds if kind.inks and kind not in known.kinds}
        if not coloured:
            return header
        return {**header, "setup": {**setup, "dice_set": {"id": TABLE, "faces": coloured}}}

    @property
    def known_and_total(self) -> tuple[int, int]:
        """How many faces of the dice with open colours players have confirmed, and of how many."""
        open_ones = [kind for kind in self.dice_set.kinds if kind.inks]
        faces = [face for kind in open_ones for face in kind.faces if face.value]
        return sum(face.colour is not None for face in faces), len(faces)

    def forget(self) -> None:
        """The dice are other ones: nothing of them is known any more. Raises OSError."""
        if self._path is not None:
            self._path.unlink(missing_ok=True)
        self.dice_set = dice_sets.load(self.dice_set.name)

    def _kind(self, name: str) -> Kind | None:
        return next((kind for kind in self.dice_set.kinds if kind.name == name), None)


def _face(die: Die) -> Face:
    return Face(die.value, die.colour, die.symbol)


def _faces(kind: Kind) -> list[Mapping[str, Any]]:
    coloured = [{"value": face.value, "colour": face.colour or "unknown"} for face in kind.faces]
    return [face if face["value"] else {"value": 0} for face in coloured]
