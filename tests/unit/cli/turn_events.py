"""Events of turns as the command line is told them, and what a terminal receives of them."""

import io
import json
import re
from typing import Any

from google.protobuf.json_format import Parse
from rich.console import Console

from cli.ask.event_renderer import EventRenderer
from cli.ask.question_file import ScriptedTurn
from cli.ask.terminal import TerminalPage
from parley.gateway.v1 import event_pb2


def turn(*happenings: dict[str, Any], outcome: str = "OUTCOME_ANSWERED", session: str = "s-1") -> list[Any]:
    """Events, numbered, with their good end."""
    contents = [*happenings, {"completed": {"outcome": outcome, "session_id": session}}]
    return [
        Parse(json.dumps({"turn_id": "q-1", "seq": number, **happening}), event_pb2.Event())
        for number, happening in enumerate(contents, start=1)
    ]


CONDENSED = {
    "condensed": {
        "decision": "DECISION_CONDENSE",
        "raw": "What about the last signal?",
        "standalone": "What about the last signal of Phoenix?",
        "reason": "the fragment lacks its topic",
        "engine": "rules",
    }
}
REFERENCES = {
    "references": {
        "references": [
            {
                "number": number,
                "evidence": {
                    "passage": {
                        "passage_id": f"{name}#0",
                        "document_id": name,
                        "title": name.title(),
                        "url": f"https://example.org/{name}",
                        "date": "2024-03-01",
                    }
                },
            }
            for number, name in enumerate(("phoenix", "spirit"), start=1)
        ]
    }
}
TEXT: list[dict[str, Any]] = [
    {"text": {"paragraph": 1, "sentence": 1, "delta": "The last signal was received"}},
    {"text": {"paragraph": 1, "sentence": 1, "delta": " on 2 November 2008 [1]."}},
    {"citation": {"sentence": 1, "verdict": "VERDICT_VERIFIED", "references": [{"number": 1}]}},
    {"text": {"paragraph": 1, "sentence": 2, "delta": " Nothing was heard after."}},
]
WHOLE = "The last signal was received on 2 November 2008 [1]. Nothing was heard after."
ANSWERED: list[dict[str, Any]] = [
    {"state": {"stage": "STAGE_INTENT", "activity": "understanding the question"}},
    CONDENSED,
    {"plan": {"graph": {"nodes": [{"id": "1", "text": "What about the last signal of Phoenix?"}]}}},
    {"sub_query": {"node_id": "1", "status": "SUB_QUERY_STATUS_STARTED", "text": "the last signal of Phoenix"}},
    {"sub_query": {"node_id": "1", "status": "SUB_QUERY_STATUS_DONE", "text": "the last signal", "evidence": 7}},
    REFERENCES,
    *TEXT,
    {"text_end": {"text": WHOLE, "gaps": ["what Spirit did"]}},
    {"recommendation": {"questions": ["When did Phoenix land?"]}},
    {
        "usage": {
            "milliseconds": 41.6,
            "tasks": [
                {"stage": "STAGE_RETRIEVE", "task": "retrieve", "milliseconds": 12.25},
                {"stage": "STAGE_DECOMPOSE", "task": "condense", "milliseconds": 2},
            ],
        }
    },
]
TIMELINE = {
    "timeline": {
        "granularity": "GRANULARITY_MONTH",
        "events": [
            {
                "event_id": "a",
                "text": "Phoenix was launched.",
                "start": {"year": 2007, "month": 8},
                "precision": "PRECISION_MONTH",
                "sources": [{"passage_id": "elsewhere#3", "document_id": "elsewhere"}],
            },
            {
                "event_id": "b",
                "text": "Phoenix landed.",
                "start": {"year": 2008, "month": 5, "day": 25},
                "precision": "PRECISION_DAY",
                "sources": [{"passage_id": "phoenix#0", "document_id": "phoenix"}],
                "highlights": [{"start": 0, "end": 7}],
            },
        ],
        "conflicts": [{"event_ids": ["a"], "reason": "two launch days are told"}],
    }
}


def on_terminal(*happenings: dict[str, Any], width: int = 60, verbose: bool = False) -> str:
    """What a terminal of that width receives."""
    console = Console(file=io.StringIO(), force_terminal=True, color_system="standard", width=width, highlight=False)
    EventRenderer(TerminalPage(console), verbose).show(ScriptedTurn(question="When?"), turn(*happenings))
    out = console.file
    assert isinstance(out, io.StringIO)
    return out.getvalue()


def bare(terminal_text: str) -> str:
    """Without the codes that move the cursor or colour."""
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", terminal_text)
