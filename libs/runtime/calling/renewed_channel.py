"""gRPC's channel to a target, opened anew when the TLS certificates change: gRPC's own keeps those it began with.

The earlier channel is closed after its last call, so that no call fails for a renewal.
"""

import asyncio
from collections.abc import Sequence
from typing import Any, Final

import grpc

from libs.runtime.security.tls import Pem, TlsSettings, channel_credentials, channel_files

GRACE_SECONDS: Final = 3600.0
"""Longest time for the last calls of an earlier channel; a call has its own deadline, an ingest has none."""


class RenewedChannel:
    """Holds the channel whose certificates are valid now.

    Raises:
        SettingsError: the certificates cannot be used.
    """

    def __init__(self, target: str, options: Sequence[tuple[str, Any]], tls: TlsSettings) -> None:
        tls.check()
        is_plain = not tls.calls or target.startswith("unix:")
        name = [("grpc.ssl_target_name_override", tls.server_name)] if tls.server_name and not is_plain else []
        self._target = target
        self._options = [*options, *name]
        self._files = None if is_plain else channel_files(tls)
        self._pem = self._files.current() if self._files else None
        self._channel = self._open(self._pem)
        self._earlier: dict[grpc.aio.Channel, asyncio.Task[None]] = {}

    def current(self) -> grpc.aio.Channel:
        """The channel for the next call."""
        pem = self._files.current() if self._files else None
        if pem is not self._pem:
            earlier, self._channel, self._pem = self._channel, self._open(pem), pem
            task = self._earlier[earlier] = asyncio.ensure_future(earlier.close(GRACE_SECONDS))
            task.add_done_callback(lambda _: self._earlier.pop(earlier))
        return self._channel

    async def close(self, grace: float | None = None) -> None:
        """Close the earlier channels, too."""
        earlier = dict(self._earlier)
        for task in earlier.values():
            task.cancel()
        await asyncio.gather(*earlier.values(), return_exceptions=True)
        for channel in (*earlier, self._channel):
            await channel.close(grace)

    def _open(self, pem: Pem | None) -> grpc.aio.Channel:
        if pem is None:
            return grpc.aio.insecure_channel(self._target, self._options)
        return grpc.aio.secure_channel(self._target, channel_credentials(pem), self._options)
