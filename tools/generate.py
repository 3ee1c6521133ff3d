"""Generates the Python of the contracts into `protos/gen` (or another folder), with typed stubs.

Everything in the folder is replaced, so that a message that is gone from the contract is gone from the code.
"""

import shutil
import sys
from importlib.resources import files
from pathlib import Path

from grpc_tools import protoc  # type: ignore[import-untyped]

ROOT = Path(__file__).resolve().parent.parent


def sources() -> list[Path]:
    """Our contracts and the one vendored contract that generated code imports."""
    return [*sorted((ROOT / "protos" / "parley").rglob("*.proto")), ROOT / "third_party/buf/validate/validate.proto"]


def compile_contracts(*outputs: str) -> None:
    """Run the compiler over all contracts, with its options for what to write.

    Raises:
        SystemExit: the compiler refused the contracts; it has said why.
    """
    includes = [ROOT / "protos", ROOT / "third_party", files("grpc_tools") / "_proto"]
    if protoc.main(["protoc", *(f"-I{folder}" for folder in includes), *outputs, *map(str, sources())]):
        raise SystemExit("the contracts do not compile")


def generate(target: Path) -> None:
    """Replace the generated packages in `target`."""
    for package in ("parley", "buf"):
        shutil.rmtree(target / package, ignore_errors=True)
    target.mkdir(parents=True, exist_ok=True)
    compile_contracts(*(f"--{kind}_out={target}" for kind in ("python", "grpc_python", "mypy", "mypy_grpc")))
    without_empty_services(target)


def without_empty_services(target: Path) -> None:
    """Delete the service modules of contracts that declare no service."""
    for module in target.rglob("*_pb2_grpc.py"):
        if "Servicer" not in module.read_text():
            module.unlink()
            module.with_suffix(".pyi").unlink()


if __name__ == "__main__":
    generate(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "protos" / "gen")
