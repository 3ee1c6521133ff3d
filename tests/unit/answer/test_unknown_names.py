"""A question about a name that the corpus lacks; `python -m bench.quoted_answers` measures labelled questions."""

import pytest

from bench.quoted_answers import QuotedQuestion, answer


@pytest.mark.parametrize(
    "question",
    [
        "What is the best recipe for sourdough bread?",
        "Who painted the Mona Lisa?",
        "How many moons does the exoplanet Kepler-22b have?",
    ],
)
def test_what_is_about_a_name_that_the_corpus_lacks_is_never_answered(question: str) -> None:
    assert answer(QuotedQuestion(question)).abstained
