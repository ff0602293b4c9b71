"""The persons who play at this table, and the clubs: names, colours, crests and photos, and their erasure.

Who plays a side is in the header of the match (`PLAYED_BY`) with the name, so that a journal needs no other file. The
profiles add what is only shown: colour, crest and photo. Renaming a profile changes no journal; erasing one does.
"""

from __future__ import annotations

import copy
import hashlib
import logging
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, NamedTuple
from uuid import uuid4

import msgspec

from companion.games.base import Fields, JsonObject
from companion.journal.store import Store
from companion.language import alphabetical_key
from companion.table.league import LEAGUE
from companion.tournament.headers import MARK
from vision.files import read_state, sync_folder, write_atomically

log = logging.getLogger(__name__)

PLAYED_BY = "played_by"
"""Key of a header: the person who plays a side (`id` and `name`), for each side whose player is known."""

ProfileKind = Literal["person", "club"]
PROFILE_KINDS: tuple[ProfileKind, ...] = ("person", "club")

COLOURS = ("blue", "red", "orange", "white", "violet", "lime")
"""The colours of a profile: those of the sides in the design tokens."""
CRESTS = ("", "star", "crown", "bolt", "leaf", "anchor", "sun", "cup", "hoops_ball", "horn", "dice")
"""The crests: icons of the theme; the empty one shows the initial of the name."""
MAX_RECENT_NAMES = 12
"""The most names offered of those that were used before."""

_FILE, _PHOTOS = "profiles.json", "profiles"


class Person(NamedTuple):
    """A person as named in a header."""

    id: str
    name: str


@dataclass(frozen=True, slots=True)
class Profile:
    """A person or a club at this table. A club is known by its name: `id` is then the name in lower case."""

    kind: ProfileKind
    id: str
    name: str
    colour: str = COLOURS[0]
    crest: str = ""

    @property
    def letter(self) -> str:
        """The initial of the name."""
        return self.name[:1].upper()


def new_person(name: str, others: Iterable[Profile]) -> Profile:
    """Return a person that is not stored yet, in the colour that the fewest others have."""
    used = [other.colour for other in others if other.kind == "person"]
    return Profile("person", uuid4().hex, name, min(COLOURS, key=used.count))


def club_profile(name: str) -> Profile:
    """Return the profile of a club that has none yet."""
    return Profile("club", name.casefold(), name)


class Profiles:
    """The profiles in a folder: one file, and a folder with a photo for each profile that has one."""

    def __init__(self, folder: Path) -> None:
        self._file, self._photos = folder / _FILE, folder / _PHOTOS

    def all(self, kind: ProfileKind | None = None) -> tuple[Profile, ...]:
        """Return the profiles (of a kind) by name. A damaged file is set aside and counts as none."""
        found = read_state(self._file, _decode) or ()
        return tuple(
            sorted((each for each in found if kind in (None, each.kind)), key=lambda each: alphabetical_key(each.name))
        )

    def find(self, kind: ProfileKind, id: str) -> Profile | None:
        """Return a profile, or None."""
        return next((each for each in self.all(kind) if each.id == id), None)

    def club(self, name: str) -> Profile:
        """Return the profile of a club; a plain one if none is stored."""
        plain = club_profile(name)
        return self.find("club", plain.id) or plain

    def save(self, profile: Profile) -> None:
        """Store a profile in place of the one with its id. Raises: OSError."""
        self._write([*self._others(profile), profile])

    def photo(self, profile: Profile) -> Path | None:
        """Return the photo of a profile, None if there is none."""
        path = self._photo_path(profile)
        return path if path.is_file() else None

    def save_photo(self, profile: Profile, content: bytes | None) -> None:
        """Store a photo (JPEG or PNG) in place of the previous one; None deletes it. Raises: OSError."""
        path = self._photo_path(profile)
        if content is not None:
            self._photos.mkdir(parents=True, exist_ok=True)
            write_atomically(path, content, 0o600)
        elif path.exists():
            path.unlink()
            sync_folder(self._photos)

    def remove(self, profile: Profile) -> None:
        """Delete a profile with its photo. Raises: OSError."""
        self.save_photo(profile, None)
        self._write(self._others(profile))

    def _others(self, profile: Profile) -> list[Profile]:
        return [each for each in self.all() if (each.kind, each.id) != (profile.kind, profile.id)]

    def _write(self, profiles: list[Profile]) -> None:
        self._file.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(self._file, msgspec.json.encode(profiles), 0o600)

    def _photo_path(self, profile: Profile) -> Path:
        return self._photos / hashlib.sha256(f"{profile.kind} {profile.id}".encode()).hexdigest()[:20]


