"""Rows for fitting the tagger, their judging and the calibration; the network itself needs torch."""

import json
from pathlib import Path

import numpy as np

from bench.fit.wording_calibration import Scored, fit_calibration
from bench.fit.wording_judging import judged
from bench.fit.wording_rows import Row, folds, made_rows, read_rows
from services.decompose.wording.inputs import read_inputs
from tests.unit.decompose.wording.messages import message

ROW = Row("set", "one", ((True, "What is throat cancer?"),), "Is it treatable?", "Is throat cancer treatable?")
OTHER = Row("set", "two", ((True, "Who was Ada?"), (False, "A countess.")), "And when?", "When did Ada live?")


def test_rows_are_read_with_the_branch_cut_off(tmp_path: Path) -> None:
    history = [{"speaker": "user", "text": "What is throat cancer?"}]
    row = {"source": "set", "conversation": "one.7", "history": history, "last_turn": ROW.turn, "rewrite": ROW.rewrite}
    (tmp_path / "rows.jsonl").write_text(json.dumps(row), encoding="utf-8")
    assert read_rows(tmp_path / "rows.jsonl") == [ROW]


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
    made = made_rows([ROW, OTHER], seed=1)
    whole = [row for row in made if row.turn == row.rewrite and not row.others]
    assert whole
    assert all(not row.gold for row in whole)
    switched = [row for row in made if row.turn == row.rewrite and row.others]
    assert {(row.group, *row.others) for row in switched} == {("one", "two"), ("two", "one")}
    assert any(row.history[0] in OTHER.history and row.history[-1] == ROW.history[0] for row in made)
    cut = [row.turn for row in made if row.group == "one" and not row.others and "cancer" not in row.turn]
    assert "Is it treatable?" in cut


def test_wordings_are_judged_by_the_words_they_carry() -> None:
    assert "recall 1.000 precision 1.000 F1 1.000 exact 1.000" in judged([(ROW, "Is throat cancer treatable?")])
    assert "recall 0.500 precision 1.000 F1 0.667 exact 0.000" in judged([(ROW, "Is cancer treatable?")])
    alone = Row("set", "one", ROW.history, "Is aspirin safe?", "Is aspirin safe?")
    assert "needless 1.000" in judged([(alone, "Is aspirin safe (cancer)?")])


def test_calibration_moves_scores_to_the_share_of_right_words() -> None:
    inputs = read_inputs(message("Why?"), [message("red wine from Spain")])
    chance = np.random.default_rng(1)
    cases = []
    for _ in range(300):
        scores = chance.normal(0, 1, 3).astype(np.float32)
        odds = 2 * scores - 1
        right = chance.random(3) < 1 / (1 + np.exp(-odds))
        gold = frozenset(stem for stem, is_right in zip(inputs.stems, right, strict=True) if is_right)
        cases.append(Scored(inputs, scores, 0.0, gold))
    calibration = fit_calibration(cases)
    scored = Scored(inputs, np.array([2, 0, -2], np.float32), 0.0, frozenset())
    probabilities = list(scored.needed(calibration).probabilities.values())
    assert probabilities[0] > 0.85
    assert probabilities[2] < 0.1
    assert 0.15 < probabilities[1] < 0.4
