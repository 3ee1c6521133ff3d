"""Multi-hop questions: "when did the craft that first orbited Mars launch?" first requires which craft that was."""

from libs.language.topics.grammar import Grammar
from libs.language.topics.role_forms import RoleForms
from services.decompose.plan.descriptions import find_description
from services.decompose.plan.overlapping import overlapping_matches
from services.decompose.plan.parts import PlanPart, Sketch, Split
from services.decompose.words.domain import Domain, is_among
from services.decompose.words.grammar import base_form, is_past_form
from services.decompose.words.phrases import find_phrases


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
        lead, role = question[: match.start()], match["role"].lower()
        asks_of_it = _begins_question(lead, language) and not forms.asks_for_it.fullmatch(lead)
        if asks_of_it and is_among(role, domain.unique_roles, language):
            return _of_role(lead, role, question[match.end() :], language)
    return None


def _of_role(lead: str, role: str, words: str, language: str) -> Split | None:
    owners = find_phrases(words, language=language)
    if not owners or not owners[0].kind.is_name:
        return None
    owner, tail = words[: owners[0].end], words[owners[0].end :].strip()
    if tail and not _is_predicate(tail, language):
        return None
    forms = RoleForms.of(language)
    first = PlanPart((forms.what if role in forms.things else forms.who).format(role=role, owner=owner))
    second = PlanPart(f"{_small_first_letter(lead)} #1 {tail}".strip())
    return Split((first, second), f'what it asks about has to be found first: "{first.text}"')


def _begins_question(lead: str, language: str) -> bool:
    grammar, first = Grammar.of(language), lead.lower().split()[:1]
    return bool(first) and (first[0] in grammar.wh_words or first[0] in grammar.auxiliaries)


def _is_predicate(tail: str, language: str) -> bool:
    first = tail.split()[0].lower()
    return is_past_form(first, language) or base_form(first, language) == first


def _small_first_letter(question: str) -> str:
    return question[:1].lower() + question[1:]
