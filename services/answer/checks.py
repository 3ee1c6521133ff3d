"""What speaks against a claimed sentence in the words that are said to bear it out, each as a sentence for people."""

import re
from collections.abc import Iterator

from services.answer.claims import Claims, Name, opposites
from services.answer.measures import borne_out, date_borne_out
from services.answer.words import phrase_pattern
from services.text.dates import find_dates
from services.text.numbers import find_numbers
from services.vocabulary.evidence import Passage

_ADDRESS = re.compile(r"\b(?:[a-z][a-z+.-]*://|www\.|mailto:)[^\s<>\"')\]]+|[\w.+-]+@[\w-]+\.[\w.-]+", re.IGNORECASE)


def contradictions(claimed: Claims, told: Claims, passage: Passage) -> Iterator[str]:
    """Every number, date, name, address, negation and opposite of the claim that the words told don't bear out.

    Args:
        claimed: the sentence.
        told: the words of the passage that are nearest to it.
        passage: the whole passage; its title names what the words are about.
    """
    yield from _numbers(claimed, told, passage)
    yield from _dates(claimed, told, passage)
    yield from _names(claimed, told, passage)
    yield from _addresses(claimed, passage)
    yield from _negation(claimed, told)
    yield from _opposites(claimed, told)


def _numbers(claimed: Claims, told: Claims, passage: Passage) -> Iterator[str]:
    if not claimed.quantities:
        return
    known = (*told.all_numbers, *find_numbers(passage.title))
    for quantity in claimed.quantities:
        if not borne_out(quantity, known):
            yield f"The source doesn't say “{quantity.text}”."


def _dates(claimed: Claims, told: Claims, passage: Passage) -> Iterator[str]:
    for date in claimed.dates:
        if date_borne_out(date, told.dates):
            continue
        # Texts tell the year once and leave it out after that.
        coarse = not date.first.day and not told.dates
        if not (coarse and date_borne_out(date, find_dates(passage.text))):
            yield f"The source doesn't give the date “{date.text}”."


def _names(claimed: Claims, told: Claims, passage: Passage) -> Iterator[str]:
    for name in claimed.names:
        if _has(name.text, told.text) or _has_last_word(name, told.text):
            continue
        if name.sure and not _known_beside(name, claimed, told, passage):
            yield f"The source doesn't name “{name.text}” here."
        elif not name.sure and _another_subject(name, claimed, told, passage):
            yield f"The source says this of something other than “{name.text}”."


def _addresses(claimed: Claims, passage: Passage) -> Iterator[str]:
    """An address that nobody gave may carry what was said to wherever it leads."""
    for address in _ADDRESS.findall(claimed.text):
        if address.rstrip(".,;:!?").lower() not in passage.text.lower():
            yield f"The source doesn't give the address “{address}”."


def _known_beside(name: Name, claimed: Claims, told: Claims, passage: Passage) -> bool:
    """Whether the source means the named thing although the nearest words don't name it: `it`, `the probe`."""
    if _has(name.text, passage.title):
        return not _names_sibling(name, told)
    return _has(name.text, passage.text) and not _rivals(claimed, told)


def _names_sibling(name: Name, told: Claims) -> bool:
    """Whether the words told name another one of a numbered series."""
    head, _, number = name.text.rpartition(" ")
    if not number.isdecimal():
        return False
    return any(re.fullmatch(rf"{re.escape(head)} \d+", other.text) for other in told.names)


def _another_subject(name: Name, claimed: Claims, told: Claims, passage: Passage) -> bool:
    """A capitalised first word that no source has, where the source has another name in the subject's place."""
    if _has(name.text, passage.text) or _has(name.text, passage.title):
        return False
    return any(_begins_sentence(other, told.text) for other in _rivals(claimed, told))


def _rivals(claimed: Claims, told: Claims) -> list[Name]:
    """Names of the words told that the claim doesn't have: one of them may be what the source speaks of."""
    return [
        other
        for other in told.names
        if not _has(other.text, claimed.text) and not _has_last_word(other, claimed.text) and not _is_word(other, told)
    ]


def _begins_sentence(name: Name, text: str) -> bool:
    return re.search(rf"(?:\A|[.!?]\s+){re.escape(name.text)}", text) is not None


def _is_word(name: Name, told: Claims) -> bool:
    """Whether an unsure name stands in small letters too."""
    return not name.sure and re.search(rf"\b{re.escape(name.text.lower())}\b", told.text) is not None


def _has(name: str, text: str) -> bool:
    return phrase_pattern(name).search(text) is not None


def _has_last_word(name: Name, text: str) -> bool:
    """`Armstrong` for `Neil Armstrong`; never the number of a numbered name alone."""
    *others, last = name.text.split()
    return bool(others) and not last.isdecimal() and _has(last, text)


def _negation(claimed: Claims, told: Claims) -> Iterator[str]:
    if any(scope & told.stems and not _denies(told, scope) for scope in claimed.denied):
        yield "The source doesn't deny this."
    elif any(_mostly_in(scope, claimed.stems) and not _denies(claimed, scope) for scope in told.denied):
        yield "The source denies this."


def _denies(claims: Claims, scope: frozenset[str]) -> bool:
    return any(scope & other for other in claims.denied)


def _mostly_in(scope: frozenset[str], stems: frozenset[str]) -> bool:
    return bool(scope) and 2 * len(scope & stems) > len(scope)


def _opposites(claimed: Claims, told: Claims) -> Iterator[str]:
    for word in claimed.stems:
        contrary = opposites().get(word)
        if contrary and word not in told.stems and contrary & told.stems and not contrary & claimed.stems:
            yield f"The source says the opposite of “{word}”."
            return
