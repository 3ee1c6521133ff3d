"""`parley ingest`: ingest files, folders and web pages into a collection."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from cli.connection.gateway_connection import HOST, PORT, Host, Port, as_principals, complain, gateway_channel
from cli.view.output import tell

if TYPE_CHECKING:
    from cli.ingest.tally import Tally


def ingest(
    sources: Annotated[
        list[str] | None,
        typer.Argument(
            help="Files (text of any name, md, rst, adoc, tex, ipynb, html, pdf, docx, pptx, xlsx, odt, odp, ods, rtf, "
            "csv, tsv, jsonl, epub, eml, msg), folders of them, URLs."
        ),
    ] = None,
    sitemap: Annotated[
        list[str] | None, typer.Option(help="URL of a sitemap, to ingest all its pages; repeat it for several.")
    ] = None,
    collection: Annotated[
        str, typer.Option(help='Collection to ingest into, created if missing; "default" if not given.')
    ] = "",
    principal: Annotated[
        list[str] | None,
        typer.Option(
            help="Who may see documents that name no principals; repeat it for several. By default everybody."
        ),
    ] = None,
    owner: Annotated[
        list[str] | None,
        typer.Option("--as", help="A principal of the user, to whom new documents belong; repeat it for several."),
    ] = None,
    root: Annotated[
        str | None,
        typer.Option(
            help="Prefix of the document ids of the one folder or file, wherever it lies; by default its own name."
        ),
    ] = None,
    prune: Annotated[
        bool, typer.Option("--prune", help="Delete documents of the given folders whose files no longer exist.")
    ] = False,
    whole: Annotated[
        bool, typer.Option("--whole", help="Make each text one passage, with the id of its document.")
    ] = False,
    vectors: Annotated[
        Path | None,
        typer.Option(help="A .npy file of vectors, one row per line of the one .jsonl file; implies --whole."),
    ] = None,
    vectors_model: Annotated[
        str, typer.Option(help="The model that made the vectors; by default the suite's embedder.")
    ] = "",
    wait: Annotated[
        Literal["text", "vectors"],
        typer.Option(
            help="When a document is done: once it is found by its words (text), its vectors are then made in the "
            "background; or once it is found by meaning, too."
        ),
    ] = "vectors",
    progress: Annotated[
        bool, typer.Option("--progress", help="Report progress every two seconds, in lines on standard error.")
    ] = False,
    report: Annotated[
        Path | None,
        typer.Option(help="Write what was read of each file, and what was left out, as a line of JSON into this file."),
    ] = None,
    ray: Annotated[
        str | None,
        typer.Option(
            help="Read, cut and embed files on a Ray cluster: host:port of its head, auto for the one of this machine, "
            "or local to start one here. Needs the extra ray.",
            metavar="ADDRESS",
        ),
    ] = None,
    allow_loopback: Annotated[
        bool, typer.Option("--allow-loopback", help="Also fetch pages from this machine's own addresses.")
    ] = False,
    port: Port = PORT,
    host: Host = HOST,
) -> None:
    """Ingest documents into a collection. A file that fails does not stop the others; the exit code is then 1."""
    # Imported here: only this command needs readers and a progress bar.
    from cli.ingest.ingest_job import IngestJob
    from cli.ingest.interruption import INTERRUPTED, interruptible, interruption
    from cli.ingest.running import run
    from cli.ingest.tally import Tally
    from ingest.detection.kinds import is_url

    if not sources and not sitemap:
        raise typer.BadParameter("give files, folders or URLs, or a --sitemap")
    locations = sources or []
    tally = Tally()
    with gateway_channel(host, port) as channel:
        job = IngestJob(
            paths=[Path(source) for source in locations if not is_url(source)],
            collection=collection,
            whole=whole,
            vectors=vectors,
            vectors_model=vectors_model,
            urls=[source for source in locations if is_url(source)],
            sitemaps=sitemap or [],
            principals=tuple(principal or ()),
            owners=tuple(owner or ()),
            root=root,
            prune=prune,
            vectors_later=wait == "text",
            progress=progress,
            ray=ray,
            allow_loopback=allow_loopback,
        )
        as_principals(job.principals)  # a principal that cannot be sent would hide the documents from everybody
        if report is not None:
            report.open("w").close()  # before the work rather than after it
        try:
            with interruptible():
                run(channel, job, tally)
        except KeyboardInterrupt:
            complain(interruption(job, tally))
            raise typer.Exit(INTERRUPTED) from None
        except BaseException:
            tell_results(tally, report)
            raise
        finally:
            if report is not None:
                tally.report.write(report)
        tell_results(tally, report)
    if not tally.documents:
        tell("Nothing was ingested: no file of a known kind was found.")
    if tally.failures:
        raise typer.Exit(1)


def tell_results(tally: "Tally", report: Path | None) -> None:
    """Write what failed or gave nothing, the counts, and what was left out."""
    for line in tally.complaints():
        complain(line)
    if tally.documents or tally.counts["pruned"]:
        tell(tally.summary())
    if tally.without_vectors:
        tell(
            f"{tally.without_vectors:,} passages are found by their words alone until they have their vectors: "
            "`parley collections` tells how many are left"
        )
    if left_out := tally.report.summary():
        tell(f"{left_out}; {report or '--report'} tells more")
