"""A sentence encoder in ONNX Runtime: any folder with `model.onnx` and `tokenizer.json`, as Hugging Face exports them.

Blocking: call it through `services.retrieve.embedding.batching`.
"""

import re
from collections.abc import Mapping, Sequence
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from libs.inference.tokens import Tokens
from services.retrieve.embedding.embedder import (
    Habits,
    ModelProfile,
    Pooling,
    UnusableModel,
    read_layers,
    read_most_tokens,
    read_profile,
    unit,
)
from services.retrieve.embedding.onnx_graph import LAYER

_AS_FILED: Final = Habits()
_SCALES_BY_RUN: Final = b"DynamicQuantize"
"""Prefix of the operators that scale values by the largest in a run, in graphs with eight-bit weights."""


class OnnxEncoder:
    """Encodes texts as unit vectors."""

    def __init__(
        self, graph: Path, folder: Path, name: str, threads: int, *, together: bool = True, habits: Habits = _AS_FILED
    ) -> None:
        """Load a model.

        Args:
            graph: the ONNX file; its first output is token vectors (batch, tokens, width).
            folder: holds `tokenizer.json` and any configuration files of the model.
            name: the model's name.
            threads: cores to use: for one run, or for as many concurrent runs if texts do not share runs.
            together: whether texts share a run. Not with a graph that scales values by the largest in a run: there
                a text's vector would depend on the other texts.
            habits: overrides of what the folder's files say.

        Raises:
            UnusableModel: a file is missing or the graph has another shape.
        """
        self._together = together
        self._session = open_session(graph, threads if together else 1)
        # A text of a passage's length is too little work for two cores: all-MiniLM-L6-v2 (int8) embeds 92 a second with
        # both cores on each text, which keeps 1.6 of them busy, and 139 with one core on each, which keeps 1.9 busy.
        self.side_by_side = 1 if together else threads
        """Threads that may encode concurrently."""
        width = self._session.get_outputs()[0].shape[-1]
        if not isinstance(width, int):
            raise UnusableModel("the graph does not tell the width of its vectors")
        self.profile = habits.applied(read_profile(folder, name, width))
        self._folder = folder
        self._tokenizer = open_tokenizer(folder / "tokenizer.json", self.profile.max_tokens)

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One unit vector per text, shape (texts, width). The caller adds prefixes."""
        if self._together or len(texts) < 2:
            return self._run(texts)
        return np.concatenate([self._run([text]) for text in texts])

    def token_encoder(self) -> "OnnxTokenEncoder | None":
        """A reader of tokens that shares the model; None if its graph shows no states. Blocks on the tokenizer."""
        outputs = layer_outputs(self._session, self._folder)
        return OnnxTokenEncoder(self._session, self._folder, self.profile, outputs) if outputs else None

    def _run(self, texts: Sequence[str]) -> NDArray[np.float32]:
        inputs = token_arrays(self._tokenizer, texts)
        return pooled(run_graph(self._session, inputs), inputs["attention_mask"], self.profile.pooling)


def pooled(states: NDArray[np.float32], mask: NDArray[np.int64], pooling: Pooling) -> NDArray[np.float32]:
    """One unit vector per text of the states of its tokens, shape (texts, tokens, width); the mask tells tokens."""
    if pooling is Pooling.CLS:
        return unit(states[:, 0])
    weights = mask[:, :, None].astype(np.float32)
    return unit((states * weights).sum(axis=1) / np.maximum(weights.sum(axis=1), 1e-9))  # not by 0 (taste)


def layer_outputs(session: Any, folder: Path) -> Mapping[int, str]:
    """The output of each layer that a graph shows: of those it names, and of the last; empty if it names none."""
    first, *others = (output.name for output in session.get_outputs())
    named = {int(name.removeprefix(LAYER)): name for name in others if re.fullmatch(rf"{LAYER}\d+", name)}
    return {**named, read_layers(folder): first} if named else {}


class OnnxTokenEncoder:
    """Reads texts token by token; see `TokenEncoder`."""

    def __init__(self, session: Any, folder: Path, profile: ModelProfile, outputs: Mapping[int, str]) -> None:
        """`session` is that of the model in `folder`, and `outputs` what `layer_outputs` says of them."""
        self.profile = profile
        self.layers: Sequence[int] = tuple(outputs)
        self._session, self._outputs = session, outputs
        self._last = read_layers(folder)
        self._tokenizer = open_tokenizer(folder / "tokenizer.json", read_most_tokens(folder))

    def read(self, text: str, layers: Sequence[int]) -> Tokens:
        """Runs by itself: see `scales_by_run`."""
        encoding = self._tokenizer.encode(text)
        ids = np.array([encoding.ids], np.int64)
        inputs = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        states = run_outputs(self._session, inputs, [self._outputs[layer] for layer in layers])
        vector, is_whole = None, not encoding.overflowing and len(encoding.ids) <= self.profile.max_tokens
        if is_whole and self._last in layers:
            vector = pooled(states[layers.index(self._last)], inputs["attention_mask"], self.profile.pooling)[0]
        packed = np.concatenate(states).swapaxes(0, 1).astype(np.float16)
        return Tokens(encoding.ids, encoding.offsets, packed, vector)


def token_arrays(tokenizer: Any, texts: Sequence[str] | Sequence[tuple[str, str]]) -> dict[str, NDArray[np.int64]]:
    """The inputs of a graph for texts, or pairs of texts, shape (texts, tokens) each."""
    encodings = tokenizer.encode_batch(list(texts))
    return {
        "input_ids": np.array([encoding.ids for encoding in encodings], np.int64),
        "attention_mask": np.array([encoding.attention_mask for encoding in encodings], np.int64),
        "token_type_ids": np.array([encoding.type_ids for encoding in encodings], np.int64),
    }


def run_graph(session: Any, inputs: Mapping[str, NDArray[Any]], output: str | None = None) -> NDArray[Any]:
    """One output of a graph, by default the first; inputs that it does not have are left out."""
    return run_outputs(session, inputs, [output or session.get_outputs()[0].name])[0]


def run_outputs(session: Any, inputs: Mapping[str, NDArray[Any]], outputs: Sequence[str]) -> list[NDArray[Any]]:
    """The named outputs of a graph; inputs that it does not have are left out."""
    own = {node.name: inputs[node.name] for node in session.get_inputs()}
    results: list[NDArray[Any]] = session.run(outputs, own)
    return results


def scales_by_run(graph: Path) -> bool:
    """Whether a text's vector would depend on the texts that share its run: see `OnnxEncoder`."""
    if not graph.is_file() or graph.stat().st_size == 0:
        return False
    with graph.open("rb") as file, mmap(file.fileno(), 0, access=ACCESS_READ) as content:
        return content.find(_SCALES_BY_RUN) >= 0


