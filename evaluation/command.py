"""`parley eval`: ask the suite what people have judged, and score its answers. Numbers without a source are by hand."""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.ask.command import StrategyName
from cli.connection.gateway_connection import (
    HOST,
    PORT,
    CommandError,
    Host,
    Port,
    complain,
    complaining,
    gateway_channel,
)
from cli.view.output import one_line, tell, tell_table

if TYPE_CHECKING:
    from evaluation.tables import Report

app = typer.Typer(name="eval", help="Measure the suite on judged conversations.", no_args_is_help=True)

TASKS = typer.Option(help="Folder of <domain>.<set>.tasks.jsonl.gz.")
SetName = Annotated[str, typer.Option("--set", help="Only the tasks of this set.")]


@app.command()
def turns(
    passages: Annotated[Path, typer.Option(help="Folder of <domain>.passages.jsonl.gz and .minilm.f16.npy.")],
    tasks: Annotated[Path, TASKS],
    out: Annotated[
        Path, typer.Option(help="Output file, one line per task; tasks that it already contains are skipped.")
    ],
    strategy: Annotated[StrategyName | None, typer.Option(help="Strategy that turns a follow-up into a query.")] = None,
    set_name: SetName = "",
    callers: Annotated[int, typer.Option(help="Number of tasks asked concurrently.", min=1, max=64)] = 2,  # taste
    port: Port = PORT,
    host: Host = HOST,
) -> None:
    """Ask each task with its history; decisions are recorded, not acted on. The exit code is 0 if all were answered."""
    # Imported here: only this command needs the reader, sender and progress bar.
    from evaluation.turn_events import Progress
    from evaluation.turns import EvaluationJob, run_turns

    order = EvaluationJob(passages, tasks, out, (strategy or "").upper().replace("-", "_"), set_name, callers)
    progress = Progress()
    with gateway_channel(host, port) as channel:
        try:
            run_turns(channel, order, progress)
        finally:
            for problem in progress.problems:
                complain(one_line(problem))
            tell(f"asked {progress.asked:,}, already present {progress.there:,}, failed {len(progress.problems):,}")
    if progress.problems:
        raise typer.Exit(1)


@app.command()
def timeline(
    articles: Annotated[Path, typer.Option(help="Articles with marked events, JSON lines.")],
    out: Annotated[Path, typer.Option(help="Output file, one line per article.")],
    collection: Annotated[str, typer.Option(help="Collection to ingest the articles into.")] = "articles",
    port: Port = PORT,
    host: Host = HOST,
) -> None:
    """Ingest each article with its dateline and record the timeline that the suite builds from it."""
    from evaluation.articles import read_articles
    from evaluation.files import write_each
    from evaluation.timelines import run_timelines

    with gateway_channel(host, port) as channel:
        count = sum(1 for _ in write_each(out, run_timelines(channel, read_articles(articles), collection)))
    tell(f"wrote {count:,} timelines")


@app.command()
def docs(
    folder: Annotated[Path, typer.Argument(help="Folder of questions.jsonl and corpora/.")],
    out: Annotated[Path | None, typer.Option(help="Output file, one line per question.")] = None,
    corpus: Annotated[list[str] | None, typer.Option(help="Only this corpus; repeat it for several.")] = None,
    search: Annotated[bool, typer.Option("--search", help="Search only; nothing is answered.")] = False,
    standalone: Annotated[
        bool, typer.Option("--standalone", help="Ask each question by itself, in its standalone wording.")
    ] = False,
    callers: Annotated[int, typer.Option(help="Number of conversations asked concurrently.", min=1, max=64)] = 2,
    prefix: Annotated[str, typer.Option(help="Prefix of the names of the collections.")] = "docs-",
    port: Port = PORT,
    host: Host = HOST,
) -> None:
    """Ingest the corpora, ask the questions in sessions, and score answers and passages by their facts."""
    from evaluation.corpora import ingest_folders
    from evaluation.documents.asking import AskingOrder, ask_questions
    from evaluation.documents.questions import CORPORA, read_questions
    from evaluation.documents.report import question_reports
    from evaluation.files import write_each

    order = AskingOrder(standalone, search, callers, prefix)
    with gateway_channel(host, port) as channel:
        questions = read_questions(folder, corpus or ())
        folders = {order.collection_of(q.corpus): folder / CORPORA / q.corpus for q in questions}
        for line in ingest_folders(channel, folders):
            tell(line)
        runs = ask_questions(channel, questions, order)
        runs_by_id = {run.id: run for run in (runs if out is None else write_each(out, runs))}
    _tell(question_reports(questions, runs_by_id))


@app.command()
def score(
    run: Annotated[Path, typer.Argument(help="Output file of `parley eval turns`, `timeline` or `docs`.")],
    tasks: Annotated[Path | None, TASKS] = None,
    articles: Annotated[Path | None, typer.Option(help="The articles of a run of timelines.")] = None,
    docs: Annotated[Path | None, typer.Option(help="Folder of questions.jsonl of a run over documents.")] = None,
    set_name: SetName = "",
) -> None:
    """Print the tables of a run, set by set. A judged task that is missing from the run counts as 0 in retrieval."""
    with complaining():
        if sum(source is not None for source in (tasks, articles, docs)) != 1:
            raise CommandError("Give the --tasks, the --articles or the --docs that the run was asked.")
        if articles is not None:
            _score_timelines(run, articles)
        elif docs is not None:
            _score_documents(run, docs)
        elif tasks is not None:
            _score_turns(run, tasks, set_name)


def _score_documents(run: Path, folder: Path) -> None:
    from evaluation.documents.questions import read_questions
    from evaluation.documents.report import question_reports
    from evaluation.documents.runs import read_question_runs

    _tell(question_reports(read_questions(folder), read_question_runs(run)))


def _score_timelines(run: Path, articles: Path) -> None:
    from evaluation.articles import read_articles
    from evaluation.timeline_scoring import TimelineScore, baseline
    from evaluation.timelines import read_timelines

    article_list = read_articles(articles)
    ours, plain = (
        TimelineScore.of(article_list, read_timelines(run)),
        TimelineScore.of(article_list, baseline(article_list)),
    )
    rows = [
        ("dated expressions resolved", str(ours.dated), str(plain.dated)),
        ("after-pairs ordered right", str(ours.ordered), str(plain.ordered)),
        ("pairs in one event", str(ours.in_one), str(plain.in_one)),
        ("pairs not found", str(ours.not_found), str(plain.not_found)),
        ("salient events found, of as many", str(ours.recall), str(plain.recall)),
    ]
    tell_table(("", "timeline", "sentences in order"), rows)
    for slip in ours.slips:
        tell(one_line(f"not resolved: {slip}"))


def _score_turns(run: Path, tasks: Path, set_name: str) -> None:
    from evaluation.runs import read_runs
    from evaluation.scoring import joint_reports, reports
    from evaluation.tasks import read_tasks

    task_list, runs = read_tasks(tasks, set_name), read_runs(run)
    names = sorted({task.set_name for task in task_list})
    for name in names:
        of_set = [task for task in task_list if task.set_name == name]
        lacking = sum(task.task_id not in runs for task in of_set)
        tell(f"{name}: {len(of_set):,} tasks, {lacking:,} of them not in the run")
        if lacking < len(of_set):
            _tell(reports(of_set, runs))
    if len(names) > 1:
        tell(f"{', '.join(names)} together")
        _tell(joint_reports(task_list, runs))


def _tell(reports: "Iterable[Report]") -> None:
    for report in reports:
        if report.rows:
            tell(f"\n{report.title}")
            tell_table(report.headings, report.rows)
    tell()
