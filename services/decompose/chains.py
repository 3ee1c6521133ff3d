"""Two hops in one question: "when did the craft that first orbited Mars launch?" asks first which craft that was."""

import regex

from services.decompose.domain import Domain, is_among, singular
from services.decompose.grammar import (
    AUXILIARIES,
    BE_FORMS,
    DETERMINERS,
    DO_SUPPORT,
    PERSON_TITLES,
    PREPOSITIONS,
    WH_WORDS,
    base_form,
    is_past_form,
)
from services.decompose.parts import Part, Split
from services.decompose.phrases import Kind, find_phrases

_RELATIVE = regex.compile(
    r"(?P<lead>.+?)\s+the\s+(?P<noun>[\w-]+)\s+(?:that|which|who)\s+(?P<clause>.+)", regex.IGNORECASE
)
_FIRST_TO = regex.compile(
    r"(?P<lead>.+?)\s+the\s+(?P<order>first|last|only)\s+(?P<noun>[\w-]+)\s+to\s+(?P<clause>.+)", regex.IGNORECASE
)
_ROLE = regex.compile(r"\s+the\s+(?P<role>[\w-]+(?:\s+[\w-]+)?)\s+of\s+", regex.IGNORECASE)
_THINGS = frozenset(("capital", "predecessor", "successor", "manufacturer", "operator"))
"""Roles that things have."""
_ORDINAL = regex.compile(r"\b(?:first|last|only|largest|smallest|\w+est)\b", regex.IGNORECASE)
_ASKS_FOR_IT = regex.compile(
    r"(?:what|who|which)(?:\s+(?:is|was|are|were)|['’]s)(?:\s+the\s+name\s+of)?", regex.IGNORECASE
)


def split_chain(question: str, domain: Domain) -> Split | None:
    """A sub-query for what the question describes, and one for what it asks of that; None where no rule is sure."""
    return _by_relative(question, domain) or _by_order(question, domain) or _by_role(question, domain)


def _by_relative(question: str, domain: Domain) -> Split | None:
    """ "The craft that first orbited Mars"."""
    found = _RELATIVE.fullmatch(question)
    if not found or not _is_hop(found["lead"], found["noun"], domain) or not _tells_which(found["clause"]):
        return None
    clause, tail = _clause_and_tail(found["lead"], found["clause"])
    if not _has_finite_verb(clause):
        return None
    return _chain(f"which {found['noun'].lower()} {clause}", found["lead"], tail)


def _by_order(question: str, domain: Domain) -> Split | None:
    """ "The first craft to orbit Mars"."""
    found = _FIRST_TO.fullmatch(question)
    if not found or not _is_hop(found["lead"], found["noun"], domain):
        return None
    clause, tail = _clause_and_tail(found["lead"], found["clause"])
    return _chain(f"which {found['noun'].lower()} was the {found['order'].lower()} to {clause}", found["lead"], tail)


def _by_role(question: str, domain: Domain) -> Split | None:
    """ "The founder of SpaceX", of which something is asked."""
    for found in _ROLE.finditer(question, overlapped=True):
        lead, role = question[: found.start()], found["role"].lower()
        asks_of_it = _begins_question(lead) and not _ASKS_FOR_IT.fullmatch(lead)
        if asks_of_it and is_among(role, domain.unique_roles):
            return _of_role(lead, role, question[found.end() :])
    return None


def _of_role(lead: str, role: str, words: str) -> Split | None:
    owners = find_phrases(words)
    if not owners or not owners[0].kind.is_name:
        return None
    owner, tail = words[: owners[0].end], words[owners[0].end :].strip()
    if tail and not _is_predicate(tail):
        return None
    return _chain(f"{'what' if role in _THINGS else 'who'} was the {role} of {owner}", lead, tail)


def _chain(first: str, lead: str, tail: str) -> Split:
    second = f"{lead[0].lower()}{lead[1:]} #1 {tail}".strip()
    return Split((Part(first), Part(second, (1,))), f'what it asks about has to be found first: "{first}"')


def _is_hop(lead: str, noun: str, domain: Domain) -> bool:
    """Whether something is asked about a thing of a known sort, other than which one it is."""
    known = is_among(noun.lower(), domain.classes) or singular(noun.lower()) in PERSON_TITLES
    return known and _begins_question(lead) and not _ASKS_FOR_IT.fullmatch(lead)


def _begins_question(lead: str) -> bool:
    first = lead.lower().split()[:1]
    return bool(first) and (first[0] in WH_WORDS or first[0] in AUXILIARIES)


def _tells_which(clause: str) -> bool:
    """Whether a clause names something or orders, so that it describes one thing."""
    return bool(_ORDINAL.search(clause)) or any(p.kind is not Kind.THING for p in find_phrases(clause))


def _clause_and_tail(lead: str, words: str) -> tuple[str, str]:
    """Where the describing clause ends and the question goes on: "first orbited Mars" | "launch"."""
    tokens = words.split()
    helper = next((word for word in reversed(lead.lower().split()) if word in AUXILIARIES), "")
    ends_with_helper = lead.lower().split()[-1] == helper
    if not ends_with_helper:
        return words, ""
    verb = next((i for i, word in enumerate(tokens) if base_form(word.lower())), 0)
    for index in range(verb + 2, len(tokens)):
        before, word = tokens[index - 1].lower(), tokens[index].lower().strip(",")
        if before in DETERMINERS | PREPOSITIONS | {"and", "or", "to"} | AUXILIARIES:
            continue
        if (helper in DO_SUPPORT and base_form(word) == word) or (helper in BE_FORMS and is_past_form(word)):
            return " ".join(tokens[:index]).rstrip(","), " ".join(tokens[index:])
    return words, ""


def _has_finite_verb(clause: str) -> bool:
    """Whether the clause's own verb comes first, perhaps after an adverb: "first orbited", not "I subscribed to"."""
    opening = [word.lower() for word in clause.split()[:2]]
    if opening[0] in {"i", "we", "you", "they", "he", "she", "it"}:
        return False
    return any(is_past_form(word) or word in {"was", "is", "has", "had"} or _is_third_person(word) for word in opening)


def _is_third_person(word: str) -> bool:
    return word.endswith("s") and base_form(word) not in {None, word}


def _is_predicate(tail: str) -> bool:
    first = tail.split()[0].lower()
    return is_past_form(first) or base_form(first) == first
