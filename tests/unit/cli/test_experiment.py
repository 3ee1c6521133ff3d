"""`parley experiment mmr`: what is asked, what is written, and how a run goes on wherever it was left."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from google.protobuf.json_format import Parse, ParseDict
from typer.testing import Result

from libs.runtime.errors import Unavailable
from parley.context.v1 import conversation_pb2, query_pb2
from parley.gateway.v1 import event_pb2, gateway_pb2
from parley.retrieve.v1 import corpus_pb2, retrieve_pb2
from tests.unit.cli.conftest import Run

INTERMEDIATE_KEYS = [
    "original_query",
    "rewritten_query",
    "num_extracted_sentences",
    "extracted_sentences",
    "num_clusters",
    "cluster_sizes",
    "representative_sentences",
    "selected_sentences",
    "contexts",
    "agent_response",
]
FIRST, SECOND = {"text": "Who landed first?", "speaker": "SPEAKER_USER"}, {"text": "Apollo 11 did.", "turn": 1}
SELECTION = {
    "extracted": [FIRST, {**SECOND, "speaker": "SPEAKER_AGENT"}],
    "cluster_sizes": [1, 1],
    "representatives": [FIRST],
    "selected": [{"sentence": {**SECOND, "speaker": "SPEAKER_AGENT"}, "cluster": 1}, {"sentence": FIRST}],
}
PASSAGE = {"passage_id": "p1", "title": "Apollo", "text": "In 1969.", "url": "https://example.org/apollo"}


def task(conversation: str, turn: int, question: str) -> dict[str, Any]:
    return {
        "task_id": f"{conversation}<::>{turn}",
        "conversation_id": conversation,
        "turn": turn,
        "domain": "moon",
        "history": [{"speaker": "agent", "text": "The answer that people wrote."}],
        "last_turn": question,
    }


TASKS = [task("a", 2, "And when?"), task("b", 1, "What is it?"), task("a", 1, "Who landed?"), task("a", 4, "Why?")]
IN_ORDER = ["a<::>1", "a<::>2", "a<::>4", "b<::>1"]


def turn(number: int) -> list[Any]:
    contents: list[dict[str, Any]] = [
        {"condensed": {"standalone": f"question {number}", "selection": SELECTION if number == 2 else {}}},
        {"references": {"references": [{"number": 1, "evidence": {"passage": PASSAGE, "scores": {"fused": 0.5}}}]}},
        {"text_end": {"text": f"answer {number}"}},
        {"completed": {"outcome": "OUTCOME_ANSWERED"}},
    ]
    return [Parse(json.dumps(happening), event_pb2.Event()) for happening in contents]


def suite(engine: str, sparse_model: str = "none") -> gateway_pb2.GetServerInfoResponse:
    """A suite whose stage decompose rewrites by an engine, and that has a model of terms or none."""
    capabilities = [{"task": "decompose", "engine": "llm"}, {"task": "condense", "engine": engine}]
    decompose = {"stage": "STAGE_DECOMPOSE", "info": {"capabilities": capabilities}}
    terms = [{"task": "search by learned terms", "engine": sparse_model}]
    retrieve = {"stage": "STAGE_RETRIEVE", "info": {"capabilities": terms}}
    stages = [{"stage": "STAGE_GATEWAY"}, decompose, retrieve]
    return ParseDict({"stages": stages}, gateway_pb2.GetServerInfoResponse())


@pytest.fixture
def experiment(gateway: Any, parley: Run, tmp_path: Path) -> Run:
    lines = "".join(f"{json.dumps(line)}\n" for line in TASKS).encode()
    (tmp_path / "moon.mtrag_human.tasks.jsonl.gz").write_bytes(gzip.compress(lines))
    gateway.collections = corpus_pb2.ListCollectionsResponse(collections=[corpus_pb2.Collection(name="moon")])
    gateway.turns = [turn(number) for number in range(1, len(TASKS) + 1)]
    gateway.info = suite("llm")

    def run(*arguments: str) -> Result:
        folders = ("--data", str(tmp_path), "--out", str(tmp_path / "out"))
        return parley("experiment", "mmr", *folders, "--domain", "moon", *arguments)

    return run


def lines(folder: Path, kind: str) -> list[dict[str, Any]]:
    text = (folder / "out" / kind / "moon.mmr-5.jsonl").read_text()
    assert text == "" or text.endswith("\n")
    return [json.loads(line) for line in text.splitlines()]


def asked_turns(gateway: Any) -> list[tuple[str, list[str]]]:
    return [(request.question, [utterance.text for utterance in request.history]) for request in gateway.asked]


def test_conversations_are_rebuilt_and_their_history_is_what_was_answered(gateway: Any, experiment: Run) -> None:
    result = experiment()
    assert (result.exit_code, result.stdout) == (0, "asked 4, already present 0, left 0\n")
    assert asked_turns(gateway) == [
        ("Who landed?", []),
        ("And when?", ["Who landed?", "answer 1"]),
        ("Why?", ["Who landed?", "answer 1", "And when?", "answer 2"]),
        ("What is it?", []),
    ]
    speakers = [utterance.speaker for utterance in gateway.asked[1].history]
    assert speakers == [conversation_pb2.SPEAKER_USER, conversation_pb2.SPEAKER_AGENT]


def test_turns_are_asked_by_mmr_with_the_wanted_sentences(gateway: Any, experiment: Run, tmp_path: Path) -> None:
    experiment("--num-sentences", "3", "--conversations", "1")
    options = gateway.asked[0].options
    assert (options.collection, options.strategy, options.context_sentences) == ("moon", query_pb2.STRATEGY_MMR, 3)
    assert {options.ask_back, options.reject, options.abstain} == {gateway_pb2.ACT_RECORD_ONLY}
    assert options.plan == gateway_pb2.PLAN_OFF, "what was rewritten is searched as it is"
    assert len(gateway.asked) == 3
    for kind in ("datasets", "intermediate"):
        assert [path.name for path in (tmp_path / "out" / kind).iterdir()] == ["moon.mmr-3.jsonl"]


def test_a_dataset_line_holds_the_rewritten_question_and_the_answer(experiment: Run, tmp_path: Path) -> None:
    experiment()
    assert lines(tmp_path, "datasets") == [
        {"_id": turn_id, "text": f"|user|: question {number}", "agent_response": f"answer {number}"}
        for number, turn_id in enumerate(IN_ORDER, start=1)
    ]


def test_a_question_is_recorded_as_it_was_searched(gateway: Any, experiment: Run, tmp_path: Path) -> None:
    """The language model failed, and the rules searched the turn's own words with some of the conversation's."""
    gateway.turns[1][0].condensed.query.text = "And when?"
    experiment("--conversations", "1")
    assert lines(tmp_path, "datasets")[1]["text"] == "|user|: And when?"
    assert lines(tmp_path, "intermediate")[1]["rewritten_query"] == "And when?"


def without_reports(info: gateway_pb2.GetServerInfoResponse) -> gateway_pb2.GetServerInfoResponse:
    """The same suite while its stages are down."""
    for stage in info.stages:
        stage.ClearField("info")
    return info


@pytest.mark.parametrize(
    ("server_info", "complaint"),
    [
        (suite("rules"), "this suite rewrites by rules: set PARLEY_LLM_BASE_URL"),
        (gateway_pb2.GetServerInfoResponse(), "The stage decompose, which rewrites the questions, cannot be reached."),
        (without_reports(suite("llm")), "The stage decompose, which rewrites the questions, cannot be reached."),
    ],
    ids=["rules", "no stages", "stages are down"],
)
def test_a_suite_that_cannot_rewrite_by_a_model_is_refused_before_anything_is_asked_or_written(
    gateway: Any, experiment: Run, tmp_path: Path, server_info: gateway_pb2.GetServerInfoResponse, complaint: str
) -> None:
    gateway.info = server_info
    result = experiment()
    assert result.exit_code == 1
    assert complaint in result.stderr
    assert not gateway.asked
    assert not (tmp_path / "out").exists()


def test_an_intermediate_line_holds_how_it_came_about(experiment: Run, tmp_path: Path) -> None:
    experiment()
    first, second, *_ = lines(tmp_path, "intermediate")
    assert list(first) == list(second) == INTERMEDIATE_KEYS
    assert second == {
        "original_query": "And when?",
        "rewritten_query": "question 2",
        "num_extracted_sentences": 2,
        "extracted_sentences": ["Who landed first?", "Apollo 11 did."],
        "num_clusters": 2,
        "cluster_sizes": [1, 1],
        "representative_sentences": ["Who landed first?"],
        "selected_sentences": [
            {"sentence": "Apollo 11 did.", "speaker": "agent", "turn": 2, "cluster_id": 1},
            {"sentence": "Who landed first?", "speaker": "user", "turn": 1, "cluster_id": None},
        ],
        "contexts": [
            {"title": "Apollo", "text": "In 1969.", "score": 0.5, "url": "https://example.org/apollo"},
        ],
        "agent_response": "answer 2",
    }
    assert (first["num_extracted_sentences"], first["num_clusters"], first["selected_sentences"]) == (0, 0, [])


def test_a_run_that_failed_goes_on_at_the_turn_where_it_stopped(gateway: Any, experiment: Run, tmp_path: Path) -> None:
    down = Unavailable("STAGE_UNAVAILABLE", "the service can't be reached right now")
    gateway.turns = [turn(1), [*turn(2)[:2], down], turn(2), turn(3), turn(4)]
    partial_run = experiment()
    assert (partial_run.exit_code, partial_run.stdout) == (1, "asked 1, already present 0, left 3\n")
    assert [line["_id"] for line in lines(tmp_path, "datasets")] == IN_ORDER[:1]
    assert experiment().stdout == "asked 3, already present 1, left 0\n"
    assert asked_turns(gateway)[2] == ("And when?", ["Who landed?", "answer 1"])
    assert [line["agent_response"] for line in lines(tmp_path, "datasets")] == [f"answer {n}" for n in (1, 2, 3, 4)]
    assert experiment().stdout == "asked 0, already present 4, left 0\n"


@pytest.mark.parametrize("kind", ["datasets", "intermediate"])
@pytest.mark.parametrize("cut", [1, 20, 10_000], ids=["its end", "its middle", "all of it"])
def test_a_line_that_was_cut_or_that_one_file_lacks_is_written_anew(
    gateway: Any, experiment: Run, tmp_path: Path, kind: str, cut: int
) -> None:
    experiment("--conversations", "1")
    whole = {each: lines(tmp_path, each) for each in ("datasets", "intermediate")}
    path = tmp_path / "out" / kind / "moon.mmr-5.jsonl"
    *before, last = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(before) + last[: max(len(last) - cut, 0)])
    gateway.turns[3:] = [turn(3), turn(4)]
    assert experiment().stdout == "asked 2, already present 2, left 0\n"
    assert [line["_id"] for line in lines(tmp_path, "datasets")] == IN_ORDER
    assert {each: lines(tmp_path, each)[:3] for each in whole} == whole


def test_a_file_of_other_turns_is_left_alone(gateway: Any, experiment: Run, tmp_path: Path) -> None:
    for kind in ("datasets", "intermediate"):
        (tmp_path / "out" / kind).mkdir(parents=True)
        (tmp_path / "out" / kind / "moon.mmr-5.jsonl").write_text('{"_id": "z", "agent_response": ""}\n')
    result = experiment()
    assert result.exit_code == 1
    assert "holds z, not a<::>1; choose another --out." in result.stderr
    assert lines(tmp_path, "datasets") == [{"_id": "z", "agent_response": ""}]
    assert not gateway.asked


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"conversation_id": ""}, "does not say to which conversation it belongs"),
        ({"turn": 2, "task_id": "twin"}, "occurs twice"),
    ],
)
def test_data_without_conversations_is_refused(
    gateway: Any, experiment: Run, tmp_path: Path, change: dict[str, Any], message: str
) -> None:
    more = "".join(f"{json.dumps(line)}\n" for line in [*TASKS, {**TASKS[2], "task_id": "x", **change}]).encode()
    (tmp_path / "moon.mtrag_human.tasks.jsonl.gz").write_bytes(gzip.compress(more))
    result = experiment()
    assert result.exit_code == 1
    assert message in result.stderr
    assert not gateway.asked


def test_a_domain_that_the_data_lacks_is_refused(experiment: Run, parley: Run, tmp_path: Path) -> None:
    result = parley("experiment", "mmr", "--data", str(tmp_path), "--domain", "mars")
    assert result.exit_code == 1
    assert "(mars.mtrag_human.tasks.jsonl.gz)." in result.stderr


@pytest.mark.parametrize(
    ("sparse_model", "fusion"), [("none", retrieve_pb2.FUSION_UNSPECIFIED), (".elser-2", retrieve_pb2.FUSION_LEXICAL)]
)
def test_learned_terms_rank_alone_if_known(gateway: Any, experiment: Run, sparse_model: str, fusion: int) -> None:
    gateway.info = suite("llm", sparse_model)
    assert experiment().exit_code == 0
    assert {request.options.fusion for request in gateway.asked} == {fusion}
