"""TLS of servers and channels, from PEM files that are read anew when they change.

A new certificate is used for the next handshake; connections that exist stay. A file that is half written, or a
key that does not belong to its certificate yet, is not taken: what was valid before stays in use, with a warning.
"""

import ssl
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Self

import grpc
from pydantic import model_validator

from libs.runtime.security.watched_files import WatchedFiles
from libs.runtime.settings import AreaSettings, SettingsError

SYSTEM: Final = "system"
"""Value of `ca` for the certificate authorities of the system."""


class TlsSettings(AreaSettings, area="tls"):
    """Encryption between the processes and to clients; without files everything is plain text."""

    certificate: Path | None = None
    """PEM file with this process's certificate and the intermediate ones: a server shows it to its clients, and
    channels to servers that ask for one. Read anew when it changes, as all files of this table."""
    key: Path | None = None
    """PEM file with the private key of the certificate, without a password."""
    client_ca: Path | None = None
    """PEM file with the authorities whose client certificates a server accepts (mTLS); without one of theirs nobody
    connects. Empty: clients need no certificate."""
    ca: str = ""
    """PEM file with the authorities that a server's certificate must come from, or `system`. Set it wherever calls are
    made over TLS. Empty: those of the system if a certificate is set, else channels are plain text."""
    server_name: str = ""
    """Name that the certificates of servers must hold; empty: the host of the address that is called."""
    channels: bool = True
    """Make calls over TLS. False: calls are plain text although this process serves TLS, as where a mesh encrypts."""

    @property
    def serves(self) -> bool:
        """Whether servers use TLS."""
        return self.certificate is not None

    @property
    def calls(self) -> bool:
        """Whether channels use TLS."""
        return self.channels and (bool(self.ca) or self.serves)

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if (self.certificate is None) != (self.key is None):
            missing, given = ("key", "certificate") if self.key is None else ("certificate", "key")
            raise SettingsError(f"{self.variable(missing)}: must be set, as {self.variable(given)} is")
        if self.client_ca is not None and not self.serves:
            raise SettingsError(f"{self.variable('certificate')}: must be set, as {self.variable('client_ca')} is")
        return self


@dataclass(frozen=True, slots=True)
class Pem:
    """The content of the files, in PEM; empty for those that are not set."""

    certificate: bytes = b""
    key: bytes = b""
    authorities: bytes = b""


def pem_files(certificate: Path | None, key: Path | None, authorities: Path | None) -> WatchedFiles[Pem]:
    """Files that belong together; None for one that is not set.

    Raises:
        SettingsError: they cannot be used.
    """
    paths = (certificate, key, authorities)
    return WatchedFiles([path for path in paths if path], lambda: _read(*paths), "TLS: the files cannot be used")


def server_credentials(settings: TlsSettings) -> grpc.ServerCredentials:
    """Credentials of a server that takes new certificates and authorities as soon as their files change.

    Raises:
        SettingsError: the files cannot be used.
    """
    files = pem_files(settings.certificate, settings.key, settings.client_ca)
    used = files.current()

    def configuration() -> Any:
        """Called for each handshake; None: nothing changed."""
        nonlocal used
        pem = files.current()
        if pem is used:
            return None
        used = pem
        return _configuration(pem)

    return grpc.dynamic_ssl_server_credentials(
        _configuration(used), configuration, require_client_authentication=settings.client_ca is not None
    )


def channel_files(settings: TlsSettings) -> WatchedFiles[Pem]:
    """The files that a channel uses.

    Raises:
        SettingsError: they cannot be used.
    """
    authorities = None if settings.ca in ("", SYSTEM) else Path(settings.ca)
    return pem_files(settings.certificate, settings.key, authorities)


def channel_credentials(pem: Pem) -> grpc.ChannelCredentials:
    """Credentials of a channel; without authorities those of the system are used."""
    return grpc.ssl_channel_credentials(
        root_certificates=pem.authorities or None,
        private_key=pem.key or None,
        certificate_chain=pem.certificate or None,
    )


def _configuration(pem: Pem) -> grpc.ServerCertificateConfiguration:
    return grpc.ssl_server_certificate_configuration([(pem.key, pem.certificate)], pem.authorities or None)


def _read(certificate: Path | None, key: Path | None, authorities: Path | None) -> Pem:
    """Read and check the files; raises OSError if one cannot be read, ValueError if they cannot be used."""
    pem = Pem(*(_whole(path) if path else b"" for path in (certificate, key, authorities)))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    if certificate and key:
        load_certificate(context, certificate, key)
        if pem != Pem(_whole(certificate), _whole(key), pem.authorities):
            raise ValueError(f"{certificate} or {key} is just being written")
    if authorities:
        try:
            context.load_verify_locations(cadata=pem.authorities.decode("ascii"))
        except (ssl.SSLError, UnicodeDecodeError) as error:
            raise ValueError(f"{authorities}: {getattr(error, 'reason', None) or 'not PEM'}") from None
    return pem


def load_certificate(context: ssl.SSLContext, certificate: Path, key: Path) -> None:
    """Let a context show a certificate.

    Raises:
        OSError: a file cannot be read.
        ValueError: the key does not belong to the certificate or needs a password, or a file is incomplete.
    """
    _whole(certificate)
    _whole(key)
    try:
        context.load_cert_chain(certificate, key, password=lambda: "")  # without it OpenSSL asks at the terminal
    except ssl.SSLError as error:  # an OSError without a file
        if error.reason == "KEY_VALUES_MISMATCH":
            raise ValueError("the key does not belong to the certificate") from None
        raise ValueError(f"{certificate} or {key}: {error.reason or 'not PEM, or with a password'}") from None


def _whole(path: Path) -> bytes:
    """The content of a PEM file.

    Raises:
        OSError: it cannot be read.
        ValueError: it is empty, or ends within a block: it is just being written.
    """
    content = path.read_bytes()
    if content.count(b"-----BEGIN ") != content.count(b"-----END ") or not content.strip():
        raise ValueError(f"{path} is empty or incomplete")
    return content
