from pathlib import Path

import numpy as np
import pytest

from services.retrieve.embedding.embedder import UnusableModel
from services.retrieve.reranking import OnnxCrossEncoder, logistic, open_scorer
from tests.fakes.tiny_cross_encoder import logit, write_cross_encoder

PASSAGES = ("the probe landed on the moon", "mars", "the moon")


@pytest.fixture
def models(tmp_path: Path) -> Path:
    write_cross_encoder(tmp_path / "tiny")
    return tmp_path


def opened(models: Path, setting: str = "onnx:tiny") -> OnnxCrossEncoder:
    scorer = open_scorer(setting, models, threads=1)
    assert isinstance(scorer, OnnxCrossEncoder)
    return scorer


def test_a_score_is_the_logistic_function_of_the_models_logit(models: Path) -> None:
    scores = opened(models).score([("mars moon", passage) for passage in PASSAGES])
    assert scores == pytest.approx([1 / (1 + np.exp(-logit(passage))) for passage in PASSAGES], abs=1e-6)


def test_of_two_logits_the_lead_of_the_second_counts(models: Path) -> None:
    write_cross_encoder(models / "two", labels=2)
    pairs = [("mars", passage) for passage in PASSAGES]
    assert opened(models, "onnx:two").score(pairs) == pytest.approx(opened(models).score(pairs), abs=1e-6)


def test_a_score_does_not_depend_on_what_it_is_batched_with(models: Path) -> None:
    scorer = opened(models)
    together = scorer.score([("mars", passage) for passage in PASSAGES])
    alone = [float(scorer.score([("mars", passage)])[0]) for passage in PASSAGES]
    assert together == pytest.approx(alone, abs=1e-6)


def test_logits_of_any_size_give_probabilities() -> None:
    scores = logistic(np.array([-1e4, -30.0, 0.0, 30.0, 1e4]))
    assert scores[2] == 0.5
    assert (np.diff(scores) > 0)[:3].all()
    assert ((scores >= 0) & (scores <= 1)).all()


def test_a_folder_may_stand_without_its_backend_and_none_is_none(models: Path) -> None:
    assert opened(models, str(models / "tiny")).name == "tiny"
    assert open_scorer("none", models, threads=1) is None


@pytest.mark.parametrize("setting", ["onnx:nowhere", "onnx:", "", "nowhere"])
def test_a_model_that_is_not_there_is_refused(models: Path, setting: str) -> None:
    with pytest.raises(UnusableModel, match="no model"):
        opened(models, setting)


def test_a_folder_without_its_files_or_with_another_graph_is_refused(models: Path) -> None:
    write_cross_encoder(models / "three", labels=3)
    with pytest.raises(UnusableModel, match="this graph gives 3"):
        opened(models, "onnx:three")
    (models / "tiny" / "tokenizer.json").unlink()
    with pytest.raises(UnusableModel, match=r"tokenizer\.json"):
        opened(models)
    (models / "tiny" / "model.onnx").unlink()
    with pytest.raises(UnusableModel, match=r"model\.onnx"):
        opened(models)
