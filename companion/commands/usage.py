"""Help and usage errors of the command line, in the chosen language. The declarations give help as message ids."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import typer
from typer.core import TyperCommand, TyperGroup
from typer.exceptions import TyperException

from companion.commands.settings import named_config, terminal_language
from companion.games.base import Message
from companion.language import Language

if TYPE_CHECKING:
    from typer._click.core import Command, Context
    from typer._click.formatting import HelpFormatter

Handler = TypeVar("Handler", bound=Callable[..., None])
"""A function that implements a command."""

_LANGUAGE = "tapis-vert.language"
"""Key of the language in `Context.meta`, which a command shares with its subcommands."""

_FAULTS = (
    (re.compile(r"No such option: (?P<name>\S+) \(Possible options: (?P<near>.*)\)"), "usage.fault.option_near"),
    (re.compile(r"No such option: (?P<name>\S+)"), "usage.fault.option"),
    (re.compile(r"No such command '(?P<name>.*)'"), "usage.fault.command"),
    (re.compile(r"Missing command"), "usage.fault.no_command"),
    (re.compile(r"unexpected extra argument\S* \((?P<name>.*)\)"), "usage.fault.extra"),
    (re.compile(r"Option '(?P<name>[^']*)' requires"), "usage.fault.no_value"),
    (re.compile(r"Option '(?P<name>[^']*)' does not take a value"), "usage.fault.value"),
)
"""Patterns of the library's English error texts, with the message ids that replace them. The errors have no codes."""


class CommandLine(typer.Typer):
    """A group of commands with help and usage errors in the chosen language."""

    def __init__(self, help: str, *, needs_command: bool = True) -> None:
        super().__init__(
            help=help,
            cls=_Group,
            add_completion=False,
            no_args_is_help=needs_command,
            rich_markup_mode=None,
            pretty_exceptions_enable=False,
        )

    def command(  # type: ignore[override]
        self, name: str | None = None, *, help: str | None = None
    ) -> Callable[[Handler], Handler]:
        """Declare a command. `help` is a message id."""
        return super().command(name, cls=_Command, help=help)


class _Command(TyperCommand):
    def format_help(self, ctx: Context, formatter: HelpFormatter) -> None:
        _write_help(self, ctx, formatter)


class _Group(TyperGroup):
    def format_help(self, ctx: Context, formatter: HelpFormatter) -> None:
        _write_help(self, ctx, formatter)

    def parse_args(self, ctx: Context, args: list[str]) -> list[str]:
        if ctx.parent is None:
            ctx.meta[_LANGUAGE] = terminal_language(named_config(args))
        return super().parse_args(ctx, args)

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        windows_expand_args: bool = True,
        **extra: Any,
    ) -> Any:
        """Run the command in `args`, by default `sys.argv`.

        In standalone mode a usage error prints one sentence. Raises: SystemExit with the exit status.
        """
        typed = list(sys.argv[1:] if args is None else args)
        try:
            status = super().main(typed, prog_name, complete_var, False, windows_expand_args, **extra)
        except TyperException as error:
            if not standalone_mode:
                raise
            print(usage_text(error, terminal_language(named_config(typed))), file=sys.stderr)
            sys.exit(error.exit_code)
        if standalone_mode:
            sys.exit(status or 0)
        return status


def usage_text(error: TyperException, language: Language) -> str:
    """Return the sentence for a usage error, and the command that prints help."""
    context: Context | None = getattr(error, "ctx", None)
    if type(error).__name__ == "NoArgsIsHelpError":
        return str(error)
    sentence = language.text(_fault(error, language))
    return sentence if context is None else f"{sentence}\n{language('usage.see', command=context.command_path)}"


