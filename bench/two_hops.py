"""Questions that take two steps, with and without a plan: `python -m bench.two_hops [FILE…]`.

Each is asked in a session of its own over the samples, once with `plan` ON and once OFF. It counts as found when the
answer as it ends cites every document that its line names, and as told when the answer's text holds the wanted words.
The lines were written before the splitter of questions was looked at (`bench/data/answers/two_hops.jsonl`).
"""

import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.labelled import DATA, Figure, read_lines, show
from bench.samples import suite_over_samples
from bench.turns import Stub, ask, document_name, gateway_at, passages_by_id
from parley.gateway.v1 import event_pb2, gateway_pb2

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


def read_questions(file: Path) -> list[TwoHops]:
    """A line of JSON each: shape, question, cites (a list of alternatives a document), answer."""
    return [
        TwoHops(line["shape"], line["question"], tuple(map(frozenset, line["cites"])), tuple(line["answer"]))
        for line in read_lines(file)
    ]


def ask_outcome(stub: Stub, two_hops: TwoHops, plan: gateway_pb2.Plan.ValueType) -> Outcome:
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


def measure(address: str, file: Path) -> tuple[list[Outcome], list[Outcome]]:
    """All questions of a file with a plan, and without."""
    questions = read_questions(file)
    with gateway_at(address) as stub:
        with_plan, without_plan = ([ask_outcome(stub, each, plan) for each in questions] for plan in (ON, OFF))
        return with_plan, without_plan


def figures_of(name: str, with_plan: Sequence[Outcome], without_plan: Sequence[Outcome]) -> list[Figure]:
    """Shares of right documents with and without a plan, and of right answers with one."""
    counts = {
        "planned: cited": sum(outcome.is_found for outcome in with_plan),
        "planned: cited and told": sum(outcome.is_answered for outcome in with_plan),
        "not planned: cited": sum(outcome.is_found for outcome in without_plan),
    }
    return [Figure(name, len(with_plan), what, count) for what, count in counts.items()]


def quality(address: str) -> list[Figure]:
    """Of all files."""
    return [
        figure
        for name in SETS
        for figure in figures_of(name.replace("_", " "), *measure(address, DATA / "answers" / f"{name}.jsonl"))
    ]


def complaint(outcome: Outcome) -> str:
    """What an answer lacks, and its plan."""
    cited = ", ".join(sorted(outcome.cited)) or "nothing"
    lacks = "is told otherwise" if outcome.is_found else f"cites {cited}"
    return f"{outcome.question.question}\n  {lacks}; plan: {' | '.join(outcome.plan)}"


def main(files: Sequence[str]) -> int:
    """Measure each file's questions and print, by shape and together."""
    with suite_over_samples() as suite:
        for file in map(Path, files or [str(QUESTIONS)]):
            sides = measure(suite.address, file)
            shapes = dict.fromkeys(outcome.question.shape for outcome in sides[0])
            by_shape = {shape: [[o for o in side if o.question.shape == shape] for side in sides] for shape in shapes}
            figures = [figure for shape, of_shape in by_shape.items() for figure in figures_of(shape, *of_shape)]
            complaints = [complaint(outcome) for outcome in sides[0] if not outcome.is_answered]
            show(file.name, [*figures, *figures_of("all", *sides)], complaints)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
