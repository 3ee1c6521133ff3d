"""Triplets: who did or has what, read from a passage by rules, each with its span. Pure functions with a cache.

`On 14 November 1971 Mariner 9 entered orbit round Mars` gives (Mariner 9, entered orbit round, Mars): the subject
before the sentence's first known verb, the first date, number or name after it, and the words from one to the other.
What is longer or less plain is skipped; names are never completed, nor pronouns resolved.
"""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain, islice
from typing import Final

from libs.contracts.answers import Citation, Triplet, Verdict
from libs.contracts.evidence import Passage
from libs.contracts.spans import Span
from libs.language.known import ENGLISH
from libs.language.topics.clauses import ClauseParts
from libs.language.topics.grammar import Grammar
from libs.text.dates.document_dates import find_dates
from libs.text.names import find_names
from libs.text.numbers.finder import find_numbers
from libs.text.sentences import Sentence, split_sentences
from libs.text.tokens import is_stop_word
from services.answer.lexicon.words import base_forms

_MOST_SUBJECT, _MOST_RELATION = 8, 7
"""Words of a subject, and of a verb and what leads to its object (taste)."""
_WORD: Final = re.compile(r"[^\W_]+(?:['’.-][^\W_]+)*")


def read_triplets(
    passage: Passage, most: int | None = None, about: frozenset[str] = frozenset()
) -> tuple[Triplet, ...]:
    """Return the first `most` triplets of a passage, in text order.

    With `about` (stems, see `stems_of`), only sentences that contain one of the stems count, and sentences with more of
    them come first. A span runs from the first to the last word of the triplet, exact to the character.
    """
    language = passage.language or ENGLISH
    sentences = [sentence for sentence in split_sentences(passage.text, language) if not sentence.heading]
    if about:
        counts = {sentence: sum(stem in sentence.text.lower() for stem in about) for sentence in sentences}
        sentences = sorted((each for each in sentences if counts[each]), key=lambda each: -counts[each])
    triplets = (_of_sentence(passage.passage_id, sentence, language) for sentence in sentences)
    return tuple(islice(chain.from_iterable(triplets), most))


def cited_triplets(triplets: Iterable[Triplet], citations: Iterable[Citation]) -> tuple[Triplet, ...]:
    """Return the triplets, without duplicates, that lie within a cited span of a sentence that was not withdrawn."""
    spans = [
        span for citation in citations if citation.verdict is not Verdict.WITHDRAWN for span in citation.references
    ]
    return tuple(
        triplet
        for triplet in dict.fromkeys(triplets)
        if any(
            span.passage_id == triplet.passage_id
            and span.span.start <= triplet.span.start
            and triplet.span.end <= span.span.end
            for span in spans
        )
    )


@lru_cache(maxsize=2048)  # taste
def _of_sentence(passage_id: str, sentence: Sentence, language: str) -> tuple[Triplet, ...]:
    """Return a sentence's triplet, if it has one; cached because passages recur."""
    text = sentence.text
    verb = _verb_start(text, language)
    subject = None if verb is None else _subject(text, verb, language)
    if verb is None or subject is None:
        return ()
    values = (value for value in _values(text, language) if value.start > verb)
    value = min(values, key=lambda value: (value.start, -value.end), default=Span(len(text), len(text)))
    relation = " ".join(text[verb : value.start].split())
    crosses = "," in relation or ClauseParts.of(language).end.search(text, verb, value.end)
    if not value.of(text) or crosses or len(relation.split()) > _MOST_RELATION:
        return ()
    span = Span(sentence.start + subject.start, sentence.start + value.end)
    return (Triplet(" ".join(subject.of(text).split()), relation, " ".join(value.of(text).split()), passage_id, span),)


def _verb_start(text: str, language: str) -> int | None:
    """Where the first known verb starts, or the adverbs before it; None if the sentence has none."""
    parts, words = ClauseParts.of(language), list(_WORD.finditer(text))
    verbs = parts.auxiliaries.union(base_forms(language)) if parts.auxiliaries else frozenset()
    number = next((number for number, word in enumerate(words) if number and word[0] in verbs), None)
    while number and words[number - 1][0] in parts.adverbs:
        number -= 1
    return words[number].start() if number else None


def _subject(text: str, end: int, language: str) -> Span | None:
    """Return the words before the verb, without a leading date; None for pronouns and unclear subjects."""
    parts, start = ClauseParts.of(language), 0
    for date in find_dates(text[:end], language=language):
        if text[: date.start].strip().lower() in parts.prepositions:
            start = date.end
    subject = text[start:end].rpartition(", ")[2].strip(" ,")
    words = subject.lower().split() or [""]
    is_unclear = words[0] in {"", *parts.prepositions, *parts.openers} or ":" in subject or len(words) > _MOST_SUBJECT
    if is_unclear or words[-1] in Grammar.of(language).personal_pronouns:
        return None
    begins = text.rindex(subject, start, end)
    return Span(begins, begins + len(subject))


def _values(text: str, language: str) -> Iterator[Span]:
    """Yield dates, names, and numbers with what they count."""
    yield from (Span(date.start, date.end) for date in find_dates(text, language=language))
    yield from (Span(name.start, name.end) for name in find_names(text, language))
    for number in find_numbers(text, language):
        noun = ClauseParts.of(language).noun.match(text, number.end)
        yield Span(number.start, noun.end() if noun and not is_stop_word(noun[0].strip(), language) else number.end)
