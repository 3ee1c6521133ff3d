"""What language models took, tokens and dollars, added up without becoming surer than its parts. Pure functions."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from parley.client.evaluation.llms import Completion, Message, estimated_tokens
from parley.context.v1 import usage_pb2

_LEAST_SURE_USAGE = ("ESTIMATED", "PROVIDER")
_LEAST_SURE_COST = ("UNKNOWN", "PRICE_TABLE")


@dataclass(frozen=True, slots=True)
class Spending:
    """Tokens, US dollars, and where both come from."""

    input_tokens: int = 0
    output_tokens: int = 0
    cost: float = 0.0
    usage_source: str = "NONE"
    cost_source: str = "NONE"

    @classmethod
    def total(cls, parts: Iterable["Spending"]) -> "Spending":
        """The sum; each source is that of the least sure part."""
        spendings = list(parts)
        return cls(
            sum(part.input_tokens for part in spendings),
            sum(part.output_tokens for part in spendings),
            sum(part.cost for part in spendings),
            _least_sure(_LEAST_SURE_USAGE, (part.usage_source for part in spendings)),
            _least_sure(_LEAST_SURE_COST, (part.cost_source for part in spendings)),
        )

    @classmethod
    def of_task(cls, task: usage_pb2.Usage) -> "Spending":
        """A task of the suite."""
        return cls(
            task.input_tokens,
            task.output_tokens,
            task.cost_usd,
            _name(usage_pb2.UsageSource.Name(task.usage_source)),
            _name(usage_pb2.CostSource.Name(task.cost_source)),
        )

    @classmethod
    def of_completion(cls, messages: Sequence[Message], completion: Completion) -> "Spending":
        """An answer of the caller's own model; tokens that nobody counted are estimated."""
        has_counts = completion.input_tokens is not None and completion.output_tokens is not None
        prompts = [message["content"] for message in messages]
        return cls(
            completion.input_tokens if completion.input_tokens is not None else estimated_tokens(*prompts),
            completion.output_tokens if completion.output_tokens is not None else estimated_tokens(completion.text),
            completion.cost_usd or 0.0,
            "PROVIDER" if has_counts else "ESTIMATED",
            "UNKNOWN" if completion.cost_usd is None else "PRICE_TABLE",
        )


def _least_sure(order: tuple[str, str], sources: Iterable[str]) -> str:
    present = set(sources)
    return next((source for source in order if source in present), "NONE")


def _name(member: str) -> str:
    """Without the enum's own name; an unspecified source is none."""
    name = member.removeprefix("USAGE_SOURCE_").removeprefix("COST_SOURCE_")
    return "NONE" if name == "UNSPECIFIED" else name
