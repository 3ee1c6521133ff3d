"""How a client reaches a suite: its addresses, TLS (whose files are read, blocking), and who it is. Calls nothing."""

import ipaddress
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import grpc

from parley.client.gateways import hosts_of

Metadata = tuple[tuple[str, str | bytes], ...]


@dataclass(frozen=True, slots=True)
class Tls:
    """Files (PEM) for encrypted connections."""

    ca: Path | str | None = None
    """The authorities that the gateway's certificate must come from; None: those of gRPC."""
    certificate: Path | str | None = None
    """The client's own certificate, where the suite asks for one (mTLS)."""
    key: Path | str | None = None
    server_name: str = ""
    """The name that the gateways' certificate must hold; empty: the host. Needed for several gateways."""

    def credentials(self) -> grpc.ChannelCredentials:
        """Read the files.

        Raises:
            OSError: a file cannot be read.
        """
        ca, key, certificate = (
            Path(file).read_bytes() if file else None for file in (self.ca, self.key, self.certificate)
        )
        return grpc.ssl_channel_credentials(ca, key, certificate)


@dataclass(frozen=True, slots=True)
class Connection:
    """Where a suite is, and who calls it.

    Raises:
        ValueError: a token would be sent unencrypted to another machine, or cannot be sent as metadata.
    """

    addresses: str
    """`host:port`, several with commas between them; without a port that of `parley up`."""
    token: str = ""
    """A JSON Web Token or an API key."""
    principals: Sequence[str] = ()
    """Names of the user; a suite without authentication believes them from its own machine."""
    tls: Tls | None = None

    def __post_init__(self) -> None:
        for value in (self.token, *self.principals):
            if not (value.isascii() and (value.isprintable())):
                raise ValueError("A token or principal contains more than printable ASCII: check how it was copied.")
        if self.token and self.tls is None and not all(map(is_loopback, hosts_of(self.addresses))):
            raise ValueError("The token would be sent unencrypted to another machine: pass tls.")

    @property
    def metadata(self) -> Metadata:
        """What is sent with each call."""
        token = (("authorization", f"Bearer {self.token}"),) if self.token else ()
        return (*token, *(("x-parley-principal", principal) for principal in self.principals))

    def credentials(self) -> grpc.ChannelCredentials | None:
        """The channel's credentials; None: plain text."""
        return self.tls.credentials() if self.tls else None

    @property
    def server_name(self) -> str:
        """The name that certificates must hold; empty: the host."""
        return self.tls.server_name if self.tls else ""


def is_loopback(host: str) -> bool:
    """Whether a host is this machine, as far as its name tells."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
