"""Triplets: who did or has what, extracted from a passage by rules, each with its span.

`On 14 November 1971 Mariner 9 entered orbit round Mars` gives (Mariner 9, entered orbit round, Mars) and (Mariner 9,
entered orbit round Mars on, 14 November 1971). The rules look for a known verb, for the subject before it, and for
dates, numbers and names around it. They skip what they cannot parse, and never complete names or resolve anaphora. Pure
functions with a cache.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, islice, takewhile

from libs.contracts.answers import Citation, Triplet, Verdict
from libs.contracts.evidence import Passage
from libs.contracts.spans import Span
from libs.language.known import ENGLISH
from libs.language.topics.clauses import ClauseParts
from libs.language.topics.grammar import Grammar
from libs.text.dates.document_dates import find_dates
from libs.text.numbers.finder import find_numbers
from libs.text.sentences import Sentence, split_sentences
from libs.text.tokens import is_stop_word
from services.answer.lexicon.words import base_forms

MAX_A_SENTENCE = 3  # triplets (taste)
_MOST_SUBJECT, _MOST_BETWEEN = 8, 5
"""Words of a subject, and between a verb and its object (taste)."""
_MAX_SENTENCE = 400
"""In characters; the rules misread the nested clauses of longer sentences (taste)."""
_WORD = re.compile(r"[^\W_]+(?:['’.-][^\W_]+)*")


@dataclass(frozen=True, slots=True)
class _TextRange:
    """A range of a sentence."""

    start: int
    end: int
    dated: bool = False
    """Whether it is a date."""


def read_triplets(
    passage: Passage, most: int | None = None, about: frozenset[str] = frozenset()
) -> tuple[Triplet, ...]:
    """Return the first `most` triplets of a passage.

    They are in text order. With `about` (stems, see `stems_of`), only sentences that contain one of the stems count,
    and sentences with more of them come first. A span runs from the first to the last word of the triplet, exact to the
    character.
    """
    language = passage.language or ENGLISH
    sentences = [sentence for sentence in split_sentences(passage.text, language) if not sentence.heading]
    selection = _about(about, sentences) if about else sentences
    triplets = (_of_sentence(passage.passage_id, sentence, language) for sentence in selection)
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


def _about(stems: frozenset[str], sentences: Iterable[Sentence]) -> list[Sentence]:
    """Return the sentences that contain any of the stems, those with more of them first."""
    small = ((sentence.text.lower(), sentence) for sentence in sentences)
    overlaps = [(sum(stem in text for stem in stems), sentence) for text, sentence in small]
    return [sentence for count, sentence in sorted(overlaps, key=lambda each: -each[0]) if count]


@lru_cache(maxsize=2048)  # taste
def _of_sentence(passage_id: str, sentence: Sentence, language: str) -> tuple[Triplet, ...]:
    """Return a sentence's triplets; cached because passages recur."""
    return tuple(_triplets_in(passage_id, sentence, language))


def _triplets_in(passage_id: str, sentence: Sentence, language: str) -> Iterator[Triplet]:
    text = sentence.text
    if len(text) > _MAX_SENTENCE or (verb := _verb_group(text, language)) is None:
        return
    dates = [_TextRange(mention.start, mention.end, dated=True) for mention in find_dates(text, language=language)]
    subject = _subject(text, verb.start, dates, language)
    if subject is None:
        return
    clause_end = _clause_end(text, verb.end, language)
    values = _values(text, dates, verb.start, clause_end, language)
    after = [value for value in values if verb.end <= value.start < clause_end]
    before = [date for date in dates if date.end <= subject.start]
    for value in [*after, *before][:MAX_A_SENTENCE]:
        relation = _relation(text, verb, value, after, clause_end, language)
        if relation:
            start, end = min(subject.start, value.start), max(verb.end, value.end)
            span = Span(sentence.start + start, sentence.start + end)
            yield Triplet(_text_of(text, subject), relation, _text_of(text, value), passage_id, span)


def _verb_group(text: str, language: str) -> _TextRange | None:
    """Return the first known verb with its auxiliaries (`was launched`, `had been exposed`); None if there is none."""
    verbs, parts, articles = _verbs(language), ClauseParts.of(language), Grammar.of(language).articles
    words = _WORD.finditer(text, 0, text.find(":") + 1 or len(text))
    before = list(islice(words, 1))
    for word in words:
        if word[0] in verbs and before[-1][0].lower() not in articles:
            first, last = _first_of_group(word, before[1:], parts), _last_of_group(text, word, words, language)
            is_bare = last is word and text.startswith(parts.agent, word.end())
            return None if is_bare else _TextRange(first.start(), last.end())
        before.append(word)
    return None


def _first_of_group(verb: re.Match[str], before: Sequence[re.Match[str]], parts: ClauseParts) -> re.Match[str]:
    first = verb
    for word in reversed(before):
        if word[0] not in parts.adverbs:
            break
        first = word
    return first


