"""Checking sentences against passages."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.labelled import DATA, read_lines
from bench.sample_search import sample_index
from libs.contracts.answers import Citation, Verdict
from libs.contracts.evidence import Passage
from libs.contracts.stages.answer import VerifyRequest
from libs.text.sentences import split_sentences
from services.answer.verification import verify as verify_module
from services.answer.verification.verify import Checker, verify
from services.answer.verification.windows import WindowSource
from tests.unit.answer.evidence_making import passage

TEXT = (
    "Mariner 9 reached Mars on 14 November 1971. It returned 7,329 pictures. The probe carried no lander. "
    "Michael Collins stayed in orbit."
)
MARINER = passage(TEXT, "mariner-9", "Mariner 9")


def check(sentence: str, *passages: Passage) -> Citation:
    return Checker([WindowSource(p) for p in passages or (MARINER,)]).check(sentence)


def test_a_quote_is_verified_with_its_span() -> None:
    citation = check("It returned 7,329 pictures.")
    assert (citation.verdict, citation.score) == (Verdict.VERIFIED, 1.0)
    assert citation.references[0].span.of(TEXT) == "It returned 7,329 pictures."


@pytest.mark.parametrize(
    ("sentence", "quote"),
    [
        ("It returned (as planned) 7,329 pictures.", "It returned ( as planned ) 7,329 pictures ."),
        ("On 1 May, it set out.", "On 1 May , it\nset out ."),
    ],
)
def test_a_quote_stands_whatever_spaces_its_source_has_round_its_marks(sentence: str, quote: str) -> None:
    citation = check(sentence, passage(f"All went well . {quote} Then it rained .", "kept", "Kept"))
    assert (citation.verdict, citation.score) == (Verdict.VERIFIED, 1.0)
    assert citation.references[0].quote == quote


def test_a_letter_that_is_two_in_small_letters_moves_no_name() -> None:
    citation = check("The chapel was built by Ann Bo in Rome.", passage("İİİİİİ oturan Bo", "mosque", "Mosque"))
    assert citation.verdict is Verdict.WITHDRAWN


def test_a_paraphrase_is_verified_by_the_nearest_words() -> None:
    citation = check("In November 1971 Mariner 9 came to Mars.")
    assert citation.verdict is Verdict.VERIFIED
    assert citation.references[0].quote.startswith("Mariner 9 reached Mars")


@pytest.mark.parametrize(
    ("sentence", "reason"),
    [
        ("Mariner 9 returned 7,239 pictures.", "7,239"),
        ("Mariner 9 reached Mars in 1973.", "1973"),
        ("Mariner 10 reached Mars on 14 November 1971.", "Mariner 10"),
        ("Mariner 9 reached Venus on 14 November 1971.", "Venus"),
        ("Mariner 9 did not reach Mars on 14 November 1971.", "deny"),
        ("The probe carried a lander.", "denies"),
        ("Buzz Aldrin stayed in orbit.", "Buzz Aldrin"),
    ],
)
def test_what_the_source_does_not_bear_out_is_withdrawn_and_named(sentence: str, reason: str) -> None:
    citation = check(sentence)
    assert citation.verdict is Verdict.WITHDRAWN
    assert reason in citation.reason


def test_a_sentence_about_something_else_is_withdrawn() -> None:
    citation = check("Sourdough needs flour, water and patience.")
    assert (citation.verdict, citation.reason) == (Verdict.WITHDRAWN, "No passage says anything like it.")


def test_partly_other_words_without_contradiction_are_weak() -> None:
    assert (
        check("Mariner 9 returned 7,329 splendid detailed photographs home safely, cheaply, proudly.").verdict
        is Verdict.WEAK
    )


def test_the_best_passage_of_all_bears_it_out() -> None:
    other = passage("Hope has a mass of about 1,350 kilograms.", "hope", "Hope")
    assert check("Hope weighs about 1,350 kg.", MARINER, other).references[0].passage_id == other.passage_id


def test_verify_gives_a_verdict_a_sentence_and_passes_over_markers() -> None:
    citations = verify(VerifyRequest(("It returned 7,329 pictures.[1]", "It returned 12 pictures."), (MARINER,)))
    assert [(citation.sentence, citation.verdict) for citation in citations] == [
        (1, Verdict.VERIFIED),
        (2, Verdict.WITHDRAWN),
    ]
    assert [citation.references[0].number for citation in citations] == [0, 0]


def passages_of(document: str) -> list[WindowSource]:
    return [WindowSource(p) for p in sample_index().passages if p.document_id == document]


@pytest.mark.parametrize(
    "row", list(read_lines(DATA / "verification" / "true_sentences_short.jsonl")), ids=lambda row: row["sentence"]
)
def test_a_true_paraphrase_of_a_sample_stands(row: dict[str, str]) -> None:
    assert Checker(passages_of(row["source"])).check(row["sentence"]).verdict is not Verdict.WITHDRAWN


def test_every_sentence_of_a_sample_is_verified_by_its_own_document() -> None:
    sources = passages_of("cassini")
    checker = Checker(sources)
    for source in sources:
        for sentence in split_sentences(source.passage.text, language="en"):
            if not sentence.heading:
                assert checker.check(sentence.text).verdict is Verdict.VERIFIED


@given(st.text(min_size=1, max_size=200))
def test_whatever_is_checked_gets_a_verdict_with_a_score(sentence: str) -> None:
    assert 0 <= check(sentence).score <= 1


@pytest.mark.parametrize("piece", ["1 2,000 ", "not no ", "On May ", "Aa Bb ", "[1]["])
def test_a_passage_that_is_no_prose_is_compared_within_bounds(piece: str) -> None:
    assert check("Mariner 9 returned 7,329 pictures.", passage(piece * 8000)).verdict is Verdict.WITHDRAWN


SURVEY = passage(
    "The first camera failed in May before the storm. The last camera, installed by Ann Reed, worked for two months. "
    "The probe took six panels and four lamps along. More than 300 people watched.",
    "survey",
    "The survey",
)


@pytest.mark.parametrize(
    ("true", "false"),
    [
        ("The first camera failed in May before the storm.", "The last camera failed in May before the storm."),
        ("The first camera failed before the storm.", "The first camera failed after the storm."),
        ("More than 300 people were watching.", "Less than 300 people were watching."),
        ("Ann Reed installed the last camera.", "Bob Reed installed the last camera."),
    ],
)
def test_a_word_that_stands_in_another_ones_place_is_seen(true: str, false: str) -> None:
    assert check(true, SURVEY).verdict is Verdict.VERIFIED
    assert check(false, SURVEY).verdict is Verdict.WITHDRAWN


def test_sentences_beyond_the_most_work_are_weak_and_say_so(monkeypatch: pytest.MonkeyPatch) -> None:
    sentence = "It returned 7,329 pictures."
    monkeypatch.setattr(verify_module, "MAX_WORK", len(sentence) * (1 + len(MARINER.text)))
    first, second = verify(VerifyRequest((sentence, sentence), (MARINER,)))
    assert first.verdict is Verdict.VERIFIED
    assert (second.verdict, second.references, second.reason) == (
        Verdict.WEAK,
        (),
        "There is too much to compare it with.",
    )
