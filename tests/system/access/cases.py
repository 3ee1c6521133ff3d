"""Who may do what: the tables of docs/reference/access.md, read as cases."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

PAGE = Path(__file__).parents[3] / "docs" / "reference" / "access.md"
COLUMNS = ("Alice", "Bob", "anonymous", "admin")
"""The callers of the tables."""


class Outcome(StrEnum):
    """What becomes of a call; the page explains it."""

    YES = "yes"
    NOTHING = "nothing of it"
    NOT_FOUND = "NOT_FOUND"
    DENIED = "PERMISSION_DENIED"
    TAKEN = "ALREADY_EXISTS"
    ABSENT = "UNIMPLEMENTED"


class Target(StrEnum):
    """What a call is about."""

    OPEN = "a public document of Alice in `shared`"
    CLOSED = "a document in `shared` that Alice put for herself alone"
    OWN = "a public document of Alice in `private`"
    NEW = "a new document in `shared`"
    NEW_OWN = "a new document in `private`"
    SHARED = "`shared`, whose documents are Alice's"
    PRIVATE = "`private`"
    ROOT = "Alice's root in `shared`"
    ROOT_OWN = "Alice's root in `private`"
    ROOT_ALONE = "`folders`, which has nothing but a root of Alice"
    SESSION = "Alice's session"
    TURN = "Alice's turn"
    QUESTION = "Alice's question"
    ANY = "anything"


@dataclass(frozen=True, slots=True)
class Case:
    """A call with an object, and what becomes of it for each caller, in the order of COLUMNS."""

    method: str
    """Relative to the package `parley`: `gateway.v1.GatewayService/Ask`."""
    target: Target
    outcomes: tuple[Outcome, ...]


def cases() -> Iterator[Case]:
    """Yield all rows of the page."""
    service = ""
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            service = line.removeprefix("## ")
        elif service and line.startswith("| `"):
            method, target, *outcomes = (cell.strip() for cell in line.strip("|").split("|"))
            cells = tuple(Outcome(outcome.strip("`")) for outcome in outcomes)
            yield Case(f"{service}/{method.strip('`')}", Target(target), cells)
