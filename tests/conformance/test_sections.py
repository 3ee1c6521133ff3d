"""Whole sections are read in every database: in order, once, by those who may see them, within bounds."""

from dataclasses import replace

import pytest

from libs.contracts.evidence import WholeSection
from services.retrieve.corpus import sections
from services.retrieve.corpus.corpus import Corpus
from services.retrieve.corpus.documents import Document
from tests.fakes.stored_documents import put

ROWS = "\n".join(f"| Room {number} | {number} seats, of which some are by the window |" for number in range(1, 41))
ROOMS = Document("rooms", f"# Rooms\n\n| Room | Seats |\n|---|---|\n{ROWS}\n\n## Rules\n\nDoors are closed at ten.")


def read(corpus: Corpus, *passages: str, principals: tuple[str, ...] = ()) -> tuple[WholeSection, ...]:
    return corpus.read(lambda c: tuple(sections.sections_of_passages(c, "default", passages, principals)))


def test_a_section_is_read_once_from_its_first_passage_to_its_last(corpus: Corpus) -> None:
    put(corpus, ROOMS)
    (section,) = read(corpus, "rooms#2", "rooms#1")
    assert [passage.passage_id for passage in section.passages] == [f"rooms#{n}" for n in range(len(section.passages))]
    text = "".join(passage.text for passage in section.passages)
    assert ("Room 1 |" in text, "Room 40 |" in text, "Doors" in text, section.is_cut) == (True, True, False, False)


def test_who_may_not_see_a_document_reads_no_section_of_it(corpus: Corpus) -> None:
    put(corpus, replace(ROOMS, principals=("alice",)))
    assert read(corpus, "rooms#1", principals=("bob",)) == ()
    assert len(read(corpus, "rooms#1", principals=("alice",))) == 1


def test_a_section_beyond_the_bounds_is_cut(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    put(corpus, ROOMS)
    monkeypatch.setattr(sections, "MOST_PASSAGES", 2)
    (section,) = read(corpus, "rooms#1")
    assert (len(section.passages), section.is_cut) == (2, True)


def test_a_part_of_a_file_is_a_cut_section(corpus: Corpus) -> None:
    put(corpus, ROOMS)
    put(corpus, replace(ROOMS, document_id="rooms#2"))
    assert [section.is_cut for section in read(corpus, "rooms#1")] == [True]
