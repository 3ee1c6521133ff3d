"""Checks a language model's rewrite of a turn: names, numbers, dates and negations are those of the conversation.

Its ordinary words may be new. What the turn itself names, counts or denies must be in the rewrite. No I/O.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from libs.contracts.dates import PartialDate
from libs.language.topics.clauses import Negation
from libs.language.topics.questions import QuestionForms
from libs.text.dates.document_dates import DateMention, find_dates
from libs.text.said import ANCHOR, names_beyond, numbers_beyond, stems_of
from libs.text.tokens import content_stems, content_words, stem

_DIGITS: Final = re.compile(r"\d+")


def fault_of(rewrite: str, turn: str, history: Sequence[str], language: str) -> str | None:
    """Return why a model's rewrite of a turn cannot be used; None if it can.

    Args:
        rewrite: the model's standalone question.
        turn: the last turn, verbatim.
        history: the texts of the conversation before it.
        language: of the turn, ISO 639-1.
    """
    said = (turn, *history)
    if stems_of([rewrite], language).isdisjoint(stems_of(said, language)):
        return "it has no word of the conversation"
    readers = (names_beyond, numbers_beyond, _dates_beyond)
    if added := [found for read in readers for found in read(rewrite, said, language)]:
        return f"nobody said {_quoted(added)}"
    names, numbers, dates = (read(turn, [rewrite], language) for read in readers)
    in_digits = filter(_DIGITS.search, numbers)  # `the second` or `both` may be named instead
    if lost := [*names, *in_digits, *dates]:
        return f"the turn's own {_quoted(lost)} got lost"
    return _negation_fault(rewrite, turn, history, language)


def _quoted(found: Iterable[str]) -> str:
    return ", ".join(f'"{words}"' for words in dict.fromkeys(found))


def _dates_beyond(text: str, others: Iterable[str], language: str) -> Iterator[str]:
    """Yield the dates that no date of the other texts overlaps; years alone are compared as numbers."""
    known = [date for other in others for date in find_dates(other, ANCHOR, language=language)]
    for date in find_dates(text, ANCHOR, language=language):
        if not date.text.isdigit() and not any(date.first <= _end(each) and each.first <= _end(date) for each in known):
            yield date.text


def _end(date: DateMention) -> PartialDate:
    """The last day of a date."""
    return PartialDate(date.last.year, date.last.month or 12, date.last.day or 31)


def _negation_fault(rewrite: str, turn: str, history: Sequence[str], language: str) -> str | None:
    """Return a fault if a rewrite denies what nobody denied, or affirms what was only denied."""
    (new_denials, affirmed), own, *others = (_polarity(text, language) for text in (rewrite, turn, *history))
    said = [own, *others]
    known = {key for denials, _ in said for words in denials for key in words}
    if added := [next(iter(words.values())) for words in new_denials if not own[0] and known.isdisjoint(words)]:
        return f"nobody denied {_quoted(added)}"
    asked = own[1]
    if QuestionForms.of(language).yes_no.match(rewrite):  # what was denied of one thing may be asked of another
        asked = asked.union(*(stems for _, stems in others))
    firsts = [(next(iter(words.items())), stems) for denials, stems in said for words in denials]
    lost = [word for (key, word), stems in firsts if key not in stems and key in affirmed - asked]
    return f"the denial of {_quoted(lost)} got lost" if lost else None


def _polarity(text: str, language: str) -> tuple[list[dict[str, str]], set[str]]:
    """What each negation denies, the content words after it in its clause by their stems; and the stems of the rest."""
    negation, denials, affirmed = Negation.of(language), [], set[str]()
    for clause in negation.clause_end.split(negation.no_denial.sub(" ", text)):
        negator = negation.negator.search(clause)
        affirmed.update(content_stems(clause[: negator.start()] if negator else clause, language))
        denied = content_words(clause[negator.end() :], language) if negator else []
        if denied:
            denials.append({stem(word, language): word for word in denied})
    return denials, affirmed
