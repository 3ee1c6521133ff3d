"""A folder of the user's adds languages, and words to those that the package has."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from libs.language import files
from libs.language import topic as topics
from libs.language.files import known_languages, place_names, word_table
from libs.language.known import language_of, phrase
from libs.language.topics.timelines import TimelineWords
from libs.language.topics.turns import Picks
from libs.runtime.settings import SettingsError
from services.decompose.words.domain import load_domain

CACHED = (
    *(files.folders, files.word_table, files.place_names, files.known_languages, language_of),
    topics._reader,
)


def _forget() -> None:
    for function in CACHED:
        function.cache_clear()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder that the setting names."""
    monkeypatch.setenv("PARLEY_LANGUAGE_DATA", str(tmp_path))
    _forget()
    yield tmp_path
    _forget()


def _save(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def test_a_language_of_the_folder_is_known(folder: Path) -> None:
    _save(folder / "eo" / "language.toml", 'name = "Esperanto"\nstop_words = "la de"\n')
    assert "eo" in known_languages()
    assert language_of("eo").stop_words == {"la", "de"}


def test_a_key_replaces_the_package_s_key_and_leaves_the_others(folder: Path) -> None:
    before = language_of("en")
    _save(folder / "en" / "language.toml", 'thanks = ["ta very much"]\n[phrases]\nreply_thanks = "Any time."\n')
    _forget()
    after = language_of("en")
    assert (after.thanks, after.greetings) == (("ta very much",), before.greetings)
    assert phrase("reply_thanks", "en") == "Any time."
    assert phrase("answer_nothing", "en") == before.phrases["answer_nothing"]


def test_a_topic_takes_keys_of_both_files(folder: Path) -> None:
    _save(folder / "en" / "picks.toml", 'yes = "aye"\n')
    picks = Picks.of("en")
    assert picks.yes == {"aye"}
    assert picks.last
    assert TimelineWords.of("en") == TimelineWords.of("en")


def test_rows_of_tables_and_places_are_added(folder: Path) -> None:
    rows, places = word_table("verbs", "en"), place_names("en")
    _save(folder / "en" / "verbs.txt", "yeet | yeeted | yeeted\n")
    _save(folder / "en" / "places.txt", "new_vienna\n")
    _forget()
    assert word_table("verbs", "en") == (*rows, (("yeet",), ("yeeted",), ("yeeted",)))
    assert place_names("en") == places | {"new vienna"}


def test_a_domain_of_the_folder_is_loaded_by_its_name(folder: Path) -> None:
    _save(folder / "en" / "domains" / "ships.toml", 'name = "ships"\nextends = "general"\n')
    assert load_domain(Path("ships"), language="en").name == "ships"


def test_a_folder_that_is_not_there_is_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PARLEY_LANGUAGE_DATA", str(folder / "missing"))
    with pytest.raises(SettingsError, match="PARLEY_LANGUAGE_DATA: must name a folder"):
        known_languages()
