"""A short run of bad inputs, damaged files and jumping clocks; `./test fault` is the long one."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from tests.fault.clock import clock_rounds
from tests.fault.fuzz import PARSERS, fuzz, random_of
from tests.fault.mutations import HUGE, json_bytes, mutate_png, mutate_value, toml_bytes
from tests.fault.parsers import Bench, Parser
from tests.fault.rot import ROT_PARSERS
from tests.fault.sandbox import run_inputs
from tests.fault.soak import Sample, plotted, plotted_text, slope, verdict

QUICK = frozenset({"journal", "config", "wiring", "link state", "labels", "squad", "wire messages", "tray frames"})
"""Parsers of the short form: those that take a millisecond."""
ELSEWHERE = frozenset({"config"})
"""Parsers whose known faults are mended elsewhere; they run in the long form."""


@pytest.mark.parametrize("parser", [each for each in PARSERS if each.name in QUICK - ELSEWHERE], ids=lambda p: p.name)
def test_bad_inputs(tmp_path: Path, parser: Parser) -> None:
    checks = list(fuzz(parser, tmp_path, range(40), 7))
    assert len(checks) == 40
    assert [check for check in checks if check[1]] == []


@pytest.mark.parametrize("name", ["store and log", "wiring", "link state", "dice set", "misreads"])
def test_damaged_files(tmp_path: Path, name: str) -> None:
    parser = next(each for each in ROT_PARSERS if each.name == name)
    checks = list(fuzz(parser, tmp_path, range(12), 7))
    assert [check for check in checks if check[1]] == []


@pytest.mark.parametrize("name", ["clock: store", "clock: link", "clock: calibration"])
def test_jumping_clocks(tmp_path: Path, name: str) -> None:
    checks = dict(clock_rounds(tmp_path, 8, Random(7)))[name]()
    assert [check for check in checks if check[1]] == []


def _faulty(index: int) -> object:
    if index == 1:
        raise KeyError("undocumented")
    if index == 3:
        return bytearray(700 << 20)
    return None


def test_the_sandbox_names_the_input_that_fails() -> None:
    found = sorted((fault.index, fault.kind) for fault in run_inputs(_faulty, range(6), lambda: None))
    assert found == [(1, "traceback"), (3, "memory")]


def test_a_faulty_parser_is_found(tmp_path: Path) -> None:
    def run(content: bytes) -> None:
        if b"\0" in content:
            raise IndexError("a fault")

    parser = Parser("faulty", 1, lambda folder: Bench(lambda random: random.choice((b"a", b"\0")), run))
    checks = list(fuzz(parser, tmp_path, range(40), 1))
    failed = [name for name, problems in checks if problems]
    assert len(checks) == 40
    assert failed
    index = int(failed[0].split(" input ")[1].split()[0])
    assert random_of(parser, 1, index).choice((b"a", b"\0")) == b"\0", "the input can be made again"


def test_mutations_keep_to_their_seed_and_are_many() -> None:
    value = {"a": [1, 2.5, "x"], "b": {"c": None, "d": True}, "e": b"raw"}
    made = [json_bytes(mutate_value(value, Random(seed))) for seed in range(300)]
    assert made == [json_bytes(mutate_value(value, Random(seed))) for seed in range(300)]
    assert len(set(made)) > 200
    assert json_bytes(value) not in made[:3] or len(set(made)) > 250


def test_an_integer_that_python_cannot_print_is_written() -> None:
    assert len(json_bytes({"a": HUGE})) > 4300
    assert b"0x" in toml_bytes({"s": {"a": HUGE}})


def test_a_mutated_png_has_right_sums() -> None:
    import struct
    import zlib

    import cv2
    import numpy as np

    done, data = cv2.imencode(".png", np.zeros((8, 8, 3), np.uint8))
    assert done
    for seed in range(30):
        changed, at = mutate_png(data.tobytes(), Random(seed)), 8
        while at < len(changed):
            (length,) = struct.unpack_from(">I", changed, at)
            body = changed[at + 4 : at + 8 + length]
            assert struct.unpack_from(">I", changed, at + 8 + length)[0] == zlib.crc32(body)
            at += 12 + length


def samples(memory: float = 0.0, files: float = 0.0) -> list[Sample]:
    """Return a run whose memory and files grow by so much in all."""
    return [Sample(10.0 * at, 150 + memory * at / 60, 12 + files * at / 60, 2, at / 10, 5.0) for at in range(60)]


def test_the_soak_tells_growing_memory_and_files() -> None:
    assert [name for name, problems in verdict(samples()) if problems] == []
    assert [name for name, problems in verdict(samples(memory=60)) if problems] == ["soak: memory"]
    assert [name for name, problems in verdict(samples(files=30)) if problems] == ["soak: files"]
    assert slope([(0, 0), (1, 1), (2, 2), (3, 90)]) < 31


def test_the_plot_shows_every_curve() -> None:
    assert plotted(samples()).count("<polyline") == 5
    assert len(plotted_text(samples()).splitlines()) == 5
