"""Every command in a document exists and accepts the options and arguments shown."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.docs.commands import OWN, commands, fault, usage
from tests.docs.documents import DOCUMENTS, blocks, spans


def command_lines(path: Path) -> list[tuple[str, str]]:
    """Return the shell lines in the blocks of a document with their places."""
    found = []
    for block in blocks(path):
        if block.language not in ("sh", "console"):
            continue
        lines = block.body.replace("\\\n", " ").splitlines()
        if block.language == "console":
            lines = [line.removeprefix("$ ") for line in lines if line.startswith("$ ")]
        found += [(f"{block}: {line}", line) for line in lines]
    return found


def wrong(path: Path) -> list[str]:
    """Return the faults of the commands in the blocks and in the prose of a document."""
    found = [
        f"{place}: {error}"
        for place, line in command_lines(path)
        for arguments in commands(line)
        if (error := fault(arguments))
    ]
    for line, span in spans(path):
        if OWN.fullmatch(span):
            try:
                given = list(commands(usage(span)))
            except ValueError as unbalanced:
                found.append(f"{path}:{line}: {span}: {unbalanced}")
                continue
            found += [
                f"{path}:{line}: {span}: {error}" for arguments in given if (error := fault(arguments, whole=False))
            ]
    return found


@pytest.mark.parametrize("path", DOCUMENTS, ids=str)
def test_every_command_of_a_document_exists(path: Path) -> None:
    assert wrong(path) == []


def test_commands_are_found() -> None:
    assert sum(len(command_lines(path)) for path in DOCUMENTS) > 20
    assert sum(bool(OWN.fullmatch(span)) for path in DOCUMENTS for _, span in spans(path)) > 60


@pytest.mark.parametrize(
    "line",
    [
        "companion brew",
        "companion read --sett pips photo.jpg",
        "companion read photo.jpg --count many",
        "companion play",
        "companion audit exprot",
        "./run demo footclub --slow",
        "./test nonsense",
        "python -m tools bench tea",
        "python -m tools train train OUT --hours 60",
        "python examples/no_such.py",
        "python -m tests.no_such",
        "sudo deploy/install.sh --kiosks",
        "sudo tapis-vert-update --backwards",
        "deploy/no_such.sh",
        "frobnicate",
    ],
)
def test_a_command_that_does_not_exist_is_found(line: str) -> None:
    assert any(fault(arguments) for arguments in commands(line))


@pytest.mark.parametrize(
    "line",
    [
        "sudo systemctl stop tapis-vert && sudo companion restore table.zip; sudo systemctl start tapis-vert",
        "pg_dump --format=custom tournament > tournament.dump  # a copy",
        "NAME=value companion audit export MATCH --out FILE.zip",
        usage("companion demo [GAME] [--seed N] [--fast]"),
        usage("companion read [--set NAME] [--count N] IMAGE..."),
    ],
)
def test_a_sound_command_is_let_pass(line: str) -> None:
    assert [error for arguments in commands(line) if (error := fault(arguments))] == []
