"""Reaches a suite by one or several gateways. Numbers that name no source are chosen by hand."""

import json
import socket

import grpc
import grpc.aio

DEFAULT_PORT = 50051  # of `parley up`
MAX_MESSAGE = 64 * 1024 * 1024
"""Greatest message in bytes: references carry the passages' words."""


def open_channel(
    addresses: str, credentials: grpc.ChannelCredentials | None = None, server_name: str = ""
) -> grpc.Channel:
    """A channel to all gateways of a suite; calls are spread over those in reach. Names of several are looked up here.

    Args:
        addresses: `host:port`, several with commas between them; without a port that of `parley up`.
        credentials: for TLS, such as `grpc.ssl_channel_credentials(ca_pem)`; None: plain text.
        server_name: the name that the gateways' certificate must hold; empty: the host. Needed for several gateways,
            which are called by their addresses.

    Raises:
        ValueError: a host has no address, or several gateways are partly IPv4 and partly IPv6.
    """
    options = _options(server_name)
    if credentials is None:
        return grpc.insecure_channel(target_of(addresses), options=options)
    return grpc.secure_channel(target_of(addresses), credentials, options=options)


def open_async_channel(
    addresses: str, credentials: grpc.ChannelCredentials | None = None, server_name: str = ""
) -> grpc.aio.Channel:
    """Open a channel as `open_channel` does, for the running event loop."""
    options = _options(server_name)
    if credentials is None:
        return grpc.aio.insecure_channel(target_of(addresses), options=options)
    return grpc.aio.secure_channel(target_of(addresses), credentials, options=options)


def _options(server_name: str) -> list[tuple[str, int | str]]:
    options: list[tuple[str, int | str]] = [
        ("grpc.max_receive_message_length", MAX_MESSAGE),
        ("grpc.max_send_message_length", MAX_MESSAGE),
        ("grpc.initial_reconnect_backoff_ms", 100),
        ("grpc.max_reconnect_backoff_ms", 500),
        ("grpc.service_config", json.dumps(_SERVICE_CONFIG)),
    ]
    return [*options, ("grpc.ssl_target_name_override", server_name)] if server_name else options


def target_of(addresses: str) -> str:
    """The name by which gRPC finds all of these gateways; errors as with `open_channel`."""
    pairs = [_host_and_port(address.strip()) for address in addresses.split(",")]
    if len(pairs) == 1:
        ((host, port),) = pairs
        return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    families, places = set(), []
    for host, port in pairs:
        family, place = _resolve(host, port)
        families.add(family)
        places.append(place)
    if len(families) > 1:
        raise ValueError("The gateways have IPv4 and IPv6 addresses: name them by addresses of one kind.")
    return f"{families.pop()}:{','.join(places)}"


def hosts_of(addresses: str) -> list[str]:
    """The hosts of these gateways."""
    return [_host_and_port(address.strip())[0] for address in addresses.split(",")]


def _host_and_port(address: str) -> tuple[str, int]:
    host, colon, port = address.rpartition(":")
    if not colon or (":" in host and not host.startswith("[")) or not port.isdigit():
        return address.strip("[]"), DEFAULT_PORT
    return host.strip("[]"), int(port)


def _resolve(host: str, port: int) -> tuple[str, str]:
    try:
        family, *_, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except OSError:
        raise ValueError(f"The host {host} has no address: check its name.") from None
    if family is socket.AF_INET6:
        return "ipv6", f"[{place[0]}]:{port}"
    return "ipv4", f"{place[0]}:{port}"


_SERVICE_CONFIG = {
    "loadBalancingConfig": [{"round_robin": {}}],
    # A call that finds its gateway just going away is sent to another one; only before its first response.
    "methodConfig": [
        {
            "name": [
                {"service": "parley.gateway.v1.GatewayService", "method": method}
                for method in ("Ask", "Resume", "Cancel")
            ],
            "retryPolicy": {
                "maxAttempts": 4,
                "initialBackoff": "0.1s",
                "maxBackoff": "1s",
                "backoffMultiplier": 2,
                "retryableStatusCodes": ["UNAVAILABLE"],
            },
        }
    ],
}
