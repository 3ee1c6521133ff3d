"""Multi-hop questions: "when did the craft that first orbited Mars launch?" first requires which craft that was."""

import re
from collections.abc import Iterator

from libs.language.known import language_of
from libs.language.topics.follow_ups import JoinedQuestions
from libs.language.topics.grammar import Grammar
from libs.language.topics.plans import RoleForms
from services.decompose.plan.descriptions import find_description
from services.decompose.plan.parts import PlanPart, Sketch, Split
from services.decompose.words.domain import Domain, is_among
from services.decompose.words.grammar import base_form, is_past_form
from services.decompose.words.noun_groups import NounGroupReader
from services.decompose.words.phrases import find_phrases


def overlapping_matches(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """Yield the match at each position where the pattern matches, the first position first."""
    match = pattern.search(text)
    while match:
        yield match
        match = pattern.search(text, match.start() + 1)


def new_sketch(domain: Domain, language: str) -> Sketch:
    """Return an empty sketch that looks descriptions up with the words of a domain."""
    return Sketch(lambda sketch, question: look_up_descriptions(sketch, question, domain, language))


def look_up_descriptions(sketch: Sketch, text: str, domain: Domain, language: str, bare: bool = False) -> str:
    """Return the text with "#1" and so on in place of its descriptions, each added to the sketch as a part.

    A description nested in another is looked up first only if it is unique, because documents may use the same words.

    Args:
        sketch: receives the parts.
        text: a question or, with `bare`, a part of one.
        domain: the words of the documents' subject.
        language: ISO 639-1.
        bare: whether the text may begin with the description.
    """
    while description := find_description(text, domain, language, bare):
        asks = description.asks
        inner = find_description(asks, domain, language)
        if inner and inner.is_unique:
            asks = look_up_descriptions(sketch, asks, domain, language)
        text = description.replaced_in(text, sketch.add(PlanPart(asks)))
    return text


def split_multi_hop(question: str, domain: Domain, language: str) -> Split | None:
    """Return a sub-query for each thing that the question describes, and one for what it asks about them.

    Returns None if no rule is certain.
    """
    sketch = new_sketch(domain, language)
    sketch.ask(_small_first_letter(question))
    if len(sketch.parts) > 1:
        return sketch.split(f'what it asks about has to be found first: "{sketch.parts[0].text}"')
    return _by_role(question, domain, language)


def _by_role(question: str, domain: Domain, language: str) -> Split | None:
    """Split a question about a role such as "the founder of SpaceX"."""
    forms = RoleForms.of(language)
    for match in overlapping_matches(forms.role, question):
        lead, role = question[: match.start()], match["role"]
        asks_of_it = _begins_question(lead, language) and not forms.asks_for_it.fullmatch(lead)
        if asks_of_it and is_among(role.lower(), domain.unique_roles, language):
            return _of_role(lead, role, question[match.end() :], language)
    return None


def _of_role(lead: str, role: str, words: str, language: str) -> Split | None:
    forms, owner = RoleForms.of(language), _owner(words, language)
    if not owner:
        return None
    tail = words[len(owner) :].rstrip()
    shown = role if language_of(language).capitalises_nouns else role.lower()
    template = forms.what if role.lower() in forms.things else forms.who
    first = PlanPart(template.format(role=shown, owner=owner))
    second = PlanPart(f"{_small_first_letter(lead)} #1{tail}".strip())
    return Split((first, second), f'what it asks about has to be found first: "{first.text}"')


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


def _begins_question(lead: str, language: str) -> bool:
    grammar, (first, second, *_) = Grammar.of(language), [*lead.lower().split()[:2], "", ""]
    opens_late = first in JoinedQuestions.of(language).openers and second in grammar.wh_words
    return first in grammar.wh_words or first in grammar.auxiliaries or opens_late


def _is_predicate(tail: str, language: str) -> bool:
    first = tail.split()[0].lower()
    return is_past_form(first, language) or base_form(first, language) == first


def _small_first_letter(question: str) -> str:
    return question[:1].lower() + question[1:]
