"""Labelled questions over the samples, through a whole suite: `python -m bench.sample_answers [FILE…]`.

A line of a file names the question, what was asked before it, words of a right answer, and the sentences that bear it,
all labelled by hand. An answer is held against the labels and the files in samples/, not against its own verdicts:

- a factual sentence is any but those that say that nothing was found, and but the lines that name a section;
- a cited one is borne out when each cited span stands in its document's file and says what the sentence says: the same
  words, or for a computed sentence the values that it names;
- it is to the point when a sentence that was labelled as bearing the answer stands in a cited span.

Asking blocks; what the suite raises (grpc.RpcError) ends the bench.
"""

import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

from bench.labelled import DATA, Figure, read_lines, show
from bench.samples import SAMPLES, suite_over_samples
from bench.turns import Stub, ask, document_name, gateway_at, outcome_of, passages_by_id
from parley.context.v1 import answer_pb2
from parley.gateway.v1 import event_pb2

FILES = tuple(DATA / "answers" / f"sample_questions{name}.jsonl" for name in ("", "_blind", "_once"))
_SAYS_NOTHING = re.compile(r"Nothing was found|The documents found don't|The nearest passages|Something is missing")
_PLACE = re.compile(r"\*\*.+\*\*")
_WORD = re.compile(r"[^\W_]+")
_MARKERS = re.compile(r"(?:\[\d+\])+\s*\Z")
_VALUES = re.compile(r"\((?P<values>[^()]*)\)\.\Z")


@dataclass(frozen=True, slots=True)
class LabelledQuestion:
    """A question with its labels."""

    question: str
    kind: str
    answer: tuple[str, ...]
    """Each has to stand in the answer; alternatives are parted by `|`. Empty for one without an answer."""
    bears: tuple[tuple[str, str], ...]
    """Documents with words of the sentences in them that bear the answer."""
    after: tuple[str, ...] = ()
    """What was asked before in the same conversation."""


@dataclass(frozen=True, slots=True)
class AnswerSentence:
    """A sentence of an answer as it holds, with documents and words that it cites."""

    text: str
    cited: tuple[tuple[str, str], ...] = ()

    @property
    def is_factual(self) -> bool:
        """Whether it claims something."""
        names_section = not self.cited and _PLACE.fullmatch(self.text) is not None
        return not names_section and not self.says_nothing

    @property
    def says_nothing(self) -> bool:
        """Whether it says that something was not found."""
        return _SAYS_NOTHING.match(self.text) is not None

    @property
    def is_borne_out(self) -> bool:
        """Whether the cited words stand in their files and say what it says."""
        stand = bool(self.cited) and all(_plain(quote) in document_text(document) for document, quote in self.cited)
        return stand and (any(_says(quote, self.text) for _, quote in self.cited) or self._is_computed)

    @property
    def _is_computed(self) -> bool:
        values = _VALUES.search(self.text)
        quotes = "\n".join(_plain(quote) for _, quote in self.cited)
        values_of_text = [value.rpartition(": ")[2] for value in values["values"].split("; ")] if values else []
        return bool(values_of_text) and all(_plain(value) in quotes for value in values_of_text)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a question."""

    question: LabelledQuestion
    sentences: tuple[AnswerSentence, ...]
    abstained: bool

    @property
    def is_right(self) -> bool:
        """Whether the wanted words stand in the answer; where there is no answer, whether it says so."""
        if not self.question.answer:
            return self.abstained or any(sentence.says_nothing for sentence in self.sentences)
        text = _plain(" ".join(sentence.text for sentence in self.sentences if sentence.is_factual)).replace("**", "")
        return all(any(words in text for words in alternatives.split("|")) for alternatives in self.question.answer)

    def is_to_the_point(self, sentence: AnswerSentence) -> bool:
        """Whether a labelled sentence is among what it cites."""
        return any(
            document == document_id and words in _plain(quote)
            for document, quote in sentence.cited
            for document_id, words in self.question.bears
        )


def read_questions(file: Path) -> list[LabelledQuestion]:
    """A line of JSON each: question, kind, answer, bears (`document: words`), after."""
    return [_labelled_question(line) for line in read_lines(file)]


def _labelled_question(line: dict[str, list[str]]) -> LabelledQuestion:
    bears = tuple((document, words) for document, _, words in (text.partition(": ") for text in line["bears"]))
    return LabelledQuestion(
        str(line["question"]), str(line["kind"]), tuple(line["answer"]), bears, tuple(line["after"])
    )


def document_text(name: str) -> str:
    """A file of the samples, with single spaces."""
    return _plain((SAMPLES / "corpus" / f"{name}.md").read_text(encoding="utf-8"))


def answer(stub: Stub, labelled_question: LabelledQuestion, session: str) -> Outcome:
    """The question after those before it, in a session of its own."""
    events: list[event_pb2.Event] = []
    for question in (*labelled_question.after, labelled_question.question):
        events = ask(stub, question, session)
    abstained = outcome_of(events[-1].completed) == "ABSTAINED"
    return Outcome(labelled_question, tuple(_answer_sentences(events)), abstained)


def _answer_sentences(events: Sequence[event_pb2.Event]) -> Iterator[AnswerSentence]:
    passages = passages_by_id(events)
    texts: dict[int, str] = {}
    for event in events:
        if event.HasField("text"):
            texts[event.text.sentence] = texts.get(event.text.sentence, "") + event.text.delta
    citations = {event.citation.sentence: event.citation for event in events if event.HasField("citation")}
    for number, text in texts.items():
        citation = citations.get(number, answer_pb2.Citation())
        final_text = citation.replacement if citation.HasField("replacement") else text
        stands = citation.verdict != answer_pb2.VERDICT_WITHDRAWN
        quotes = tuple((document_name(passages[c.passage_id]), c.quote) for c in citation.references) if stands else ()
        if final_text.strip():
            yield AnswerSentence(_MARKERS.sub("", final_text.strip()).rstrip(), quotes)


def _plain(text: str) -> str:
    return " ".join(text.split())


def _says(quote: str, text: str) -> bool:
    """Whether all words of a text are the quote's, in its order; marks aside."""
    words = iter(_WORD.findall(quote))
    return all(word in words for word in _WORD.findall(text))


