"""Finds sentences that describe the same event in nearly the same words, ignoring dates. No I/O of its own."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, pairwise
from math import ceil, sqrt

from libs.chronology.eventfulness import verbs_in
from libs.language.known import language_of
from libs.language.topics.calendar import Calendar
from libs.language.topics.grammar import EventVerbs
from libs.text.tokens import Token, content_stems, is_stop_word, stem, tokenize

_SMALL_SET = 1e-9  # against rounding errors of floats just above a whole number (taste)


@dataclass(frozen=True, slots=True)
class EventDescription:
    """A sentence without its dates, and the subject to assume if it names none."""

    words: str
    subject: str


@dataclass(frozen=True, slots=True)
class EventSignature:
    """The stems of a description, with the names, numbers and verbs that two descriptions of one event must share."""

    stems: frozenset[str]
    names: frozenset[str]
    numbers: frozenset[str]
    verbs: frozenset[str]

    def cosine(self, other: "EventSignature") -> float:
        """Cosine similarity of the two sets of stems, in [0, 1]."""
        common = len(self.stems & other.stems)
        return common / sqrt(len(self.stems) * len(other.stems)) if common else 0.0

    def contradicts(self, other: "EventSignature") -> bool:
        """Whether each has a number or name that the other lacks, or both have verbs but share none."""
        pairs = ((self.numbers, other.numbers), (self.names, other.names))
        differs = any(mine - theirs and theirs - mine for mine, theirs in pairs)
        return differs or bool(self.verbs and other.verbs and not self.verbs & other.verbs)


def signatures_of(descriptions: Sequence[EventDescription], language: str) -> list[EventSignature]:
    """The signatures of descriptions, in the same order."""
    months = Calendar.of(language).months
    token_lists = [
        [token for token in tokenize(description.words) if token.text.lower() not in months]
        for description in descriptions
    ]
    small = {token.text for tokens in token_lists for token in tokens if not token.is_capitalised}
    # The first word of a sentence is a name if it is capitalised elsewhere too, or never occurs in lower case.
    names = {
        token.text
        for tokens in token_lists
        for position, token in enumerate(tokens)
        if token.is_capitalised and (position or token.text.lower() not in small)
    }
    return [
        _signature(description, tokens, names, language)
        for description, tokens in zip(descriptions, token_lists, strict=True)
    ]


def _signature(
    description: EventDescription, tokens: Sequence[Token], known_names: set[str], language: str
) -> EventSignature:
    text = description.words
    verbs = verbs_in(text, language)
    numbers = frozenset(token.text for token in tokens if any(character.isdigit() for character in token.text))
    capitals = [token for token in tokens if token.text in known_names and not is_stop_word(token.text, language)]
    name_tokens = [] if language_of(language).capitalises_nouns else capitals
    names = frozenset(content_stems(" ".join(token.text for token in name_tokens), language)) - numbers
    names |= frozenset(_designations(tokens, language))
    subject_ends = text.find(verbs[0]) if verbs else len(text)
    is_named = any(token.start < subject_ends for token in capitals)
    if not is_named and not EventVerbs.of(language).indefinite.search(text, 0, subject_ends):
        # `It was launched …`: use the subject of the document.
        names |= frozenset(content_stems(description.subject, language))
    stems = frozenset(content_stems(text, language)) - _calendar_stems(language)
    return EventSignature(stems, names, numbers, frozenset(stem(verb, language) for verb in verbs))


@lru_cache(maxsize=64)  # taste
def _calendar_stems(language: str) -> frozenset[str]:
    calendar = Calendar.of(language)
    words = (*calendar.months, *calendar.weekdays, *EventVerbs.of(language).calendar_words)
    return frozenset(stem(word, language) for word in words)


def _designations(tokens: Sequence[Token], language: str) -> Iterator[str]:
    """Names that differ only in their number: `Apollo 11`, `Chang'e 6`."""
    for word, number in pairwise(tokens):
        if word.is_capitalised and number.is_number and number.start == word.end + 1:
            yield f"{stem(word.text, language)} {number.text}"


def alike(signatures: Sequence[EventSignature], least: float) -> Iterator[tuple[int, int, float]]:
    """Yield pairs of positions (first < second) with cosine >= `least`, in (0, 1], that don't contradict each other.

    Only pairs that share one of their rarest stems are compared (prefix filtering): two sets with cosine c share at
    least c² of each set.
    """
    counts = Counter(word for signature in signatures for word in signature.stems)
    holders: dict[str, list[int]] = defaultdict(list)
    for position, signature in enumerate(signatures):
        rarest = sorted(signature.stems, key=lambda word: (counts[word], word))
        for word in rarest[: len(rarest) - ceil(least**2 * len(rarest) - _SMALL_SET) + 1]:
            holders[word].append(position)
    candidates = {pair for positions in holders.values() for pair in combinations(positions, 2)}
    for first, second in sorted(candidates):
        cosine = signatures[first].cosine(signatures[second])
        if cosine >= least and not signatures[first].contradicts(signatures[second]):
            yield first, second, cosine
