"""The event log in Elasticsearch: what every event log does, and what is its own."""

import secrets

import pytest

from gateway.settings import SharedStoreSettings
from gateway.store.elasticsearch_events import elasticsearch_event_log
from gateway.store.event_log import Appended
from libs.runtime.errors import Unavailable
from tests.fakes.event_log_behaviours import EventLogBehaviours, OpenLog, batch, lease, start
from tests.integration.elasticsearch.process import ElasticsearchProcess
from tests.integration.elasticsearch.proxy import proxy_to


@pytest.fixture
def settings(elasticsearch: ElasticsearchProcess) -> SharedStoreSettings:
    return SharedStoreSettings(url=elasticsearch.url, prefix=f"t{secrets.token_hex(4)}", seconds=30.0)


class TestElasticsearchEventLog(EventLogBehaviours):
    @pytest.fixture
    def open_log(self, settings: SharedStoreSettings) -> OpenLog:
        return lambda max_bytes=1 << 24: elasticsearch_event_log(settings, max_bytes)


async def test_a_server_that_is_down_is_unavailable_and_serves_again_when_it_is_back(
    elasticsearch: ElasticsearchProcess, settings: SharedStoreSettings
) -> None:
    with proxy_to(elasticsearch.port) as proxy:
        behind = settings.model_copy(update={"url": proxy.url})
        async with elasticsearch_event_log(behind, 1 << 24) as log:
            await log.begin(start(), lease())
            proxy.down = True
            with pytest.raises(Unavailable, match="ENGINE_UNAVAILABLE"):
                await log.append("q-1", "one", batch(1))
        proxy.down = False
        async with elasticsearch_event_log(behind, 1 << 24) as log:
            assert await log.append("q-1", "one", batch(1)) is Appended.LOGGED
