from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from libs.contracts.evidence import ImageReference
from libs.contracts.query import Filters
from libs.contracts.spans import Span
from libs.contracts.structure import Block, BlockKind, CellRange, Part, Section, Structure
from libs.documents.reading import structure_of
from libs.runtime.errors import InvalidInput, NotFound
from services.retrieve.corpus import feed, originals, reading
from services.retrieve.corpus.corpus import Corpus
from services.retrieve.corpus.databases.database import Connection
from services.retrieve.corpus.deleting import delete_collection, delete_document
from services.retrieve.corpus.documents import Collection, Document, DocumentImage, IngestStatus, PictureMeasure
from services.retrieve.corpus.filtering import access_of
from services.retrieve.corpus.permissions import NOBODY, Caller
from services.retrieve.corpus.writing import put_documents
from services.retrieve.indexing.passage import passages_of
from tests.conformance.databases import OpenCorpus
from tests.fakes.stored_documents import PREPARATION, put

LUNA = Document("luna", "Luna 9 landed softly. It sent pictures.", title="Luna 9", date="1966-02-03")


def changed(corpus: Corpus, after: int = 0) -> tuple[list[int], int]:
    row, _ = corpus.collection("default")
    batch = corpus.read(lambda connection: feed.text_changes(connection, row, after, 100))
    return (list(batch.documents), batch.through) if batch else ([], after)


def test_a_document_comes_back_as_it_was_put(corpus: Corpus) -> None:
    original = replace(LUNA, images=(DocumentImage(caption="The surface", data=b"png"),), metadata={"agency": "USSR"})
    assert put(corpus, original) is IngestStatus.ADDED
    document = corpus.read(lambda connection: reading.document(connection, "default", "luna", ()))
    bare = DocumentImage("luna/1", "The surface")
    structure = structure_of(LUNA.text)
    assert document == replace(original, source="corpus", images=(bare,), structure=structure, language="en")


def test_a_document_keeps_the_structure_and_the_language_that_it_brought(corpus: Corpus) -> None:
    text = "Mond\n\nLuna 9"
    structure = Structure((Section(), Section("Mond", 1, 0, 0, 3)), (Block(BlockKind.LIST, Span(6, 12), 1, page=3),))
    put(corpus, replace(LUNA, text=text, structure=structure, language="de"))
    document = corpus.read(lambda connection: reading.document(connection, "default", "luna", ()))
    assert document is not None
    assert (document.structure, document.language) == (structure, "de")
    passage = corpus.read(lambda connection: reading.passages(connection, "default", ["luna#0"], ()))["luna#0"]
    assert (passage.text, passage.headings, passage.page, passage.language) == ("Luna 9", ("Mond",), 3, "de")
    assert passage.blocks == (Block(BlockKind.LIST, Span(0, 6)),)
    assert passage.cells == ""


def test_a_passage_of_a_sheet_knows_its_cells(corpus: Corpus) -> None:
    cells = CellRange("Orbits", 1, 2, 3, 4)
    block = Block(BlockKind.RECORDS, Span(0, 6), parts=(Part(Span(0, 6), row=4),), cells=cells)
    put(corpus, replace(LUNA, text="Luna 9", structure=Structure(blocks=(block,))))
    passage = corpus.read(lambda connection: reading.passages(connection, "default", ["luna#0"], ()))["luna#0"]
    assert (passage.cells, passage.blocks) == ("Orbits!A4:C4", (block,))


def test_a_passage_knows_its_place_in_the_document(corpus: Corpus) -> None:
    put(corpus, LUNA)
    passage = corpus.read(lambda connection: reading.passages(connection, "default", ["luna#0"], ()))["luna#0"]
    assert (passage.text, passage.title, passage.date) == (LUNA.text, "Luna 9", "1966-02-03")
    assert passage.span == Span(0, len(LUNA.text))


def test_the_same_content_again_changes_nothing(corpus: Corpus) -> None:
    put(corpus, LUNA)
    before = changed(corpus)
    assert put(corpus, LUNA) is IngestStatus.UNCHANGED
    assert changed(corpus) == before


