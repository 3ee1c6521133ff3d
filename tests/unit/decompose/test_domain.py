"""The domain file: the subject's own words, by configuration."""

from pathlib import Path

import pytest

from services.decompose.condense.ladder import Condenser
from services.decompose.words.domain import domain_file, is_among, load_domain, singular
from tests.unit.decompose.conversations import REFUND, conversation


def test_another_file_brings_other_connectives(tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    file.write_text(
        domain_file(language="en").read_text().replace('case_connective = "policy"', 'case_connective = "rules"')
    )
    record = Condenser(load_domain(file, language="en")).condense("What about damaged items?", conversation(REFUND))
    assert record.standalone == "refund rules for damaged items"


@pytest.mark.parametrize(("noun", "noun_singular"), [("policies", "policy"), ("boxes", "box"), ("rovers", "rover")])
def test_a_plural_is_found_by_its_singular(noun: str, noun_singular: str) -> None:
    assert singular(noun, language="en") == noun_singular
    assert is_among(noun, frozenset((noun_singular,)), language="en")


@pytest.mark.parametrize("noun", ["glass", "virus", "basis", "mission"])
def test_a_singular_stays(noun: str) -> None:
    assert singular(noun, language="en") == noun


@pytest.mark.parametrize("content", ["name = ", 'name = "x"', "name = 1\nconnectives = 3"])
def test_a_broken_file_is_named(tmp_path: Path, content: str) -> None:
    file = tmp_path / "broken.toml"
    file.write_text(content)
    with pytest.raises(ValueError, match=r"broken\.toml"):
        load_domain(file, language="en")


def test_a_missing_file_is_named() -> None:
    with pytest.raises(ValueError, match=r"nowhere\.toml"):
        load_domain(Path("nowhere.toml"), language="en")
