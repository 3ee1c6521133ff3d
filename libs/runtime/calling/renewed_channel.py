"""A channel over TLS whose certificates are renewed: gRPC's own keeps those with which it was opened.

When the files change, the next call opens a channel with the new ones. The earlier channel is closed after its last
call, so that no call fails for a renewal.
"""

import asyncio
from collections.abc import Sequence
from typing import Any, Final

import grpc

from libs.runtime.calling.channel_layer import ChannelLayer, Method
from libs.runtime.security.tls import Pem, PemFiles, TlsSettings, channel_credentials, channel_files, name_option

GRACE_SECONDS: Final = 3600.0
"""Longest time for the last calls of an earlier channel; a call has its own deadline, an ingest has none."""
Options = Sequence[tuple[str, Any]]


def encrypted_or_plain(target: str, options: Options, tls: TlsSettings) -> grpc.aio.Channel:
    """A channel to `target` as the settings want it.

    Raises:
        SettingsError: the certificates cannot be used.
    """
    tls.check()
    if not tls.calls or target.startswith("unix:"):
        return grpc.aio.insecure_channel(target, options)
    return RenewedChannel(target, [*options, *name_option(tls)], channel_files(tls))


class RenewedChannel(ChannelLayer):
    """Sends each call over a channel with the certificates that hold now."""

    def __init__(self, target: str, options: Options, files: PemFiles) -> None:
        self._target = target
        self._options = options
        self._files = files
        self._pem = files.current()
        self._channel = self._open(self._pem)
        self._earlier: dict[grpc.aio.Channel, asyncio.Task[None]] = {}

    @property
    def under(self) -> grpc.aio.Channel:
        """The channel with the certificates that hold now."""
        return self._current()

    def method(self, kind: str, path: str, *more: Any, **options: Any) -> Method:
        """A method that starts its calls on the channel of the moment."""
        last: tuple[grpc.aio.Channel, Method] | None = None

        def start(request: Any = None, **call_options: Any) -> Any:
            nonlocal last
            channel = self._current()
            if last is None or last[0] is not channel:
                last = channel, getattr(channel, kind)(path, *more, **options)
            return last[1](request, **call_options)

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

    async def close(self, grace: float | None = None) -> None:
        """Close the earlier channels, too."""
        earlier = dict(self._earlier)
        for task in earlier.values():
            task.cancel()
        await asyncio.gather(*earlier.values(), return_exceptions=True)
        for channel in (*earlier, self._channel):
            await channel.close(grace)
