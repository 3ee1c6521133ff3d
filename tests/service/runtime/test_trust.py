"""A server with the suite's secret, or with names of certificates, answers the suite's own processes alone."""

import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any

import grpc
import pytest

from libs.runtime.calling.channel import open_channel, stream, unary
from libs.runtime.errors import InternalError, PermissionDenied, Unavailable
from libs.runtime.security.tls import TlsSettings
from libs.runtime.security.trust import SIGNATURE_KEY, Secrets, TrustGate, TrustSettings
from libs.runtime.serving.health import health_of
from libs.runtime.serving.service import Gate, Service
from libs.runtime.serving.stage import StageServices, gates_of
from libs.runtime.settings import SettingsError
from libs.runtime.status import error_from_rpc
from tests.fakes.certificates import Authority, CertificateFiles
from tests.fakes.running_server import running
from tests.service.runtime.conftest import Echo

pytestmark = pytest.mark.usefixtures("closely_watched_files")
SAY = "/trial.v1.EchoService/Say"
OLD, NEW = "o" * 32, "n" * 32
Make = Callable[..., Any]


@pytest.fixture
def secret(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file with the suite's secret, which the channels of this process read."""
    return written(tmp_path / "secret", OLD, monkeypatch)


def written(path: Path, text: str, monkeypatch: pytest.MonkeyPatch) -> Path:
    write(path, text)
    monkeypatch.setenv("PARLEY_TRUST_SECRET", str(path))
    return path


async def answers_of(echo: Echo, channel: grpc.aio.Channel) -> Mapping[str, str]:
    """What each of the four methods answers to "hello": its text, or the reason of its error."""
    stub, request = echo.grpc.EchoServiceStub(channel), echo.pb2.SayRequest(text="hello")

    async def requests() -> AsyncIterator[Any]:
        yield request

    async def streamed(method: Any, argument: Any) -> str:
        return "".join([response.text async for response in stream(method, argument, timeout=5)])

    async def single(method: Any, argument: Any) -> str:
        return str((await unary(method, argument, timeout=5)).text)

    async def answer(call: Callable[[], Awaitable[str]]) -> str:
        try:
            return await call()
        except PermissionDenied as error:
            return error.reason
        except Unavailable:  # it was refused while a message was sent
            return await answer(call)

    return {
        "Say": await answer(lambda: single(stub.Say, request)),
        "Count": await answer(lambda: streamed(stub.Count, request)),
        "Sum": await answer(lambda: single(stub.Sum, requests())),
        "Chat": await answer(lambda: streamed(stub.Chat, requests())),
    }


def write(path: Path, text: str) -> None:
    path.write_text(text)


async def say_signed(channel: grpc.aio.Channel, content: bytes, *signatures: str) -> bytes:
    """Send these bytes with these signatures, by a channel that signs nothing.

    Raises:
        ParleyError: the call failed.
    """
    metadata = tuple((SIGNATURE_KEY, signature) for signature in signatures)
    try:
        say: Any = channel.unary_unary(SAY)
        answer: bytes = await say(content, metadata=metadata, timeout=5)
    except grpc.aio.AioRpcError as error:
        raise error_from_rpc(error) from None
    return answer


async def test_the_suites_calls_are_answered_and_others_are_refused(echo: Echo, parrot: object, secret: Path) -> None:
    async with running(parrot, gate=TrustGate(TrustSettings())) as server:
        async with open_channel(server.target) as channel:
            assert set((await answers_of(echo, channel)).values()) == {"hello"}
        async with grpc.aio.insecure_channel(server.target) as channel:
            assert set((await answers_of(echo, channel)).values()) == {"CALLER_NOT_TRUSTED"}
            assert await health_of(server.target) == "SERVING"


async def test_a_signature_fits_one_method_one_message_and_a_short_time(
    echo: Echo, parrot: object, secret: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hello = echo.pb2.SayRequest(text="hello").SerializeToString()
    secrets = Secrets(secret)
    good = secrets.signature(SAY, hello)
    version, moment, digest = good.split(".")
    with monkeypatch.context() as patch:
        past = time.time() - 301
        patch.setattr("libs.runtime.security.trust.time.time", lambda: past)
        old = secrets.signature(SAY, hello)
    forged = {
        "of another message": [secrets.signature(SAY, b"")],
        "of another method": [secrets.signature("/trial.v1.EchoService/Count", hello)],
        "too old": [old],
        "made younger": [".".join((version, str(int(moment) + 1), digest))],
        "of no version": [".".join(("v0", moment, digest))],
        "no number": [".".join((version, "x", digest))],
        "without digest": [f"{version}.{moment}."],
        "not ASCII digits": [f"{version}.%D9%A1.{digest}"],
        "twice": [good, good],
        "none": [],
    }
    async with (
        running(parrot, gate=TrustGate(TrustSettings())) as server,
        grpc.aio.insecure_channel(server.target) as channel,
    ):
        assert await say_signed(channel, hello, good)
        for kind, signatures in forged.items():
            with pytest.raises(PermissionDenied, match="CALLER_NOT_TRUSTED"):
                assert await say_signed(channel, hello, *signatures), kind


async def test_a_secret_changes_without_a_failed_call(echo: Echo, parrot: object, secret: Path, tmp_path: Path) -> None:
    hello = echo.pb2.SayRequest(text="hello").SerializeToString()
    (tmp_path / "old").write_text(OLD)
    (tmp_path / "new").write_text(NEW)
    old, new = Secrets(tmp_path / "old"), Secrets(tmp_path / "new")
    async with (
        running(parrot, gate=TrustGate(TrustSettings())) as server,
        grpc.aio.insecure_channel(server.target) as channel,
    ):
        for content, accepted in ((OLD, [old]), (f"{OLD}\n{NEW}\n", [old, new]), (NEW, [new]), ("short", [new])):
            write(secret, content)
            for secrets in (old, new):
                try:
                    is_answered = bool(await say_signed(channel, hello, secrets.signature(SAY, hello)))
                except PermissionDenied:
                    is_answered = False
                assert is_answered == (secrets in accepted), content


@pytest.mark.parametrize(("content", "why"), [("", "no secret"), ("short", "at least 32"), (None, "No such file")])
@pytest.mark.usefixtures("settled_files")
def test_an_unusable_secret_is_refused_at_the_start(tmp_path: Path, content: str | None, why: str) -> None:
    path = tmp_path / "secret"
    if content is not None:
        path.write_text(content)
    with pytest.raises(SettingsError, match=f"PARLEY_TRUST_SECRET: .*{why}"):
        gates_of([], TrustSettings(secret=path))


async def test_a_process_that_is_not_trusted_itself_tells_its_caller_of_an_internal_fault(
    echo: Echo, servicer: Make, parrot: object, secret: Path
) -> None:
    async with running(parrot, gate=TrustGate(TrustSettings())) as stage:

        async def ask_the_stage(request: Any, context: Any) -> Any:
            async with grpc.aio.insecure_channel(stage.target) as channel:
                return await unary(echo.grpc.EchoServiceStub(channel).Say, request, timeout=5)

        async with running(servicer(Say=ask_the_stage)) as front, open_channel(front.target) as channel:
            with pytest.raises(InternalError):
                await unary(echo.grpc.EchoServiceStub(channel).Say, echo.pb2.SayRequest(), timeout=5)


@pytest.mark.parametrize(("name", "is_trusted"), [("gateway.test", True), ("stranger.test", False)])
async def test_a_name_in_the_callers_certificate_can_be_asked_for(
    name: str, is_trusted: bool, echo: Echo, parrot: object, tmp_path: Path
) -> None:
    authority = Authority()
    own = CertificateFiles(tmp_path / "own").trust(authority).hold(authority)
    caller = CertificateFiles(tmp_path / "caller").trust(authority).hold(authority, name)
    serving = TlsSettings(certificate=own.certificate, key=own.key, ca=str(own.ca), client_ca=own.ca)
    calling = TlsSettings(certificate=caller.certificate, key=caller.key, ca=str(caller.ca), client_ca=caller.ca)
    gate = TrustGate(TrustSettings(names=("gateway.test",)))
    async with (
        running(parrot, tls=serving, gate=gate) as server,
        open_channel(server.target, tls=calling) as channel,
    ):
        answers = await answers_of(echo, channel)
    assert set(answers.values()) == {"hello" if is_trusted else "CALLER_NOT_TRUSTED"}


@pytest.mark.parametrize(
    ("own_gate", "is_set", "answer"),
    [(None, False, "hello"), (None, True, "CALLER_NOT_TRUSTED"), (Gate(), True, "hello")],
    ids=["no secret", "a stage", "the gateway"],
)
async def test_strangers_reach_a_stage_without_secret_and_a_gateway_always(
    own_gate: Gate | None,
    is_set: bool,
    answer: str,
    echo: Echo,
    parrot: object,
    secret: Path,
) -> None:
    stage = StageServices("trial", (Service.of(parrot),), gate=own_gate)
    gate_of = gates_of([stage], TrustSettings(secret=secret if is_set else None))
    async with (
        running(parrot, gate_of=gate_of) as server,
        grpc.aio.insecure_channel(server.target) as channel,
    ):
        assert set((await answers_of(echo, channel)).values()) == {answer}
