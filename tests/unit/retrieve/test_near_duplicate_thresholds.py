"""What is known of an embedding model by its name: how alike passages are that say the same, and its languages."""

from pathlib import Path

import pytest

from services.retrieve.embedding.embedder import Habits, ModelProfile, Pooling, near_duplicate_of, read_profile


@pytest.mark.parametrize(
    ("name", "least"),
    [
        ("all-MiniLM-L6-v2", 0.95),
        ("sentence-transformers/all-MiniLM-L6-v2", 0.95),
        ("BAAI/bge-large-en-v1.5", 0.8),
        ("bge-large-zh", 0.8),
        ("/srv/models/BGE-Large-en-v1.5-tuned/", 0.8),
        ("BAAI/bge-base-en-v1.5", 0.95),
        ("/srv/bge-large/e5-small", 0.95),
        ("", 0.95),
    ],
)
def test_a_model_has_the_threshold_of_its_family_and_an_unknown_one_a_cautious_one(name: str, least: float) -> None:
    assert near_duplicate_of(name) == least


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


def test_a_models_folder_and_what_is_said_beside_it_leave_the_threshold_as_it_is(tmp_path: Path) -> None:
    profile = read_profile(tmp_path, "bge-large-en-v1.5", 1024)
    assert profile.near_duplicate == 0.8
    assert Habits(pooling=Pooling.CLS, passage_prefix="passage: ").applied(profile).near_duplicate == 0.8