_DECODER = msgspec.json.Decoder(list[Profile])  # at import: two threads creating the first decoder crash msgspec


def _decode(content: bytes) -> list[Profile]:
    """Return the profiles of a file, with a plain look where theirs is unknown. Raises: msgspec.MsgspecError."""
    return [_with_known_look(profile) for profile in _DECODER.decode(content)]


def _with_known_look(profile: Profile) -> Profile:
    colour = profile.colour if profile.colour in COLOURS else COLOURS[0]
    return replace(profile, colour=colour, crest=profile.crest if profile.crest in CRESTS else "")


# Persons in headers


def persons_of(header: Fields) -> dict[str, Person]:
    """Return the known persons of a match by side. Unreadable entries and unknown sides are left out."""
    entries = header.get(PLAYED_BY)
    if not isinstance(entries, Mapping):
        return {}
    found = {}
    for side, entry in entries.items():
        if side in header["sides"] and isinstance(entry, Mapping):
            id, name = entry.get("id"), entry.get("name")
            if isinstance(id, str) and isinstance(name, str) and id and name:
                found[side] = Person(id, name)
    return found


def recent_persons(store: Store, profiles: Profiles) -> tuple[Profile, ...]:
    """Return the persons with a profile: first who played last, then the others by name."""
    known = {profile.id: profile for profile in profiles.all("person")}
    played = (
        person.id for match in store.matches() if match.header_fits for person in persons_of(match.header).values()
    )
    ids = dict.fromkeys(id for id in played if id in known)
    return tuple(known[id] for id in (*ids, *(id for id in known if id not in ids)))


def recent_names(store: Store, game: str) -> tuple[str, ...]:
    """Return the names of sides in the matches of a game, the newest first."""
    matches = (match for match in store.matches() if match.game == game and match.header_fits)
    names = dict.fromkeys(str(side["name"]) for match in matches for side in match.header["sides"].values())
    return tuple(names)[:MAX_RECENT_NAMES]


# Erasure


@dataclass(frozen=True, slots=True)
class Erasure:
    """What an erasure changed: journals without the name now, and those of tournaments that keep it."""

    journals: int
    kept: int


def erase(profile: Profile, store: Store, profiles: Profiles, replacement: str) -> Erasure:
    """Erase a profile with its photo, and its name from the headers of all matches of this table, removed ones too.

    In a header the person leaves `PLAYED_BY`, and a side (or a club of a league) of exactly that name is called
    `replacement`. Events never name persons. Results, dice and luck stay. Journals of a tournament stay as they are:
    its hub compares them line by line, and erases names itself. Raises: StoreError, OSError.
    """
    kept = 0

    def change(header: JsonObject) -> JsonObject | None:
        nonlocal kept
        changed = without_profile(header, profile, replacement)
        if changed is not None and MARK in header:
            kept += 1
            return None
        return changed

    journals = store.rewrite_headers(change)
    profiles.remove(profile)
    log.info("a profile is erased: %s journals changed, %s of tournaments kept", journals, kept)
    return Erasure(journals, kept)


def without_profile(header: Fields, profile: Profile, replacement: str) -> JsonObject | None:
    """Return a header without a profile; None if it does not contain it."""
    changed = copy.deepcopy(dict(header))
    if profile.kind == "person":
        left = {
            side: entry
            for side, entry in _mapping(changed.get(PLAYED_BY)).items()
            if _mapping(entry).get("id") != profile.id
        }
        changed.pop(PLAYED_BY, None)
        if left:
            changed[PLAYED_BY] = left
    named = [
        each
        for each in (*_mapping(changed.get("sides")).values(), *_clubs_of_league(changed))
        if isinstance(each, dict)
    ]
    taken = {_folded(each) for each in named}
    free = replacement
    while free.casefold() in taken:
        free = f"{replacement} {int(free.removeprefix(replacement) or 1) + 1}"
    for each in named:
        if _folded(each) == profile.name.casefold():
            each["name"] = free
    return changed if changed != header else None


def _clubs_of_league(header: Fields) -> list[object]:
    clubs = _mapping(header.get(LEAGUE)).get("clubs")
    return clubs if isinstance(clubs, list) else []


def _folded(named: Fields) -> str:
    return str(named.get("name", "")).casefold()


def _mapping(value: object) -> Mapping[str, object]:
    return value if isinstance(value, Mapping) else {}
