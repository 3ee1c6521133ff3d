"""Verbs by their forms, and function words by their role in a question. Words are lower-cased."""

from collections.abc import Sequence
from functools import lru_cache

from libs.language.topics.grammar import Grammar, Inflection, VerbContext
from libs.text.tokens import Token, is_stop_word


@lru_cache(maxsize=8192)  # taste
def base_form(word: str, language: str) -> str | None:
    """Return the base form of a known verb, from any of its forms; None for other words."""
    grammar = Grammar.of(language)
    if word in grammar.base_verbs:
        return word
    if word in grammar.irregular_forms:
        return grammar.irregular_forms[word]
    return next((base for base in _candidates(word, language) if base in grammar.base_verbs), None)


def is_past_form(word: str, language: str) -> bool:
    """Whether a word is a past tense or past participle of a known verb: `landed`, `built`, `won`."""
    base = base_form(word, language)
    return base is not None and base != word and (_has_past_ending(word, language) or _is_irregular(word, language))


def _has_past_ending(word: str, language: str) -> bool:
    return word.endswith(Inflection.of(language).past_endings)


def _is_irregular(word: str, language: str) -> bool:
    grammar = Grammar.of(language)
    return word in grammar.irregular_forms and word not in grammar.auxiliaries


def _candidates(word: str, language: str) -> list[str]:
    """Possible base forms of a regular form: launches, tries, stopped, moving."""
    inflection, forms = Inflection.of(language), list[str]()
    for ending in Grammar.of(language).regular_endings:
        if word.endswith(ending) and len(word) > len(ending) + 1:
            forms += _bases(word[: -len(ending)], inflection)
    return forms


def _bases(root: str, inflection: Inflection) -> list[str]:
    """Possible base forms of a verb form without its ending."""
    forms = [root + ending for ending in inflection.base_endings.get("", ())]
    if inflection.doubles_letters and root[-1:] == root[-2:-1]:
        forms.append(root[:-1])
    for end, bases in inflection.base_endings.items():
        if end and root.endswith(end):
            forms += [root.removesuffix(end) + base for base in bases]
    return forms


def find_verbs(tokens: Sequence[Token], names: frozenset[int], language: str) -> frozenset[int]:
    """Return the positions of the full verbs, without auxiliaries; `names` are positions that belong to names."""
    return _VerbReader(tokens, names, language).read()


class _VerbReader:
    """Finds the verbs among the tokens of one text."""

    def __init__(self, tokens: Sequence[Token], names: frozenset[int], language: str) -> None:
        self._tokens = tokens
        self._words = [token.text.lower() for token in tokens]
        self._names = names
        self._language = language
        self._grammar = Grammar.of(language)
        self._context = VerbContext.of(language)
        self._continuous = Inflection.of(language).continuous_endings
        self._verbs: set[int] = set()

    def read(self) -> frozenset[int]:
        waiting = False  # an auxiliary such as "did" was found, and its verb not yet
        do_support = self._grammar.do_support
        for index, word in enumerate(self._words):
            if word in do_support:
                waiting = True
            elif index - 1 in self._verbs and self._belongs_to_verb(index):
                self._verbs.add(index)
            elif index not in self._names and self._is_verb(index, waiting):
                self._verbs.add(index)
                waiting = False
        return frozenset(self._verbs)

    def _belongs_to_verb(self, index: int) -> bool:
        """ "Took place": the noun is a part of the verb before it."""
        base = base_form(self._words[index - 1], self._language)
        return self._words[index] in self._context.light_verb_nouns.get(base or "", ())

    def _is_verb(self, index: int, waiting: bool) -> bool:
        word = self._words[index]
        if base_form(word, self._language) is None or word in self._grammar.auxiliaries:
            return False
        before = self._words[index - 1] if index else ""
        if before in self._grammar.determiners and (
            before not in self._context.relatives or (waiting and not self._verb_follows(index))
        ):
            return before in self._context.relatives
        if word.endswith(self._continuous):  # "is it landing", and not "what are checking accounts"
            follows_question_word = index > 1 and self._words[index - 2] in self._grammar.wh_words
            return before in self._grammar.auxiliaries and not follows_question_word
        if before in self._context.subjects or self._is_modal(before) or waiting:
            return not self._verb_follows(index)
        return self._is_verb_by_neighbours(index, before)

    def _is_modal(self, word: str) -> bool:
        return word in self._grammar.auxiliaries and word not in self._grammar.do_support

    def _is_verb_by_neighbours(self, index: int, before: str) -> bool:
        word = self._words[index]
        if before in self._grammar.prepositions:
            return False
        if not before:
            return word in self._grammar.imperatives
        if before in self._context.relatives:
            return True
        if before in self._context.joints:
            return not (is_past_form(word, self._language) and self._noun_follows(index))
        if index - 1 in self._names:
            return True
        may_follow = index - 1 not in self._verbs and not is_stop_word(before, self._language)
        return may_follow and is_past_form(word, self._language)

    def _verb_follows(self, index: int) -> bool:
        """Whether the next word is a verb in its base form, so this one is a noun: "that refund take"."""
        following = self._words[index + 1] if index + 1 < len(self._words) else ""
        return bool(following) and base_form(following, self._language) == following

    def _noun_follows(self, index: int) -> bool:
        if index + 1 >= len(self._tokens) or index + 1 in self._names:
            return False
        following = self._tokens[index + 1].text
        return not is_stop_word(following, self._language) and not following[0].isdigit()
