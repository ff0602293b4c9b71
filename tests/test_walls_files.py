"""Product code writes files only through `vision.files`: whole or not at all. Each exception has its reason."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.tracked import modules, tree

PACKAGES = ("companion", "vision", "hardware")
"""Packages of the table and the hub. The firmware runs on the tray's microcontroller and has its own files."""

WRITER = "vision/files.py"

EXCEPTIONS = {
    "companion/commands/backup.py:_extract open": "into a scratch folder, synced; it counts once all of it is verified",
    "companion/commands/backup.py:_put_aside link": "the old store keeps both names until the new one replaces it",
    "companion/commands/backup.py:_put_aside rename": "moves the old data of a table aside",
    "companion/commands/backup.py:_replaced link": "the replaced settings keep a second name",
    "companion/commands/backup.py:_replaced replace": "gives them their first name again after a failure",
    "companion/commands/backup.py:pack open": "a member of an archive that `open_atomically` writes",
    "companion/commands/backup.py:swap_data replace": "moves verified files into the data folder, then syncs it",
    "companion/commands/devices.py:PanelBacklight.set_brightness write_text": "the backlight in /sys is on no disk",
    "companion/commands/exit_codes.py:_handle_output_error open": "/dev/null, for an output that nobody reads",
    "companion/commands/exit_codes.py:_reopen_closed_streams open": "/dev/null, for an output that is closed",
    "companion/commands/hub/backups.py:_swap_all copy": "into a scratch folder, synced, then renamed",
    "companion/commands/hub/backups.py:_swap_all rename": "moves a verified database inside the scratch folder",
    "companion/commands/stats_pictures.py:_save savefig": "draws into memory",
    "companion/commands/trial.py:_write_trial_config write_text": "in the temporary folder of a trial",
    "companion/commands/trial.py:run_trial open": "in the temporary folder of a trial",
    "companion/commands/usage.py:_write_help write_text": "prints a help text",
    "companion/commands/watchdog.py:Heartbeat.__call__ open": "one short line, overwritten in its place and synced",
    "companion/games/footclub/screens/selection_store.py:SelectionStore._move replace": "moves a file aside",
    "companion/games/footclub/screens/squad.py:_rename.apply_name rename": "renames a club, not a file",
    "companion/hub/broker.py:Broker.reset_stream rename": "moves the damaged stream of the NATS server aside",
    "companion/hub/broker.py:_create_certificate rename": "the key gets its name once its certificate is on disk",
    "companion/hub/broker.py:load_certificate rename": "the same, after a power cut in between",
    "companion/hub/database.py:_lock_file open": "an empty file for SQLite, readable by its owner only",
    "companion/journal/database.py:create_database replace": "a complete store of SQLite gets its name",
    "companion/journal/last_line.py:LastLineNote.write open": "64 bytes after each event, overwritten in their place",
    "companion/journal/lock.py:WriterLock.__init__ open": "a lock file: it holds only a process id",
    "companion/journal/store.py:finish_recovery replace": "the recovered store gets its name once it is complete",
    "companion/journal/store_files.py:StoreFiles.move_side_files rename": "moves a store's log together with the store",
    "companion/journal/store_files.py:StoreFiles.set_aside rename": "moves a damaged store aside",
    "companion/table/catalogues/card_store.py:CardStore.move rename": "gives a file of the owner another name",
}
"""Writers besides `vision.files`, as `module:function call`."""

_WRITERS = {"write_text", "write_bytes", "savefig", "imwrite", "truncate", "mkstemp", "NamedTemporaryFile"}
_METHODS = {"rename", "replace", "symlink_to", "hardlink_to"}
"""Methods of a path. That of a string takes two arguments, that of a record keywords."""
_FUNCTIONS = {
    "os": {"rename", "renames", "replace", "link", "symlink"},
    "shutil": {"copy", "copy2", "copyfile", "copytree", "move"},
}
_WRITE_FLAGS = ("O_WRONLY", "O_RDWR", "O_CREAT", "O_APPEND")


def writes(source: ast.AST) -> Iterator[tuple[str, str]]:
    """Yield function and name of each call in a module that creates, changes or renames a file."""
    todo: list[tuple[ast.AST, tuple[str, ...]]] = [(source, ())]
    while todo:
        node, place = todo.pop()
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            place = (*place, node.name)
        if isinstance(node, ast.Call) and (found := _write_of(node)):
            yield ".".join(place), found
        todo += [(child, place) for child in ast.iter_child_nodes(node)]


def _write_of(call: ast.Call) -> str | None:
    """Return the name of a call that writes a file, None for any other call."""
    name, owner = "", ""
    if isinstance(call.func, ast.Name):
        name = call.func.id
    elif isinstance(call.func, ast.Attribute):
        name, owner = call.func.attr, ast.unparse(call.func.value)
    is_method = bool(owner) and name in _METHODS and len(call.args) == 1 and not call.keywords
    is_opened = name == "open" and _opens_for_writing(call, owner)
    return name if name in _WRITERS or name in _FUNCTIONS.get(owner, ()) or is_method or is_opened else None


def _opens_for_writing(call: ast.Call, owner: str) -> bool:
    if owner == "os":
        return any(flag in ast.unparse(argument) for argument in call.args for flag in _WRITE_FLAGS)
    if owner == "wave":
        return False  # the product writes sounds into memory
    modes = [*call.args, *(word.value for word in call.keywords if word.arg == "mode")]
    texts = [mode.value for mode in modes if isinstance(mode, ast.Constant) and isinstance(mode.value, str)]
    is_mode = [text for text in texts if 0 < len(text) <= 3 and set(text) <= set("rwaxbt+")]
    return any(set(text) & set("wax+") for text in is_mode)


def found_in(*packages: str) -> set[str]:
    return {
        f"{path.as_posix()}:{function} {call}"
        for path in modules(*packages)
        if path != Path(WRITER)
        for function, call in writes(tree(path))
    }


def test_product_code_writes_files_only_through_one_module() -> None:
    assert sorted(found_in(*PACKAGES) - set(EXCEPTIONS)) == []


def test_no_exception_is_left_over() -> None:
    assert sorted(set(EXCEPTIONS) - found_in(*PACKAGES)) == []


@pytest.mark.parametrize(
    "line",
    [
        "path.write_text('x')",
        "path.write_bytes(b'x')",
        "open('x', 'w')",
        "path.open('ab')",
        "path.open(mode='r+')",
        "os.open(path, os.O_WRONLY | os.O_CREAT)",
        "os.replace(a, b)",
        "a.replace(b)",
        "a.rename(b)",
        "os.link(a, b)",
        "shutil.copy(a, b)",
        "shutil.move(a, b)",
        "figure.savefig(path)",
        "cv2.imwrite(path, picture)",
        "tempfile.NamedTemporaryFile(dir=folder)",
    ],
)
def test_a_write_is_found(line: str) -> None:
    assert [function for function, _ in writes(ast.parse(f"def keep():\n    {line}"))] == ["keep"]


@pytest.mark.parametrize(
    "line",
    [
        "path.read_text()",
        "path.open('rb')",
        "open(path)",
        "os.open(path, os.O_RDONLY)",
        "text.replace('a', 'b')",
        "moment.replace(hour=0)",
        "replace(options, folder=folder)",
        "app.open('settings')",
        "write_atomically(path, content)",
    ],
)
def test_other_calls_are_left_alone(line: str) -> None:
    assert list(writes(ast.parse(line))) == []
