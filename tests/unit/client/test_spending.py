"""Tokens and cost, no surer than their least sure part."""

from hypothesis import given
from hypothesis import strategies as st

from parley.client.evaluation import Completion, Message
from parley.client.evaluation.spending import Spending
from parley.context.v1 import usage_pb2

ASKED: list[Message] = [{"role": "user", "content": "Who landed first?"}]
SPENDINGS = st.builds(
    Spending,
    st.integers(0, 100),
    st.integers(0, 100),
    st.just(0.5),
    st.sampled_from(["NONE", "PROVIDER", "ESTIMATED"]),
    st.sampled_from(["NONE", "PRICE_TABLE", "UNKNOWN"]),
)


def test_a_task_of_the_suite_keeps_its_sources() -> None:
    task = usage_pb2.Usage(
        input_tokens=7,
        output_tokens=2,
        cost_usd=0.25,
        usage_source=usage_pb2.USAGE_SOURCE_PROVIDER,
        cost_source=usage_pb2.COST_SOURCE_PRICE_TABLE,
    )
    assert Spending.of_task(task) == Spending(7, 2, 0.25, "PROVIDER", "PRICE_TABLE")
    assert Spending.of_task(usage_pb2.Usage()) == Spending()


def test_what_nobody_counted_is_estimated_and_what_has_no_price_costs_nobody_knows_what() -> None:
    assert Spending.of_completion(ASKED, Completion("Viking 1.")) == Spending(5, 3, 0.0, "ESTIMATED", "UNKNOWN")
    completion = Completion("Viking 1.", 8, 4, 0.5)
    assert Spending.of_completion(ASKED, completion) == Spending(8, 4, 0.5, "PROVIDER", "PRICE_TABLE")


def test_nothing_adds_up_to_nothing() -> None:
    assert Spending.total([]) == Spending()


@given(st.lists(SPENDINGS, max_size=5))
def test_a_sum_is_as_sure_as_its_least_sure_part(parts: list[Spending]) -> None:
    total = Spending.total(parts)
    assert total.input_tokens == sum(part.input_tokens for part in parts)
    assert total.cost == 0.5 * len(parts)
    assert (total.usage_source == "ESTIMATED") == any(part.usage_source == "ESTIMATED" for part in parts)
    assert (total.cost_source == "NONE") == all(part.cost_source == "NONE" for part in parts)
