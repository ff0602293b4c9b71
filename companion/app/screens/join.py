"""Joining a tournament: address and token are typed, or both are read from the desk's QR code by the camera."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from threading import Thread
from typing import TYPE_CHECKING

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout

from companion.app.display import display, translate
from companion.app.figures.tray import Photograph
from companion.app.intervals import repeat
from companion.app.platform import CodeReader
from companion.app.widgets.components import fill
from companion.app.widgets.name_sheet import naming_sheet
from companion.app.widgets.sheet import Sheet
from companion.app.widgets.text import Text
from companion.games.base import Message
from companion.messages.token import TokenError, address_fault, is_invitation, parse_invitation
from companion.table.hub_port import HubPort
from companion.table.ports import ReaderPort
from vision.roll import CameraState, TrayPicture

if TYPE_CHECKING:
    from companion.app.context import AppContext

MAX_INVITATION_CHARS, MAX_TOKEN_CHARS = 400, 200
POLL_INTERVAL_S = 0.1
"""Seconds between two looks at the camera."""
NO_CAMERA = "none"


class JoinForm:
    """Asks for the hub's address and then this table's token, or for both as the one line that the desk shows.

    A fault is told at once, below what was typed. Whether the hub accepts the token appears in the link state.
    """

    def __init__(self, app: AppContext, hub: HubPort) -> None:
        self._app, self._hub = app, hub

    @property
    def can_scan(self) -> bool:
        """True if there is a camera that can read the desk's QR code now: no match uses it."""
        platform = self._app.idle_monitor.platform
        cameras = platform.cameras
        free = self._app.session is None and cameras is not None and cameras.source != NO_CAMERA
        return free and platform.read_code is not None

    def scan(self) -> None:
        """Show the camera's picture until it holds the desk's QR code."""
        platform = self._app.idle_monitor.platform
        if platform.cameras is None or platform.read_code is None:
            return
        reader = platform.cameras.open_preview(platform.cameras.source)
        if reader is None:
            self._app.show_error(translate("app.welcome.camera.lost"))
            return
        scanner = CodeScanner(reader, platform.read_code, self._accept_scanned)
        self._app.show_sheet(Sheet(translate("app.settings.hub.scan"), scanner, closed=scanner.close))

    def _accept_scanned(self, text: str) -> Message | None:
        """Join if a code is an invitation, and close the sheet. Returns what is wrong with the code."""
        if not is_invitation(text):
            return Message("app.settings.hub.other_code")
        try:
            address, token = parse_invitation(text)
        except TokenError as error:
            return error.message
        self._app.close_sheet()
        self._hub.join(address, token)
        self._app.redraw()
        return None

    def ask_address(self, typed: str = "", fault: Message | None = None) -> None:
        """Ask for the address or the whole line, starting with what was typed."""
        self._ask("app.settings.hub.address", typed, self._accept_address, MAX_INVITATION_CHARS, fault)

    def _accept_address(self, typed: str) -> None:
        if not is_invitation(typed):
            fault = address_fault(typed)
            if fault is None:
                self._ask_token(typed)
            else:
                self.ask_address(typed, fault)
            return
        try:
            address, token = parse_invitation(typed)
        except TokenError as error:
            self.ask_address(typed, error.message)
            return
        self._hub.join(address, token)
        self._app.redraw()

    def _ask_token(self, address: str, typed: str = "", fault: Message | None = None) -> None:
        self._ask("app.settings.hub.token", typed, partial(self._accept_token, address), MAX_TOKEN_CHARS, fault)

    def _accept_token(self, address: str, typed: str) -> None:
        fault = self._hub.join(address, typed)
        if fault is not None:
            self._ask_token(address, typed, fault)
            return
        self._app.redraw()

    def _ask(self, title: str, typed: str, accept: Callable[[str], None], most: int, fault: Message | None) -> None:
        sentence = "" if fault is None else self._app.text(fault)
        self._app.show_sheet(naming_sheet(translate(title), typed, accept, lengths=(1, most), fault=sentence))


class CodeScanner(BoxLayout):
    """The camera's picture with what to do. Codes are read in a thread, one picture at a time."""

    def __init__(self, reader: ReaderPort, read_code: CodeReader, accept: Callable[[str], Message | None]) -> None:
        """`accept` gets the text of each code and returns what is wrong with it, None if the scan is over."""
        super().__init__(orientation="vertical", spacing=dp(8))
        self._reader: ReaderPort | None = reader
        self._read_code, self._accept = read_code, accept
        self._working = False
        self._found = ""
        self._photograph = Photograph(whole=True)
        self._line = Text(translate("app.settings.hub.scan.how"), halign="center", size_hint_y=None)
        fill(self, self._photograph, self._line)
        reader.show_tray(True)
        self._poll_event = repeat(self._poll, POLL_INTERVAL_S)

    def close(self) -> None:
        """Release the camera, in a thread: it can be slow."""
        self._poll_event.cancel()
        reader, self._reader = self._reader, None
        if reader is not None:
            Thread(target=reader.close, name="camera-closing").start()

    def _poll(self, *_: object) -> None:
        if self._reader is None or self.get_root_window() is None:
            self.close()  # the sheet was removed with its page
            return
        picture = b""
        for news in self._reader.poll():
            if isinstance(news, TrayPicture):
                picture = news.picture
            elif isinstance(news, CameraState) and not news.present:
                self._line.text = translate("app.welcome.camera.lost")
        if picture:
            self._photograph.show(picture)
        found, self._found = self._found, ""
        if found:
            self._on_code(found)
        elif picture and not self._working:
            self._working = True
            Thread(target=self._read, args=(picture,), name="code reading", daemon=True).start()

    def _read(self, picture: bytes) -> None:
        try:
            self._found = self._read_code(picture)
        finally:
            self._working = False

    def _on_code(self, text: str) -> None:
        fault = self._accept(text)
        if fault is None:
            self.close()
        else:
            self._line.text, self._line.tone = display.language.text(fault), "laiton"
