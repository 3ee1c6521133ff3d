"""A question through the whole suite, by models of the suite or of the caller, with what an evaluation needs to know.

Whatever model rewords or writes, the rest is the same: its wordings are searched side by side, the best passages
come back, the answer is written from them and checked sentence by sentence. A model of the caller's own takes
precedence over a named one. What the caller's model raises reaches the caller; a model of the suite that fails is
replaced by the rules, and `degraded` says so.
"""

import asyncio
import time
from collections.abc import Callable, Coroutine
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from parley.client.evaluation.documents import source_document
from parley.client.evaluation.gateway import Gateway
from parley.client.evaluation.reporting import metadata_of, metrics_of
from parley.client.evaluation.results import EvaluationRow, RewriterResult
from parley.client.evaluation.turns import EvaluatedTurn, Models, ask_suite

DEFAULT_DOCS = 8
"""Passages that an answer is written from where nothing else is said (taste)."""
MAX_DOCS = 150
"""The contract's bound on passages."""

P = ParamSpec("P")
R = TypeVar("R")


def query_for_evaluation(
    question: str,
    rewriter_model: str | None = None,
    answer_model: str | None = None,
    custom_rewriter_llm: object | None = None,
    custom_answer_llm: object | None = None,
    *,
    gateway: Gateway | None = None,
) -> EvaluationRow:
    """Ask, wait, and get a row that evaluation tools take (`ragas_sample` names its fields as Ragas does).

    Args:
        question: stands alone; 1 to 8,192 characters (the contract's bounds).
        rewriter_model: one that the suite offers (PARLEY_LLM_MODEL, PARLEY_LLM_MODELS), or `rules`; None for its own.
        answer_model: likewise, for writing.
        custom_rewriter_llm: a `CustomLlm`, an `OpenAiLlm`, or a LangChain chat model, which runs here.
        custom_answer_llm: likewise, for writing.
        gateway: which suite; None for the one of the environment.

    Raises:
        TypeError: a custom model is none.
        grpc.RpcError: the suite cannot be reached, or refuses (INVALID_ARGUMENT: a model that it does not offer).
    """
    start = time.monotonic()
    models = Models.of(rewriter_model or "", answer_model or "", custom_rewriter_llm, custom_answer_llm)
    turn = _ask(question, models, DEFAULT_DOCS, gateway)
    return EvaluationRow(
        question=question,
        answer=turn.text,
        contexts=[reference.evidence.passage.text for reference in turn.turn.references],
        source_documents=[source_document(reference) for reference in turn.turn.references],
        metadata=metadata_of(turn, models, time.monotonic() - start),
    )


def process_rewriter_query(
    question: str,
    custom_rewriter_llm: object | None = None,
    custom_answer_llm: object | None = None,
    max_final_docs: int = DEFAULT_DOCS,
    *,
    rewriter_model: str | None = None,
    answer_model: str | None = None,
    gateway: Gateway | None = None,
) -> RewriterResult:
    """Ask, and get the answer with the wordings that were searched and what each part took.

    Args and raises as `query_for_evaluation`, but that models of the suite are named by keyword; `max_final_docs` is
    the greatest number of passages, 1 to 150 (the suite keeps to a bound of its own: PARLEY_GATEWAY_REFERENCES, 12).
    """
    if not 1 <= max_final_docs <= MAX_DOCS:
        raise ValueError(f"max_final_docs must be 1 to {MAX_DOCS}, got {max_final_docs}")
    models = Models.of(rewriter_model or "", answer_model or "", custom_rewriter_llm, custom_answer_llm)
    turn = _ask(question, models, max_final_docs, gateway)
    return RewriterResult(
        answer=turn.text,
        contexts=[reference.evidence.passage.text for reference in turn.turn.references],
        retrieved_documents=[source_document(reference) for reference in turn.turn.references],
        rewritten_queries=list(turn.turn.queries),
        metrics=metrics_of(turn),
    )


def _in_a_thread(function: Callable[P, R]) -> Callable[P, Coroutine[Any, Any, R]]:
    """The same, to be awaited: it runs in a thread of its own, and its name begins with an a."""

    @wraps(function)
    async def twin(*args: P.args, **kwargs: P.kwargs) -> R:
        return await asyncio.to_thread(function, *args, **kwargs)

    twin.__name__ = twin.__qualname__ = f"a{function.__name__}"
    return twin


aquery_for_evaluation = _in_a_thread(query_for_evaluation)
aprocess_rewriter_query = _in_a_thread(process_rewriter_query)


def _ask(question: str, models: Models, max_docs: int, gateway: Gateway | None) -> EvaluatedTurn:
    with (gateway or Gateway()).open() as suite:
        return ask_suite(question, models, max_docs, suite)
