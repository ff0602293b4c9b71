"""Check the command lines in documents: program, subcommand and options. Runs none of them."""

from __future__ import annotations

import importlib.util
import os
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer
import typer.main

from companion.cli import app as companion
from tests.suites.table import SUITES
from tests.tracked import ROOT, text
from tools.__main__ import TRAINING_STEPS
from tools.__main__ import app as tools
from tools.benchmarks.runner import BENCHES

UsageError: type[Exception] = typer.BadParameter.__mro__[1]

INSTALLED = {"tapis-vert-update": "deploy/update.sh"}
"""Commands that the installer adds, with their scripts."""

OTHERS = {
    "apt", "cd", "createdb", "git", "journalctl", "nats", "nats-server", "pg_dump", "pg_restore", "raspi-config",
    "systemctl", "timedatectl", "update-ca-certificates", "./rpi-image-gen",
}  # fmt: skip
"""Third-party programs that documents may name. They need not be installed."""

OWN = re.compile(
    r"(?:sudo )?(?:[A-Z_]+=\S+ )?(?:(?:\.venv/bin/)?companion|\./run|\./test|(?:\.venv/bin/)?python3? (?:-m )?\S+"
    r"|deploy/\S+\.sh|tapis-vert-update)(?: .*)?"
)
"""Pattern of a code span that is a command of the product."""

_PLACEHOLDER = re.compile(r"[A-Z][A-Z_]*(?:[/.][\w.]+)?|N")
_OPERATORS = {"&&", "||", ";", "|", "&", "(", ")"}
_REDIRECTIONS = {">", ">>", "<", "2>"}


def commands(line: str) -> Iterator[list[str]]:
    """Yield the commands of a shell line, split into words. Omits comments, redirections and variables."""
    lexer = shlex.shlex(line, posix=True, punctuation_chars=True)
    lexer.whitespace_split = True
    command_words: list[str] = []
    skip = False
    for word in lexer:
        if word in _OPERATORS:
            yield from [command_words] if command_words else []
            command_words = []
        elif word in _REDIRECTIONS:
            skip = True
        elif skip:
            skip = False
        elif command_words or not re.match(r"\w+=", word):
            command_words.append(word)
    yield from [command_words] if command_words else []


def usage(span: str) -> str:
    """Return a usage line (`demo [GAME] [--seed N]`, `IMAGE...`) as a command with all arguments."""
    return span.replace("...", "").replace("…", "").replace("[", "").replace("]", "")


def fault(command_words: list[str], *, whole: bool = True) -> str | None:
    """Return the fault of a command, None if it is valid. Unless it is `whole`, arguments may be missing."""
    command_words = command_words[1:] if command_words[0] == "sudo" else command_words
    program, arguments = command_words[0], command_words[1:]
    if program in ("companion", ".venv/bin/companion", "./run"):
        return _typer_fault(typer.main.get_command(companion), arguments, whole)
    if program.rpartition("/")[2] in ("python", "python3"):
        return _python_fault(arguments, whole)
    if program == "./test":
        options = next((at for at, word in enumerate(arguments) if at and word.startswith("-")), len(arguments))
        unknown = [name for name in arguments[:options] if name not in SUITES and name not in ("all", "NAME", "--help")]
        return f"no suite {unknown}" if unknown else None
    if program in INSTALLED:
        return _script_fault(INSTALLED[program], arguments)
    if program in OTHERS:
        return None
    if not whole and not arguments and (ROOT / program).is_file():
        return None  # the name of a file, not a command
    return _script_fault(program, arguments)


def _typer_fault(command: Any, arguments: list[str], whole: bool, parent: Any = None) -> str | None:
    """Return why the product's command line rejects the arguments, None if it accepts them. Files need not exist."""
    values = ["1" if _PLACEHOLDER.fullmatch(word) else word for word in arguments if word != "--help"]
    try:
        context = command.make_context(command.name or "companion", list(values), parent)
    except UsageError as error:
        return None if type(error).__name__ == "MissingParameter" and not whole else str(error)
    except typer.Exit:
        return None  # prints help because the subcommand is missing
    rest = [*getattr(context, "_protected_args", []), *context.args]
    below = getattr(command, "commands", {})
    if not below or not rest:
        return None
    if rest[0] not in below:
        return f"no command {rest[0]!r}"
    return _typer_fault(below[rest[0]], rest[1:], whole, context)


def _python_fault(arguments: list[str], whole: bool) -> str | None:
    if not arguments:
        return None
    if arguments[0] != "-m":
        return None if (ROOT / arguments[0]).is_file() else f"no file {arguments[0]}"
    module, rest = arguments[1], arguments[2:]
    if module == "companion":
        return _typer_fault(typer.main.get_command(companion), rest, whole)
    if module == "tools":
        return _tools_fault(rest, whole)
    if module == "pytest":
        lost = [word for word in rest if "/" in word and "PACKAGE" not in word and not (ROOT / word).exists()]
        return f"no folder {lost}" if lost else None
    return None if importlib.util.find_spec(module) else f"no module {module}"


def _tools_fault(arguments: list[str], whole: bool) -> str | None:
    """Return the fault of a `tools` command, including benchmark names, training steps and the options of a step."""
    named = arguments[1] if len(arguments) > 1 else "NAME"
    if arguments[:1] == ["bench"] and named != "NAME" and named not in BENCHES:
        return f"no benchmark {named!r}"
    if arguments[:1] == ["train"] and named != "STEP":
        if named not in TRAINING_STEPS:
            return f"no step {named!r}"
        return _options_fault(f"tools/training/{named}.py", arguments[2:], '"{}"')
    return _typer_fault(typer.main.get_command(tools), arguments, whole)


def _script_fault(script: str, arguments: list[str]) -> str | None:
    if not os.access(ROOT / script, os.X_OK) or not (ROOT / script).is_file():
        return f"no program {script!r}"
    return _options_fault(script, arguments, "{}")


def _options_fault(source: str, arguments: list[str], form: str) -> str | None:
    """Return a fault for options that do not occur in a source file, None if all do."""
    code = text(Path(source))
    unknown = [
        word
        for word in arguments
        if word.startswith("--") and not re.search(re.escape(form.format(word)) + r"(?![\w-])", code)
    ]
    return f"{source} has no {unknown}" if unknown else None
