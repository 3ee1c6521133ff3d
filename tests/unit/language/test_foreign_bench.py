"""The bench that looks for English on the screen sees the suite's own words, and no quotation."""

from pathlib import Path

import pytest

from bench.foreign import Corpus
from evaluation.documents.questions import DocumentQuestion, read_questions

_FOLDER = Path(__file__).parents[3] / "bench" / "data" / "german"


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    questions: tuple[DocumentQuestion, ...] = tuple(read_questions(_FOLDER, []))
    return Corpus.read(_FOLDER, questions[0].corpus, questions)


def test_the_corpus_is_german(corpus: Corpus) -> None:
    assert corpus.language == "de"


@pytest.mark.parametrize(
    ("text", "english"),
    [
        ("Die Strecke war 3,8 Kilometer lang. Nothing was found for this question.", 1),
        ("What do you mean by „es“?", 1),
        ("Was meinen Sie mit „es“?", 0),
        ("Zu dieser Frage wurde in den Dokumenten nichts gefunden.", 0),
    ],
)
def test_english_of_the_suite_is_found(corpus: Corpus, text: str, english: int) -> None:
    assert len(list(corpus.english(text))) == english
