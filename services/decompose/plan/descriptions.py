"""Finds things that a question describes instead of naming: "the craft that first orbited Mars", "the smallest rover".

A description begins with the definite article, has a noun, and identifies one thing: by a word such as "first" or
"largest", or by a clause that contains a name.
"""

from collections.abc import Iterator

from libs.language.known import language_of
from libs.language.topics.clauses import RelativeClauses
from libs.language.topics.grammar import Grammar
from libs.language.topics.plans import DescriptionForms
from services.decompose.plan.description_reader import DescriptionReader
from services.decompose.plan.parts import Description
from services.decompose.plan.question_words import QuestionWords
from services.decompose.plan.relative_clauses import RelativeClauseReader
from services.decompose.words.domain import Domain


def find_description(text: str, domain: Domain, language: str, bare: bool = False) -> Description | None:
    """Return the first description in a question, outermost.

    Returns None if the question asks for that thing itself, or describes nothing.

    Args:
        text: a question or, with `bare`, a part of one that may begin with the description.
        domain: the words of the documents' subject.
        language: ISO 639-1.
        bare: see `text`.
    """
    return next(_descriptions(text, domain, language, bare), None)


def _descriptions(text: str, domain: Domain, language: str, bare: bool) -> Iterator[Description]:
    """The descriptions of the text that the question does not ask for."""
    candidates = (
        RelativeClauseReader(text, domain, language).descriptions()
        if language_of(language).capitalises_nouns
        else DescriptionReader(QuestionWords(text, domain, language)).descriptions()
    )
    for description in candidates:
        if bare or _asks_of_it(text[: description.start], language):
            yield description


def _asks_of_it(lead: str, language: str) -> bool:
    """Whether a lead begins a question ("from which place" included) that asks for something else than the thing."""
    grammar = Grammar.of(language)
    first, *others = [*lead.lower().split()[:2], ""]
    begins_question = first in grammar.wh_words or first in grammar.auxiliaries
    is_question = begins_question or (first in grammar.prepositions and others[0] in grammar.wh_words)
    asks_for_it = (forms.of(language).asks_for_it for forms in (DescriptionForms, RelativeClauses))
    return is_question and not any(pattern.fullmatch(lead) for pattern in asks_for_it)
