"""Scores timelines against marked events: dates resolved, order kept, salient events found. No I/O of its own.

Each figure is compared with that of a baseline that understands nothing: the sentences in the order of the text.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Self

from evaluation.articles import Article, MarkedEvent
from evaluation.timelines import TimelineEntry, TimelineRun
from libs.text.sentences import split_sentences


@dataclass(slots=True)
class Share:
    """A count out of a total."""

    good: int = 0
    of: int = 0

    def add(self, good: bool) -> None:
        """Count one more case."""
        self.good += good
        self.of += 1

    def __str__(self) -> str:
        return f"{self.good}/{self.of}" + (f" = {self.good / self.of:.3f}" if self.of else "")


@dataclass(slots=True)
class TimelineScore:
    """The figures over some articles."""

    dated: Share = field(default_factory=Share)
    """Distinct dated expressions with an event of the marked date."""
    ordered: Share = field(default_factory=Share)
    """Pairs of marked events that are found in different timeline events, in the marked order."""
    in_one: int = 0
    """Pairs found in one and the same timeline event."""
    not_found: int = 0
    """Pairs with an event that is not found."""
    recall: Share = field(default_factory=Share)
    """Marked events found among the first timeline events, as many as there are marked events."""
    slips: list[str] = field(default_factory=list)
    """The expressions for which no event has the marked date."""

    def take(self, article: Article, run: TimelineRun) -> None:
        """Count an article."""
        self._take_dates(article, run)
        self._take_order(article, run)
        best = run.events[: len(article.events)]
        for event in article.events.values():
            self.recall.add(_find(event, best) is not None)

    def _take_dates(self, article: Article, run: TimelineRun) -> None:
        events_by_date = {(event.expression, event.date): event for event in article.events.values() if event.date}
        for expression, date in events_by_date:
            triggers = [e for e in article.events.values() if (e.expression, e.date) == (expression, date)]
            is_resolved = any(_tells(entry, date, expression, triggers, article.text) for entry in run.events)
            self.dated.add(is_resolved)
            if not is_resolved:
                self.slips.append(f"{article.article_id}: {expression!r} is {date}")

    def _take_order(self, article: Article, run: TimelineRun) -> None:
        before = _reachable(run.order)
        for earlier, later in article.after:
            first, second = _find(article.events[earlier], run.events), _find(article.events[later], run.events)
            if first is None or second is None:
                self.not_found += 1
            elif run.events[first].source_span == run.events[second].source_span:
                self.in_one += 1
            else:
                self.ordered.add(first in before[second])

    @classmethod
    def of(cls, articles: Iterable[Article], runs: Mapping[str, TimelineRun]) -> Self:
        """Return the figures over the articles; one that is missing from the run counts as an empty timeline."""
        score = cls()
        for article in articles:
            score.take(article, runs.get(article.article_id) or TimelineRun(article.article_id, (), ()))
        return score


def baseline(articles: Iterable[Article]) -> dict[str, TimelineRun]:
    """The sentences of each article in text order, without title and dateline, all dated with the dateline's day."""
    return {article.article_id: _sentences(article) for article in articles}


def _sentences(article: Article) -> TimelineRun:
    sentences = [sentence for sentence in split_sentences(article.text, language="en") if not sentence.heading]
    begins = article.text.find("\n", article.text.find("\n") + 1)  # the first two lines are title and dateline
    events = tuple(
        TimelineEntry(sentence.text, (sentence.start, sentence.end), article.date, "day")
        for sentence in sentences
        if sentence.start > begins
    )
    return TimelineRun(article.article_id, events, tuple((place, place - 1) for place in range(1, len(events))))


def _find(marked_event: MarkedEvent, events: Sequence[TimelineEntry]) -> int | None:
    """The index of the first timeline event whose text contains the trigger; None if there is none."""
    holding = (
        n
        for n, e in enumerate(events)
        if e.source_span[0] <= marked_event.start and marked_event.end <= e.source_span[1]
    )
    return next(holding, None)


def _tells(event: TimelineEntry, date: str, expression: str, triggers: Sequence[MarkedEvent], text: str) -> bool:
    """Whether an event has this date, and its text contains the expression or a trigger that the expression dates."""
    start, end = event.source_span
    holds = any(start <= trigger.start and trigger.end <= end for trigger in triggers)
    return event.date == date and (holds or expression.strip(" ,") in text[start:end])


def _reachable(order: Sequence[tuple[int, int]]) -> Mapping[int, set[int]]:
    """For each event, all events that come before it."""
    direct: dict[int, set[int]] = defaultdict(set)
    for later, earlier in order:
        direct[later].add(earlier)
    before: dict[int, set[int]] = defaultdict(set)
    for event in direct:
        waiting = [event]
        while waiting:
            fresh = direct.get(waiting.pop(), set()) - before[event]
            before[event] |= fresh
            waiting.extend(fresh)
    return before
