"""Questions that take two steps, with and without a plan: `python -m bench.two_hops [FILE…]`.

Each is asked in a session of its own over the samples, once with `plan` ON and once OFF. It counts as found when the
answer as it ends cites every document that its line names, and as told when the answer's text holds the wanted words.
The lines were written before the splitter of questions was looked at (`bench/data/answers/two_hops.jsonl`).
"""

import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import grpc
from rich.console import Console

from bench import samples
from bench.labelled import DATA, Figure, read_lines
from bench.samples import suite_over_samples
from bench.turns import ask, document_name, passages_by_id
from parley.gateway.v1 import event_pb2, gateway_pb2, gateway_pb2_grpc

QUESTIONS = DATA / "answers" / "two_hops.jsonl"
SETS = ("two_hops", "two_hops_unseen", "two_hops_once")
ON, OFF = gateway_pb2.PLAN_ON, gateway_pb2.PLAN_OFF


@dataclass(frozen=True, slots=True)
class TwoHops:
    """A question, and what a right answer has."""

    shape: str
    question: str
    cites: tuple[frozenset[str], ...]
    """Names of documents without `.md`: of each set one has to be cited."""
    answer: tuple[str, ...]
    """Words of which one has to stand in the answer."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a question."""

    question: TwoHops
    cited: frozenset[str]
    text: str
    plan: tuple[str, ...]

    @property
    def is_found(self) -> bool:
        """Whether each wanted document is cited."""
        return all(alternatives & self.cited for alternatives in self.question.cites)

    @property
    def is_answered(self) -> bool:
        """Whether the wanted words stand in the answer, too."""
        return self.is_found and any(words in self.text for words in self.question.answer)


def read_questions(file: Path = QUESTIONS) -> list[TwoHops]:
    """A line of JSON each: shape, question, cites (a list of alternatives a document), answer."""
    return [
        TwoHops(line["shape"], line["question"], tuple(map(frozenset, line["cites"])), tuple(line["answer"]))
        for line in read_lines(file)
    ]


def ask_outcome(
    stub: gateway_pb2_grpc.GatewayServiceStub, two_hops: TwoHops, plan: gateway_pb2.Plan.ValueType
) -> Outcome:
    """One turn of its own."""
    events = ask(stub, two_hops.question, plan=plan)
    (text,) = [event.text_end.text for event in events if event.HasField("text_end")]
    nodes = next((event.plan.graph.nodes for event in events if event.HasField("plan")), ())
    return Outcome(two_hops, frozenset(_cited_documents(events)), text, tuple(node.text for node in nodes))


def _cited_documents(events: Sequence[event_pb2.Event]) -> Iterable[str]:
    """Names of the documents that the answer cites as it ends."""
    passages = passages_by_id(events)
    for event in events:
        is_withdrawn = event.citation.HasField("replacement") and not event.citation.replacement
        for span in () if is_withdrawn else event.citation.references:
            yield document_name(passages[span.passage_id])


def measure(address: str, questions: Sequence[TwoHops]) -> tuple[list[Outcome], list[Outcome]]:
    """All questions with a plan, and without."""
    with grpc.insecure_channel(address) as channel:
        stub = gateway_pb2_grpc.GatewayServiceStub(channel)
        with_plan, without_plan = ([ask_outcome(stub, each, plan) for each in questions] for plan in (ON, OFF))
        return with_plan, without_plan


def share(outcomes: Sequence[Outcome]) -> float:
    """Of the questions that end with the right documents cited."""
    return sum(outcome.is_found for outcome in outcomes) / len(outcomes)


def quality(address: str) -> list[Figure]:
    """Shares of right documents with and without a plan, and of right answers with one."""
    figures = []
    for name in SETS:
        with_plan, without_plan = measure(address, read_questions(DATA / "answers" / f"{name}.jsonl"))
        counts = {
            "planned: cited": sum(outcome.is_found for outcome in with_plan),
            "planned: cited and told": sum(outcome.is_answered for outcome in with_plan),
            "not planned: cited": sum(outcome.is_found for outcome in without_plan),
        }
        figures += [Figure(name.replace("_", " "), len(with_plan), what, count) for what, count in counts.items()]
    return figures


def report(console: Console, title: str, with_plan: Sequence[Outcome], without_plan: Sequence[Outcome]) -> None:
    """A line a shape, the sums, and each question that failed with its plan."""
    shapes = dict.fromkeys(outcome.question.shape for outcome in with_plan)
    rows = [
        _row(shape, *([o for o in side if o.question.shape == shape] for side in (with_plan, without_plan)))
        for shape in shapes
    ]
    columns = ("shape", "questions", "cited, planned", "cited, not planned", "told, planned", "told, not planned")
    samples.report(console, title, [*rows, _row("all", with_plan, without_plan)], columns)
    for outcome in with_plan:
        if not outcome.is_answered:
            cited = ", ".join(sorted(outcome.cited)) or "nothing"
            lacks = "is told otherwise" if outcome.is_found else f"cites {cited}"
            console.print(f"- {outcome.question.question}\n  {lacks}; plan: {' | '.join(outcome.plan)}", markup=False)


def _row(shape: str, with_plan: Sequence[Outcome], without_plan: Sequence[Outcome]) -> tuple[str, ...]:
    found = [sum(outcome.is_found for outcome in side) for side in (with_plan, without_plan)]
    answered = [sum(outcome.is_answered for outcome in side) for side in (with_plan, without_plan)]
    return shape, *map(str, (len(with_plan), *found, *answered))


def main(files: Sequence[str]) -> int:
    """Measure each file's questions and print."""
    console = Console()
    with suite_over_samples() as suite:
        for file in map(Path, files or [str(QUESTIONS)]):
            with_plan, without_plan = measure(suite.address, read_questions(file))
            title = f"{file.name}: {share(with_plan):.0%} planned, {share(without_plan):.0%} not"
            report(console, title, with_plan, without_plan)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
