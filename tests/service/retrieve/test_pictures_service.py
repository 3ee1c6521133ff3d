"""Pictures and texts about pictures, embedded over gRPC."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import grpc
import numpy as np
import pytest

from libs.runtime.errors import InvalidInput
from libs.runtime.serving.server import running
from libs.runtime.settings import ServerSettings, SettingsError
from libs.runtime.status import error_from_rpc
from parley.retrieve.v1 import corpus_pb2, corpus_pb2_grpc, inference_pb2, inference_pb2_grpc
from services.retrieve.settings import RetrieveSettings
from services.retrieve.stage import open_stage
from tests.fakes.tiny_clip import colour_of, png, write_clip

QUICK = ServerSettings(port=0, lame_duck_seconds=0, drain_seconds=1)


@asynccontextmanager
async def inference(data: Path, **settings: Any) -> AsyncIterator[Any]:
    async with serving(data, **settings) as channel:
        yield inference_pb2_grpc.InferenceServiceStub(channel)


@asynccontextmanager
async def serving(data: Path, **settings: Any) -> AsyncIterator[grpc.aio.Channel]:
    async with (
        open_stage(RetrieveSettings(data=data, embedder="none", **settings)) as stage,
        running(QUICK, *stage.servicers, capabilities=stage.capabilities) as server,
        grpc.aio.insecure_channel(server.target) as channel,
    ):
        yield channel


async def test_pictures_and_texts_are_embedded_in_one_space(tmp_path: Path) -> None:
    write_clip(tmp_path / "models" / "clip")
    request = inference_pb2.EmbedImagesRequest(images=[png(0, 0, 255), png(255, 255, 255)], texts=["mars", "moon"])
    async with inference(tmp_path, pictures="onnx:clip") as stub:
        response = await stub.EmbedImages(request)
    assert response.model == "clip"
    assert [list(item.values) for item in response.images] == [pytest.approx([0, 0, 1]), pytest.approx([3**-0.5] * 3)]
    texts = np.array([list(item.values) for item in response.texts])
    assert texts == pytest.approx(np.stack([colour_of("mars"), colour_of("moon")]))


async def test_pictures_of_the_corpus_are_embedded_by_their_names_for_who_may_see_them(tmp_path: Path) -> None:
    write_clip(tmp_path / "models" / "clip")
    pictures = [corpus_pb2.DocumentImage(data=data) for data in (png(0, 0, 255), b"no picture", b"", png(0, 0, 255))]
    document = corpus_pb2.Document(document_id="probe", text="A probe.", images=pictures, principals=["crew"])
    names = ["probe/1", "probe/2", "probe/3", "probe/4", "probe/5"]
    stored_images = [inference_pb2.StoredImage(image_id=name) for name in names]
    async with serving(tmp_path, pictures="onnx:clip") as channel:
        corpus, models = corpus_pb2_grpc.CorpusServiceStub(channel), inference_pb2_grpc.InferenceServiceStub(channel)
        await corpus.PutDocument(corpus_pb2.PutDocumentRequest(document=document))
        visible = await models.EmbedImages(inference_pb2.EmbedImagesRequest(stored=stored_images, principals=["crew"]))
        unseen = await models.EmbedImages(inference_pb2.EmbedImagesRequest(stored=stored_images))
    blue: list[object] = [pytest.approx([0, 0, 1]), [], [], pytest.approx([0, 0, 1]), []]
    assert [list(item.values) for item in visible.stored] == blue
    assert [list(item.values) for item in unseen.stored] == [[]] * 5


async def test_a_damaged_picture_or_another_model_is_named(tmp_path: Path) -> None:
    write_clip(tmp_path / "models" / "clip")
    async with inference(tmp_path, pictures="clip") as stub:
        for request, field in (
            (inference_pb2.EmbedImagesRequest(images=[b"no picture"]), "images[0]"),
            (inference_pb2.EmbedImagesRequest(texts=["moon"], model="another"), "model"),
        ):
            with pytest.raises(grpc.aio.AioRpcError) as rpc_error:
                await stub.EmbedImages(request)
            error = error_from_rpc(rpc_error.value)
            assert isinstance(error, InvalidInput)
            assert error.violations[0].field == field


async def test_a_model_that_cannot_be_opened_is_the_fault_of_its_setting(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="PARLEY_RETRIEVE_PICTURES"):
        async with inference(tmp_path, pictures="onnx:nowhere"):
            pass
