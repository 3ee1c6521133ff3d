"""Events: sentences of the evidence that date something that happened, ranked by relevance and eventfulness. Pure."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from libs.chronology.days import Days, days_of
from libs.chronology.eventfulness import eventfulness
from libs.chronology.roles import Role
from libs.chronology.similarity import EventDescription
from libs.contracts.dates import PartialDate, Precision
from libs.contracts.evidence import Evidence, Passage
from libs.contracts.spans import Span
from libs.contracts.timeline import EventSource
from libs.language.detection import reading_language
from libs.language.known import ENGLISH
from libs.text.dates.document_dates import DateMention
from libs.text.tokens import content_stems
from services.timeline.extraction.event_extraction import ClauseEvent, clause_events, stems_near_date
from services.timeline.extraction.event_text import as_event_text
from services.timeline.extraction.non_event_dates import asks_for_releases, is_non_event
from services.timeline.extraction.relevance import Query, QuestionName, document_context, read_question, relevance
from services.timeline.reading.dating import DatedSentence, date_document
from services.timeline.reading.merged_passages import MergedPassage, merge_passages
from services.timeline.reading.versions import dates_of_versions

_RANK_COUNTS = 0.3
"""How much less the last passage of the evidence counts than the first (by hand)."""
_RANKS = 30
"""Passages over which that is spread; further ones count as the last: of a hundred, most are of something else."""
_NEXT_COUNTS = 0.9
"""Weight of each sentence of a news report relative to the previous one (by hand; TimeSET is a benchmark of these)."""


@dataclass(frozen=True, slots=True)
class EventCandidate:
    """A sentence and one of its dates, as a candidate for a timeline."""

    text: str
    text_without_dates: str
    """The text without its dates, by which two descriptions are compared."""
    start: PartialDate
    end: PartialDate | None
    """None for a single day, month or year."""
    precision: Precision
    date_text: str
    """The date as written in the sentence; empty for a carried date."""
    sources: tuple[EventSource, ...]
    passage: Passage
    """The passage of the first source."""
    dated_sentence: DatedSentence
    """The sentence."""
    clause_event: ClauseEvent
    """The clause of the sentence, with its date and role."""
    relevance: float
    """In [0, 1]: how much of the question's subject it covers."""
    score: float
    """In [0, 1]: from relevance, eventfulness, the passage's rank and, in news, the position in the report."""
    lead: bool = False
    """Whether a news report opens with it, which makes it the latest event of its day."""

    @property
    def happened(self) -> bool:
        """Whether it happened on this date, as opposed to being planned for it or mentioned in passing."""
        return self.clause_event.role is Role.EVENT

    @property
    def carried(self) -> bool:
        """Whether the date comes from a heading, the text before or the report, not from the event's own text."""
        return self.clause_event.role is Role.CARRIED

    @property
    def is_entry(self) -> bool:
        """Whether it is a dated row, or stands below a dated heading."""
        return self.dated_sentence.block.is_row or bool(self.dated_sentence.heading and self.carried)

    @property
    def days(self) -> Days:
        """All days on which it may have happened."""
        return days_of(self.start, self.end)

    @property
    def description(self) -> EventDescription:
        """The input for comparing it; the document's title resolves `It was launched …`."""
        return EventDescription(self.text_without_dates, self.passage.title or self.passage.document_id)


def find_events(question: str, evidence: Sequence[Evidence]) -> tuple[EventCandidate, ...]:
    """Return an event for each dated sentence and each of its event dates, in the order of the documents."""
    merged = merge_passages(evidence)
    versions = dates_of_versions([merged_passages[0].passage for merged_passages in merged])
    documents = [SourceText.of(*pair) for pair in zip(merged, versions, strict=True)]
    sentence_stems = [words for document in documents for words in document.words]
    language = reading_language(question, usual=(evidence[0].passage.language if evidence else "") or ENGLISH)
    text = "\n".join(f"{document.title}\n{document.text}" for document in documents)
    query = read_question(question, text, sentence_stems, language)
    last_rank = max((item.rank for item in evidence), default=0) or len(evidence)
    releases = asks_for_releases(question, language)
    titled = [
        name for name in query.names if name.is_numbered and any(name.pattern.search(each.title) for each in documents)
    ]
    return tuple(
        event
        for document in documents
        for event in _entries_alike(list(_events_of(document, query, titled, max(last_rank, 1), releases)))
    )


