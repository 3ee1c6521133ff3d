"""What the embedding model knows of each token of a text."""

import asyncio
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import pytest
from numpy.typing import NDArray

from services.decompose.wording.tagger import STATE_LAYERS
from services.retrieve.embedding.batching import BatchingEmbedder, BatchingReader
from services.retrieve.embedding.embedder import READ_TOKENS, TextKind
from services.retrieve.embedding.onnx_graph import BertGraph, Making, build_graph
from services.retrieve.embedding.onnx_int8 import int8_graph
from services.retrieve.embedding.onnx_model import OnnxEncoder, OnnxTokenEncoder
from services.retrieve.embedding.packaged import PACKAGE, PACKAGED, ModelPrecision, packaged_folder, packaged_graph
from tests.fakes.tiny_bert import WIDTH, random_tensors, write_model

LAYERS = 6
TENSORS = random_tensors(layers=LAYERS)
TEXT = "the probe landed on mars"


def write_graph(folder: Path, make: Making = BertGraph, layers: int = LAYERS) -> OnnxEncoder:
    """The encoder of a tiny model."""
    write_model(folder, TENSORS, num_hidden_layers=layers)
    build_graph(folder, folder / "model.onnx", make)
    return OnnxEncoder(folder / "model.onnx", folder, "tiny", threads=1, together=make is BertGraph)


def token_encoder_of(encoder: OnnxEncoder) -> OnnxTokenEncoder:
    """Fails the test if the graph shows no states."""
    token_encoder = encoder.token_encoder()
    assert token_encoder is not None
    return token_encoder


@pytest.fixture
def token_encoder(tmp_path: Path) -> OnnxTokenEncoder:
    return token_encoder_of(write_graph(tmp_path / "tiny"))


def test_layers_come_in_the_order_asked_for(token_encoder: OnnxTokenEncoder) -> None:
    forth, back = token_encoder.read(TEXT, (4, 6)), token_encoder.read(TEXT, (6, 4))
    assert np.array_equal(forth.states[:, ::-1], back.states)
    assert not np.array_equal(forth.states, back.states)


@pytest.mark.parametrize("make", [BertGraph, int8_graph])
def test_vectors_of_texts_are_those_of_a_graph_that_shows_none(tmp_path: Path, make: Making) -> None:
    encoder = write_graph(tmp_path / "tiny", make)
    model = onnx.load(str(tmp_path / "tiny" / "model.onnx"))
    del model.graph.output[1:]
    onnx.save(model, str(tmp_path / "tiny" / "bare.onnx"))
    bare = OnnxEncoder(tmp_path / "tiny" / "bare.onnx", tmp_path / "tiny", "tiny", threads=1)
    assert bare.token_encoder() is None
    assert np.array_equal(bare.encode([TEXT]), encoder.encode([TEXT]))


async def test_a_text_is_read_once_for_all_who_ask_for_the_same_layers(token_encoder: OnnxTokenEncoder) -> None:
    reader = BatchingReader(token_encoder)
    (first, second), (again,) = await asyncio.gather(
        reader.read(["mars", "moon"], (4, 6)), reader.read(["mars"], (4, 6))
    )
    (other,) = await reader.read(["mars"], (6,))
    reader.close()
    assert again is first
    assert other.states.shape[1:] == (1, WIDTH)
    assert not np.array_equal(first.states, second.states)


async def test_a_text_that_was_read_is_not_encoded_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_graph(tmp_path / "tiny", int8_graph)
    (tmp_path / "tiny" / "sentence_bert_config.json").write_text('{"max_seq_length": 8}')
    encoder = OnnxEncoder(tmp_path / "tiny" / "model.onnx", tmp_path / "tiny", "tiny", threads=1, together=False)
    texts = [TEXT, "mars " * 10]  # the second one is cut where it is encoded, and not where it is read
    vectors, encoded = encoder.encode(texts), list[str]()
    with closing(BatchingEmbedder(encoder)) as embedder:
        with closing(BatchingReader(token_encoder_of(encoder), embedder=embedder)) as reader:
            await reader.read(texts, STATE_LAYERS)
        run = encoder.encode

        def encode(texts: Sequence[str]) -> NDArray[np.float32]:
            encoded.extend(texts)
            return run(texts)

        monkeypatch.setattr(encoder, "encode", encode)
        assert np.array_equal(await embedder.embed(texts, TextKind.QUERY), vectors)
    assert encoded == texts[1:]


def test_the_packaged_models_states_are_those_that_the_tagger_is_fitted_to(tmp_path: Path) -> None:
    pytest.importorskip(PACKAGE)
    folder = packaged_folder()
    assert folder is not None
    graph = packaged_graph(folder, tmp_path, ModelPrecision.INT8)
    token_encoder = token_encoder_of(OnnxEncoder(graph, folder, PACKAGED, threads=1, together=False))
    model = onnx.load(str(graph))
    norms = [node.output[0] for node in model.graph.node if node.op_type == "SkipLayerNormalization"]
    wanted = [norms[2 * layer - 1] for layer in STATE_LAYERS]
    del model.graph.output[:]
    model.graph.output.extend(onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, None) for name in wanted)
    session = onnxruntime.InferenceSession(model.SerializeToString())
    for text in ("And how heavy is the second one?", "Luna 9 landed in 1966. " * 80):
        tokens = token_encoder.read(text, STATE_LAYERS)
        ids = np.array([tokens.ids], np.int64)
        states = session.run(wanted, {"input_ids": ids, "attention_mask": np.ones_like(ids)})
        assert np.allclose(tokens.states, np.stack([layer[0] for layer in states], axis=1), rtol=1e-3, atol=1e-3)
    assert len(tokens.ids) == READ_TOKENS
