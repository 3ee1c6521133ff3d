"""The methods of the gateway that HTTP reaches, by their paths."""

from collections.abc import Iterator, Mapping
from typing import Final

from google.protobuf.descriptor import MethodDescriptor, ServiceDescriptor
from grpc_health.v1 import health_pb2

from parley.answer.v1 import answer_pb2
from parley.gateway.v1 import gateway_pb2, replay_pb2, session_pb2
from parley.retrieve.v1 import corpus_pb2

SERVICES: Final[tuple[ServiceDescriptor, ...]] = (
    *gateway_pb2.DESCRIPTOR.services_by_name.values(),
    *session_pb2.DESCRIPTOR.services_by_name.values(),
    *replay_pb2.DESCRIPTOR.services_by_name.values(),
    *corpus_pb2.DESCRIPTOR.services_by_name.values(),
    *answer_pb2.DESCRIPTOR.services_by_name.values(),
    *health_pb2.DESCRIPTOR.services_by_name.values(),
)
"""The services that a gateway serves to clients."""


def _methods() -> Iterator[tuple[str, MethodDescriptor]]:
    for service in SERVICES:
        for method in service.methods:
            yield f"/{service.full_name}/{method.name}", method


METHODS: Final[Mapping[str, MethodDescriptor]] = dict(_methods())
"""The method of each path, such as `/parley.gateway.v1.GatewayService/Ask`."""
