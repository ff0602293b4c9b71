"""Look up known vulnerabilities of the packages on an installed table, with pip-audit (directly or through uv).

`python -m tests.suites.audit` uses the standard library only: `deploy/lock.sh` calls it too. A package that the
database does not answer for is counted as skipped, never as passed.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.suites.count import Count

BILL = Path(__file__).resolve().parents[2] / "deploy/bom.cdx.json"
NO_NETWORK = "skipped: no network: the database of known vulnerabilities does not answer"


@dataclass(frozen=True, slots=True)
class Finding:
    """The answer for one package: its vulnerabilities, or `None` if the database gave no answer."""

    package: str
    vulnerabilities: tuple[str, ...] | None


def auditor() -> list[str] | None:
    """Return the command of pip-audit, or None if neither pip-audit nor uv is installed."""
    if shutil.which("pip-audit"):
        return ["pip-audit"]
    return ["uv", "tool", "run", "--quiet", "pip-audit"] if shutil.which("uv") else None


def lacking_auditor() -> str | None:
    """Return what this machine lacks for the audit, or None."""
    return None if auditor() else "pip-audit is not there (uv or pip installs it)"


def packages(bill: dict[str, Any]) -> list[str]:
    """Return the packages in a bill of materials as requirements."""
    return [f"{each['name']}=={each['version']}" for each in bill["components"] if each["type"] == "library"]


def findings(answer: dict[str, Any]) -> Iterator[Finding]:
    """Parse the JSON output of pip-audit."""
    for each in answer["dependencies"]:
        if "skip_reason" in each:
            yield Finding(each["name"], None)
        else:
            known = (
                f"{one['id']} (mended in {', '.join(one['fix_versions']) or 'no version'})" for one in each["vulns"]
            )
            yield Finding(f"{each['name']} {each['version']}", tuple(known))


def ask(command: list[str], requirements: list[str]) -> list[Finding]:
    """Run pip-audit. Returns an answer for each package, without vulnerabilities if it was cut off from the network."""
    with tempfile.TemporaryDirectory() as folder:
        listed = Path(folder) / "requirements.txt"
        listed.write_text("\n".join(requirements) + "\n", encoding="utf-8")
        options = [
            "--requirement",
            str(listed),
            "--disable-pip",
            "--no-deps",
            "--progress-spinner=off",
            "--format=json",
        ]
        done = subprocess.run([*command, *options], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    try:
        answer = json.loads(done.stdout)
    except ValueError:  # pip-audit or uv failed before it had an answer
        return [Finding(requirement, None) for requirement in requirements]
    return list(findings(answer))


def report(found: list[Finding]) -> Count:
    """Print what was found, and return the count: passed without a known vulnerability, failed with one."""
    unanswered = [each.package for each in found if each.vulnerabilities is None]
    for each in found:
        for vulnerability in each.vulnerabilities or ():
            print(f"{each.package}: {vulnerability}")
    if len(unanswered) == len(found):
        print(NO_NETWORK)
    elif unanswered:
        print(f"skipped: the database does not know: {', '.join(unanswered)}")
    failed = sum(bool(each.vulnerabilities) for each in found)
    return Count(len(found) - failed - len(unanswered), failed, len(unanswered))


def main() -> int:
    """Print findings and the closing line. Returns 1 for a known vulnerability."""
    command = auditor()
    if command is None:
        print(f"audit: cannot run: {lacking_auditor()}")
        return 1
    count = report(ask(command, packages(json.loads(BILL.read_bytes()))))
    print(count)
    return 1 if count.failed else 0


if __name__ == "__main__":
    sys.exit(main())
