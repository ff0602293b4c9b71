"""Joining a tournament: by the desk's QR code under the camera, by a code for the desk, or by address and token."""

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
from companion.app.widgets.button import PushButton
from companion.app.widgets.components import fill
from companion.app.widgets.name_sheet import naming_sheet
from companion.app.widgets.sheet import Sheet
from companion.app.widgets.text import BoldText, Text
from companion.games.base import Message
from companion.messages.token import TokenError, address_fault, is_invitation, parse_invitation
from companion.table.hub_port import HubPort, PairingPort, PairingState
from companion.table.ports import ReaderPort
from vision.roll import CameraState, TrayPicture

if TYPE_CHECKING:
    from companion.app.context import AppContext

MAX_INVITATION_CHARS, MAX_TOKEN_CHARS, MAX_ADDRESS_CHARS = 400, 200, 260
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

    @property
    def can_pair(self) -> bool:
        """True if this table can ask a hub to join by a code."""
        return self._app.idle_monitor.platform.pairing is not None

    def ask_pages_address(self, typed: str = "", fault: Message | None = None) -> None:
        """Ask for the address that the desk shows for pairing, starting with what was typed."""
        self._ask("app.settings.hub.pages", typed, self._pair, MAX_ADDRESS_CHARS, fault)

    def _pair(self, address: str) -> None:
        """Show the code that the desk asks for, until the table is let in."""
        pairing = self._app.idle_monitor.platform.pairing
        if pairing is None:
            return
        fault = pairing.address_fault(address)
        if fault is not None:
            self.ask_pages_address(address, fault)
            return
        panel = PairingPanel(partial(pairing.ask, address), self._accept_pairing, partial(self._pair_again, address))
        self._app.show_sheet(Sheet(translate("app.settings.hub.pair"), panel, closed=panel.close))

    def _accept_pairing(self, address: str, token: str) -> None:
        self._app.close_sheet()
        self._hub.join(address, token)
        self._app.redraw()

    def _pair_again(self, address: str) -> None:
        self._app.close_sheet()
        self.ask_pages_address(address)

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


class PairingPanel(BoxLayout):
    """The digits that the organiser types at the desk. After a failure: why, and buttons to ask again."""

    def __init__(
        self, ask: Callable[[], PairingPort], accept: Callable[[str, str], None], change: Callable[[], None]
    ) -> None:
        """`ask` starts a request, `accept` gets address and token, `change` asks for another address."""
        super().__init__(orientation="vertical", spacing=dp(12))
        self._ask_hub, self._accept, self._change = ask, accept, change
        self._last_state: PairingState | None = None
        self._attempt: PairingPort | None = None
        self._poll_event = repeat(self._poll, POLL_INTERVAL_S)
        self._start()

    def close(self) -> None:
        """End the request."""
        self._poll_event.cancel()
        if self._attempt is not None:
            self._attempt.close()
            self._attempt = None

    def _start(self) -> None:
        self._attempt = self._ask_hub()
        self._poll()

    def _poll(self, *_: object) -> None:
        if self._attempt is None:
            return
        if self._last_state is not None and self.get_root_window() is None:
            self.close()  # the sheet was removed with its page
            return
        state = self._attempt.state()
        if state.step == "joined" and state.invitation is not None:
            self.close()
            self._accept(*state.invitation)
        elif state != self._last_state:
            self._show(state)

    def _show(self, state: PairingState) -> None:
        self._last_state = state
        self.clear_widgets()
        if state.step == "failed":
            reason = "" if state.trouble is None else display.language.text(state.trouble)
            fill(self, _line(reason, "laiton"), self._buttons())
            return
        code = "" if state.step == "asking" else f"{state.code[:3]} {state.code[3:]}"
        instruction = translate(
            "app.settings.hub.pair.asking" if state.step == "asking" else "app.settings.hub.pair.how"
        )
        fill(
            self,
            BoldText(code, kind="grand", flow="box", halign="center", valign="middle"),
            _line(instruction, "craie2"),
        )
        if state.trouble is not None:
            self.add_widget(_line(display.language.text(state.trouble), "laiton"))

    def _buttons(self) -> BoxLayout:
        buttons = BoxLayout(spacing=dp(12), size_hint_y=None, height=dp(64))
        acts = (
            ("app.settings.hub.pair.change", "edit", self._change),
            ("app.settings.hub.pair.again", "undo", self._again),
        )
        for word, icon, act in acts:
            buttons.add_widget(PushButton(translate(word), icon=icon, kind="corps", act=act))
        return buttons

    def _again(self) -> None:
        if self._attempt is not None:
            self._attempt.close()
        self._last_state = None
        self._start()


def _line(text: str, tone: str) -> Text:
    return Text(text, flow="box", halign="center", valign="middle", tone=tone)
