"""Assembles the Python client as a distribution of its own: `python -m tools.client_package [FOLDER]`.

Its contracts are those of `protos/parley` without the validation rules, which only servers read. So it needs `grpcio`
and `protobuf` alone, and its only top-level name is `parley`.
"""

import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Callable, Sequence
from pathlib import Path
from string import Template
from typing import Final

from google.protobuf.descriptor_pb2 import FileDescriptorProto, FileDescriptorSet
from google.protobuf.message import Message
from grpc_tools import protoc  # type: ignore[import-untyped]

from tools.generate import ROOT, compile_contracts, without_empty_services

SOURCE: Final = ROOT / "clients" / "python"
RULES: Final = "buf/validate/validate.proto"
OURS: Final = "parley/"
OUTPUTS: Final = ("python", "grpc_python", "mypy", "mypy_grpc")


def assemble(target: Path) -> None:
    """Replace the folder by the distribution's source.

    Raises:
        SystemExit: the contracts do not compile.
    """
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(SOURCE / "parley", target / "parley", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "LICENSE", target)
    shutil.copy(SOURCE / "README.md", target)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    template = Template((SOURCE / "pyproject.toml.in").read_text(encoding="utf-8"))
    (target / "pyproject.toml").write_text(template.substitute(version=project["version"]), encoding="utf-8")
    _generate(target)


def _generate(target: Path) -> None:
    generate_without_rules(lambda _: [f"--{kind}_out={target}" for kind in OUTPUTS])
    without_empty_services(target)


def generate_without_rules(outputs: Callable[[Sequence[str]], Sequence[str]]) -> None:
    """Generate code from the contracts without validation rules.

    Args:
        outputs: the compiler's options for what to write, given the names of the contracts.

    Raises:
        SystemExit: the contracts do not compile.
    """
    with tempfile.TemporaryDirectory() as folder:
        descriptors = Path(folder) / "contracts.binpb"
        names = write_without_rules(descriptors)
        if protoc.main(["protoc", f"--descriptor_set_in={descriptors}", *outputs(names), *names]):
            raise SystemExit("the contracts without rules do not compile")


def write_without_rules(descriptors: Path) -> Sequence[str]:
    """Write the contracts without validation rules as a descriptor set, and return the names of their files.

    Raises:
        SystemExit: the contracts do not compile.
    """
    compile_contracts("--include_imports", "--include_source_info", f"--descriptor_set_out={descriptors}")
    contracts = without_rules(FileDescriptorSet.FromString(descriptors.read_bytes()))
    descriptors.write_bytes(contracts.SerializeToString())
    return [file.name for file in contracts.file if file.name.startswith(OURS)]


def without_rules(contracts: FileDescriptorSet) -> FileDescriptorSet:
    """Return the contracts without validation rules: they are options of files, messages, fields, oneofs and enums."""
    result = FileDescriptorSet()
    for file in contracts.file:
        if file.name != RULES:
            result.file.add().CopyFrom(_file_without_rules(file))
    return result


def _file_without_rules(file: FileDescriptorProto) -> FileDescriptorProto:
    plain = FileDescriptorProto()
    plain.CopyFrom(file)
    if RULES in plain.dependency:
        plain.dependency.remove(RULES)
        _clear_extensions(plain)
    return plain


def _clear_extensions(holder: Message) -> None:
    """Clear the extensions in all options of a definition; the compiler keeps the others, such as `deprecated`.

    Rules are extensions, or unknown fields if their module is not imported.
    """
    for field, value in holder.ListFields():
        if field.name == "options":
            value.DiscardUnknownFields()
            for option, _ in value.ListFields():
                if option.is_extension:
                    value.ClearExtension(option)
            if not value.ListFields():
                holder.ClearField("options")
        elif field.message_type is not None and field.name != "source_code_info":
            for part in value if field.is_repeated else (value,):
                _clear_extensions(part)


def main() -> int:
    """Assemble, and build a wheel beside it if asked to."""
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "build" / "client"
    assemble(target)
    command = [sys.executable, "-m", "uv", "build", "--quiet", "--wheel", "--out-dir", str(ROOT / "dist"), str(target)]
    return subprocess.run(command, check=False).returncode if len(sys.argv) == 1 else 0


if __name__ == "__main__":
    sys.exit(main())
