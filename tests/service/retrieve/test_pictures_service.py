"""Pictures and texts about pictures, embedded over gRPC."""

from pathlib import Path

import numpy as np
import pytest

from libs.runtime.settings import SettingsError
from parley.retrieve.v1 import corpus_pb2, inference_pb2
from tests.fakes.tiny_clip import colour_of, png, write_clip
from tests.service.retrieve.running_stage import serving
from tests.service.serving import refused_fields


async def test_pictures_and_texts_are_embedded_in_one_space(tmp_path: Path) -> None:
    write_clip(tmp_path / "models" / "clip")
    request = inference_pb2.EmbedImagesRequest(images=[png(0, 0, 255), png(255, 255, 255)], texts=["mars", "moon"])
    async with serving(tmp_path, pictures="onnx:clip") as client:
        response = await client.inference.EmbedImages(request)
    assert response.model == "clip"
    assert [list(item.values) for item in response.images] == [pytest.approx([0, 0, 1]), pytest.approx([3**-0.5] * 3)]
    texts = np.array([list(item.values) for item in response.texts])
    assert texts == pytest.approx(np.stack([colour_of("mars"), colour_of("moon")]))


async def test_pictures_of_the_corpus_are_embedded_by_their_names_for_who_may_see_them(tmp_path: Path) -> None:
    write_clip(tmp_path / "models" / "clip")
    pictures = [corpus_pb2.DocumentImage(data=data) for data in (png(0, 0, 255), b"no picture", b"", png(0, 0, 255))]
    names = ["probe/1", "probe/2", "probe/3", "probe/4", "probe/5"]
    stored_images = [inference_pb2.StoredImage(image_id=name) for name in names]
    async with serving(tmp_path, pictures="onnx:clip") as client:
        await client.put("probe", "A probe.", images=pictures, principals=["crew"])
        embed = client.inference.EmbedImages
        visible = await embed(inference_pb2.EmbedImagesRequest(stored=stored_images, principals=["crew"]))
        unseen = await embed(inference_pb2.EmbedImagesRequest(stored=stored_images))
    blue: list[object] = [pytest.approx([0, 0, 1]), [], [], pytest.approx([0, 0, 1]), []]
    assert [list(item.values) for item in visible.stored] == blue
    assert [list(item.values) for item in unseen.stored] == [[]] * 5


async def test_a_damaged_picture_or_another_model_is_named(tmp_path: Path) -> None:
    write_clip(tmp_path / "models" / "clip")
    async with serving(tmp_path, pictures="clip") as client:
        for request, field in (
            (inference_pb2.EmbedImagesRequest(images=[b"no picture"]), "images[0]"),
            (inference_pb2.EmbedImagesRequest(texts=["moon"], model="another"), "model"),
        ):
            assert await refused_fields(client.inference.EmbedImages(request)) == {field}


async def test_a_model_that_cannot_be_opened_is_the_fault_of_its_setting(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="PARLEY_RETRIEVE_PICTURES"):
        async with serving(tmp_path, pictures="onnx:nowhere"):
            pass