def measure(address: str, questions: Sequence[LabelledQuestion]) -> list[Outcome]:
    """All questions, each in a conversation of its own."""
    with gateway_at(address) as stub:
        return [answer(stub, question, f"labelled-{uuid4().hex}") for question in questions]


def figures_of(name: str, outcomes: Sequence[Outcome]) -> list[Figure]:
    """Right answers, and citations that hold."""
    sentences = [(outcome, sentence) for outcome in outcomes for sentence in outcome.sentences]
    cited = [(outcome, sentence) for outcome, sentence in sentences if sentence.cited]
    factual = [sentence for _, sentence in sentences if sentence.is_factual]
    citing, claims = f"{name}: citing sentences", f"{name}: factual sentences"
    return [
        Figure(f"{name}: answers", len(outcomes), "right", sum(outcome.is_right for outcome in outcomes)),
        Figure(citing, len(cited), "borne out", sum(sentence.is_borne_out for _, sentence in cited)),
        Figure(citing, len(cited), "to the point", sum(outcome.is_to_the_point(each) for outcome, each in cited)),
        Figure(claims, len(factual), "cited and borne out", sum(sentence.is_borne_out for sentence in factual)),
    ]


def quality(address: str) -> list[Figure]:
    """Of all files."""
    return [
        figure
        for file in FILES
        for figure in figures_of(file.stem.replace("_", " "), measure(address, read_questions(file)))
    ]


def complaint(outcome: Outcome) -> str:
    """The conversation, and its answer."""
    text = "\n  ".join(sentence.text for sentence in outcome.sentences) or "(nothing)"
    return f"{' / '.join((*outcome.question.after, outcome.question.question))}\n  {text}"


def main(files: Sequence[str]) -> int:
    """Measure each file's questions and print, by kind and together."""
    with suite_over_samples() as suite:
        for file in map(Path, files or map(str, FILES)):
            outcomes = measure(suite.address, read_questions(file))
            kinds = dict.fromkeys(outcome.question.kind for outcome in outcomes)
            by_kind = {kind: [each for each in outcomes if each.question.kind == kind] for kind in kinds}
            figures = [
                figure for kind, each in {**by_kind, "all": outcomes}.items() for figure in figures_of(kind, each)
            ]
            show(file.name, figures, [complaint(outcome) for outcome in outcomes if not outcome.is_right])
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
