"""Checks ordinals and units of time without a number: `the fourth`, `a tenth`, `for months`."""
# ruff: noqa: SIM905 - a list of words reads best as words

import re
from collections.abc import Iterator

from libs.text.numbers import find_numbers

_ORDINALS = (
    "third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth "
    "sixteenth seventeenth eighteenth nineteenth twentieth hundredth thousandth"
).split()
_CARDINALS = (
    "three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen "
    "nineteen twenty hundred thousand"
).split()
_ORDINAL = re.compile(rf"\b(?:the|an?|one|its|his|her|their|in)\s+(?P<word>{'|'.join(_ORDINALS)})s?\b(?!\s+century)")
_UNITS = "second minute hour day night week month year decade century".split()
_NO_ORDINAL = r"(?!(?<=\bsecond)\s+(?!later|after|before|and|or|at|in|to|when)\w)"
"""Not `a second craft`."""
_BARE_UNIT = re.compile(
    rf"\b(?:an?|another|half an?|for|per|each|every|and a half|within|some|several|many)\s+"
    rf"(?P<unit>{'|'.join(_UNITS)})s?\b(?!\s+(?:of|stage)){_NO_ORDINAL}",
    re.IGNORECASE,
)

_BARE_PLURAL = re.compile(rf"\b(?P<unit>{'|'.join(_UNITS)})s\s+(?:after|before|later|earlier|ago)\b", re.IGNORECASE)
_RATE = re.compile(rf"\b(?P<counted>[a-z]+)\s+(?:an?|per|every)\s+(?P<unit>{'|'.join(_UNITS)})\b{_NO_ORDINAL}")


def missing_ordinal(claim: str, evidence: str) -> str | None:
    """Return the first ordinal of the claim that the source lacks, both as a word and in digits; None if it has all."""
    for match in _ORDINAL.finditer(claim):
        word = match["word"].lower()
        index = _ORDINALS.index(word)
        number = index + 3 if index < _ORDINALS.index("hundredth") else 0
        if not re.search(rf"\b(?:{word}s?|{_CARDINALS[index]}|{number}(?:st|nd|rd|th)?)\b", evidence, re.IGNORECASE):
            return match["word"]
    return None


def other_unit(claim: str, evidence: str) -> str | None:
    """Return the first unit of time without a number that the source replaces by another unit; None if none is."""
    for match in _RATE.finditer(claim):
        source_units = re.findall(rf"\b{match['counted']}\s+(?:an?|per|every)\s+(\w+)", evidence)
        if source_units and match["unit"] not in source_units:
            return match[0]
    for match in (*_BARE_UNIT.finditer(claim), *_uncounted_units(claim)):
        unit = match["unit"].lower()
        if _has_unit(unit, evidence) or (unit == "century" and re.search(r"hundred years", evidence)):
            continue
        if any(_has_unit(other, evidence) for other in _UNITS if other != unit):
            return match[0]
    return None


def _uncounted_units(text: str) -> Iterator[re.Match[str]]:
    """Plural units without a number: `days after the launch`, but not `three days after the launch`."""
    numbers = {number.end for number in find_numbers(text)}
    return (match for match in _BARE_PLURAL.finditer(text) if match.end("unit") + 1 not in numbers)


def _has_unit(unit: str, text: str) -> bool:
    plural = "centuries" if unit == "century" else f"{unit}s"
    return re.search(rf"\b(?:{unit}|{plural}|{unit}ly)\b", text, re.IGNORECASE) is not None or (
        unit == "day" and "daily" in text
    )
