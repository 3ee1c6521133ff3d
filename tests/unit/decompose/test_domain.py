"""The domain file: the subject's own words, by configuration."""

from pathlib import Path

import pytest

from services.decompose.words.domain import is_among, load_domain, singular


@pytest.mark.parametrize(("noun", "noun_singular"), [("policies", "policy"), ("boxes", "box"), ("rovers", "rover")])
def test_a_plural_is_found_by_its_singular(noun: str, noun_singular: str) -> None:
    assert singular(noun, language="en") == noun_singular
    assert is_among(noun, frozenset((noun_singular,)), language="en")


@pytest.mark.parametrize("noun", ["glass", "virus", "basis", "mission"])
def test_a_singular_stays(noun: str) -> None:
    assert singular(noun, language="en") == noun


@pytest.mark.parametrize("content", ["name = ", 'name = "x"', "name = 1\nclasses = 3"])
def test_a_broken_file_is_named(tmp_path: Path, content: str) -> None:
    file = tmp_path / "broken.toml"
    file.write_text(content)
    with pytest.raises(ValueError, match=r"broken\.toml"):
        load_domain(file, language="en")


def test_a_missing_file_is_named() -> None:
    with pytest.raises(ValueError, match=r"nowhere\.toml"):
        load_domain(Path("nowhere.toml"), language="en")
