"""What the helpers give back: plain dicts, so that they go into tables, JSON and evaluation tools as they are.

Tokens are counts; costs are US dollars. `usage_source` is NONE (no language model was asked), PROVIDER (it counted) or
ESTIMATED; `cost_source` is NONE, PRICE_TABLE or UNKNOWN (a model without a price: it adds nothing to the cost).
"""

from typing import TypedDict


class SourceDocument(TypedDict):
    """A passage that the answer may cite, by its number."""

    number: int
    passage_id: str
    document_id: str
    title: str
    url: str
    date: str
    source: str
    score: float
    """What the ranking sorts by."""
    relevance: str
    """How well it fits: High, Medium or Low; empty where the suite did not judge it."""
    page_content: str
    """Its words."""
    metadata: dict[str, str]
    """The document's own."""


class DegradedStep(TypedDict):
    """What was left out or done the simpler way."""

    stage: str
    reason: str
    effect: str


class Verdicts(TypedDict):
    """How many sentences the passages bear out wholly, in part, and not at all; the last are not in the answer."""

    verified: int
    weak: int
    withdrawn: int


class EvaluationMetadata(TypedDict):
    """How an answer came about."""

    num_contexts: int
    retrieval_method: str
    """Always `multi_query_rewrite`: several rewordings searched side by side."""
    rewrite_count: int
    """How many wordings were searched, the question among them where it was; 0 where nothing was, as after a
    greeting."""
    rewritten_queries: list[str]
    """The wordings that were searched, each once, the one that counts most first."""
    rewrite_labels: list[str]
    """How close each of them stays to the question: High says the same, Medium in other words, Low asks for more; empty
    where it is no rewording."""
    llm_model: str
    """The model that was asked for, or else the one that wrote; `rules` for none."""
    rewriter_model: str
    provider: str
    """Of the model that wrote: `parley` for the rules, `openai-compatible` for the suite's, else the caller's own."""
    model_id: str
    """What wrote in the end: a model's name, or `rules`."""
    rewriter_provider: str
    rewriter_model_id: str
    execution_time: float
    """Seconds."""
    input_tokens: int
    output_tokens: int
    tokens_used: int
    total_cost: float
    usage_source: str
    cost_source: str
    outcome: str
    """ANSWERED or ABSTAINED."""
    abstain_score: float
    """How sure the suite is that the passages hold no answer, 0 to 1."""
    verdicts: Verdicts
    degraded: list[DegradedStep]


class EvaluationRow(TypedDict):
    """A question with its answer and what it was answered from."""

    question: str
    answer: str
    contexts: list[str]
    source_documents: list[SourceDocument]
    metadata: EvaluationMetadata


class RewriterMetrics(TypedDict):
    """What language models took; the totals hold, beside rewriting and answering, what understanding took."""

    rewrite_input_tokens: int
    rewrite_output_tokens: int
    rewrite_cost: float
    answer_input_tokens: int
    answer_output_tokens: int
    answer_cost: float
    total_input_tokens: int
    total_output_tokens: int
    total_cost: float
    usage_source: str
    cost_source: str


class RewriterResult(TypedDict):
    """An answer with the wordings that were searched for it."""

    answer: str
    contexts: list[str]
    retrieved_documents: list[SourceDocument]
    rewritten_queries: list[str]
    metrics: RewriterMetrics


class RagasSample(TypedDict, total=False):
    """A row of a Ragas `EvaluationDataset` for one turn."""

    user_input: str
    response: str
    retrieved_contexts: list[str]
    retrieved_context_ids: list[str]
    reference: str
    reference_contexts: list[str]
    reference_context_ids: list[str]
