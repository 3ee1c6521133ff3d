"""Events: the sentences of the evidence that tell when something happened, ranked by question and by what happens."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from services.chronology.days import Days, days_of
from services.chronology.happenings import eventfulness, verbs_in
from services.chronology.roles import Role, role_of
from services.chronology.similarity import Telling, without_dates
from services.text.dates import DateMention
from services.text.tokens import content_stems, stem
from services.timeline.dating import DatedSentence, date_document
from services.timeline.relevance import Query, read_question, relevance, setting_of
from services.timeline.stretches import Stretch, join_passages
from services.timeline.wording import as_event_text, citations_in
from services.vocabulary.dates import PartialDate, Precision
from services.vocabulary.evidence import Evidence, Passage
from services.vocabulary.spans import Span
from services.vocabulary.timeline import EventSource

MOST_DATES = 4
"""Events that one sentence can tell."""
_COMES_FIRST = 8
"""Characters before a date that opens its sentence."""
_RANK_COUNTS = 0.3
"""How much less the last of the evidence counts than the first."""
_NEXT_COUNTS = 0.9
"""What each sentence of a report counts of the one before."""


@dataclass(frozen=True, slots=True)
class Event:
    """A sentence and one of its dates, before it takes its place on a timeline."""

    text: str
    undated: str
    """The text without its dates: what two tellings are compared by."""
    start: PartialDate
    end: PartialDate | None
    """None for a single day, month or year."""
    precision: Precision
    date_text: str
    """As the sentence words it; empty for a carried date."""
    sources: tuple[EventSource, ...]
    passage: Passage
    """The passage of the first source."""
    dated: DatedSentence
    """The sentence."""
    mention: DateMention
    """The date in it; for a carried one without words."""
    happened: bool
    """Whether it is told as something that happened on this date, not planned for it or mentioned in passing."""
    relevance: float
    """In [0, 1]: how much of what the question asks it tells."""
    score: float
    """In [0, 1]: by relevance, by how much happens, by the passage's rank, in a report by its place in it."""
    carried: bool = False
    """Whether the date is that of the words before, or of the report, not of the event's own words."""
    lead: bool = False
    """Whether a report begins with it: the latest of what happened on its day."""

    @property
    def days(self) -> Days:
        """All days that it may lie on."""
        return days_of(self.start, self.end)

    @property
    def telling(self) -> Telling:
        """What it is compared by; `It was launched …` speaks of the document's matter."""
        return Telling(self.undated, self.passage.title or self.passage.document_id)


@dataclass(frozen=True, slots=True)
class Found:
    """The dated statements of the evidence, and what the question asks about."""

    events: tuple[Event, ...]
    query: Query


def find_events(question: str, evidence: Sequence[Evidence]) -> Found:
    """Every dated sentence of the evidence with each date that an event lies on, in the order of the documents."""
    documents = [Document.of(stretches) for stretches in join_passages(evidence)]
    told = [words for document in documents for words in document.words]
    query = read_question(question, "\n".join(f"{document.title}\n{document.text}" for document in documents), told)
    last_rank = max((item.rank for item in evidence), default=0) or len(evidence)
    events = (event for document in documents for event in _events_of(document, query, max(last_rank, 1)))
    return Found(tuple(events), query)


@dataclass(frozen=True, slots=True)
class Document:
    """What the evidence holds of a document: its text, its dated sentences and the stems of each."""

    title: str
    text: str
    sentences: int
    dated: tuple[DatedSentence, ...]
    words: tuple[frozenset[str], ...]

    @classmethod
    def of(cls, stretches: Sequence[Stretch]) -> "Document":
        """Read and date the stretches of one document."""
        dated = tuple(date_document(stretches))
        return cls(
            stretches[0].passage.title,
            "\n".join(stretch.text for stretch in stretches),
            sum(len(stretch.sentences) for stretch in stretches),
            dated,
            tuple(frozenset(content_stems(found.sentence.text)) for found in dated),
        )


def _events_of(document: Document, query: Query, last_rank: int) -> Iterator[Event]:
    setting = setting_of(query, document.title, document.text, document.sentences)
    for place, (dated, words) in enumerate(zip(document.dated, document.words, strict=True)):
        of_others = query.namesakes(dated.sentence.text)
        whole = relevance(query, words - of_others, setting)
        for mention, role in dates_of_events(dated):
            # Of several dates in a sentence the one beside the words asked for counts most.
            several = len(dated.mentions) > 1 and whole > 0 and role is not Role.CARRIED
            clause = relevance(query, words_of_clause(dated, mention) - of_others, setting) if several else whole
            event = _event(dated, mention, role, (whole + clause) / 2, last_rank)
            if event:
                yield _placed(event, place) if dated.in_news else event


def _placed(event: Event, place: int) -> Event:
    """News tell what matters most first (TimeSET, salient events found of as many as are marked: .63 to .66)."""
    return replace(event, score=event.score * _NEXT_COUNTS**place, lead=place == 0)


def words_of_clause(dated: DatedSentence, mention: DateMention) -> frozenset[str]:
    """The stems of a date's clause; one without a verb shares the sentence's (`passed Venus in …, Mars in …`)."""
    clause = clause_of(dated, mention)
    verbs = [] if verbs_in(clause) else verbs_in(dated.sentence.text)
    return frozenset((*content_stems(clause), *(stem(verb) for verb in verbs)))


def clause_of(dated: DatedSentence, mention: DateMention) -> str:
    """The part of a sentence that a date belongs to: up to the next one where dates come first, else since the last."""
    text, position = dated.sentence.text, dated.mentions.index(mention)
    if dated.mentions[0].start <= _COMES_FIRST:
        following = dated.mentions[position + 1 :]
        return text[mention.start : following[0].start if following else len(text)]
    is_last = position == len(dated.mentions) - 1
    start = dated.mentions[position - 1].end if position else 0
    return text[start : len(text) if is_last else mention.end]


def dates_of_events(dated: DatedSentence) -> list[tuple[DateMention, Role]]:
    """The dates of a sentence that something in it happened on; without any, the one that comes nearest to it."""
    text = dated.sentence.text
    citations = citations_in(text)
    mentions = [m for m in dated.mentions if not any(c.start <= m.start and m.end <= c.end for c in citations)]
    roles = [(mention, role_of(text, mention, dated.document_date)) for mention in mentions]
    happened = [pair for pair in roles if pair[1] is Role.EVENT]
    if dated.carried and not happened:
        roles.append((DateMention("", 0, 0, dated.carried, dated.carried, Precision.DAY, relative=True), Role.CARRIED))
    return happened[:MOST_DATES] or sorted(roles, key=lambda pair: -pair[1].value)[:1]


def _event(dated: DatedSentence, mention: DateMention, role: Role, match: float, last_rank: int) -> Event | None:
    sentence = dated.sentence
    words = Span(sentence.start + mention.start, sentence.start + mention.end)
    cited = dated.stretch.cite(Span(sentence.start, sentence.end), words)
    if cited is None:
        return None
    piece, source = cited
    happens = eventfulness(sentence.text, mention.precision) * role.value
    return Event(
        text=as_event_text(sentence.text),
        undated=as_event_text(without_dates(sentence.text, dated.mentions)),
        start=mention.first,
        end=mention.last if mention.last != mention.first else None,
        precision=mention.precision,
        date_text=mention.text,
        sources=(source,),
        passage=piece.passage,
        dated=dated,
        mention=mention,
        happened=role is Role.EVENT,
        relevance=match,
        score=match * happens * (1 - _RANK_COUNTS * (piece.rank - 1) / last_rank),
        carried=role is Role.CARRIED,
    )
