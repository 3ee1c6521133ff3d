"""Words that refer to something the turn itself does not name: pronouns, "that refund", "there", "the mission"."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

import regex

from libs.language.topics.anaphora import AnaphoraForms
from libs.language.topics.grammar import Grammar, Inflection
from libs.text.tokens import Token, tokenize
from services.decompose.condense.anaphora_of_one import find_pointer
from services.decompose.words.grammar import find_verbs
from services.decompose.words.phrases import Phrase, PhraseKind, find_phrases


class ReferenceKind(Enum):
    """What an anaphora refers to."""

    IT = "it"
    THEY = "they"
    PERSON = "he or she"
    PLACE = "there"
    ONE = "one of several"
    TWO = "the two"
    ACTION = "what was done"
    DEMONSTRATIVE = "this or that thing"
    CLASS = "the thing of that class"
    RELATION = "a part or quality of the topic"


@dataclass(frozen=True, slots=True)
class Anaphora:
    """An anaphora: `text == turn[start:end]`."""

    reference: ReferenceKind
    text: str
    start: int
    end: int
    noun: str = ""
    """The noun of a demonstrative or definite, lower-cased."""

    @property
    def is_pronoun(self) -> bool:
        """Whether it carries no meaning of its own; a definite noun carries some."""
        return self.reference not in {ReferenceKind.CLASS, ReferenceKind.RELATION}


_CLAUSE_MARK = regex.compile(r"[,;:.?!\n(]")


def find_anaphora(turn: str, language: str, known_names: frozenset[str] = frozenset()) -> Anaphora | None:
    """Return the first pronoun, demonstrative or "there" without an antecedent within the turn, or None."""
    return _find(turn, frozenset(name for name in known_names if name in turn), language)


@lru_cache(maxsize=2048)  # taste
def _find(turn: str, known_names: frozenset[str], language: str) -> Anaphora | None:
    """Cached, because the turns of a conversation are read again at each new turn."""
    if AnaphoraForms.of(language).candidate.search(turn) is None:
        return None
    return next(_AnaphoraReader(turn, known_names, language).anaphora(), None)


class _AnaphoraReader:
    """Finds the anaphora of one turn."""

    def __init__(self, turn: str, known_names: frozenset[str], language: str) -> None:
        self._turn = turn
        self._language = language
        self._forms = AnaphoraForms.of(language)
        self._grammar = Grammar.of(language)
        self._inflection = Inflection.of(language)
        self._tokens = tokenize(turn)
        self._words = [token.text.lower().replace("’", "'") for token in self._tokens]
        self._phrases = find_phrases(turn, language, known_names)
        self._names = frozenset(i for i, t in enumerate(self._tokens) if _covered(t, self._phrases))
        self._verbs = find_verbs(self._tokens, self._names, language)

    def anaphora(self) -> Iterator[Anaphora]:
        """Each anaphora, in order."""
        expletives = [match.span() for match in self._forms.expletive.finditer(self._turn)]
        pointers = {pointer.start: pointer for pointer in self._pointers()}
        for index, token in enumerate(self._tokens):
            is_expletive = any(start <= token.start < end for start, end in expletives)
            if token.start in pointers:
                yield pointers[token.start]
            elif is_expletive and self._stem(index) in self._forms.expletive_pronouns:
                continue
            elif word := self._at(index):
                yield word

    def _pointers(self) -> Iterator[Anaphora]:
        """ "The second one", "the two", without a possible antecedent before them in the turn."""
        pointer, pair = find_pointer(self._turn, self._language), self._forms.pair.search(self._turn)
        if pointer and not self._named_earlier(pointer.start):
            yield Anaphora(ReferenceKind.ONE, pointer.text, pointer.start, pointer.end)
        if pair and not self._named_earlier(pair.start()):
            yield Anaphora(ReferenceKind.TWO, pair[0], pair.start(), pair.end())

    def _at(self, index: int) -> Anaphora | None:
        word = self._stem(index)
        kind = self._kind_of_pronoun(word)
        if kind is not None:
            return self._action(index) or self._personal(index, word, kind)
        if word in self._grammar.demonstratives:
            return self._action(index) or self._demonstrative(index, word)
        return self._there(index) if word in self._forms.place_adverbs else None

    def _kind_of_pronoun(self, word: str) -> ReferenceKind | None:
        if word in self._grammar.it:
            return ReferenceKind.IT
        if word in self._grammar.they:
            return ReferenceKind.THEY
        return ReferenceKind.PERSON if word in self._grammar.he_she else None

    def _action(self, index: int) -> Anaphora | None:
        """ "Do that": refers to an action, not a thing."""
        token = self._tokens[index]
        match = self._forms.action.search(self._turn, 0, token.start)
        if not match or self._words[index] not in self._forms.action_objects or self._noun_after(index) is not None:
            return None
        start = match.start() + len(match[0].split()[0]) + 1
        return Anaphora(ReferenceKind.ACTION, self._turn[start : token.end], start, token.end)

    def _personal(self, index: int, word: str, kind: ReferenceKind) -> Anaphora | None:
        possessive = word in self._grammar.possessive_pronouns
        if possessive and self._named_next(index):
            return None
        if self._named_earlier(self._tokens[index].start, same_clause=possessive):
            return None
        return self._from_token(kind, index)

    def _demonstrative(self, index: int, word: str) -> Anaphora | None:
        if not self._may_point(index, word):
            return None
        noun = self._noun_after(index)
        if noun is None:
            return self._demonstrative_pronoun(index, word)
        start = self._tokens[index].start
        by_calendar = word in self._forms.near_demonstratives and noun.head in self._grammar.deictic_times
        is_repeated = any(noun.head in phrase.text.lower().split() for phrase in self._phrases if phrase.end <= start)
        if by_calendar or is_repeated:
            return None
        return Anaphora(ReferenceKind.DEMONSTRATIVE, self._turn[start : noun.end], start, noun.end, noun.text.lower())

    def _demonstrative_pronoun(self, index: int, word: str) -> Anaphora | None:
        if self._remarks(index) or self._named_earlier(self._tokens[index].start):
            return None
        is_plural = word in self._forms.plural_demonstratives
        return self._from_token(ReferenceKind.THEY if is_plural else ReferenceKind.IT, index)

    def _remarks(self, index: int) -> bool:
        """ "That's too bad", "is that the reason": refers to a statement, not a thing."""
        gap = self._turn[self._tokens[index - 1].end : self._tokens[index].start] if index else "."
        states = (
            self._words[index].endswith(self._inflection.copula_marks)
            or index + 1 in self._verbs
            or self._word(index + 1) in self._forms.statement_verbs
        )
        is_reason = self._forms.statement_nouns.match(self._turn, self._tokens[index].end)
        return (states and bool(_CLAUSE_MARK.search(gap))) or is_reason is not None

    def _may_point(self, index: int, word: str) -> bool:
        """Whether a demonstrative may be anaphoric: not a relative "that", a conjunction "that" or "those who"."""
        grammar, forms = self._grammar, self._forms
        before, following = self._word(index - 1), self._word(index + 1)
        by_calendar = word in forms.near_singular and following in grammar.deictic_times
        if following in forms.relatives or by_calendar:
            return False
        may_follow = before in grammar.auxiliaries or before in grammar.prepositions or before in grammar.wh_words
        is_plain = word not in forms.conjunction_demonstratives or following in forms.times
        if not before or may_follow or before in forms.links or is_plain:
            return True
        ends_here = not following or following in grammar.prepositions or following in forms.closings
        return ends_here and index - 1 in self._verbs | {0}

    def _noun_after(self, index: int) -> Phrase | None:
        """The noun phrase that a demonstrative determines; None if it is used as a pronoun."""
        start = self._tokens[index + 1].start if index + 1 < len(self._tokens) else -1
        if self._word(index - 1) in self._grammar.be_forms and index + 2 == len(self._tokens):
            return None  # "is that true": a predicate
        return next((phrase for phrase in self._phrases if phrase.start == start), None)

    def _there(self, index: int) -> Anaphora | None:
        before, following = self._word(index - 1), self._word(index + 1)
        be_forms = self._grammar.be_forms
        exists = following in be_forms or following in self._forms.existential_after or before in be_forms
        if exists or before in self._forms.existential_before or self._words[index] not in self._forms.place_adverbs:
            return None
        return None if self._named_earlier(self._tokens[index].start) else self._from_token(ReferenceKind.PLACE, index)

    def _named_earlier(self, position: int, same_clause: bool = False) -> bool:
        """Whether an antecedent is named before a position: in an earlier clause or, if `same_clause`, in this one."""
        demonstratives = self._grammar.demonstratives
        for phrase in self._phrases:
            if phrase.end > position or phrase.kind is PhraseKind.DATE or phrase.determiner in demonstratives:
                continue
            if same_clause or self._clause_between(phrase.end, position):
                return True
        return False

    def _named_next(self, index: int) -> bool:
        """ "After its launch, Cassini …", "… after its launch did Cassini": the pronoun refers to the next name."""
        ahead = [phrase for phrase in self._phrases if phrase.start > self._tokens[index].start]
        is_ahead = self._word(index - 1) in self._forms.ahead_of_subject
        if not is_ahead or len(ahead) < 2 or not ahead[1].kind.is_name:
            return False
        between = self._turn[ahead[0].end : ahead[1].start].lower().replace(",", " , ").split()
        return bool(between) and self._forms.before_subject.issuperset(between)

    def _clause_between(self, start: int, end: int) -> bool:
        between = [token.text.lower() for token in self._tokens if start <= token.start < end]
        is_marked = _CLAUSE_MARK.search(self._turn, start, end) is not None
        return is_marked or not self._grammar.clause_openers.isdisjoint(between)

    def _word(self, index: int) -> str:
        """The lower-cased word at an index; empty outside the turn."""
        return self._words[index] if 0 <= index < len(self._words) else ""

    def _stem(self, index: int) -> str:
        """The word without a contraction such as "'s" or "'re"."""
        return self._words[index].partition("'")[0]

    def _from_token(self, reference: ReferenceKind, index: int) -> Anaphora:
        token = self._tokens[index]
        return Anaphora(reference, token.text, token.start, token.end)


def _covered(token: Token, phrases: Sequence[Phrase]) -> bool:
    return any(phrase.kind.is_name and phrase.start <= token.start < phrase.end for phrase in phrases)
