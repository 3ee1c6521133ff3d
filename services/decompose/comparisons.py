"""Two things compared: each is asked about by itself."""

import regex

from services.decompose.domain import Domain
from services.decompose.grammar import ARTICLES, base_form
from services.decompose.parts import Split
from services.decompose.phrases import Phrase, find_phrases
from services.text.tokens import tokenize

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
_WHICH = regex.compile(
    r"(?:which|who|what)(?:\s+(?P<noun>\w+))?\s+(?P<verb>\w+)\s+(?:the\s+)?(?P<adjective>(?:more\s+|less\s+)?\w+)\s*[,:]?\s+"
    rf"(?:between\s+)?{_SIDES}\s+or\s+(?P<other>.+)",
    regex.IGNORECASE,
)
_THAN = regex.compile(
    rf"(?P<verb>is|was|are|were)\s+{_SIDES}\s+(?P<adjective>\w+er|more\s+\w+|less\s+\w+)\s+than\s+(?P<other>.+)",
    regex.IGNORECASE,
)
_BE = frozenset(("is", "was", "are", "were"))


def split_comparison(question: str, domain: Domain) -> Split | None:
    """One sub-query a side of a comparison; None where nothing is compared, or the sides aren't clear."""
    if compared := _COMPARE.fullmatch(question):
        quality = compared["quality"]
        return _split(compared, f"{quality} of {{}}" if quality else "{}", names_only=False)
    if compared := _WHICH.fullmatch(question):
        asked = _ask(compared["verb"].lower(), compared["adjective"].lower(), domain)
        return _split(compared, asked, names_only=False) if asked else None
    if compared := _THAN.fullmatch(question):
        asked = _ask(compared["verb"].lower(), compared["adjective"].lower(), domain)
        return _split(compared, asked, names_only=True) if asked else None
    compared = _DIFFERENCE.fullmatch(question)
    return _split(compared, "{}", names_only=True) if compared else None


def _split(compared: "regex.Match[str]", asked: str, names_only: bool) -> Split | None:
    sides = [_side(compared[name]) for name in ("one", "other")]
    if not all(side and (side.kind.is_name or not names_only) for side in sides):
        return None
    one, other = (_said(side) for side in sides if side)
    if one.lower() == other.lower():
        return None
    return Split.side_by_side([asked.format(one), asked.format(other)], f'it compares "{one}" with "{other}"')


def _said(side: Phrase) -> str:
    return side.said + (f" {side.tail}" if side.tail else "")


def _side(text: str) -> Phrase | None:
    """One side, when it is a single noun phrase."""
    phrases = find_phrases(text)
    words = [token for token in tokenize(text) if token.text.lower() not in ARTICLES]
    if len(phrases) != 1 or not words:
        return None
    covered = len(tokenize(phrases[0].text)) + len(tokenize(phrases[0].tail))
    return phrases[0] if covered == len(words) <= 4 else None


def _ask(verb: str, adjective: str, domain: Domain) -> str:
    """How one side is asked for by itself: "how large is {}", "when did {} launch"; empty where no rule tells."""
    question = domain.adjectives.get(adjective, "")
    if verb in _BE:
        quality = adjective.split()[-1] if " " in adjective else ""
        return f"{question} {verb} {{}}" if question else f"how {quality} {verb} {{}}" if quality else ""
    base = base_form(verb)
    return f"{question or 'when'} did {{}} {base}" if base and (question or adjective == "first") else ""
