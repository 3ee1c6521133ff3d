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
    assert set(features(words_of("It’s a Mill."), "en")) == {"it's", "it's a", "it's a mill", "~a", "~mill", "#3"}


def test_of_words_next_to_one_that_is_named_before_that_is_weighed_too() -> None:
    weighed = features(words_of("The red mills grind."), "en", frozenset({"mill"}))
    assert {each for each in weighed if each[0] == "+"} == {"+the", "+red"}


@pytest.mark.parametrize("sentence", ["The mill grinds barley.", "The new mill grinds barley.", "These mills are old."])
def test_a_sentence_about_what_is_named_before_it_stands_less(sentence: str) -> None:
    assert standing(sentence, "en", frozenset({"mill"})) < standing(sentence, "en")


def test_each_chinese_character_is_a_word() -> None:
    assert list(features(words_of("磨坊。"), "zh")) == ["磨", "磨 坊", "#2"]
