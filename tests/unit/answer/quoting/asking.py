"""Short ways to ask in the tests of quoting."""

from collections.abc import Mapping

from libs.contracts.evidence import EngineScores, Evidence, Passage, Reference
from libs.contracts.query import NodeSearch, PassageScore, SearchedTerm
from libs.language.analysis import terms_of
from libs.language.quantities import without_quantity_words
from services.answer.quoting.terms import QuotingQuery
from services.answer.quoting.units import Unit, read_units

COMMON, RARE, UNSEEN = 0.2, 0.7, 1.0
"""Rarities."""


def terms(question: str, rarities: Mapping[str, float] | None = None, weight: float = 1.0) -> tuple[SearchedTerm, ...]:
    """What a question is searched by; words are rare unless something else is said of their stems."""
    rarity_of, words = rarities or {}, terms_of(without_quantity_words(question, "en"), "en")
    return tuple(SearchedTerm(term, weight, rarity_of.get(term, RARE)) for term in dict.fromkeys(words))


def query(question: str, rarities: Mapping[str, float] | None = None) -> QuotingQuery:
    """A question that stands alone."""
    return QuotingQuery(question, "en", terms(question, rarities))


def reference_to(
    text: str,
    document: str = "d",
    *,
    rank: int = 1,
    fused_score: float | None = None,
    title: str = "",
    headings: tuple[str, ...] = (),
    nodes: tuple[str, ...] = (),
    language: str = "en",
) -> Reference:
    """A reference to a passage that retrieval liked so much; its cosine is a little less."""
    score = 0.9 / rank if fused_score is None else fused_score
    passage = Passage(
        f"{document}#{rank}", document, text, title=title or document, headings=headings, language=language
    )
    scores = EngineScores(vector=score - 0.1, fused=score)
    return Reference(rank, Evidence(passage, scores, rank=rank, nodes=nodes))


def units_of(*references: Reference) -> list[tuple[Unit, ...]]:
    """The units of each reference."""
    return [read_units(reference) for reference in references]


def search(node: str, question: str, *references: Reference) -> NodeSearch:
    """How a node was searched."""
    scores = (PassageScore(r.evidence.passage.passage_id, r.evidence.scores) for r in references)
    return NodeSearch(node, terms(question), tuple(scores))
