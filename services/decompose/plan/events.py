"""Turns events in a question ("the launch of Luna 9", "Luna 9 landed") into when-questions. No I/O of its own."""

import re

from libs.language.topics.grammar import Grammar, Inflection
from libs.language.topics.plans import EventForms
from services.decompose.plan.descriptions import find_description
from services.decompose.words.domain import Domain
from services.decompose.words.grammar import base_form, is_past_form

_WORD = re.compile(r"\S+")
_MIN_PAST = 4
"""A longer word with a past ending after a subject is taken as its verb, known or not (taste)."""


def when_question(event: str, domain: Domain, language: str, owner: str = "") -> str | None:
    """Return the question when an event happened; None if the words describe no event.

    Args:
        event: "the launch of Luna 9", "Luna 9's launch", "Luna 9 landed", "Luna 9 was launched", "its launch".
        domain: the words of the documents' subject.
        language: ISO 639-1.
        owner: the antecedent of "its".
    """
    words, forms = event.strip(" ,?"), EventForms.of(language)
    if match := forms.own.fullmatch(words):
        return forms.own_question.format(event=match["event"], owner=owner) if owner else None
    return _question_of_clause(words, domain, language) or _question_of_noun(words, language)


def _question_of_noun(words: str, language: str) -> str | None:
    forms = EventForms.of(language)
    is_event = forms.of_thing.fullmatch(words) or forms.possessed.fullmatch(words)
    return forms.noun_question.format(event=words) if is_event else None


def _question_of_clause(words: str, domain: Domain, language: str) -> str | None:
    """Turn a subject and its finite verb into a question. Returns None if no verb is found."""
    forms, grammar, opener = EventForms.of(language), Grammar.of(language), EventForms.of(language).clause_opener
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
    """Return the subject of a "when was" or "when did" question; empty if it is not clear."""
    grammar, words = Grammar.of(language), question.split()
    if len(words) < 4 or words[1].lower() not in grammar.be_forms | grammar.do_support:
        return ""
    start = len(words[0]) + len(words[1]) + 2
    description = find_description(question, domain, language)
    if description and description.start == start:
        return question[start : description.end]
    is_passive = words[1].lower() in grammar.be_forms
    for end in range(3, len(words)):
        word, before = words[end].lower(), words[end - 1].lower()
        is_verb = is_past_form(word, language) if is_passive else base_form(word, language) == word
        if is_verb and before not in grammar.determiners and before not in grammar.prepositions:
            return " ".join(words[2:end])
    return ""
