"""The conversation about refunds, each turn made to stand alone by a language model that a test scripts."""

import re
from pathlib import Path

import pytest

from parley.context.v1 import query_pb2
from tests.fakes.scripted_llm import LlmRequest, ScriptedLlm
from tests.system.door import one
from tests.system.language_model.lighthouse import condensing, standalone
from tests.system.model_turns import Asker
from tests.system.refunds import ANSWERED_BY, CLAUSES, TURNS, WAYS, converse, first_cited, ingest_clauses

pytestmark = pytest.mark.xdist_group("language model")

REWRITTEN = {
    TURNS[1]: "What is the refund policy for damaged items?",
    TURNS[2]: "How long does the refund for damaged items take to process?",
}


@pytest.fixture(scope="module")
def refunds(asker: Asker, tmp_path_factory: pytest.TempPathFactory) -> Asker:
    """The suite with a model, with the clauses in a collection of their own."""
    folder: Path = tmp_path_factory.mktemp("refunds")
    ingest_clauses(asker.port, folder)
    return asker


def scripted(request: LlmRequest) -> str:
    """A follow-up in words that stand alone; for an answer, the first item that the model is given."""
    if condensing(request):
        return standalone(REWRITTEN[max(REWRITTEN, key=request.prompt.rfind)])
    clauses = [clause for clause in CLAUSES.values() if clause in request.prompt]
    first = min(clauses, key=request.prompt.index)
    return re.sub(r"\.\Z", " [1].", first)


@pytest.mark.parametrize("way", WAYS)
def test_each_turn_cites_the_clause_that_it_is_about_first(refunds: Asker, llm: ScriptedLlm, way: str) -> None:
    llm.answer_with(scripted)
    turns = list(converse(refunds.gateway, way, strategy=query_pb2.STRATEGY_LLM))
    assert tuple(map(first_cited, turns)) == ANSWERED_BY
    answers = [one(events, "text_end").text_end.text for events in turns]
    assert all(CLAUSES[clause].rstrip(".") in text for clause, text in zip(ANSWERED_BY, answers, strict=True))
    records = [one(events, "condensed").condensed for events in turns]
    assert [record.engine for record in records[1:]] == ["llm", "llm"]
