"""A table joins a real hub by a pairing code: the hub's pages, its broker, and the table's link."""

from __future__ import annotations

import asyncio
import re
import urllib.request
from http.cookiejar import CookieJar
from pathlib import Path
from urllib.parse import urlencode

from companion.clock import SystemClock
from companion.commands.hub.options import HubOptions
from companion.commands.hub.serve import RunningHub
from companion.commands.make_platform import HubPairing, LazyHubLink
from tests.link.hall import TableSeat, expect
from tools.trials.local_postgres import free_port

PASSWORD = "a long pass phrase"


class Desk:
    """The organiser's browser, as far as a desk needs it."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))

    def get(self, path: str) -> str:
        return str(self._opener.open(self._address + path).read().decode())

    def post(self, path: str, **fields: str) -> str:
        return str(self._opener.open(self._address + path, urlencode(fields).encode()).read().decode())


def test_a_table_joins_a_hub_by_the_code_that_it_shows(tmp_path: Path) -> None:
    options = HubOptions(tmp_path / "hub", port=free_port(), tables_port=free_port())
    (tmp_path / "table").mkdir()
    seat = TableSeat(tmp_path / "table", lambda store, folder: LazyHubLink(store, folder, SystemClock(), None))
    port = seat.port

    def join(set_up: str) -> None:
        desk = Desk(f"http://127.0.0.1:{options.port}")
        key = set_up.partition("key=")[2]
        desk.post("/desk/set-up", key=key, name="Claire", password=PASSWORD, again=PASSWORD)
        attempt = HubPairing().ask(f"127.0.0.1:{options.port}")
        expect(lambda: bool(attempt.state().code), "a code")
        form = re.search(r'name="form" value="([0-9a-f]+)"', desk.get("/desk/tables"))
        assert form is not None
        desk.post("/desk/do/pair", form=form[1], code=attempt.state().code, of_table="", number="7")
        expect(lambda: attempt.state().invitation is not None, "address and token")
        invited = attempt.state().invitation
        assert invited is not None
        assert port.join(*invited) is None
        expect(lambda: port.snapshot().table == 7, "the state of table 7")
        assert port.snapshot().link.online

    async def evening() -> None:
        async with RunningHub(options) as hub:
            set_up = await asyncio.to_thread(hub.set_up_address)
            assert set_up is not None
            await asyncio.to_thread(join, set_up)

    try:
        asyncio.run(evening())
    finally:
        seat.switch_off()
