"""German sentences: abbreviations with spaces, ordinals with a full stop, capitalised nouns after both."""

import pytest

from libs.text.sentences import split_sentences


def sentences(text: str) -> list[str]:
    return [sentence.text for sentence in split_sentences(text, "de")]


@pytest.mark.parametrize(
    "text",
    [
        "Dr. Meier traf Prof. Schulz.",
        "Kleine Körper, z. B. Monde, d. h. Trabanten, folgen.",
        "Kleine Körper, z.B. Monde, folgen.",
        "Siehe § 5 Abs. 2 Nr. 3 und Abb. 4 auf S. 12.",
        "Am 20. Juli 1969 landete die Fähre.",
        "Im 19. Jahrhundert wuchs die Stadt bzw. Gemeinde.",
        "Ludwig XIV. Frankreichs König war er.",
        "Der Bau kostete ca. 3,5 Mio. Euro.",
        "Das gilt i. d. R. Montags nicht.",
        "Caesar starb 44 v. Chr. Roms Senat tagte.",
    ],
)
def test_short_forms_and_ordinals_end_nothing(text: str) -> None:
    assert sentences(text) == [text]


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("Es begann 1969. Die Crew schlief.", "Es begann 1969."),
        ("Er wurde nur 3. Danach hörte er auf.", "Er wurde nur 3."),
        ("Caesar starb 44 v. Chr. Das war im März.", "Caesar starb 44 v. Chr."),
        ("Es kam Plan B. Er gelang.", "Es kam Plan B."),
        ("Nüsse, Obst usw. Das alles wurde verkauft.", "Nüsse, Obst usw."),
    ],
)
def test_a_sentence_may_end_after_them(text: str, first: str) -> None:
    assert sentences(text)[0] == first
    assert len(sentences(text)) == 2


def test_without_words_of_the_language_stops_before_capitals_end_sentences() -> None:
    assert [s.text for s in split_sentences("Kaksi kuuta. Ne kiertävät.", "xx")] == ["Kaksi kuuta.", "Ne kiertävät."]
