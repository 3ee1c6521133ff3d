"""The event log in Elasticsearch: what every event log does, and what is its own."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest

from gateway.store.event_log import EVENT_LOG_BYTES, Appended, EventLog
from libs.runtime.errors import Unavailable
from tests.conformance.event_log_behaviours import EventLogBehaviours, OpenLog, batch, lease, start
from tests.integration.elasticsearch.process import ElasticsearchProcess
from tests.integration.elasticsearch.proxy import proxy_to
from tests.integration.elasticsearch.shared import SharedServer


@asynccontextmanager
async def opened(server: SharedServer, max_bytes: int = EVENT_LOG_BYTES) -> AsyncIterator[EventLog]:
    async with server.stores(event_log_bytes=max_bytes) as stores:
        yield stores.events


class TestElasticsearchEventLog(EventLogBehaviours):
    @pytest.fixture
    def open_log(self, server: SharedServer) -> OpenLog:
        return lambda max_bytes=EVENT_LOG_BYTES: opened(server, max_bytes)


async def test_a_server_that_is_down_is_unavailable_and_serves_again_when_it_is_back(
    elasticsearch: ElasticsearchProcess, server: SharedServer
) -> None:
    with proxy_to(elasticsearch.port) as proxy:
        behind = replace(server, url=proxy.url)
        async with opened(behind) as log:
            await log.begin(start(), lease())
            proxy.down = True
            with pytest.raises(Unavailable, match="ENGINE_UNAVAILABLE"):
                await log.append("q-1", "one", batch(1))
        proxy.down = False
        async with opened(behind) as log:
            assert await log.append("q-1", "one", batch(1)) is Appended.LOGGED
