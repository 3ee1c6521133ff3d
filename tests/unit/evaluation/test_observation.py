"""What the events of a turn leave in its line."""

import json
from typing import Any

from google.protobuf.json_format import Parse

from evaluation.observation import observe
from evaluation.runs import CitedPassage, FoundPassage, SaidSentence, TaskRun
from parley.gateway.v1 import event_pb2

TURN: list[dict[str, Any]] = [
    {
        "condensed": {
            "decision": "DECISION_CLARIFY",
            "reason": "it leans on nothing",
            "standalone": "Which one?",
            "strategy": "STRATEGY_WEIGHTED",
        }
    },
    {
        "understanding": {
            "ask_score": 1.5,
            "grounded_query": "Which one in 1969?",
            "question_supplement": {"is_supply": True, "supply_choices": ["Apollo", "Luna"]},
            "question_rejection": {"is_reject": True},
        }
    },
    {
        "references": {
            "references": [
                {
                    "number": 1,
                    "evidence": {
                        "passage": {"passage_id": "p1", "title": "Phoenix", "text": "It landed. On Mars."},
                        "scores": {"vector": 0.5},
                    },
                },
                {"number": 2, "evidence": {"passage": {"passage_id": "p2", "text": "It was cold."}}},
            ],
            "ranking": [{"passage_id": "p1", "score": 0.5}, {"passage_id": "p2", "score": 0.25}],
        }
    },
    {"text": {"paragraph": 1, "sentence": 1, "delta": "It "}},
    {"text": {"paragraph": 1, "sentence": 1, "delta": "landed.[1]"}},
    {"text": {"paragraph": 1, "sentence": 2, "delta": " In 1899.[2]"}},
    {"text": {"paragraph": 2, "sentence": 3, "delta": "\n\nNothing was found about this part of the question: why."}},
    {"citation": {"sentence": 2, "verdict": "VERDICT_WEAK", "references": [{"passage_id": "p2"}]}},
    {
        "citation": {
            "sentence": 1,
            "verdict": "VERDICT_VERIFIED",
            "references": [{"passage_id": "p1"}, {"passage_id": "p2"}],
        }
    },
    {
        "citation": {
            "sentence": 2,
            "verdict": "VERDICT_WITHDRAWN",
            "references": [{"passage_id": "p2"}],
            "replacement": "",
        }
    },
    {
        "text_end": {
            "text": "It landed.[1]\n\nNothing was found about this part of the question: why.",
            "gaps": ["Why?"],
        }
    },
    {
        "usage": {
            "milliseconds": 41.5,
            "tasks": [
                {"stage": "STAGE_RETRIEVE", "task": "probe", "milliseconds": 2},
                {"stage": "STAGE_RETRIEVE", "task": "retrieve", "milliseconds": 10.5},
                {"stage": "STAGE_ANSWER", "task": "write", "milliseconds": 3},
            ],
        }
    },
    {"completed": {"outcome": "OUTCOME_ANSWERED", "abstain_score": 0.75, "abstains": True}},
]


def events(turn: list[dict[str, Any]]) -> list[event_pb2.Event]:
    return [Parse(json.dumps(happening), event_pb2.Event()) for happening in turn]


def test_a_turn_leaves_all_that_is_scored() -> None:
    assert observe("t", events(TURN)) == TaskRun(
        "t",
        strategy="WEIGHTED",
        decision="CLARIFY",
        reason="it leans on nothing",
        standalone="Which one?",
        question="Which one in 1969?",
        docs=(("p1", 0.5), ("p2", 0.25)),
        references=(
            FoundPassage(1, "p1", "It landed. On Mars.", "Phoenix", 0.5),
            FoundPassage(2, "p2", "It was cold."),
        ),
        answer="It landed.[1]\n\nNothing was found about this part of the question: why.",
        sentences=(
            SaidSentence(1, "It landed.[1]"),
            SaidSentence(3, "Nothing was found about this part of the question: why."),
        ),
        gaps=("Why?",),
        citations=(
            CitedPassage(1, "p1", "verified"),
            CitedPassage(1, "p2", "verified"),
            CitedPassage(2, "p2", "withdrawn"),
        ),
        outcome="ANSWERED",
        abstained=True,
        abstain_score=0.75,
        asked_back=True,
        ask_score=1.5,
        choices=("Apollo", "Luna"),
        rejected=True,
        ms={"retrieve": 12.5, "answer": 3.0, "turn": 41.5},
    )


def test_an_event_of_a_later_version_is_passed_over() -> None:
    assert observe("t", [event_pb2.Event(), *events(TURN)]) == observe("t", events(TURN))