def _entries_alike(events: Sequence[EventCandidate]) -> Iterator[EventCandidate]:
    """Give the entries of a document's list or table the score of the best: of a list of releases none is left out.

    Of what stands below one dated heading the best counts as an entry, the second half as much, and so on: else the
    changes of two releases fill a timeline of thirty (of two changelogs, four timelines had 33 dates, now 76).
    """
    entries = sorted((event for event in events if event.is_entry), key=lambda event: -event.score)
    below = Counter[str]()
    places: dict[int, int] = {}
    for event in entries:
        heading = event.dated_sentence.heading
        below[heading] += bool(heading)
        places[id(event)] = max(1, below[heading])
    for event in events:
        if event.is_entry and event.relevance > 0:
            yield replace(event, score=entries[0].score / places[id(event)], relevance=entries[0].relevance)
        else:
            yield event


@dataclass(frozen=True, slots=True)
class SourceText:
    """The part of a document in the evidence: its text, its dated sentences and the stems of each."""

    title: str
    text: str
    sentences: int
    sentences_with_dates: tuple[DatedSentence, ...]
    words: tuple[frozenset[str], ...]

    @classmethod
    def of(cls, merged_passages: Sequence[MergedPassage], version: DateMention | None = None) -> "SourceText":
        """Read and date the merged passages of one document; see `date_document`."""
        dated_sentences = tuple(date_document(merged_passages, version))
        return cls(
            merged_passages[0].passage.title,
            "\n".join(merged_passage.text for merged_passage in merged_passages),
            sum(len(merged_passage.sentences) for merged_passage in merged_passages),
            dated_sentences,
            tuple(map(_stems_of, dated_sentences)),
        )


def _stems_of(dated_sentence: DatedSentence) -> frozenset[str]:
    text = f"{dated_sentence.heading} {dated_sentence.sentence.text}"
    return frozenset(content_stems(text, dated_sentence.language))


def _events_of(
    document: SourceText, query: Query, titled: Sequence[QuestionName], last_rank: int, releases: bool
) -> Iterator[EventCandidate]:
    context = document_context(query, document.title, document.text, document.sentences, titled)
    for position, (dated_sentence, words) in enumerate(zip(document.sentences_with_dates, document.words, strict=True)):
        if is_non_event(dated_sentence, releases):
            continue
        namesake_stems = query.namesakes(dated_sentence.sentence.text)
        whole_match = relevance(query, words - namesake_stems, context)
        for clause_event in clause_events(dated_sentence):
            # If a sentence has several dates, the one next to the question's words counts most.
            has_several = len(dated_sentence.mentions) > 1 and whole_match > 0 and clause_event.role is not Role.CARRIED
            nearby = (
                relevance(query, stems_near_date(dated_sentence, clause_event) - namesake_stems, context)
                if has_several
                else whole_match
            )
            event = _event(dated_sentence, clause_event, (whole_match + nearby) / 2, last_rank)
            if event:
                yield _weighted_by_position(event, position) if dated_sentence.in_news else event


def _weighted_by_position(event: EventCandidate, position: int) -> EventCandidate:
    """Lower the score by position: news put the most important first (TimeSET, salient in the top k: .63 to .66)."""
    return replace(event, score=event.score * _NEXT_COUNTS**position, lead=position == 0)


def _event(
    dated_sentence: DatedSentence, clause_event: ClauseEvent, match: float, last_rank: int
) -> EventCandidate | None:
    sentence, clause, mention, role = (
        dated_sentence.sentence,
        clause_event.clause,
        clause_event.mention,
        clause_event.role,
    )
    date_span = Span(sentence.start + mention.start, sentence.start + mention.end)
    citation = dated_sentence.merged_passage.cite(
        Span(sentence.start + clause.start, sentence.start + clause.end), date_span
    )
    if citation is None:
        return None
    piece, source = citation
    text = _text_of(dated_sentence, clause_event)
    is_item = role is Role.CARRIED and dated_sentence.block.is_list
    weight = (
        eventfulness(clause.of(sentence.text), mention.precision, is_item, language=dated_sentence.language)
        * role.value
    )
    return EventCandidate(
        text=text,
        text_without_dates=_without_dates(text, dated_sentence),
        start=mention.first,
        end=mention.last if mention.last != mention.first else None,
        precision=mention.precision,
        date_text=mention.text,
        sources=(source,),
        passage=piece.passage,
        dated_sentence=dated_sentence,
        clause_event=clause_event,
        relevance=match,
        score=match * weight * (1 - _RANK_COUNTS * min((piece.rank - 1) / min(last_rank, _RANKS), 1)),
    )


def _text_of(dated_sentence: DatedSentence, clause_event: ClauseEvent) -> str:
    """Return the text for the timeline, preceded by the heading that dates it."""
    text = as_event_text(clause_event.clause.alone(dated_sentence.sentence.text), dated_sentence.language)
    return f"{dated_sentence.heading}: {text}" if dated_sentence.heading and clause_event.role is Role.CARRIED else text


def _without_dates(text: str, dated_sentence: DatedSentence) -> str:
    for mention in dated_sentence.mentions:
        text = text.replace(mention.text, "", 1)
    return text
