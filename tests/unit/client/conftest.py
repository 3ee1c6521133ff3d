"""A scripted gateway on a port of its own."""

from collections.abc import Iterator

import pytest

from parley.client.evaluation import Gateway
from tests.unit.client.scripted_gateway import ScriptedGateway, serving


@pytest.fixture
def scripted_gateway() -> ScriptedGateway:
    return ScriptedGateway()  # type: ignore[abstract]  # the rest is UNIMPLEMENTED


@pytest.fixture
def gateway(scripted_gateway: ScriptedGateway) -> Iterator[Gateway]:
    with serving(scripted_gateway) as gateway:
        yield gateway
