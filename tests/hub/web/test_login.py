"""Passwords that are tried: how many an hour, and that nobody is locked out by those that others try."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import httpx
from fastapi import FastAPI
from fastapi.testclient import TestClient

from companion.clock import ManualClock
from companion.hub.core import Core
from companion.hub.web.middleware import DEVICE_COOKIE, Limits, LoginQueue, Rate, TooManyLogins
from tests.hub.web.pages_kit import ADDRESS, PASSWORD, organiser, pages, visitor

LIMITS = Limits()


def advancing(clock: ManualClock) -> Callable[[float], Awaitable[None]]:
    """Return a sleep that advances the clock instead of waiting."""

    async def sleep(seconds: float) -> None:
        clock.advance(seconds)
        await asyncio.sleep(0)

    return sleep


def limited(core: Core, clock: ManualClock) -> FastAPI:
    """Return the pages with the real limits and an organiser; waiting for a turn advances the clock."""
    app = pages(core, clock, LIMITS)
    app.state.site.logins = LoginQueue(LIMITS, clock.monotonic, advancing(clock))
    organiser(app)
    return app


def try_password(client: TestClient, password: str) -> int:
    """Return the status of a login: 303 if the password is right."""
    return client.post("/desk/login", data={"name": "x", "password": password}, follow_redirects=False).status_code


def test_few_passwords_an_hour_can_be_tried() -> None:
    clock, tried = ManualClock(), 0
    queue = LoginQueue(LIMITS, clock.monotonic, advancing(clock))

    async def guess() -> None:
        nonlocal tried
        while clock.monotonic() < 3600:
            async with queue.wait_for_turn("one"):
                tried += 1

    asyncio.run(guess())
    assert tried == 1820


def test_wrong_passwords_of_the_hall_do_not_lock_the_organiser_out(core: Core, clock: ManualClock) -> None:
    """The organiser's new browser has the address of the guest who tries passwords."""
    app = limited(core, clock)
    guest, began = visitor(app), clock.monotonic()
    assert {try_password(guest, f"wrong {at}") for at in range(100)} == {403}
    before = clock.monotonic()
    assert try_password(visitor(app), PASSWORD) == 303
    assert clock.monotonic() - before <= 2, "seconds that the organiser waits"
    assert before - began >= 150, "seconds that the guest has waited"


def test_as_many_guests_as_may_wait_delay_the_organiser_only(core: Core, clock: ManualClock) -> None:
    app = limited(core, clock)
    transport = httpx.ASGITransport(app, client=("10.0.0.9", 1))

    async def log_in(password: str) -> int:
        async with httpx.AsyncClient(transport=transport, base_url=ADDRESS) as client:
            return (await client.post("/desk/login", data={"name": "x", "password": password})).status_code

    async def hall() -> tuple[list[int], int, float]:
        for at in range(20):
            await log_in(f"first {at}")
        guests = [asyncio.create_task(log_in(f"wrong {at}")) for at in range(LIMITS.waiting_logins)]
        await asyncio.sleep(0)
        began = clock.monotonic()
        right = await log_in(PASSWORD)
        return await asyncio.gather(*guests), right, clock.monotonic() - began

    wrong, right, waited = asyncio.run(hall())
    assert wrong == [403] * LIMITS.waiting_logins
    assert right == 303
    assert waited <= 2 * (LIMITS.waiting_logins + 1)


def test_a_browser_that_the_organiser_has_used_waits_for_nobody(core: Core, clock: ManualClock) -> None:
    app = pages(core, clock, Limits(login=Rate(1e9, 1e9)))
    organiser(app)
    known, guest = visitor(app), visitor(app)
    assert try_password(known, PASSWORD) == 303
    del known.cookies["session"]
    assert [try_password(guest, "wrong") for _ in range(61)].count(429) == 2, "one of sixty was the known browser's"
    began = clock.monotonic()
    assert try_password(known, PASSWORD) == 303
    assert known.get("/desk").status_code == 200
    assert clock.monotonic() == began


def test_the_cookie_of_a_device_cannot_be_made_up_and_ends_with_the_password(core: Core, clock: ManualClock) -> None:
    app = limited(core, clock)
    access, client = app.state.site.access, visitor(app)
    try_password(client, PASSWORD)
    cookie = client.cookies[DEVICE_COOKIE]
    device = access.find_device(cookie)
    assert device is not None
    id, _, signature = cookie.partition(".")
    made_up = [
        "",
        ".",
        id,
        f"{id}.",
        f"{'0' * len(id)}.{signature}",
        f"{id}.{signature[:-1]}",
        f"{id}.é",
        f"{id}0.{id}",
    ]
    assert [access.find_device(each) for each in made_up] == [None] * len(made_up)
    assert pages(core, clock).state.site.access.find_device(cookie) == device, "after a restart of the hub"
    assert access.set_password(access.set_up_key(), "another pass phrase")
    assert access.find_device(cookie) is None
    assert client.get("/desk", follow_redirects=False).status_code == 303, "the cookie gives no access"


def test_no_device_is_known_before_a_password_is_chosen(app: FastAPI) -> None:
    access = app.state.site.access
    assert access.find_device(access.new_device()) is None


def test_passwords_are_checked_one_at_a_time_and_too_many_are_refused() -> None:
    queue = LoginQueue(Limits(waiting_logins=3), ManualClock().monotonic)
    checked, most, refused, now = 0, 0, 0, 0

    async def attempt(client: str) -> None:
        nonlocal checked, most, refused, now
        try:
            async with queue.wait_for_turn(client):
                now += 1
                most = max(most, now)
                await asyncio.sleep(0)
                now -= 1
                checked += 1
        except TooManyLogins:
            refused += 1

    async def crowd() -> None:
        await asyncio.gather(*[attempt(client) for client in ("one", "two", "three") for _ in range(6)])
        await attempt("one")

    asyncio.run(crowd())
    assert (checked, refused, most) == (13, 6, 1), "one is checked and three wait, of each client"
