"""A query as the engines take it: weighted terms, read in the languages of the collection, and unit vectors."""

import numpy as np
import pytest
from numpy.typing import NDArray

from libs.contracts.query import WeightedQuery, WeightedTerm, WeightedText
from services.retrieve.corpus.feed import TextPassage
from services.retrieve.embedding.batching import BatchingEmbedder
from services.retrieve.search.engine_queries import (
    DIGITS,
    MAX_LANGUAGES,
    NEAR,
    TURN_TERM_WEIGHT,
    TURN_TEXT_WEIGHT,
    UNKNOWN_LANGUAGE,
    EngineQuery,
    cosine_share,
    engine_queries_of,
    indexed_terms,
    query_terms,
    query_vectors,
    weighted_stems,
    with_near_stems,
    with_passages,
)
from tests.fakes.stored_documents import ENCODER

ENGLISH = query_terms(("en",))


def stems(text: str, *history: tuple[str, float]) -> dict[str, float]:
    """What a text is searched by beside words of the history."""
    return weighted_stems(EngineQuery(text, 1.0, tuple(WeightedTerm(*term) for term in history)), ENGLISH)


def test_a_word_weighs_as_often_as_it_is_said() -> None:
    assert stems("the moon, the moon and mars") == {"moon": 2.0, "mar": 1.0}


def test_a_term_with_a_digit_weighs_double() -> None:
    weights = stems("moon 1969")
    assert weights["1969"] == DIGITS * weights["moon"]
    history = stems("moon", ("mars 1976", 0.5))
    assert history["1976"] == DIGITS * history["mar"]


def test_history_adds_what_the_text_does_not_say_once_with_its_greatest_weight() -> None:
    weights = stems("moon", ("moon mars", 0.3), ("mars venus", 0.5), ("pluto", -0.5))
    assert weights == {"moon": 1.0, "mar": 0.5, "venus": 0.5}


def test_stems_near_to_those_of_the_text_are_searched_with_a_small_weight() -> None:
    wording = EngineQuery("may I mail it", 1.0, (WeightedTerm("money", 0.5),))
    own = weighted_stems(wording, ENGLISH)
    weights = with_near_stems(wording, own, ("en",))
    assert weights["email"] == NEAR
    assert weights.items() >= own.items()
    assert "cash" not in weights


def test_the_turn_beside_another_wording_is_searched_by_its_words_and_its_meaning_but_weighs_less() -> None:
    query = WeightedQuery("moon probe", (WeightedTerm("venus", 0.1),), turn="mars probe")
    (wording,) = engine_queries_of(query)
    assert weighted_stems(wording, ENGLISH) == {"moon": 1.0, "probe": 1.0, "mar": TURN_TERM_WEIGHT, "venus": 0.1}


def test_variants_with_a_positive_weight_are_further_wordings() -> None:
    query = WeightedQuery(
        "moon", (WeightedTerm("mars", 0.5),), variants=(WeightedText("luna", 0.5), WeightedText("x", 0))
    )
    own, variant = engine_queries_of(query)
    assert (own.text, own.weight, len(own.terms)) == ("moon", 1.0, 1)
    assert (variant.text, variant.weight, variant.terms) == ("luna", 0.5, ())


def test_a_query_is_read_as_passages_are() -> None:
    passage = TextPassage(
        1, 1, "Handbook > Sondes", "Les [**sondes**](https://example.org) de 2031", "fr", (), None, None
    )
    assert indexed_terms(passage) == ["handbook", "sond", "sond", "2031"]
    assert set(query_terms(("fr",))("la sonde du Handbook 2031")) <= set(indexed_terms(passage))


def test_a_query_is_read_in_its_own_language_and_in_that_of_most_documents() -> None:
    terms = query_terms(("en", "fr", "de"))
    assert set(terms("Wie viele Häuser hat Hastings?")) >= {"haus", "hast"}
    assert "haus" not in query_terms(("en", "fr"))("How many houses has Hastings?")


def test_little_words_of_either_language_say_nothing() -> None:
    assert not {"the", "how", "many", "die"} & set(query_terms(("de", "en"))("How many days has the house?"))


def test_a_query_whose_language_cannot_be_told_is_read_in_those_of_most_documents() -> None:
    several = ("en", "de", "fr", "es")
    assert set(query_terms(several)("4711 Häuser")) == set(query_terms(several[:MAX_LANGUAGES])("4711 Häuser"))


def test_an_empty_collection_is_asked_in_no_language() -> None:
    assert set(query_terms(())("The Häuser")) == {"the", "hauser"}


@pytest.mark.parametrize(
    ("text", "known", "languages", "share"),
    [
        ("Wie hoch ist der Turm in der Stadt?", ("en",), ("de", "en"), UNKNOWN_LANGUAGE),
        ("How high is the tower in the city?", ("en",), ("de",), 1.0),
        ("4711?", ("en",), ("de",), UNKNOWN_LANGUAGE),
        ("4711?", ("en",), ("en", "de"), 1.0),
        ("Wie hoch ist der Turm in der Stadt?", ("en",), ("en",), 1.0),
        ("Wie hoch ist der Turm in der Stadt?", (), ("de",), 1.0),
        ("Wie hoch ist der Turm in der Stadt?", ("en",), (), 1.0),
    ],
)
def test_a_cosine_counts_little_in_a_language_that_the_model_was_not_made_for(
    text: str, known: tuple[str, ...], languages: tuple[str, ...], share: float
) -> None:
    assert cosine_share(text, known, languages) == share


async def test_history_is_added_to_the_vector_of_the_question(embedder: BatchingEmbedder) -> None:
    query = WeightedQuery("moon", texts=(WeightedText("mars", 0.5),), variants=(WeightedText("venus", 0.5),))
    moon, mars, venus = ENCODER.encode(["moon", "mars", "venus"])
    first, variant = await query_vectors(query, embedder)
    assert first == pytest.approx(moon + 0.5 * mars, abs=1e-6)
    assert variant == pytest.approx(venus, abs=1e-6)
    (beside,) = await query_vectors(WeightedQuery("moon", turn="mars"), embedder)
    assert beside == pytest.approx(moon + TURN_TEXT_WEIGHT * mars, abs=1e-6)


NORTH, EAST, NOTHING = np.eye(2, dtype=np.float32)[0], np.eye(2, dtype=np.float32)[1], np.zeros(2, np.float32)


@pytest.mark.parametrize(
    ("passages", "queries"),
    [
        ([], NORTH),
        ([(1.0, EAST)], (NORTH + EAST) / np.sqrt(2)),
        ([(0.0, EAST)], NORTH),
        ([(0.5, NOTHING)], NORTH),
        ([(-1.0, NORTH)], NORTH),
    ],
)
def test_passages_of_earlier_answers_are_added_to_the_first_vector_by_their_weights(
    passages: list[tuple[float, NDArray[np.float32]]], queries: NDArray[np.float32]
) -> None:
    own, variant = with_passages([NORTH, EAST], passages)
    assert own == pytest.approx(queries, abs=1e-6)
    assert (variant == EAST).all()


def test_what_is_searched_by_is_of_length_1() -> None:
    (own,) = with_passages([3 * NORTH], [(2.0, EAST)])
    assert own == pytest.approx((3 * NORTH + 2 * EAST) / np.sqrt(13))
