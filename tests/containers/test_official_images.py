"""The engines against the official images, for those who have Docker; without it these tests skip.

The images are those of `docker-compose.yml`, in its profile `full`.
"""

import shutil
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import yaml
from testcontainers.core.container import DockerContainer

from libs.contracts.query import Filters
from libs.elastic.settings import ElasticsearchSettings
from services.retrieve.corpus.corpus import Corpus
from services.retrieve.corpus.deleting import delete_document
from services.retrieve.corpus.documents import Document
from services.retrieve.corpus.filtering import Access, access_of
from services.retrieve.engines.collection import Engines
from services.retrieve.engines.opening import EngineSettings, engine_makers
from services.retrieve.engines.settings import MilvusSettings, SearchElasticsearchSettings
from tests.fakes.stored_documents import ENCODER, put

START_SECONDS = 300.0
COMPOSE = Path(__file__).resolve().parents[2] / "docker-compose.yml"

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900), pytest.mark.xdist_group("containers")]


@pytest.fixture(scope="module", autouse=True)
def _docker() -> None:
    docker = shutil.which("docker")
    if docker is None or subprocess.run([docker, "info"], capture_output=True, timeout=30).returncode:
        pytest.skip("no Docker answers")


@pytest.fixture(scope="module")
def elasticsearch() -> Iterator[str]:
    yield from _served("elasticsearch", 9200, 9200, "/_cluster/health?wait_for_status=yellow&timeout=1s")


@pytest.fixture(scope="module")
def milvus() -> Iterator[str]:
    yield from _served("milvus", 19530, 9091, "/healthz")


def _served(name: str, port: int, health_port: int, health: str) -> Iterator[str]:
    """A service of the compose file in a container of its own; its address."""
    compose = yaml.safe_load(COMPOSE.read_text())
    service: dict[str, Any] = compose["services"][name]
    container = DockerContainer(service["image"]).with_exposed_ports(port, health_port)
    for variable, value in service["environment"].items():
        container = container.with_env(variable, value)
    if "command" in service:
        container = container.with_command(service["command"])
    for config in service.get("configs", []):
        container = container.with_copy_into_container(
            compose["configs"][config["source"]]["content"].encode(), config["target"]
        )
    with container:
        host = container.get_container_host_ip()
        _wait_for(f"http://{host}:{container.get_exposed_port(health_port)}{health}")
        yield f"http://{host}:{container.get_exposed_port(port)}"


def _wait_for(url: str) -> None:
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end:
        with suppress(OSError), urllib.request.urlopen(url, timeout=5) as answer:
            if answer.status == 200:
                return
        time.sleep(1)
    raise RuntimeError(f"nothing answers at {url}")


def test_what_is_written_is_found_by_both_until_deleted(elasticsearch: str, milvus: str, tmp_path: Path) -> None:
    settings = EngineSettings(
        SearchElasticsearchSettings(url=elasticsearch),
        ElasticsearchSettings(seconds=30),
        MilvusSettings(uri=milvus, seconds=30),
    )
    with Corpus.open(tmp_path) as corpus, engine_makers(settings) as makers:
        put(corpus, Document("open", "A lander on the Moon", whole=True))
        put(corpus, Document("secret", "A secret lander on the Moon", whole=True, principals=("ann",)))
        engines = Engines(corpus, tmp_path / "engines", makers)
        assert [_found(engines, Access()), _found(engines, access_of(Filters(), ("ann",)))] == [(1, 1), (2, 2)]
        corpus.write(delete_document, "default", "open").result()
        assert _found(engines, access_of(Filters(), ("ann",))) == (1, 1)
        engines.close()


def _found(engines: Engines, access: Access) -> tuple[int, int]:
    collection = engines.of("default")
    lexical, vector = collection.lexical(), collection.vector()
    assert vector is not None
    by_words = lexical.search({"lander": 1.0}, 10, access)
    return len(by_words.keys), len(vector.search(ENCODER.encode(["moon"])[0], 10, access).keys)
