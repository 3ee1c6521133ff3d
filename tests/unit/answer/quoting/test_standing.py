"""How far a sentence stands by itself."""

import pytest

from services.answer.quoting.standing import features, standing, words_of


@pytest.mark.parametrize(
    ("language", "leaning", "opening"),
    [
        ("en", "However, it grinds barley.", "A mill is a machine that grinds barley."),
        ("de", "Trotzdem mahlt sie Gerste.", "Eine Mühle ist eine Maschine, die Gerste mahlt."),
        ("fr", "Cependant, il moud l'orge.", "Un moulin est une machine qui moud l'orge."),
        ("es", "Sin embargo, muele cebada.", "Un molino es una máquina que muele cebada."),
        ("zh", "但是，它磨大麦。", "磨坊是一种磨大麦的机器。"),
    ],
)
def test_a_sentence_that_leans_on_another_stands_less_than_one_that_opens(
    language: str, leaning: str, opening: str
) -> None:
    assert standing(leaning, language) < min(0, standing(opening, language))


def test_without_weights_of_a_language_all_sentences_stand() -> None:
    assert standing("However, it grinds barley.", "xx") == 0


def test_of_a_sentence_its_beginnings_the_next_words_and_its_length_are_weighed() -> None:
    assert set(features(words_of("It’s a Mill."))) == {"it's", "it's a", "it's a mill", "~a", "~mill", "#3"}


def test_each_chinese_character_is_a_word() -> None:
    assert list(features(words_of("磨坊。"))) == ["磨", "磨 坊", "#2"]
