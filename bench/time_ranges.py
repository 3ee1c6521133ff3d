"""Facts of the time that a question asks for: `python -m bench.time_ranges [FILE FOLDER]`.

Without arguments the set in bench/data/time is asked. FOLDER holds dated documents (logs, minutes, policies of several
years). A line of FILE is JSON: `question`, `today`, `history` (what was asked before in the same conversation),
`facts_in` (patterns that the answer has to hold) and `facts_out` (patterns of other times that it must not hold). Every
option is the suite's own but the moment of asking, which is the evening of `today`. A fact of another time is marked if
the turn says that nothing of its own was found.

Asking blocks; what the suite raises (grpc.RpcError) ends the bench.
"""

import re
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from pathlib import Path
from typing import Any
from uuid import uuid4

from google.protobuf.timestamp_pb2 import Timestamp

from bench.labelled import DATA, Figure, read_lines, show
from bench.suite import running_suite
from bench.turns import Stub, ask, gateway_at
from parley.gateway.v1 import event_pb2

EVENING = time(20, tzinfo=UTC)
"""When a question is asked: what happened today has happened (taste)."""
NONE_IN_RANGE = "Nothing dated"
"""How `degraded` begins by which a turn says that nothing of the time was found."""


@dataclass(frozen=True, slots=True)
class TimeAnswer:
    """What a question on time was answered, and its facts."""

    line: dict[str, Any]
    text: str
    is_hedged: bool
    """Whether it says that nothing of the time was found."""

    @property
    def missing(self) -> list[str]:
        """Facts in the range that it lacks."""
        return [fact for fact in self.line["facts_in"] if not self._shows(fact)]

    @property
    def unmarked(self) -> list[str]:
        """Facts of other times that it shows as if they were in the range."""
        return [] if self.is_hedged else [fact for fact in self.line["facts_out"] if self._shows(fact)]

    def _shows(self, fact: str) -> bool:
        return re.search(fact, self.text, re.IGNORECASE) is not None


def answer_line(stub: Stub, line: dict[str, Any], collection: str = "") -> TimeAnswer:
    """Ask the history and then the question, in a session of its own."""
    now, session = Timestamp(), f"time-{uuid4().hex}"
    now.FromDatetime(datetime.combine(date.fromisoformat(line["today"]), EVENING))
    events: Sequence[event_pb2.Event] = []
    for question in (*line.get("history", ()), line["question"]):
        events = ask(stub, question, session, now=now, collection=collection)
    text = next((event.text_end.text for event in reversed(events) if event.HasField("text_end")), "")
    return TimeAnswer(
        line,
        " ".join(text.replace("**", "").split()),
        any(event.degraded.effect.startswith(NONE_IN_RANGE) for event in events),
    )


def measure(file: Path, folder: Path) -> list[TimeAnswer]:
    """Ask every line over a suite that holds the folder alone."""
    with (
        tempfile.TemporaryDirectory(prefix="parley-time-") as data,
        running_suite(Path(data) / "data", processes=1) as suite,
    ):
        suite.parley("ingest", str(folder))
        with gateway_at(suite.address) as stub:
            return [answer_line(stub, line) for line in read_lines(file)]


def figures_of(name: str, answers: Sequence[TimeAnswer]) -> list[Figure]:
    """What the answers come to."""
    facts_in = sum(len(answer.line["facts_in"]) for answer in answers)
    facts_out = sum(len(answer.line["facts_out"]) for answer in answers)
    missing, unmarked = sum(len(answer.missing) for answer in answers), sum(len(answer.unmarked) for answer in answers)
    clean = sum(not answer.missing and not answer.unmarked for answer in answers)
    return [
        Figure(f"{name}: facts in range", facts_in, "shown", facts_in - missing),
        Figure(f"{name}: facts out of range", facts_out, "shown unmarked", unmarked),
        Figure(f"{name}: questions", len(answers), "with all of the first and none of the second", clean),
    ]


def main(arguments: Sequence[str]) -> int:
    """Measure and print; what was missed or shown too much stands below."""
    file, folder = map(Path, arguments) if arguments else (DATA / "time/questions.jsonl", DATA / "time/documents")
    answers = measure(file, folder)
    complaints = [
        f"{' / '.join((*answer.line.get('history', ()), answer.line['question']))}: "
        f"lacks {answer.missing}, shows {answer.unmarked}\n  {answer.text}"
        for answer in answers
        if answer.missing or answer.unmarked
    ]
    show("Questions on time", figures_of(file.stem, answers), complaints)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