def test_other_content_replaces_the_document_whole_and_counts_as_one_change(corpus: Corpus) -> None:
    put(corpus, LUNA)
    documents, through = changed(corpus)
    assert put(corpus, replace(LUNA, text="Luna 9 was the first. " * 40)) is IngestStatus.REPLACED
    assert changed(corpus, through)[0] == documents
    assert changed(corpus)[0] == documents
    _, state = corpus.collection("default")
    assert (state.documents, state.passages > 1) == (1, True)


def test_a_deleted_document_is_a_change_without_passages(corpus: Corpus) -> None:
    put(corpus, LUNA)
    _, through = changed(corpus)
    assert corpus.write(delete_document, "default", "luna").result() is True
    row, state = corpus.collection("default")
    batch = corpus.read(lambda connection: feed.text_changes(connection, row, through, 100))
    assert batch is not None
    assert (len(batch.documents), batch.passages, state) == (1, (), Collection("default", 0, 0, "words", 64))
    assert corpus.write(delete_document, "default", "luna").result() is False


def test_the_first_vectors_decide_a_collections_model(corpus: Corpus) -> None:
    put(corpus, LUNA)
    foreign = replace(
        PREPARATION.prepare(replace(LUNA, document_id="other")), vectors=np.ones((1, 64), np.float16), windows=(1,)
    )
    narrow = replace(foreign, model="words", vectors=np.ones((1, 8), np.float16))
    outcomes = corpus.write(put_documents, "default", [replace(foreign, model="another"), narrow]).result()
    assert [outcome.reason for outcome in outcomes if isinstance(outcome, InvalidInput)] == [
        "VECTOR_MODEL_MISMATCH",
        "VECTOR_WIDTH_MISMATCH",
    ]
    assert corpus.collection("default")[1].documents == 1


def test_a_write_that_fails_takes_none_of_its_neighbours_with_it(corpus: Corpus) -> None:
    def broken(connection: Connection) -> None:
        connection.execute("DELETE FROM documents")
        raise ValueError("broken")

    put(corpus, LUNA)
    writes: list[Future[Any]] = [
        corpus.write(put_documents, "default", [PREPARATION.prepare(replace(LUNA, document_id="before"))]),
        corpus._writer.submit(broken),
        corpus.write(put_documents, "default", [PREPARATION.prepare(replace(LUNA, document_id="after"))]),
    ]
    assert [write.exception() is None for write in writes] == [True, False, True]
    assert corpus.collection("default")[1].documents == 3


def test_what_was_acknowledged_is_there_after_reopening(opened: OpenCorpus) -> None:
    with opened() as corpus:
        put(corpus, LUNA, "moon")
        identity = corpus.identity
    with opened() as corpus:
        assert corpus.identity == identity
        assert [document.name for document in corpus.collections(NOBODY)] == ["default", "moon"]


def test_a_collection_is_deleted_with_all_it_holds_and_default_is_made_anew(corpus: Corpus) -> None:
    put(corpus, LUNA)
    put(corpus, LUNA, "moon")
    assert corpus.write(delete_collection, "moon").result()
    assert corpus.write(delete_collection, "default").result()
    assert not corpus.write(delete_collection, "moon").result()
    assert corpus.collections(NOBODY) == [Collection("default")]
    with pytest.raises(NotFound, match="moon"):
        corpus.collection("moon")


def test_every_change_of_a_collection_is_a_new_version(corpus: Corpus) -> None:
    versions = [corpus.collection("default")[1].version]

    def changes(change: Callable[[], object]) -> bool:
        change()
        versions.append(corpus.collection("default")[1].version)
        return versions[-1] not in versions[:-1]

    assert changes(lambda: put(corpus, LUNA))
    assert changes(lambda: put(corpus, replace(LUNA, text="Luna 9 landed on the Moon.")))
    assert changes(lambda: put(corpus, replace(LUNA, principals=("ann",))))
    assert not changes(lambda: put(corpus, replace(LUNA, principals=("ann",))))
    assert not changes(lambda: put(corpus, LUNA, "moon"))
    assert changes(lambda: corpus.write(delete_document, "default", "luna", Caller(("ann",))).result())
    assert changes(lambda: corpus.write(delete_collection, "default").result())


def test_only_its_principals_see_a_document(corpus: Corpus) -> None:
    put(corpus, replace(LUNA, principals=("ann", "team:moon")))

    def seen_by(*principals: str) -> bool:
        return corpus.read(lambda connection: reading.document(connection, "default", "luna", principals)) is not None

    assert [seen_by(), seen_by("bob"), seen_by("bob", "team:moon")] == [False, False, True]


