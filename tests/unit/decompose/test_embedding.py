"""Vectors of known texts are not asked for again."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libs.runtime.errors import Unavailable
from services.decompose.embedding import CachedEmbedder
from tests.fakes.word_embedder import WordEmbedder


async def test_only_new_texts_are_embedded_each_once() -> None:
    inner = WordEmbedder()
    embedder = CachedEmbedder(inner, capacity=10)
    await embedder.embed(["one", "two"])
    vectors = await embedder.embed(["two", "three", "three"])
    assert inner.asked == ["one", "two", "three"]
    assert (vectors[1] == vectors[2]).all()


async def test_the_text_that_was_not_used_for_longest_is_forgotten() -> None:
    inner = WordEmbedder()
    embedder = CachedEmbedder(inner, capacity=2)
    for texts in (["one"], ["two"], ["one"], ["three"], ["one"], ["two"]):
        await embedder.embed(texts)
    assert inner.asked == ["one", "two", "three", "two"]


@given(st.lists(st.lists(st.sampled_from("abcdefg"), max_size=6), max_size=8), st.integers(1, 4))
async def test_vectors_come_in_the_order_of_the_texts(batches: list[list[str]], capacity: int) -> None:
    embedder = CachedEmbedder(WordEmbedder(), capacity)
    for texts in batches:
        expected = await WordEmbedder().embed(texts) if texts else []
        vectors = await embedder.embed(texts)
        assert all((vector == expected_vector).all() for vector, expected_vector in zip(vectors, expected, strict=True))


async def test_a_failure_is_the_callers_and_nothing_is_kept_of_it() -> None:
    inner = WordEmbedder(Unavailable("STAGE_UNAVAILABLE", "nobody answers"))
    embedder = CachedEmbedder(inner, capacity=2)
    with pytest.raises(Unavailable):
        await embedder.embed(["one"])
    inner.failure = None
    assert len(await embedder.embed(["one"])) == 1
