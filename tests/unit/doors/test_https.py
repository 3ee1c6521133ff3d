"""HTTPS with real handshakes: new certificates are used without a restart, and unusable ones are not."""

import asyncio
import ssl
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
import structlog
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509 import load_der_x509_certificate

from doors.https import https_context
from tests.fakes.certificates import Authority, CertificateFiles
from tests.unit.doors.conftest import doors_with

pytestmark = pytest.mark.usefixtures("closely_watched_files")
CALLERS = 8
RENEWALS = 6
NAMES = ("parley.test", "127.0.0.1")
"""Clients send a name in their handshake, but no address."""
REQUEST = b"GET /healthz HTTP/1.1\r\nhost: localhost\r\n"


@pytest.fixture
def authority() -> Authority:
    return Authority()


@pytest.fixture
def files(tmp_path: Path, authority: Authority) -> CertificateFiles:
    return CertificateFiles(tmp_path / "https").trust(authority).hold(authority)


@pytest.fixture
async def port(files: CertificateFiles) -> AsyncIterator[int]:
    """The port of the doors, which speak HTTPS."""
    async with doors_with(certificate=files.certificate, key=files.key) as doors:
        yield doors.port


class Connection:
    """A connection over TLS, which checks the server's certificate."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    @classmethod
    async def open(cls, port: int, files: CertificateFiles, name: str = NAMES[0]) -> "Connection":
        trusting = ssl.create_default_context(cafile=str(files.ca))
        return cls(*await asyncio.open_connection("127.0.0.1", port, ssl=trusting, server_hostname=name))

    @property
    def certificate(self) -> bytes:
        """The server's, in PEM."""
        shown = self._writer.get_extra_info("ssl_object").getpeercert(binary_form=True)
        return load_der_x509_certificate(shown).public_bytes(Encoding.PEM)

    async def ask(self) -> None:
        """Make a request, which has to be answered."""
        self._writer.write(REQUEST + b"\r\n")
        head = await self._reader.readuntil(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 200"), head
        assert await self._reader.readexactly(len(b'{"status":"serving"}')) == b'{"status":"serving"}'

    async def close(self) -> None:
        self._writer.close()
        await self._writer.wait_closed()


async def shown_to(port: int, files: CertificateFiles, name: str = NAMES[0]) -> bytes:
    """The certificate that a new connection gets, which answers a request."""
    connection = await Connection.open(port, files, name)
    await connection.ask()
    await connection.close()
    return connection.certificate


async def test_no_request_fails_during_a_renewal(port: int, files: CertificateFiles, authority: Authority) -> None:
    answers, ends = 0, asyncio.Event()
    shown: set[bytes] = set()
    issued = {files.certificate.read_bytes()}

    async def call_on(name: str) -> None:
        nonlocal answers
        lasting = await Connection.open(port, files, name)
        while not ends.is_set():
            await lasting.ask()
            shown.add(await shown_to(port, files, name))
            answers += 2
        await lasting.close()

    async def renew() -> None:
        for _ in range(RENEWALS):
            due = answers + 4 * CALLERS
            while answers < due:  # noqa: ASYNC110 - the callers count
                await asyncio.sleep(0.01)
            await asyncio.to_thread(files.hold, authority)
            issued.add(files.certificate.read_bytes())
        ends.set()

    await asyncio.gather(renew(), *(call_on(name) for name in NAMES * (CALLERS // 2)))
    print(f"{answers} requests, {len(shown)} certificates")  # noqa: T201
    assert shown <= issued
    assert len(shown) >= RENEWALS
    assert await shown_to(port, files) == files.certificate.read_bytes()


def halved(path: Path) -> None:
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2])


@pytest.mark.parametrize(
    "damage",
    [
        lambda f: halved(f.certificate),
        lambda f: halved(f.key),
        lambda f: f.key.unlink(),
        lambda f: f.certificate.write_bytes(b""),
        lambda f: f.certificate.write_text("no certificate"),
        lambda f: f.key.write_bytes(Authority().issue("other")[1]),
    ],
)
async def test_unusable_files_keep_the_earlier_certificate_with_a_warning_until_they_are_whole(
    port: int, files: CertificateFiles, authority: Authority, damage: Callable[[CertificateFiles], object]
) -> None:
    before = files.certificate.read_bytes()
    damage(files)
    with structlog.testing.capture_logs() as logs:
        assert await shown_to(port, files) == before
    assert [log["log_level"] for log in logs] == ["warning"]
    assert logs[0]["event"].startswith("the new files cannot be used")
    assert "None" not in logs[0]["reason"]
    files.hold(authority)
    assert await shown_to(port, files) == files.certificate.read_bytes() != before


def test_an_old_session_is_resumed_with_the_new_certificate(files: CertificateFiles, authority: Authority) -> None:
    server = https_context(files.certificate, files.key)
    client = ssl.create_default_context(cafile=str(files.ca))
    session = handshake(server, client, None).session
    files.hold(authority)
    assert session is not None
    assert handshake(server, client, session).session_reused


def handshake(server: ssl.SSLContext, client: ssl.SSLContext, session: ssl.SSLSession | None) -> ssl.SSLObject:
    """The client's side after a handshake in memory."""
    to_server, to_client = ssl.MemoryBIO(), ssl.MemoryBIO()
    theirs = server.wrap_bio(to_server, to_client, server_side=True)
    ours = client.wrap_bio(to_client, to_server, server_hostname=NAMES[0], session=session)
    for step in (ours.do_handshake, theirs.do_handshake) * 3:
        try:
            step()
        except ssl.SSLWantReadError:
            continue
    with pytest.raises(ssl.SSLWantReadError):
        ours.read(1)  # takes the ticket, which comes after the handshake
    return ours
