"""Settings of the HTTP server, read from PARLEY_DOORS_* variables and its command line."""

from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path
from typing import Self

from pydantic import Field, IPvAnyNetwork

from libs.runtime.serving.listen import is_loopback
from libs.runtime.settings import AreaSettings, SettingsError


class DoorsSettings(AreaSettings, area="doors"):
    """How the suite is reached by HTTP: the console, gRPC-Web and uploads. Logs and liveness are those of `server`."""

    host: str = "127.0.0.1"
    """Address to listen on. Loopback by default; a public one needs a certificate or `insecure`."""
    port: int = Field(default=8050, ge=0, le=65535)  # taste
    """Port to listen on; 0 lets the system choose."""
    insecure: bool = False
    """Allow plain text on a public address, as behind a proxy that encrypts."""
    certificate: Path | None = None
    """PEM file with the certificate for HTTPS and the intermediate ones; empty: plain HTTP. Read anew when it changes,
    as the key is."""
    key: Path | None = None
    """PEM file with the private key of the certificate, without a password."""
    gateway: str = "127.0.0.1:50051"
    """Address of the gateway; of several gateways with commas between them."""
    allowed_hosts: tuple[str, ...] = ()
    """Names by which browsers may call this process. IP addresses and localhost are always allowed; other names are
    refused, since a stranger's page could have its own name lead here (DNS rebinding)."""
    allowed_origins: tuple[str, ...] = ()
    """Origins of other pages whose scripts may call this process (CORS), such as `https://intranet.example`."""
    trusted_proxies: tuple[IPvAnyNetwork, ...] = ()
    """Addresses or networks (`10.1.0.0/16`) of the proxies that are believed about where a request comes from: the last
    address of `x-forwarded-for`. One on this machine always is. It tells callers without credentials apart."""
    max_upload_bytes: int = Field(default=64 * 1024 * 1024, ge=1024, le=1024 * 1024 * 1024)  # taste
    """Largest file that can be uploaded."""

    idle_seconds: float = Field(default=30, ge=1, le=3600)  # taste
    """Longest wait for the next 64 KB of an upload, or for its end, and for a client that takes nothing of a response;
    then the connection is given up. Bodies of other requests have 30 s."""

    @classmethod
    def from_args(cls, arguments: Sequence[str] | None = None) -> Self:
        """Read the settings; `--host`, `--port`, `--insecure` of a command line (None: the process's own) come first.

        Raises:
            SettingsError: they are invalid, or other machines could reach the address in plain text.
        """
        parser = ArgumentParser(description="Serves the console and gRPC-Web. The rest is set by PARLEY_* variables.")
        parser.add_argument("--host", help="address to listen on")
        parser.add_argument("--port", type=int, help="port to listen on; 0: the system chooses")
        parser.add_argument("--insecure", action="store_true", default=None, help="allow plain text on a public one")
        options = vars(parser.parse_args(arguments))
        settings = cls.load(**{name: value for name, value in options.items() if value is not None})
        settings.check()
        return settings

    @property
    def scheme(self) -> str:
        """The scheme of its addresses."""
        return "https" if self.certificate else "http"

    def check(self) -> None:
        """Check that the settings fit each other.

        Raises:
            SettingsError: a certificate without a key or the other way round, or a public address in plain text.
        """
        if (self.certificate is None) != (self.key is None):
            missing, given = ("key", "certificate") if self.key is None else ("certificate", "key")
            raise SettingsError(f"{self.variable(missing)}: must be set, as {self.variable(given)} is")
        if not (self.certificate or self.insecure or is_loopback(self.host)):
            raise SettingsError(
                f"{self.variable('host')}: {self.host} can be reached by other machines, and nothing is encrypted;"
                f" set {self.variable('certificate')} and {self.variable('key')},"
                f" or {self.variable('insecure')}=true (--insecure) to serve plain text all the same"
            )
