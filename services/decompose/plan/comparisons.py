"""Comparisons of two things: a sub-query for each side and, if the criterion is clear, a computed comparison."""

from collections.abc import Iterator
from functools import lru_cache

import regex

from libs.text.tokens import tokenize
from services.decompose.plan.descriptions import find_description
from services.decompose.plan.multi_hop import look_up_descriptions, new_sketch
from services.decompose.plan.parts import Split
from services.decompose.words.domain import Domain
from services.decompose.words.grammar import ARTICLES, base_form
from services.decompose.words.phrases import Phrase, find_phrases

_SIDES = r"(?P<one>.+?)"
_COMPARE = regex.compile(
    r"(?:please\s+)?(?:compare|contrast)\s+(?:(?P<quality>(?:the\s+)?[\w ]+?)\s+(?:of|for|on)\s+)?"
    rf"{_SIDES}\s+(?:and|with|to|versus|vs\.?|against)\s+(?P<other>.+)",
    regex.IGNORECASE,
)
_DIFFERENCE = regex.compile(
    rf"(?:what(?:'s|’s|\s+is|\s+are|\s+was|\s+were)\s+)?(?:the\s+)?(?:main\s+)?differences?\s+between\s+{_SIDES}\s+and\s+(?P<other>.+)"
    rf"|how\s+(?:do|does|did|is|are|was|were)\s+{_SIDES}\s+(?:differ|different)\s+from\s+(?P<other>.+)"
    rf"|{_SIDES}\s+(?:vs\.?|versus)\s+(?P<other>.+)",
    regex.IGNORECASE,
)
_ALONE = r"(?:which|who|what)\s+"
_WITH_NOUN = r"(?:which|what)\s+(?:of\s+the\s+two|of\s+them|\w+)\s+"
_OF_TWO = rf"\s*[,:]?\s+(?:between\s+)?{_SIDES},?\s+or\s+(?P<other>.+)"
_WHICH = rf"(?P<verb>\w+)\s+(?:the\s+)?(?P<adjective>(?:more\s+|less\s+)?\w+){_OF_TWO}"
_WHICH_WAS_DONE = rf"(?P<verb>was|were)\s+(?P<done>\w+)\s+(?P<adjective>earlier|later|first|last){_OF_TWO}"
_WHICH_DID_MORE = (
    r"(?P<verb>\w+)(?P<particle>\s+(?:back|out|off|up|home|down|away))?\s+(?P<more>more|fewer|less)\s+"
    rf"(?P<thing>[\w-]+(?:\s+[\w-]+)?){_OF_TWO}"
)
_THAN = regex.compile(
    rf"(?P<verb>is|was|are|were)\s+{_SIDES}\s+(?P<adjective>\w+er|more\s+\w+|less\s+\w+)\s+than\s+(?P<other>.+)",
    regex.IGNORECASE,
)
_DID_EITHER = regex.compile(
    rf"(?:did|does|do)\s+(?:either\s+)?{_SIDES}\s+or\s+(?P<other>.+?)\s+(?P<verb>[\w-]+)\s+(?P<adjective>\w+er)",
    regex.IGNORECASE,
)
_DID_THAN = regex.compile(
    rf"(?:did|does|do)\s+{_SIDES}\s+(?P<verb>[\w-]+)\s+(?P<adjective>\w+er)\s+than\s+(?P<other>.+)", regex.IGNORECASE
)
_BE = frozenset(("is", "was", "are", "were"))
_MASS_NOUNS = frozenset(
    ("soil", "water", "fuel", "time", "money", "power", "energy", "oil", "gold", "land", "food", "dust", "gas", "ice")
)
_YES_OR_NO = {"greatest": "is_greater", "least": "is_less"}
"""Maps the function that chooses one of several to the one that answers "is A larger than B"."""


def split_comparison(question: str, domain: Domain) -> Split | None:
    """Return a sub-query for each side of a comparison, and the computation on their answers.

    Returns None if nothing is compared or the sides are not clear.
    """
    rules = (_split_compare, _split_which_earlier, _split_which_more, _split_which_is, _split_than, _split_difference)
    splits = (rule(question, domain) for rule in rules)
    return next((split for split in splits if split), None)


def _split_compare(question: str, domain: Domain) -> Split | None:
    """ "Compare the cameras of Viking 1 and Viking 2"."""
    match = _COMPARE.fullmatch(question)
    if not match:
        return None
    return _split(match, f"{match['quality']} of {{}}" if match["quality"] else "{}", domain)


def _split_which_earlier(question: str, domain: Domain) -> Split | None:
    """ "Which was launched earlier, Viking 1 or Viking 2"."""
    for match in _which_matches(_WHICH_WAS_DONE, question):
        template = f"when {match['verb'].lower()} {{}} {match['done']}"
        return _split(match, template, domain, _chooser(match, domain))
    return None


