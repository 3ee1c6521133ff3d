"""Answers in quotes to labelled questions, a simple search in the place of retrieval: `python -m bench.quoted_answers`.

Sixty questions name the document that answers them and words of a right answer; twenty have no answer in the samples.
Words alone tell less than words and vectors: `Apollo 25` has no word that the samples lack.
"""

import sys
from collections.abc import Sequence
from dataclasses import dataclass

from bench.labelled import DATA, Figure, read_lines, show
from bench.sample_search import sample_index
from libs.contracts.options import Length
from services.answer.citing.drafts import AnswerDraft
from services.answer.quoting.drafting import draft_answer

THRESHOLD = 0.8
"""The doubt at which an answer is held back: the answer stage's default."""


@dataclass(frozen=True, slots=True)
class QuotedQuestion:
    """A question with its labels; both are empty for one that the samples do not answer."""

    question: str
    document: str = ""
    words: str = ""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a question."""

    labelled: QuotedQuestion
    is_doubted: bool
    """Whether it is held back, or shown as the nearest passages."""
    text: str
    first: str
    """The document of the first sentence; empty if it is of none."""

    @property
    def has_words(self) -> bool:
        """Whether the labelled words stand in the answer."""
        return self.labelled.words in self.text.replace("**", "")


def read_questions() -> tuple[list[QuotedQuestion], list[QuotedQuestion]]:
    """Those that the samples answer, and those that they do not."""
    questions = [QuotedQuestion(**line) for line in read_lines(DATA / "answers" / "quoted_questions.jsonl")]
    return [each for each in questions if each.document], [each for each in questions if not each.document]


def answer(question: QuotedQuestion) -> Outcome:
    """As the rules answer."""
    draft = draft_answer(sample_index().request(question.question), Length.MEDIUM, THRESHOLD)
    text = "\n".join(sentence.text for paragraph in draft.paragraphs for sentence in paragraph)
    return Outcome(question, draft.abstained or bool(draft.caution), text, _first_document(draft))


def _first_document(draft: AnswerDraft) -> str:
    passage = next((sentence.headed_passage for paragraph in draft.paragraphs for sentence in paragraph), None)
    return passage.document_id if passage else ""


def figures_of(answerable: Sequence[Outcome], unanswerable: Sequence[Outcome]) -> list[Figure]:
    """What the answers come to."""
    name, count = "quotes: answerable", len(answerable)
    return [
        Figure(name, count, "labelled words in the answer", sum(outcome.has_words for outcome in answerable)),
        Figure(name, count, "labelled document first", sum(o.first == o.labelled.document for o in answerable)),
        Figure(name, count, "doubted", sum(outcome.is_doubted for outcome in answerable)),
        Figure("quotes: unanswerable", len(unanswerable), "doubted", sum(o.is_doubted for o in unanswerable)),
    ]


def outcomes() -> tuple[list[Outcome], list[Outcome]]:
    """Of those that the samples answer, and of those that they do not."""
    answerable, unanswerable = read_questions()
    return list(map(answer, answerable)), list(map(answer, unanswerable))


def figures() -> list[Figure]:
    """Of all questions."""
    return figures_of(*outcomes())


def main() -> int:
    """Measure and print."""
    answerable, unanswerable = outcomes()
    complaints = [f"not told: {o.labelled.question}" for o in answerable if not o.has_words]
    complaints += [f"answered: {o.labelled.question}" for o in unanswerable if not o.is_doubted]
    show("Quoted answers", figures_of(answerable, unanswerable), complaints)
    return 0


if __name__ == "__main__":
    sys.exit(main())
