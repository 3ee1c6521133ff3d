"""Answers over the samples, held against the files themselves: what cites is borne out, what claims cites.

`python -m bench.sample_answers` measures over labelled questions how many hold what was asked for.
"""

import pytest

from bench.sample_answers import FILES, Outcome, measure, read_questions
from bench.suite import RunningSuite

pytestmark = pytest.mark.xdist_group("suite")

STEP = 6
"""Every sixth of the questions is asked."""


@pytest.fixture(scope="module")
def outcomes(suite: RunningSuite) -> list[Outcome]:
    return measure(suite.address, [question for file in FILES for question in read_questions(file)][::STEP])


def test_each_sentence_that_cites_is_borne_out_and_each_that_claims_cites(outcomes: list[Outcome]) -> None:
    sentences = [sentence for outcome in outcomes for sentence in outcome.sentences]
    assert [sentence for sentence in sentences if sentence.cited and not sentence.is_borne_out] == []
    factual = [sentence for sentence in sentences if sentence.is_factual]
    assert len(factual) >= len(outcomes)
    assert [sentence for sentence in factual if not sentence.cited] == []


def test_a_computed_answer_cites_the_sentences_of_both_values(outcomes: list[Outcome]) -> None:
    computed_sentences = [sentence for outcome in outcomes for sentence in outcome.sentences if len(sentence.cited) > 1]
    assert computed_sentences
    assert all(sentence.is_borne_out for sentence in computed_sentences)
