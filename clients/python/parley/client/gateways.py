"""Reaches a suite by several gateways, and asks turns that outlast the restart of a gateway or a stage."""

import json
import secrets
import socket
import time
from collections.abc import Generator
from typing import Any

import grpc

from parley.gateway.v1 import gateway_pb2, gateway_pb2_grpc

DEFAULT_PORT = 50051
PATIENCE = 15.0
"""Seconds for which a turn is asked again while what it needs restarts; a stage takes two to three seconds."""
PAUSE = 0.5
"""Seconds before a turn is asked again where the suite names no time."""
MAX_MESSAGE = 64 * 1024 * 1024
"""Greatest message in bytes: references carry the passages' words."""
_PUSHBACK_KEY = "grpc-retry-pushback-ms"
"""Trailer by which the suite names the time after which a failed call may succeed."""
_SHOWN = frozenset({"references", "text", "text_end", "completed"})
"""Events after which a turn is not asked again: they belong to an answer that the caller may have shown."""

Metadata = tuple[tuple[str, str | bytes], ...]


def open_channel(addresses: str) -> grpc.Channel:
    """A channel to all gateways of a suite; calls are spread over those that can be reached.

    Args:
        addresses: `host:port`, several with commas between them; without a port that of `parley up`.

    Raises:
        ValueError: a host has no address, or several gateways are partly IPv4 and partly IPv6.
    """
    options = [
        ("grpc.max_receive_message_length", MAX_MESSAGE),
        ("grpc.max_send_message_length", MAX_MESSAGE),
        ("grpc.initial_reconnect_backoff_ms", 100),
        ("grpc.max_reconnect_backoff_ms", 500),
        ("grpc.service_config", json.dumps(_SERVICE_CONFIG)),
    ]
    return grpc.insecure_channel(target_of(addresses), options=options)


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
        raise ValueError("the gateways must all have IPv4 addresses, or all IPv6 addresses")
    return f"{families.pop()}:{','.join(places)}"


def ask(
    stub: gateway_pb2_grpc.GatewayServiceStub,
    request: gateway_pb2.AskRequest,
    *,
    seconds: float | None = None,
    metadata: Metadata = (),
    patience: float = PATIENCE,
) -> Generator[gateway_pb2.AskResponse, None, None]:
    """Ask a turn and yield its events; while a stage or a gateway restarts, ask it again by the same request_id.

    A turn is asked again only as long as nothing of an answer has been yielded. The events of the new attempt have
    another turn_id, and hold in place of those before.

    Args:
        stub: of a channel to the gateways.
        request: the turn; one without a request_id is given one.
        seconds: the greatest time of one attempt; None: the suite's own limit.
        metadata: sent with each attempt.
        patience: seconds for which a turn is asked again, from the first failure.

    Raises:
        grpc.RpcError: the turn failed, or what it needs stayed away.
    """
    turn = gateway_pb2.AskRequest()
    turn.CopyFrom(request)
    turn.request_id = turn.request_id or secrets.token_hex(16)
    ends: float | None = None
    while True:
        kinds: set[str | None] = set()
        call = stub.Ask(turn, timeout=seconds, metadata=metadata)
        try:
            for response in call:
                kinds.add(response.event.WhichOneof("event"))
                yield response
            return
        except grpc.RpcError as error:
            ends = ends or time.monotonic() + patience
            pause = _pause_before_retry(error, was_answered=bool(kinds))
            if pause is None or kinds & _SHOWN or time.monotonic() + pause > ends:
                raise
        finally:
            call.cancel()
        time.sleep(pause)


def _pause_before_retry(error: Any, was_answered: bool) -> float | None:
    """Seconds after which a failed turn may succeed; None if the suite names no time, and if no gateway answered.

    A gateway that stops cancels calls that it has accepted but not begun.
    """
    if error.code() is grpc.StatusCode.CANCELLED:
        return PAUSE
    if error.code() is not grpc.StatusCode.UNAVAILABLE:
        return None
    milliseconds = dict(error.trailing_metadata() or ()).get(_PUSHBACK_KEY)
    if milliseconds is not None:
        return int(milliseconds) / 1000
    return PAUSE if was_answered else None


def _host_and_port(address: str) -> tuple[str, int]:
    host, colon, port = address.rpartition(":")
    if not colon or (":" in host and not host.startswith("[")) or not port.isdigit():
        return address.strip("[]"), DEFAULT_PORT
    return host.strip("[]"), int(port)


def _resolve(host: str, port: int) -> tuple[str, str]:
    try:
        family, *_, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except OSError:
        raise ValueError(f"{host} has no address") from None
    if family is socket.AF_INET6:
        return "ipv6", f"[{place[0]}]:{port}"
    return "ipv4", f"{place[0]}:{port}"


_SERVICE_CONFIG = {
    "loadBalancingConfig": [{"round_robin": {}}],
    # A call that finds its gateway just going away is sent to another one; only before its first response.
    "methodConfig": [
        {
            "name": [{"service": "parley.gateway.v1.GatewayService", "method": "Ask"}],
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
