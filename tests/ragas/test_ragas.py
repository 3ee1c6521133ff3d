"""Ragas judges what the evaluation client gives back: rows over the samples, by metrics without a language model, and
by one whose judge a script plays. Run by `make ragas`, which starts the suite and tells its address."""

import json
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("ragas")

import datasets
import openai
from ragas import EvaluationDataset, evaluate
from ragas.llms import llm_factory
from ragas.metrics import NonLLMContextPrecisionWithReference, NonLLMContextRecall, StringPresence
from ragas.metrics.collections import Faithfulness

from parley.client.evaluation import EvaluationRow, query_for_evaluation, ragas_sample
from parley.client.evaluation.gateway import ADDRESS_VARIABLE
from tests.fakes.scripted_llm import LlmRequest, ScriptedLlm, in_a_thread

pytestmark = pytest.mark.skipif(ADDRESS_VARIABLE not in os.environ, reason="no suite is told: see `make ragas`")

LONGEST = 800
"""Characters of a passage, about."""
CORPUS = Path(__file__).parents[2] / "samples" / "corpus"
TO_JUDGE = ({"question", "answer"}, {"context", "statements"})
"""What the two prompts of the metric give to the judge."""
PLACE = re.compile(r"\*\*.+\*\* \[\d+\]")
OLD_NAMES = {"user_input": "question", "response": "answer", "retrieved_contexts": "contexts"}


@dataclass(frozen=True)
class Known:
    """A question with words of its answer, and the file whose paragraph tells it."""

    question: str
    reference: str
    file: str

    @property
    def paragraph(self) -> str:
        """The first one with these words, and those beside it that a passage has room for."""
        _, _, text = (CORPUS / self.file).read_text(encoding="utf-8").split("---\n", 2)
        paragraphs = [""]
        for paragraph in text.strip().split("\n\n"):
            if paragraphs[-1] and len(paragraphs[-1]) + len(paragraph) > LONGEST:
                paragraphs.append("")
            paragraphs[-1] = f"{paragraphs[-1]}\n\n{paragraph}".strip()
        return next(part for part in paragraphs if self.reference in part)


KNOWN = (
    Known("When was Magellan launched?", "4 May 1989", "magellan.md"),
    Known("When was Cassini launched?", "15 October 1997", "cassini.md"),
    Known("Which craft made the first soft landing on the Moon?", "Luna 9", "moon-firsts.md"),
    Known("How heavy was the lander Huygens?", "320 kilograms", "huygens.md"),
    Known("When did Mariner 9 enter orbit round Mars?", "14 November 1971", "mariner-9.md"),
)


@pytest.fixture(scope="module")
def rows() -> list[EvaluationRow]:
    return [query_for_evaluation(reference_case.question) for reference_case in KNOWN]


@pytest.fixture
def judge() -> Iterator[ScriptedLlm]:
    with in_a_thread() as llm:
        yield llm


def dataset(rows: Sequence[EvaluationRow], reference_case: Sequence[Known]) -> EvaluationDataset:
    pairs = zip(rows, reference_case, strict=True)
    return EvaluationDataset.from_list([dict(ragas_sample(row, k.reference, [k.paragraph])) for row, k in pairs])


def scores(judged: EvaluationDataset) -> dict[str, list[float]]:
    metrics = [StringPresence(), NonLLMContextRecall(), NonLLMContextPrecisionWithReference()]
    result = evaluate(judged, metrics=metrics, show_progress=False)
    return {name: [round(row[name], 6) for row in result.scores] for name in result.scores[0]}


def test_metrics_without_a_model_find_answers_and_passages(rows: list[EvaluationRow]) -> None:
    results = scores(dataset(rows, KNOWN))
    assert results["string_present"] == [1.0] * len(KNOWN)
    assert results["non_llm_context_recall"] == [1.0] * len(KNOWN)
    assert all(precision > 0 for precision in results["non_llm_context_precision_with_reference"])


def test_beside_the_answers_of_other_questions_they_find_nothing(rows: list[EvaluationRow]) -> None:
    results = scores(dataset(rows, (*KNOWN[1:], KNOWN[0])))
    assert results["string_present"] == results["non_llm_context_recall"] == [0.0] * len(KNOWN)


def test_rows_are_taken_under_their_own_names_too(rows: list[EvaluationRow]) -> None:
    named_rows = [
        {name: value for name, value in row.items() if name in OLD_NAMES.values()}
        | {"reference": reference_case.reference}
        for row, reference_case in zip(rows, KNOWN, strict=True)
    ]
    result = evaluate(
        datasets.Dataset.from_list(named_rows), metrics=[StringPresence()], column_map=OLD_NAMES, show_progress=False
    )
    assert result["string_present"] == [1.0] * len(KNOWN)


async def test_a_judge_holds_the_answers_to_their_contexts(rows: list[EvaluationRow], judge: ScriptedLlm) -> None:
    judge.answer_with(judging)
    async with openai.AsyncOpenAI(base_url=judge.base_url, api_key="none", max_retries=0) as client:
        metric = Faithfulness(llm=llm_factory("judge", client=client))
        sample = ragas_sample(rows[0])
        faithful = await metric.ascore(sample["user_input"], sample["response"], sample["retrieved_contexts"])
        elsewhere = ragas_sample(rows[1])["retrieved_contexts"]
        unfaithful = await metric.ascore(sample["user_input"], sample["response"], elsewhere)
    assert (faithful.value, unfaithful.value) == (1.0, 0.0)


def judging(request: LlmRequest) -> str:
    """A judge that takes each sentence as a statement, and for true what stands in the context word by word; a line
    that names a section states nothing."""
    payload = _last_json(request.prompt)
    if "answer" in payload:
        quotations = [part for part in payload["answer"].split("\n\n") if not PLACE.fullmatch(part)]
        sentences = re.split(r"(?<=\.)\s+", re.sub(r"\[\d+\]|\*\*", "", "\n".join(quotations)))
        return json.dumps({"statements": sentences})
    verdicts = [
        {"statement": statement, "reason": "as it stands", "verdict": int(statement in payload["context"])}
        for statement in payload["statements"]
    ]
    return json.dumps({"statements": verdicts})


def _last_json(prompt: str) -> dict[str, Any]:
    """What is to be judged: the last object that tells an answer, or a context."""
    decoder = json.JSONDecoder()
    results: dict[str, Any] = {}
    for brace in re.finditer(r"\{", prompt):
        try:
            value, _ = decoder.raw_decode(prompt, brace.start())
        except ValueError:
            continue
        if isinstance(value, dict) and any(parts <= set(value) for parts in TO_JUDGE):
            results = value
    return results
