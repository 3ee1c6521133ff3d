"""Candidates in a sentence for the short answer to a question: dates, numbers, names, else phrases; best first."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from libs.text.dates import DateMention, find_dates
from libs.text.tokens import is_third_person_pronoun, tokenize
from services.answer.answer_types import NEXT_CLAUSE, counts, quantities, tells_thing
from services.answer.lexicon.vague_words import vague_stems
from services.answer.lexicon.words import phrase_pattern, stems_of
from services.answer.question import AnswerKind, Question
from services.answer.sentences import EvidenceSentence
from services.answer.verification.claims import read_claims

TITLE_CERTAINTY = 0.6
PHRASE_CERTAINTY = 0.5
_LONGEST_PHRASE = 12
_HOW_MUCH = re.compile(r"\bhow much (?!time\b|longer\b|older\b|later\b|earlier\b)", re.IGNORECASE)
_TIMES = frozenset("second minute hour day week month year decade century".split())  # noqa: SIM905 - units as words
_PLANNED = re.compile(r"\b(?:designed|planned|intended|built|meant|scheduled|expected|hoped) (?:for|to)\s[^,;]{0,20}\Z")
"""Text before a number that was only planned: `designed for 32 minutes`."""
_NEXT_ITEM = re.compile(r";\s+|,\s+(?:and|but|while|whereas)\s+|,\s+(?=[^\W\d_a-z])|\s+and\s+(?=[^\W\d_a-z])")
"""Separates list items, each with its own date: `Spirit in Gusev and Opportunity on Meridiani Planum in 2004`."""
_NEXT_VERB = re.compile(r"\s+and\s+(?=[a-z]+ed\b)|,\s+(?=[a-z]+ed\b)")
"""Separates predicates: `launched on 30 May and landed on 2 June`."""
_TIME_FROM = re.compile(
    r"\b(?:seconds?|minutes?|hours?|days?|weeks?|months?|years?|decades?)\s+(?:after|before)\s+"
    r"(?:the\s+)?(?:\w+\s+of\s+(?:the\s+)?)?\Z"
)
_WHERE = re.compile(r"\b(?:in|at|on|near|from)\s(?:the\s)?(?:[a-z]+\s)?\Z")
_ASKS_WHERE = re.compile(r"\b(?:in|at|on|near|from)\s(?:which|what)\b|\b(?:in|at|on|near|from)\s*\?*\Z", re.IGNORECASE)
_PHRASE_END = re.compile(r"[,;:.!?()–—]|\b(?:which|that|who|because|after|before|when|while)\b")


@dataclass(frozen=True, slots=True)
class ShortAnswer:
    """A candidate for the short answer."""

    text: str
    start: int | None
    """Its offset in the sentence; None if only the document's title contains it."""
    certainty: float = 1.0
    """In (0, 1]: confidence that it is the answer; 1 for a date, number or name in the sentence."""


def short_answers(question: Question, sentence: EvidenceSentence) -> Iterator[ShortAnswer]:
    """Yield the sentence's candidates, best first; nothing if it has none of the wanted answer type."""
    if question.kind is AnswerKind.DATE:
        yield from _dates(question, sentence)
    elif question.kind is AnswerKind.NUMBER:
        yield from _numbers(question, sentence)
    elif question.kind in (AnswerKind.PERSON, AnswerKind.NAME, AnswerKind.PLACE):
        yield from _names(question, sentence)
    else:
        yield from _phrases(question, sentence)


def _dates(question: Question, sentence: EvidenceSentence) -> Iterator[ShortAnswer]:
    """Yield dates, those first whose clause shares most words with the question.

    Within a clause, dates nearest to a question word that is not a name come first: `launched on …, landed on …`.
    """
    mentions = find_dates(sentence.text)
    positions = _term_positions(question, sentence.text)

    def unfitness(date: DateMention) -> tuple[float, int, int]:
        distance = min((abs(date.start - position) for position in positions), default=date.start)
        shared_stems = set(question.stems).intersection(stems_of(_clause_at(sentence.text, date.start, _NEXT_VERB)))
        return -_clause_overlap(question, sentence.text, date.start, _NEXT_ITEM), -len(shared_stems), distance

    for date in sorted(mentions, key=unfitness):
        if not _is_about_another(question, sentence.text, date.start):
            yield ShortAnswer(date.text, date.start)


def _numbers(question: Question, sentence: EvidenceSentence) -> Iterator[ShortAnswer]:
    """Yield numbers with the wanted unit or counted noun, and no others; `how much` requires a unit."""
    numbers = quantities(sentence.text)
    if _HOW_MUCH.search(question.text):
        if question.counted_stem and not _tells_amount(question, sentence):
            return
        numbers = tuple(number for number in numbers if number.unit and number.unit not in _TIMES)
    elif question.counted_stem:
        numbers = tuple(number for number in numbers if counts(question.counted_stem, sentence.text, number))
    if question.units:
        numbers = tuple(number for number in numbers if number.unit in question.units)
    for number in sorted(numbers, key=lambda number: _PLANNED.search(sentence.text[: number.start]) is not None):
        following = tokenize(sentence.text[number.end : number.end + 40])
        noun_follows = question.counted_stem and following[:1] and question.counted_stem in stems_of(following[0].text)
        end = number.end + following[0].end if noun_follows else number.end
        yield ShortAnswer(sentence.text[number.start : end], number.start)


