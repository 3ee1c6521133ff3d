"""Finds the noun phrases of a question or answer without a tagger: names, years and things, with determiners.

The rules use capitals, function words and a list of verbs; they omit uncertain phrases rather than guess. There are two
passes: `services.decompose.words.naming` finds the names, and this module gathers the phrases.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

from libs.text.tokens import Token, is_stop_word, tokenize
from services.decompose.words.grammar import (
    ADVERBS,
    ARTICLES,
    DEMONSTRATIVES,
    DETERMINERS,
    POSSESSIVES,
    PREPOSITIONS,
    is_quality,
)
from services.decompose.words.naming import NameSpan, find_names
from services.decompose.words.verbs import find_verbs

_BREAKS = PREPOSITIONS | ADVERBS
_NOUNS_TOO = frozenset({"well", "right"})
"""Adverbs that are nouns inside a noun phrase: `the second well`, `your right`."""


class PhraseKind(Enum):
    """The kind of phrase; a fragment replaces a phrase of its own kind."""

    NUMBERED = "a name with a number"
    PLACE = "a place"
    NAME = "a name"
    DATE = "a date"
    THING = "a thing"

    @property
    def is_name(self) -> bool:
        """Whether it is a proper name of any kind."""
        return self is not PhraseKind.THING and self is not PhraseKind.DATE


@dataclass(frozen=True, slots=True)
class Phrase:
    """A noun phrase: `text == source[start:end]`, without its determiner."""

    text: str
    start: int
    end: int
    kind: PhraseKind
    determiner: str = ""
    """The determiner right before it, lower-cased."""
    preposition: str = ""
    """The preposition before that, lower-cased."""
    tail: str = ""
    """The common noun that a name goes with: "mission" in "the Viking 1 mission"."""
    is_possessive: bool = False
    """Whether it is a possessor: "Curiosity" in "Curiosity's wheels"."""

    @property
    def head(self) -> str:
        """The head noun: the last word, lower-cased."""
        return (self.tail or self.text).split()[-1].lower()

    @property
    def with_determiner(self) -> str:
        """The phrase for use in another sentence, with a determiner if it needs one."""
        if self.determiner in POSSESSIVES:
            return f"{self.determiner} {self.text}"
        takes_article = self.determiner in ARTICLES or self.determiner in DEMONSTRATIVES
        of_tail = self.kind.is_name and bool(self.tail)  # "the Opportunity rover" is Opportunity
        return (
            f"the {self.text}" if takes_article and not of_tail and self.kind is not PhraseKind.NUMBERED else self.text
        )


def find_phrases(text: str, known_names: frozenset[str] = frozenset()) -> tuple[Phrase, ...]:
    """Return the noun phrases of a text, in order.

    Args:
        known_names: words that are names elsewhere in the conversation, so they also count at a sentence's start.
    """
    return _find(text, frozenset(name for name in known_names if name in text))


@lru_cache(maxsize=2048)
def _find(text: str, known_names: frozenset[str]) -> tuple[Phrase, ...]:
    """Cached, because the texts of a conversation are read again at each new turn."""
    tokens = tokenize(text)
    names = find_names(text, tokens, known_names)
    verbs = find_verbs(tokens, frozenset(i for name in names for i in range(name.first, name.last + 1)))
    return tuple(_gather(text, tokens, names, verbs))


def _gather(text: str, tokens: Sequence[Token], names: Sequence[NameSpan], verbs: frozenset[int]) -> Iterator[Phrase]:
    starts = {name.first: name for name in names}
    index = 0
    while index < len(tokens):
        name = starts.get(index)
        last = name.last if name else _end_of_thing(text, tokens, index, starts, verbs)
        if last is None or (name is None and _is_pointer(tokens[last])):  # "the bigger one" names nothing
            index = index + 1 if last is None else last + 1
            continue
        kind = _kind(name) if name else PhraseKind.THING
        tail_end = _end_of_thing(text, tokens, last + 1, starts, verbs) if kind.is_name else None
        if tail_end is not None and not _adjoin(text, tokens, last):
            tail_end = None
        yield _phrase(text, tokens, (index, last, tail_end), kind)
        index = (last if tail_end is None else tail_end) + 1


def _kind(name: NameSpan) -> PhraseKind:
    if name.is_date:
        return PhraseKind.DATE
    if name.is_place:
        return PhraseKind.PLACE
    return PhraseKind.NUMBERED if name.is_numbered else PhraseKind.NAME


def _end_of_thing(
    text: str, tokens: Sequence[Token], first: int, starts: dict[int, NameSpan], verbs: frozenset[int]
) -> int | None:
    """The last token of the run of common words that begins at `first`; None if there is none."""
    last = None
    for index in range(first, len(tokens)):
        token = tokens[index]
        word = token.text.lower()
        if index in starts or index in verbs or is_stop_word(word) or token.is_number:
            break
        if word in _BREAKS and not _is_noun(tokens, index):
            break
        if _is_degree(tokens, index):
            break
        if last is not None and not _adjoin(text, tokens, last):
            break
        last = index
    return last


def _is_noun(tokens: Sequence[Token], index: int) -> bool:
    """Whether an adverb is used as a noun after `the` or a possessive.

    An adjective may come between. After `a`, the word is mostly an adverb: `a well known firm`.
    """
    before = (token.text.lower() for token in tokens[max(0, index - 2) : index])
    return tokens[index].text.lower() in _NOUNS_TOO and any(word == "the" or word in POSSESSIVES for word in before)


def _is_pointer(token: Token) -> bool:
    return token.text.lower() in {"one", "ones"}


def _is_degree(tokens: Sequence[Token], index: int) -> bool:
    """Whether a token is a degree, such as "high" in "how high", and not a thing."""
    return index > 0 and tokens[index - 1].text.lower() == "how" and is_quality(tokens[index].text.lower())


def _adjoin(text: str, tokens: Sequence[Token], index: int) -> bool:
    """Whether only spaces separate a token and the next one."""
    return index + 1 < len(tokens) and text[tokens[index].end : tokens[index + 1].start].strip(" ") == ""


def _phrase(text: str, tokens: Sequence[Token], where: tuple[int, int, int | None], kind: PhraseKind) -> Phrase:
    first, last, tail_end = where
    before = [token.text.lower() for token in tokens[max(0, first - 2) : first]]
    determiner = before.pop() if before and before[-1] in DETERMINERS else ""
    preposition = before[-1] if before and before[-1] in PREPOSITIONS else ""
    start, end = tokens[first].start, tokens[last].end
    words = text[start:end].removesuffix("'s").removesuffix("’s")
    owns = len(words) < end - start or text[end : end + 2] in {"'s", "’s"}
    tail = "" if tail_end is None else text[tokens[last + 1].start : tokens[tail_end].end]
    return Phrase(words, start, start + len(words), kind, determiner, preposition, tail, owns)
