"""The fit of follow-ups' order: right passages come to the front, weights stay small; it is skipped without data."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from bench.fit import rank
from bench.fit.conversations import NEVER, AskedTurn, shortened
from bench.fit.softmax import Case, fit_corrections
from evaluation.documents.questions import DocumentQuestion
from evaluation.files import reader_of
from libs.contracts.evidence import Passage
from services.retrieve.search.follow_ups import FEATURES, Pool

QUESTION = reader_of(DocumentQuestion)(
    {
        "id": "tower-1",
        "corpus": "towers",
        "conversation": "tower",
        "turn": 2,
        "question": "and how high?",
        "standalone": "How high is the tower?",
        "kind": "number",
        "answerable": True,
        "facts": [["93 m"]],
    }
)


def case(helps: float, weight: float = 1.0) -> Case:
    """Two passages of equal score; the right one has the first feature, the second feature tells nothing."""
    features = np.array([[helps, 0.5], [0.0, 0.5], [0.0, 0.0]])
    return Case(features, np.array([0.5, 0.5, 0.4]), np.array([True, False, False]), weight)


def test_what_right_passages_have_is_rewarded() -> None:
    first, second = fit_corrections([case(1.0), case(0.8)], temperature=8.0, l2=1.0)
    assert first > 0.1
    assert abs(second) < first


def test_the_greater_the_penalty_the_smaller_the_weights() -> None:
    weights = [float(fit_corrections([case(1.0)], 8.0, l2)[0]) for l2 in (1.0, 10.0, 100.0)]
    assert weights == sorted(weights, reverse=True)
    assert weights[-1] > 0


def test_a_case_of_half_weight_counts_half() -> None:
    twice = fit_corrections([case(1.0, 0.5), case(1.0, 0.5)], 8.0, 1.0)
    assert twice == pytest.approx(fit_corrections([case(1.0)], 8.0, 1.0))


@pytest.mark.parametrize(
    ("text", "frequencies", "texts"),
    [
        ("and the clock of it?", {"clock": 3, "it": 9}, ["and the of it?", "and the clock of ?"]),
        ("the clock?", {"clock": 3}, []),
        ("what for?", {}, []),
    ],
)
def test_a_turn_is_shortened_by_each_of_its_two_rarest_words(
    text: str, frequencies: dict[str, int], texts: list[str]
) -> None:
    assert list(shortened(text, lambda word: frequencies.get(word, NEVER))) == texts


def asked(texts: Sequence[str], *, is_shortened: bool = False) -> AskedTurn:
    count = len(texts)
    pool = Pool(np.arange(count), np.arange(count), np.linspace(1, 0, count), np.eye(count, len(FEATURES)))
    passages = tuple(Passage(f"p{number}", "d", text) for number, text in enumerate(texts))
    return AskedTurn(QUESTION, is_shortened, passages, pool, passages)


def test_the_order_learns_from_turns_of_which_one_passage_holds_more_facts_than_another() -> None:
    weights = rank.fit([asked(["It is old.", "It is 93 m high."])]).weights
    assert weights[1] > 0 > weights[0]


def test_turns_that_tell_nothing_are_left_out() -> None:
    telling = asked(["It is old.", "It is 93 m high."])
    unanswerable = replace(telling, question=replace(QUESTION, answerable=False))
    nothing = [asked(["It is old.", "It is red."]), asked(["93 m", "It has 93 m."]), unanswerable]
    assert rank.fit([telling, *nothing]).weights == pytest.approx(rank.fit([telling]).weights)


def test_the_first_three_passages_are_judged_together() -> None:
    turns = [asked(["Old.", "Red.", "93 m"]), asked(["Old.", "Red.", "Tall.", "93 m"]), asked([], is_shortened=True)]
    assert rank.first_three(turns, ["towers"], is_shortened=False) == 0.5
    assert rank.first_three(turns, ["towers"], is_shortened=True) == 0


def test_without_the_questions_it_is_skipped(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert rank.main([str(tmp_path / "questions.jsonl")]) == 0
    assert "Skipped: there is no" in capsys.readouterr().out
