"""The page of who may do what."""

from itertools import groupby

from tools.reference.access_cases import CALLERS, Case, cases
from tools.reference.markdown import page, table

INTRODUCTION = """\
Each row is a call of the gateway with an object, each cell what becomes of it for a caller. A test makes every call as
every caller and compares. The rules behind it are in [Security](../how-to/security.md#who-may-do-what)."""
OUTCOMES = """\
- "yes": the call succeeds.
- "nothing of it": the call succeeds and contains nothing of the object.
- `NOT_FOUND`: the object does not exist for the caller.
- `PERMISSION_DENIED`: the object belongs to others, or the caller's role is too low. In an Ingest of a document of
  others it is the reason of that document.
- `UNIMPLEMENTED`: a call of a stage that the gateway does not offer."""


def access_page() -> str:
    """The page with one table for each service."""
    callers = table(("Caller", "Is granted"), [(name, granted) for name, granted in CALLERS.items()])
    by_service = groupby(cases(), key=lambda case: case.method.partition("/")[0])
    sections = [f"## {service}\n\n{_table(list(own))}" for service, own in by_service]
    return page("Access", INTRODUCTION, callers, OUTCOMES, *sections)


def _table(own: list[Case]) -> str:
    rows = [
        (f"`{case.method.partition('/')[2]}`", case.target.value, *(_cell(each.value) for each in case.outcomes))
        for case in own
    ]
    return table(("Call", "Of", *CALLERS), rows)


def _cell(outcome: str) -> str:
    return f"`{outcome}`" if outcome.isupper() else outcome
