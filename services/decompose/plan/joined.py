"""Several questions in one turn: `[question word] … and [question word] … it …`, or a sentence each.

Each becomes a question of its own. A pronoun in a later one is linked: `#1` in its place stands for the answer of the
first (`which probe reached Venus and when did it launch`), or what it names itself takes its place (`when did Luna 9
launch and who built it`). If something in a later question points to nothing that is known, the turn stays whole.
"""

from libs.language.topics.plans import JoinedQuestions
from libs.text.sentences import split_sentences
from libs.text.tokens import content_words, tokenize
from services.decompose.plan.antecedents import Antecedents
from services.decompose.plan.linking import Linker
from services.decompose.plan.parts import PlanPart, Split
from services.decompose.plan.question_words import begins_question
from services.decompose.plan.sentences import body_of, small_first_letter
from services.decompose.words.domain import Domain

_LEAST_WORDS = 3
"""Least length of a question that is one of several, with its question word."""


def split_questions(question: str, domain: Domain, language: str) -> Split | None:
    """Return the questions of a turn, each linked to those before it; None for a single question."""
    texts = _sentences(question, language) or _conjoined(body_of(question, language), language)
    questions: list[str] = []
    antecedents: list[Antecedents] = []
    for number, text in enumerate(texts, start=1):
        linked = Linker(small_first_letter(text, language), antecedents, language).linked()
        if linked is None:
            return None
        questions.append(linked)
        antecedents.append(Antecedents(linked, f"#{number}", domain, language))
    parts = tuple(PlanPart(text, leans=True) for text in questions)
    return Split(parts, f"it asks {len(parts)} questions") if len(parts) > 1 else None


def _sentences(question: str, language: str) -> list[str]:
    """The sentences of a turn if there are several and all are questions, each split further; else empty."""
    sentences = [body_of(sentence.text, language) for sentence in split_sentences(question, language)]
    if len(sentences) < 2 or not all(_asks(text, language) for text in sentences):
        return []
    return [text for sentence in sentences for text in _conjoined(sentence, language) or [sentence]]


def _conjoined(question: str, language: str) -> list[str]:
    """The questions that "and" joins in a sentence; empty for a single question."""
    forms = JoinedQuestions.of(language)
    parts = [] if forms.indirect.match(question) else forms.joint.split(question)
    return parts if len(parts) > 1 and all(_asks(part, language) for part in parts) else []


def _asks(text: str, language: str) -> bool:
    is_long = len(tokenize(text)) >= _LEAST_WORDS and bool(content_words(text, language))
    return is_long and begins_question(text, language) and not JoinedQuestions.of(language).fragment.match(text)
