"""The built console, or a page that says how to build it."""

from pathlib import Path

import httpx2
from starlette.applications import Starlette
from starlette.routing import Mount

from doors.console_files import ConsoleFiles


def client(folder: Path) -> httpx2.AsyncClient:
    app = Starlette(routes=[Mount("/", ConsoleFiles(folder))])
    return httpx2.AsyncClient(transport=httpx2.ASGITransport(app=app), base_url="http://localhost")


async def test_without_a_build_the_page_says_how_to_build_it(tmp_path: Path) -> None:
    async with client(tmp_path / "missing") as http:
        response = await http.get("/")
    assert response.status_code == 503
    assert "make console" in response.text


async def test_files_with_a_digest_in_their_name_are_kept_and_the_page_is_not(tmp_path: Path) -> None:
    (tmp_path / "assets").mkdir()
    (tmp_path / "index.html").write_text("<!doctype html><title>Console</title>")
    (tmp_path / "assets" / "main-1a2b.js").write_text("'use strict'\n" * 200)
    async with client(tmp_path) as http:
        page = await http.get("/")
        script = await http.get("/assets/main-1a2b.js")
        missing = await http.get("/assets/gone.js")
    assert (page.status_code, page.headers["cache-control"]) == (200, "no-cache")
    assert "immutable" in script.headers["cache-control"]
    assert script.headers["content-encoding"] == "gzip"
    assert (missing.status_code, "cache-control" in missing.headers) == (404, False)
