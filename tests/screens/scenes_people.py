"""The persons who play: chosen in the preparation, their records, the page of a person and of a club, an erasure."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from random import Random
from typing import Any

import cv2
import numpy as np

from companion.games.registry import GAMES
from companion.table.autoplay import play
from companion.table.profiles import PLAYED_BY, Profile, Profiles
from tests.app.evening import SceneContext
from tests.screens import stage
from tests.screens.scenes_legs import choose_clubs, home

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
    await known_names(evening)


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
    await table.until(lambda: evening.translate("app.profile.by_game") in table.texts(), frames=3000)
    await capture("23-person")
    await tap("app.profile.edit")
    await table.frames(6)
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
    await table.until(lambda: evening.translate("app.profile.by_game") in table.texts(), frames=3000)
    await capture("23-person-with-photo")
    await tap("app.profile.edit")
    await table.frames(6)
    await tap("app.profile.erase")
    await capture("23-person-erase")
    await tap("app.profile.erase_now")
    await table.frames(10)
    await capture("23-person-erased")
    headers = repr([match.header for match in app.matches.store.matches()])
    assert PEOPLE[0].name not in headers
    assert PEOPLE[1].name in headers
    await home(evening)


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


SCENES: dict[str, Callable[[SceneContext], Awaitable[None]]] = {"people_prepare": preparing, "people_records": records}