def open_session(graph: Path, threads: int) -> Any:
    """Open a graph for running; raises UnusableModel if the file does not exist."""
    import onnxruntime  # imported here: it costs 40 MB, which a process without a model can save

    if not graph.is_file():
        raise UnusableModel(f"there is no {graph.name}")
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.enable_cpu_mem_arena = False  # the arena never releases the memory of the largest batch
    options.log_severity_level = 3  # errors only
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")  # idle threads leave the cores to others
    if not _has_vnni():  # without VNNI, sums of int8 products overflow; this mode is slower but correct
        options.add_session_config_entry("session.x64quantprecision", "1")
    return onnxruntime.InferenceSession(str(graph), options, providers=["CPUExecutionProvider"])


def _has_vnni() -> bool:
    """Whether the processor is known to sum int8 products in 32 bits; irrelevant on ARM."""
    try:
        return "vnni" in Path("/proc/cpuinfo").read_text()
    except OSError:
        return False


def open_tokenizer(path: Path, max_tokens: int) -> Any:
    """A tokenizer that pads a batch, and truncates what is longer than a model takes; raises UnusableModel."""
    if not path.is_file():
        raise UnusableModel(f"{path.parent.name} has no {path.name}")
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(path))
    tokenizer.enable_truncation(max_tokens)  # the file may allow less than the model takes
    padding = tokenizer.padding or {}
    tokenizer.enable_padding(pad_id=padding.get("pad_id", 0), pad_token=padding.get("pad_token", "[PAD]"))
    return tokenizer
