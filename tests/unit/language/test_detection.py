"""Which language a text is in: questions of a few words as well as pages."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libs.language.detection import LONGEST, detect_language


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("How many sessions may stand open?", "en"),
        ("HOW MANY DAYS OF LEAVE?", "en"),
        ("Wie viele Tage Urlaub habe ich?", "de"),
        ("Combien de jours de congé ?", "fr"),
        ("¿Cuántos días de vacaciones tengo?", "es"),
        ("Quanti giorni di ferie ho?", "it"),
        ("Hoeveel vakantiedagen heb ik?", "nl"),
        ("Quantos dias de férias tenho?", "pt"),
        ("Hur många dagar har jag?", "sv"),
        ("Hvornår landede sonden?", "da"),
        ("Kiedy wylądowała sonda?", "pl"),
        ("Sonda ne zaman indi?", "tr"),
        ("Milyen magas torony épült?", "hu"),
        ("请假需要几天？", "zh"),
        ("休暇は何日ですか", "ja"),
        ("휴가는 며칠인가요", "ko"),
        ("Сколько дней отпуска?", "ru"),
        ("Скільки днів відпустки?", "uk"),
        ("Πόσες μέρες άδεια;", "el"),
        ("كم يوما", "ar"),
        ("กี่วัน", "th"),
    ],
)
def test_a_question_tells_its_language_by_its_words_or_its_script(text: str, language: str) -> None:
    assert detect_language(text) == language


def test_a_foreign_name_does_not_tell_the_language() -> None:
    assert detect_language("What does the name 東京 mean in English?") == "en"
    assert detect_language("如何安装 Python？") == "zh"
    assert detect_language("Who painted the Красный mural?") == "en"
    assert detect_language("When was the Château de Versailles built?") == "en"


@pytest.mark.parametrize("text", ["", "   ", "4711 0815", "…!?", "= 3 * (7 + 1)"])
def test_what_has_no_letters_has_no_language(text: str) -> None:
    assert detect_language(text) is None


def test_only_the_beginning_of_a_long_text_is_read() -> None:
    german = "Die Sonde landete weich auf dem Mond und schickte Bilder nach Hause. " * (LONGEST // 60)
    assert detect_language(german + "The probe landed softly on the Moon. " * 1000) == "de"


def test_a_page_has_the_language_of_most_of_its_words_wherever_they_stand() -> None:
    title = "The probe landed softly on the Moon and sent pictures home. "
    german = "Die Sonde landete weich auf dem Mond und schickte Bilder nach Hause. " * 12
    assert detect_language(title * 3 + german) == detect_language(german + title * 3) == "de"


@given(st.text(max_size=200))
def test_any_text_has_a_language_code_or_none(text: str) -> None:
    language = detect_language(text)
    assert language is None or (language.isalpha() and 2 <= len(language) <= 3)
