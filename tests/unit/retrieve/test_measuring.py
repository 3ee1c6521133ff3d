"""What is measured of a picture when it comes in."""

import io

import numpy as np
import pytest
from PIL import Image

from services.retrieve.corpus.documents import DocumentImage
from services.retrieve.pictures import pixels
from services.retrieve.pictures.pixels import entropy_of, measure, measure_all
from tests.fakes.tiny_clip import png


def encoded(image: Image.Image, form: str) -> bytes:
    out = io.BytesIO()
    image.save(out, form)
    return out.getvalue()


def noise(width: int, height: int) -> Image.Image:
    return Image.fromarray(np.random.default_rng(1).integers(0, 256, (height, width, 3), np.uint8))


@pytest.mark.parametrize("form", ["PNG", "JPEG", "WEBP", "GIF"])
def test_size_and_entropy_are_read_from_the_bytes_of_any_form(form: str) -> None:
    picture_measure = measure(encoded(noise(320, 200), form))
    assert picture_measure is not None
    assert (picture_measure.width, picture_measure.height) == (320, 200)
    assert picture_measure.entropy is not None
    assert picture_measure.entropy > 5


def test_a_plain_surface_has_nothing_to_see_and_a_line_across_it_little() -> None:
    plain = Image.new("RGB", (400, 300), "navy")
    striped = plain.copy()
    striped.paste("white", (0, 140, 400, 150))
    assert entropy_of(plain) == 0
    assert 0 < entropy_of(striped) < 1


def test_a_size_is_told_whatever_it_is_so_is_a_strip_without_inside() -> None:
    picture_measure = measure(png(255, 0, 0, (900, 1)))
    assert picture_measure is not None
    assert (picture_measure.width, picture_measure.height, picture_measure.entropy) == (900, 1, 0.0)


def test_a_picture_is_measured_as_it_looks_on_white() -> None:
    transparent = Image.new("RGBA", (300, 300), (0, 0, 0, 0))
    transparent.paste(noise(300, 300))
    transparent.putalpha(0)
    picture_measure = measure(encoded(transparent, "PNG"))
    assert picture_measure is not None
    assert picture_measure.entropy == 0


def test_a_huge_picture_tells_its_size_and_is_not_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pixels, "MAX_MEASURED_PIXELS", 1000)
    picture_measure = measure(encoded(noise(320, 200), "PNG"))
    assert picture_measure is not None
    assert (picture_measure.width, picture_measure.height, picture_measure.entropy) == (320, 200, None)


def test_bytes_that_break_off_tell_the_size_alone() -> None:
    whole = encoded(noise(320, 200), "PNG")
    picture_measure = measure(whole[: len(whole) // 2])
    assert picture_measure is not None
    assert (picture_measure.width, picture_measure.height, picture_measure.entropy) == (320, 200, None)


@pytest.mark.parametrize("data", [b"", b"no picture", b"<svg/>"])
def test_what_is_no_picture_has_no_measure(data: bytes) -> None:
    assert measure_all([DocumentImage(data=data)]) == (None,)