def _last_of_group(text: str, verb: re.Match[str], after: Iterable[re.Match[str]], language: str) -> re.Match[str]:
    last = verb
    for word in after:
        if not _goes_on(word[0], last[0], text[last.end() :], language):
            break
        last = word
    return last


def _goes_on(word: str, before: str, rest: str, language: str) -> bool:
    """Whether a word continues the verb group that ends with `before`; `rest` is the text after that."""
    parts = ClauseParts.of(language)
    if rest[:1] != " " or not (before in parts.auxiliaries or before in parts.adverbs):
        return False
    is_function_word = word in parts.auxiliaries or word in parts.adverbs
    return is_function_word or word in base_forms(language) or word.endswith(parts.group_endings)


@lru_cache(maxsize=64)  # taste
def _verbs(language: str) -> frozenset[str]:
    """Return all verb forms; none in a language without clause parts, whose word order may be another."""
    parts = ClauseParts.of(language)
    if not parts.auxiliaries:
        return frozenset()
    bases = (base for base in base_forms(language).values() if base not in parts.nouns_too)
    return parts.auxiliaries.union(base_forms(language), (f"{base}{parts.present_ending}" for base in bases))


def _clause_end(text: str, position: int, language: str) -> int:
    match = ClauseParts.of(language).end.search(text, position)
    return match.start() if match else len(text)


def _values(text: str, dates: Sequence[_TextRange], start: int, end: int, language: str) -> list[_TextRange]:
    """Return dates, counted numbers and names, in order and disjoint; names from the word before `start` on.

    Values that begin at `end` or later are not needed; names there are read only if they may overlap a needed number.
    """
    starts = [number for number in find_numbers(text, language) if number.start < end]
    numbers = [_TextRange(number.start, _end_of_count(text, number.end, language)) for number in starts]
    reach = max([end, *(number.end for number in numbers)])
    matches = ClauseParts.of(language).name.finditer(text, text.rfind(" ", 0, start) + 1)
    names = (_TextRange(match.start(), match.end()) for match in matches)
    parts: list[_TextRange] = []
    for part in chain(dates, takewhile(lambda name: name.start < reach, names), numbers):
        if all(part.end <= other.start or part.start >= other.end for other in parts):
            parts.append(part)
    return sorted(parts, key=lambda part: part.start)


def _end_of_count(text: str, end: int, language: str) -> int:
    noun = ClauseParts.of(language).noun.match(text, end)
    return end if noun is None or is_stop_word(noun[0].strip(), language) else noun.end()


def _subject(text: str, end: int, dates: Sequence[_TextRange], language: str) -> _TextRange | None:
    """Return the subject before the verb, without a leading date or adjunct; None for pronouns and unclear subjects."""
    start, parts = 0, ClauseParts.of(language)
    for date in dates:
        if date.end < end and text[: date.start].strip().lower() in parts.prepositions:
            start = date.end
    stretch = text[start:end].rstrip()
    stretch = stretch.split(",")[0] if stretch.endswith(",") else stretch.rpartition(", ")[2]
    begins = text.index(stretch, start) if stretch else end
    words = stretch.split()
    opens_badly = words and (words[0].lower() in parts.prepositions or words[0].lower() in parts.openers)
    is_long = ":" in stretch or len(words) > _MOST_SUBJECT
    if not words or opens_badly or is_long or words[-1].lower() in Grammar.of(language).personal_pronouns:
        return None
    lead = len(stretch) - len(stretch.lstrip(" ,"))
    return _TextRange(begins + lead, begins + len(stretch.rstrip(" ,")))


def _relation(
    text: str, verb: _TextRange, value: _TextRange, after: Sequence[_TextRange], clause_end: int, language: str
) -> str:
    """Return the verb and the words up to the value, as in the sentence; empty if too many words lie between."""
    group = _text_of(text, verb)
    if value.start < verb.start:
        first = after[0].end if after else clause_end
        phrase = text[verb.start : min(first, clause_end)].rstrip(" .,;")
        opening = text[: value.start].split()
        is_short = len(phrase.split()) <= _MOST_BETWEEN + 2  # with a verb of two words (taste)
        verb_phrase = phrase if is_short and "," not in phrase else group
        return f"{verb_phrase} {opening[-1].lower()}" if opening else verb_phrase
    between = text[verb.end : value.start].strip(" ,“”\"'")
    crosses = any(verb.end <= other.start and other.end <= value.start for other in after)
    if not crosses and len(between.split()) <= _MOST_BETWEEN and "," not in between:
        return f"{group} {between}".strip()
    last = between.split()[-1:] if between else []
    return f"{group} {last[0]}" if last and last[0].lower() in ClauseParts.of(language).prepositions else ""


def _text_of(text: str, part: _TextRange) -> str:
    return " ".join(text[part.start : part.end].split())
