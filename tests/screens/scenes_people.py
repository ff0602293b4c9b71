"""The persons who play: chosen in the preparation, their records, the page of a person and of a club, an erasure."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import cv2
import numpy as np

from companion.app.cards.rows import card_store
from companion.app.widgets.marks import SideBadge
from companion.games.registry import GAMES
from companion.table.autoplay import play
from companion.table.profiles import PLAYED_BY, Profile, Profiles, club_profile
from tests.app.evening import SceneContext
from tests.screens import stage, stage_nba
from tests.screens.scenes import open_table, watched
from tests.screens.scenes_boards import SETTLE_S, open_ended
from tests.screens.scenes_legs import choose_clubs, home
from tests.screens.system_evenings import prefer

PEOPLE = (
    Profile("person", "a", "Anna", "violet", "crown"),
    Profile("person", "b", "Bérénice-Élisabeth de La Tour d’Auvergne", "white", "anchor"),
    Profile("person", "c", "Спортивный клуб «Днепровские жемчужины»", "lime", "leaf"),
    Profile("person", "d", "Zoé", "orange"),
)
SEEDS = (3, 5)


def profiles_of(app: Any) -> Profiles:
    """Return the profiles of the table."""
    return Profiles(app.matches.store.path.parent)


def keep_people(app: Any) -> None:
    """Store persons, and finished matches of all games between the first two."""
    for person in PEOPLE:
        profiles_of(app).save(person)
    for game in GAMES:
        for seed in SEEDS:
            header, *events = play(GAMES[game], Random(seed))
            sides = zip(header["sides"], PEOPLE[: 1 + (seed == SEEDS[0])], strict=False)
            header[PLAYED_BY] = {side: {"id": person.id, "name": person.name} for side, person in sides}
            app.matches.store.create(header, events, ended=True)


async def open_seat(evening: SceneContext, place: int = 0) -> None:
    """Open the list of who may play a side."""
    table = evening.table
    seats = [tap for tap in table.taps() if evening.translate("app.opponents.who") in tap.spoken_name()]
    seats.sort(key=lambda tap: (tap.to_window(*tap.center)[0], -tap.to_window(*tap.center)[1]))
    await table.tap_widget(seats[place])
    await table.frames(6)


async def choose_person(evening: SceneContext, name: str, place: int = 0) -> None:
    """Choose a person for a side, in two taps."""
    await open_seat(evening, place)
    await evening.table.tap(name)
    await evening.table.frames(6)


async def preparing(evening: SceneContext) -> None:
    """A new person by name, then persons who played before, in every preparation; names of sides used before."""
    table, tap, capture = evening.table, evening.tap, evening.capture
    await home(evening)
    await tap("app.home.new")
    await tap("app.game.hoops21")
    await open_seat(evening)
    await tap("app.opponents.new_person")
    table.type_over("Léa")
    await capture("03-person-named")
    await tap("app.done")
    await table.frames(6)
    assert "Léa" in [person.name for person in profiles_of(table.app).all("person")]
    await capture("03-person-new")
    keep_people(table.app)
    for game in ("hoops21", "occasion", "nba"):
        await home(evening)
        await tap("app.home.new")
        await tap(f"app.game.{game}")
        await choose_person(evening, PEOPLE[1].name)
        await capture(f"03-person-{game}")
    await open_seat(evening)
    await capture("03-person-list")
    await home(evening)
    table.app.open("clubs")
    await table.frames(4)
    await choose_clubs(evening)
    await choose_person(evening, PEOPLE[0].name)
    await capture("03-person-footclub")
    await known_clubs(evening)
    await known_names(evening)


async def known_clubs(evening: SceneContext) -> None:
    """The names of clubs that were used before, offered for a club that is renamed; not those of erased clubs."""
    table, tap = evening.table, evening.tap
    former = evening.translate("app.profile.former.club")
    for names in (stage.LONG_NAMES, ("Étoile de Sète", f"{former} 2")):
        header, *_ = play(GAMES["footclub"], Random(1))
        for side, name in zip(header["sides"].values(), names, strict=True):
            side["name"] = name
        table.app.matches.store.create(header)
    await tap("app.clubs.rename", club="Valcendre")
    await table.frames(10)
    assert former not in " ".join(table.texts())
    await evening.capture("03-club-names-known")
    await table.tap("Étoile de Sète")
    await table.frames(6)
    assert "Étoile de Sète" in table.texts()


async def known_names(evening: SceneContext) -> None:
    """The names of sides that were used before, offered under the field."""
    table, tap = evening.table, evening.tap
    header, *_ = play(GAMES["hoops21"], Random(1))
    for side, name in zip(header["sides"].values(), stage.LONG_NAMES, strict=True):
        side["name"] = name
    table.app.matches.store.create(header)
    await home(evening)
    await tap("app.home.new")
    await tap("app.game.hoops21")
    await tap("app.prepare.rename", name=evening.translate("app.hoops21.prepare.usual.orange"))
    await table.frames(10)
    await evening.capture("03-names-known")
    await table.tap(stage.LONG_NAMES[1])
    await table.frames(6)
    assert stage.LONG_NAMES[1] in table.texts()
    await home(evening)


async def records(evening: SceneContext) -> None:
    """Persons over all games, one of them, the changes of the look, a club, and an erasure told in words."""
    table, tap, capture, app = evening.table, evening.tap, evening.capture, evening.table.app
    await home(evening)
    app.open("history")
    await table.until(lambda: table.has(evening.translate("app.opponents.new_person")), frames=600)
    await capture("23-people-none")
    keep_people(app)
    app.history = None
    await open_people(evening)
    await capture("23-people")
    await table.tap(PEOPLE[0].name)
    await edit_person(evening, "23-person")
    await capture("23-person-edit")
    await tap("app.profile.colour.lime")
    await tap("app.profile.crest.leaf")
    anna = profiles_of(app).find("person", PEOPLE[0].id)
    assert anna is not None
    assert (anna.colour, anna.crest) == ("lime", "leaf")
    profiles_of(app).save_photo(anna, photo())
    app.redraw()
    await table.frames(6)
    await capture("23-person-photo")
    await tap("app.back")
    await edit_person(evening, "23-person-with-photo")
    await tap("app.profile.erase")
    await capture("23-person-erase")
    await tap("app.profile.erase_now")
    await table.frames(10)
    await capture("23-person-erased")
    headers = repr([match.header for match in app.matches.store.matches()])
    assert PEOPLE[0].name not in headers
    assert PEOPLE[1].name in headers
    await home(evening)


async def edit_person(evening: SceneContext, name: str) -> None:
    """Wait for the record of a person, capture it, and open its changes."""
    table = evening.table
    await table.until(lambda: evening.translate("app.profile.by_game") in table.texts(), frames=3000)
    await evening.capture(name)
    await evening.tap("app.profile.edit")
    await table.frames(6)


async def open_people(evening: SceneContext) -> None:
    """Open the records of the persons who play."""
    table = evening.table
    await home(evening)
    table.app.open("history")
    await table.until(lambda: table.has(evening.translate("app.history.clubs")), frames=3000)
    await evening.tap("app.history.persons")
    await table.until(lambda: table.has(PEOPLE[0].name), frames=3000)


def photo() -> bytes:
    """Return a photo in which something can be recognised: a bright disc on a dark ground."""
    image = np.full((240, 320, 3), (60, 40, 30), np.uint8)
    cv2.circle(image, (160, 120), 80, (120, 200, 240), -1)
    return bytes(cv2.imencode(".jpg", image)[1])


async def crests(evening: SceneContext) -> None:
    """Crests and photos where players look: scoreboards, boards of a break and of the end, home and the matches."""
    app, capture = evening.table.app, evening.capture
    await home(evening)
    keep_people(app)
    profiles = profiles_of(app)
    for name, crest in zip(stage.LONG_NAMES, ("anchor", ""), strict=True):
        profiles.save(replace(club_profile(name), crest=crest))
    profiles.save_photo(club_profile(stage.LONG_NAMES[1]), photo())
    await open_table(evening, "possession", watched(), long=True)
    assert crests_shown(evening) >= {"anchor", profiles.photo(club_profile(stage.LONG_NAMES[1]))}
    await capture("04-crests-footclub")
    assert any(type(widget).__name__ == "PitchFigure" for widget in evening.table.walk()), "long names hide the pitch"
    prefer(evening, seats="facing")
    await open_table(evening, "possession", watched(), long=True)
    await capture("04-crests-facing")
    prefer(evening, seats="beside")
    await open_table(evening, "half_time", watched(), long=True)
    await evening.table.seconds(SETTLE_S)
    await capture("04-crests-half-time")
    await open_ended(evening, "footclub", stage.LONG_NAMES)
    await capture("04-crests-end")
    await evening.tap("app.end.picture")
    await evening.table.seconds(SETTLE_S)
    await capture("04-crests-picture")
    for game in ("hoops21", "occasion", "nba"):
        header, *events = play(GAMES[game], Random(SEEDS[0]))
        sides = zip(header["sides"], PEOPLE, strict=False)
        header[PLAYED_BY] = {side: {"id": person.id, "name": person.name} for side, person in sides}
        app.end_session()
        app.session = app.matches.start(game, header, watched())
        for event in events[: len(events) // 2]:
            app.session.record(event)
        app.open("table", session=app.session)
        await evening.table.frames(6)
        assert "crown" in crests_shown(evening), game
        await capture(f"04-crests-{game}")
    app.end_session()
    await home(evening)
    assert {"crown", "anchor"} <= crests_shown(evening)
    await capture("01-crests-home")
    app.open("matches")
    await evening.table.seconds(SETTLE_S)
    assert {"crown", "anchor"} <= crests_shown(evening)
    await capture("23-crests-matches")
    await _crests_of_four(evening)
    app.end_session()
    await home(evening)


async def _crests_of_four(evening: SceneContext) -> None:
    """Four sides show their crests, also those that are not at an edge."""
    app, crests = evening.table.app, ("anchor", "leaf", "star", "bolt")
    for name, crest in zip(stage_nba.LONG_NAMES, crests, strict=True):
        profiles_of(app).save(replace(club_profile(name), crest=crest))
    app.end_session()
    app.session = stage_nba.situation(app.matches, "four", watched(), long=True)
    app.open("table", session=app.session)
    await evening.table.frames(6)
    assert crests_shown(evening) == set(crests)
    await evening.capture("04-crests-four")


def crests_shown(evening: SceneContext) -> set[str | Path]:
    """Return the crests and photos in the badges of the page."""
    page = evening.table.app.navigator.page
    return {badge.crest for badge in page.walk() if isinstance(badge, SideBadge) and badge.crest}


async def club_erased(evening: SceneContext) -> None:
    """The page of a club whose cards are in a file of the players, and the question before its name is erased."""
    table, app = evening.table, evening.table.app
    await home(evening)
    club = card_store(app).all_clubs()[0]
    name = stage.LONG_NAMES[0]
    path = card_store(app).save_club([{**row, "club": name} for row in club.rows])
    header, *events = play(GAMES["footclub"], Random(SEEDS[0]))
    next(iter(header["sides"].values()))["name"] = name
    app.matches.store.create(header, events, ended=True)
    app.open("profile", profile=club_profile(name))
    await table.frames(6)
    await evening.capture("23-club")
    await evening.tap("app.profile.edit")
    await table.frames(6)
    await evening.capture("23-club-edit")
    await evening.tap("app.profile.erase")
    place = evening.translate("app.home.catalogues")
    assert evening.translate("app.profile.erase_cards", place=place) in " ".join(table.texts())
    await evening.capture("23-club-erase")
    await evening.tap("app.profile.erase_now")
    await table.frames(10)
    assert path.exists()
    await home(evening)


SCENES: dict[str, Callable[[SceneContext], Awaitable[None]]] = {
    "people_prepare": preparing,
    "people_records": records,
    "people_crests": crests,
    "people_club": club_erased,
}
