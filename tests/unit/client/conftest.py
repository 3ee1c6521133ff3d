"""A scripted gateway on a port of its own."""

from collections.abc import Iterator

import pytest

from parley.client.evaluation import Gateway
from tests.unit.client.scripted_gateway import ScriptedGateway, serving


@pytest.fixture
def scripted() -> ScriptedGateway:
    return ScriptedGateway()  # type: ignore[abstract]  # the rest is UNIMPLEMENTED


@pytest.fixture
def gateway(scripted: ScriptedGateway) -> Iterator[Gateway]:
    with serving(scripted) as gateway:
        yield gateway
