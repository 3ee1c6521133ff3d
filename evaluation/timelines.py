"""`parley eval timeline`: ingest each article with its dateline, request its timeline and write it to a file."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import grpc

from cli.connection.gateway_connection import CommandError
from evaluation.articles import Article
from evaluation.files import read_lines, reader_of
from evaluation.progress_bar import progress_bar
from evaluation.turn_events import ask, recording_options
from parley.context.v1 import basics_pb2, query_pb2, timeline_pb2
from parley.gateway.v1 import gateway_pb2, gateway_pb2_grpc
from parley.retrieve.v1 import corpus_pb2, corpus_pb2_grpc, retrieve_pb2

MOST: Final = 150
"""Maximum evidence and events of an article, enough for all that it has (taste)."""


@dataclass(frozen=True, slots=True)
class TimelineEntry:
    """An event of a timeline, and its place in the article."""

    text: str
    source_span: tuple[int, int]
    """[start, end) in the article's text, of the first source."""
    date: str
    """`2018-09-18`, `2018-09-xx`, `2018-xx-xx`; `from/to` for a period."""
    precision: str


@dataclass(frozen=True, slots=True)
class TimelineRun:
    """The timeline of one article."""

    id: str
    events: tuple[TimelineEntry, ...]
    """The most important first."""
    order: tuple[tuple[int, int], ...]
    """[later, earlier] as indices into events, each with its predecessor in time."""


def run_timelines(channel: grpc.Channel, articles: Sequence[Article], collection: str) -> Iterator[TimelineRun]:
    """Ingest the articles and request the timeline of each.

    Raises:
        CommandError: a turn ended without a timeline.
        grpc.RpcError: the suite failed.
    """
    corpus = corpus_pb2_grpc.CorpusServiceStub(channel)
    gateway = gateway_pb2_grpc.GatewayServiceStub(channel)
    with progress_bar() as bar:
        for article in bar.track(articles):
            corpus.PutDocument(_document(article, collection))
            yield _as_run(corpus, article, collection, _ask(gateway, article, collection))


def _document(article: Article, collection: str) -> corpus_pb2.PutDocumentRequest:
    document = corpus_pb2.Document(
        document_id=article.article_id, title=article.title, text=article.text, date=article.date
    )
    return corpus_pb2.PutDocumentRequest(collection=collection, document=document)


def _ask(stub: gateway_pb2_grpc.GatewayServiceStub, article: Article, collection: str) -> timeline_pb2.Timeline:
    options = recording_options(
        collection=collection,
        filters=query_pb2.Filters(document_ids=[article.article_id]),
        depth=retrieve_pb2.Depth(evidence=MOST),
        pro=True,
        timeline_events=MOST,
    )
    options.now.FromJsonString(f"{article.date}T12:00:00Z")  # noon is of this date in nearly all time zones
    events = ask(stub, gateway_pb2.AskRequest(question=article.title, options=options))
    timelines = [event.timeline for event in events if event.HasField("timeline")]
    if not timelines:
        raise CommandError(f"The turn about {article.article_id} ended without a timeline.")
    return timelines[-1]


def _as_run(
    corpus: corpus_pb2_grpc.CorpusServiceStub, article: Article, collection: str, timeline: timeline_pb2.Timeline
) -> TimelineRun:
    by_salience = sorted(range(len(timeline.events)), key=lambda place: -timeline.events[place].salience)
    place_of = {place: index for index, place in enumerate(by_salience)}
    order = tuple((place_of[place], place_of[place - 1]) for place in range(1, len(timeline.events)))
    events = tuple(_timeline_entry(corpus, collection, timeline.events[place]) for place in by_salience)
    return TimelineRun(article.article_id, events, order)


def _timeline_entry(
    corpus: corpus_pb2_grpc.CorpusServiceStub, collection: str, event: timeline_pb2.TimelineEvent
) -> TimelineEntry:
    source = event.sources[0]
    request = corpus_pb2.GetPassageRequest(collection=collection, passage_id=source.passage_id)
    begins = corpus.GetPassage(request).passage.span.start
    return TimelineEntry(
        text=event.text,
        source_span=(begins + source.span.start, begins + source.span.end),
        date=_date(event.start) + (f"/{_date(event.end)}" if event.HasField("end") else ""),
        precision=basics_pb2.Precision.Name(event.precision).removeprefix("PRECISION_").lower(),
    )


def _date(day: basics_pb2.PartialDate) -> str:
    return "-".join((f"{day.year:04d}", *(f"{part:02d}" if part else "xx" for part in (day.month, day.day))))


def read_timelines(path: Path) -> dict[str, TimelineRun]:
    """Read all lines of a run, by article.

    Raises:
        CommandError: the file cannot be read, or a line is not part of a run.
    """
    return {run.id: run for run in read_lines(path, reader_of(TimelineRun), "the timeline of an article")}
