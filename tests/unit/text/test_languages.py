import pytest

from services.text.fold import fold
from services.text.languages import UNKNOWN, detect_language


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("When did Apollo 11 land on the Moon?", "en"),
        ("¿Cuándo aterrizó Apolo 11 en la Luna?", "es"),
        ("Cuando aterrizo el Apolo 11?", "es"),
        ("Quand Apollo 11 s’est-il posé sur la Lune ?", "fr"),
        ("Wann landete Apollo 11?", "de"),
        ("Quando è atterrato Apollo 11?", "it"),
        ("Quando foi que a Apollo 11 pousou na Lua?", "pt"),
        ("Wanneer landde Apollo 11?", "nl"),
        ("Kiedy wylądował Apollo 11?", "pl"),
        ("Hvornår landede Apollo 11?", "da"),
        ("När landade Apollo 11?", "sv"),
        ("Apollo 11 ne zaman indi?", "tr"),
        ("Когда приземлился Аполлон-11?", "ru"),
        ("アポロ11号はいつ月に着陸しましたか", "ja"),
        ("阿波罗11号什么时候登月？", "zh"),
    ],
)
def test_a_question_is_told_by_its_little_words_or_its_script(text: str, language: str) -> None:
    assert detect_language(text) == language


@pytest.mark.parametrize("text", ["", "1969", "Apollo 11 landing", "Luna 9", "water ice", "la segunda"])
def test_a_toss_up_is_left_open(text: str) -> None:
    assert detect_language(text) is None


def test_letters_that_none_of_the_known_languages_explain_are_foreign() -> None:
    assert detect_language("Milyen magas torony épült") == UNKNOWN


def test_a_foreign_name_in_an_english_question_changes_nothing() -> None:
    assert detect_language("When was the Château de Versailles built?") == "en"
    assert detect_language("Who painted the Красный mural?") == "en"


@pytest.mark.parametrize("text", ["Júpiter", "JUPITER", "jupiter", "Ju\u0301piter"])
def test_case_and_accents_are_folded_away(text: str) -> None:
    assert fold(text) == "jupiter"
