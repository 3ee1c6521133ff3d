"""Turns events in a question ("the launch of Luna 9", "Luna 9 landed") into when-questions. No I/O of its own."""

import re

from libs.language.known import language_of
from libs.language.topics.grammar import Grammar, Inflection
from libs.language.topics.plans import MomentForms
from services.decompose.plan.descriptions import find_description
from services.decompose.plan.question_words import QuestionWords
from services.decompose.words.domain import Domain
from services.decompose.words.grammar import base_form, is_past_form

_WORD = re.compile(r"\S+")
_MIN_PAST = 4
"""A longer word with a past ending after a subject is taken as its verb, known or not (taste)."""


def when_question(event: str, domain: Domain, language: str, owner: str = "", bare: bool = False) -> str | None:
    """Return the question when an event happened; None if the words describe no event.

    Args:
        event: "the launch of Luna 9", "Luna 9's launch", "Luna 9 landed", "Luna 9 was launched", "its launch".
        domain: the words of the documents' subject.
        language: ISO 639-1.
        owner: the antecedent of "its", and of a pronoun that a clause begins with.
        bare: whether "the storm" and "dropping Python 3.6" are events, too.
    """
    words, forms = event.strip(" ,?"), MomentForms.of(language)
    if match := forms.own.fullmatch(words):
        return forms.own_question.format(event=match["event"], owner=owner) if owner else None
    if pronoun := forms.pronoun.match(words):
        if not owner:
            return None
        words = f"{owner}{words[pronoun.end() :]}"
    nouns = (forms.of_thing, forms.possessed, *((forms.event, forms.action) if bare else ()))
    if question := _question_of_clause(words, domain, language):
        return question
    return forms.noun_question.format(event=words) if any(form.fullmatch(words) for form in nouns) else None


def _question_of_clause(words: str, domain: Domain, language: str) -> str | None:
    """Turn a subject and its finite verb into a question. Returns None if no verb is found."""
    forms, grammar, opener = MomentForms.of(language), Grammar.of(language), MomentForms.of(language).clause_opener
    if match := forms.verb_last.fullmatch(words):
        return forms.verb_last_question.format(**match.groupdict()).strip()
    description = find_description(f"{opener}{words}", domain, language, bare=True) if opener else None
    at_start = description is not None and description.start == len(opener)
    subject_end = description.end - len(opener) if description and at_start else 0
    tokens = list(_WORD.finditer(words))
    for position, token in enumerate(tokens):
        if token.start() < subject_end or position == 0:
            continue
        before, word = tokens[position - 1][0].lower(), token[0].lower()
        subject, rest = words[: token.start()].strip(), words[token.end() :].strip()
        if word in grammar.be_forms and rest:
            return forms.be_question.format(verb=word, subject=subject, rest=rest)
        if word in grammar.auxiliaries or before in grammar.determiners or before in grammar.prepositions:
            continue
        if is_past_form(word, language):
            return forms.action_question.format(subject=subject, base=base_form(word, language), rest=rest).strip()
        if word.endswith(Inflection.of(language).past_endings) and len(word) > _MIN_PAST:
            return forms.clause_question.format(clause=words)
    return None


def subject_of(question: str, domain: Domain, language: str) -> str:
    """Return the subject of a question with "be" or "do" after its question word; empty if it is not clear."""
    words = QuestionWords(question, domain, language)
    grammar = words.grammar
    if len(words.words) < 4 or words.words[1] not in grammar.be_forms | grammar.do_support:
        return ""
    start = words.tokens[2].start
    description = find_description(question, domain, language)
    if description and description.start == start:
        return question[start : description.end]
    awaited = words.awaited_before(2)
    end = next((index for index in range(3, len(words.words)) if words.is_verb(index, awaited)), None)
    return words.span(2, end - 1) if end else ""


def is_person(thing: str, language: str) -> bool:
    """Whether a thing is a person: by title, or by a name of several words that is not that of a thing."""
    words, grammar = thing.split(), Grammar.of(language)
    is_name = len(words) > 1 and all(word[0].isupper() and word.isalpha() for word in words)
    titles = (word for word in (words[-1:] if not language_of(language).capitalises_nouns else words[:2]))
    return is_name or any(word.lower() in grammar.person_titles for word in titles)
