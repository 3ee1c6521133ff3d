"""Tokens count against the quota of the caller however the call ends, as far as stages told of them."""

import asyncio
from contextlib import nullcontext, suppress

import pytest

from gateway.turn.turns import Turns
from libs.contracts.usage import Stage, Usage, UsageSource
from libs.llm.errors import LlmUnusable
from libs.llm.tally import attach_usage
from libs.runtime.errors import QuotaExceeded, Unavailable
from libs.runtime.limits.admission import AdmissionSettings, admission_of
from libs.runtime.limits.callers import CallerLimits, QuotaSettings
from tests.fakes.stages import ScriptedStages
from tests.system.waiting import wait_for
from tests.unit.gateway.turning import ASK, DOWN

METHOD = "SupplyQuestion"
TOKENS = 1500


@pytest.fixture
def limits() -> CallerLimits:
    """A quota that condensing alone uses up."""
    settings = QuotaSettings(tokens_per_day=TOKENS)
    return CallerLimits(settings, admission_of(AdmissionSettings()), str, frozenset({METHOD}))


@pytest.fixture
def stages(stages: ScriptedStages) -> ScriptedStages:
    """Condensing uses a language model."""
    stages.condense_usage = (
        Usage(Stage.DECOMPOSE, "condense", input_tokens=1400, output_tokens=100, usage_source=UsageSource.PROVIDER),
    )
    return stages


def is_used_up(limits: CallerLimits) -> bool:
    """Whether the caller's next question is refused."""
    try:
        limits.begin(METHOD, "ann")
    except QuotaExceeded:
        return True
    return False


@pytest.mark.parametrize("failing", [(), ("understand",), ("condense", "understand")])
async def test_what_a_stage_used_is_counted_whether_or_not_the_question_can_be_judged(
    turns: Turns, stages: ScriptedStages, limits: CallerLimits, failing: tuple[str, ...]
) -> None:
    stages.failures |= dict.fromkeys(failing, DOWN)
    limits.begin(METHOD, "ann")
    with pytest.raises(Unavailable) if failing else nullcontext():
        await turns.supply(ASK)
    assert is_used_up(limits) == ("condense" not in failing)


@pytest.mark.parametrize("method", ["understand", "condense"])
async def test_those_that_a_failing_stage_tells_of(
    turns: Turns, stages: ScriptedStages, limits: CallerLimits, method: str
) -> None:
    stages.condense_usage = ()
    useless = LlmUnusable()
    attach_usage(useless, [Usage(Stage.INTENT, method, input_tokens=1400, output_tokens=100)])
    stages.failures |= {"understand": DOWN, method: useless}
    limits.begin(METHOD, "ann")
    with pytest.raises(Unavailable):
        await turns.supply(ASK)
    assert is_used_up(limits)


async def test_those_of_a_caller_who_leaves(turns: Turns, stages: ScriptedStages, limits: CallerLimits) -> None:
    stages.delays["understand"] = 60
    limits.begin(METHOD, "ann")
    call = asyncio.ensure_future(turns.supply(ASK))
    await asyncio.to_thread(wait_for, lambda: stages.count("understand") == 1)
    call.cancel()
    with suppress(asyncio.CancelledError):
        await call
    assert is_used_up(limits)
