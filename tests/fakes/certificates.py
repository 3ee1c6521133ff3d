"""A certificate authority of the tests' own, and the files that processes read."""

import ipaddress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

HOUR = timedelta(hours=1)


class Authority:
    """Issues certificates for this machine's loopback address and a name."""

    def __init__(self, name: str = "authority") -> None:
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._name = _name(name)
        builder = _builder(self._name, self._name, self._key.public_key())
        self._certificate = builder.add_extension(x509.BasicConstraints(True, 0), critical=True).sign(
            self._key, hashes.SHA256()
        )
        self.pem = self._certificate.public_bytes(serialization.Encoding.PEM)

    def issue(self, name: str) -> tuple[bytes, bytes]:
        """A certificate, with its chain, and its key."""
        key = ec.generate_private_key(ec.SECP256R1())
        names = [x509.DNSName(name), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]
        builder = _builder(_name(name), self._name, key.public_key())
        certificate = builder.add_extension(x509.SubjectAlternativeName(names), critical=False).sign(
            self._key, hashes.SHA256()
        )
        return certificate.public_bytes(serialization.Encoding.PEM), key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )


@dataclass(frozen=True)
class CertificateFiles:
    """The files of one process, as `PARLEY_TLS_*` name them."""

    folder: Path

    @property
    def certificate(self) -> Path:
        return self.folder / "tls.crt"

    @property
    def key(self) -> Path:
        return self.folder / "tls.key"

    @property
    def ca(self) -> Path:
        return self.folder / "ca.crt"

    def trust(self, *authorities: Authority) -> "CertificateFiles":
        """Write which authorities are trusted."""
        self.folder.mkdir(parents=True, exist_ok=True)
        self.ca.write_bytes(b"".join(authority.pem for authority in authorities))
        return self

    def hold(self, authority: Authority, name: str = "parley.test") -> "CertificateFiles":
        """Write a new certificate and its key."""
        certificate, key = authority.issue(name)
        self.key.write_bytes(key)
        self.certificate.write_bytes(certificate)
        return self

    def variables(self, mutual: bool = True) -> dict[str, str]:
        """The settings of a process as variables."""
        names = {"certificate": self.certificate, "key": self.key, "ca": self.ca}
        if mutual:
            names["client_ca"] = self.ca
        return {f"PARLEY_TLS_{name.upper()}": str(path) for name, path in names.items()}


def _name(name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])


def _builder(subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePublicKey) -> x509.CertificateBuilder:
    now = datetime.now(UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - HOUR)
        .not_valid_after(now + HOUR)
    )
