"""The page of errors: statuses, details and reasons, as a text; reads the modules that use the reasons."""

import ast
import re
from collections.abc import Iterator, Mapping
from inspect import getdoc

from libs.runtime import errors
from libs.runtime.errors import ParleyError
from libs.runtime.status import DETAILS_KEY, DOMAIN, PUSHBACK_KEY
from tools.reference.areas import modules
from tools.reference.contracts import Contracts
from tools.reference.markdown import code, page, prose, table

REASONS, PREFIX = "context.v1.ErrorReason", "ERROR_REASON_"
SENT = "Sent "
"""Begins the last sentence of a reason's comment, which names its statuses: "Sent as ABORTED, or in `degraded`."."""
REASON = re.compile(r"[A-Z]+(_[A-Z]+)+")

ACTIONS: Mapping[str, str] = {
    "INVALID_ARGUMENT": "Correct the fields that `BadRequest` names. Do not retry the same request.",
    "NOT_FOUND": "Check the name or id, the collection, and the principals of the caller.",
    "ALREADY_EXISTS": "Use another name.",
    "FAILED_PRECONDITION": (
        "Change the request or the configuration, as the reason says. Do not retry the same request."
    ),
    "ABORTED": "Read the current state, then send the request again.",
    "PERMISSION_DENIED": "Call with principals that have access. Do not retry.",
    "UNAUTHENTICATED": "Send other credentials, such as a new token. Do not retry with the same ones.",
    "DATA_LOSS": "Do not retry. Tell the operator, who restores the file from a backup, or moves it away.",
    "UNAVAILABLE": "Retry with exponential backoff, not before the delay of `RetryInfo` if there is one.",
    "RESOURCE_EXHAUSTED": "Retry after the delay of `RetryInfo`. Without one, do not retry automatically.",
    "UNIMPLEMENTED": "Do not retry. Use another RPC or option, or configure the engine that is missing.",
    "DEADLINE_EXCEEDED": "Retry with a longer deadline; the same `request_id` makes a retry of a turn safe.",
    "CANCELLED": "Nothing: the call was given up.",
    "INTERNAL": "Report it with the log of the process, which tells the cause.",
}
"""What the caller can do, by status."""

INTRODUCTION = f"""\
A failed call ends with a gRPC status. Its message is safe to show to users. Its details
([google.rpc.Status](https://google.aip.dev/193), in the trailer `{DETAILS_KEY}`) tell programs what happened:

- `ErrorInfo`, always: the `reason` (see [Reasons](#reasons)) and the domain `{DOMAIN}`;
- `BadRequest`, with INVALID_ARGUMENT: the path of each invalid field and what is wrong with it;
- `ResourceInfo`, with NOT_FOUND and ALREADY_EXISTS: type and name of the resource;
- `RetryInfo`, with UNAVAILABLE and RESOURCE_EXHAUSTED if known: how long to wait. The trailer `{PUSHBACK_KEY}` tells
  gRPC's own retries the same.

What a turn can do without does not fail it: the gateway sends an event `degraded` with a reason
([Events](events.md#degraded)), and the turn goes on. In Python, `libs.runtime.status.error_from_rpc` turns a failed
call into the class of the table below."""


def errors_page(contracts: Contracts) -> str:
    """The page of statuses and reasons.

    Raises:
        ValueError: the code uses a reason that the contract doesn't have.
    """
    reasons = {value.name.removeprefix(PREFIX): comment for value, comment in contracts[REASONS].members[1:]}
    if missing := sorted(set(used_reasons()) - reasons.keys()):
        raise ValueError(f"{REASONS} lacks the reasons {', '.join(missing)}, which the code uses")
    rows = [(code(name), *_row(comment)) for name, comment in reasons.items()]
    return page(
        "Errors",
        INTRODUCTION,
        "## Statuses",
        table(("Status", "Class", "Meaning", "What the caller can do"), map(_status, _kinds())),
        "## Reasons",
        "The enum `parley.context.v1.ErrorReason` lists them with the prefix `ERROR_REASON_`, which is not sent.",
        table(("Reason", "Status", "Meaning"), rows),
    )


def _kinds() -> list[type[ParleyError]]:
    """The typed errors, in the order of ACTIONS."""
    classes = [each for each in vars(errors).values() if isinstance(each, type) and issubclass(each, ParleyError)]
    named = (each for each in classes if each is not ParleyError and not each.__name__.startswith("_"))
    return sorted(named, key=lambda each: list(ACTIONS).index(each.status))


def _status(error: type[ParleyError]) -> tuple[str, ...]:
    meaning = (getdoc(error) or "").split(". ")[0].rstrip(".") + "."
    return error.status, code(error.__name__), prose(meaning), ACTIONS[error.status]


def _row(comment: str) -> tuple[str, str]:
    """Statuses and meaning of a reason, from its comment: "Meaning. Sent as STATUS."."""
    meaning, _, statuses = " ".join(comment.split()).rpartition(SENT)
    return prose(statuses.rstrip(".").removeprefix("as ").removeprefix("in ")), prose(meaning.strip())


def used_reasons() -> Iterator[str]:
    """Yield the reasons that stand in calls which make an error, or report something as degraded."""
    makers = {each.__name__ for each in _kinds()} | {"Degraded"}
    calls = (node for module in modules().values() for node in ast.walk(module) if isinstance(node, ast.Call))
    for call in calls:
        if isinstance(call.func, ast.Name) and call.func.id in makers:
            values = [*call.args, *(keyword.value for keyword in call.keywords)]
            texts = (value.value for value in values if isinstance(value, ast.Constant))
            yield from (text for text in texts if isinstance(text, str) and REASON.fullmatch(text))
