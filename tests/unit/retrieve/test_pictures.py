import io
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from libs.runtime.errors import InvalidInput
from services.retrieve.embedding.embedder import UnusableModel
from services.retrieve.pictures.embedder import PictureEmbedder, open_picture_encoder
from services.retrieve.pictures.pixels import Floats, PixelRecipe, UnusablePicture, opened, read_recipe
from tests.fakes.tiny_clip import colour_of, png, write_clip

RED, WHITE = png(255, 0, 0), png(255, 255, 255)


@pytest.fixture(params=[False, True], ids=["two graphs", "one graph"])
def embedder(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[PictureEmbedder]:
    write_clip(tmp_path / "clip", one_graph=request.param)
    encoder = open_picture_encoder("onnx:clip", tmp_path, threads=1)
    assert encoder is not None
    embedder = PictureEmbedder(encoder)
    yield embedder
    embedder.close()


async def test_each_vector_has_length_one_whatever_it_is_batched_with(embedder: PictureEmbedder) -> None:
    texts = ["mars", "the probe landed on mars", "moon probe"] * 10
    assert np.stack(await embedder.texts(texts)) == pytest.approx(np.stack([colour_of(text) for text in texts]))
    pictures = await embedder.pictures([RED, WHITE] * 5)
    assert np.linalg.norm(np.stack(pictures), axis=1) == pytest.approx(np.ones(10))


async def test_a_picture_is_looked_at_once_however_often_it_is_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_clip(tmp_path / "clip")
    encoder = open_picture_encoder("onnx:clip", tmp_path, threads=1)
    assert encoder is not None
    encode, counts = encoder.pictures, list[int]()

    def counted(pixels: Sequence[Floats]) -> Floats:
        counts.append(len(pixels))
        return encode(pixels)

    monkeypatch.setattr(encoder, "pictures", counted)
    embedder = PictureEmbedder(encoder, capacity=1)
    first = await embedder.pictures([RED, WHITE, RED])
    assert (sum(counts), len(first)) == (2, 3)
    again = await embedder.pictures([WHITE])
    assert sum(counts) == 2
    assert again[0] == pytest.approx(first[1])
    await embedder.pictures([RED])
    assert sum(counts) == 3, "only the last one was kept"
    embedder.close()


async def test_what_cannot_be_read_is_passed_over_where_that_is_asked_for(embedder: PictureEmbedder) -> None:
    red, unreadable, none = await embedder.readable([RED, RED[:40], b""])
    assert red == pytest.approx([1, 0, 0])
    assert unreadable is none is None


@pytest.mark.parametrize("picture", [b"", b"no picture", RED[:40], b"<svg/>"])
async def test_a_picture_that_cannot_be_read_is_named_by_its_place(embedder: PictureEmbedder, picture: bytes) -> None:
    with pytest.raises(InvalidInput) as error:
        await embedder.pictures([RED, picture])
    assert error.value.violations[0].field == "images[1]"


def test_the_middle_is_cut_out_after_the_shorter_edge_was_fitted() -> None:
    image = Image.new("RGB", (40, 10), "black")
    image.paste((255, 0, 0), (15, 0, 25, 10))
    out = io.BytesIO()
    image.save(out, "PNG")
    recipe = PixelRecipe(edge=10, crop=10, mean=(0, 0, 0), deviation=(1, 1, 1))
    pixels = recipe.pixels(out.getvalue())
    assert pixels.shape == (3, 10, 10)
    assert pixels[0] == pytest.approx(np.ones((10, 10)))
    assert not pixels[1:].any()


def test_colours_are_scaled_by_mean_and_deviation() -> None:
    pixels = PixelRecipe(edge=4, crop=4, mean=(0.5, 0.5, 0.5), deviation=(0.25, 0.5, 1.0)).pixels(RED)
    assert pixels[:, 0, 0] == pytest.approx([2, -1, -0.5])


def test_what_is_transparent_lies_on_white() -> None:
    out = io.BytesIO()
    Image.new("RGBA", (4, 4), (255, 0, 0, 0)).save(out, "PNG")
    assert opened(out.getvalue()).getpixel((0, 0)) == (255, 255, 255)


def test_a_picture_of_too_many_pixels_is_refused_before_it_is_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("services.retrieve.pictures.pixels.MAX_PIXELS", 100)
    with pytest.raises(UnusablePicture, match="100 pixels"):
        opened(RED)


@pytest.mark.parametrize(
    ("config", "edges"), [('{"size": 6, "crop_size": 5}', (6, 5)), ("{}", (224, 224)), (None, (224, 224))]
)
def test_a_recipe_is_read_old_and_new(tmp_path: Path, config: str | None, edges: tuple[int, int]) -> None:
    if config is not None:
        (tmp_path / "preprocessor_config.json").write_text(config)
    recipe = read_recipe(tmp_path)
    assert (recipe.edge, recipe.crop) == edges


def test_a_model_that_lacks_a_file_or_is_another_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnusableModel, match="no model"):
        open_picture_encoder("onnx:nowhere", tmp_path, threads=1)
    write_clip(tmp_path / "clip")
    (tmp_path / "clip" / "text_model.onnx").unlink()
    with pytest.raises(UnusableModel, match=r"text_model\.onnx"):
        open_picture_encoder("onnx:clip", tmp_path, threads=1)
    (tmp_path / "clip" / "vision_model.onnx").rename(tmp_path / "clip" / "model.onnx")
    with pytest.raises(UnusableModel, match="text_embeds"):
        open_picture_encoder("onnx:clip", tmp_path, threads=1)
    assert open_picture_encoder("none", tmp_path, threads=1) is None
