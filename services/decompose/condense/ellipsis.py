"""Turns that leave out what the conversation provides: "what about damaged items?", "why?", "in Europe?"."""

from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from typing import Final

from libs.language.topics.follow_ups import EllipsisForms
from libs.language.topics.grammar import Grammar
from libs.text.tokens import content_words, tokenize
from services.decompose.plan.sentences import body_of, has_verb
from services.decompose.words.phrases import find_phrases


class Gap(Enum):
    """The kind of ellipsis."""

    CASE = "asks about another case"
    QUESTION_WORD = "is a question word alone"
    MORE = "asks for more"
    CHOICE = "chooses between things that it does not name"
    HYPOTHESIS = "asks what follows if"
    FRAGMENT = "is a fragment"


@dataclass(frozen=True, slots=True)
class Ellipsis:
    """An elliptic turn; `fragment` is its own content, without "what about" and the final punctuation."""

    gap: Gap
    fragment: str


MAX_FRAGMENT_WORDS: Final = 2
"""Maximum content words of a fragment, a turn without a verb; a longer one is a keyword query (taste)."""


@lru_cache(maxsize=2048)  # taste
def find_ellipsis(turn: str, language: str) -> Ellipsis | None:
    """Return the ellipsis of a turn; None if the turn asks a complete question."""
    forms, body = EllipsisForms.of(language), body_of(turn, language)
    if case := forms.other_case.fullmatch(body):
        fragment = case["fragment"].strip()
        return Ellipsis(Gap.CASE, forms.same_case.format(fragment=fragment) if case["same"] else fragment)
    if forms.question_word.fullmatch(body):
        return Ellipsis(Gap.QUESTION_WORD, body)
    if forms.more.fullmatch(body):
        return Ellipsis(Gap.MORE, body)
    if _is_choice(body, language):
        return Ellipsis(Gap.CHOICE, body)
    hypothesis = forms.hypothesis.fullmatch(body)
    if hypothesis and len(content_words(hypothesis["fragment"], language)) <= 2 * MAX_FRAGMENT_WORDS:
        return Ellipsis(Gap.HYPOTHESIS, hypothesis["fragment"].strip())
    return Ellipsis(Gap.FRAGMENT, body) if body and _is_fragment(body, language) else None


def _is_choice(body: str, language: str) -> bool:
    """ "Which is larger", "which one came first": no noun after "which", and no options named."""
    forms = EllipsisForms.of(language)
    choice = forms.choice.fullmatch(body)
    if not choice or not _is_verb(choice["next"], language):
        return False
    phrases = find_phrases(choice["rest"], language=language)
    return not any(phrase.kind.is_name for phrase in phrases) and not forms.option.search(choice["rest"])


def _is_verb(word: str, language: str) -> bool:
    clause = EllipsisForms.of(language).choice_subject.format(word=word)
    return word.lower() in Grammar.of(language).auxiliaries or has_verb(clause, language)


def _is_fragment(body: str, language: str) -> bool:
    grammar = Grammar.of(language)
    words = [token.text.lower() for token in tokenize(body)]
    if not words or words[0] in grammar.wh_words or has_verb(body, language):
        return False
    content = content_words(body, language)
    if words[0] in grammar.prepositions:
        return len(content) <= 2 * MAX_FRAGMENT_WORDS
    joints = grammar.prepositions | EllipsisForms.of(language).fragment_joints
    numbers = sum(token.is_number for token in tokenize(body))
    is_short = len(content) - numbers <= MAX_FRAGMENT_WORDS and joints.isdisjoint(words[1:])
    return is_short and (bool(content) or words[0] in grammar.quantifiers)
