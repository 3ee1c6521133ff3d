"""Sentences of a real small model: none that is false is verified, none that is true is taken back.

They were labelled by hand; `python -m bench.model_sentences` tells how they came about and measures the rest.
"""

import pytest

from bench.model_sentences import ModelSentence, read_sentences, verdict_when_written
from libs.contracts.answers import Verdict

SENTENCES = read_sentences()


@pytest.mark.parametrize(
    "labelled_question", [each for each in SENTENCES if each.label == "false"], ids=lambda s: s.sentence
)
def test_no_false_sentence_of_an_answer_is_verified(labelled_question: ModelSentence) -> None:
    assert verdict_when_written(labelled_question) is not Verdict.VERIFIED


@pytest.mark.parametrize(
    "labelled_question", [each for each in SENTENCES if each.label == "true"], ids=lambda s: s.sentence
)
def test_no_true_sentence_of_an_answer_is_taken_back(labelled_question: ModelSentence) -> None:
    assert verdict_when_written(labelled_question) is not Verdict.WITHDRAWN
