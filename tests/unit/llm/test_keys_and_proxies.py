"""Which way requests to a language model go, and who learns its key."""

import asyncio
from pathlib import Path

import pytest

from libs.llm.errors import LlmUnavailable
from tests.fakes.scripted_llm import ScriptedLlm
from tests.unit.llm.asking import complete, model_at


async def test_a_key_goes_only_to_the_endpoint_it_was_given_for(llm: ScriptedLlm) -> None:
    async with ScriptedLlm() as other:
        other.reply("Yes.")
        async with model_at(llm, api_key="secret", tasks={"judge": {"base_url": other.base_url}}) as model:
            await complete(model, task="judge")
    assert "secret" not in other.requests[0].headers["authorization"]


async def test_a_key_goes_to_its_endpoint_whatever_netrc_says(
    llm: ScriptedLlm, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    netrc = tmp_path / "netrc"
    netrc.write_text("machine 127.0.0.1 login someone password else\n")
    netrc.chmod(0o600)
    monkeypatch.setenv("NETRC", str(netrc))
    llm.reply("Yes.")
    async with model_at(llm, api_key="secret") as model:
        await complete(model)
    assert llm.requests[0].headers["authorization"] == "Bearer secret"


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # how the library tells aiohttp of a proxy's password
async def test_requests_go_by_the_environment_s_proxy(llm: ScriptedLlm, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", llm.base_url.replace("//", "//someone:else@").removesuffix("/v1"))
    monkeypatch.setenv("no_proxy", "model.direct")
    llm.reply("Yes.")
    async with model_at(llm, base_url="http://model.test/v1", api_key="secret") as model:
        await complete(model)
    request = llm.requests[0]
    assert (request.path, request.headers["host"]) == ("http://model.test/v1/chat/completions", "model.test")
    assert request.headers["proxy-authorization"] == "Basic c29tZW9uZTplbHNl"


async def test_a_proxy_learns_no_key(llm: ScriptedLlm, monkeypatch: pytest.MonkeyPatch) -> None:
    requests: list[bytes] = []

    async def refuse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        requests.append(await reader.readuntil(b"\r\n\r\n"))
        writer.write(b"HTTP/1.1 403 Forbidden\r\n\r\n")
        writer.close()

    async with await asyncio.start_server(refuse, "127.0.0.1", 0) as proxy:
        monkeypatch.setenv("no_proxy", "model.direct")
        monkeypatch.setenv("https_proxy", f"http://127.0.0.1:{proxy.sockets[0].getsockname()[1]}")
        async with model_at(llm, base_url="https://model.test/v1", api_key="secret") as model:
            with pytest.raises(LlmUnavailable):
                await complete(model)
    assert requests[0].startswith(b"CONNECT model.test:443")
    assert b"secret" not in requests[0]
