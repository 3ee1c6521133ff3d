"""A Milvus that is killed, hangs, or comes back with less: nothing acknowledged is lost, nothing is faked."""

import threading
from collections.abc import Iterator

import pytest

from libs.runtime.errors import Unavailable
from services.retrieve.engines.milvus import schema
from services.retrieve.engines.milvus.server import MilvusServer
from services.retrieve.engines.settings import MilvusSettings
from tests.conformance.world import EngineUnderTest, World, whole
from tests.fakes.stored_documents import ENCODER
from tests.integration.milvus.process import MilvusProcess


@pytest.fixture
def client(settings: MilvusSettings) -> Iterator[MilvusServer]:
    """A connection beside the engine's."""
    server_client = MilvusServer(settings)
    yield server_client
    server_client.close()


def name_of(place: World, client: MilvusServer, collection: str = "default") -> str:
    row, _ = place.corpus.collection(collection)
    return schema.collection_name(client.settings.prefix, place.corpus.identity, row)


def found_in_the_end(engine: EngineUnderTest, words: str) -> list[str]:
    """What is found once the server answers again; that the first call after an outage fails is no loss."""
    for _ in range(50):
        try:
            return engine.find(words)
        except Unavailable:
            threading.Event().wait(0.2)
    return engine.find(words)


def test_a_kill_while_changes_are_taken_in_loses_none(engine: EngineUnderTest, server: MilvusProcess) -> None:
    engine.world.put(whole("first", "moon"))
    assert engine.find("moon") == ["first"]
    engine.world.put_at_once([whole(f"d{number}", "moon") for number in range(2_500)])
    following = threading.Thread(target=lambda: _catch_up(engine.world))
    following.start()
    threading.Event().wait(0.5)
    server.kill()
    following.join()
    server.start()
    assert found_in_the_end(engine, "moon")
    assert len(engine.find("moon", limit=3_000)) == 2_501


def test_a_server_set_back_to_an_older_state_takes_in_what_it_lacks(
    engine: EngineUnderTest, client: MilvusServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("services.retrieve.engines.milvus.engine.CHECK_SECONDS", 0.0)
    engine.world.put(whole("a", "moon"), whole("b", "moon"))
    assert len(engine.find("moon")) == 2
    name = name_of(engine.world, client)
    client.call("delete", name, filter="document > 1")  # as a backup would that was made before the second one
    client.call("upsert", name, [schema.state_row(1, ENCODER.profile.width)])
    engine.world.engines.catch_up()
    assert sorted(engine.find("moon")) == ["a", "b"]


def test_a_position_that_was_not_written_does_no_harm(engine: EngineUnderTest, client: MilvusServer) -> None:
    engine.world.put(whole("a", "moon"), whole("b", "moon"))
    assert len(engine.find("moon")) == 2
    name = name_of(engine.world, client)
    engine.world.restart(lambda: client.call("delete", name, ids=[schema.STATE_KEY]))
    assert sorted(engine.find("moon")) == ["a", "b"]


class TestAServerThatHangs:
    """It takes connections and answers nothing."""

    @pytest.fixture
    def settings(self, server: MilvusProcess, monkeypatch: pytest.MonkeyPatch) -> MilvusSettings:
        monkeypatch.setattr("services.retrieve.engines.milvus.engine.WRITE_SECONDS", 2.0)
        return MilvusSettings(uri=server.uri, seconds=2.0)

    def test_it_is_left_alone_for_a_while_and_refused_at_once(
        self, engine: EngineUnderTest, server: MilvusProcess, client: MilvusServer
    ) -> None:
        client.call("list_collections")
        server.pause()
        try:
            with pytest.raises(Unavailable) as first:
                client.call("list_collections")
            with pytest.raises(Unavailable) as second:
                client.call("list_collections")
            assert first.value.__cause__ is not None
            assert second.value.__cause__ is None  # nobody was asked
        finally:
            server.resume()


def test_what_a_deleted_collection_left_is_swept_and_nothing_else(
    place: World, engine: EngineUnderTest, client: MilvusServer
) -> None:
    place.put(whole("a", "moon"))
    place.put(whole("b", "moon"), collection="other")
    place.engines.catch_up()
    remaining_name, deleted_name = name_of(place, client), name_of(place, client, "other")
    foreign = schema.collection_name(client.settings.prefix, "0" * 32, 1)
    client.call("create_collection", foreign, schema=schema.schema(8))
    assert {remaining_name, deleted_name, foreign} <= set(client.call("list_collections"))
    place.restart(lambda: place.delete_collection("other"))
    place.engines.catch_up()
    left = set(client.call("list_collections"))
    assert deleted_name not in left
    assert {remaining_name, foreign} <= left
    assert engine.find("moon") == ["a"]
    client.call("drop_collection", foreign)


def test_a_collection_of_another_width_is_made_anew(engine: EngineUnderTest, client: MilvusServer) -> None:
    engine.world.put(whole("a", "moon"))
    client.call("create_collection", name_of(engine.world, client), schema=schema.schema(8))
    assert engine.find("moon") == ["a"]


def test_an_expression_that_the_server_cannot_read_is_refused_and_ends_no_connection(client: MilvusServer) -> None:
    with pytest.raises(Unavailable, match="refused"):
        client.call("query", "nothing", filter="((")
    assert isinstance(client.call("list_collections"), list)


def _catch_up(place: World) -> None:
    try:
        place.engines.catch_up()
    except Unavailable:
        return
