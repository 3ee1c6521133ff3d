"""Comparisons of two things: a sub-query for each side and, if the criterion is clear, a computed comparison."""

from collections.abc import Iterator
from functools import lru_cache

import regex

from libs.text.tokens import tokenize
from services.decompose.plan.descriptions import find_description
from services.decompose.plan.multi_hop import looked_up, new_sketch
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
    rules = (_compared, _done_earlier, _did_more, _is_more, _more_than, _different)
    splits = (rule(question, domain) for rule in rules)
    return next((split for split in splits if split), None)


def _compared(question: str, domain: Domain) -> Split | None:
    """ "Compare the cameras of Viking 1 and Viking 2"."""
    found = _COMPARE.fullmatch(question)
    if not found:
        return None
    return _split(found, f"{found['quality']} of {{}}" if found["quality"] else "{}", domain)


def _done_earlier(question: str, domain: Domain) -> Split | None:
    """ "Which was launched earlier, Viking 1 or Viking 2"."""
    for found in _which(_WHICH_WAS_DONE, question):
        asked = f"when {found['verb'].lower()} {{}} {found['done']}"
        return _split(found, asked, domain, _chooser(found, domain))
    return None


def _did_more(question: str, domain: Domain) -> Split | None:
    """ "Which brought back more soil, Luna 16 or Luna 24"."""
    for found in _which(_WHICH_DID_MORE, question):
        if asked := _ask_amount(found):
            return _split(found, asked, domain, "greatest" if found["more"].lower() == "more" else "least")
    return None


def _is_more(question: str, domain: Domain) -> Split | None:
    """ "Which is larger, Jupiter or Saturn", "which launched earlier, …", "did Spirit or Opportunity drive farther"."""
    either = _DID_EITHER.fullmatch(question)
    for found in [*_which(_WHICH, question), *([either] if either else [])]:
        if asked := _ask(found, domain):
            return _split(found, asked, domain, _chooser(found, domain))
    return None


def _more_than(question: str, domain: Domain) -> Split | None:
    """ "Is Jupiter larger than Saturn", "did Venera 13 survive longer than Venera 14"."""
    found = _THAN.fullmatch(question) or _DID_THAN.fullmatch(question)
    if not found:
        return None
    function = _YES_OR_NO.get(_chooser(found, domain), "")
    return _split(found, _ask(found, domain), domain, function, names_only=True)


def _different(question: str, domain: Domain) -> Split | None:
    """ "What is the difference between Viking 1 and Viking 2"."""
    found = _DIFFERENCE.fullmatch(question)
    return _split(found, "{}", domain, names_only=True) if found else None


def _which(pattern: str, question: str) -> Iterator["regex.Match[str]"]:
    """The matches of a question about two things: "which …", then "which rover …"."""
    for reading in _asking(pattern):
        if found := reading.fullmatch(question):
            yield found


@lru_cache(maxsize=8)
def _asking(pattern: str) -> tuple["regex.Pattern[str]", ...]:
    return tuple(regex.compile(asking + pattern, regex.IGNORECASE) for asking in (_ALONE, _WITH_NOUN))


def _split(
    compared: "regex.Match[str]", asked: str, domain: Domain, function: str = "", names_only: bool = False
) -> Split | None:
    """A split that asks both sides in the same way and, with a function, computes on the two answers."""
    sides = [_side(compared[name], domain, names_only) for name in ("one", "other")]
    if not asked or not all(sides) or sides[0].lower() == sides[1].lower():
        return None
    sketch = new_sketch(domain)
    names = [looked_up(sketch, side, domain, bare=True) for side in sides]
    values = [sketch.ask(asked.format(name)) for name in names]
    if function:
        question = compared.string[:1].lower() + compared.string[1:]
        text = question.replace(sides[0], names[0], 1).replace(sides[1], names[1], 1)
        in_pairs = [word for pair in zip(names, values, strict=True) for word in pair]
        sketch.compute(text, function, *(values if function.startswith("is_") else in_pairs))
    return sketch.split(f'it compares "{sides[0]}" with "{sides[1]}"')


def _side(text: str, domain: Domain, names_only: bool) -> str:
    """The text of one side: a description or a single noun phrase; empty for anything else."""
    side = text.strip(" ,")
    described = find_description(side, domain, bare=True)
    if described and (described.start, described.end) == (0, len(side)):
        return side
    phrase = _phrase(side)
    if phrase is None or (names_only and not phrase.kind.is_name):
        return ""
    return phrase.said + (f" {phrase.tail}" if phrase.tail else "")


def _phrase(text: str) -> Phrase | None:
    phrases = find_phrases(text)
    words = [token for token in tokenize(text) if token.text.lower() not in ARTICLES]
    if len(phrases) != 1 or not words:
        return None
    covered = len(tokenize(phrases[0].text)) + len(tokenize(phrases[0].tail))
    return phrases[0] if covered == len(words) <= 4 else None


def _chooser(compared: "regex.Match[str]", domain: Domain) -> str:
    """The function that compares two things by the adjective's quality; empty if none is known."""
    adjective = compared["adjective"].lower()
    return next((name for name, adjectives in domain.comparing.items() if adjective in adjectives), "")


def _ask(compared: "regex.Match[str]", domain: Domain) -> str:
    """The question template for one side: "how large is {}", "when did {} launch"; empty if no rule applies."""
    verb, adjective = compared["verb"].lower(), compared["adjective"].lower()
    question = domain.adjectives.get(adjective, "")
    if verb in _BE:
        quality = adjective.split()[-1] if " " in adjective else ""
        return f"{question} {verb} {{}}" if question else f"how {quality} {verb} {{}}" if quality else ""
    base = base_form(verb)
    return f"{question or 'when'} did {{}} {base}" if base and (question or adjective == "first") else ""


def _ask_amount(compared: "regex.Match[str]") -> str:
    """The template for "brought back more soil": how much soil one side brought back; empty without a known verb."""
    base = base_form(compared["verb"].lower())
    thing = compared["thing"]
    much = "much" if compared["more"].lower() == "less" or thing.split()[-1].lower() in _MASS_NOUNS else "many"
    return f"how {much} {thing} did {{}} {base}{compared['particle'] or ''}" if base else ""
