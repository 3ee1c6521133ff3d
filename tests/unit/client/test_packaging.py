"""The client is a part of the project that stands alone: beside the generated stubs it needs nothing of the suite."""

import subprocess
import sys
from pathlib import Path

from google.protobuf import descriptor_pb2

from buf.validate import validate_pb2
from parley.gateway.v1 import gateway_pb2
from tools.client_package import RULES, assemble, without_rules

USE = """
import importlib.abc, sys

class Only(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        top = name.partition(".")[0]
        if top not in sys.stdlib_module_names | {"parley", "grpc", "google", "typing_extensions", "cygrpc"}:
            raise ImportError(f"{name} is not a dependency of the client")

sys.meta_path.insert(0, Only())
sys.path.insert(0, sys.argv[1])
import parley.client, parley.client.errors, parley.client.evaluation
from parley.gateway.v1 import gateway_pb2, gateway_pb2_grpc
from parley.retrieve.v1 import corpus_pb2_grpc
assert gateway_pb2.__file__.startswith(sys.argv[1]), gateway_pb2.__file__
assert parley.client.evaluation.__file__.startswith(sys.argv[1])
print(gateway_pb2.AskRequest(question="When?", session_id="s").SerializeToString().hex())
"""


def test_the_distribution_of_the_client_holds_one_name_and_needs_grpc_and_protobuf_alone(tmp_path: Path) -> None:
    package = tmp_path / "package"
    assemble(package)
    assert {path.name for path in package.iterdir() if path.is_dir()} == {"parley"}
    command = [sys.executable, "-c", USE, str(package)]
    use = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert use.returncode == 0, use.stderr
    request = gateway_pb2.AskRequest(question="When?", session_id="s")
    assert bytes.fromhex(use.stdout.strip()) == request.SerializeToString()


def test_its_contracts_differ_from_the_suites_by_the_rules_alone() -> None:
    rules = validate_pb2.field
    options = descriptor_pb2.FieldOptions(deprecated=True)
    options.Extensions[rules].required = True
    field = descriptor_pb2.FieldDescriptorProto(name="question", number=1, options=options)
    message = descriptor_pb2.DescriptorProto(name="Request", field=[field])
    file = descriptor_pb2.FileDescriptorProto(name="parley/a.proto", dependency=[RULES], message_type=[message])
    contracts = descriptor_pb2.FileDescriptorSet(file=[file, descriptor_pb2.FileDescriptorProto(name=RULES)])
    (plain,) = without_rules(contracts).file
    assert list(plain.dependency) == []
    (plain_field,) = plain.message_type[0].field
    assert plain_field.options.deprecated
    assert not plain_field.options.HasExtension(rules)
    assert (plain_field.name, plain_field.number) == ("question", 1)
