import pytest

from services.intent.by_model.translation import is_foreign_to, is_repeated, target_of, translation_fault


@pytest.mark.parametrize(
    ("question", "translation"),
    [
        ("¿Cuándo aterrizó el Apolo 11 en la Luna?", "When did Apollo 11 land on the Moon?"),
        ("¿Qué hizo Alemania en julio de 1939?", "What did Germany do in July 1939?"),
        ("¿Cómo afectó la Segunda Guerra Mundial a Estados Unidos?", "How did World War II affect the United States?"),
        ("¿Qué descubrió la Agencia Espacial Europea en Marte?", "What did the European Space Agency find on Mars?"),
        ("¿Cuánta gente vive en el Reino Unido?", "How many people live in the United Kingdom?"),
        ("Wann war die Landung von Apollo 11 auf dem Mond?", "When was the landing of Apollo 11 on the Moon?"),
        ("Quelle est la politique de l’OTAN ?", "What is the policy of NATO?"),
        ("Wie viele Einwohner hat Wien, 1.900.000?", "How many inhabitants does Vienna have, 1,900,000?"),
        ("Когда приземлился Аполлон-11?", "When did Apollo 11 land?"),
    ],
)
def test_a_translation_keeps_names_and_numbers_in_its_own_languages_words(question: str, translation: str) -> None:
    assert translation_fault(question, translation, "en") is None


@pytest.mark.parametrize(
    ("translation", "complaint"),
    [
        ("", "must be translated"),
        ("¿Qué dijo Neil Armstrong en 1969 sobre la Luna?", "must be in the language en"),
        ("What did Neil Armstrong say about the Moon?", "must have the numbers"),
        ("What did Neil Armstrong say in 1996 about the Moon?", "must have the numbers"),
        ("What did Buzz Aldrin say in 1969 about the Moon?", "Aldrin, Armstrong, Buzz, Neil"),
        ("What did he say in 1969 about the Moon?", "Armstrong, Neil"),
        ("What did Neil Armstrong say to Nixon in 1969 about the Moon?", "Nixon"),
        ("What did Neil Armstrong say in 1969?\nHe said a lot.", "nothing else"),
        ("What did Neil Armstrong say in 1969 about the Moon? " + "He said very much. " * 30, "nothing else"),
    ],
)
def test_what_is_no_translation_is_refused_and_it_is_said_why(translation: str, complaint: str) -> None:
    fault = translation_fault("¿Qué dijo Neil Armstrong en 1969 sobre la Luna?", translation, "en")
    assert fault is not None
    assert complaint in fault


def test_only_a_question_in_another_language_is_translated() -> None:
    assert is_foreign_to(["en"], "¿Cuándo aterrizó?", "")
    assert not is_foreign_to(["en"], "When did it land?", "es")
    assert is_foreign_to(["es"], "When did it land?", "")
    assert is_foreign_to(["en"], "Mikor szállt le", "hu"), "its words leave it open"
    assert not is_foreign_to(["en"], "Apollo 11 landing", "en")


@pytest.mark.parametrize(
    ("languages", "is_translated", "target"),
    [
        (["de"], False, "de"),
        (["en"], True, "en"),
        (["en", "de"], False, "de"),
        (["en", "fr"], True, "en"),
        (["fr", "en"], True, "fr"),
        ([], False, "de"),
    ],
)
def test_a_german_question_is_translated_only_where_the_collection_has_no_german(
    languages: list[str], is_translated: bool, target: str
) -> None:
    question = "Wann landete Apollo 11 auf dem Mond?"
    assert is_foreign_to(languages, question, "") is is_translated
    assert target_of(question, languages) == target


def test_the_question_again_in_other_words_is_no_translation() -> None:
    assert is_repeated("Apollo 11 landing date", "date of the Apollo 11 landing")
    assert not is_repeated("¿Cuándo aterrizó el Apolo 11?", "When did Apollo 11 land?")