def _tells_amount(question: Question, sentence: EvidenceSentence) -> bool:
    """Whether the sentence mentions the measured thing, or another specific word of the question."""
    specific_stems = set(question.stems) - vague_stems()
    return tells_thing(question.counted_stem, sentence.text) or not specific_stems.isdisjoint(sentence.stem_set)


def _names(question: Question, sentence: EvidenceSentence) -> Iterator[ShortAnswer]:
    """Yield names that are not in the question, best first; last, the first name of the title."""
    text = sentence.text
    names = [name for name in read_claims(text).names if name.sure or not _is_common(name.text, sentence)]
    new_names = [name.text for name in names if not phrase_pattern(name.text).search(question.text)]

    def unfitness(name: str) -> tuple[float, tuple[int, int]]:
        overlap = _clause_overlap(question, text, text.find(name), NEXT_CLAUSE)
        return -overlap, _unfitness(name, question, text)

    for name in sorted(new_names, key=unfitness):
        yield ShortAnswer(name, text.find(name))
    for title_name in read_claims(sentence.passage.title).names[:1]:
        if not phrase_pattern(title_name.text).search(question.text):
            yield ShortAnswer(title_name.text, None, TITLE_CERTAINTY)


def _clause_overlap(question: Question, text: str, position: int, boundary: re.Pattern[str]) -> float:
    """Count the question's words in the clause around a position of the sentence.

    The question's first name, which is usually its subject, counts as three.
    """
    clause = _clause_at(text, position, boundary)
    stems = set(question.stems) - {question.category}
    name_matches = [phrase_pattern(name).search(clause) is not None for name in question.names]
    return len(stems.intersection(stems_of(clause))) + sum(name_matches) + 2 * any(name_matches[:1])


def _is_about_another(question: Question, text: str, position: int) -> bool:
    """Whether the sentence names the question's subject, but the clause at `position` has neither it nor a pronoun."""
    clause = _clause_at(text, position, NEXT_CLAUSE)
    subjects = [phrase_pattern(name) for name in question.names[:1]]
    if any(_is_only_compared(name, clause) for name in subjects):
        return True
    elsewhere = any(name.search(text) and not name.search(clause) for name in subjects)
    return elsewhere and not any(is_third_person_pronoun(token.text) for token in tokenize(clause))


def _is_only_compared(name: re.Pattern[str], clause: str) -> bool:
    """Whether the clause uses the name only as a point in time for something else: `two years after Sputnik 1`."""
    matches = list(name.finditer(clause))
    return bool(matches) and all(_TIME_FROM.search(clause[: match.start()]) for match in matches)


def _clause_at(text: str, position: int, boundary: re.Pattern[str]) -> str:
    edges = [0, *(edge for match in boundary.finditer(text) for edge in (match.start(), match.end())), len(text)]
    return next(
        text[start:end]
        for start, end in zip(edges[::2], edges[1::2], strict=True)
        if position < end or end == len(text)
    )


def _is_common(word: str, sentence: EvidenceSentence) -> bool:
    """Whether a word is capitalised only because it begins the sentence."""
    return word.endswith("s") or re.search(rf"\b{re.escape(word.lower())}\b", sentence.passage.text) is not None


def _unfitness(name: str, question: Question, text: str) -> tuple[int, int]:
    """Return the sort key of a name as an answer; lower is better.

    Best is a name next to the wanted category (`an Atlas V rocket`), then a person's full name or a name after `was`,
    then one closely before a name of the question.
    """
    start = text.find(name)
    end = start + len(name)
    beside = {*stems_of(text[end : end + 15].split(",")[0])[:1], *stems_of(text[:start])[-1:]}
    if question.category and question.category in beside:
        return 0, start
    if question.kind is AnswerKind.PERSON and " " in name:
        return 1, start
    if question.kind is AnswerKind.NAME and re.search(r"\b(?:was|were|is)\s(?:the\s)?\Z", text[:start]):
        return 1, start
    name_starts = [match.start() for other in question.names for match in phrase_pattern(other).finditer(text)]
    if question.kind is AnswerKind.PLACE:
        return (2, start) if re.search(r"\b(?:in|at|on|near)\s(?:[a-z]+\s){0,2}\Z", text[:start]) else (3, start)
    if question.kind is AnswerKind.NAME and _WHERE.search(text[:start]) and not _ASKS_WHERE.search(question.text):
        return 4, start  # `landed in Vastitas Borealis` says where, not which lander
    distances = [name_start - end for name_start in name_starts if name_start >= end]
    return (2, min(distances)) if distances else (3, start)


def _phrases(question: Question, sentence: EvidenceSentence) -> Iterator[ShortAnswer]:
    """Yield the text after the last question word in the sentence, up to the end of its clause."""
    positions = _term_positions(question, sentence.text)
    if not positions:
        return
    after = tokenize(sentence.text[max(positions) :])
    start = max(positions) + (after[0].end if after else 0)
    end = _PHRASE_END.search(sentence.text, start)
    phrase = sentence.text[start : end.start() if end else len(sentence.text)]
    words = phrase.split()[:_LONGEST_PHRASE]
    if words:
        text = " ".join(words)
        yield ShortAnswer(text, sentence.text.find(words[0], start), PHRASE_CERTAINTY)


def _term_positions(question: Question, text: str) -> list[int]:
    """Return the offsets in the text of question words that are not part of a name."""
    return [token.start for token in tokenize(text) if not set(stems_of(token.text)).isdisjoint(question.stems)]
