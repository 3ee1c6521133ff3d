"""Who may replace, delete and drop: those who put a document, those who administer, and nobody else."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import pytest

from libs.runtime.errors import InvalidInput, NotFound, PermissionDenied
from services.retrieve.corpus import reading
from services.retrieve.corpus.corpus import Corpus
from services.retrieve.corpus.deleting import delete_collection, delete_document
from services.retrieve.corpus.documents import Document, DocumentImage, IngestStatus
from services.retrieve.corpus.permissions import NOBODY, Caller
from services.retrieve.corpus.roots import PlacedRoot, Root, RootRequest, place_roots
from tests.fakes.stored_documents import put

ALICE, BOB, ADMIN = Caller(("alice", "team:sea")), Caller(("bob",)), Caller(("root",), is_admin=True)
COLLEAGUE = Caller(("carol", "team:sea"))
TIDE = Document("tide", "The tide is low at noon.")
CLOSED = replace(TIDE, principals=("alice",))
OTHER = replace(TIDE, text="The tide is high.")
ADDED, REPLACED, UNCHANGED = IngestStatus.ADDED, IngestStatus.REPLACED, IngestStatus.UNCHANGED


def refused(reason: str, call: Callable[[], object]) -> None:
    with pytest.raises(PermissionDenied) as error:
        call()
    assert error.value.reason == reason


def delete(corpus: Corpus, caller: Caller, document_id: str = "tide") -> bool:
    return corpus.write(delete_document, "default", document_id, caller).result()


def drop(corpus: Corpus, collection: str, caller: Caller) -> bool:
    return corpus.write(delete_collection, collection, caller).result()


@pytest.mark.parametrize("original", [TIDE, CLOSED])
@pytest.mark.parametrize("stranger", [BOB, NOBODY])
def test_a_stranger_replaces_nothing_whether_seen_or_not(corpus: Corpus, original: Document, stranger: Caller) -> None:
    assert put(corpus, original, caller=ALICE) is ADDED
    for document in (original, OTHER):
        refused("DOCUMENT_NOT_OWNED", lambda document=document: put(corpus, document, caller=stranger))  # type: ignore[misc]
    stored = corpus.read(lambda connection: reading.document(connection, "default", "tide", ("alice",)))
    assert stored is not None
    assert stored.text == TIDE.text


def test_an_owner_and_who_shares_a_principal_replace(corpus: Corpus) -> None:
    put(corpus, TIDE, caller=ALICE)
    assert put(corpus, TIDE, caller=ALICE) is UNCHANGED
    assert put(corpus, OTHER, caller=COLLEAGUE) is REPLACED
    assert put(corpus, TIDE, caller=Caller(("alice",))) is REPLACED  # it still belongs to who put it first


def test_an_owner_writes_what_only_others_may_read(corpus: Corpus) -> None:
    put(corpus, replace(TIDE, principals=("crew",)), caller=ALICE)
    assert corpus.read(lambda connection: reading.document(connection, "default", "tide", ALICE.principals)) is None
    assert put(corpus, replace(OTHER, principals=("crew",)), caller=ALICE) is REPLACED
    assert delete(corpus, ALICE)


def test_a_document_of_nobody_is_replaced_by_who_may_read_it_and_is_theirs_then(corpus: Corpus) -> None:
    put(corpus, CLOSED)
    refused("DOCUMENT_NOT_OWNED", lambda: put(corpus, OTHER, caller=BOB))
    assert put(corpus, replace(CLOSED, text="The tide turns."), caller=NOBODY) is REPLACED
    assert put(corpus, TIDE, caller=ALICE) is REPLACED
    refused("DOCUMENT_NOT_OWNED", lambda: put(corpus, OTHER, caller=BOB))


def test_deleting_needs_an_owner_and_what_is_hidden_does_not_exist(corpus: Corpus) -> None:
    put(corpus, TIDE, caller=ALICE)
    put(corpus, replace(CLOSED, document_id="closed"), caller=ALICE)
    refused("DOCUMENT_NOT_OWNED", lambda: delete(corpus, BOB))
    assert not delete(corpus, BOB, "closed")
    assert not delete(corpus, NOBODY, "closed")
    assert delete(corpus, COLLEAGUE)
    assert delete(corpus, ADMIN, "closed")


def test_an_admin_replaces_and_the_owner_stays(corpus: Corpus) -> None:
    put(corpus, CLOSED, caller=ALICE)
    assert put(corpus, OTHER, caller=ADMIN) is REPLACED
    assert put(corpus, TIDE, caller=ALICE) is REPLACED
    refused("DOCUMENT_NOT_OWNED", lambda: put(corpus, OTHER, caller=replace(ADMIN, is_admin=False)))


def test_a_collection_is_dropped_by_who_owns_all_of_it(corpus: Corpus) -> None:
    put(corpus, TIDE, "sea", caller=ALICE)
    put(corpus, replace(TIDE, document_id="two"), "sea", caller=BOB)
    for caller in (ALICE, BOB, NOBODY):
        refused("COLLECTION_NOT_OWNED", partial(drop, corpus, "sea", caller))
    assert corpus.collection("sea")[1].documents == 2
    assert corpus.write(delete_document, "sea", "two", BOB).result()
    assert drop(corpus, "sea", ALICE)
    put(corpus, TIDE, "sea", caller=ALICE)
    assert drop(corpus, "sea", ADMIN)


def test_a_collection_of_which_one_sees_nothing_does_not_exist(corpus: Corpus) -> None:
    put(corpus, CLOSED, "sea", caller=ALICE)
    assert [collection.name for collection in corpus.collections(BOB)] == ["default"]
    assert not drop(corpus, "sea", BOB)
    with pytest.raises(NotFound):
        corpus.collection_for("sea", BOB)
    assert corpus.collection_for("sea", ALICE).documents == 1
    assert corpus.collection_for("sea", ADMIN).documents == 1


STRANGERS = [BOB, NOBODY, Caller(("team:land",))]


@pytest.mark.parametrize("stranger", STRANGERS)
@pytest.mark.parametrize("readers", [("alice",), ("crew",)])
def test_a_collection_of_others_alone_takes_nothing_of_strangers(
    corpus: Corpus, stranger: Caller, readers: tuple[str, ...]
) -> None:
    put(corpus, replace(TIDE, principals=readers), "sea", caller=ALICE)
    for document in (replace(TIDE, document_id="new"), replace(CLOSED, document_id="new"), OTHER):
        refused("COLLECTION_NOT_OWNED", partial(put, corpus, document, "sea", caller=stranger))
    roots = [RootRequest("/home/docs", "docs")]
    refused("COLLECTION_NOT_OWNED", lambda: corpus.write(place_roots, "sea", roots, stranger).result())
    assert [collection.name for collection in corpus.collections(stranger)] == ["default"]
    assert not drop(corpus, "sea", stranger)
    for member in (ALICE, COLLEAGUE, ADMIN, replace(stranger, is_granted=True)):
        name = repr(member)
        assert put(corpus, replace(TIDE, document_id=name, principals=readers), "sea", caller=member) is ADDED


@pytest.mark.parametrize("stranger", STRANGERS)
def test_whoever_knows_a_collection_adds_to_it(corpus: Corpus, stranger: Caller) -> None:
    put(corpus, TIDE, "open", caller=ALICE)
    put(corpus, replace(TIDE, principals=("bob", "team:land")), "ours", caller=ALICE)
    put(corpus, CLOSED, "default", caller=ALICE)
    put(corpus, CLOSED, "nobody's")
    corpus.write(place_roots, "empty", [RootRequest("/home/docs", "docs")], ALICE).result()
    new = replace(TIDE, document_id="new")
    for collection in ("open", "default", "empty", "unheard of", *(["ours"] if stranger.principals else ["nobody's"])):
        assert put(corpus, new, collection, caller=stranger) is ADDED


def test_a_collection_counts_what_one_may_read_or_owns(corpus: Corpus) -> None:
    put(corpus, TIDE, "sea", caller=ALICE)
    put(corpus, replace(CLOSED, document_id="closed"), "sea", caller=ALICE)
    put(corpus, replace(TIDE, document_id="crew", principals=("crew",)), "sea", caller=ALICE)
    counts = {
        caller: (corpus.collection_for("sea", caller).documents, corpus.collection_for("sea", caller).passages)
        for caller in (ALICE, BOB, NOBODY, ADMIN, Caller(("crew",)))
    }
    assert counts == {ALICE: (3, 3), BOB: (1, 1), NOBODY: (1, 1), ADMIN: (3, 3), Caller(("crew",)): (2, 2)}
    assert {one.name: one.documents for one in corpus.collections(BOB)} == {"default": 0, "sea": 1}


def place(corpus: Corpus, caller: Caller, *requests: RootRequest) -> list[PlacedRoot]:
    return list(corpus.write(place_roots, "default", requests, caller).result().placed)


def test_roots_of_others_do_not_exist_except_that_their_names_are_taken(corpus: Corpus) -> None:
    docs = RootRequest("/home/docs", "docs")
    assert place(corpus, ALICE, docs)[0].root == Root("docs", "/home/docs")
    assert place(corpus, BOB, docs)[0].root == Root("docs~2", "/home/docs")
    assert place(corpus, BOB, RootRequest("/home/docs/inner", "inner"))[0].root.prefix == "docs~2"
    assert place(corpus, COLLEAGUE, RootRequest("/home/docs/inner", "inner"))[0].root.prefix == "docs"
    named = RootRequest("/elsewhere", "docs", named=True)
    refused("ROOT_NOT_OWNED", lambda: place(corpus, BOB, named))
    assert corpus.write(place_roots, "default", [docs], BOB).result().roots == (Root("docs~2", "/home/docs"),)
    assert place(corpus, ALICE, named)[0].root == Root("docs", "/elsewhere")


@pytest.mark.parametrize("collection", ["sea", "default"])
def test_roots_of_others_count_like_documents_of_others(corpus: Corpus, collection: str) -> None:
    corpus.write(place_roots, collection, [RootRequest("/home/docs", "docs")], ALICE).result()
    for caller in (BOB, NOBODY):
        refused("COLLECTION_NOT_OWNED", partial(drop, corpus, collection, caller))
    put(corpus, TIDE, collection, caller=BOB)
    refused("COLLECTION_NOT_OWNED", partial(drop, corpus, collection, BOB))
    placement = corpus.write(place_roots, collection, [RootRequest("/home/docs", "docs")], ALICE).result()
    assert not placement.placed[0].added, "it is still there"
    assert corpus.write(delete_document, collection, "tide", BOB).result()
    assert drop(corpus, collection, COLLEAGUE)


def test_a_collection_with_roots_is_dropped_by_who_administers(corpus: Corpus) -> None:
    corpus.write(place_roots, "sea", [RootRequest("/home/docs", "docs")], ALICE).result()
    assert drop(corpus, "sea", ADMIN)


@pytest.mark.parametrize("caller", [BOB, NOBODY])
def test_roots_that_belong_to_nobody_keep_no_collection(corpus: Corpus, caller: Caller) -> None:
    corpus.write(place_roots, "sea", [RootRequest("/home/docs", "docs")], NOBODY).result()
    assert drop(corpus, "sea", caller)


def test_a_root_in_a_collection_of_which_one_sees_nothing_does_not_tell_of_it(corpus: Corpus) -> None:
    put(corpus, CLOSED, "sea", caller=ALICE)
    corpus.write(place_roots, "sea", [RootRequest("/home/docs", "docs")], ALICE).result()
    assert not drop(corpus, "sea", BOB)


def test_documents_of_others_are_not_said_to_be_adopted(corpus: Corpus) -> None:
    put(corpus, replace(CLOSED, document_id="docs/a.md"), caller=ALICE)
    assert not place(corpus, BOB, RootRequest("/b/docs", "docs"))[0].adopted


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (CLOSED, replace(TIDE, document_id="tide#0", whole=True)),
        (replace(CLOSED, document_id="tide#0", whole=True), TIDE),
        (
            replace(CLOSED, images=(DocumentImage("low/noon", url="https://a"),)),
            replace(TIDE, document_id="tide/low", images=(DocumentImage("noon", url="https://b"),)),
        ),
    ],
)
def test_the_id_of_a_passage_or_picture_stays_with_the_first_document_that_has_it(
    corpus: Corpus, first: Document, second: Document
) -> None:
    put(corpus, first, caller=ALICE)
    for caller in (BOB, ALICE, ADMIN):
        with pytest.raises(InvalidInput, match="part of another document") as error:
            put(corpus, second, caller=caller)
        assert error.value.reason == "DOCUMENT_UNUSABLE"
    assert put(corpus, second, "elsewhere", caller=BOB) is ADDED
    assert put(corpus, replace(first, title="Tides"), caller=ALICE) is REPLACED
    assert delete(corpus, ALICE, first.document_id)
    assert put(corpus, second, caller=BOB) is ADDED
