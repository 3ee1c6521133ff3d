""" "The old one", "another one", "the latter": one of a class, or one of several, that the turn does not name."""

# ruff: noqa: SIM905 - word lists are easier to read as strings

from dataclasses import dataclass

import regex

from services.decompose.words.grammar import AUXILIARIES, CLAUSE_OPENERS, DETERMINERS, PREPOSITIONS

_POINTER = regex.compile(
    r"\b(?:(?P<lead>the|this|that|which|another|any\s+other|an?)\s+(?P<quality>(?:[\w-]+\s+){0,2}?)ones?"
    r"|(?P<quality>first|second|third|last|other|former|newer|older|larger|smaller)\s+ones?"
    r"|(?P<quality>[\w-]+)\s+ones"
    r"|the\s+(?P<quality>latter|former))(?![\w-])",
    regex.IGNORECASE,
)
_LEADS = frozenset(("the", "this", "that", "which", "another", "a", "an"))
_NEEDS_A_QUALITY = frozenset(("the", "a", "an"))
"""After these, a bare "one" is not a pointer: "is he the one?"."""
_ORDINALS = frozenset("first second third last other former newer older larger smaller".split())
_NOT_AFTER = frozenset("of day time hour morning evening hundred thousand million billion percent third half".split())
_RELATIVE = frozenset(("that", "who", "which", "where", "whose"))
_COUNTED = frozenset(
    "number formula day phase step chapter part level tier type version season volume grade zone class page week air "
    "war capital channel stage round no every any some point".split()
)
"""Words that are followed by the number one, or form a word with it."""
FUNCTION_WORDS = AUXILIARIES | PREPOSITIONS | CLAUSE_OPENERS | (DETERMINERS - {"other", "another"})


@dataclass(frozen=True, slots=True)
class Pointer:
    """An anaphora of one: `text == turn[start:end]`."""

    text: str
    start: int
    end: int

    @property
    def quality(self) -> str:
        """Its modifier, lower-cased ("old"); empty if there is none."""
        match = _POINTER.fullmatch(self.text)
        return match["quality"].strip().lower() if match and match["quality"] else ""

    @property
    def lead(self) -> str:
        """The determiner that it begins with, lower-cased; empty if there is none."""
        first = self.text.split()[0].lower()
        return "any other" if first == "any" else first if first in _LEADS else ""


def find_pointer(turn: str) -> Pointer | None:
    """Return the first pointer of a turn; None if "one" is a number, means people, or is specified by what follows."""
    for match in _POINTER.finditer(turn):
        if _points(match, turn):
            return Pointer(match[0], match.start(), match.end())
    return None


def _points(match: "regex.Match[str]", turn: str) -> bool:
    modifiers = (match["quality"] or "").lower().split()
    following = turn[match.end() :].lower().split()[:1]
    lead = (match["lead"] or "").lower()
    if any(word in FUNCTION_WORDS or word in _COUNTED for word in modifiers) or match[0].split()[-1] == "One":
        return False
    if match.start() == 0 and match[0].lower().endswith(" ones") and not lead and modifiers[0] not in _ORDINALS:
        return False  # "cheaper ones": a fragment, to be spliced into the previous question
    if (lead in _NEEDS_A_QUALITY and not modifiers) or (following and following[0].strip("?,.") in _NOT_AFTER):
        return False
    if lead == "which" and _offers_a_choice(turn[match.end() :]):
        return False
    return not (following and following[0] in _RELATIVE and lead in {"the", "this", "that"})


def _offers_a_choice(rest: str) -> bool:
    """Whether the words after "which one" name the options: "which one is heavier, A or B"."""
    return " or " in rest
