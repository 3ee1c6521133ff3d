"""Follow-ups that the evidence can answer: questions about sections that the answer does not quote whole.

The rules are pure and work in a thread.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from libs.contracts.conversation import Speaker
from libs.contracts.evidence import Evidence, Passage, Reference
from libs.contracts.stages.answer import RecommendRequest, RecommendResponse
from libs.contracts.understanding import RelatedEvent
from libs.documents.rendering import plain_words
from libs.language.topics.questions import FollowUps, QuestionTimes
from libs.runtime.threads import in_thread
from services.answer.answer_language import question_language
from services.answer.evidence_sanitizer import sanitize_passage
from services.answer.lexicon.words import stems_of
from services.answer.quoting.units import read_units
from services.answer.settings import Plugins

MAX_QUESTIONS: Final = 6
"""Most follow-ups, as the contract's `RequestOptions.recommendations` allows."""
SAME_QUESTION: Final = 0.7
"""Two questions are the same if they share this fraction of the shorter one's content stems (by hand)."""
MAX_READ: Final = 8
"""How many of the best-ranked passages are read (taste)."""
_OUTER: Final = re.compile(r"\A\d+(?:\.\d+)*[.)-]?\s+(?=[^\W\d_])|[\s.:…]+\Z")
"""A heading's number, and the mark at its end."""


async def recommend_with(
    plugins: Plugins, request: RecommendRequest, suggestions: Sequence[str] = ()
) -> RecommendResponse:
    """Return distinct follow-ups, best first: another package's, or else the suggestions, filled up by rules.

    The suggestions are questions from the language model that writes the answer.
    """

    async def by_rules() -> RecommendResponse:
        return RecommendResponse(await in_thread(recommend, request, MAX_QUESTIONS, suggestions))

    return await plugins.run("recommend", request, by_rules)


def recommend(request: RecommendRequest, limit: int, suggestions: Sequence[str] = ()) -> tuple[str, ...]:
    """Return at most `limit` follow-ups, suggestions first, without duplicates and what was asked before."""
    evidence = request.evidence[:MAX_READ]
    language = question_language(request.question, [item.passage for item in evidence])
    known = [request.question, *(each.text for each in request.view.messages if each.speaker is Speaker.USER)]
    first = _new_questions((*suggestions, *_beside(request.related_event, language)), known, language)
    sections = _questions_about_sections(evidence, request.answer, language)
    return (*first, *_new_questions(sections, (*known, *first), language))[:limit]


def _beside(event: RelatedEvent | None, language: str) -> Iterator[str]:
    """Yield a question about what happened beside an event whose date is known: `What else happened in July 1969?`."""
    template = FollowUps.of(language).beside
    if template and event and (date := event.date):
        words = QuestionTimes.of(language)
        month = words.month_names[date.month - 1] if 1 <= date.month <= 12 else ""
        month_of_year = words.ranges["month"].format(month=month, year=date.year)
        time = words.ranges["in_month" if month else "in_year"].format(month=month_of_year, year=date.year)
        yield template.format(time=time)


def _questions_about_sections(evidence: Sequence[Evidence], answer: str, language: str) -> list[str]:
    questions: dict[str, bool] = {}
    for item in evidence:
        passage = sanitize_passage(item.passage)
        question = _question_about(passage, language)
        quoted = [unit.text in answer for unit in read_units(Reference(1, item))]
        if question and question not in questions and not all(quoted):
            questions[question] = any(quoted)
    return sorted(questions, key=questions.__getitem__)


def _question_about(passage: Passage, language: str) -> str:
    """Return a question about a passage's section; a heading that is a question is that. Empty if it has no name."""
    forms = FollowUps.of(language)
    title, *headings = (_OUTER.sub("", plain_words(text)) for text in (passage.title, *passage.headings[-1:]))
    heading = "".join(headings)
    if heading.endswith("?"):
        return heading
    form = forms.section if heading not in ("", title) else forms.document
    return form.format(heading=heading, title=title) if title else ""


def _new_questions(candidates: Iterable[str], known: Sequence[str], language: str) -> list[str]:
    known_stems = [frozenset(stems_of(question, language)) for question in known]
    new_questions = []
    for question in candidates:
        stems = frozenset(stems_of(question, language))
        if not any(_is_same(stems, other) for other in known_stems):
            known_stems.append(stems)
            new_questions.append(question)
    return new_questions


def _is_same(stems: frozenset[str], other: frozenset[str]) -> bool:
    return stems == other or len(stems & other) >= SAME_QUESTION * max(2, min(len(stems), len(other)))
