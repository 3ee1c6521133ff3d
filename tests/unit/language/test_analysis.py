"""Text becomes terms, by the language that it is in."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libs.language.analysis import MAX_TERM, fold_word, stem_of, terms_of, without_little_words


@pytest.mark.parametrize(
    ("one", "other", "language"),
    [
        ("The landers were landing", "lander landed", "en"),
        ("Häuser", "Haus", "de"),
        ("les chevaux", "cheval", "fr"),
        ("las canciones", "canción", "es"),
        ("городами", "город", "ru"),
        ("huizen", "huis", "nl"),
    ],
)
def test_words_of_one_stem_are_one_term(one: str, other: str, language: str) -> None:
    assert set(terms_of(other, language)) & set(terms_of(one, language))


def test_words_of_another_language_keep_their_endings() -> None:
    assert terms_of("Häuser", "en") == ["hauser"]
    assert terms_of("Häuser", "") == ["hauser"]


def test_little_words_are_no_terms_of_their_language_alone() -> None:
    assert terms_of("what is the orbit of it", "en") == ["orbit"]
    assert terms_of("die Bahn und der Mond", "de") == ["bahn", "mond"]
    assert terms_of("die", "en") == ["die"]


def test_case_and_accents_do_not_matter() -> None:
    assert terms_of("CAFÉ Zürich", "en") == terms_of("cafe ZURICH", "en")
    assert fold_word("Straße") == "strasse"
    assert fold_word("Łódź") == "lodz"
    assert fold_word("JU\u0301PITER") == fold_word("Júpiter") == "jupiter"


@pytest.mark.parametrize("compound", ["example.org", "user@host", "a/b"])
def test_what_is_written_together_is_a_term_beside_its_parts(compound: str) -> None:
    whole, *parts = terms_of(compound, "")
    assert whole == compound
    assert len(parts) == 2
    assert "".join(parts) == "".join(character for character in compound if character.isalnum())


@pytest.mark.parametrize(
    ("spellings", "parts"),
    [
        (("retry-max-delay", "retry_max_delay", "retryMaxDelay", "RetryMaxDelay"), ["retri", "max", "delay"]),
        (("E-1234", "e-1234", "E1234"), ["e", "1234"]),
        (("AX-200", "ax200", "Ax_200"), ["ax", "200"]),
    ],
)
def test_a_code_is_one_term_beside_its_parts_however_they_are_joined(spellings: list[str], parts: list[str]) -> None:
    for spelling in spellings:
        whole, *others = terms_of(spelling, "en")
        assert whole == fold_word("".join(filter(str.isalnum, spelling)))
        assert others == parts


@pytest.mark.parametrize("name", ["iPhone", "GitHub", "PostgreSQL"])
def test_a_name_with_a_capital_in_it_is_one_word(name: str) -> None:
    assert len(terms_of(name, "en")) == 1


def test_a_version_is_found_by_its_beginning() -> None:
    assert terms_of("3.11.3", "en") == ["3.11", "3.11.3"]
    assert terms_of("v3.11", "en") == ["3.11"]
    assert set(terms_of("3.11", "en")) <= set(terms_of("3.11.3", "en"))
    assert not set(terms_of("3.11", "en")) & set(terms_of("3.12.3", "en"))
    assert set(terms_of("3.11.3", "en")) <= set(terms_of("v3.11.3-rc1", "en"))


def test_a_name_with_a_number_is_found_by_both() -> None:
    assert terms_of("rfc5545", "en") == ["rfc5545", "rfc", "5545"]
    assert set(terms_of("RFC 5545", "en")) <= set(terms_of("rfc5545", "en"))
    assert terms_of("mp3", "en") == ["mp3", "mp", "3"]
    assert terms_of("3d", "en") == ["3d"]


def test_numbers_stay_as_they_are() -> None:
    assert terms_of("1984 and 2031-06-09", "en") == ["1984", "2031-06-09", "2031", "06", "09"]
    assert stem_of("1990s", "en") != "1990"


@pytest.mark.parametrize("text", ["l'avion", "l’avion", "d'avion", "qu'un avion"])
def test_elided_words_leave_the_word_behind_them(text: str) -> None:
    assert terms_of(text, "fr") == terms_of("avion", "fr")


def test_a_possessive_is_found_by_its_name() -> None:
    assert terms_of("O'Neill's", "en") == terms_of("Neill", "en")
    assert terms_of("don't", "en") == []


def test_scripts_without_spaces_become_pairs_of_characters() -> None:
    assert terms_of("长城一共", "zh") == ["长城", "城一", "一共"]
    assert terms_of("山", "zh") == ["山"]
    assert terms_of("タワー", "ja") == ["タワ", "ワー"]
    assert terms_of("iPhone用のアプリ", "ja")[0] == "iphone"


def test_little_words_part_pairs() -> None:
    assert "词是" in terms_of("分词是", "zh")
    assert not {"么城", "是什"} & set(terms_of("什么城市", "zh"))


def test_an_abbreviation_is_found_by_its_plural() -> None:
    assert terms_of("GPUs", "en") == terms_of("GPU", "en")
    assert terms_of("GPUs", "xx") == ["gpu"]


def test_little_words_of_another_language_can_be_taken_out() -> None:
    assert without_little_words("How many Tage?", ["en"]).split() == ["Tage?"]
    assert without_little_words("les jours", ["en"]) == "les jours"
    assert without_little_words("the days", []) == "the days"


def test_what_is_too_long_is_no_word() -> None:
    assert terms_of("x" * MAX_TERM, "en") == ["x" * MAX_TERM]
    assert terms_of("x" * (MAX_TERM + 1), "en") == []


@pytest.mark.parametrize("text", ["\u0483", "\u0301", "漢\u0483"])
def test_marks_without_a_letter_are_no_term(text: str) -> None:
    assert "" not in terms_of(text, "en")


LANGUAGES = st.sampled_from(["en", "de", "fr", "zh", "ja", "ru", "", "xx"])


@given(st.text(max_size=80), LANGUAGES)
def test_a_term_is_lower_case_without_spaces_and_not_too_long(text: str, language: str) -> None:
    for term in terms_of(text, language):
        assert term
        assert len(term) <= MAX_TERM
        assert not any(map(str.isspace, term))


@given(st.lists(st.text(alphabet="abcdé1.-_'漢字", max_size=8), max_size=6), LANGUAGES)
def test_terms_of_a_text_are_those_of_its_words_in_order(words: list[str], language: str) -> None:
    assert terms_of(" ".join(words), language) == [term for word in words for term in terms_of(word, language)]


@given(st.text(st.characters(max_codepoint=127)))
def test_letters_beyond_ascii_change_nothing_in_the_terms_before_them(text: str) -> None:
    assert terms_of(f"{text} 東京", "en") == [*terms_of(text, "en"), "東京"]
