"""Which requests are sent again, and how long that may take; and how Azure is asked."""

import time
from email.utils import formatdate

import pytest

from libs.llm.errors import LlmTooSlow, LlmUnavailable
from libs.runtime.deadline import limited
from tests.fakes.scripted_llm import ScriptedLlm
from tests.unit.llm.asking import complete, model_at


async def test_an_endpoint_that_wants_a_long_wait_is_unavailable_at_once(llm: ScriptedLlm) -> None:
    llm.fail(429, retry_after=60)
    async with model_at(llm, retries=3) as model:
        with pytest.raises(LlmUnavailable) as error:
            await complete(model)
    assert (len(llm.requests), error.value.retry_after) == (1, 60)


async def test_a_wait_beyond_the_deadline_is_not_begun(llm: ScriptedLlm) -> None:
    llm.fail(503, retry_after=5)
    async with model_at(llm, retries=3) as model:
        with limited(3), pytest.raises(LlmUnavailable):
            await complete(model)
    assert len(llm.requests) == 1


async def test_a_wait_told_as_a_date_is_understood(llm: ScriptedLlm) -> None:
    llm.fail(503, retry_after=formatdate(time.time() + 100, usegmt=True))
    async with model_at(llm, retries=3) as model:
        with pytest.raises(LlmUnavailable) as error:
            await complete(model)
    assert len(llm.requests) == 1
    assert 90 < (error.value.retry_after or 0) <= 100


async def test_requests_are_repeated_as_often_as_set_and_no_more(llm: ScriptedLlm) -> None:
    for _ in range(5):
        llm.fail(500, retry_after=0.01)
    async with model_at(llm, retries=2) as model:
        with pytest.raises(LlmUnavailable):
            await complete(model)
    assert len(llm.requests) == 3


async def test_a_request_whose_connection_broke_is_repeated(llm: ScriptedLlm) -> None:
    llm.cut_off()
    llm.reply("In July.")
    async with model_at(llm, retries=1) as model:
        assert (await complete(model)).text == "In July."


async def test_repeating_ends_with_the_time(llm: ScriptedLlm) -> None:
    llm.cut_off()
    async with model_at(llm, retries=5, timeout_seconds=0.1) as model:
        with pytest.raises((LlmTooSlow, LlmUnavailable)):
            await complete(model)


async def test_azure_is_asked_by_deployment_and_version_with_its_own_header(llm: ScriptedLlm) -> None:
    llm.reply("Yes.")
    llm.reply("Yes.")
    azure = llm.base_url.removesuffix("/v1")
    for address in (azure, f"{azure}/openai/deployments/small"):
        async with model_at(llm, base_url=address, api_version="2024-10-21", api_key="secret") as model:
            await complete(model)
    for request in llm.requests:
        assert request.path == "/openai/deployments/small/chat/completions?api-version=2024-10-21"
        assert request.headers["api-key"] == "secret"
        assert "authorization" not in request.headers


async def test_a_version_belongs_to_its_endpoint(llm: ScriptedLlm) -> None:
    async with ScriptedLlm() as other:
        other.reply("Yes.")
        async with model_at(llm, api_version="2024-10-21", tasks={"judge": {"base_url": other.base_url}}) as model:
            await complete(model, task="judge")
    assert other.requests[0].path == "/v1/chat/completions"


async def test_a_key_of_the_environment_goes_nowhere(llm: ScriptedLlm, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "AZURE_OPENAI_API_KEY", "AZURE_OPENAI_AD_TOKEN"):
        monkeypatch.setenv(name, "secret")
    for version in (None, "2024-10-21"):
        llm.reply("Yes.")
        async with model_at(llm, api_version=version) as model:
            await complete(model)
    assert all("secret" not in " ".join(request.headers.values()) for request in llm.requests)
