"""Mutations, the sandbox of the fuzzed parsers, and the verdict of the soak. `test_smoke.py` runs the parts."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path
from random import Random

from tests.fault.fuzz import fuzz, random_of
from tests.fault.mutations import HUGE, json_bytes, mutate_png, mutate_value, toml_bytes
from tests.fault.parsers import Bench, Parser
from tests.fault.sandbox import run_inputs
from tests.fault.soak import Sample, plotted, plotted_text, slope, verdict
from tests.tracked import ROOT


def check_in_new_process(name: str) -> None:
    """Call a function of this module in a new process: this one may have threads, and forked children would hang."""
    command = [sys.executable, "-c", f"from {__name__} import {name}; {name}()"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr[-2000:]


def _faulty(index: int) -> object:
    if index == 1:
        raise KeyError("undocumented")
    if index == 3:
        return bytearray(700 << 20)
    return None


def test_the_sandbox_names_the_input_that_fails() -> None:
    check_in_new_process("_check_sandbox")


def _check_sandbox() -> None:
    found = sorted((fault.index, fault.kind) for fault in run_inputs(_faulty, range(6), lambda: None))
    assert found == [(1, "traceback"), (3, "memory")]


def test_a_faulty_parser_is_found() -> None:
    check_in_new_process("_check_faulty_parser")


def _check_faulty_parser() -> None:
    def run(content: bytes) -> None:
        if b"\0" in content:
            raise IndexError("a fault")

    parser = Parser("faulty", 1, lambda folder: Bench(lambda random: random.choice((b"a", b"\0")), run))
    with tempfile.TemporaryDirectory() as folder:
        checks = list(fuzz(parser, Path(folder), range(40), 1))
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
