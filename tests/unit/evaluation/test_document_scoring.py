"""Answers over documents are scored by the facts that they and the first hits hold."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.documents.runs import QuestionRun
from evaluation.documents.scoring import (
    HoldingPoint,
    Means,
    QuestionScore,
    count_words,
    holding_curve,
    left_out_curve,
    mean,
    normal_form,
    score_question,
    share_of_facts,
)
from tests.unit.evaluation.document_questions import question

TIMES = question("q", (r"\b8 am\b", "eight o'clock"), (r"\b6 pm\b",))
UNANSWERABLE = question("u", kind="unanswerable")


def answered(text: str, *passages: str, **fields: float) -> QuestionRun:
    return QuestionRun("q", text, passages=passages, **fields)  # type: ignore[arg-type]


def test_an_answer_is_complete_if_it_contains_one_expression_of_each_fact() -> None:
    whole, half, none = (
        score_question(TIMES, answered(text))
        for text in ("From **eight o’clock** until 6 PM.", "Opens at 8 am.", "See below.")
    )
    assert (whole.full, whole.facts) == (1, 1)
    assert (half.full, half.facts) == (0, 0.5)
    assert (none.full, none.facts) == (0, 0)


def test_an_answer_counts_only_where_it_was_given() -> None:
    score = score_question(TIMES, QuestionRun("q", "8 am, 6 pm", "abstained", ("8 am to 6 pm",)))
    assert (score.full, score.facts, score.answered, score.hits) == (0, 0, 0, 1)


def test_heading_paths_count_with_the_first_three_hits_and_no_further_one() -> None:
    assert score_question(TIMES, answered("", "Hours > 8 am to 6 pm\nWe open daily.")).hits == 1
    assert score_question(TIMES, answered("", "8 am", "-", "6 pm")).hits == 1
    assert score_question(TIMES, answered("", "8 am", "-", "-", "6 pm")).hits == 0


def test_the_context_is_the_best_passages_of_600_words_and_at_least_the_first_hits() -> None:
    long = "word " * 300
    assert score_question(TIMES, answered("", "8 am", "-", "-", "6 pm")).context == 1
    assert score_question(TIMES, answered("", "8 am", long, long, "6 pm")).context == 0
    assert score_question(TIMES, answered("", long, long + "8 am", "6 pm")).context == 1


def test_a_question_that_the_run_lacks_is_held_back_with_nothing_found() -> None:
    score = score_question(TIMES, None)
    assert (score.full, score.answered, score.hits, score.words) == (0, 0, 0, 0)
    assert score_question(UNANSWERABLE, None).held == 1


@pytest.mark.parametrize(("outcome", "expected"), [("abstained", 1), ("asked", 1), ("answered", 0), ("rejected", 0)])
def test_what_cannot_be_answered_is_held_by_abstaining_or_asking_back(outcome: str, expected: float) -> None:
    score = score_question(UNANSWERABLE, QuestionRun("u", outcome=outcome))
    assert (score.held, score.full, score.answered) == (expected, None, None)


def test_thanks_are_met_without_passages_and_without_abstaining() -> None:
    thanks = question("t", kind="chit-chat")
    assert score_question(thanks, QuestionRun("t", "You're welcome.")).chat == 1
    assert score_question(thanks, QuestionRun("t", "…", passages=("Hours",))).chat == 0
    assert score_question(thanks, QuestionRun("t", outcome="abstained")).chat == 0


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", 0),
        ("From 8 am", 3),
        ("办公时间是早上八点到晚上六点", 9),  # 14 characters
        ("使用 Python 3", 4),  # 2 characters are 2 words, as any beginning of one counts
        ("東京タワー", 3),
    ],
)
def test_1_7_chinese_or_japanese_characters_are_a_word(text: str, words: int) -> None:
    assert count_words(text) == words


def test_texts_are_compared_without_marks_and_in_plain_signs() -> None:
    assert normal_form("*Don’t*  use\n`v1`\u200b—“ever”…") == 'Don\'t use v1-"ever"...'


@given(st.lists(st.sampled_from(["8 am", "6 pm", "noon"]), max_size=5))
def test_more_text_never_holds_less(pieces: list[str]) -> None:
    shares = [share_of_facts(TIMES, " ".join(pieces[:count])) for count in range(len(pieces) + 1)]
    assert shares == sorted(shares)


def test_means_are_over_the_questions_that_a_figure_applies_to() -> None:
    scores = [
        score_question(TIMES, answered("8 am until 6 pm")),
        score_question(TIMES, QuestionRun("q", "I cannot say that", "abstained")),
        score_question(UNANSWERABLE, QuestionRun("u", "…", "abstained")),
    ]
    figures = Means.of(scores).figures
    assert (figures["full"], figures["answered"], figures["held"], figures["chat"]) == (0.5, 0.5, 1, None)
    assert figures["words"] == 5  # of the answer that was given, not of what was said instead of one
    assert mean([None, None]) is None


def test_the_95th_percentile_is_a_length_that_19_of_20_answers_keep_to() -> None:
    scores = [score_question(TIMES, answered("word " * length)) for length in range(1, 21)]
    assert Means.of(scores).figures["p95"] == 19
    assert Means.of([]).figures["p95"] is None


def _doubted(doubt: float, *, answerable: bool, outcome: str = "answered", corpus: str = "a") -> QuestionScore:
    of = replace(TIMES if answerable else UNANSWERABLE, corpus=corpus)
    return score_question(of, QuestionRun(of.id, outcome=outcome, abstain_score=doubt))


def test_the_curve_shows_how_much_can_be_held_for_a_given_loss() -> None:
    scores = [_doubted(doubt, answerable=True) for doubt in (0.1, 0.2, 0.3, 0.6)]
    scores += [_doubted(doubt, answerable=False) for doubt in (0.2, 0.5, 0.9)]
    assert holding_curve(scores, (0, 0.25)) == [HoldingPoint(0, 1 / 3), HoldingPoint(0.25, 2 / 3)]


def test_what_was_asked_back_is_held_at_any_threshold() -> None:
    scores = [_doubted(0.1, answerable=True), _doubted(0.0, answerable=False, outcome="asked")]
    assert holding_curve(scores, (0,)) == [HoldingPoint(0, 1)]


def test_without_questions_of_both_sorts_there_is_no_curve() -> None:
    assert holding_curve([_doubted(0.1, answerable=True)], (0.1,)) == []


def test_a_corpus_is_judged_by_a_threshold_that_was_set_on_the_others() -> None:
    scores = [_doubted(doubt, answerable=True, corpus="a") for doubt in (0.1, 0.2)]
    scores += [_doubted(doubt, answerable=True, corpus="b") for doubt in (0.1, 0.6)]
    scores += [_doubted(0.5, answerable=False, corpus="a"), _doubted(0.5, answerable=False, corpus="b")]
    assert holding_curve(scores, (0,)) == [HoldingPoint(0, 0)]
    assert left_out_curve(scores, (0,)) == [HoldingPoint(0.25, 0.5)]


def test_of_one_corpus_none_can_be_left_out() -> None:
    scores = [_doubted(0.1, answerable=True), _doubted(0.5, answerable=False)]
    assert left_out_curve(scores, (0,)) == []
