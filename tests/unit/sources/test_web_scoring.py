"""Passages of the web are scored as the full-text engine scores the corpus's, and join its candidates."""

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from libs.contracts.evidence import Passage
from libs.contracts.spans import Span
from libs.language.analysis import terms_of
from services.retrieve.corpus.corpus import Corpus
from services.retrieve.corpus.documents import Document
from services.retrieve.corpus.filtering import Access
from services.retrieve.engines.collection import Engines
from services.retrieve.search.hybrid import Candidates
from services.retrieve.sources.web import WebCandidates, join, vectors_of
from services.retrieve.sources.web_candidates import bm25
from services.retrieve.sources.web_store import KeptPassages
from tests.fakes.stored_documents import put

TEXTS = [
    "The probe landed on the Moon and sent pictures of the dust around it home.",
    "A rover drove over the ice for two years; the ice was older than the craters.",
    "The orbiter mapped the craters of Mercury from pole to pole in a single year.",
    "Water ice lies in the craters near the poles of the Moon, where no sun shines.",
]


def test_a_text_scores_on_the_web_what_it_scores_in_the_corpus(tmp_path: Path) -> None:
    with Corpus.open(tmp_path) as corpus:
        for number, text in enumerate(TEXTS):
            put(corpus, Document(str(number), text, whole=True))
        engines = Engines(corpus, tmp_path / "engines")
        engine = engines.of("default").lexical()
        query = {stem: 1.0 for stem in terms_of("ice in the craters of the Moon", "en")}
        keys = np.arange(1, len(TEXTS) + 1)
        expected = engine.scores(query, keys, Access())
        frequencies = engine.document_frequencies(query, Access())
        term_counts = [Counter(terms_of(text, "en")) for text in TEXTS]
        engines.close()
    # Tantivy keeps a passage's length in one byte.
    assert bm25(term_counts, [query], [1.0], len(TEXTS), frequencies) == pytest.approx(expected, rel=0.03)


def test_a_word_that_the_collection_is_full_of_counts_little() -> None:
    passages = [Counter({"moon": 1}), Counter({"malapert": 1})]
    query = {"moon": 1.0, "malapert": 1.0}
    common, rare = bm25(passages, [query], [1.0], 1000, {"moon": 900, "malapert": 1})
    assert rare > 10 * common


def test_beside_an_empty_collection_a_word_that_all_pages_share_still_counts() -> None:
    with_word, without = bm25([Counter({"harrow": 2}), Counter({"rover": 2})], [{"harrow": 1.0}], [1.0], 0, None)
    assert with_word > 1
    assert without == 0


COUNTS = st.dictionaries(st.sampled_from("abcdef"), st.integers(1, 5), max_size=6).map(Counter)


@given(st.lists(COUNTS, max_size=6), st.dictionaries(st.sampled_from("abcxyz"), st.floats(0.1, 2), max_size=4))
def test_scores_are_at_least_0_as_without_common_words(passages: list[Counter[str]], query: dict[str, float]) -> None:
    scores = bm25(passages, [query], [1.0], 50, {"a": 50, "b": 3})
    assert scores.shape == (len(passages),)
    for passage, score in zip(passages, scores, strict=True):
        assert score > 0 if passage.keys() & query.keys() else score == 0


def web_of(*lexical: float, cosines: list[float] | None = None) -> WebCandidates:
    passages = tuple(Passage(f"web:{n}", "web:d", f"text {n}", source="web") for n in range(len(lexical)))
    vectors = None if cosines is None else np.eye(len(lexical), 4, dtype=np.float32)
    return WebCandidates(passages, np.array(lexical), None if cosines is None else np.array(cosines), vectors)


CORPUS = Candidates(np.array([3, 8]), np.array([1.0, 2.0]), np.array([0.3, 0.4]))


def test_a_score_that_one_side_lacks_counts_for_neither() -> None:
    assert join(CORPUS, web_of(5.0)).vector is None
    assert join(Candidates(np.array([3]), None, np.array([0.3])), web_of(5.0, cosines=[0.5])).lexical is None


def test_beside_an_empty_list_the_webs_scores_stand_as_they_are() -> None:
    candidates = join(Candidates(np.zeros(0, np.int64)), web_of(5.0, cosines=[0.5]))
    assert (candidates.lexical, candidates.vector) == (np.array([5.0]), np.array([0.5]))
    assert join(CORPUS, WebCandidates()) is CORPUS


def test_vectors_of_another_model_are_not_mixed_in() -> None:
    own = np.ones((1, 8), np.float32)
    assert vectors_of(np.array([-1]), own, web_of(5.0, cosines=[0.5])) is own


def kept_passage(number: int) -> Passage:
    return Passage(f"web:{number}", "web:d", f"text {number}", url="https://e.org", source="web", span=Span(1, 7))


def test_a_kept_passage_comes_back_as_it_was_even_after_a_restart(tmp_path: Path) -> None:
    first = KeptPassages(tmp_path / "web.db", capacity=10, days=1)
    first.keep([kept_passage(1)])
    again = KeptPassages(tmp_path / "web.db", capacity=10, days=1)
    assert again.get("web:1") == kept_passage(1)


def test_only_so_many_are_kept_those_that_were_evidence_last(tmp_path: Path) -> None:
    store = KeptPassages(tmp_path / "web.db", capacity=3, days=1)
    for number in (1, 2, 3, 1, 4):
        store.keep([kept_passage(number)])
    assert [number for number in range(1, 5) if store.get(f"web:{number}")] == [1, 3, 4]


def test_what_is_too_old_is_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = KeptPassages(tmp_path / "web.db", capacity=10, days=30)
    store.keep([kept_passage(1)])
    now = __import__("time").time()
    monkeypatch.setattr("services.retrieve.sources.web_store.time.time", lambda: now + 31 * 86_400)
    assert store.get("web:1") is None


def test_nothing_is_written_before_there_is_something_to_keep(tmp_path: Path) -> None:
    store = KeptPassages(tmp_path / "web.db", capacity=10, days=30)
    assert store.get("web:1") is None
    assert not (tmp_path / "web.db").exists()
