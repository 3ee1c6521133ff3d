"""German sentences of a language model: where they end, and which say nothing of their own."""

from collections.abc import Iterable

import pytest

from libs.contracts.answers import Verdict
from libs.contracts.evidence import Evidence, Passage, Reference
from libs.contracts.stages.answer import WriteRequest
from libs.language.topics.questions import QuestionForms
from services.answer.lexicon.words import stems_of
from services.answer.writing.checks.checking import SentenceChecks, unsupported_words
from services.answer.writing.checks.dependent_sentences import depends_on_next
from services.answer.writing.pieces import SentenceEnds
from services.answer.writing.text_reader import TextReader


def stems_in(texts: Iterable[str], language: str) -> frozenset[str]:
    return frozenset(stem for text in texts for stem in stems_of(text, language))


QUESTION = stems_in(["Wann wurde der Hafen eröffnet?"], "de")
SOURCE = stems_in(["Der Hafen wurde eröffnet, nachdem die Kaimauern fertig waren."], "de")


def test_a_day_of_a_month_ends_no_sentence() -> None:
    reader = TextReader("de")
    signs = [*reader.read("Am 3. Oktober 1931 wurde sie eröffnet. Sie ist gelb."), *reader.finish()]
    sentences = [sign.text for sign in signs if isinstance(sign, SentenceEnds)]
    assert sentences == ["Am 3. Oktober 1931 wurde sie eröffnet.", "Sie ist gelb."]


@pytest.mark.parametrize(
    "question", ["Ist der Hafen gesperrt?", "Und darf man dort baden?", "Weißt du, ob er offen ist?"]
)
def test_a_question_that_begins_with_its_verb_is_answered_by_yes_or_no(question: str) -> None:
    assert QuestionForms.of("de").yes_no.match(question)


@pytest.mark.parametrize("question", ["Was ist ein Hafen?", "Wann ist er offen?", "Der Hafen ist offen."])
def test_any_other_is_not(question: str) -> None:
    assert not QuestionForms.of("de").yes_no.match(question)


def test_a_short_answer_leans_on_the_next_sentence() -> None:
    assert depends_on_next("Ja, der Hafen.", QUESTION, "de")
    assert not depends_on_next("Ja, am 3. Mai.", QUESTION, "de")


def test_a_word_that_no_passage_has_is_reported() -> None:
    assert unsupported_words("Der Hafen ist versunken.", QUESTION, [SOURCE], "de") == ("versunk",)
    assert unsupported_words("Die Kaimauer war fertig.", QUESTION, [SOURCE], "de") == ()


HARBOUR = "Der Hafen von Rabenau wurde am 3. Mai 1931 eröffnet. Die Fähre fährt montags bis freitags."


@pytest.mark.parametrize(
    ("sentence", "verdict"),
    [
        ("Der Hafen von Rabenau wurde am 3. Mai 1931 eröffnet.", Verdict.VERIFIED),
        ("Die Fähre fährt von Montag bis Freitag.", Verdict.VERIFIED),
        ("Der Hafen wurde am 4. Mai 1931 eröffnet.", Verdict.WITHDRAWN),
        ("Der Hafen von Rabenau wurde eröffnet.", Verdict.WITHDRAWN),
        ("Der Hafen ist längst versunken.", Verdict.WITHDRAWN),
    ],
)
def test_a_sentence_is_kept_if_it_is_borne_out_and_says_something(sentence: str, verdict: Verdict) -> None:
    passage = Passage("p", "d", HARBOUR, title="Rabenau", language="de")
    references = (Reference(1, Evidence(passage)),)
    checks = SentenceChecks(WriteRequest("Wann wurde der Hafen von Rabenau eröffnet?", None, references), references)
    assert checks.judge(SentenceEnds(sentence, (1,)), 1).verdict is verdict


PASSAGES = ["The harbour of Slate Bay opened on 4 April 1902 with one pier.", "Its breakwater was built of granite."]
TOLD, ASKED = stems_in(PASSAGES, language="en"), stems_in(["When did the harbour of Slate Bay open?"], "en")


@pytest.mark.parametrize(
    ("sentence", "is_untold"),
    [
        ("The harbour of Slate Bay has sunk.", True),
        ("The pier collapsed.", True),
        ("Ghosts haunt the harbour.", True),
        ("The harbour opened with one pier.", False),
        ("The breakwater is of granite.", False),
        ("It was constructed of granite.", False),
        ("The harbour of Slate Bay was inaugurated on 4 April 1902.", False),
        ("The harbour of Slate Bay opened.", False),
        ("", False),
    ],
)
def test_words_that_no_passage_has_are_unsupported(sentence: str, is_untold: bool) -> None:
    assert bool(unsupported_words(sentence, ASKED, [TOLD], language="en")) is is_untold
