"""Documents that wait for their vectors, in each database."""

from dataclasses import replace

import numpy as np

from services.retrieve.corpus import feed
from services.retrieve.corpus.corpus import Corpus
from services.retrieve.corpus.deleting import delete_document
from services.retrieve.corpus.documents import Document, Vectors
from services.retrieve.corpus.permissions import Caller
from services.retrieve.corpus.waiting import MOST_PASSAGES, WaitingDocument, first_waiting, postpone, put_vectors
from services.retrieve.corpus.writing import put_documents
from tests.conformance.databases import OpenCorpus
from tests.fakes.stored_documents import ENCODER, PREPARATION, put

WIDTH = ENCODER.profile.width


def put_waiting(corpus: Corpus, *names: str, text: str = "The moon.", principals: tuple[str, ...] = ()) -> None:
    documents = [PREPARATION.prepare(Document(name, text, principals=principals)) for name in names]
    waiting = [replace(document, model=ENCODER.profile.name, width=WIDTH) for document in documents]
    corpus.write(put_documents, "default", waiting).result()


def first(corpus: Corpus, model: str = ENCODER.profile.name, limit: int = 64) -> list[WaitingDocument]:
    return corpus.read(first_waiting, model, limit, PREPARATION.texts_of_passage)


def embed(corpus: Corpus, *documents: WaitingDocument) -> None:
    vectors: list[Vectors] = [np.eye(len(document.texts), WIDTH, dtype=np.float16) for document in documents]
    corpus.write(put_vectors, documents, vectors, [b""] * len(documents)).result()


def missing(corpus: Corpus, *principals: str) -> int:
    return corpus.collection_for("default", Caller(principals)).passages_without_vectors


def embedded(corpus: Corpus) -> int:
    """The vectors that an engine would take in."""
    batch = corpus.read(feed.vector_changes, corpus.collection("default")[0], 0, 1000, WIDTH)
    return len(batch.vectors) if batch else 0


def test_they_wait_in_their_order_until_they_have_vectors(corpus: Corpus) -> None:
    put_waiting(corpus, "a", "b", "c")
    collection = corpus.collection("default")[1]
    assert (collection.embedding_model, collection.vector_width, collection.passages) == ("words", WIDTH, 3)
    assert (missing(corpus), embedded(corpus)) == (3, 0)
    waiting = first(corpus)
    assert [document.texts for document in waiting] == [(["The moon."],)] * 3
    assert [each.row for each in first(corpus, limit=2)] == [each.row for each in waiting[:2]]
    embed(corpus, *waiting[:2])
    assert first(corpus) == waiting[2:]
    assert (missing(corpus), embedded(corpus)) == (1, 2)


def test_few_passages_are_read_at_once_but_always_a_document(corpus: Corpus) -> None:
    long = "\n\n".join(f"# Part {number}\n\nIt landed." for number in range(MOST_PASSAGES + 1))
    put_waiting(corpus, "long", text=long)
    put_waiting(corpus, "short")
    (document,) = first(corpus)
    assert len(document.passages) == MOST_PASSAGES + 1
    embed(corpus, document)
    assert len(first(corpus)) == 1


def test_those_of_another_model_wait_for_that_one(corpus: Corpus) -> None:
    put_waiting(corpus, "a")
    assert first(corpus, "other") == []


def test_vectors_of_what_was_replaced_or_deleted_meanwhile_are_not_written(corpus: Corpus) -> None:
    put_waiting(corpus, "a", "b")
    put_waiting(corpus, "c")
    before = first(corpus)
    put_waiting(corpus, "a", text="Mars.")
    corpus.write(delete_document, "default", "b").result()
    embed(corpus, *before)
    assert (missing(corpus), embedded(corpus)) == (1, 1)
    assert [document.texts for document in first(corpus)] == [(["Mars."],)]
    put(corpus, Document("a", "Venus."))
    assert (first(corpus), missing(corpus), embedded(corpus)) == ([], 0, 2)


def test_one_that_is_postponed_waits_behind_the_others_and_a_later_one_behind_it(corpus: Corpus) -> None:
    put_waiting(corpus, "a", "b")
    one, two = first(corpus)
    corpus.write(postpone, one).result()
    put_waiting(corpus, "c")
    rows = [document.row for document in first(corpus)]
    assert rows[:2] == [two.row, one.row]
    assert len(set(rows)) == 3
    corpus.write(postpone, one).result()  # its old place is nobody's
    assert [document.row for document in first(corpus)] == rows


def test_what_is_hidden_from_a_caller_is_not_counted(corpus: Corpus) -> None:
    put_waiting(corpus, "a")
    put_waiting(corpus, "b", principals=("ann",))
    assert (missing(corpus, "ann"), missing(corpus, "bob")) == (2, 1)


def test_they_still_wait_when_the_corpus_is_opened_again(opened: OpenCorpus) -> None:
    with opened() as corpus:
        put_waiting(corpus, "a")
        before = first(corpus)
    with opened() as corpus:
        assert first(corpus) == before
        assert missing(corpus) == 1


def test_a_corpus_of_before_vectors_came_later_takes_documents_that_wait(opened: OpenCorpus) -> None:
    with opened() as corpus:
        corpus.write(lambda connection: connection.execute("DROP TABLE waiting")).result()
    with opened() as corpus:
        put_waiting(corpus, "a")
        assert len(first(corpus)) == 1
