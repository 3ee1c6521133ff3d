"""The terms of passages and queries, the same for every engine, and a query in the form that the engines take.

Each wording of a query becomes weighted stems and a vector. Pure functions, but for `query_vectors`, which awaits the
embedder and raises Unavailable.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from libs.contracts.query import WeightedQuery, WeightedTerm, WeightedText
from libs.documents.rendering import plain_words
from libs.language.analysis import terms_of, without_little_words
from libs.language.detection import detect_language
from libs.language.near_stems import near_stems
from libs.language.quantities import without_quantity_words
from services.retrieve.corpus.feed import TextPassage
from services.retrieve.embedding.batching import BatchingEmbedder
from services.retrieve.embedding.embedder import TextKind

Stems = Callable[[str], Counter[str]]
"""Returns the terms of a query's words, with their counts."""
TURN_TERM_WEIGHT: Final = 0.7
TURN_TEXT_WEIGHT: Final = 0.5
"""Of the user's own words and their embedding, beside another wording of the turn.

Questions on documents, 227 follow-ups: with the right wording the first three passages hold all facts of .965, as
without the user's words; with a wrong one, that of the turn before, of .656 (without them .498).
"""
NEAR: Final = 0.25
"""Weight of a stem that is near in meaning to one of the question's (.1 to .35: the same).

First three passages by the first questions of strangers, over the three sets of five, four and ten corpora, with the
near stems and without: 7 and 5 of 11, 7 and 6 of 9, 36 and 35 of 41; questions in the documents' words lose nothing.
"""
DIGITS: Final = 2.0  # weight of a term with a digit, relative to a word (taste)


@dataclass(frozen=True, slots=True)
class EngineQuery:
    """One wording of a query, and the weight of its scores."""

    text: str
    weight: float
    terms: tuple[WeightedTerm, ...] = ()
    """Words of the conversation before; only the query's own wording has them."""


def engine_queries_of(query: WeightedQuery) -> tuple[EngineQuery, ...]:
    """The query's own wording with weight 1, then its variants; those without a positive weight are left out."""
    variants = (EngineQuery(variant.text, variant.weight) for variant in query.variants if variant.weight > 0)
    turn = (WeightedTerm(query.turn, TURN_TERM_WEIGHT),) if query.turn else ()
    return (EngineQuery(query.text, 1.0, (*turn, *query.terms)), *variants)


def weighted_stems(wording: EngineQuery, stems: Stems) -> dict[str, float]:
    """The weighted stems that the full-text engine searches by.

    A word of the text weighs as often as it occurs, and one with a digit twice that, because vectors hardly distinguish
    3.11.3 from 3.12 or one year from the next (docsqa, questions on documents: .928 of the facts in the first three
    hits without it, .937 with it). An added term counts only if the text does not contain it, and only once, with its
    greatest weight: history that repeats the question adds nothing (nDCG@10 of the benchmark MTRAG: .441 -> .447).
    """
    text_stems: dict[str, float] = {stem: float(count) for stem, count in stems(wording.text).items()}
    term_weights: dict[str, float] = {}
    for term in wording.terms:
        for stem in stems(term.term):
            if stem not in text_stems and term.weight > 0:
                term_weights[stem] = max(term_weights.get(stem, 0.0), term.weight)
    return {
        stem: weight * (DIGITS if any(map(str.isdigit, stem)) else 1.0)
        for stem, weight in (text_stems | term_weights).items()
    }


def with_near_stems(wording: EngineQuery, weights: Mapping[str, float], languages: Iterable[str]) -> dict[str, float]:
    """The weighted stems, with those near in meaning to the stems of the text itself, in the languages that have them.

    A word of the conversation before brings none: it is no word of this question.
    """
    tables = [near_stems(wording.text, language) for language in languages]
    near = {other: NEAR for table in tables for others in table.values() for other in others}
    return near | dict(weights)


async def query_vectors(query: WeightedQuery, embedder: BatchingEmbedder) -> list[NDArray[np.float32]]:
    """The search vectors of the wordings, in the order of `engine_queries_of`; all texts are embedded in one call.

    The first is e(text) + the sum of weight * e(text of history), not normalized: `with_passages` does that.
    """
    wordings = engine_queries_of(query)
    beside = [*query.texts, *([WeightedText(query.turn, TURN_TEXT_WEIGHT)] if query.turn else [])]
    texts = [*(wording.text for wording in wordings), *(text.text for text in beside)]
    embeddings = await embedder.embed(texts, TextKind.QUERY)
    vectors = list(embeddings[: len(wordings)])
    history = embeddings[len(wordings) :]
    if len(history):
        weights = np.array([text.weight for text in beside], np.float32)
        vectors[0] = vectors[0] + weights @ history
    return vectors


def with_passages(
    vectors: Sequence[NDArray[np.float32]], passages: Sequence[tuple[float, NDArray[np.float32]]]
) -> list[NDArray[np.float32]]:
    """The final unit vectors: passages of earlier answers are added to the first one, by their weights."""
    first = vectors[0]
    for weight, vector in passages:
        first = first + np.float32(weight) * vector
    length = float(np.linalg.norm(first))
    # A sum of opposites has no direction (taste).
    return [(first / length).astype(np.float32) if length > 1e-6 else vectors[0], *vectors[1:]]


UNKNOWN_LANGUAGE: Final = 0.35
"""Share of the cosine's weight for a query in a language that the embedding model does not know.

German, French and Chinese documents with an English model, 57 questions in sessions: at 1, .5, .35 and .25 the first
hit is right for .561, .614, .667 and .684, the first three for .825, .789, .807 and .807.
"""


def cosine_share(text: str, known: Sequence[str], languages: Sequence[str]) -> float:
    """How much of the cosine's weight counts for a query: 1 if the embedding model knows its language.

    That is the language of most documents, unless the query is clearly in one that the model knows.

    Args:
        text: the query.
        known: the languages that the model knows; empty for all.
        languages: those of the collection, that of most documents first.
    """
    if not known or not languages or languages[0] in known or detect_language(text) in known:
        return 1.0
    return UNKNOWN_LANGUAGE


MAX_LANGUAGES: Final = 3
"""Languages tried for a query whose own language cannot be detected: those of most documents in the collection
(taste)."""


def indexed_terms(passage: TextPassage) -> list[str]:
    """The terms that a passage is indexed by: its place and its words, in its document's language."""
    return terms_of(f"{passage.place}\n{plain_words(passage.text)}", passage.language)


def query_terms(languages: Sequence[str]) -> Stems:
    """The analysis of queries in a collection of these languages, that of most documents first.

    A text is analyzed in its own language and in that of most documents, because a name has a stem in each. Terms that
    are the same in both count once. Stop words of either language are dropped, as are the words that ask for a number.
    """

    def terms(text: str) -> Counter[str]:
        counts: Counter[str] = Counter()
        text_languages = _languages_to_read(text, languages)
        for language in text_languages:
            others = frozenset(text_languages) - {language}
            content = without_little_words(without_quantity_words(text, language), others)
            counts |= Counter(terms_of(content, language))
        return counts

    return terms


def _languages_to_read(text: str, languages: Sequence[str]) -> tuple[str, ...]:
    if len(languages) < 2:
        return tuple(languages) or ("",)
    language = detect_language(text)
    if language is None or language not in languages:
        return tuple(languages[:MAX_LANGUAGES])
    return tuple(dict.fromkeys((languages[0], language)))
