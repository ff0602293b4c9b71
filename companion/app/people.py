"""The persons and clubs of this table on the screen: their badges, and the sheet that chooses who plays a side."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from companion.app.display import display, text, translate
from companion.app.widgets.marks import SideBadge
from companion.app.widgets.name_sheet import naming_sheet
from companion.app.widgets.sheet import SheetEntry, list_sheet
from companion.games.base import Fields, SideScene
from companion.language import reason_of
from companion.table.opponents import NEW_PERSON, person_value, seat_options
from companion.table.profiles import (
    PROFILE_KINDS,
    Profile,
    Profiles,
    club_profile,
    new_person,
    persons_of,
    recent_names,
    recent_persons,
)
from companion.table.session import Session

if TYPE_CHECKING:
    from companion.app.context import AppContext

MAX_TWO_LINE_NAME = 24
"""Characters of a name that fit on two lines of a list in portrait, in large text."""
_ROW, _TALL_ROW = 62, 92


def profiles_of(app: AppContext) -> Profiles:
    """Return the profiles of this table, beside its matches."""
    return Profiles(app.matches.store.path.parent)


def people_of(app: AppContext) -> tuple[Profile, ...]:
    """Return the persons who may play: first who played last."""
    return recent_persons(app.matches.store, profiles_of(app))


def known_names(app: AppContext, game: str, *taken: str) -> list[str]:
    """Return the names of sides in earlier matches of a game, without those that are taken and those of erased ones."""
    former = [translate(f"app.profile.former.{kind}") for kind in PROFILE_KINDS]
    return [
        name
        for name in recent_names(app.matches.store, game)
        if name not in taken and not any(name.startswith(each) for each in former)
    ]


def badge_of(profile: Profile, side: float = 34) -> SideBadge:
    """Return the badge of a profile, `side` dp wide."""
    return SideBadge(colour=profile.colour, crest=profile.crest, letter=profile.letter, side=side)


def crests_of(app: AppContext, sides: Sequence[SideScene], header: Fields) -> dict[str, str | Path]:
    """Return what stands in the badge of a side: photo or crest of the person who plays it, else of the club."""
    profiles = profiles_of(app)
    known = {(profile.kind, profile.id): profile for profile in profiles.all()}
    found: dict[str, str | Path] = {}
    persons = persons_of(header)
    for side in sides:
        keys = ("person", persons[side.side].id if side.side in persons else ""), ("club", club_profile(side.name).id)
        crests = [profiles.photo(known[key]) or known[key].crest for key in keys if key in known]
        found[side.side] = next((crest for crest in crests if crest), "")
    return found


def with_crests(app: AppContext, sides: Sequence[SideScene], header: Fields) -> tuple[SideScene, ...]:
    """Return sides with their crests."""
    crests = crests_of(app, sides, header)
    return tuple(replace(side, crest=crests[side.side]) for side in sides)


def sides_of(app: AppContext, session: Session) -> tuple[SideScene, ...]:
    """Return the sides of a match with their crests."""
    return with_crests(app, session.scene().sides, session.header)


def attempt_to_save(app: AppContext, action: Callable[[], object]) -> bool:
    """Run a change of the profiles. Shows an error and returns False if their files cannot be written."""
    try:
        action()
    except OSError as error:
        app.show_error(translate("app.profile.not_saved", why=reason_of(error)))
        return False
    return True


def show_seats(app: AppContext, game: str, value: str, choose: Callable[[str], None]) -> None:
    """Show who may play a side, with `value` chosen; a new person is asked for the name and stored."""
    people = {person_value(person.id): person for person in people_of(app)}
    entries = []
    for option in seat_options(game, tuple(people.values())):
        person, chosen = people.get(str(option.value)), str(option.value)
        entries.append(
            SheetEntry(
                text(option.label),
                partial(_ask_name, app, choose) if chosen == NEW_PERSON else partial(choose, chosen),
                text(option.detail) if option.detail else "",
                icon="plus" if chosen == NEW_PERSON else "",
                on=chosen == value,
                mark=None if person is None else badge_of(person),
            )
        )
    longest = max(len(entry.text) for entry in entries)
    height = _TALL_ROW if display.portrait and longest > MAX_TWO_LINE_NAME else _ROW
    app.show_sheet(list_sheet(translate("app.opponents.who"), entries, height=height))


def name_new_person(app: AppContext, named: Callable[[Profile], None]) -> None:
    """Ask for the name of a new person and store it; one of that name is taken instead of a second one."""

    def accept(name: str) -> None:
        profiles = profiles_of(app)
        known = profiles.all("person")
        same = next((person for person in known if person.name.casefold() == name.casefold()), None)
        person = same or new_person(name, known)
        if same is not None or attempt_to_save(app, partial(profiles.save, person)):
            named(person)

    app.show_sheet(naming_sheet(translate("app.profile.name"), "", accept))


def _ask_name(app: AppContext, choose: Callable[[str], None]) -> None:
    name_new_person(app, lambda person: choose(person_value(person.id)))
