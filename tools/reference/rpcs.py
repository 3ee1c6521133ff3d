"""The page of all services, messages and enums, as a text made of the contracts. Pure functions."""

from collections.abc import Mapping

from tools.reference.contracts import Contracts, link, section
from tools.reference.markdown import page, prose, table

PACKAGES: Mapping[str, str] = {
    "gateway.v1": "Gateway",
    "intent.v1": "Intent",
    "decompose.v1": "Decompose",
    "retrieve.v1": "Retrieve",
    "answer.v1": "Answer",
    "timeline.v1": "Timeline",
    "runtime.v1": "Every process",
    "context.v1": "Shared messages",
}
"""Headings by package, in the order of the page."""
ELSEWHERE: Mapping[str, str] = {"context.v1.ErrorReason": "The reasons are on the page [Errors](errors.md)."}
"""Definitions that another page shows."""

INTRODUCTION = """\
The gateway is the server for clients; the stages can be called by themselves, too ([gRPC
clients](../how-to/grpc-clients.md)). The port of each process is on the page [Settings](settings.md). Names are
relative to the package `parley`: `gateway.v1.GatewayService` is `parley.gateway.v1.GatewayService`.

An absent field has its type's zero value: an empty string, 0, `false`, an empty list. Only messages and fields marked
"optional" tell absent from zero. Where a rule is given, a request that breaks it is refused with INVALID_ARGUMENT and
the path of the field ([Errors](errors.md))."""


def rpcs_page(contracts: Contracts) -> str:
    """The page of all services with their messages, package by package.

    Raises:
        ValueError: a package has no heading in PACKAGES.
    """
    packages = {name: [f"## {title}"] for name, title in PACKAGES.items()}
    rows: dict[str, list[tuple[str, str]]] = {name: [] for name in PACKAGES}
    for name, each in contracts.items():
        package = name.rpartition(".")[0]
        if package not in packages:
            raise ValueError(f"the package {package} has no heading in PACKAGES")
        packages[package].append(f"### {name}\n\n{ELSEWHERE[name]}" if name in ELSEWHERE else section(each))
        if each.is_service:
            rows[package].append((link(f"parley.{name}"), prose(each.comment)))
    summary = table(("Service", "Does"), [row for package_rows in rows.values() for row in package_rows])
    return page("RPCs", INTRODUCTION, summary, *(part for parts in packages.values() for part in parts))
