"""All kinds of catalogues by name, and the clubs that are kept a file each."""

from __future__ import annotations

from typing import Final

from companion.games.catalogue import Clubs, Kind
from companion.games.registry import SPECS

KINDS: Final[dict[str, Kind]] = {kind.name: kind for spec in SPECS.values() for kind in spec.catalogues}
CLUB_FILES: Final[Clubs] = next(spec.clubs for spec in SPECS.values() if spec.clubs is not None)
CLUBS: Final = CLUB_FILES.kind.name
