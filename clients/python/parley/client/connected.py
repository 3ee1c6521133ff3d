"""What the blocking and the asynchronous client have in common: the connection to a suite, in somebody's name."""

from collections.abc import Callable, Iterable
from typing import Generic, TypeVar

import grpc

from parley.client.connection import Connection, Tls
from parley.client.stubs import Stubs

C = TypeVar("C")


class Connected(Generic[C]):
    """A connection to a suite, over a channel of the blocking or the asynchronous kind."""

    _open: Callable[[str, grpc.ChannelCredentials | None, str], C]

    def __init__(
        self,
        addresses: str = "127.0.0.1",
        *,
        token: str = "",
        principals: Iterable[str] = (),
        tls: Tls | None = None,
        timeout: float | None = None,
    ) -> None:
        """Connect with the first call; the files of `tls`, and addresses if there are several, are looked up here.

        Args:
            addresses: `host:port` of a gateway, several with commas between them.
            token: a JSON Web Token or an API key.
            principals: names of the user, which a suite without authentication believes from its own machine.
            tls: files for an encrypted connection; None: plain text.
            timeout: seconds of a call; None: the suite's own limit.

        Raises:
            ValueError, OSError: an address or token cannot be used, or a file cannot be read; see `Connection`.
        """
        connection = Connection(addresses, token, tuple(principals), tls)
        self._metadata = connection.metadata
        self._timeout = timeout
        self._channel = self._open(addresses, connection.credentials(), connection.server_name)
        self.stubs = Stubs(self._channel)
