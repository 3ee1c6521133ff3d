"""The recorded terminal stands by itself, and is referred to with words for those who do not see it."""

import html
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tools.recording import QUESTIONS

ROOT = Path(__file__).resolve().parents[3]
IMAGE = ROOT / "docs" / "images" / "terminal.svg"


@pytest.fixture(scope="module")
def image() -> str:
    return IMAGE.read_text(encoding="utf-8")


def test_it_loads_nothing(image: str) -> None:
    tags = {element.tag.rpartition("}")[2] for element in ElementTree.fromstring(image).iter()}
    assert tags <= {"svg", "style", "defs", "clipPath", "rect", "g", "circle", "text"}
    assert re.findall(r"@font-face|@import|src:|href=|url\((?!#)", image) == []


def test_it_holds_the_questions_and_no_path_of_a_machine(image: str) -> None:
    text = html.unescape(image).replace("\xa0", " ")
    assert [question for question in QUESTIONS if question not in text] == []
    assert re.findall(r"/(?:home|tmp|root|Users|work)\b", text) == []


@pytest.mark.parametrize("page", ["README.md", "docs/index.md"])
def test_it_is_referred_to_with_words(page: str) -> None:
    (words,) = re.findall(r"!\[([^\]]*)\]\([^)]*images/terminal\.svg\)", (ROOT / page).read_text(encoding="utf-8"))
    assert len(words.split()) > 10
