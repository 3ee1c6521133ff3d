"""What only calls within a process can meet; what they share with all calls is in test_calls.py."""

from types import SimpleNamespace

import pytest

from libs.runtime.channel import unary
from libs.runtime.errors import Unavailable
from libs.runtime.local import LocalServices


async def test_a_call_before_the_process_serves_ends_as_if_nobody_were_there(echo: SimpleNamespace) -> None:
    stub = echo.grpc.EchoServiceStub(LocalServices().channel())
    with pytest.raises(Unavailable):
        await unary(stub.Say, echo.pb2.SayRequest(), timeout=5)
