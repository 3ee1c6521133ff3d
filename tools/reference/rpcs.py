"""The page of all services, messages and enums."""

from collections.abc import Mapping, Sequence

from google.protobuf.descriptor_pb2 import ServiceDescriptorProto

from tools.reference.contracts import Contracts, Documented
from tools.reference.markdown import page, prose, table
from tools.reference.messages import link, section

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
        KeyError: a package has no heading in PACKAGES.
    """
    groups = sorted(contracts.packages, key=list(PACKAGES).index)
    parts = [_package(PACKAGES[name], contracts.packages[name]) for name in groups]
    services = [each for name in groups for each in contracts.packages[name] if _is_service(each)]
    summary = table(("Service", "Does"), [(link(f"parley.{each.name}"), prose(each.comment)) for each in services])
    return page("RPCs", INTRODUCTION, summary, *parts)


def _is_service(each: Documented) -> bool:
    return isinstance(each.definition, ServiceDescriptorProto)


def _package(title: str, definitions: Sequence[Documented]) -> str:
    return "\n\n".join([f"## {title}", *map(_section, definitions)])


def _section(each: Documented) -> str:
    return f"### {each.name}\n\n{ELSEWHERE[each.name]}" if each.name in ELSEWHERE else section(each)
