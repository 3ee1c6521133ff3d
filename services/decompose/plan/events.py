"""Turns events in a question ("the launch of Luna 9", "Luna 9 landed") into questions when they happened."""

import regex

from services.decompose.plan.descriptions import find_description
from services.decompose.words.domain import Domain
from services.decompose.words.grammar import (
    AUXILIARIES,
    BE_FORMS,
    DETERMINERS,
    DO_SUPPORT,
    PREPOSITIONS,
    base_form,
    is_past_form,
)

_OWN = regex.compile(r"(?:its|his|her|their)\s+(?P<event>[\w-]+(?:\s+[\w-]+)?)", regex.IGNORECASE)
_EVENT_OF = regex.compile(r"the\s+[\w-]+(?:\s+[\w-]+)?\s+of\s+.+", regex.IGNORECASE)
_POSSESSED = regex.compile(r".+['’]s\s+[\w-]+(?:\s+[\w-]+)?", regex.IGNORECASE)

_SHORTEST_PAST = 4
"""A longer word in -ed after a subject is taken as its verb, known or not."""


def when_question(event: str, domain: Domain, owner: str = "") -> str | None:
    """Return the question when an event happened; None if the words describe no event.

    Args:
        event: "the launch of Luna 9", "Luna 9's launch", "Luna 9 landed", "Luna 9 was launched", "its launch".
        owner: the antecedent of "its".
    """
    words = event.strip(" ,?")
    if match := _OWN.fullmatch(words):
        return f"when was the {match['event']} of {owner}" if owner else None
    return _question_of_clause(words, domain) or _question_of_noun(words)


def _question_of_noun(words: str) -> str | None:
    return f"when was {words}" if _EVENT_OF.fullmatch(words) or _POSSESSED.fullmatch(words) else None


def _question_of_clause(words: str, domain: Domain) -> str | None:
    """Turn a subject and its finite verb into a question. Returns None if no verb is found."""
    description = find_description(f"before {words}", domain, bare=True)
    at_start = description is not None and description.start == len("before ")
    subject_end = description.end - len("before ") if description and at_start else 0
    tokens = list(regex.finditer(r"\S+", words))
    for position, token in enumerate(tokens):
        if token.start() < subject_end or position == 0:
            continue
        before, word = tokens[position - 1][0].lower(), token[0].lower()
        subject, rest = words[: token.start()].strip(), words[token.end() :].strip()
        if word in BE_FORMS and rest:
            return f"when {word} {subject} {rest}"
        if word in AUXILIARIES or before in DETERMINERS | PREPOSITIONS:
            continue
        if is_past_form(word):
            return f"when did {subject} {base_form(word)} {rest}".strip()
        if word.endswith("ed") and len(word) > _SHORTEST_PAST:
            return f"when was it that {words}"
    return None


def subject_of(question: str, domain: Domain) -> str:
    """Return the subject of a "when was" or "when did" question; empty if it is not clear."""
    words = question.split()
    if len(words) < 4 or words[1].lower() not in BE_FORMS | DO_SUPPORT:
        return ""
    start = len(words[0]) + len(words[1]) + 2
    description = find_description(question, domain)
    if description and description.start == start:
        return question[start : description.end]
    for end in range(3, len(words)):
        word, before = words[end].lower(), words[end - 1].lower()
        is_verb = is_past_form(word) if words[1].lower() in BE_FORMS else base_form(word) == word
        if is_verb and before not in DETERMINERS | PREPOSITIONS:
            return " ".join(words[2:end])
    return ""
