"""True sentences made false in one point, by rule: another number, date, unit or name, a denial put in or taken out.

For finding what the check of sentences overlooks: many thousands of pairs come from texts at hand, and none is kept.
What is put in never stands in the sources; whether the sentence was true before is the caller's to know. No I/O; all
chance is that of the generator passed in. Words, steps of years and numbers are chosen by hand.
"""

import random
import re
from collections.abc import Iterator, Sequence

from services.answer.verification.claims import read_claims
from services.answer.verification.verify import without_list_marks

_UNITS = (
    "km m cm mm", "kilometres metres centimetres", "kilometers meters centimeters", "miles feet inches",
    "kg g tonnes", "kilograms grams tonnes", "seconds minutes hours days weeks months years decades centuries",
    "second minute hour day week month year decade century", "million billion thousand trillion",
    "dollars euros pounds", "watts kilowatts megawatts", "MB GB TB",
)  # fmt: skip
_UNIT = re.compile(
    rf"(?<=\d )(?:{'|'.join(word for line in _UNITS for word in line.split())})\b"
    rf"|\b(?:(?<=one )|(?<=two )|(?<=three )|(?<=four )|(?<=five )|(?<=six )|(?<=ten )|(?<=few )|(?<=per )|(?<=a ))"
    rf"(?:{'|'.join(word for line in _UNITS for word in line.split() if len(word) > 2)})\b"
)
_AUXILIARY = re.compile(
    r"\b(?:is|are|was|were|can|could|will|would|should|must|has been|have been|had been|has|have|had|does|do|did)\b"
    r"(?! not\b|n['’]t|\s+(?:no|never|not)\b)"
)
_NEGATOR = re.compile(r"(?<=\w)(?: not\b|n['’]t\b| never\b)(?! only| just)|\b[Nn]o (?!\d|longer|one\b)")
_FULL = {"wo": "will", "ca": "can"}
_SPELLED = "two three four five six seven eight nine ten eleven twelve fifteen twenty thirty forty fifty".split()  # noqa: SIM905
_YEAR = re.compile(r"(?<![\d,.])(?:1[5-9]|20)\d\d(?![\d,])")
_MONTHS = "January February March April June July August September October November December Sept".split()  # noqa: SIM905
_MONTH = re.compile(rf"\b(?:{'|'.join(_MONTHS)})\b")
_DIGITS = re.compile(r"(?<![\w.,:/#-])\d[\d,]*(?:\.\d+)?(?![\w:/-])")


def corrupt(sentence: str, sources: str, names: Sequence[str], chance: random.Random) -> Iterator[tuple[str, str]]:
    """False variants of a sentence, each with its kind; none for what the sentence has nothing of.

    Args:
        sentence: a true one.
        sources: the texts that bear it out.
        names: of things of the same kind; those that the sources have are passed over.
        chance: picks places and values.
    """
    sentence = read_claims(without_list_marks(sentence), language="en").text
    for kind, variants in (
        ("number", _numbers(sentence, chance)),
        ("date", _dates(sentence, chance)),
        ("unit", _units(sentence, chance)),
        ("name", _names(sentence, names, chance)),
    ):
        known_text = sources + " " + sentence
        new = [text for text, put_in in variants if not re.search(rf"(?<!\w){re.escape(put_in)}(?!\w)", known_text)]
        yield from ((kind, text) for text in new[:1])
    yield from (("negation", text) for text in _negations(sentence, chance))


def _replace(sentence: str, match: re.Match[str], new: str) -> tuple[str, str]:
    return sentence[: match.start()] + new + sentence[match.end() :], new


def _numbers(sentence: str, chance: random.Random) -> Iterator[tuple[str, str]]:
    dates = [(date.start, date.end) for date in read_claims(sentence, language="en").dates]
    words = re.compile(rf"\b(?:{'|'.join(_SPELLED)})\b")
    matches = [*_DIGITS.finditer(sentence), *words.finditer(sentence)]
    candidates = [match for match in matches if not any(start <= match.start() < end for start, end in dates)]
    candidates = [match for match in candidates if not re.search(r"[A-Z]\w*\s\Z", sentence[: match.start()])]
    candidates = [match for match in candidates if not re.match(r"\.(?:\s|\Z)", sentence[match.end() :])]
    for match in chance.sample(candidates, len(candidates)):
        yield _replace(sentence, match, _other_number(match[0], chance))


def _other_number(number: str, chance: random.Random) -> str:
    if number in _SPELLED:
        return chance.choice([word for word in _SPELLED if word != number])
    characters = list(number)
    place = chance.choice([place for place, digit in enumerate(number) if digit.isdigit()])
    digits = "123456789" if place == 0 else "0123456789"
    characters[place] = chance.choice([digit for digit in digits if digit != number[place]])
    return "".join(characters)


def _dates(sentence: str, chance: random.Random) -> Iterator[tuple[str, str]]:
    for match in _YEAR.finditer(sentence):
        yield _replace(sentence, match, str(int(match[0]) + chance.choice([-12, -3, -2, -1, 1, 2, 4, 10])))
    for match in _MONTH.finditer(sentence):
        yield _replace(sentence, match, chance.choice([month for month in _MONTHS if month != match[0]]))


def _units(sentence: str, chance: random.Random) -> Iterator[tuple[str, str]]:
    for match in _UNIT.finditer(sentence):
        line = next((line.split() for line in _UNITS if match[0] in line.split()), [])
        if alternatives := [word for word in line if word != match[0]]:
            yield _replace(sentence, match, chance.choice(alternatives))


def _names(sentence: str, names: Sequence[str], chance: random.Random) -> Iterator[tuple[str, str]]:
    own = [name for name in read_claims(sentence, language="en").names if name.is_sure]
    for name in chance.sample(own, len(own)):
        alike = [replacement for replacement in names if len(replacement.split()) == len(name.text.split())]
        for replacement in chance.sample(alike, min(5, len(alike))):
            yield sentence[: name.start] + replacement + sentence[name.end :], replacement


def _negations(sentence: str, chance: random.Random) -> Iterator[str]:
    """A negator taken out, where there is one, else one put in after the first auxiliary verb."""
    if negators := list(_NEGATOR.finditer(sentence)):
        match = chance.choice(negators)
        if len(negators) == 1:
            beginning = re.sub(r"\b(wo|ca)\Z", lambda short: _FULL[short[1]], sentence[: match.start()])
            yield beginning + sentence[match.end() :]
        return
    if auxiliary := _AUXILIARY.search(sentence):
        yield f"{sentence[: auxiliary.end()]} not{sentence[auxiliary.end() :]}"
