"""Recordings in a real Elasticsearch."""

import secrets
from collections.abc import Iterator

import pytest
from elasticsearch import Elasticsearch

from gateway.recording.bounds import RecordingBounds
from gateway.recording.elasticsearch import elasticsearch_recordings
from gateway.settings import SharedStoreSettings
from tests.fakes.recording_behaviours import OpenRecordings, RecordingBehaviours, part
from tests.integration.elasticsearch.process import ElasticsearchProcess


@pytest.fixture
def settings(elasticsearch: ElasticsearchProcess) -> SharedStoreSettings:
    return SharedStoreSettings(url=elasticsearch.url, prefix=f"t{secrets.token_hex(4)}", seconds=30.0)


@pytest.fixture
def client(elasticsearch: ElasticsearchProcess) -> Iterator[Elasticsearch]:
    with Elasticsearch(elasticsearch.url) as opened:
        yield opened


class TestElasticsearchRecordings(RecordingBehaviours):
    @pytest.fixture
    def open_recordings(self, settings: SharedStoreSettings) -> OpenRecordings:
        return lambda seconds=600.0, most_bytes=1 << 24: elasticsearch_recordings(
            settings, RecordingBounds(seconds, most_bytes)
        )


async def test_old_recordings_and_marks_leave_the_index(settings: SharedStoreSettings, client: Elasticsearch) -> None:
    async with elasticsearch_recordings(settings, RecordingBounds(0.001, 1 << 20)) as store:
        await store.put(part("q-old", ago=1))
        await store.delete_session("t")
        await store.expire()
    client.indices.refresh(index=f"{settings.prefix}-recordings")
    assert client.count(index=f"{settings.prefix}-recordings")["count"] == 0
