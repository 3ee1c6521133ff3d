"""The domain file: the subject's own words, by configuration."""

from pathlib import Path

import pytest

from services.decompose.words.domain import load_domain


@pytest.mark.parametrize("content", ["name = ", 'name = "x"', "name = 1\nclasses = 3"])
def test_a_broken_file_is_named(tmp_path: Path, content: str) -> None:
    file = tmp_path / "broken.toml"
    file.write_text(content)
    with pytest.raises(ValueError, match=r"broken\.toml"):
        load_domain(file, language="en")


def test_a_missing_file_is_named() -> None:
    with pytest.raises(ValueError, match=r"nowhere\.toml"):
        load_domain(Path("nowhere.toml"), language="en")
