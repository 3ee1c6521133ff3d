"""The sample corpus keeps what its README promises."""

import json
import re
from datetime import date, datetime
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from libs.contracts.evidence import ImageReference
from libs.documents.picture_quality import LEAST_ENTROPY, LEAST_SIDE, is_good
from services.retrieve.pictures.measuring import measure

SAMPLES = Path(__file__).parents[3] / "samples"
NOTES = sorted((SAMPLES / "corpus").glob("*.md"))
SLUGS = {note.stem for note in NOTES}
CONVERSATIONS = sorted((SAMPLES / "conversations").glob("*.jsonl"))
PICTURES = sorted(path.name for path in (SAMPLES / "corpus" / "pictures").iterdir())
MARKS = {"archive-logo.png", "orbit-mark.png", "word-mark.png", "menu-icon.png", "rocket-icon.png", "page-banner.png"}
"""Logos, icons and a banner, as pages carry them: they must never stand beside an answer."""
A_YEAR = re.compile(r"\b(?:19|20)\d\d\b")

each_note = pytest.mark.parametrize("note", NOTES, ids=lambda note: note.stem)
each_conversation = pytest.mark.parametrize("conversation", CONVERSATIONS, ids=lambda path: path.stem)


def front_matter(note: Path) -> tuple[dict[str, str], list[dict[str, str]]]:
    """The plain keys of a note and the keys of each of its images."""
    _, block, _ = note.read_text(encoding="utf-8").split("---\n", 2)
    plain: dict[str, str] = {}
    images: list[dict[str, str]] = []
    for line in block.splitlines():
        key, value = (part.strip() for part in line.removeprefix("  - ").split(":", 1))
        if not line.startswith(" "):
            plain[key] = value
        elif line.startswith("  - "):
            images.append({key: value})
        else:
            images[-1][key] = value
    return plain, images


def body(note: Path) -> str:
    return note.read_text(encoding="utf-8").split("---\n", 2)[2]


def turns(conversation: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in conversation.read_text(encoding="utf-8").splitlines()]


def test_there_are_more_than_sixty_notes_many_pictures_and_three_conversations() -> None:
    assert len(NOTES) == 71
    assert len(PICTURES) == 33
    assert len(CONVERSATIONS) == 3


@each_note
def test_a_note_tells_its_title_address_and_date(note: Path) -> None:
    plain, _ = front_matter(note)
    assert f"# {plain['title']}\n" in body(note)
    assert plain["url"] == f"https://example.org/missions/{note.stem}"
    assert date(2023, 1, 1) <= date.fromisoformat(plain["date"]) <= date(2026, 12, 31)


@each_note
def test_a_note_is_short_and_full_of_dates(note: Path) -> None:
    text = body(note)
    assert 180 <= len(text.split()) <= 430
    assert len(A_YEAR.findall(text)) >= 3


@each_note
def test_an_image_exists_and_has_the_stated_size(note: Path) -> None:
    for image in front_matter(note)[1]:
        with Image.open(note.parent / image["path"]) as picture:
            assert picture.size == (int(image["width"]), int(image["height"]))
        assert image["caption"]


def test_every_picture_belongs_to_a_note() -> None:
    picture_names = {Path(image["path"]).name for note in NOTES for image in front_matter(note)[1]}
    assert picture_names == set(PICTURES)


def test_exactly_one_note_is_restricted_and_alone_says_why_an_orbiter_was_lost() -> None:
    restricted_notes = [note for note in NOTES if "principals" in front_matter(note)[0]]
    assert [note.stem for note in restricted_notes] == ["internal-lost-in-1999"]
    assert front_matter(restricted_notes[0])[0]["principals"] == "[mission-control]"
    assert [note for note in NOTES if "Mars Climate Orbiter" in body(note)] == restricted_notes


@pytest.mark.parametrize(("one", "other"), [("voyager-1", "voyager-2"), ("curiosity", "perseverance")])
def test_two_pairs_of_notes_share_a_passage(one: str, other: str) -> None:
    sentences = [set(re.split(r"(?<=\.)\s+", body(SAMPLES / "corpus" / f"{slug}.md"))) for slug in (one, other)]
    assert len(sentences[0] & sentences[1]) >= 3


def test_the_date_that_the_readme_offers_for_editing_stands_in_one_sentence_of_one_note() -> None:
    readme = (SAMPLES / "README.md").read_text(encoding="utf-8")
    sentence = next(line.removeprefix("> ") for line in readme.splitlines() if line.startswith("> "))
    date_counts = [
        (note.stem, body(note).count("2 November 2008")) for note in NOTES if "2 November 2008" in body(note)
    ]
    assert date_counts == [("phoenix", 1)]
    assert sentence in body(SAMPLES / "corpus" / "phoenix.md")


@pytest.mark.parametrize("name", PICTURES)
def test_illustrations_show_something_and_logos_icons_and_banners_do_not(name: str) -> None:
    """As the corpus measures them; each beside every caption that a note gives it."""
    data = (SAMPLES / "corpus" / "pictures" / name).read_bytes()
    assert len(data) < 20_000
    measure_result = measure(data)
    assert measure_result is not None
    captions = {i["caption"] for note in NOTES for i in front_matter(note)[1] if i["path"].endswith(f"/{name}")}
    assert captions
    for caption in captions:
        image = ImageReference(
            "note/1", caption, "", measure_result.width, measure_result.height, measure_result.entropy
        )
        assert is_good(image) is (name not in MARKS)


def test_marks_as_large_as_pictures_are_told_by_their_plainness() -> None:
    measures = {name: measure((SAMPLES / "corpus" / "pictures" / name).read_bytes()) for name in MARKS}
    large = [name for name, m in measures.items() if m and min(m.width, m.height) >= LEAST_SIDE]
    plain = [name for name in large if (m := measures[name]) and m.entropy is not None and m.entropy < LEAST_ENTROPY]
    assert sorted(large) == sorted(plain) == ["archive-logo.png", "orbit-mark.png", "word-mark.png"]


@each_conversation
def test_a_turn_says_what_it_shows_and_what_it_expects(conversation: Path) -> None:
    for turn in turns(conversation):
        assert turn.keys() <= {"question", "note", "expect", "cites", "pro", "now"}
        assert turn["question"]
        assert turn["note"]
        assert turn["expect"] in {"answered", "abstained"}
        assert bool(turn["cites"]) == (turn["expect"] == "answered")
        assert set(turn["cites"]) <= SLUGS
        assert isinstance(turn.get("pro", False), bool)
        assert datetime.fromisoformat(turn.get("now", "2026-01-01T00:00:00Z")).tzinfo


def test_the_conversations_show_a_refusal_a_timeline_and_a_relative_date() -> None:
    every = [turn for conversation in CONVERSATIONS for turn in turns(conversation)]
    assert any(turn["expect"] == "abstained" for turn in every)
    assert any(turn.get("pro") for turn in every)
    assert any("now" in turn for turn in every)
    assert min(len(turns(conversation)) for conversation in CONVERSATIONS) >= 3
