""" "The old one", "another one", "the latter": one of a class, or one of several, that the turn does not name."""

import re
from dataclasses import dataclass

from libs.language.topics.anaphora import OneAnaphora
from libs.language.topics.grammar import Grammar


@dataclass(frozen=True, slots=True)
class Pointer:
    """An anaphora of one: `text == turn[start:end]`."""

    text: str
    start: int
    end: int
    language: str

    @property
    def quality(self) -> str:
        """Its modifier, lower-cased ("old"); empty if there is none."""
        match = OneAnaphora.of(self.language).pointer.fullmatch(self.text)
        return _quality(match) if match else ""

    @property
    def lead(self) -> str:
        """The determiner that it begins with, lower-cased; empty if there is none."""
        forms, first = OneAnaphora.of(self.language), self.text.split()[0].lower()
        return forms.double_leads.get(first, first if first in forms.leads else "")

    @property
    def is_plural(self) -> bool:
        """Whether it stands for several: "the old ones"."""
        return OneAnaphora.of(self.language).bare_plural.fullmatch(self.text) is not None


def find_pointer(turn: str, language: str) -> Pointer | None:
    """Return the first pointer of a turn; None if "one" is a number, means people, or is specified by what follows."""
    for match in OneAnaphora.of(language).pointer.finditer(turn):
        if _points(match, turn, language):
            return Pointer(match[0], match.start(), match.end(), language)
    return None


def is_function_word(word: str, language: str) -> bool:
    """Whether a lower-cased word cannot be the modifier of a pointer."""
    grammar = Grammar.of(language)
    if word in grammar.auxiliaries or word in grammar.prepositions or word in grammar.clause_openers:
        return True
    return word in grammar.determiners and word not in OneAnaphora.of(language).no_modifiers


def _quality(match: re.Match[str]) -> str:
    """The modifier of a pointer, lower-cased."""
    groups = (text for name, text in match.groupdict().items() if name != "lead" and text)
    return next(groups, "").strip().lower()


def _points(match: re.Match[str], turn: str, language: str) -> bool:
    forms, modifiers = OneAnaphora.of(language), _quality(match).split()
    following = (turn[match.end() :].lower().split() or [""])[0]
    lead = (match["lead"] or "").lower()
    if any(is_function_word(word, language) or word in forms.counted for word in modifiers):
        return False
    if match[0].split()[-1] in forms.names or following.strip("?,.") in forms.not_after:
        return False
    if _is_bare_plural(match, language) and not lead and modifiers[0] not in forms.comparing:
        return False  # "cheaper ones": a fragment, to be spliced into the previous question
    if lead in forms.needs_quality and not modifiers:
        return False
    if lead in forms.chooses and forms.option.search(turn, match.end()):
        return False  # "which one is heavier, A or B"
    return not (following in forms.relatives and lead in forms.pointing)


def _is_bare_plural(match: re.Match[str], language: str) -> bool:
    return match.start() == 0 and OneAnaphora.of(language).bare_plural.fullmatch(match[0]) is not None