def _fault(error: TyperException, language: Language) -> Message:
    text = error.format_message()
    parameter = getattr(error, "param", None)
    if type(error).__name__ == "MissingParameter" and parameter is not None:
        is_argument = parameter.param_type_name == "argument"
        name = _argument_name(language, parameter) if is_argument else parameter.opts[0]
        return Message("usage.fault.missing", {"name": name})
    for pattern, id in _FAULTS:
        found = pattern.search(text)
        if found:
            return Message(id, found.groupdict())
    if parameter is None:
        return Message("common.literal", {"text": text})
    name = parameter.get_error_hint().replace("'", "")
    return Message("usage.fault.wrong", {"name": name, "wanted": _wanted(parameter)})


def _wanted(parameter: Any) -> Message:
    """Return the description of the values that a parameter accepts."""
    kind = "number" if _takes(parameter) == "float" else "whole" if _takes(parameter) == "int" else "text"
    least, most = getattr(parameter, "min", None), getattr(parameter, "max", None)
    bounds = "" if least is None else "_from" if most is None else "_between"
    return Message(f"usage.wanted.{kind}{bounds}", {"least": least, "most": most})


def _takes(parameter: Any) -> str:
    """Return the name of a parameter's type: `int`, `float`, `bool`, `Path` or `str`."""
    names = re.findall(r"int|float|bool|Path", str(parameter.type_descriptor.annotation))
    return names[0] if names else "str"


def _write_help(command: Command, context: Context, formatter: HelpFormatter) -> None:
    """Write the help of a command: usage line, description, arguments, options and subcommands."""
    language: Language = context.find_root().meta[_LANGUAGE]
    visible = [parameter for parameter in command.get_params(context) if not getattr(parameter, "hidden", False)]
    arguments = [one for one in visible if one.param_type_name == "argument"]
    options = [one for one in visible if one.param_type_name == "option"]
    commands: dict[str, Command] = getattr(command, "commands", {})
    pieces = [language("usage.options_here"), *(_argument_name(language, one) for one in arguments)]
    pieces += [language("usage.command_here")] if commands else []
    formatter.write_usage(context.command_path, " ".join(pieces), prefix=language("usage.usage"))
    formatter.write_paragraph()
    formatter.write_text(language(command.help or ""))
    rows = {
        "usage.arguments": [(_argument_name(language, one), _about(language, one)) for one in arguments],
        "usage.options": [(_option_name(language, one), _about(language, one)) for one in options],
        "usage.commands": [(name, language(one.help or "")) for name, one in commands.items()],
    }
    for heading, entries in rows.items():
        _write_rows(formatter, language(heading), entries)


def _write_rows(formatter: HelpFormatter, heading: str, rows: Sequence[tuple[str, str]]) -> None:
    if not rows:
        return
    formatter.write_paragraph()
    formatter.write(f"{heading}\n")
    formatter.indent()
    formatter.write_dl(rows)
    formatter.dedent()


def _argument_name(language: Language, argument: Any) -> str:
    name = _placeholder(language, argument.metavar or argument.name.upper())
    return f"{name}…" if argument.nargs != 1 else name if argument.required else f"[{name}]"


def _option_name(language: Language, option: Any) -> str:
    names = " / ".join([*option.opts, *option.secondary_opts])
    if option.is_flag:
        return names
    standard = {"int": "N", "float": "N", "Path": "FILE"}.get(_takes(option), "TEXT")
    return f"{names} {_placeholder(language, option.metavar or standard)}"


def _placeholder(language: Language, name: str) -> str:
    """Return a placeholder such as `FILE.pdf` or `MATCH|FILE` in the language."""
    return re.sub(r"[A-Z]{3,}", lambda word: language(f"usage.metavar.{word[0].lower()}"), name)


def _about(language: Language, parameter: Any) -> str:
    """Return the help of a parameter, with its default value or the note that it is required."""
    if parameter.name == "help":
        return language("usage.help")
    about = language(parameter.help or "")
    if parameter.required:
        return f"{about} [{language('usage.required')}]"
    if parameter.show_default and parameter.default not in (None, False, True):
        return f"{about} [{language('usage.default', value=parameter.default)}]"
    return about
