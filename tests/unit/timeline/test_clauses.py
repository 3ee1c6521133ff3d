"""A sentence that tells several events is cut into what it tells one after the other."""

import pytest

from libs.text.dates.document_dates import find_dates
from services.timeline.extraction.clauses import clauses_of


def clause_texts(sentence: str, language: str = "en", in_news: bool = False) -> list[str]:
    """What the clauses of a sentence say alone."""
    clauses = clauses_of(sentence, find_dates(sentence, language="en"), language, in_news)
    return [clause.alone(sentence) for clause in clauses]


@pytest.mark.parametrize(
    ("language", "sentence", "clauses"),
    [
        (
            "en",
            "Luna 17 was launched on 10 November 1970 and touched down on 17 November 1970.",
            ["Luna 17 was launched on 10 November 1970", "Luna 17 … touched down on 17 November 1970."],
        ),
        (
            "en",
            "Spirit landed on 4 January 2004 and Opportunity landed on 25 January 2004.",
            ["Spirit landed on 4 January 2004", "Opportunity landed on 25 January 2004."],
        ),
        (
            "en",
            "Contact was lost in 1971, and the programme was closed in 1972.",
            ["Contact was lost in 1971", "The programme was closed in 1972."],
        ),
        (
            "en",
            "He resigned in 1990, moved to Paris in 1991 and died in 1993.",
            ["He resigned in 1990", "He … moved to Paris in 1991", "He … died in 1993."],
        ),
        (
            "en",
            "On 5 May 1990 the probe was opened and on 7 May 1990 closed again.",
            ["On 5 May 1990 the probe was opened", "The probe … on 7 May 1990 closed again."],
        ),
        (
            "en",
            "GM said that Opel was founded in 1862 and sold in 2017.",
            ["GM said that Opel was founded in 1862", "Opel … sold in 2017."],
        ),
        (
            "en",
            "Mars 3 landed in 1971 and fell silent at once; Viking 1 landed in 1976.",
            ["Mars 3 landed in 1971 and fell silent at once", "Viking 1 landed in 1976."],
        ),
        ("en", "The probe landed on 4 January 2004 and sent pictures.", []),
        ("en", "The capsules returned in 2020 and 2024.", []),
        ("en", "It passed Venus in 1998, the Earth in 1999 and Jupiter in 2000.", []),
        ("en", "They met (it was closed in 1990, and opened in 1991).", []),
        ("en", "“It was closed in 1990, and it was opened in 1991”, he said.", []),
        ("en", "The probe, which was built in 1990, was launched in 1993.", []),
        ("en", "It crashed in 1990 when the engine failed, and was rebuilt in 1993.", []),
        (
            "de",
            "Die Brücke wurde 1990 gebaut und 1993 zerstört.",
            ["Die Brücke wurde 1990 gebaut", "Die Brücke … 1993 zerstört."],
        ),
        ("fr", "Le pont fut construit en 1990 et détruit en 1993.", []),
        ("xx", "Le pont fut construit en 1990 et détruit en 1993.", []),
    ],
)
def test_each_date_stands_with_its_own_words_in_its_clause(language: str, sentence: str, clauses: list[str]) -> None:
    assert clause_texts(sentence, language) == (clauses or [sentence])


def test_in_news_what_has_no_date_of_its_own_is_told_apart_too() -> None:
    sentence = "A gunman shot nine people and was killed by the police."
    assert clause_texts(sentence, in_news=True) == ["A gunman shot nine people", "A gunman … was killed by the police."]
    assert clause_texts(sentence) == [sentence]
    subordinate = "The port was closed, and because it was damaged they left."
    assert clause_texts(subordinate, in_news=True) == [subordinate]
