"""Build the documentation site: create its environment from the lock file if needed, then run mkdocs."""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from pathlib import Path

from tools import ROOT

LOCK = ROOT / "tests/suites/docs.lock"
ENVIRONMENT = ROOT / ".venv-docs"
SITE = ROOT / "build/site"


class SiteFailure(Exception):
    """The site could not be built. The message tells the user why."""


def build_site(out: Path = SITE, serve: bool = False) -> None:
    """Build the site into the folder `out`, or serve it until Ctrl-C and rebuild on change.

    Warnings are errors: a page outside the navigation, a broken link or anchor, a docstring that does not match its
    function. Raises: SiteFailure.
    """
    python = ensure_environment()
    action = ["serve", "--strict"] if serve else ["build", "--strict", "--quiet", "--site-dir", str(out.absolute())]
    done = subprocess.run(
        [str(python), "-m", "mkdocs", *action],
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        check=False,
    )
    if done.returncode != 0:
        raise SiteFailure("the site was not built: mkdocs names the page and the fault above")


def ensure_environment(folder: Path = ENVIRONMENT) -> Path:
    """Return the Python of the site's environment. Recreates it if the lock has changed. Raises: SiteFailure."""
    python, stamp = folder / "bin/python", folder / "installed.lock"
    if stamp.exists() and stamp.read_bytes() == LOCK.read_bytes():
        return python
    print(f"making {folder.name} (once)", file=sys.stderr, flush=True)
    venv.create(folder, clear=True, with_pip=True)
    install = ["install", "--quiet", "--no-deps", "--require-hashes", "--only-binary", ":all:", "-r", str(LOCK)]
    command = [str(python), "-m", "pip", "--disable-pip-version-check", "--no-input", *install]
    done = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if done.returncode != 0:
        print(done.stdout, file=sys.stderr)
        raise SiteFailure(f"the packages of {LOCK.relative_to(ROOT)} cannot be installed; pip says why above")
    stamp.write_bytes(LOCK.read_bytes())
    return python
