"""`parley eval`: asks the suite what people have judged, and scores what it answers."""

from pathlib import Path
from typing import Annotated

import typer

from gateway.cli.ask.command import StrategyName
from gateway.cli.door import HOST, PORT, CommandError, Host, Port, complain, gateway_channel
from gateway.cli.output import one_line, tell, tell_table

app = typer.Typer(name="eval", help="Measure the suite on judged conversations.", no_args_is_help=True)

Tasks = Annotated[Path, typer.Option(help="Folder of <domain>.<set>.tasks.jsonl.gz.", show_default=False)]
SetName = Annotated[str, typer.Option("--set", help="Only the tasks of this set.")]


@app.command()
def turns(
    passages: Annotated[
        Path, typer.Option(help="Folder of <domain>.passages.jsonl.gz and .minilm.f16.npy.", show_default=False)
    ],
    tasks: Tasks,
    out: Annotated[Path, typer.Option(help="Gets a line a task; what it holds is not asked again.")],
    strategy: Annotated[
        StrategyName | None, typer.Option(help="How a follow-up becomes a query.", show_default=False)
    ] = None,
    set_name: SetName = "",
    callers: Annotated[int, typer.Option(help="Tasks asked side by side.", min=1, max=64)] = 2,
    port: Port = PORT,
    host: Host = HOST,
) -> None:
    """Ask each task with its history; decisions are recorded, not acted on. Ends with 0 when all were answered."""
    # Imported here: reader, sender and progress bar are for this command alone.
    from gateway.cli.evaluation.turns import Order, Progressed, run_turns

    order = Order(passages, tasks, out, strategy.name if strategy else "", set_name, callers)
    progressed = Progressed()
    with gateway_channel(host, port) as channel:
        try:
            run_turns(channel, order, progressed)
        finally:
            for failed in progressed.failed:
                complain(one_line(f"{failed.task_id}: {failed.reason}"))
            tell(f"asked {progressed.asked:,}, there before {progressed.there:,}, failed {len(progressed.failed):,}")
    if progressed.failed:
        raise typer.Exit(1)


@app.command()
def score(
    run: Annotated[Path, typer.Argument(help="What `parley eval turns` wrote.", show_default=False)],
    tasks: Tasks,
    set_name: SetName = "",
) -> None:
    """Print the tables of a run, set by set. A judged task that the run lacks counts 0 in retrieval."""
    from gateway.cli.evaluation.report import reports
    from gateway.cli.evaluation.runs import read_runs
    from gateway.cli.evaluation.tasks import read_tasks, set_names

    try:
        asked, runs = read_tasks(tasks, set_name), read_runs(run)
    except CommandError as error:
        complain(one_line(str(error)))
        raise typer.Exit(1) from None
    for name in set_names(asked):
        of_set = [task for task in asked if task.set_name == name]
        lacking = sum(task.task_id not in runs for task in of_set)
        tell(f"{name}: {len(of_set):,} tasks, {lacking:,} of them not in the run")
        if lacking == len(of_set):
            continue
        for report in reports(of_set, runs):
            if report.rows:
                tell(f"\n{report.title}")
                tell_table(report.headings, report.rows)
        tell()
