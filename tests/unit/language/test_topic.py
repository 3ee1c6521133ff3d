"""Topics: typed words and patterns of a language, read from its files."""

import importlib
import pkgutil
import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path

import pytest

import libs.language.topics
from libs.language import files as language_files
from libs.language import topic as reading
from libs.language.files import LanguageDataError, known_languages
from libs.language.topic import Topic, topic_name

_DATA = Path(reading.__file__).with_name("data")


@dataclass(frozen=True)
class Colours(Topic):
    """A topic of this test."""

    words: frozenset[str]
    ordered: tuple[str, ...]
    numbers: Mapping[str, int]
    pattern: re.Pattern[str]
    name: str
    is_warm: bool


@pytest.fixture
def colours_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file of the topic in a language of this test."""
    monkeypatch.setattr(language_files, "folders", lambda: (tmp_path,))
    _forget()
    file = tmp_path / "xx" / "colours.toml"
    file.parent.mkdir(parents=True)
    return file


def _forget() -> None:
    """Empty the cache of the reader."""
    reading._reader.cache_clear()


def _write(file: Path, text: str) -> Colours:
    file.write_text(text, encoding="utf-8")
    _forget()
    return Colours.of("xx")


def test_a_key_is_read_by_the_type_of_its_field(colours_file: Path) -> None:
    colours = _write(
        colours_file,
        'words = "red green"\nordered = "dark red, pale"\nname = "x"\nis_warm = true\n'
        "pattern = '''(?i)\\b{words}\\b'''\n[numbers]\nred = 1\n",
    )
    assert colours.words == {"red", "green"}
    assert colours.ordered == ("dark red", "pale")
    assert colours.numbers == {"red": 1}
    assert colours.pattern.search("A Green one")
    assert (colours.name, colours.is_warm) == ("x", True)


def test_parts_stand_in_the_patterns_of_their_file_and_in_no_field(colours_file: Path) -> None:
    text = 'pattern = "{dark}s?"\n[parts]\ndark = "(?i)dark {words}"\nwords = ["red", "blue"]\n'
    assert _write(colours_file, text).pattern.fullmatch("Dark blues")


def test_a_word_that_a_table_lacks_is_named_with_its_file_and_key(colours_file: Path) -> None:
    numbers = _write(colours_file, "[numbers]\nred = 1\n").numbers
    assert numbers.get("green") is None
    with pytest.raises(LanguageDataError, match=r"xx/colours\.toml: numbers: 'green' is missing"):
        numbers["green"]


def test_what_is_missing_is_empty_and_matches_nothing(colours_file: Path) -> None:
    colours = Colours.of("yy")
    assert (colours.words, colours.ordered, dict(colours.numbers), colours.name) == (frozenset(), (), {}, "")
    assert colours.pattern.search("red") is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("shade = 1", r"xx/colours\.toml: no such key: shade"),
        ("words = 3", r"xx/colours\.toml: words: must be a list"),
        ("is_warm = 'yes'", r"is_warm: must be a bool"),
        ("pattern = '\\w+'", r"pattern: '\+' has no upper bound"),
        ("pattern = '{nothing}'", r"pattern: no such list or pattern: nothing"),
        ("pattern = '{other.words}'", r"pattern: no such topic: other"),
        ("words = ", r"xx/colours\.toml: Invalid value"),
    ],
)
def test_a_fault_is_named_with_its_file_and_key(colours_file: Path, text: str, message: str) -> None:
    with pytest.raises(LanguageDataError, match=message):
        _write(colours_file, text)


def _topics() -> list[type[Topic]]:
    for module in pkgutil.iter_modules(libs.language.topics.__path__):
        importlib.import_module(f"libs.language.topics.{module.name}")
    return [topic for topic in Topic.__subclasses__() if topic.__module__.startswith("libs.")]


@pytest.mark.parametrize("language", known_languages())
def test_every_topic_of_every_language_can_be_read(language: str) -> None:
    for topic in _topics():
        assert len(fields(topic.of(language))) == len(fields(topic))


def test_every_file_belongs_to_a_topic() -> None:
    names = {topic_name(topic) for topic in _topics()}
    others = {"language", "policy", "domain", "places"}
    assert {file.stem for file in _DATA.glob("*/*.toml")} - names - others == set()
