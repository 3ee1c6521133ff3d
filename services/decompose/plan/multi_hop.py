"""Multi-hop questions: "when did the craft that first orbited Mars launch?" first requires which craft that was."""

import regex

from services.decompose.plan.descriptions import find_description
from services.decompose.plan.parts import PlanPart, Sketch, Split
from services.decompose.words.domain import Domain, is_among
from services.decompose.words.grammar import AUXILIARIES, WH_WORDS, base_form, is_past_form
from services.decompose.words.phrases import find_phrases

_ROLE = regex.compile(r"\s+the\s+(?P<role>[\w-]+(?:\s+[\w-]+)?)\s+of\s+", regex.IGNORECASE)
_THINGS = frozenset(("capital", "predecessor", "successor", "manufacturer", "operator"))
"""Roles of things, not people."""
_ASKS_FOR_IT = regex.compile(
    r"(?:what|who|which)(?:\s+(?:is|was|are|were)|['’]s)(?:\s+the\s+name\s+of)?", regex.IGNORECASE
)


def new_sketch(domain: Domain) -> Sketch:
    """Return an empty sketch that looks descriptions up with the words of a domain."""
    return Sketch(lambda sketch, question: look_up_descriptions(sketch, question, domain))


def look_up_descriptions(sketch: Sketch, text: str, domain: Domain, bare: bool = False) -> str:
    """Return the text with "#1" and so on in place of its descriptions, each added to the sketch as a part.

    A description nested in another is looked up first only if it is unique, because documents may use the same words.

    Args:
        bare: whether the text may begin with the description.
    """
    while description := find_description(text, domain, bare):
        inner = find_description(description.asks, domain)
        asks = look_up_descriptions(sketch, description.asks, domain) if inner and inner.is_unique else description.asks
        stands_for = sketch.add(PlanPart(asks))
        text = text[: description.start] + stands_for + text[description.end :]
    return text


def split_multi_hop(question: str, domain: Domain) -> Split | None:
    """Return a sub-query for each thing that the question describes, and one for what it asks about them.

    Returns None if no rule is certain.
    """
    sketch = new_sketch(domain)
    sketch.ask(_small_first_letter(question))
    if len(sketch.parts) > 1:
        return sketch.split(f'what it asks about has to be found first: "{sketch.parts[0].text}"')
    return _by_role(question, domain)


def _by_role(question: str, domain: Domain) -> Split | None:
    """Split a question about a role such as "the founder of SpaceX"."""
    for match in _ROLE.finditer(question, overlapped=True):
        lead, role = question[: match.start()], match["role"].lower()
        asks_of_it = _begins_question(lead) and not _ASKS_FOR_IT.fullmatch(lead)
        if asks_of_it and is_among(role, domain.unique_roles):
            return _of_role(lead, role, question[match.end() :])
    return None


def _of_role(lead: str, role: str, words: str) -> Split | None:
    owners = find_phrases(words)
    if not owners or not owners[0].kind.is_name:
        return None
    owner, tail = words[: owners[0].end], words[owners[0].end :].strip()
    if tail and not _is_predicate(tail):
        return None
    first = PlanPart(f"{'what' if role in _THINGS else 'who'} was the {role} of {owner}")
    second = PlanPart(f"{_small_first_letter(lead)} #1 {tail}".strip())
    return Split((first, second), f'what it asks about has to be found first: "{first.text}"')


def _begins_question(lead: str) -> bool:
    first = lead.lower().split()[:1]
    return bool(first) and (first[0] in WH_WORDS or first[0] in AUXILIARIES)


def _is_predicate(tail: str) -> bool:
    first = tail.split()[0].lower()
    return is_past_form(first) or base_form(first) == first


def _small_first_letter(question: str) -> str:
    return question[:1].lower() + question[1:]