def _split_which_more(question: str, domain: Domain) -> Split | None:
    """ "Which brought back more soil, Luna 16 or Luna 24"."""
    for match in _which_matches(_WHICH_DID_MORE, question):
        if template := _amount_template(match):
            return _split(match, template, domain, "greatest" if match["more"].lower() == "more" else "least")
    return None


def _split_which_is(question: str, domain: Domain) -> Split | None:
    """ "Which is larger, Jupiter or Saturn", "which launched earlier, …", "did Spirit or Opportunity drive farther"."""
    did_either = _DID_EITHER.fullmatch(question)
    for match in [*_which_matches(_WHICH, question), *([did_either] if did_either else [])]:
        if template := _template(match, domain):
            return _split(match, template, domain, _chooser(match, domain))
    return None


def _split_than(question: str, domain: Domain) -> Split | None:
    """ "Is Jupiter larger than Saturn", "did Venera 13 survive longer than Venera 14"."""
    match = _THAN.fullmatch(question) or _DID_THAN.fullmatch(question)
    if not match:
        return None
    function = _YES_OR_NO.get(_chooser(match, domain), "")
    return _split(match, _template(match, domain), domain, function, names_only=True)


def _split_difference(question: str, domain: Domain) -> Split | None:
    """ "What is the difference between Viking 1 and Viking 2"."""
    match = _DIFFERENCE.fullmatch(question)
    return _split(match, "{}", domain, names_only=True) if match else None


def _which_matches(pattern: str, question: str) -> Iterator["regex.Match[str]"]:
    """The matches of a question about two things: "which …", then "which rover …"."""
    for compiled in _which_patterns(pattern):
        if match := compiled.fullmatch(question):
            yield match


@lru_cache(maxsize=8)
def _which_patterns(pattern: str) -> tuple["regex.Pattern[str]", ...]:
    return tuple(regex.compile(asking + pattern, regex.IGNORECASE) for asking in (_ALONE, _WITH_NOUN))


def _split(
    match: "regex.Match[str]", template: str, domain: Domain, function: str = "", names_only: bool = False
) -> Split | None:
    """A split that asks both sides in the same way and, with a function, computes on the two answers."""
    sides = [_side(match[name], domain, names_only) for name in ("one", "other")]
    if not template or not all(sides) or sides[0].lower() == sides[1].lower():
        return None
    sketch = new_sketch(domain)
    names = [look_up_descriptions(sketch, side, domain, bare=True) for side in sides]
    values = [sketch.ask(template.format(name)) for name in names]
    if function:
        question = match.string[:1].lower() + match.string[1:]
        text = question.replace(sides[0], names[0], 1).replace(sides[1], names[1], 1)
        arguments = [word for pair in zip(names, values, strict=True) for word in pair]
        sketch.compute(text, function, *(values if function.startswith("is_") else arguments))
    return sketch.split(f'it compares "{sides[0]}" with "{sides[1]}"')


def _side(text: str, domain: Domain, names_only: bool) -> str:
    """The text of one side: a description or a single noun phrase; empty for anything else."""
    side = text.strip(" ,")
    description = find_description(side, domain, bare=True)
    if description and (description.start, description.end) == (0, len(side)):
        return side
    phrase = _phrase(side)
    if phrase is None or (names_only and not phrase.kind.is_name):
        return ""
    return phrase.with_determiner + (f" {phrase.tail}" if phrase.tail else "")


def _phrase(text: str) -> Phrase | None:
    phrases = find_phrases(text)
    words = [token for token in tokenize(text) if token.text.lower() not in ARTICLES]
    if len(phrases) != 1 or not words:
        return None
    length = len(tokenize(phrases[0].text)) + len(tokenize(phrases[0].tail))
    return phrases[0] if length == len(words) <= 4 else None


def _chooser(match: "regex.Match[str]", domain: Domain) -> str:
    """The function that compares two things by the adjective's quality; empty if none is known."""
    adjective = match["adjective"].lower()
    return next((name for name, adjectives in domain.comparing.items() if adjective in adjectives), "")


def _template(match: "regex.Match[str]", domain: Domain) -> str:
    """The question template for one side: "how large is {}", "when did {} launch"; empty if no rule applies."""
    verb, adjective = match["verb"].lower(), match["adjective"].lower()
    question = domain.adjectives.get(adjective, "")
    if verb in _BE:
        quality = adjective.split()[-1] if " " in adjective else ""
        return f"{question} {verb} {{}}" if question else f"how {quality} {verb} {{}}" if quality else ""
    base = base_form(verb)
    return f"{question or 'when'} did {{}} {base}" if base and (question or adjective == "first") else ""


def _amount_template(match: "regex.Match[str]") -> str:
    """The template for "brought back more soil": how much soil one side brought back; empty without a known verb."""
    base = base_form(match["verb"].lower())
    thing = match["thing"]
    quantifier = "much" if match["more"].lower() == "less" or thing.split()[-1].lower() in _MASS_NOUNS else "many"
    return f"how {quantifier} {thing} did {{}} {base}{match['particle'] or ''}" if base else ""
