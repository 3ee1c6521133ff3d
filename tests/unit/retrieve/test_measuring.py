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


def see_through() -> Image.Image:
    """Noise that nobody sees."""
    image = Image.new("RGBA", (320, 200))
    image.paste(noise(320, 200))
    image.putalpha(0)
    return image


def measured(picture: bytes) -> tuple[int | None, int | None, float | None]:
    measure_of_it = measure(picture)
    assert measure_of_it is not None
    return measure_of_it.width, measure_of_it.height, measure_of_it.entropy


@pytest.mark.parametrize("form", ["PNG", "JPEG", "WEBP", "GIF"])
def test_size_and_entropy_are_read_from_the_bytes_of_any_form(form: str) -> None:
    width, height, entropy = measured(encoded(noise(320, 200), form))
    assert (width, height) == (320, 200)
    assert entropy is not None
    assert entropy > 5


@pytest.mark.parametrize(
    ("picture", "expected"),
    [
        (png(255, 0, 0, (900, 1)), (900, 1, 0.0)),
        (encoded(see_through(), "PNG"), (320, 200, 0.0)),
        (encoded(noise(320, 200), "PNG")[:9000], (320, 200, None)),
    ],
    ids=["a strip without inside", "as it looks on white", "bytes that break off"],
)
def test_a_size_is_told_whatever_the_picture_is(picture: bytes, expected: tuple[int, int, float | None]) -> None:
    assert measured(picture) == expected


def test_a_plain_surface_has_nothing_to_see_and_a_line_across_it_little() -> None:
    plain = Image.new("RGB", (400, 300), "navy")
    striped = plain.copy()
    striped.paste("white", (0, 140, 400, 150))
    assert entropy_of(plain) == 0
    assert 0 < entropy_of(striped) < 1


def test_a_huge_picture_tells_its_size_and_is_not_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pixels, "MAX_MEASURED_PIXELS", 1000)
    assert measured(encoded(noise(320, 200), "PNG")) == (320, 200, None)


@pytest.mark.parametrize("data", [b"", b"no picture", b"<svg/>"])
def test_what_is_no_picture_has_no_measure(data: bytes) -> None:
    assert measure_all([DocumentImage(data=data)]) == (None,)
