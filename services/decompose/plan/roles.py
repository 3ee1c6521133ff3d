"""Roles in a question: "where was the founder of SpaceX born?" first requires who that was. Pure functions."""

from collections.abc import Iterator

from libs.language.known import language_of
from libs.language.topics.plans import RoleForms
from services.decompose.plan.parts import Description
from services.decompose.plan.question_words import begins_question
from services.decompose.words.domain import Domain, is_among
from services.decompose.words.grammar import base_form, is_past_form
from services.decompose.words.noun_groups import NounGroupReader
from services.decompose.words.phrases import find_phrases


def roles(question: str, domain: Domain, language: str) -> Iterator[Description]:
    """Yield the roles of a named owner that the question does not ask for itself."""
    forms, by_nouns = RoleForms.of(language), language_of(language).capitalises_nouns
    start = 0
    while match := forms.role.search(question, start):
        start = match.start() + 1
        lead, role, rest = question[: match.start()], match["role"], question[match.end() :]
        asks_of_it = begins_question(lead, language) and not forms.asks_for_it.fullmatch(lead)
        if asks_of_it and is_among(role.lower(), domain.unique_roles, language) and (owner := _owner(rest, language)):
            template = forms.what if role.lower() in forms.things else forms.who
            asks = template.format(role=role if by_nouns else role.lower(), owner=owner)
            begin = match.start() + len(match[0]) - len(match[0].lstrip())
            yield Description(begin, match.end() + len(owner), asks, is_unique=False)


def _owner(words: str, language: str) -> str:
    """The owner at the beginning of some words; empty if it is no name, or if no predicate follows."""
    if language_of(language).capitalises_nouns:
        return _owner_in_capitals(words, language)
    owners = find_phrases(words, language=language)
    if not owners or not owners[0].kind.is_name:
        return ""
    tail = words[owners[0].end :].strip()
    return words[: owners[0].end] if not tail or _is_predicate(tail, language) else ""


def _owner_in_capitals(words: str, language: str) -> str:
    reader = NounGroupReader(words, language)
    has_preposition = reader.words[:1] == [RoleForms.of(language).owner_preposition]
    group = reader.group_at(int(has_preposition))
    if group is None:
        return ""
    last = group.last if group.determiner else group.noun_end  # a name has no attributes: "… von Anna Berger im Amt"
    return words[: reader.tokens[last].end]


def _is_predicate(tail: str, language: str) -> bool:
    first = tail.split()[0].lower()
    return is_past_form(first, language) or base_form(first, language) == first
