"""Texts from outside, hostile by their structure or size, are refused with a sentence, little memory and time."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

MAX_MEMORY_KB = 500_000
MAX_CPU_S = 5

N = 99_000
"""Bytes of a file that is just accepted for reading."""

TOML = {
    "dots": b"a" + b".a" * (N // 2 - 2) + b" = 1\n",
    "tables": b"".join(b"[a%d.b.c]\n" % number for number in range(N // 13)),
    "deep tables": b"".join(b"[" + b"a." * 400 + b"b%d]\n" % number for number in range(N // 810)),
    "arrays of tables": b"[[a]]\n" * (N // 6),
    "keys": b"".join(b"k%d=1\n" % number for number in range(N // 9)),
    "keys with dots": b"".join(b"a.b%d=1\n" % number for number in range(N // 11)),
    "nested arrays": b"a=" + b"[" * (N - 10),
    "nested tables": b"a=" + b"{a=" * (N // 3 - 10),
    "long number": b"a=" + b"9" * (N - 10),
    "huge": b"a=1\n#" + b"x" * 300_000_000,
}
JSON = {
    "nested lists": b"[" * N,
    "nested objects": b'{"a":' * (N // 5),
    "keys": b"{" + b",".join(b'"k%d":1' % number for number in range(N // 11)) + b"}",
    "one key": b"{" + b'"a":1,' * (N // 6 - 3) + b'"b":1}',
    "empty lists": b'{"a":[' + b"[]," * (N // 3 - 5) + b"1]}",
    "long number": b'{"a":' + b"9" * (N - 10) + b"}",
    "large exponent": b'{"a":1e999999999}',
    "huge": b" " * 300_000_000,
    "long line": b'{"a":[' + b"[]," * 1_390_000 + b"1]}\n",
    "many lines": b'{"a":1}\n' * 7_000_000,
}
CSV = {
    "headings": b",".join(b"nam%d" % number for number in range(12_000)) + b"\n1\n",
    "near headings": b",".join(b"strengt%d" % number for number in range(199)) + b"\n1\n",
    "rows": b"name,club\n" + b"a,b\n" * 240_000,
    "accepted rows": b"name,club\n" + b",".join([b"a"] * 99) + b"\n" + (b",".join([b"a"] * 99) + b"\n") * 4_900,
    "cells": b"name,club\n" + b"a," * 400_000,
    "open quote": b'"' + b"a\n" * 499_000,
    "huge": b"a" * 300_000_000,
}

PARSERS: dict[str, tuple[str, Mapping[str, bytes], str]] = {
    "dice set": ("vision.dice_sets", TOML, "parser.load(str(path))"),
    "wiring": ("hardware.wiring", TOML, "parser.read_wiring(path)"),
    "club in TOML": ("companion.table.catalogues.squads", TOML, "parser.read_squad(path)"),
    "club in JSON": ("companion.table.catalogues.squads", JSON, "parser.read_squad(path)"),
    "club in CSV": ("companion.table.catalogues.squads", CSV, "parser.read_squad(path)"),
    "catalogue": ("companion.table.catalogues.card_store", CSV, "check(parser.read_file(path).faults)"),
    "manifest": ("vision.decision.labels", JSON, "check(parser.load_lines(path)[1])"),
    "journal": ("companion.journal.ledger", JSON, "check_journal(path)"),
}
"""Module, samples and call of each parser. The call raises an exception whose text is the sentence."""

CHILD = """
import importlib, resource, sys, time
from pathlib import Path
resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))
parser = importlib.import_module(sys.argv[1])

class ManifestError(Exception):
    pass

def check(faults):
    if faults:
        raise ManifestError(str(faults[0]))

def check_journal(path):
    from companion.games.registry import GAMES
    parser.replay(path, GAMES)

for path in map(Path, sys.argv[3:]):
    before, outcome = time.process_time(), "accepted"
    try:
        eval(sys.argv[2])
    except MemoryError:
        raise
    except Exception as error:
        outcome = type(error).__name__
    peak = next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM"))
    print(f"{path.name}|{outcome}|{time.process_time() - before:.2f}|{peak}", flush=True)
"""
SENTENCES = {
    "DiceSetError",
    "WiringError",
    "SquadFileError",
    "ManifestError",
    "InvalidLine",
    "FileUnreadable",
    "Faulty",
}


@pytest.mark.parametrize("name", PARSERS)
def test_no_text_takes_much_memory_or_time(name: str, tmp_path: Path) -> None:
    module, samples, call = PARSERS[name]
    ending = {id(TOML): ".toml", id(JSON): ".json", id(CSV): ".csv"}[id(samples)]
    paths = [tmp_path / f"{sample}{ending}" for sample in samples]
    for path, content in zip(paths, samples.values(), strict=True):
        path.write_bytes(content)
    command = [sys.executable, "-c", CHILD, module, call, *map(str, paths)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    found = [line.split("|") for line in done.stdout.splitlines()]
    assert len(found) == len(paths), (done.stdout, done.stderr[-1000:])
    assert [line for line in found if line[1] not in SENTENCES] == []
    assert [line for line in found if float(line[2]) > MAX_CPU_S or int(line[3]) > MAX_MEMORY_KB] == []
