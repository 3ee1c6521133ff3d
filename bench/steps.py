"""Questions that take steps, planned by the rules: `python -m bench.steps [FILE…]` says how many are planned right.

Each line names the wanted steps; `#1` in one stands for the answer of the first. A step of placeholders alone is a
computation, whose function may be named. A plan is right when:

- it has the wanted steps, as many and in that order. A computation counts as a part of the last step that it waits for,
  so it does not matter whether the wanted plan says it apart;
- each step waits for the wanted ones, and the wanted function, if one is named, is called;
- each step has >= 80 % of the wanted step's content words, of those that stand in the question: a stranger's wording
  may know more than the question says. At most 20 % of its words belong to other steps alone.

Steps and links are counted by themselves, too. Our own lines were written before the rules that plan them. Nothing is
searched.
"""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.labelled import DATA, Figure, read_lines, show
from libs.contracts.query import QueryGraph
from libs.graph.placeholders import PLACEHOLDER, named_in
from libs.language.detection import reading_language
from libs.language.known import ENGLISH
from libs.text.tokens import content_stems
from services.decompose.plan.split import Splitter
from services.decompose.words.domain import load_domain

OWN = DATA / "steps" / "own.jsonl"
WORDS_KEPT = 0.8
"""Least share of a wanted step's words, and greatest share of a step's words that are its own (by hand)."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step, with the computations that follow from it."""

    text: str
    computations: tuple[str, ...]
    waits_for: frozenset[int]
    """Positions of earlier steps, from 0."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A question and the plan that it wants."""

    question: str
    steps: tuple[Step, ...]
    function: str | None


def read_wanted(file: Path) -> list[Wanted]:
    """A line of JSON each: question, steps, and the function of a computation if one is wanted."""
    return [wanted_plan(str(line["question"]), list(line["steps"]), line.get("function")) for line in read_lines(file)]


def wanted_plan(question: str, texts: Sequence[str], function: str | None) -> Wanted:
    """The plan of a question by the texts of its steps, and the function that it has to call, if any."""
    places = {str(number): number - 1 for number in range(1, len(texts) + 1)}
    links = [frozenset(places[name] for name in named_in(text) if name in places) for text in texts]
    is_computed = [not PLACEHOLDER.sub(" ", text).strip() for text in texts]
    return Wanted(question, _steps(texts, links, is_computed), function)


def planned_steps(graph: QueryGraph) -> tuple[Step, ...]:
    """The steps of a plan."""
    places = {node.id: position for position, node in enumerate(graph.nodes)}
    links = [frozenset(places[link] for link in node.links) for node in graph.nodes]
    return _steps([node.text for node in graph.nodes], links, [node.function_call is not None for node in graph.nodes])


def _steps(texts: Sequence[str], links: Sequence[frozenset[int]], is_computed: Sequence[bool]) -> tuple[Step, ...]:
    """The steps, each computation folded into the last step that it waits for."""
    steps: list[Step] = []
    step_of: list[int] = []
    for text, waits, computed in zip(texts, links, is_computed, strict=True):
        former = frozenset(step_of[place] for place in waits)
        if computed and former:
            last = max(former)
            step = steps[last]
            steps[last] = Step(step.text, (*step.computations, text), step.waits_for | former - {last})
            step_of.append(last)
        else:
            step_of.append(len(steps))
            steps.append(Step(text, (), former))
    return tuple(steps)


def fault_of_links(wanted: Wanted, graph: QueryGraph) -> str:
    """What is wrong with the steps of a plan and what they wait for; empty if they are right."""
    steps = planned_steps(graph)
    if len(steps) != len(wanted.steps):
        return f"{len(steps)} steps"
    functions = [node.function_call.name for node in graph.nodes if node.function_call]
    if wanted.function and wanted.function not in functions:
        return f"computes {functions or 'nothing'}"
    if any(step.waits_for != other.waits_for for step, other in zip(steps, wanted.steps, strict=True)):
        return "waits for other steps"
    return ""


def fault_of_words(wanted: Wanted, graph: QueryGraph, language: str) -> str:
    """What is wrong with the words of a plan whose steps are right; empty if they are right."""
    steps = planned_steps(graph)
    said = _stems(wanted.question, language)
    wanted_words = [_stems(step.text, language) & said for step in wanted.steps]
    for number, (step, words) in enumerate(zip(steps, wanted_words, strict=True), start=1):
        own = _stems(step.text, language)
        known = own.union(*(_stems(text, language) for text in step.computations))
        if len(words & known) < WORDS_KEPT * len(words):
            return f"step {number} lacks {', '.join(sorted(words - known))}"
        others = own & frozenset[str]().union(*wanted_words) - words
        if len(others) > (1 - WORDS_KEPT) * len(own):
            return f"step {number} has {', '.join(sorted(others))} of another"
    return ""


def _stems(text: str, language: str) -> frozenset[str]:
    return frozenset(content_stems(PLACEHOLDER.sub(" ", text), language))


@dataclass(frozen=True, slots=True)
class Planned:
    """A question, its plan, and what is wrong with it."""

    wanted: Wanted
    graph: QueryGraph
    fault_of_links: str
    fault: str
    """Of its links or, if they are right, its words; empty if both are right."""


def plan_questions(file: Path) -> list[Planned]:
    """Plan the questions of a file."""
    splitter, planned = Splitter(load_domain(language=ENGLISH)), []
    for wanted in read_wanted(file):
        language = reading_language(wanted.question)
        graph = splitter.plan(wanted.question, None, language)
        links = fault_of_links(wanted, graph)
        planned.append(Planned(wanted, graph, links, links or fault_of_words(wanted, graph, language)))
    return planned


def figures_of(planned: Sequence[Planned]) -> list[Figure]:
    """What the plans come to."""
    links, words = sum(not each.fault_of_links for each in planned), sum(not each.fault for each in planned)
    name, cases = "questions in steps", len(planned)
    return [Figure(name, cases, "right steps and links", links), Figure(name, cases, "with their words", words)]


def figures() -> list[Figure]:
    """Of our own questions."""
    return figures_of(plan_questions(OWN))


def main(files: Sequence[str]) -> int:
    """Plan each file's questions and print."""
    for file in map(Path, files or [str(OWN)]):
        planned = plan_questions(file)
        plans = [(each, " | ".join(node.text for node in each.graph.nodes)) for each in planned if each.fault]
        complaints = [f"{each.wanted.question}\n  {each.fault}; plan: {plan}" for each, plan in plans]
        show(file.name, figures_of(planned), complaints)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
