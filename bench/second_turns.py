"""Second turns and short replies, read and condensed without a model: `python -m bench.second_turns FILE …`.

A file is JSON lines. A second turn has `first`, `second`, `wants` (search, form or courtesy); it is right if it is read
as that kind. A short reply has `before`, `assistant`, `reply`, `kind`, `picks`, `standalone` and `offered`:

- pick, accept: what was offered is the choice of a question back; right if exactly what `picks` names is picked, `all`
  and `none` included.
- ordinal: the answer lists things; right if the thing picked is the one that `picks` names.
- replace: right if the wording has the words of the reply, all words of the question before that `standalone` keeps,
  and none that it leaves out.

A file that is not there is left out. Nothing is started, and nothing but the files is read.
"""

import asyncio
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.labelled import Figure, read_lines, show
from bench.packaged_reader import packaged_reader
from libs.contracts.conversation import ConversationView, HistoryMessage, Speaker, TurnKind
from libs.contracts.query import DecisionRecord
from libs.language.turns.reader import read_turn, with_readings
from libs.text.tokens import content_stems
from services.decompose.condense.condenser import Condenser
from services.decompose.history import read_window
from services.decompose.turn_analysis import matter_of
from services.decompose.wording.service import WordingService

ANSWER = "It is written there."
"""What was answered where a file does not say: nothing that can be picked."""
KINDS = {TurnKind.COURTESY: "courtesy", TurnKind.FORM: "form"}
ASKED = ("pick", "accept")


@dataclass(frozen=True, slots=True)
class Case:
    """A turn, and what was made of it."""

    kind: str
    turn: str
    is_right: bool
    seen: str


def main() -> int:
    """Measure and print."""
    condenser = Condenser(WordingService(packaged_reader()))
    files = [Path(name) for name in sys.argv[1:] if Path(name).is_file()]
    cases = [case for file in files for row in read_lines(file) for case in _cases(row, condenser)]
    complaints = [f"{case.kind}: {case.turn!r} is {case.seen}" for case in cases if not case.is_right]
    show("Second turns", _figures(cases), complaints)
    return 0


def _figures(cases: Sequence[Case]) -> Iterator[Figure]:
    for kind in dict.fromkeys(case.kind for case in cases):
        of_kind = [case for case in cases if case.kind == kind]
        yield Figure(kind, len(of_kind), "right", sum(case.is_right for case in of_kind))


def _cases(row: dict[str, Any], condenser: Condenser) -> Iterator[Case]:
    if "second" in row:
        reading = read_turn(row["second"], _view(row["first"], ANSWER))
        seen = KINDS.get(reading.kind or TurnKind.QUESTION, "search")
        yield Case(f"second turns: {row['wants']}", row["second"], seen == row["wants"], seen)
    elif "reply" in row:
        offered = tuple(row["offered"]) if row["kind"] in ASKED else ()
        yield _reply(row, _view(row["before"], row["assistant"], offered), condenser)


def _view(question: str, answer: str, offered: tuple[str, ...] = ()) -> ConversationView:
    messages = (HistoryMessage(Speaker.USER, question), HistoryMessage(Speaker.AGENT, answer))
    return with_readings(ConversationView(messages, offered_choices=offered, asked_back=bool(offered)))


def _reply(row: dict[str, Any], view: ConversationView, condenser: Condenser) -> Case:
    reading = read_turn(row["reply"], view)
    turn = matter_of(reading) or row["reply"]
    record = asyncio.run(condenser.condense(turn, read_window(view), reading)).record
    name = f"short replies: {row['kind']}"
    if row["kind"] == "replace":
        is_right = _replaces(record, row, reading.language)
        return Case(name, row["reply"], is_right, repr(record.standalone))
    wanted = {"all": set(row["offered"]), "none": set()}.get(row["picks"], {row["picks"]})
    picked = {_named(pick, row["offered"]) for pick in reading.picks}
    is_right = picked == wanted and (row["picks"] != "none" or reading.declines)
    return Case(name, row["reply"], is_right, f"{sorted(picked)}, {record.standalone!r}")


def _named(pick: str, offered: Sequence[str]) -> str:
    """The option of the file that a pick names, as the answer writes it: `Medical` of `medical insurance`."""
    containing = [option for option in offered if pick.lower() in option.lower()]
    return pick if pick in offered or len(containing) != 1 else containing[0]


def _replaces(record: DecisionRecord, row: dict[str, Any], language: str) -> bool:
    made, right, before, reply = (
        set(content_stems(text, language))
        for text in (record.standalone, row["standalone"], row["before"], row["reply"])
    )
    return reply <= made and before & right <= made and not (before - right) & made


if __name__ == "__main__":
    sys.exit(main())
