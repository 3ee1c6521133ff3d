"""Fetching a model: from a hub on this machine that speaks the hub's protocol, and without a network."""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from cli.app import command_line
from tests.fakes.http_server import QuietHandler, http_server

COMMIT = "a" * 40


@dataclass
class Hub:
    """Holds one model, `small/embedder`, with the files that a test gives it."""

    address: str
    files: dict[str, bytes]

    def content(self, path: str) -> bytes | None:
        """What stands at a path; None where nothing does."""
        if path == "/api/models/small/embedder/revision/main":
            siblings = [{"rfilename": name} for name in self.files]
            return json.dumps({"id": "small/embedder", "sha": COMMIT, "siblings": siblings}).encode()
        if path.startswith(f"/api/models/small/embedder/tree/{COMMIT}"):
            tree = [
                {"type": "file", "path": name, "size": len(content), "oid": name.encode().hex()}
                for name, content in self.files.items()
            ]
            return json.dumps(tree).encode()
        return self.files.get(path.removeprefix(f"/small/embedder/resolve/{COMMIT}/"))


@pytest.fixture
def hub() -> Iterator[Hub]:
    class Handler(QuietHandler):
        def do_GET(self) -> None:
            content = model_hub.content(self.path.partition("?")[0])
            tags = {"ETag": f'"{hashlib.sha1(content or b"").hexdigest()}"', "X-Repo-Commit": COMMIT}
            self.reply(content or b"", 404 if content is None else 200, tags)

        do_HEAD = do_GET  # noqa: N815 - the name that http.server calls

    with http_server(Handler) as port:
        files = {"tokenizer.json": b"{}", "onnx/model.onnx": b"graph", "pytorch_model.bin": b"weights"}
        model_hub = Hub(f"http://127.0.0.1:{port}", files)
        yield model_hub


def pull(name: str, hub: str, data: Path) -> Result:
    return CliRunner().invoke(command_line(), ["models", "pull", name, "--hub", hub, "--data", str(data)])


def test_the_onnx_folder_of_a_model_is_fetched_and_nothing_else(hub: Hub, tmp_path: Path) -> None:
    result = pull("small/embedder", hub.address, tmp_path)
    assert result.exit_code == 0, result.stderr
    folder = tmp_path / "models" / "embedder"
    files = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
    assert files == {"tokenizer.json", "onnx/model.onnx"}
    assert "PARLEY_RETRIEVE_EMBEDDER=embedder" in result.stdout


def test_a_model_that_is_there_is_not_fetched_again(tmp_path: Path) -> None:
    (tmp_path / "models" / "embedder").mkdir(parents=True)
    result = pull("small/embedder", "http://127.0.0.1:9", tmp_path)
    assert result.exit_code == 0
    assert "already exists" in result.stdout


def test_a_model_without_an_onnx_export_is_refused_and_nothing_is_left(hub: Hub, tmp_path: Path) -> None:
    del hub.files["onnx/model.onnx"]
    result = pull("small/embedder", hub.address, tmp_path)
    assert result.exit_code == 1
    assert result.stderr.endswith("has no ONNX export: model.onnx and tokenizer.json are needed.\n")
    assert list((tmp_path / "models").iterdir()) == []


@pytest.mark.parametrize(
    ("name", "complaint"), [("nobody/nothing", "has no model nobody/nothing"), ("no name!", "is not a model name")]
)
def test_an_unknown_name_is_told_in_a_line(hub: Hub, tmp_path: Path, name: str, complaint: str) -> None:
    result = pull(name, hub.address, tmp_path)
    assert result.exit_code == 1
    assert complaint in result.stderr
    assert result.stderr.count("\n") == 1


def test_without_a_network_a_line_says_so(tmp_path: Path, unused_tcp_port: int) -> None:
    result = pull("small/embedder", f"http://127.0.0.1:{unused_tcp_port}", tmp_path)
    assert result.exit_code == 1
    assert "cannot be reached; fetching a model needs the network" in result.stderr
    assert result.stderr.count("\n") == 1
