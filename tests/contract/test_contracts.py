"""The contracts are lint-free, the generated code is theirs, and the vocabulary matches them."""

import dataclasses
import enum
import importlib
import inspect
import pkgutil
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from google.protobuf.descriptor import Descriptor, EnumDescriptor

import libs.contracts
from parley.context.v1 import (
    answer_pb2,
    basics_pb2,
    conversation_pb2,
    error_pb2,
    evidence_pb2,
    query_pb2,
    session_pb2,
    timeline_pb2,
    understanding_pb2,
    usage_pb2,
)

ROOT = Path(__file__).resolve().parents[2]
MODULES = (
    answer_pb2,
    basics_pb2,
    conversation_pb2,
    evidence_pb2,
    query_pb2,
    session_pb2,
    timeline_pb2,
    understanding_pb2,
    usage_pb2,
)


def words() -> Iterator[type]:
    """Every class of the vocabulary."""
    for module in pkgutil.iter_modules(libs.contracts.__path__, "libs.contracts."):
        for _, item in inspect.getmembers(importlib.import_module(module.name), inspect.isclass):
            if item.__module__ == module.name:
                yield item


def counterpart(name: str) -> Any:
    """The descriptor of that name in the contract's own vocabulary."""
    for module in MODULES:
        descriptor = module.DESCRIPTOR.message_types_by_name.get(name) or module.DESCRIPTOR.enum_types_by_name.get(name)
        if descriptor is not None:
            return descriptor
    return None


VALUES = [word for word in words() if isinstance(counterpart(word.__name__), Descriptor)]
ENUMS = [word for word in words() if isinstance(counterpart(word.__name__), EnumDescriptor)]


def test_the_vocabulary_meets_the_contract_in_many_words() -> None:
    assert len(VALUES) >= 25
    assert len(ENUMS) >= 12


@pytest.mark.parametrize("word", VALUES, ids=lambda word: word.__name__)
def test_a_value_has_the_fields_of_its_message(word: type) -> None:
    fields = {field.name for field in dataclasses.fields(word)}
    message = counterpart(word.__name__)
    assert fields == {field.name for field in message.fields if not field.GetOptions().deprecated}


@pytest.mark.parametrize("word", ENUMS, ids=lambda word: word.__name__)
def test_an_enum_has_the_values_of_its_contract(word: type[enum.Enum]) -> None:
    prefix = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", word.__name__).upper() + "_"
    names = {value.name.removeprefix(prefix) for value in counterpart(word.__name__).values} - {"UNSPECIFIED"}
    assert {member.value for member in word} == names


def test_every_reason_that_code_gives_is_in_the_contract() -> None:
    reasons_in_code = set()
    for folder in ("gateway", "services", "libs"):
        for file in (ROOT / folder).rglob("*.py"):
            reasons_in_code |= set(re.findall(r"reason=\"([A-Z][A-Z_]+)\"", file.read_text(encoding="utf-8")))
    reasons_in_contract = {
        name.removeprefix("ERROR_REASON_") for name in error_pb2.ErrorReason.DESCRIPTOR.values_by_name
    }
    assert reasons_in_code, "no reasons were found at all"
    assert reasons_in_code <= reasons_in_contract


def test_generated_code_is_up_to_date(tmp_path: Path) -> None:
    subprocess.run([sys.executable, ROOT / "tools/generate.py", tmp_path], check=True, capture_output=True)
    committed_files = {
        file.relative_to(ROOT / "protos/gen"): file for file in (ROOT / "protos/gen").rglob("*_pb2*.py*")
    }
    generated_files = {file.relative_to(tmp_path): file for file in tmp_path.rglob("*_pb2*.py*")}
    committed_files = {name: file for name, file in committed_files.items() if "__pycache__" not in file.parts}
    assert committed_files.keys() == generated_files.keys()
    stale = [
        str(name) for name, file in generated_files.items() if file.read_bytes() != committed_files[name].read_bytes()
    ]
    assert stale == []


@pytest.mark.parametrize("command", [("lint",), ("format", "--exit-code", "--diff", "protos")], ids=["lint", "format"])
def test_buf_has_nothing_to_say(command: tuple[str, ...]) -> None:
    buf = Path(sys.executable).parent / "buf"
    process = subprocess.run([buf, *command], cwd=ROOT, capture_output=True, text=True)
    assert process.returncode == 0, process.stdout + process.stderr


@pytest.mark.parametrize("area", sorted(path.name for path in (ROOT / "protos/parley").iterdir()))
def test_every_file_names_its_packages(area: str) -> None:
    for file in (ROOT / "protos/parley" / area).rglob("*.proto"):
        text = file.read_text(encoding="utf-8")
        for option in ("go_package", "java_package", "java_multiple_files"):
            assert f"option {option} = " in text, f"{file.name} lacks {option}"
