"""Names of attributes, metrics and headers: OpenTelemetry's if it defines one (not stable yet), else ours."""

from typing import Final

RPC_SYSTEM: Final = "rpc.system.name"
RPC_METHOD: Final = "rpc.method"
RPC_STATUS: Final = "rpc.response.status_code"
ERROR_TYPE: Final = "error.type"
SERVER_ADDRESS: Final = "server.address"
SERVER_PORT: Final = "server.port"
SERVICE_NAME: Final = "service.name"
SERVICE_VERSION: Final = "service.version"

SERVER_DURATION: Final = "rpc.server.call.duration"
"""Histogram, seconds: a call from its arrival to its status."""
CLIENT_DURATION: Final = "rpc.client.call.duration"
"""Histogram, seconds: a call from its start to its status."""
SERVER_FIRST_MESSAGE: Final = "parley.server.first_message.duration"
"""Histogram, seconds: a streamed call from its arrival to its first message."""
SERVER_IN_FLIGHT: Final = "parley.server.calls_in_flight"
"""Up-down counter: calls being handled."""

TRACEPARENT: Final = "traceparent"
REQUEST_ID: Final = "x-request-id"
PROGRESS: Final = "x-progress"
"""`off` if the caller wants no progress messages in a stream; see Progress in usage.proto."""
