"""What is remembered of a corpus is never older than its last acknowledged write."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pytest

from services.retrieve.corpus import permissions
from services.retrieve.corpus.corpus import Corpus
from services.retrieve.corpus.databases.cache import QueryCache
from services.retrieve.corpus.databases.database import Connection
from services.retrieve.corpus.deleting import delete_document
from services.retrieve.corpus.documents import Document
from services.retrieve.corpus.permissions import NOBODY, Caller
from services.retrieve.engines.collection import Engines
from tests.fakes.stored_documents import put

LUNA = Document("luna", "Luna 9 landed softly.", title="Luna 9", language="en")


def keys_of(corpus: Corpus) -> list[int]:
    return corpus.read(lambda connection: [row[0] for row in connection.execute("SELECT id FROM passages ORDER BY id")])


def test_an_answer_is_read_once_between_two_writes() -> None:
    cache, reads = QueryCache(), iter(range(10))
    assert [cache.answer("a", lambda: next(reads)) for _ in range(3)] == [0, 0, 0]
    assert cache.answer("b", lambda: next(reads)) == 1
    assert (cache.peek("a"), cache.peek("c")) == (0, None)
    cache.forget()
    assert cache.answer("a", lambda: next(reads)) == 2


def test_that_there_is_nothing_is_an_answer_too() -> None:
    cache, reads = QueryCache(), iter([None, "never asked for"])
    assert [cache.answer("a", lambda: next(reads)) for _ in range(2)] == [None, None]


def test_what_was_read_before_a_write_is_not_told_after_it() -> None:
    cache = QueryCache()

    def read_while_somebody_writes() -> str:
        cache.forget()
        return "before"

    def keys_while_somebody_writes(keys: list[int]) -> Mapping[int, str]:
        cache.forget()
        return dict.fromkeys(keys, "before")

    assert cache.answer("a", read_while_somebody_writes) == "before"
    assert cache.answer("a", lambda: "after") == "after"
    assert cache.by_keys([1], keys_while_somebody_writes) == {1: "before"}
    assert cache.by_keys([1], lambda keys: dict.fromkeys(keys, "after")) == {1: "after"}


def test_only_the_missing_keys_are_read_and_those_that_are_gone_are_left_out() -> None:
    cache, calls = QueryCache(), []

    def read(keys: list[int]) -> Mapping[int, str]:
        calls.append(keys)
        return {key: str(key) for key in keys if key != 9}

    assert cache.by_keys([2, 1], read) == {2: "2", 1: "1"}
    assert cache.by_keys([1, 3, 9, 2], read) == {1: "1", 3: "3", 2: "2"}
    assert cache.by_keys([], read) == {}
    assert calls == [[2, 1], [3, 9]]


def test_no_more_is_kept_than_there_is_room_for_and_all_that_was_asked_for_is_told() -> None:
    cache = QueryCache(most_answers=2, most_passages=2)
    keys = list(range(5))
    assert cache.by_keys(keys, lambda missing: {key: str(key) for key in missing}) == {k: str(k) for k in keys}
    assert [cache.answer(number, lambda number=number: number) for number in range(5)] == keys  # type: ignore[misc]
    assert sum(cache.peek(number) is not None for number in range(5)) <= 2


def test_a_replaced_passage_and_one_that_is_gone_are_not_told_again(corpus: Corpus) -> None:
    put(corpus, LUNA)
    (key,) = keys_of(corpus)
    assert corpus.passages([key])[key].text == LUNA.text
    assert corpus.passages([key])[key] is corpus.passages([key])[key]
    put(corpus, replace(LUNA, text="Luna 9 sent pictures."))
    assert corpus.passages([key]) == {}
    assert [passage.text for passage in corpus.passages(keys_of(corpus)).values()] == ["Luna 9 sent pictures."]


def test_the_means_of_passages_are_those_of_their_newest_vectors(corpus: Corpus, engines: Engines) -> None:
    put(corpus, LUNA)
    put(corpus, replace(LUNA, document_id="venera", text="Venera 7 fell for an hour."))
    collection = engines.of("default")
    collection.catch_up()
    one, other = keys = np.array(keys_of(corpus), np.int64)
    both = collection.vectors(keys)
    assert both is not None
    again = collection.vectors(np.array([other, one, other]))
    assert again is not None
    np.testing.assert_array_equal(again, both[[1, 0, 1]])
    corpus.write(delete_document, "default", "luna").result()
    collection.catch_up()
    means = collection.vectors(keys)
    assert means is not None
    np.testing.assert_array_equal(means, np.stack([np.zeros_like(both[0]), both[1]]))
    nothing = collection.vectors(np.zeros(0, np.int64))
    assert nothing is not None
    assert nothing.shape == (0, both.shape[1])


def test_what_is_hidden_from_a_caller_is_read_once_a_write(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    reads: list[Caller] = []

    def counted(connection: Connection, caller: Caller) -> dict[str, permissions.Hidden]:
        reads.append(caller)
        return hidden_from(connection, caller)

    hidden_from = permissions.hidden_from
    monkeypatch.setattr(permissions, "hidden_from", counted)
    put(corpus, replace(LUNA, principals=("ann",)))
    for _ in range(2):
        assert corpus.collection_for("default", NOBODY).documents == 0
        assert corpus.collection_for("default", Caller(("ann",))).documents == 1
    assert reads == [NOBODY, Caller(("ann",))]
    put(corpus, LUNA)
    assert corpus.collection_for("default", NOBODY).documents == 1
