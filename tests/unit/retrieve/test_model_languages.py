"""The languages of an embedding model, by its name."""

import pytest

from services.retrieve.embedding.embedder import ModelProfile


@pytest.mark.parametrize(
    ("name", "languages"),
    [
        ("all-MiniLM-L6-v2", ("en",)),
        ("BAAI/bge-small-en-v1.5", ("en",)),
        ("bge-m3", ()),
        ("intfloat/multilingual-e5-small", ()),
    ],
)
def test_a_model_has_the_languages_of_its_family_and_an_unknown_one_all(name: str, languages: tuple[str, ...]) -> None:
    assert ModelProfile(name, 384).languages == languages
