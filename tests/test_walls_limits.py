"""Files from outside are read, decoded and unpacked by the modules that limit their size."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from tests.tracked import PRODUCT, modules, tree

DECODERS = {
    "imdecode": {"vision/pictures.py"},
    "imdecodemulti": set(),
    "imread": set(),
    "imreadmulti": set(),
    "CoreImage": {"companion/app/textures.py"},
    "AsyncImage": set(),
    "ZipFile": {"companion/archives.py"},
    "is_zipfile": set(),
    "unpack_archive": set(),
    "fromfile": set(),
}
"""Calls that decode or unpack, and the modules that check the size first."""

WRITERS = {"companion/commands/backup.py", "companion/table/audit.py"}
"""Modules that write a zip file, by `ZipFile(..., "w")`."""

TOML_READERS = {
    "vision/files.py": "checks the number of dots of a line first",
    "companion/games/catalogue.py": "names of the samples of the product",
    "companion/games/footclub/squads.py": "clubs of the product",
    "companion/games/nba/card_sets.py": "cards of the product",
    "companion/theme/__init__.py": "design tokens of the product",
}
"""Modules that call `tomllib.loads`, each with the reason. All others use `vision.files.parse_toml`."""

UNLIMITED_READERS = {
    "companion/commands/backup.py": "settings of a backup, after a check of their size",
    "companion/commands/checks.py": "files of the system and of the product",
    "companion/commands/devices.py": "files of the system",
    "companion/commands/report.py": "models of the product",
    "companion/commands/trial.py": "what the started app says, and the settings",
    "companion/games/catalogue.py": "names of the samples of the product",
    "companion/games/footclub/screens/selection_store.py": "a file of state, written by the app",
    "companion/games/footclub/squads.py": "clubs of the product",
    "companion/games/nba/card_sets.py": "cards of the product",
    "companion/hub/broker.py": "files that the hub writes, certificates, the system",
    "companion/hub/web/drawing.py": "style sheet of the product",
    "companion/hub/web/site.py": "scripts of the product",
    "companion/language.py": "sentences of the product",
    "companion/link/link_state.py": "a file of state, written by the link",
    "companion/table/catalogues/card_store.py": "samples of the product",
    "companion/theme/__init__.py": "design tokens of the product",
    "hardware/tray.py": "files of the system",
    "hardware/wiring.py": "default pins of the product",
    "vision/calibration/record.py": "a file of state, written by the reader",
    "vision/cameras/webcam.py": "files of the system",
    "vision/decision/trust.py": "model of the product",
    "vision/dice_sets/__init__.py": "dice sets of the product",
    "vision/drawing/design.py": "marks of the product",
    "vision/messages.py": "sentences of the product",
}
"""Modules that read whole files without a limit, each with the reason. All others use `vision.files.read_limited`."""


def calls(path: Path) -> Iterator[tuple[str, ast.Call]]:
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Call):
            yield ast.unparse(node.func).rpartition(".")[2], node


def writes(call: ast.Call) -> bool:
    return any(isinstance(argument, ast.Constant) and argument.value == "w" for argument in call.args)


def product() -> list[Path]:
    return [path for top in PRODUCT for path in modules(top) if top != "tools"]


def test_pictures_and_archives_are_decoded_where_their_size_is_checked() -> None:
    elsewhere = [
        f"{path}:{call.lineno} {name}"
        for path in product()
        for name, call in calls(path)
        if name in DECODERS
        and path.as_posix() not in DECODERS[name]
        and not (path.as_posix() in WRITERS and writes(call))
    ]
    assert elsewhere == []


def test_whole_files_are_read_with_a_limit() -> None:
    readers = {path.as_posix() for path in product() for name, _ in calls(path) if name in ("read_bytes", "read_text")}
    assert sorted(readers - set(UNLIMITED_READERS)) == []


def test_toml_is_parsed_where_its_keys_are_checked() -> None:
    found = {
        path.as_posix()
        for path in product()
        for _, call in calls(path)
        if ast.unparse(call.func) in ("tomllib.loads", "tomllib.load")
    }
    assert sorted(found ^ set(TOML_READERS)) == []


def test_the_exceptions_still_exist() -> None:
    product_files = {path.as_posix() for path in product()}
    assert sorted(set(UNLIMITED_READERS) - product_files) == []
    assert {path for paths in DECODERS.values() for path in paths} <= product_files
