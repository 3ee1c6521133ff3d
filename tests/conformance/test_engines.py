"""The engines of the language tasks keep their contracts: the rules, a model, and one of another package."""

import json
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest

from libs.contracts.stages.answer import RecommendRequest, WriteRequest
from libs.contracts.usage import Degraded
from libs.runtime.settings import SettingsError
from services.answer.settings import Plugins
from services.answer.stage import open_stage as open_answer
from services.answer.tasks import AnswerTasks
from services.decompose.stage import open_stage as open_decompose
from services.intent.stage import open_stage as open_intent
from services.timeline.stage import open_stage as open_timeline
from tests.conformance import engine_contracts as contracts
from tests.fakes.own_package import install
from tests.fakes.scripted_llm import LlmRequest, ScriptedLlm, in_a_thread

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "own_engine"


def _least(schema: dict[str, Any]) -> Any:
    """The smallest value that a JSON schema allows."""
    if "enum" in schema:
        return schema["enum"][0]
    if "anyOf" in schema:
        return _least(schema["anyOf"][-1])
    if schema.get("type") == "object":
        return {name: _least(each) for name, each in schema.get("properties", {}).items()}
    least: dict[object, Any] = {"string": "", "boolean": False, "integer": 0, "number": 0, "array": []}
    return least.get(schema.get("type"))


def _answer(request: LlmRequest) -> str:
    if request.writes:
        return "The old mill burned down on 3 June 1901 [1]."
    fields = frozenset((request.schema or {}).get("properties", {}))
    if fields == {"item", "answer"}:
        return json.dumps({"item": 1, "answer": "3 June 1901"})
    return json.dumps(_least(request.schema or {}))


@pytest.fixture(params=["rules", "model", "useless model"])
def _engines(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The environment of each built-in engine."""
    if request.param == "rules":
        yield
        return
    with in_a_thread() as llm:
        llm.answer_with(_answer if request.param == "model" else lambda _: "I can't say.")
        _use(llm, monkeypatch)
        yield


def _use(llm: ScriptedLlm, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PARLEY_LLM_BASE_URL", llm.base_url)
    monkeypatch.setenv("PARLEY_LLM_MODEL", "scripted")
    monkeypatch.setenv("PARLEY_ANSWER_EXTRACT_ENGINE", "auto")


@pytest.fixture
async def answer() -> AsyncIterator[Any]:
    """The tasks of the answer stage."""
    async with open_answer() as stage:
        yield stage.tasks


@pytest.mark.usefixtures("_engines")
class TestBuiltIn:
    """Rules, a model, and a model that says nothing useful."""

    async def test_judge(self) -> None:
        async with open_intent() as stage:
            tasks: Any = stage.tasks
            await contracts.check_judge(tasks.understander)

    async def test_condense_and_plan(self) -> None:
        async with open_decompose() as stage:
            tasks: Any = stage.tasks
            await contracts.check_condense(tasks)
            await contracts.check_plan(tasks)

    async def test_write(self, answer: Any) -> None:
        await contracts.check_write(answer)

    async def test_extract_verify_and_recommend(self, answer: Any) -> None:
        await contracts.check_extract(answer)
        await contracts.check_verify(answer)
        await contracts.check_recommend(answer)

    async def test_date(self) -> None:
        async with open_timeline() as stage:
            tasks: Any = stage.tasks
            await contracts.check_date(tasks)


class TestOfAnotherPackage:
    """An engine that an entry point names."""

    @pytest.fixture(autouse=True)
    def _installed(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        install(EXAMPLE, tmp_path)
        monkeypatch.syspath_prepend(str(tmp_path))
        monkeypatch.setenv("PARLEY_ANSWER_RECOMMEND_ENGINE", "headings")

    async def test_it_does_the_task_and_keeps_the_contract(self) -> None:
        async with open_answer() as stage:
            tasks: Any = stage.tasks
            await contracts.check_recommend(tasks)
            request = RecommendRequest(contracts.QUESTION, contracts.EVIDENCE)
            assert (await tasks.recommend(request)).questions == ("What is said about “History”?",)
            assert "headings" in [capability.engine for capability in stage.capabilities]

    async def test_the_answer_stage_recommends_with_it_while_it_writes(self) -> None:
        async with open_answer() as stage:
            request = WriteRequest(contracts.QUESTION, references=contracts.REFERENCES, follow_ups=3)
            tasks: Any = stage.tasks
            steps = await contracts.steps_of(tasks.write(request))
        assert ["What is said about “History”?"] in [list(getattr(step, "questions", ())) for step in steps]

    async def test_an_unknown_name_is_refused_with_those_that_there_are(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("PARLEY_ANSWER_RECOMMEND_ENGINE", "no-such")
        with pytest.raises(SettingsError, match=r"RECOMMEND_ENGINE: no engine 'no-such' .*there are: rules, headings"):
            async with open_answer():
                pass

    async def test_one_that_cannot_be_opened_is_named(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        (tmp_path / "heading_questions.py").write_text("def open_engine():\n    raise OSError('no model')\n")
        monkeypatch.delitem(__import__("sys").modules, "heading_questions", raising=False)
        with pytest.raises(SettingsError, match=r"the engine 'headings' \(heading_questions:open_engine\) .*no model"):
            async with open_answer():
                pass


class TestFailing:
    """An engine that fails is replaced by the built-in one."""

    async def test_a_task_is_done_by_the_rules(self, answer: AnswerTasks) -> None:
        class Failing:
            async def extract(self, request: object) -> Any:
                raise RuntimeError(str(request)[:10])

        tasks = AnswerTasks(answer.writers, answer.extractor, Plugins({"extract": Failing()}))
        await contracts.check_extract(tasks)

    async def test_a_stream_says_that_it_was_degraded(self, answer: AnswerTasks) -> None:
        class Failing:
            async def write(self, request: object) -> Any:
                raise RuntimeError(str(request)[:10])
                yield

        tasks = AnswerTasks(answer.writers, answer.extractor, Plugins({"write": Failing()}))
        steps = await contracts.steps_of(tasks.write(WriteRequest(contracts.QUESTION, references=contracts.REFERENCES)))
        assert [step.reason for step in steps if isinstance(step, Degraded)] == ["ENGINE_UNAVAILABLE"]
        await contracts.check_write(tasks)
