"""Non-event dates: sentences whose dates belong to a text and not to an event: sources, page notes, versions.

Pure functions. Lengths and counts in the patterns are chosen by hand.
"""

import re
from collections.abc import Sequence
from typing import Final

from libs.language.known import language_of
from libs.text.dates.document_dates import DateMention
from libs.text.tokens import words
from services.timeline.extraction.event_text import as_event_text
from services.timeline.extraction.timeline_words import clause_patterns_of
from services.timeline.reading.dating import DatedSentence

_LABEL: Final = re.compile(r"\W*\[[\w+:.-]{1,24}\]\s*[^\W\d_]")
"""`[12] Author`, `[Smith14] Author`."""
_AUTHOR: Final = re.compile(r"\W*(?:\d{1,3}\.\s+)?[^\W\d_][\w’'-]+,(?:\s*[^\W\d_]\.)+")
"""`Smith, J. A.`"""
_PUBLISHED: Final = re.compile(
    r"(?i)\bpp?\.\s?\d|\b(?:vol|no|nr|bd|eds?|hrsg)\.|\bet al\b|\b(?:doi|isbn|issn|arxiv)\b|\bproceedings\b"
    r"|https?://|,\s\d+(?:\(\d+\))?,\s\d+[–-]\d+|\(\d{4}[a-z]?\)\W*\Z"
)
"""Publication details: pages, volumes, numbers of books and papers, a year in brackets at the end."""
_TITLED: Final = re.compile(r"\W*[\"“„«][^\"”“»]{3,}[\"”“»](?P<rest>.*)", re.DOTALL)
"""A work's title, and the text after it."""
_COPYRIGHT: Final = re.compile(r"(?i)\W*(?:copyright\b|©|\(c\)\s*\d)")
_VERSION: Final = re.compile(
    r"(?i)\W*(?:[^\W\d_][\w+#.-]*[ :]+){0,2}v?\d{1,4}(?:\.\d+){1,3}(?:[-.+]?[a-z]+[\d.]*)?"
    r"(?:\s+[^\W\d_]\w*)?\s*(?=[|;,:/(\[–—-]|\Z)"
)
"""`v3.0 |`, `Python 3.8:`, `Version 1.6.0 (`, `2.0.0-rc.1 /`, optionally with a word after it: `3.5 LTS |`."""
_NAMED_VERSION: Final = re.compile(r"(?i)(?<![\w.])(?:v\d+(?:\.\d+)+|\d+\.\d+\.\d+)(?![\w.]*\d)")


def is_non_event(dated_sentence: DatedSentence, releases: bool) -> bool:
    """Whether a sentence describes no event, because its dates belong to texts and pages.

    Args:
        dated_sentence: the sentence.
        releases: whether versions count as events, because the question asks for them.
    """
    sentence, language = dated_sentence.sentence.text, dated_sentence.language
    is_listed = dated_sentence.block.is_row or dated_sentence.block.is_list
    is_version = is_listed and not releases and is_release(sentence)
    is_work = is_source(sentence) or is_bibliographic(sentence, dated_sentence.mentions, language)
    return is_version or is_work or is_page_note(sentence, dated_sentence.mentions, language)


def is_source(sentence: str) -> bool:
    """Whether a sentence is a bibliography entry: `[12] Smith, J. Old probes. Nature 12, 2014, pp. 3-9`."""
    begins = _LABEL.match(sentence) or _AUTHOR.match(sentence)
    return begins is not None and _PUBLISHED.search(sentence) is not None


def is_bibliographic(sentence: str, mentions: Sequence[DateMention], language: str) -> bool:
    """Whether a sentence names a work and ends with its publication date: `"Old probes", J. Smith, Oslo, May 2018`."""
    match = _TITLED.match(sentence)
    if match is None or not mentions:
        return False
    last = words(re.split("[,(]", as_event_text(match["rest"], language))[-1], language)
    return bool(last) and all(word[0].isdigit() or word in clause_patterns_of(language).notes for word in last)


def is_page_note(sentence: str, mentions: Sequence[DateMention], language: str) -> bool:
    """Whether a sentence only dates or licenses its page: `Last updated: 3 May 2020`."""
    speech, stop_words = clause_patterns_of(language), language_of(language).stop_words
    if _COPYRIGHT.match(sentence) or any(right in sentence.lower() for right in speech.rights):
        return True
    rest = [word for word in words(_without(sentence, mentions), language) if not word[0].isdigit()]
    note_words = speech.notes | stop_words
    return not speech.notes.isdisjoint(rest) and all(word in note_words or len(word) == 1 for word in rest)


def is_release(row: str) -> bool:
    """Whether a table row or list line describes a version: `| v3.0 | 2024-11-14 |`."""
    return _VERSION.match(row) is not None


def asks_for_releases(question: str, language: str) -> bool:
    """Whether a question asks for versions of a work, by a word for releases or by a number like `3.11.0`."""
    names = clause_patterns_of(language).releases
    by_name = any(word.startswith(names) for word in words(question, language))
    return by_name or _NAMED_VERSION.search(question) is not None


def _without(sentence: str, mentions: Sequence[DateMention]) -> str:
    for mention in reversed(mentions):
        sentence = f"{sentence[: mention.start]} {sentence[mention.end :]}"
    return sentence
