"""Finds things that a question describes instead of naming: "the craft that first orbited Mars", "the smallest rover".

A description begins with the definite article, has a noun, and identifies one thing: by a word such as "first" or
"largest", or by a clause that contains a name.
"""

from collections.abc import Iterator

from libs.language.topics.description_forms import DescriptionForms
from libs.language.topics.grammar import Grammar
from libs.language.topics.noun_phrases import NounPhrases
from services.decompose.plan.description import Description
from services.decompose.plan.description_reader import DescriptionReader
from services.decompose.plan.question_words import QuestionWords
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
    question = QuestionWords(text, domain, language)
    articles = NounPhrases.of(language).definite_articles
    for index, token in enumerate(question.tokens):
        if question.words[index] not in articles or not (bare or _asks_of_it(text[: token.start], language)):
            continue
        if description := DescriptionReader(question).read(index):
            yield description


def _asks_of_it(lead: str, language: str) -> bool:
    """Whether a lead begins a question ("from which place" included) that asks for something else than the thing."""
    grammar = Grammar.of(language)
    first, *others = [*lead.lower().split()[:2], ""]
    begins_question = first in grammar.wh_words or first in grammar.auxiliaries
    is_question = begins_question or (first in grammar.prepositions and others[0] in grammar.wh_words)
    return is_question and not DescriptionForms.of(language).asks_for_it.fullmatch(lead)
