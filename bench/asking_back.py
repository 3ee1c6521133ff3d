"""Picks after a question back that end in an answer about what was picked: `python -m bench.asking_back`.

Each choice of five unclear questions is picked by its place and by its words, in a conversation of its own. It counts
as answered when the answer cites a document of that title. The questions are chosen by hand.
"""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import uuid4

from bench.labelled import Figure, show
from bench.samples import suite_over_samples
from bench.turns import Stub, ask, gateway_at, outcome_of, passages_by_id
from parley.gateway.v1 import event_pb2

UNCLEAR = (
    "When did it land?",
    "What did this rover find?",
    "Where did this lander touch down?",
    "What instruments did it carry?",
    "How did the crew of that flight survive?",
)
POSITIONS = ("the first one", "the second one", "number 3", "the fourth one please", "the fifth")


@dataclass(frozen=True, slots=True)
class Pick:
    """A pick as the next turn."""

    question: str
    turn: str
    choice: str
    cited: frozenset[str]
    """Titles of the documents that the answer cites."""

    @property
    def is_answered(self) -> bool:
        """Whether the answer cites what was picked."""
        return self.choice in self.cited


def choices(events: Sequence[event_pb2.Event]) -> list[str]:
    """What a question back offers."""
    (event,) = [event for event in events if event.HasField("understanding")]
    return list(event.understanding.question_supplement.supply_choices)


def cited_titles(events: Sequence[event_pb2.Event]) -> frozenset[str]:
    """Titles of the documents that an answer cites; none where there is no answer."""
    if outcome_of(events[-1].completed) != "ANSWERED":
        return frozenset()
    passages = passages_by_id(events)
    return frozenset(passages[span.passage_id].title for event in events for span in event.citation.references)


def pick(stub: Stub, question: str, turn: str, position: int) -> Pick:
    """The question in a session of its own, then the pick."""
    session = f"asking-{uuid4().hex}"
    choices_offered = choices(ask(stub, question, session))
    return Pick(question, turn, choices_offered[position], cited_titles(ask(stub, turn, session)))


def measure(address: str) -> list[Pick]:
    """Every choice of every question, picked both ways."""
    with gateway_at(address) as stub:
        return [
            pick(stub, question, turn, position)
            for question in UNCLEAR
            for position, choice in enumerate(choices(ask(stub, question)))
            for turn in (POSITIONS[position], choice)
        ]


def quality(address: str) -> list[Figure]:
    """Over a suite with the samples."""
    return figures_of(measure(address))


def figures_of(picks: Sequence[Pick]) -> list[Figure]:
    """What the picks come to."""
    return [Figure("asking back: picks", len(picks), "answered", sum(each.is_answered for each in picks))]


def main() -> int:
    """Measure and print."""
    with suite_over_samples() as suite:
        picks = measure(suite.address)
    others = [each for each in picks if not each.is_answered]
    complaints = [f"{each.question} / {each.turn}: cites {sorted(each.cited)}" for each in others]
    show("Picks after a question back", figures_of(picks), complaints)
    return 0


if __name__ == "__main__":
    sys.exit(main())
