"""Rows for fitting the tagger, their judging and the calibration; the network itself needs torch."""

import gzip
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from bench.fit.wording_calibration import Scored, fit_calibration, fit_thresholds
from bench.fit.wording_judging import judged, judged_topics
from bench.fit.wording_rows import OTHER_TOPIC, REWRITE, Row, folds, made_rows, read_rows
from services.decompose.wording.inputs import read_inputs
from services.decompose.wording.tagger import Needed, Thresholds
from tests.unit.decompose.wording.messages import message

Floats = NDArray[np.float32]
WORDS = ["red", "wine", "Spain"]
ROW = Row("set", "one", ((True, "What is throat cancer?"),), "Is it treatable?", "Is throat cancer treatable?")
OTHER = Row("set", "two", ((True, "Who was Ada?"), (False, "A countess.")), "And when?", "When did Ada live?")


def test_rows_are_read_with_the_branch_cut_off(tmp_path: Path) -> None:
    history = [{"speaker": "user", "text": "What is throat cancer?"}]
    row = {"source": "set", "conversation": "one.7", "history": history, "last_turn": ROW.turn, "rewrite": ROW.rewrite}
    (tmp_path / "rows.jsonl").write_text(json.dumps(row), encoding="utf-8")
    assert read_rows(tmp_path / "rows.jsonl") == [ROW]


def test_questions_and_what_answers_them_are_the_history_of_those_that_follow(tmp_path: Path) -> None:
    said = [
        ("What is throat cancer?", "What is throat cancer?", "fact"),
        ("Is it treatable?", "Is throat cancer treatable?", "fact"),
        ("Thank you!", "Thank you!", "chit-chat"),
    ]
    lines = [
        json.dumps(
            {"corpus": "c", "conversation": "one", "question": turn, "standalone": rewrite, "kind": kind, **more}
        )
        for (turn, rewrite, kind), more in zip(said, ({"where": {"quote": "A tumour."}}, {}, {}), strict=True)
    ]
    (tmp_path / "asked.jsonl.gz").write_bytes(gzip.compress("\n".join(lines).encode()))
    (row,) = read_rows(tmp_path / "asked.jsonl.gz", weight=0.5)
    history = (*ROW.history, (False, "A tumour."))
    assert row == replace(ROW, source="asked", group="c one", history=history, weight=0.5)


def test_gold_is_what_the_rewrite_took_from_the_history() -> None:
    assert ROW.gold == {"throat", "cancer"}
    assert OTHER.gold == {"ada"}  # "live" was never said


def test_a_conversation_is_in_one_fold_and_sources_are_dealt_out() -> None:
    rows = [Row(source, f"{source}{n}", (), "", "") for source in "ab" for n in range(10) for _ in range(3)]
    fold = folds(rows, 5, seed=1)
    assert len(fold) == 20
    for source in "ab":
        assert sorted(fold[f"{source}{n}"] for n in range(10)) == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4]


def test_made_rows_need_less_or_nothing_and_name_the_conversations_they_mix() -> None:
    made = made_rows([ROW, OTHER], lambda text: np.array([len(text), 1], np.float32), seed=1)
    whole = [row for row in made if row.kind == REWRITE]
    assert whole
    assert all(not row.gold for row in whole)
    switched = [row for row in made if row.kind == OTHER_TOPIC]
    assert {(row.group, *row.others) for row in switched} == {("one", "two"), ("two", "one")}
    assert any(row.history[0] in OTHER.history and row.history[-1] == ROW.history[0] for row in made)
    cut = [row.turn for row in made if row.group == "one" and not row.others and "cancer" not in row.turn]
    assert "Is it treatable?" in cut


