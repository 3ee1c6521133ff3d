"""Collects the reasons of errors from the code: what is raised, with which status, and what is reported as degraded."""

import ast
import re
from collections.abc import Iterator, Mapping
from functools import cache
from inspect import signature

from libs.runtime import errors
from libs.runtime.errors import ErrorKind, ParleyError
from libs.runtime.status import code_of
from tools.reference.areas import modules

REASON = re.compile(r"[A-Z][A-Z]+(_[A-Z]+)*")
DEGRADED = "`degraded`"
"""Stands for the status of a reason that is reported in an event."""


def used_reasons() -> Mapping[str, set[str]]:
    """Every reason that stands in a call of the code, with the names of its statuses (UNAVAILABLE, `degraded`)."""
    statuses = {reason: {status} for reason, status in _defaults()}
    for module in modules().values():
        for owner, call in _calls(module):
            for reason in _reasons(call):
                statuses.setdefault(reason, set()).update(_statuses(owner))
    return statuses


def _defaults() -> Iterator[tuple[str, str]]:
    """The reasons that the typed errors have unless they are given another, each with its status."""
    for error in kinds():
        reason = signature(error).parameters["reason"].default
        if isinstance(reason, str):
            yield reason, status_of_class(error)


def _calls(module: ast.Module) -> Iterator[tuple[str, ast.Call]]:
    """Calls that make an error or report something as degraded, each with the name of the class."""
    classes = {*_bases(), "Degraded"}
    for node in ast.walk(module):
        if isinstance(node, ast.Call) and _class_of(node) in classes:
            yield _class_of(node), node
        if isinstance(node, ast.ClassDef) and node.name in _bases():
            inits = (call for call in ast.walk(node) if isinstance(call, ast.Call) and _is_super(call))
            yield from ((node.name, call) for call in inits)


def _class_of(call: ast.Call) -> str:
    """The class that a call makes an object of: `X(…)`, `X.of(…)`, `X.__init__(…)`; empty for others."""
    func = call.func.value if isinstance(call.func, ast.Attribute) else call.func
    return func.id if isinstance(func, ast.Name) else ""


def _is_super(call: ast.Call) -> bool:
    return ast.unparse(call.func) == "super().__init__"


def _reasons(call: ast.Call) -> list[str]:
    """The reasons among the arguments of a call; of a NotFound without one, the reason that it makes itself."""
    values = [*call.args, *(keyword.value for keyword in call.keywords)]
    texts = [value.value for value in values if isinstance(value, ast.Constant) and isinstance(value.value, str)]
    reasons = [word for word in texts if REASON.fullmatch(word)]
    if not reasons and _class_of(call) in ("NotFound", "AlreadyExists") and texts:
        return [getattr(errors, _class_of(call))(texts[0], "").reason]
    return reasons


def _statuses(owner: str) -> set[str]:
    """The status of a class; none where it inherits no kind, as its errors are only ever reported as degraded."""
    if owner == "Degraded":
        return {DEGRADED}
    base = next((name for name in _lineage(owner) if hasattr(errors, name) and name != "ParleyError"), "")
    return {status_of_class(getattr(errors, base))} if base else set()


def status_of_class(error: type[ParleyError]) -> str:
    """The name of the gRPC status of a class of errors."""
    return code_of(error.__new__(error)).name


def _lineage(name: str) -> Iterator[str]:
    yield name
    for base in _bases().get(name, ()):
        yield from _lineage(base)


@cache
def _bases() -> Mapping[str, list[str]]:
    """All classes that descend from ParleyError, each with the names of its bases; classes of one name count as one."""
    classes = [node for module in modules().values() for node in ast.walk(module) if isinstance(node, ast.ClassDef)]
    bases: dict[str, list[str]] = {}
    for node in classes:
        bases.setdefault(node.name, []).extend(base.id for base in node.bases if isinstance(base, ast.Name))
    found: dict[str, list[str]] = {"ParleyError": []}
    while more := {name: own for name, own in bases.items() if name not in found and not found.keys().isdisjoint(own)}:
        found.update(more)
    return found


def kinds() -> list[type[ParleyError]]:
    """The typed errors of `libs.runtime.errors`, one for each kind, in the order of ErrorKind."""
    classes = [each for each in vars(errors).values() if isinstance(each, type) and issubclass(each, ParleyError)]
    return sorted(
        (each for each in classes if each is not ParleyError), key=lambda each: list(ErrorKind).index(each.kind)
    )
