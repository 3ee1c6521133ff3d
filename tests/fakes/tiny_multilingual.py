"""An embedding model in which words of several languages that mean the same have one vector, as a folder of ONNX.

Its graph takes no `token_type_ids`, as the exports of models of XLM-RoBERTa's kind.
"""

from pathlib import Path
from typing import Final

import numpy as np

MEANINGS: Final = (
    ("moon", "lune", "mond", "月球"),
    ("mars", "火星"),
    ("lander", "atterrisseur", "landesonde", "着陆器"),
    ("salt", "sel", "salz", "盐"),
)
WIDTH: Final = 8
_SPECIAL: Final = ("[PAD]", "[UNK]")


def write_model(folder: Path) -> None:
    """`model.onnx` and `tokenizer.json`."""
    folder.mkdir(parents=True, exist_ok=True)
    words = [word for meaning in MEANINGS for word in meaning]
    _write_tokenizer(folder / "tokenizer.json", [*_SPECIAL, *words])
    meanings = [number for number, meaning in enumerate(MEANINGS, start=len(_SPECIAL)) for _ in meaning]
    _write_graph(folder / "model.onnx", np.eye(WIDTH, dtype=np.float32)[[0, 1, *meanings]])


def _write_tokenizer(path: Path, words: list[str]) -> None:
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

    tokenizer = Tokenizer(models.WordLevel({word: number for number, word in enumerate(words)}, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.save(str(path))


def _write_graph(path: Path, table: np.ndarray) -> None:
    """Each token's vector is its row of the table."""
    from onnx import TensorProto, helper, numpy_helper, save

    shape = ["batch", "tokens"]
    graph = helper.make_graph(
        [helper.make_node("Gather", ["table", "input_ids"], ["last_hidden_state"])],
        "tiny-multilingual",
        [helper.make_tensor_value_info(name, TensorProto.INT64, shape) for name in ("input_ids", "attention_mask")],
        [helper.make_tensor_value_info("last_hidden_state", TensorProto.FLOAT, [*shape, WIDTH])],
        [numpy_helper.from_array(table, "table")],
    )
    save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9), str(path))
