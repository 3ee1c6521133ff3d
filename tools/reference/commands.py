"""The page of the commands, from the typer application."""

import re
from collections.abc import Iterator, Mapping
from enum import Enum
from importlib.metadata import entry_points
from typing import Any

from typer.core import TyperGroup
from typer.main import get_command

from cli.app import GROUP, command_line
from tools.reference.markdown import code, listing, page, paragraphs, prose, table

INTRODUCTION = """\
`parley COMMAND --help` prints the same. Commands that ask a running suite take `--host` and `--port` of its gateway.
Errors are one line on standard error; the exit code is 0 for success, 1 for a failure and 2 for a wrong option.
Servers take further [settings](settings.md) from the environment."""
TYPES: Mapping[str, str] = {"str": "text", "list": "text", "int": "integer", "Path": "path", "datetime": "date"}


def commands_page() -> str:
    """The page of all commands, those of the suite's own command groups included."""
    root = get_command(command_line())
    commands = [each for each in _commands(root, "parley") if each[0] not in _foreign()]
    summary = table(("Command", "Does"), [(_link(name), prose(_first(command))) for name, command in commands])
    return page("Command line", INTRODUCTION, summary, *(_command(name, command) for name, command in commands))


def _foreign() -> set[str]:
    """Commands that other installed packages add."""
    return {f"parley {entry.name}" for entry in entry_points(group=GROUP) if entry.dist and entry.dist.name != "parley"}


def _commands(command: Any, name: str) -> Iterator[tuple[str, Any]]:
    """The commands without groups, depth first, each with its full name."""
    if isinstance(command, TyperGroup):
        for part, inner in command.commands.items():
            yield from _commands(inner, f"{name} {part}")
    else:
        yield name, command


def _link(name: str) -> str:
    return f"[{code(name)}](#{name.replace(' ', '-')})"


def _first(command: Any) -> str:
    return re.split(r"(?<=\.)\s", command.help or "")[0]


def _command(name: str, command: Any) -> str:
    arguments = [parameter for parameter in command.params if parameter.param_type_name == "argument"]
    options = [parameter for parameter in command.params if parameter.param_type_name == "option"]
    usage = " ".join([name, "[OPTIONS]" if options else "", *map(_placeholder, arguments)])
    parts = [f"## {name}", paragraphs(command.help or ""), f"    {' '.join(usage.split())}", _arguments(arguments)]
    return "\n\n".join(part for part in (*parts, _options(options)) if part)


def _placeholder(argument: Any) -> str:
    word = argument.name.upper() + ("…" if argument.nargs == -1 else "")
    return word if argument.required else f"[{word}]"


def _arguments(arguments: list[Any]) -> str:
    return table(("Argument", "Meaning"), [(code(_placeholder(one)), _help(one)) for one in arguments])


def _options(options: list[Any]) -> str:
    rows = [(_name(one), _default(one), _help(one)) for one in options]
    return table(("Option", "Default", "Meaning"), rows)


def _name(option: Any) -> str:
    value = "" if option.is_flag else f" {_value(option)}"
    return ", ".join(map(code, option.opts)) + value


def _value(option: Any) -> str:
    """What an option takes, such as "integer, 1 to 150"."""
    kind = option.type_descriptor.annotation
    if issubclass(kind, Enum):
        return listing([code(str(member.value)) for member in kind])
    if option.min is None:
        return TYPES[kind.__name__]
    bounds = f"at least {option.min}" if option.max is None else f"{option.min} to {option.max}"
    return f"{TYPES[kind.__name__]}, {bounds}"


def _default(option: Any) -> str:
    if option.required:
        return "required"
    return "" if option.default is None or str(option.default) in ("", "False") else code(str(option.default))


def _help(parameter: Any) -> str:
    """A parameter's help, with the options that it names as code, and the variable that sets it."""
    help_text = re.sub(r"(?<!\S)--[a-z-]*[a-z]", r"`\g<0>`", parameter.help or "")
    return prose(f"{help_text} Environment: `{parameter.envvar}`." if parameter.envvar else help_text)
