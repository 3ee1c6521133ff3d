"""Fixtures of the retrieve stage: a model of few weights, and a running stage with it."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from services.retrieve.embedding.onnx_graph import build_graph
from tests.fakes.tiny_bert import random_tensors, write_model
from tests.service.retrieve.running_stage import Client, serving


@pytest.fixture(scope="session")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("models")
    write_model(folder / "tiny", random_tensors())
    build_graph(folder / "tiny", folder / "tiny" / "model.onnx")
    return folder


@pytest.fixture
async def client(tmp_path: Path, models: Path) -> AsyncIterator[Client]:
    async with serving(tmp_path, str(models / "tiny")) as stage_client:
        yield stage_client
