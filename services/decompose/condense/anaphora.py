"""Words that refer to something the turn itself does not name: pronouns, "that refund", "there", "the mission"."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

import regex

from libs.text.tokens import Token, content_words, tokenize
from services.decompose.condense.anaphora_of_one import find_pointer
from services.decompose.words import grammar
from services.decompose.words.domain import Domain, is_among
from services.decompose.words.phrases import Phrase, PhraseKind, find_phrases
from services.decompose.words.verbs import find_verbs


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


_EXPLETIVE = regex.compile(
    r"\bit(?:['’]s)?\s+(?:(?:is|was|be|will|would|can|has|been|so|very|really|more|not|still|also|too|ever)\s+)*"
    r"(?:(?:true|possible|impossible|important|necessary|better|best|safe|legal|illegal|worth|hard|difficult|easy|likely|common|"
    r"normal|ok|okay|good|bad|wise|useful|required|mandatory|clear|allowed|dangerous|healthy|advisable|fair|smart|enough)\s+"
    r"(?:that|to|for|if|when|how|why|who|never|not|\w+ing)\b"
    r"|(?:rain|snow|raining|snowing|rains|snows)\b"
    r"|(?:seems?|turns?\s+out|happens?|appears?)\s+(?:that|to|like)\b"
    r"|(?:takes?|took|costs?)\b.*?\bto\s+\w+\s+(?!in\b|during\b|then\b)\w)"
    r"|\b(?:got|get|knew|know)\s+it(?=\s*(?:[.,!;]|$))"
    r"|\bwhat\s+time\s+is\s+it\b|\bhow\s+is\s+it\s+going\b|\bmakes?\s+it\s+\w+\s+to\b",
    regex.IGNORECASE,
)
_TWO = regex.compile(
    r"\b(?:the|these|those)\s+two\b(?!\s+\w+s\b)|\bboth\s+of\s+(?:them|these|those)\b", regex.IGNORECASE
)
_DONE = regex.compile(
    r"\b(?!(?:when|where|why|how|what|who|and|or|but)\b)\w+\s+(?:do|doing|done)\s+\Z", regex.IGNORECASE
)
_PERSONAL = {
    **dict.fromkeys(grammar.IT, ReferenceKind.IT),
    **dict.fromkeys(grammar.THEY, ReferenceKind.THEY),
    **dict.fromkeys(grammar.HE_SHE, ReferenceKind.PERSON),
}
_MAY_BE_ANAPHORIC = regex.compile(
    rf"\b(?:{'|'.join(sorted({*_PERSONAL, *grammar.DEMONSTRATIVES}))}|there|two|both|ones?|latter|former)\b",
    regex.IGNORECASE,
)
"""Every turn with an anaphora contains one of these, so most turns can be skipped."""
_LINKS = frozenset(("and", "but", "so", "or", "than", "all", "like"))
_BEFORE_DEMONSTRATIVE = grammar.AUXILIARIES | grammar.PREPOSITIONS | grammar.WH_WORDS | _LINKS
_SPECIFYING = grammar.PREPOSITIONS | frozenset(("that", "which", "who", "where", "when", "and"))
_TIMES = frozenset(("year", "day", "time", "month", "week", "moment", "point", "decade", "century"))
_AHEAD_OF_SUBJECT = frozenset(("after", "before", "since", "until", "during", "with", "in", "on", "upon", "despite"))
_BEFORE_SUBJECT = frozenset(
    (",", "the", "did", "does", "do", "was", "were", "is", "are", "has", "had", "will", "what", "when", "where", "how")
)
_CLAUSE_MARK = regex.compile(r"[,;:.?!\n(]")


def find_anaphora(turn: str, known_names: frozenset[str] = frozenset()) -> Anaphora | None:
    """Return the first pronoun, demonstrative or "there" without an antecedent within the turn, or None."""
    return _find(turn, frozenset(name for name in known_names if name in turn))


@lru_cache(maxsize=2048)
def _find(turn: str, known_names: frozenset[str]) -> Anaphora | None:
    """Cached, because the turns of a conversation are read again at each new turn."""
    return next(_AnaphoraReader(turn, known_names).anaphora(), None) if _MAY_BE_ANAPHORIC.search(turn) else None


def find_definite_anaphora(turn: str, domain: Domain) -> Anaphora | None:
    """Return a bare "the mission" or "the cost" in a turn that names nothing else; None if the turn names its topic.

    Deliberately conservative: at most two content words, no name, and nothing like "of …" or "that …" after the noun.
    """
    if len(content_words(turn)) > 2:
        return None
    phrases = find_phrases(turn)
    if any(phrase.kind is not PhraseKind.THING for phrase in phrases):
        return None
    for phrase in phrases:
        noun = phrase.text.lower()
        if phrase.determiner == "the" and not _is_specified(turn, phrase):
            if is_among(noun, domain.classes):
                return Anaphora(ReferenceKind.CLASS, turn[phrase.start : phrase.end], phrase.start, phrase.end, noun)
            if is_among(noun, domain.relations):
                return Anaphora(ReferenceKind.RELATION, turn[phrase.start : phrase.end], phrase.start, phrase.end, noun)
    return None


def _is_specified(turn: str, phrase: Phrase) -> bool:
    """Whether a modifier after the noun specifies which one is meant."""
    following = turn[phrase.end :].split()
    return bool(following) and following[0].lower() in _SPECIFYING


class _AnaphoraReader:
    """Finds the anaphora of one turn."""

    def __init__(self, turn: str, known_names: frozenset[str]) -> None:
        self._turn = turn
        self._tokens = tokenize(turn)
        self._words = [token.text.lower().replace("’", "'") for token in self._tokens]
        self._phrases = find_phrases(turn, known_names)
        self._names = frozenset(i for i, t in enumerate(self._tokens) if _covered(t, self._phrases))
        self._verbs = find_verbs(self._tokens, self._names)

    def anaphora(self) -> Iterator[Anaphora]:
        """Each anaphora, in order."""
        expletives = [match.span() for match in _EXPLETIVE.finditer(self._turn)]
        pointers = {pointer.start: pointer for pointer in self._pointers()}
        for index, token in enumerate(self._tokens):
            if token.start in pointers:
                yield pointers[token.start]
            elif any(start <= token.start < end for start, end in expletives) and self._stem(index) == "it":
                continue
            elif word := self._at(index):
                yield word

    def _pointers(self) -> Iterator[Anaphora]:
        """ "The second one", "the two", without a possible antecedent before them in the turn."""
        pointer, pair = find_pointer(self._turn), _TWO.search(self._turn)
        if pointer and not self._named_earlier(pointer.start):
            yield Anaphora(ReferenceKind.ONE, pointer.text, pointer.start, pointer.end)
        if pair and not self._named_earlier(pair.start()):
            yield Anaphora(ReferenceKind.TWO, pair[0], pair.start(), pair.end())

    def _at(self, index: int) -> Anaphora | None:
        word = self._stem(index)
        if word in _PERSONAL:
            return self._action(index) or self._personal(index, word)
        if word in grammar.DEMONSTRATIVES:
            return self._action(index) or self._demonstrative(index, word)
        return self._there(index) if word == "there" else None

    def _action(self, index: int) -> Anaphora | None:
        """ "Do that": refers to an action, not a thing."""
        token = self._tokens[index]
        match = _DONE.search(self._turn, 0, token.start)
        if not match or self._words[index] not in {"it", "that", "this"} or self._noun_after(index) is not None:
            return None
        start = match.start() + len(match[0].split()[0]) + 1
        return Anaphora(ReferenceKind.ACTION, self._turn[start : token.end], start, token.end)

    def _personal(self, index: int, word: str) -> Anaphora | None:
        possessive = word in grammar.POSSESSIVE_PRONOUNS
        if possessive and self._named_next(index):
            return None
        if self._named_earlier(self._tokens[index].start, same_clause=possessive):
            return None
        return self._from_token(_PERSONAL[word], index)

    def _demonstrative(self, index: int, word: str) -> Anaphora | None:
        if not self._may_point(index, word):
            return None
        noun = self._noun_after(index)
        if noun is None:
            if self._remarks(index):
                return None
            has_antecedent = self._named_earlier(self._tokens[index].start)
            return (
                None
                if has_antecedent
                else self._from_token(ReferenceKind.THEY if word in {"these", "those"} else ReferenceKind.IT, index)
            )
        start = self._tokens[index].start
        by_calendar = word in {"this", "these"} and noun.head in grammar.DEICTIC_TIMES
        is_repeated = any(noun.head in phrase.text.lower().split() for phrase in self._phrases if phrase.end <= start)
        if by_calendar or is_repeated:
            return None
        return Anaphora(ReferenceKind.DEMONSTRATIVE, self._turn[start : noun.end], start, noun.end, noun.text.lower())

    def _remarks(self, index: int) -> bool:
        """ "That's too bad", "is that the reason": refers to a statement, not a thing."""
        following = self._words[index + 1 : index + 3]
        gap = self._turn[self._tokens[index - 1].end : self._tokens[index].start] if index else "."
        states = (
            self._words[index].endswith("'s")
            or index + 1 in self._verbs
            or following[:1] == ["is"]
            or following[:1] == ["was"]
        )
        return (states and bool(_CLAUSE_MARK.search(gap))) or following == ["the", "reason"]

    def _may_point(self, index: int, word: str) -> bool:
        """Whether a demonstrative may be anaphoric: not a relative "that", a conjunction "that" or "those who"."""
        before = self._words[index - 1] if index else ""
        following = self._words[index + 1] if index + 1 < len(self._words) else ""
        if following in {"who", "that", "which", "of"} or (word == "this" and following in grammar.DEICTIC_TIMES):
            return False
        if not before or before in _BEFORE_DEMONSTRATIVE or word != "that" or following in _TIMES:
            return True
        ends_here = not following or following in grammar.PREPOSITIONS or following in {"and", "or", "again", "then"}
        return ends_here and index - 1 in self._verbs | {0}

    def _noun_after(self, index: int) -> Phrase | None:
        """The noun phrase that a demonstrative determines; None if it is used as a pronoun."""
        start = self._tokens[index + 1].start if index + 1 < len(self._tokens) else -1
        if index and self._words[index - 1] in grammar.BE_FORMS and index + 2 == len(self._tokens):
            return None  # "is that true": a predicate
        return next((phrase for phrase in self._phrases if phrase.start == start), None)

    def _there(self, index: int) -> Anaphora | None:
        before = self._words[index - 1] if index else ""
        following = self._words[index + 1] if index + 1 < len(self._words) else ""
        existential = grammar.BE_FORMS | {"be", "been", "exist", "any", "a", "no", "will", "has", "have", "would"}
        if before in grammar.BE_FORMS | {"out"} or following in existential or self._words[index] != "there":
            return None
        return None if self._named_earlier(self._tokens[index].start) else self._from_token(ReferenceKind.PLACE, index)

    def _named_earlier(self, position: int, same_clause: bool = False) -> bool:
        """Whether an antecedent is named before a position: in an earlier clause or, if `same_clause`, in this one."""
        for phrase in self._phrases:
            if phrase.end > position or phrase.kind is PhraseKind.DATE or phrase.determiner in grammar.DEMONSTRATIVES:
                continue
            if same_clause or self._clause_between(phrase.end, position):
                return True
        return False

    def _named_next(self, index: int) -> bool:
        """ "After its launch, Cassini …", "… after its launch did Cassini": the pronoun refers to the next name."""
        before = self._words[index - 1] if index else ""
        ahead = [phrase for phrase in self._phrases if phrase.start > self._tokens[index].start]
        if before not in _AHEAD_OF_SUBJECT or len(ahead) < 2 or not ahead[1].kind.is_name:
            return False
        between = self._turn[ahead[0].end : ahead[1].start].lower().replace(",", " , ").split()
        return bool(between) and set(between) <= _BEFORE_SUBJECT

    def _clause_between(self, start: int, end: int) -> bool:
        between = [t.text.lower() for t in self._tokens if start <= t.start < end]
        return bool(_CLAUSE_MARK.search(self._turn, start, end)) or any(w in grammar.CLAUSE_OPENERS for w in between)

    def _stem(self, index: int) -> str:
        """The word without a contraction such as "'s" or "'re"."""
        return self._words[index].partition("'")[0]

    def _from_token(self, reference: ReferenceKind, index: int) -> Anaphora:
        token = self._tokens[index]
        return Anaphora(reference, token.text, token.start, token.end)


def _covered(token: Token, phrases: Sequence[Phrase]) -> bool:
    return any(phrase.kind.is_name and phrase.start <= token.start < phrase.end for phrase in phrases)
