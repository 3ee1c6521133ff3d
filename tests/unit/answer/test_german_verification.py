"""German sentences are checked by German numbers, dates, names, negators and opposites."""

import pytest

from libs.contracts.answers import Verdict
from libs.contracts.evidence import Passage
from services.answer.lexicon.related_words import has_equivalent
from services.answer.lexicon.words import stems_of
from services.answer.verification.verify import Checker
from services.answer.verification.windows import WindowSource

BRIDGE = """
Die Brücke wurde von Karl Lindner entworfen und ist 412 Meter lang. Im Mai 1931 öffnete sie für den Verkehr. Sie wiegt
rund 8.300 Tonnen und ruht auf drei Pfeilern. Lindner hat die Eröffnung nicht mehr erlebt. Das Hochwasser von 1954
überstand sie unbeschädigt. Die Pfeiler bestehen aus Granit. Anna Weber strich sie als erste Frau. Die Arbeiten dauerten
Monate. Am 3. August fährt der letzte Zug nach Norden.
"""
TRUE = (
    "Karl Lindner hat die Brücke entworfen.",
    "Die Brücke ist 412 m lang.",
    "Sie wiegt ungefähr 8300 Tonnen.",
    "Die Brücke ruht auf 3 Pfeilern.",
    "Im Mai 1931 wurde sie für den Verkehr geöffnet.",
    "Lindner erlebte die Eröffnung nicht.",
    "Sie hat das Hochwasser von 1954 überstanden.",
    "Am 3. August fährt der letzte Zug.",
    "Im August fährt der letzte Zug nach Norden.",
    "Die Pfeiler sind aus Granit.",
)
FALSE = {
    "Otto Brandt hat die Brücke entworfen.": "doesn't name “Otto Brandt”",
    "Die Brücke ist 421 Meter lang.": "doesn't say “421 Meter”",
    "Die Brücke ist 412 Kilometer lang.": "doesn't say “412 Kilometer”",
    "Sie wiegt rund 8,3 Tonnen.": "doesn't say “8,3 Tonnen”",
    "Die Brücke ruht auf vierundzwanzig Pfeilern.": "doesn't say “vierundzwanzig”",
    "Im März 1931 öffnete sie für den Verkehr.": "doesn't give the date “März 1931”",
    "Am 4. August fährt der letzte Zug nach Norden.": "doesn't say “4”",
    "Im Juli fährt der letzte Zug nach Norden.": "another thing than “juli”",
    "Lindner hat die Eröffnung erlebt.": "The source denies this",
    "Karl Lindner hat die Brücke nicht entworfen.": "doesn't deny this",
    "Das Hochwasser von 1954 überstand sie beschädigt.": "another thing than “beschädigt”",
    "Die Pfeiler bestehen aus Basalt.": "another thing than “basalt”",
    "Anna Weber strich sie als letzte Frau.": "another thing than “letzte”",
    "Die Arbeiten dauerten viele Wochen.": "another thing than “wochen”",
    "Am 3. August fährt der letzte Zug nach Süden.": "another thing than “süden”",
}


def _checker(text: str, language: str) -> Checker:
    return Checker([WindowSource(Passage("passage", "document", text, title="Brücken", language=language))])


@pytest.mark.parametrize("sentence", TRUE)
def test_a_true_german_sentence_is_verified(sentence: str) -> None:
    assert _checker(BRIDGE, "de").check(sentence).verdict is Verdict.VERIFIED


@pytest.mark.parametrize(("sentence", "reason"), FALSE.items())
def test_a_false_german_sentence_is_withdrawn_for_its_error(sentence: str, reason: str) -> None:
    citation = _checker(BRIDGE, "de").check(sentence)

    assert citation.verdict is Verdict.WITHDRAWN
    assert reason in citation.reason


def test_the_language_of_a_passage_without_one_is_detected() -> None:
    assert _checker(BRIDGE, "").check("Lindner hat die Eröffnung erlebt.").verdict is Verdict.WITHDRAWN


@pytest.mark.parametrize(
    ("form", "base"), [("gelandet", "landen"), ("flog", "fliegen"), ("Museen", "Museum"), ("überstanden", "überstehen")]
)
def test_forms_of_a_german_word_have_one_stem(form: str, base: str) -> None:
    assert stems_of(form, "de") == stems_of(base, "de")


def test_word_lists_are_those_of_the_language() -> None:
    (bericht,), (melden,) = (stems_of(word, "de") for word in ("berichten", "melden"))

    assert has_equivalent(bericht, frozenset({melden}), "de")
    assert not has_equivalent(bericht, frozenset({melden}), "en")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("Most zbudowano w 1931 roku. Ma 412 metrów długości.", "Most ma 412 metrów długości."),
        ("Silta rakennettiin vuonna 1931.", "Silta rakennettiin vuonna 1931 valmiiksi."),
    ],
)
def test_a_language_without_rules_withdraws_nothing_that_the_passage_says(text: str, sentence: str) -> None:
    for language in ("pl", "fi", "xx"):
        assert _checker(text, language).check(sentence).verdict is Verdict.VERIFIED
