"""Reading tensors from a `.safetensors` file: eight bytes of header length, a JSON header, then the raw values."""

import json
import mmap
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

_DTYPES = {"F32": np.float32, "F16": np.float16}


def load_tensors(path: Path) -> Mapping[str, NDArray[np.float32]]:
    """Every floating-point tensor of the file by name, as float32; other types are left out.

    Raises:
        ValueError: it is not a safetensors file.
    """
    with path.open("rb") as file:
        content = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    begin = 8 + int.from_bytes(content[:8], "little")
    if begin > len(content):
        raise ValueError(f"{path.name} is no safetensors file")
    header = json.loads(content[8:begin])
    return {
        name: _tensor(content, begin, entry)
        for name, entry in header.items()
        if name != "__metadata__" and entry["dtype"] in _DTYPES
    }


def _tensor(content: mmap.mmap, begin: int, entry: Mapping[str, Any]) -> NDArray[np.float32]:
    shape, offsets = entry["shape"], entry["data_offsets"]
    dtype = np.dtype(_DTYPES[str(entry["dtype"])])
    count = (offsets[1] - offsets[0]) // dtype.itemsize
    values = np.frombuffer(content, dtype, count, begin + offsets[0])
    tensor: NDArray[np.float32] = values.reshape(shape).astype(np.float32, copy=False)
    return tensor
