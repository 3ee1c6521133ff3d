"""`parley backup`: copy the databases of a data folder while its suite runs."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Annotated, Final

import typer

from cli.connection.gateway_connection import CommandError, complaining
from cli.view.output import tell_table
from libs.runtime.storage import COPY

PARTIAL: Final = ".partial"
HEADINGS: Final = ("database", "bytes")


def backup(
    folder: Annotated[Path, typer.Argument(help="Where the copies go; created if missing.")],
    data: Annotated[Path, typer.Option(help="The suite's data folder.")] = Path(".parley"),
) -> None:
    """Copy the databases of a data folder, each as it is at one moment. The suite may run meanwhile.

    What else is in the data folder is made anew from them.
    """
    with complaining():
        copies = _copy_all(data, folder)
    tell_table(HEADINGS, ((copy.name, f"{copy.stat().st_size:,}") for copy in copies))


def _copy_all(data: Path, folder: Path) -> list[Path]:
    if not (databases := sorted(data.glob("*.db"))):
        raise CommandError(f"There is no database in {data}: name the suite's data folder with --data.")
    copies = [folder / database.name for database in databases]
    if existing := [str(copy) for copy in copies if copy.exists()]:
        raise CommandError(f"Nothing is overwritten: {', '.join(existing)} exists. Name an empty folder.")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for database, copy in zip(databases, copies, strict=True):
            copy_database(database, copy)
    except (OSError, sqlite3.Error) as error:
        raise CommandError(f"The copy failed: {error}.") from None
    return copies


def copy_database(database: Path, copy: Path) -> None:
    """Copy a SQLite database, as it is at one moment; the copy has its name only once it is whole and on disk.

    It is marked as a copy, because the copy of a corpus is another corpus: search servers may hold what the original
    got later.

    Raises:
        sqlite3.Error: the database cannot be read, or the copy is not whole.
        OSError: the copy cannot be written.
    """
    partial = copy.with_name(f"{copy.name}{PARTIAL}")
    partial.unlink(missing_ok=True)
    address = f"{database.resolve().as_uri()}?mode=ro"
    with closing(sqlite3.connect(address, uri=True)) as source, closing(sqlite3.connect(partial)) as target:
        source.backup(target)
        target.execute(f"PRAGMA application_id = {COPY}").close()
        target.execute("PRAGMA journal_mode=DELETE").close()
        (answer,) = target.execute("PRAGMA quick_check").fetchone()
    if answer != "ok":
        raise sqlite3.DatabaseError(f"{copy.name} is not whole: {answer}")
    with partial.open("rb") as file:
        os.fsync(file.fileno())
    partial.rename(copy)
