"""Opens an engine by its name, when a process starts: that imports and runs code of the package that brings it.

`auto`, `llm` and `rules` are built in. Another package registers an engine as an entry point of the group
`parley.engines.<task>`; the entry point names a callable without parameters that returns the engine.
"""

from importlib.metadata import EntryPoint, entry_points
from typing import Any, Final, Literal, get_args

from libs.runtime.settings import SettingsError

GROUP: Final = "parley.engines"
Task = Literal["judge", "condense", "plan", "write", "extract", "verify", "recommend", "date"]
BuiltIn = Literal["auto", "llm", "rules"]
TASKS: Final[tuple[Task, ...]] = get_args(Task)
ENGINE_NAME: Final = r"^[a-z0-9][a-z0-9._-]{0,63}$"
"""The pattern of a setting that names an engine; 64 characters are enough (taste)."""
_ALL: Final[tuple[BuiltIn, ...]] = get_args(BuiltIn)


def built_in(name: str) -> BuiltIn:
    """The built-in engine for a name: the one named, else `auto`, which does the task if the named one fails."""
    return next((choice for choice in _ALL if choice == name), "auto")


def open_engine(task: Task, name: str, variable: str, built_in_names: tuple[str, ...] = _ALL) -> Any | None:
    """Open the engine of another package; None if the name is built in.

    Args:
        task: the task.
        name: the engine's name.
        variable: the setting that names it, for error messages.
        built_in_names: the names that need no other package for this task.

    Raises:
        SettingsError: there is no such engine, or it cannot be opened; the message names those that there are.
    """
    if name in built_in_names:
        return None
    entries = {entry.name: entry for entry in entry_points(group=f"{GROUP}.{task}")}
    if name not in entries:
        names = ", ".join((*built_in_names, *sorted(entries)))
        raise SettingsError(f"{variable}: no engine {name!r} for the task {task}; there are: {names}")
    return _open(entries[name], variable)


def _open(entry: EntryPoint, variable: str) -> Any:
    try:
        return entry.load()()
    except Exception as error:
        cause = f"{type(error).__name__}: {error}"
        raise SettingsError(
            f"{variable}: the engine {entry.name!r} ({entry.value}) can't be opened: {cause}"
        ) from error
