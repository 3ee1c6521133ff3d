"""A question as the rules engine compares it with units (sentences, items, rows): its search terms. Pure functions."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from libs.contracts.evidence import Passage, Reference
from libs.contracts.query import SearchedTerm
from libs.documents.rendering import plain_words
from libs.language.analysis import terms_of
from libs.language.quantities import without_quantity_words
from services.answer.answer_language import usual_language
from services.answer.subquestions import SubQuestion


@dataclass(frozen=True, slots=True)
class QuotingQuery:
    """A question with its language and search terms."""

    question: str
    language: str
    terms: Sequence[SearchedTerm]
    whole_index: bool = True
    """Whether the terms' rarities come from the whole collection."""
    follows_up: bool = False
    """Whether it depends on the conversation or includes words from it."""


def with_language(references: Sequence[Reference], language: str) -> tuple[Reference, ...]:
    """Return the references, with passages of unknown language set to this one."""
    return tuple(
        reference if reference.evidence.passage.language else _in_language(reference, language)
        for reference in references
    )


def _in_language(reference: Reference, language: str) -> Reference:
    passage = replace(reference.evidence.passage, language=language)
    return replace(reference, evidence=replace(reference.evidence, passage=passage))


def terms_of_question(sub_question: SubQuestion) -> tuple[SearchedTerm, ...]:
    """Return the terms with weights and rarities; if the collection's are unknown, rarities among the references."""
    terms = sub_question.search.terms if sub_question.search else ()
    return terms or _terms_from_references(
        sub_question.text, [reference.evidence.passage for reference in sub_question.references]
    )


def _terms_from_references(question: str, passages: Sequence[Passage]) -> tuple[SearchedTerm, ...]:
    language = usual_language(passages)
    passage_terms = [frozenset(terms_of(plain_words(f"{p.title}\n{p.text}"), p.language)) for p in passages]
    counts = Counter(terms_of(without_quantity_words(question, language), language))
    return tuple(
        SearchedTerm(term, float(count), _rarity(sum(term in terms for terms in passage_terms), len(passage_terms)))
        for term, count in counts.items()
    )


def _rarity(count: int, passages: int) -> float:
    return math.log(1 + (passages - count + 0.5) / (count + 0.5)) / math.log(2 + passages)  # BM25's idf, scaled
