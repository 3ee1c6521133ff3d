"""A channel over TLS whose certificates are renewed: gRPC's own keeps those with which it was opened.

When the files change, the next call opens a channel with the new ones. The earlier channel is closed after its last
call, so that no call fails for a renewal.
"""

import asyncio
from collections.abc import Callable, Sequence
from typing import Any, Final

import grpc

from libs.runtime.security.tls import Pem, PemFiles, TlsSettings, channel_credentials, channel_files, name_option

GRACE_SECONDS: Final = 3600.0
"""Longest time for the last calls of an earlier channel; a call has its own deadline, an ingest has none."""
Options = Sequence[tuple[str, Any]]
Method = Callable[..., Any]


def encrypted_or_plain(target: str, options: Options, tls: TlsSettings) -> grpc.aio.Channel:
    """A channel to `target` as the settings want it.

    Raises:
        SettingsError: the certificates cannot be used.
    """
    tls.check()
    if not tls.calls or target.startswith("unix:"):
        return grpc.aio.insecure_channel(target, options)
    return RenewedChannel(target, [*options, *name_option(tls)], channel_files(tls))


class RenewedChannel(grpc.aio.Channel):
    """Sends each call over a channel with the certificates that hold now."""

    def __init__(self, target: str, options: Options, files: PemFiles) -> None:
        self._target = target
        self._options = options
        self._files = files
        self._pem = files.current()
        self._channel = self._open(self._pem)
        self._earlier: dict[grpc.aio.Channel, asyncio.Task[None]] = {}

    def unary_unary(self, method: str, *more: Any, **options: Any) -> Any:
        """See grpc.aio.Channel; the same applies to the next three methods."""
        return self._method(lambda channel: channel.unary_unary(method, *more, **options))

    def unary_stream(self, method: str, *more: Any, **options: Any) -> Any:
        return self._method(lambda channel: channel.unary_stream(method, *more, **options))

    def stream_unary(self, method: str, *more: Any, **options: Any) -> Any:
        return self._method(lambda channel: channel.stream_unary(method, *more, **options))

    def stream_stream(self, method: str, *more: Any, **options: Any) -> Any:
        return self._method(lambda channel: channel.stream_stream(method, *more, **options))

    def _method(self, on: Callable[[grpc.aio.Channel], Method]) -> Method:
        """A method that starts its calls on the channel of the moment."""
        last: tuple[grpc.aio.Channel, Method] | None = None

        def start(request: Any = None, **options: Any) -> Any:
            nonlocal last
            channel = self._current()
            if last is None or last[0] is not channel:
                last = channel, on(channel)
            return last[1](request, **options)

        return start

    def _current(self) -> grpc.aio.Channel:
        pem = self._files.current()
        if pem is not self._pem:
            earlier, self._channel, self._pem = self._channel, self._open(pem), pem
            self._retire(earlier)
        return self._channel

    def _open(self, pem: Pem) -> grpc.aio.Channel:
        return grpc.aio.secure_channel(self._target, channel_credentials(pem), self._options)

    def _retire(self, channel: grpc.aio.Channel) -> None:
        task = self._earlier[channel] = asyncio.ensure_future(channel.close(GRACE_SECONDS))
        task.add_done_callback(lambda _: self._earlier.pop(channel))

    async def __aenter__(self) -> "RenewedChannel":
        return self

    async def __aexit__(self, *error: Any) -> None:
        await self.close()

    async def close(self, grace: float | None = None) -> None:
        """See grpc.aio.Channel; the same applies to the methods below."""
        earlier = dict(self._earlier)
        for task in earlier.values():
            task.cancel()
        await asyncio.gather(*earlier.values(), return_exceptions=True)
        for channel in (*earlier, self._channel):
            await channel.close(grace)

    def get_state(self, try_to_connect: bool = False) -> grpc.ChannelConnectivity:
        return self._current().get_state(try_to_connect)

    async def wait_for_state_change(self, last_observed_state: grpc.ChannelConnectivity) -> None:
        await self._current().wait_for_state_change(last_observed_state)

    async def channel_ready(self) -> None:
        await self._current().channel_ready()
