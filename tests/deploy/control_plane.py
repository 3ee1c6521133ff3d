"""A small control plane for proxyless gRPC (xDS v3, one aggregated stream), as a program of its own.

    python control_plane.py ADDRESSES

ADDRESSES is a JSON file with the addresses of each service: {"retrieve": ["127.0.0.1:50054"]}. It is read again while
the program runs; callers are told what changed. The program prints its port.

The messages of xDS come from a package that has its own copy of Google's common ones: it must not share a process with
the suite's.
"""

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

import grpc
from envoy.config.cluster.v3 import cluster_pb2
from envoy.config.core.v3 import config_source_pb2
from envoy.config.endpoint.v3 import endpoint_pb2
from envoy.config.listener.v3 import listener_pb2
from envoy.config.route.v3 import route_components_pb2 as route_pb2
from envoy.extensions.filters.http.router.v3 import router_pb2
from envoy.extensions.filters.network.http_connection_manager.v3 import http_connection_manager_pb2 as manager_pb2
from envoy.service.discovery.v3 import ads_pb2_grpc, discovery_pb2
from google.protobuf import any_pb2

POLL_SECONDS = 0.1


def packed(message: Any) -> any_pb2.Any:
    content = any_pb2.Any()
    content.Pack(message)
    return content


def listener(name: str, _: list[str]) -> Any:
    """What a channel to `xds:///NAME` asks for first: all its calls go to the cluster of this name."""
    manager = manager_pb2.HttpConnectionManager()
    host = manager.route_config.virtual_hosts.add(name=name, domains=["*"])
    host.routes.add(match=route_pb2.RouteMatch(prefix=""), route=route_pb2.RouteAction(cluster=name))
    manager.http_filters.add(name="router", typed_config=packed(router_pb2.Router()))
    return listener_pb2.Listener(name=name, api_listener={"api_listener": packed(manager)})


def cluster(name: str, _: list[str]) -> Any:
    """Its calls are spread over its endpoints in turn."""
    source = config_source_pb2.ConfigSource(ads={}, resource_api_version="V3")
    return cluster_pb2.Cluster(
        name=name,
        type=cluster_pb2.Cluster.EDS,
        lb_policy=cluster_pb2.Cluster.ROUND_ROBIN,
        eds_cluster_config={"eds_config": source},
    )


def endpoints(name: str, addresses: list[str]) -> Any:
    assignment = endpoint_pb2.ClusterLoadAssignment(cluster_name=name)
    group = assignment.endpoints.add(load_balancing_weight={"value": 1}, locality={"region": "here"})
    for address in addresses:
        host, _, port = address.rpartition(":")
        socket = group.lb_endpoints.add(health_status="HEALTHY").endpoint.address.socket_address
        socket.address, socket.port_value = host, int(port)
    return assignment


MAKERS = {
    f"type.googleapis.com/{message.DESCRIPTOR.full_name}": maker
    for message, maker in (
        (listener_pb2.Listener, listener),
        (cluster_pb2.Cluster, cluster),
        (endpoint_pb2.ClusterLoadAssignment, endpoints),
    )
}


class ControlPlane(ads_pb2_grpc.AggregatedDiscoveryServiceServicer):  # type: ignore[misc]
    """Sends each caller the resources that it named, and again when they change."""

    def __init__(self, file: Path) -> None:
        self._file = file

    async def StreamAggregatedResources(self, request_iterator: AsyncIterator[Any], context: Any) -> None:
        wanted: dict[str, tuple[str, ...]] = {}
        asked = asyncio.create_task(self._note(request_iterator, wanted))
        sent: dict[str, Any] = {}
        version = 0
        while not asked.done():
            services = json.loads(self._file.read_text(encoding="utf-8"))
            for kind, names in list(wanted.items()):
                resources = resources_of(kind, names, services)
                if sent.get(kind) != resources:
                    version += 1
                    sent[kind] = resources
                    await context.write(response(kind, resources, str(version)))
            await asyncio.sleep(POLL_SECONDS)

    async def _note(self, requests: AsyncIterator[Any], wanted: dict[str, tuple[str, ...]]) -> None:
        async for request in requests:
            if request.type_url in MAKERS:
                wanted[request.type_url] = tuple(request.resource_names)


def resources_of(kind: str, names: tuple[str, ...], services: Mapping[str, list[str]]) -> list[any_pb2.Any]:
    return [packed(MAKERS[kind](name, services[name])) for name in names if name in services]


def response(kind: str, resources: list[any_pb2.Any], version: str) -> Any:
    return discovery_pb2.DiscoveryResponse(type_url=kind, resources=resources, version_info=version, nonce=version)


async def main() -> None:
    server = grpc.aio.server()
    ads_pb2_grpc.add_AggregatedDiscoveryServiceServicer_to_server(ControlPlane(Path(sys.argv[1])), server)
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    sys.stdout.write(f"{port}\n")
    sys.stdout.flush()
    await server.wait_for_termination()


if __name__ == "__main__":
    asyncio.run(main())
