"""TLS and mTLS between real servers and channels, and the renewal of their certificates."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import grpc
import pytest

from libs.runtime.calling.channel import open_channel, unary
from libs.runtime.errors import Unavailable
from libs.runtime.security.tls import TlsSettings, pem_files
from libs.runtime.serving.health import UNREACHABLE, health_of
from libs.runtime.settings import ServerSettings, SettingsError
from tests.fakes.certificates import Authority, CertificateFiles
from tests.fakes.running_server import running
from tests.service.runtime.conftest import Echo

pytestmark = pytest.mark.usefixtures("closely_watched_files")
CALLERS = 8


@pytest.fixture
def authority() -> Authority:
    return Authority()


@pytest.fixture
def files(tmp_path: Path, authority: Authority) -> CertificateFiles:
    return CertificateFiles(tmp_path / "own").trust(authority).hold(authority)


def mutual(files: CertificateFiles) -> TlsSettings:
    return TlsSettings(certificate=files.certificate, key=files.key, ca=str(files.ca), client_ca=files.ca)


def one_sided(files: CertificateFiles) -> TlsSettings:
    return TlsSettings(certificate=files.certificate, key=files.key, ca=str(files.ca))


def plain() -> TlsSettings:
    return TlsSettings()


async def echo_once(echo: Echo, target: str, tls: TlsSettings) -> str:
    async with open_channel(target, tls=tls) as channel:
        stub = echo.grpc.EchoServiceStub(channel)
        answer = await unary(stub.Say, echo.pb2.SayRequest(text="hello"), timeout=2)
        return str(answer.text)


@pytest.mark.parametrize("of", [one_sided, mutual])
async def test_a_call_is_answered_over_tls(
    of: Callable[[CertificateFiles], TlsSettings],
    echo: Echo,
    parrot: object,
    files: CertificateFiles,
) -> None:
    async with running(parrot, tls=of(files)) as server:
        assert await echo_once(echo, server.target, of(files)) == "hello"


async def test_a_caller_without_tls_or_with_a_certificate_that_one_side_does_not_know_is_refused(
    echo: Echo, parrot: object, files: CertificateFiles, tmp_path: Path
) -> None:
    stranger = Authority("stranger")
    foreign = CertificateFiles(tmp_path / "foreign").trust(stranger).hold(stranger)
    half_foreign = TlsSettings(certificate=foreign.certificate, key=foreign.key, ca=str(files.ca))
    without_certificate = TlsSettings(ca=str(files.ca))
    async with running(parrot, tls=mutual(files)) as server:
        for tls in (plain(), without_certificate, mutual(foreign), half_foreign):
            with pytest.raises(Unavailable):
                await echo_once(echo, server.target, tls)


async def test_a_server_must_hold_the_name_that_is_called_or_the_one_that_is_set(
    echo: Echo, parrot: object, files: CertificateFiles
) -> None:
    async with running(parrot, tls=one_sided(files)) as server:
        named = TlsSettings(ca=str(files.ca), server_name="parley.test")
        assert await echo_once(echo, server.target, named) == "hello"
        with pytest.raises(Unavailable):
            await echo_once(echo, server.target, TlsSettings(ca=str(files.ca), server_name="other.test"))


async def test_health_is_checked_over_tls_by_the_same_settings(
    monkeypatch: pytest.MonkeyPatch, parrot: object, files: CertificateFiles
) -> None:
    async with running(parrot, tls=mutual(files)) as server:
        assert await health_of(server.target) == UNREACHABLE
        for name, value in files.variables().items():
            monkeypatch.setenv(name, value)
        assert await health_of(server.target) == "SERVING"


async def test_a_public_address_is_served_with_tls(parrot: object, files: CertificateFiles) -> None:
    public = ServerSettings(host="0.0.0.0", port=0, lame_duck_seconds=0)
    with pytest.raises(SettingsError, match="PARLEY_TLS_CERTIFICATE"):
        async with running(parrot, settings=public, tls=plain()):
            pass
    async with running(parrot, tls=one_sided(files), settings=public) as server:
        assert server.port


async def test_no_call_fails_while_authority_and_certificates_are_renewed(
    echo: Echo, parrot: object, authority: Authority, tmp_path: Path
) -> None:
    """The order of a renewal: both authorities are trusted, then certificates change, then the old one is dropped."""
    sides = [CertificateFiles(tmp_path / side).trust(authority).hold(authority) for side in ("server", "client")]
    of_server, of_client = sides
    successor = Authority("successor")
    steps: list[Callable[[CertificateFiles], object]] = [
        lambda files: files.trust(authority, successor),
        lambda files: files.hold(successor),
        lambda files: files.trust(successor),
    ]
    answers = 0
    ends = asyncio.Event()

    async with (
        running(parrot, tls=mutual(of_server)) as server,
        open_channel(server.target, tls=mutual(of_client)) as channel,
    ):
        stub = echo.grpc.EchoServiceStub(channel)

        async def call_on() -> None:
            nonlocal answers
            while not ends.is_set():
                await unary(stub.Say, echo.pb2.SayRequest(text="hello"), timeout=5)
                assert await echo_once(echo, server.target, mutual(of_client)) == "hello"
                answers += 1

        async def renew() -> None:
            for step in steps:
                for side in sides:
                    step(side)
                    due = answers + 2 * CALLERS
                    while answers < due:  # noqa: ASYNC110 - the callers count
                        await asyncio.sleep(0.01)
            ends.set()

        chat = stub.Chat()
        await chat.write(echo.pb2.SayRequest(text="before"))
        assert (await chat.read()).text == "before"
        await asyncio.gather(renew(), *(call_on() for _ in range(CALLERS)))
        await chat.write(echo.pb2.SayRequest(text="after"))
        assert (await chat.read()).text == "after", "a stream outlasts the renewal"
        await chat.done_writing()
        assert await chat.read() is grpc.aio.EOF
        forgotten = CertificateFiles(tmp_path / "late").trust(authority).hold(authority)
        with pytest.raises(Unavailable):
            await echo_once(echo, server.target, mutual(forgotten))


@pytest.mark.parametrize(
    ("broken", "message"),
    [
        (lambda f: f.key.unlink(), "No such file"),
        (lambda f: f.certificate.write_text("no certificate"), "cannot be used"),
        (lambda f: f.key.write_bytes(Authority().issue("other")[1]), "does not belong"),
        (lambda f: f.ca.write_text("nothing"), "cannot be used"),
    ],
)
@pytest.mark.usefixtures("settled_files")
def test_unusable_files_are_refused_at_the_start(
    broken: Callable[[CertificateFiles], object], message: str, files: CertificateFiles
) -> None:
    broken(files)
    with pytest.raises(SettingsError, match=message):
        pem_files(files.certificate, files.key, files.ca)


@pytest.mark.parametrize(
    ("fields", "variable"),
    [({"certificate": "a"}, "KEY"), ({"key": "a"}, "CERTIFICATE"), ({"client_ca": "a"}, "CERTIFICATE")],
)
def test_settings_that_do_not_fit_each_other_are_refused(fields: dict[str, str], variable: str) -> None:
    with pytest.raises(SettingsError, match=f"PARLEY_TLS_{variable}: must be set"):
        TlsSettings(**{name: Path(value) for name, value in fields.items()})  # type: ignore[arg-type]


@pytest.mark.parametrize("share", [0.0, 0.3, 0.7])
def test_a_process_that_starts_while_a_file_is_written_waits_for_the_rest(
    files: CertificateFiles, authority: Authority, share: float
) -> None:
    content = authority.pem + Authority("successor").pem
    files.ca.write_bytes(content[: int(share * len(content))])
    with ThreadPoolExecutor(1) as pool:
        watched = pool.submit(pem_files, files.certificate, files.key, files.ca)
        with pytest.raises(TimeoutError):
            watched.result(timeout=0.1)
        files.ca.write_bytes(content)
        assert watched.result().current().authorities == content
