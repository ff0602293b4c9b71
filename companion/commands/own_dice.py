"""The dice of this table: a standard dice set plus the colours confirmed by players."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from companion.games.base import AnyGame, Die, Fields, GameState
from vision import dice_sets
from vision.decision.reader import Reader
from vision.detection.table_plane import Overhead
from vision.dice_sets import DiceSet, DiceSetError, Kind, is_open, to_toml, with_confirmed, with_every_ink
from vision.files import DamagedFile, report_damaged, set_aside, write_atomically
from vision.roll import Face

log = logging.getLogger(__name__)

FOLDER = "dice_sets"
"""Folder name, beside the matches."""

TABLE = "table"
"""Id of this table's confirmed dice set in a match header."""


def table_dice_set(name: str, folder: Path | None) -> DiceSet:
    """Return the dice set of a game at this table: its own valid file, else the standard set.

    A game without a dice set uses classic dice.
    """
    known = name if name in dice_sets.names() else "pips"
    path = None if folder is None else folder / f"{known}.toml"
    if path is not None and path.exists():
        try:
            return dice_sets.load(str(path))
        except DiceSetError as fault:
            log.warning("the dice of this table are not known: %s", fault)
            report_damaged(DamagedFile(path, fault, set_aside(path)))
    return dice_sets.load(known)


def table_reader(folder: Path | None, simulated: bool, name: str) -> Reader:
    """Return the real reader for this table's dice.

    `simulated`: for the simulated camera, which looks straight down.
    """
    dice_set = with_every_ink(table_dice_set(name, folder))
    return Reader(dice_set, view=Overhead(), one_tray=True) if simulated else Reader(dice_set)


def dice_memories(games: Iterable[str], folder: Path) -> dict[str, OwnDice]:
    """Return the confirmations of this table's players, for each game with open colours."""
    sets = {name: table_dice_set(name, folder) for name in games if name in dice_sets.names()}
    coloured = {name: dice_set for name, dice_set in sets.items() if any(kind.inks for kind in dice_set.kinds)}
    return {name: OwnDice(own, folder / f"{name}.toml") for name, own in coloured.items()}


def match_dice_set(game: AnyGame, state: GameState, dice_set: DiceSet) -> DiceSet:
    """Return the set with the faces of this match's dice, if its header defines them."""
    kinds = []
    for kind in dice_set.kinds:
        faces = tuple(Face(die.value, die.colour, die.symbol) for die in game.faces(state, kind.name))
        kinds.append(Kind(kind.name, kind.marks, kind.bodies, faces or kind.faces, kind.underlined, kind.inks))
    return DiceSet(dice_set.name, tuple(kinds))


class OwnDice:
    """Stores the colours that players confirm (`companion.table.ports.DiceMemory`), in a file if there is one."""

    def __init__(self, dice_set: DiceSet, path: Path | None = None) -> None:
        self.dice_set = dice_set
        self._path = path
        self._is_saved = True

    def is_confirmed(self, die: Die) -> bool:
        kind = self._kind(die.kind)
        return kind is None or not is_open(kind, _face(die))

    def confirm(self, die: Die) -> None:
        """Store a confirmed face. A failed write is logged and repeated with the next face: the match continues."""
        updated = with_confirmed(self.dice_set, die.kind, _face(die))
        if updated == self.dice_set and self._is_saved:
            return
        self.dice_set = updated
        if self._path is not None:
            try:
                self._path.parent.mkdir(parents=True, exist_ok=True)
                write_atomically(self._path, to_toml(updated).encode())
                self._is_saved = True
            except OSError as fault:
                self._is_saved = False
                log.warning("the colours of the dice were not kept: %s", fault)

    def with_known_faces(self, header: Fields) -> Fields:
        """Return the header with the known faces of dice with coloured numbers, for the odds of the match."""
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
        """The number of confirmed faces of dice with open colours, and the total."""
        open_ones = [kind for kind in self.dice_set.kinds if kind.inks]
        faces = [face for kind in open_ones for face in kind.faces if face.value]
        return sum(face.colour is not None for face in faces), len(faces)

    def forget(self) -> None:
        """Forget all confirmations, for new dice. Raises: OSError."""
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
