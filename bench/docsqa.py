"""Answers over documents beside a search's first hits: `python -m bench.docsqa FOLDER [--beside RUN] [--commit REV]`.

FOLDER has the form that `parley eval docs` takes. A suite of its own ingests the corpora and is asked each conversation
in a session (`--standalone`: each question alone, in the words that stand alone; `--rewritten`: in a session, with a
language model that rewrites each turn in these words and does nothing else); then each question's words are searched. A
question is held when all its facts stand in the answer, or in the first three hits together. `--beside` adds an earlier
run's file, `--commit` the same measurement by the code of an earlier commit of this repository, which its own `parley
up` serves and its own `parley ingest` fills; what that took stands below the table. All of it blocks.
"""

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import grpc

from bench.peers.stub import last_question
from bench.suite import RunningSuite, running_suite, tree_of
from cli.view.output import tell, tell_table
from evaluation.documents.asking import AskingOrder, ask_questions
from evaluation.documents.questions import CORPORA, DocumentQuestion, read_questions
from evaluation.documents.runs import QuestionRun, read_question_runs
from evaluation.documents.scoring import Means, QuestionScore, score_question
from evaluation.files import write_each
from parley.retrieve.v1 import corpus_pb2, corpus_pb2_grpc
from tests.fakes.scripted_llm import LlmRequest, in_a_thread

ALL = "all"
BY_RULES = ("INTENT", "DECOMPOSE_PLAN", "ANSWER", "TIMELINE")
"""What is left to the rules with a language model that rewrites."""
Runs = Mapping[str, QuestionRun]


@dataclass(frozen=True, slots=True)
class SuiteRuns:
    """What one suite made of the questions."""

    turns: Runs
    searches: Runs
    seconds: float
    """Of taking all corpora in."""
    passages: int


@dataclass(frozen=True, slots=True)
class Column:
    """A figure by corpus: its name, and the runs that it is read from."""

    name: str
    runs: Runs
    figure: str
    """`full` of the answers, or `hits`."""


def measure(
    suite: RunningSuite, folder: Path, questions: Sequence[DocumentQuestion], order: AskingOrder, out: Path | None
) -> SuiteRuns:
    """Fill a suite and ask it everything; `out` gets a line a turn."""
    corpora = list(dict.fromkeys(question.corpus for question in questions))
    start = time.perf_counter()
    for corpus in corpora:
        suite.parley("ingest", str(folder / CORPORA / corpus), "--collection", order.collection_of(corpus))
    seconds = time.perf_counter() - start
    with grpc.insecure_channel(suite.address) as channel:
        turns = ask_questions(channel, questions, order)
        turns_by_id = {run.id: run for run in (turns if out is None else write_each(out, turns))}
        searching = AskingOrder(order.standalone, True, order.callers, order.prefix)
        searches = {run.id: run for run in ask_questions(channel, questions, searching)}
        passages = _passages(channel, {order.collection_of(corpus) for corpus in corpora})
    return SuiteRuns(turns_by_id, searches, seconds, passages)


def _passages(channel: grpc.Channel, names: set[str]) -> int:
    response = corpus_pb2_grpc.CorpusServiceStub(channel).ListCollections(corpus_pb2.ListCollectionsRequest())
    return sum(collection.passages for collection in response.collections if collection.name in names)


def rows(questions: Sequence[DocumentQuestion], columns: Sequence[Column]) -> Iterator[tuple[str, ...]]:
    """A line a corpus and one over all: answerable questions, then how many of them each column holds."""
    groups: dict[str, list[DocumentQuestion]] = {}
    for question in questions:
        if question.answerable:
            groups.setdefault(question.corpus, []).append(question)
    groups[ALL] = [question for question in questions if question.answerable]
    for name, group in groups.items():
        shares = (_share_in_words(group, column) for column in columns)
        yield name, str(len(group)), *shares, _words(group, columns[0].runs)


def _scores(questions: Sequence[DocumentQuestion], runs: Runs) -> list[QuestionScore]:
    return [score_question(question, runs.get(question.id)) for question in questions]


def _share_in_words(questions: Sequence[DocumentQuestion], column: Column) -> str:
    share = Means.of(_scores(questions, column.runs)).figures[column.figure] or 0.0
    return f"{round(share * len(questions))} {share:.3f}"


def _words(questions: Sequence[DocumentQuestion], runs: Runs) -> str:
    words = Means.of(_scores(questions, runs)).figures["words"]
    return "-" if words is None else f"{words:.0f}"


@contextmanager
def rewriting(questions: Sequence[DocumentQuestion]) -> Iterator[dict[str, str]]:
    """The settings of a suite whose language model makes each turn the question that stands alone."""
    wordings = {question.question: question.standalone for question in questions if question.standalone}

    def form(request: LlmRequest) -> str:
        turn = last_question(request.prompt)
        return json.dumps({"standalone": wordings.get(turn, turn)})

    with in_a_thread() as llm:
        llm.answer_with(form)
        yield {f"PARLEY_{name}_ENGINE": "rules" for name in BY_RULES} | {"PARLEY_LLM_BASE_URL": llm.base_url}


def columns_of(now: SuiteRuns, earlier: SuiteRuns | None, earlier_run: Runs | None) -> list[Column]:
    """This suite's answers and hits, then the earlier ones'."""
    columns = [
        Column("answer", now.turns, "full"),
        Column("its hits", now.turns, "hits"),
        Column("search", now.searches, "hits"),
    ]
    if earlier is not None:
        columns += [
            Column("commit: answer", earlier.turns, "full"),
            Column("commit: its hits", earlier.turns, "hits"),
            Column("commit: search", earlier.searches, "hits"),
        ]
    if earlier_run is not None:
        columns += [Column("run: answer", earlier_run, "full"), Column("run: its hits", earlier_run, "hits")]
    return columns


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Answers over documents beside a search's first hits.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--corpus", action="append", default=[])
    parser.add_argument("--standalone", action="store_true")
    parser.add_argument("--rewritten", action="store_true")
    parser.add_argument("--out", type=Path, help="gets a line a turn")
    parser.add_argument("--beside", type=Path, help="an earlier run's file")
    parser.add_argument("--commit", help="an earlier commit, measured too")
    arguments = parser.parse_args()
    folder = arguments.folder.resolve()
    questions, order = read_questions(folder, arguments.corpus), AskingOrder(standalone=arguments.standalone)
    earlier_run = read_question_runs(arguments.beside) if arguments.beside else None
    with ExitStack() as stack:
        work = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="parley-docsqa-")))
        settings = stack.enter_context(rewriting(questions)) if arguments.rewritten else None
        with running_suite(work / "now", settings) as suite:
            now = measure(suite, folder, questions, order, arguments.out)
        earlier = None
        if arguments.commit:
            tree = stack.enter_context(tree_of(arguments.commit))
            with running_suite(work / "earlier", tree=tree) as suite:
                earlier = measure(suite, folder, questions, order, None)
    columns = columns_of(now, earlier, earlier_run)
    tell("questions whose facts all stand there, and the answers' words")
    tell_table(("corpus", "questions", *(column.name for column in columns), "words"), rows(questions, columns))
    for name, runs in (("now", now), ("commit", earlier)):
        if runs is not None:
            speed = runs.passages / runs.seconds
            tell(f"{name}: {runs.passages:,} passages in {runs.seconds:.1f} s, {speed:.0f} a second")
    return 0


if __name__ == "__main__":
    sys.exit(main())
