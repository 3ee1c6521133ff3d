"""The pictures of the architecture are what the code says."""

from pathlib import Path
from xml.etree import ElementTree

from parley.answer.v1 import answer_pb2
from parley.decompose.v1 import decompose_pb2
from parley.intent.v1 import intent_pb2
from parley.retrieve.v1 import retrieve_pb2
from parley.timeline.v1 import timeline_pb2
from tools.architecture import CALLS, IMAGES, STAGES, imports, layers, pictures, rooms_picture

CONTRACTS = {
    "answer": answer_pb2,
    "decompose": decompose_pb2,
    "intent": intent_pb2,
    "retrieve": retrieve_pb2,
    "timeline": timeline_pb2,
}


def test_the_committed_pictures_are_up_to_date() -> None:
    stale = [name for name, picture in pictures().items() if (IMAGES / name).read_text(encoding="utf-8") != picture]
    assert stale == [], "run `make reference`"


def test_every_call_of_the_picture_is_an_rpc_of_its_stage() -> None:
    for call in CALLS:
        services = CONTRACTS[call.stage].DESCRIPTOR.services_by_name.values()
        assert any(call.rpc in service.methods_by_name for service in services), call


def test_the_gateway_imports_no_stage_and_no_stage_another_one() -> None:
    edges = imports()
    for room in ("gateway", *(f"services/{stage}" for stage in STAGES)):
        assert [target for target in edges[room] if target.startswith("services/")] == []


def test_imports_are_read_wherever_they_stand_in_a_module(tmp_path: Path) -> None:
    for room in ("gateway", "libs/text", "libs/web", "services/answer"):
        (tmp_path / room).mkdir(parents=True)
    (tmp_path / "gateway" / "turns.py").write_text("def f():\n    from libs import text\n")
    (tmp_path / "libs" / "web" / "pages.py").write_text("import libs.text.dates\nimport json\n")
    assert imports(tmp_path) == {"gateway": {"libs/text"}, "libs/web": {"libs/text"}}


def test_a_room_stands_above_what_it_imports() -> None:
    edges = {"a": frozenset({"b"}), "b": frozenset({"c"})}
    assert layers(edges, ["c", "b", "a"]) == ["a", "b", "c"]


def test_a_dot_is_an_import() -> None:
    picture = ElementTree.fromstring(rooms_picture({"gateway": frozenset({"libs/text"})}))
    assert len([element for element in picture.iter() if element.tag.endswith("circle")]) == 1
