"""Fetching a model: from a hub on this machine that speaks the hub's protocol, and without a network."""

import hashlib
import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from typer.testing import CliRunner, Result

from cli.app import command_line

COMMIT = "a" * 40


class Hub(ThreadingHTTPServer):
    """Holds one model, `small/embedder`, with the files that a test gives it."""

    files: dict[str, bytes]

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class HubHandler(BaseHTTPRequestHandler):
    server: Hub

    def do_GET(self) -> None:
        path = self.path.partition("?")[0]
        if path == "/api/models/small/embedder/revision/main":
            siblings = [{"rfilename": name} for name in self.server.files]
            self._answer(json.dumps({"id": "small/embedder", "sha": COMMIT, "siblings": siblings}).encode())
        elif path.startswith(f"/api/models/small/embedder/tree/{COMMIT}"):
            tree = [
                {"type": "file", "path": name, "size": len(content), "oid": name.encode().hex()}
                for name, content in self.server.files.items()
            ]
            self._answer(json.dumps(tree).encode())
        elif (content := self.server.files.get(path.removeprefix(f"/small/embedder/resolve/{COMMIT}/"))) is not None:
            self._answer(content)
        else:
            self.send_error(404)

    do_HEAD = do_GET  # noqa: N815 - the name that http.server calls

    def _answer(self, content: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Length", str(len(content)))
        self.send_header("ETag", f'"{hashlib.sha1(content).hexdigest()}"')
        self.send_header("X-Repo-Commit", COMMIT)
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(content)

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def hub() -> Iterator[Hub]:
    with Hub(("127.0.0.1", 0), HubHandler) as server:
        server.files = {"tokenizer.json": b"{}", "onnx/model.onnx": b"graph", "pytorch_model.bin": b"weights"}
        thread = Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        yield server
        server.shutdown()
        thread.join()


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