def test_changes_of_topic_lead_to_conversations_like_the_one_before_them() -> None:
    """Of eighteen conversations, six each have first questions of one length."""
    rows = [Row("set", str(n), ((True, "wine " * (1 + n % 3 * 8)),), "Why?", "Why wine?") for n in range(18)]
    made = made_rows(rows, lambda text: np.eye(3, dtype=np.float32)[len(text.split()) // 8], seed=1)
    switched = [row for row in made if row.kind == OTHER_TOPIC]
    like = sum(int(row.group) % 3 == int(*row.others) % 3 for row in switched)
    assert like / len(switched) >= 2 / 3


def test_wordings_are_judged_by_the_words_they_carry() -> None:
    assert "recall 1.000 precision 1.000 F1 1.000 exact 1.000" in judged([(ROW, "Is throat cancer treatable?")])
    assert "recall 0.500 precision 1.000 F1 0.667 exact 0.000" in judged([(ROW, "Is cancer treatable?")])
    assert "changed 0.000 other topic 1.000" in judged_topics(
        [Needed({}, 0.0, 0.9, Thresholds(0.5, 0.5, 0.8))], [(ROW, ROW.turn)]
    )
    alone = Row("set", "one", ROW.history, "Is aspirin safe?", "Is aspirin safe?")
    assert "needless 1.000" in judged([(alone, "Is aspirin safe (cancer)?")])


def scored(scores: Floats, needed: Sequence[str], kind: str = "own") -> Scored:
    """A row that needs words of "red wine from Spain", with what networks say of each."""
    history = "red wine from Spain"
    row = Row("set", "one", ((True, history),), "Why?", f"Why {' '.join(needed)}?", kind=kind)
    return Scored(row, read_inputs(message("Why?"), [message(history)]), scores, float(scores.max()))


def many_scored() -> list[Scored]:
    """Rows whose words are needed with log-odds of twice their scores, less one."""
    chance = np.random.default_rng(1)
    cases = []
    for _ in range(300):
        scores = chance.normal(0, 1, 3).astype(np.float32)
        right = chance.random(3) < 1 / (1 + np.exp(1 - 2 * scores))
        cases.append(scored(scores, [word for word, is_right in zip(WORDS, right, strict=True) if is_right]))
    return cases


def test_calibration_moves_scores_to_the_share_of_right_words() -> None:
    switched = [scored(np.full(3, -3, np.float32), [], OTHER_TOPIC) for _ in range(30)]
    calibration = fit_calibration(many_scored(), switched)
    needed = scored(np.array([2, 0, -2], np.float32), []).needed(calibration)
    probabilities = list(needed.probabilities.values())
    assert probabilities[0] > 0.85
    assert probabilities[2] < 0.1
    assert 0.15 < probabilities[1] < 0.4
    assert needed.need > 0.9
    assert not needed.leaves_topic
    off_topic = switched[0].needed(calibration)
    assert off_topic.need < 0.2
    assert off_topic.leaves_topic


def test_thresholds_keep_from_turns_what_they_do_not_need() -> None:
    """Of the words, half of those with a probability of 0.3 are wrong, where nothing is needed."""
    unsure = Thresholds(0, 0, 1)
    rows = [scored(np.zeros(3, np.float32), WORDS[:1]).row] * 30 + [scored(np.zeros(3, np.float32), []).row] * 30
    needs = [Needed({"red": 0.9}, 0.9, 0.1, unsure)] * 30 + [Needed({"red": 0.3}, 0.4, 0.1, unsure)] * 30
    need, word, other_topic = fit_thresholds(rows, needs)[0]
    assert need > 0.4 or word >= 0.3
    assert other_topic == pytest.approx(0.1)


def test_changes_of_topic_raise_the_thresholds_where_they_would_take_a_word() -> None:
    """A change of topic costs more than words that a few turns lose."""
    needing, change = (
        scored(np.zeros(3, np.float32), WORDS[:1]).row,
        scored(np.zeros(3, np.float32), [], OTHER_TOPIC).row,
    )
    rows, probabilities = [needing] * 95 + [needing] * 5, [0.9] * 95 + [0.4] * 5
    needs = [Needed({"red": 0.9}, each, 0.1, Thresholds(0, 0, 1)) for each in probabilities]
    assert fit_thresholds(rows, needs)[0, 0] <= 0.4
    changed = Needed({"red": 0.9}, 0.5, 0.1, Thresholds(0, 0, 1))
    assert fit_thresholds([*rows, *[replace(change, weight=0.3)] * 50], [*needs, *[changed] * 50])[0, 0] > 0.5
