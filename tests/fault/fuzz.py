"""Bad inputs for every parser: each is read, or refused with a sentence, within 5 s and 500 MB.

`python -m tests.fault.fuzz [--count N] [--seed N] [--parser NAME]`. An input is made again from its seed and number.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from random import Random

from tests.fault.checks import Check, Rounds
from tests.fault.file_parsers import FILE_PARSERS
from tests.fault.parsers import SMALL_PARSERS, Bench, Parser
from tests.fault.sandbox import run_inputs
from tests.fault.service_parsers import SERVICE_PARSERS

PARSERS: tuple[Parser, ...] = (*SMALL_PARSERS, *FILE_PARSERS, *SERVICE_PARSERS)

FAILED_INPUTS = Path("build/fault/inputs")
"""Folder of the inputs that failed."""


def fuzz_rounds(folder: Path, count: int, random: Random) -> Rounds:
    """Return a round for each parser, for `count` inputs in all."""
    return rounds_of("fuzz", PARSERS, folder, count, random.randrange(2**32))


def rounds_of(part: str, parsers: Sequence[Parser], folder: Path, count: int, seed: int) -> Rounds:
    """Return a round for each parser with its share of `count` inputs."""
    all_shares = sum(parser.share for parser in parsers)
    return [
        (
            f"{part}: {parser.name}",
            partial(fuzz, parser, folder, range(max(2, count * parser.share // all_shares)), seed),
        )
        for parser in parsers
    ]


def random_of(parser: Parser, seed: int, index: int) -> Random:
    """Return the random source of an input."""
    return Random(f"{seed} {parser.name} {index}")


def fuzz(parser: Parser, folder: Path, indexes: Sequence[int], seed: int) -> Iterator[Check]:
    """Give inputs to a parser. Yields a check for each."""
    place = folder / parser.name.replace(" ", "-")
    benches: dict[int, Bench] = {}

    def prepare() -> None:
        own = Path(tempfile.mkdtemp(dir=place))
        benches[0] = parser.prepare(own)

    def run(index: int) -> None:
        bench = benches[0]
        bench.run(bench.make(random_of(parser, seed, index)))

    place.mkdir(parents=True, exist_ok=True)
    failed = set()
    for fault in run_inputs(run, list(indexes), prepare):
        failed.add(fault.index)
        yield _name(parser, seed, fault.index), [f"{fault.kind}: {fault.text}"]
    for index in indexes:
        if index not in failed:
            yield _name(parser, seed, index), []


def _name(parser: Parser, seed: int, index: int) -> str:
    return f"{parser.name} input {index} of seed {seed}"


def save_input(parser: Parser, folder: Path, seed: int, index: int) -> Path:
    """Make an input again and save it. Returns its path."""
    with tempfile.TemporaryDirectory() as own:
        made = parser.prepare(Path(own)).make(random_of(parser, seed, index))
    content = made if isinstance(made, bytes) else repr(made).encode("utf-8", "backslashreplace")
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{parser.name.replace(' ', '-')}-{seed}-{index}"
    path.write_bytes(content)
    return path


def _saved(parser: Parser, folder: Path, seed: int, index: int) -> str:
    try:
        return str(save_input(parser, folder, seed, index))
    except Exception as error:  # noqa: BLE001 (a maker that fails is a fault of its own, and already shown)
        return f"not saved: {error}"


MAX_SHOWN = 3
"""Failed inputs shown and saved for each place of a fault."""


def report_rounds(about: str, part: str, parsers: Sequence[Parser], count: int) -> int:
    """Run the rounds of some parsers from the command line. Returns the exit status."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--count", type=int, default=count, help="how many inputs in all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--parser", action="append", help="only parsers whose name contains this")
    parser.add_argument("--save", type=Path, default=FAILED_INPUTS, help="folder of the inputs that failed")
    asked = parser.parse_args()
    chosen = [each for each in parsers if not asked.parser or any(name in each.name for name in asked.parser)]
    passed = failed = 0
    with tempfile.TemporaryDirectory(prefix="tapis-vert-fuzz-") as place:
        for one, (name, checks) in zip(
            chosen, rounds_of(part, chosen, Path(place), asked.count, asked.seed), strict=True
        ):
            began, count, places = time.monotonic(), 0, dict[str, int]()
            for check, problems in checks():
                count += 1
                passed, failed = passed + (not problems), failed + bool(problems)
                for problem in problems:
                    kind = problem.rpartition(" at ")[2] if " at " in problem else problem[:40]
                    places[kind] = places.get(kind, 0) + 1
                    if places[kind] <= MAX_SHOWN:
                        index = int(check.split(" input ")[1].split()[0])
                        saved = _saved(one, asked.save, asked.seed, index)
                        print(f"FAILED {check}: {problem} ({saved})")
            more = ", ".join(f"{at}: {n}" for at, n in places.items())
            print(f"{name}: {count} inputs in {time.monotonic() - began:.1f} s {more}", flush=True)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(report_rounds(__doc__ or "", "fuzz", PARSERS, 200_000))
