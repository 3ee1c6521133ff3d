"""A date that stands in the source, but for something else, bears nothing out."""

from collections.abc import Iterator

import pytest

from bench.sample_search import sample_index
from libs.contracts.answers import Verdict
from libs.contracts.evidence import Passage
from libs.text.dates.document_dates import DateMention, find_dates
from libs.text.sentences import split_sentences
from services.answer.verification.verify import Checker
from services.answer.verification.windows import WindowSource
from tests.unit.answer.evidence_making import passage

LIGHTHOUSE = passage(
    "The lighthouse was lit on 3 May 1871. Its tower stands 42 metres high. "
    "The last keeper left on 30 June 1964, when the lamp became automatic.",
    "lighthouse",
    "The lighthouse of Harrow Point",
)


TO_JUPITER = passage(
    "Jupiter was first visited by Pioneer 10 in 1973, and the first spacecraft to orbit Jupiter was Galileo in 1995. "
    "On 5 May 1990 the Earth was passed, and on 8 August 1992 Venus lay behind it.",
    "jupiter",
    "To Jupiter",
)


@pytest.mark.parametrize(
    ("source", "sentence", "verdict"),
    [
        (LIGHTHOUSE, "The lighthouse of Harrow Point was lit on 3 May 1871.", Verdict.VERIFIED),
        (LIGHTHOUSE, "The lighthouse of Harrow Point was lit on 30 June 1964.", Verdict.WITHDRAWN),
        (LIGHTHOUSE, "The last keeper of the lighthouse left in June 1964.", Verdict.VERIFIED),
        (LIGHTHOUSE, "The last keeper of the lighthouse left in May 1871.", Verdict.WITHDRAWN),
        (TO_JUPITER, "Jupiter was first visited by Pioneer 10 in 1973.", Verdict.VERIFIED),
        (TO_JUPITER, "Jupiter was first visited by Pioneer 10 in 1995.", Verdict.WITHDRAWN),
        (TO_JUPITER, "The first spacecraft to orbit Jupiter was Galileo in 1995.", Verdict.VERIFIED),
        (TO_JUPITER, "The first spacecraft to orbit Jupiter was Galileo in 1973.", Verdict.WITHDRAWN),
        (
            TO_JUPITER,
            "Galileo was the first in orbit in 1995, and Pioneer 10 visited Jupiter first in 1973.",
            Verdict.VERIFIED,
        ),
        (
            TO_JUPITER,
            "Galileo was the first in orbit in 1973, and Pioneer 10 visited Jupiter first in 1995.",
            Verdict.WITHDRAWN,
        ),
        (TO_JUPITER, "On 5 May 1990 the Earth was passed.", Verdict.VERIFIED),
        (TO_JUPITER, "On 8 August 1992 the Earth was passed.", Verdict.WITHDRAWN),
    ],
)
def test_a_date_belongs_to_what_its_clause_tells(source: Passage, sentence: str, verdict: Verdict) -> None:
    assert Checker([WindowSource(source)]).check(sentence).verdict is verdict


@pytest.mark.parametrize("date", ["24 July 1969", "July 21, 1969", "16 July 1969", "13 September 1959"])
def test_a_date_of_the_same_things_bears_out_nothing_else_that_happened_to_them(date: str) -> None:
    passages = [p for p in sample_index().passages if p.document_id in {"apollo-11", "luna-2"}]
    citation = Checker([WindowSource(p) for p in passages]).check(f"Apollo 11 landed on the Moon on {date}.")
    assert citation.verdict is Verdict.WITHDRAWN
    assert date in citation.reason


@pytest.mark.parametrize("document", ["apollo-11", "first-at-each-planet", "juno", "mars-landing-sites", "messenger"])
def test_reworded_sentences_with_several_dates_stand(document: str) -> None:
    passages = [p for p in sample_index().passages if p.document_id == document]
    checker = Checker([WindowSource(p) for p in passages])
    texts = {
        s.text
        for p in passages
        for s in split_sentences(p.text, language="en")
        if not s.heading and len(find_dates(s.text, language="en")) > 1
    }
    verdicts = [checker.check(f"{text.rstrip('.')} indeed.").verdict for text in texts]
    assert verdicts == [Verdict.VERIFIED] * len(texts)


def dated_sentences(passages: list[Passage]) -> dict[str, DateMention]:
    """Sentences with exactly one date, told to the day."""
    texts = {s.text for p in passages for s in split_sentences(p.text, language="en") if not s.heading}
    dates_by_text = {text: [date for date in find_dates(text, language="en") if date.first.day] for text in texts}
    return {text: dates[0] for text, dates in dates_by_text.items() if len(dates) == 1}


def swapped(dates_by_text: dict[str, DateMention]) -> Iterator[str]:
    """Each sentence with the date of each other one in the place of its own."""
    for text, own in dates_by_text.items():
        for other in dates_by_text.values():
            if other.first != own.first:
                yield text[: own.start] + other.text + text[own.end :]


@pytest.mark.parametrize("document", ["apollo-15", "akatsuki", "cassini", "luna-9", "phoenix", "venera-7", "voyager-2"])
def test_no_sentence_of_the_samples_stands_with_another_ones_date(document: str) -> None:
    passages = [p for p in sample_index().passages if p.document_id == document]
    checker = Checker([WindowSource(p) for p in passages])
    false = list(swapped(dated_sentences(passages)))
    assert false
    assert [sentence for sentence in false if checker.check(sentence).verdict is Verdict.VERIFIED] == []
