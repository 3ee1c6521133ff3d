"""The page of the commands, by the generator of `typer utils docs`; imports the command line and changes nothing."""

from importlib.metadata import entry_points

from typer import Context
from typer.cli import get_docs_for_click
from typer.core import TyperGroup
from typer.main import get_command

from cli.app import GROUP, command_line
from tools.reference.markdown import page

TITLE = "Command line"
INTRODUCTION = """\
`parley COMMAND --help` prints the same. Commands that ask a running suite take `--host` and `--port` of its gateway.
Errors are one line on standard error; the exit code is 0 for success, 1 for a failure and 2 for a wrong option.
Servers take further [settings](settings.md) from the environment."""


def commands_page() -> str:
    """The page of all commands, those of the suite's own command groups included."""
    root = get_command(command_line())
    assert isinstance(root, TyperGroup)
    for entry in entry_points(group=GROUP):
        if entry.dist and entry.dist.name != "parley":
            root.commands.pop(entry.name, None)
    text = get_docs_for_click(obj=root, ctx=Context(root, info_name="parley"), name="parley", title=TITLE)
    return page(TITLE, INTRODUCTION, text.removeprefix(f"# {TITLE}").strip())
