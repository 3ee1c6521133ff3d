"""Rewrites of a language model that writes what a file says: `python -m bench.rewrites [FILE…]` counts those used.

A file is JSON lines with `history` (`speaker`, `text`), `last_turn`, `rewrite`, and whether the rewrite `keeps` the
names, numbers, dates and negations of the conversation: then it is to be used, in whatever words; else the rules' is.
Our own lines were written by somebody who knows the checks. Nothing is started.
"""

import asyncio
import json
import sys
from collections.abc import AsyncGenerator, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from bench.labelled import DATA, Figure, read_lines, show
from libs.contracts.conversation import ConversationView, HistoryMessage, Speaker
from libs.contracts.query import DecisionRecord
from libs.contracts.stages.decompose import CondenseRequest
from libs.contracts.usage import Stage, Usage
from libs.llm.messages import Delta, JsonSchema, Message
from libs.llm.prompts import PromptLibrary
from services.decompose.decomposer import Decomposer
from services.decompose.prepare_llm import PROMPT, LlmPreparer
from services.decompose.stage import PROMPTS
from services.decompose.turn_analysis import DecomposeBounds
from services.decompose.words.domain import load_domain

OWN = DATA / "rewrites" / "own.jsonl"


@dataclass(frozen=True, slots=True)
class Writing:
    """A language model that rewrites every turn to one question."""

    rewrite: str

    async def stream(
        self, messages: Sequence[Message], *, task: str, max_tokens: int | None = None, schema: JsonSchema | None = None
    ) -> AsyncGenerator[Delta, None]:
        """See `ChatModel`."""
        yield Delta(json.dumps({"standalone": self.rewrite}), Usage(Stage.DECOMPOSE, task, 0.0))


Case: TypeAlias = tuple[dict[str, Any], DecisionRecord]
"""A line of a file, and the record of its turn."""


def figures() -> list[Figure]:
    """Of our own lines."""
    return list(_figures(asyncio.run(_cases([OWN]))))


def main() -> int:
    """Measure and print."""
    cases = asyncio.run(_cases([Path(name) for name in sys.argv[1:]] or [OWN]))
    wrong = [(row, record) for row, record in cases if _is_used(record) != row["keeps"]]
    complaints = [f"{row['last_turn']!r} as {row['rewrite']!r}: {record.reason}" for row, record in wrong]
    show("Rewrites", _figures(cases), complaints)
    return 0


async def _cases(files: Sequence[Path]) -> list[Case]:
    domain, prompt = load_domain(language="en"), PromptLibrary(PROMPTS).load(*PROMPT)
    cases = []
    for row in (row for file in files for row in read_lines(file)):
        model = LlmPreparer(Writing(row["rewrite"]), prompt)
        request = CondenseRequest(row["last_turn"], _view(row["history"]))
        condensed = await Decomposer(domain, DecomposeBounds(), model).condense(request)
        cases.append((row, condensed.record))
    return cases


def _view(history: Sequence[dict[str, str]]) -> ConversationView:
    return ConversationView(tuple(HistoryMessage(Speaker(line["speaker"].upper()), line["text"]) for line in history))


def _figures(cases: Sequence[Case]) -> Iterator[Figure]:
    for keeps, name in ((True, "kept"), (False, "changed")):
        used = [_is_used(record) for row, record in cases if row["keeps"] is keeps]
        yield Figure(f"a model's rewrites: names, numbers {name}", len(used), "used", sum(used))


def _is_used(record: DecisionRecord) -> bool:
    return record.engine == "llm"


if __name__ == "__main__":
    sys.exit(main())