def test_a_passage_of_several_thoughts_has_a_vector_for_each(corpus: Corpus) -> None:
    thoughts = ("Luna 9 landed softly on the Moon. " * 11, "It sent pictures of the surface home. " * 10)
    put(corpus, replace(LUNA, text="".join(thoughts).strip()))
    row, state = corpus.collection("default")
    batch = corpus.read(lambda connection: feed.vector_changes(connection, row, 0, 100, 64))
    assert batch is not None
    (key,) = corpus.read(lambda c: [document for (document,) in c.execute("SELECT id FROM passages")])
    assert (state.passages, passages_of(batch.keys).tolist()) == (1, [key, key])
    assert len(set(batch.owners.tolist())) == 1
    assert batch.vectors.shape == (2, 64)


def test_the_language_of_most_documents_comes_first_and_is_looked_up_again_after_a_change(corpus: Corpus) -> None:
    assert tuple(corpus.language_counts("default", NOBODY)) == ()
    put(corpus, replace(LUNA, language="de"))
    assert tuple(corpus.language_counts("default", NOBODY)) == ("de",)
    for name in ("a", "b"):
        put(corpus, replace(LUNA, document_id=name, language="fr"))
    assert tuple(corpus.language_counts("default", NOBODY)) == ("fr", "de")


def test_a_language_of_a_few_documents_is_not_one_of_the_collections(corpus: Corpus) -> None:
    for number in range(20):
        put(corpus, replace(LUNA, document_id=f"french-{number}", language="fr"))
    put(corpus, replace(LUNA, document_id="german", language="de"))
    assert corpus.main_languages("default", NOBODY) == ("fr",)
    put(corpus, replace(LUNA, document_id="german-2", language="de"))
    assert corpus.main_languages("default", NOBODY) == ("fr", "de")


def test_what_was_measured_of_a_picture_holds_against_what_was_said_of_it(corpus: Corpus) -> None:
    image = DocumentImage(caption="The surface", width=9, height=9, data=b"png")
    prepared_document = replace(PREPARATION.prepare(replace(LUNA, images=(image, image))), model="words")
    document = replace(prepared_document, measures=(PictureMeasure(640, 480, 3.25), None))
    corpus.write(put_documents, "default", [document]).result()
    first = corpus.read(lambda c: reading.image(c, "default", "luna/1", ()))
    second = corpus.read(lambda c: reading.image(c, "default", "luna/2", ()))
    assert first is not None
    assert second is not None
    assert first.reference == ImageReference("luna/1", "The surface", "", 640, 480, 3.25)
    assert second.reference == ImageReference("luna/2", "The surface", "", 9, 9, None)
    assert first.data == b"png"


def test_what_a_database_cannot_index_or_store_as_it_is_can_be_put_and_searched(corpus: Corpus) -> None:
    label = "long value " * 1000
    put(corpus, replace(LUNA, url="https://moon/\x00", metadata={"note": label}))
    row, _ = corpus.collection("default")
    admission = access_of(Filters(metadata={"note": label}), ()).conditions
    assert len(corpus.cached(feed.admitted_documents, row, admission)) == 1
    assert corpus.read(lambda connection: reading.passage_ids_of_keys(connection, [])) == {}


def test_ids_are_listed_by_their_bytes(corpus: Corpus) -> None:
    for name in ("b", "A", "a", "\u00e4", "B", "a/1", "a0"):
        put(corpus, replace(LUNA, document_id=name))
    page = corpus.read(lambda connection: reading.documents_after(connection, "default", "", 10, ()))
    assert [document.document_id for document in page] == ["A", "B", "a", "a/1", "a0", "b", "\u00e4"]


def test_a_corpus_of_before_files_were_stored_takes_them(opened: OpenCorpus) -> None:
    with opened() as corpus:
        corpus.write(lambda connection: connection.execute("DROP TABLE originals")).result()
    with opened() as corpus:
        put(corpus, replace(LUNA, original=b"%PDF-1.4"))
        original = corpus.read(originals.original, "default", "luna", ())
        assert original is not None
        assert corpus.read(originals.file_of, original) == b"%PDF-1.4"
        put(corpus, replace(LUNA, original=b"%PDF-1.5"))
        assert corpus.read(originals.file_of, original) == b""
