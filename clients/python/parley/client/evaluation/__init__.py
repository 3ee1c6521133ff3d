"""Asks a running suite so that evaluation tools can judge it.

    from parley.client.evaluation import query_for_evaluation, ragas_sample

    row = query_for_evaluation("When did Phoenix land on Mars?")     # of `parley up` on this machine
    row["answer"], row["contexts"], row["metadata"]["total_cost"]

It needs `grpcio`, `protobuf` and the generated stubs, nothing else of the suite: evaluation tools bring libraries of
their own along, and the suite may run elsewhere.
"""

from parley.client.evaluation.asking import (
    aprocess_rewriter_query,
    aquery_for_evaluation,
    process_rewriter_query,
    query_for_evaluation,
)
from parley.client.evaluation.contexts import context_decode, context_encode
from parley.client.evaluation.documents import format_docs, ragas_sample
from parley.client.evaluation.gateway import Gateway
from parley.client.evaluation.llms import Completion, CustomLlm, LangChainLlm, Message, OpenAiLlm
from parley.client.evaluation.references import get_references_result_doc
from parley.client.evaluation.results import EvaluationRow, RagasSample, RewriterResult, SourceDocument

__all__ = [
    "Completion",
    "CustomLlm",
    "EvaluationRow",
    "Gateway",
    "LangChainLlm",
    "Message",
    "OpenAiLlm",
    "RagasSample",
    "RewriterResult",
    "SourceDocument",
    "aprocess_rewriter_query",
    "aquery_for_evaluation",
    "context_decode",
    "context_encode",
    "format_docs",
    "get_references_result_doc",
    "process_rewriter_query",
    "query_for_evaluation",
    "ragas_sample",
]
