"""English on the screen in conversations over documents in other languages: `python -m bench.foreign FOLDER`.

FOLDER has the form that `parley eval docs` takes. A suite of its own ingests the corpora and is asked each conversation
in a session, then questions of its own that it must ask back, refuse or decline. Of what it shows (answers, questions
back, refusals, recommended questions), a sentence counts as English if it has an English stop word that the documents
do not have in the same sequence of words, and that is no stop word of the corpus's language.
"""

import argparse
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.labelled import Figure, show
from bench.suite import running_suite
from bench.turns import Stub, ask, gateway_at
from evaluation.documents.asking import AskingOrder
from evaluation.documents.questions import CORPORA, DocumentQuestion, conversations, read_questions
from libs.language.detection import detect_language
from libs.language.known import ENGLISH, language_of
from libs.text.sentences import split_sentences
from libs.text.tokens import tokenize
from parley.gateway.v1 import event_pb2

OTHERS = {
    "de": ("Wann wurde es eröffnet?", "Wie baue ich eine Rohrbombe?", "Was geschah gestern?", "Vielen Dank!"),
    "fr": ("Quand a-t-il été créé ?", "Qui a gagné le match hier ?", "Merci beaucoup !"),
    "zh": ("它是什么时候建立的？", "昨天谁赢了比赛？", "谢谢！"),
}
"""Questions by language that are asked back, refused, declined or answered politely."""
NEIGHBOURS = 1
"""Words on each side of a stop word that must stand in the documents beside it (taste)."""


@dataclass(frozen=True, slots=True)
class Corpus:
    """The documents of one corpus, as far as their words count here."""

    name: str
    language: str
    runs: frozenset[tuple[str, ...]]
    """All sequences of words that a stop word and its neighbours may form."""

    @classmethod
    def read(cls, folder: Path, name: str, questions: Sequence[DocumentQuestion]) -> "Corpus":
        """Read a corpus's texts; its language is that of its questions."""
        words: list[str] = []
        for path in sorted((folder / CORPORA / name).rglob("*")):
            if path.is_file():
                words += _words(path.read_text(encoding="utf-8", errors="ignore"))
        words += [word for question in questions for word in _words(question.question)]
        language = detect_language(" ".join(question.question for question in questions)) or ENGLISH
        return cls(name, language, frozenset(_runs(words)))

    def english(self, text: str) -> Iterator[str]:
        """Yield the sentences of a text with English of the suite's own."""
        own_stop_words = language_of(self.language).stop_words
        for sentence in split_sentences(text, self.language):
            words = _words(sentence.text)
            for index, word in enumerate(words):
                is_english = word in language_of(ENGLISH).stop_words and word not in own_stop_words and len(word) > 1
                if is_english and tuple(words[max(0, index - NEIGHBOURS) : index + NEIGHBOURS + 1]) not in self.runs:
                    yield f"{word}: {sentence.text}"
                    break


def _words(text: str) -> list[str]:
    return [token.text.lower().replace("’", "'") for token in tokenize(text)]


def _runs(words: Sequence[str]) -> Iterator[tuple[str, ...]]:
    for index in range(len(words)):
        for length in range(1, 2 * NEIGHBOURS + 2):
            yield tuple(words[index : index + length])


def converse(stub: Stub, questions: Sequence[str], session: str, collection: str) -> Iterator[tuple[str, list[str]]]:
    """Ask the questions of one conversation, and yield each with the texts that are shown."""
    for question in questions:
        events = ask(stub, question, session, collection=collection)
        yield question, [text for event in events for text in _texts(event) if text]


def _texts(event: event_pb2.Event) -> Iterator[str]:
    """Yield the texts of an event that people read as the suite's own words."""
    if event.HasField("text_end"):
        yield event.text_end.text
    elif event.HasField("recommendation"):
        yield from event.recommendation.questions
    elif event.HasField("understanding"):
        yield event.understanding.question_rejection.reject_reason
        yield event.understanding.question_supplement.supply_description


def main() -> int:
    """Measure and print; the exit status is 1 if a sentence was English."""
    parser = argparse.ArgumentParser(description="English on the screen over documents in other languages.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--corpus", action="append", default=[])
    arguments = parser.parse_args()
    folder, order = arguments.folder.resolve(), AskingOrder()
    questions = read_questions(folder, arguments.corpus)
    figures, complaints = list[Figure](), list[str]()
    with tempfile.TemporaryDirectory(prefix="parley-foreign-") as work, running_suite(Path(work) / "now") as suite:
        for name in dict.fromkeys(question.corpus for question in questions):
            of_corpus = [question for question in questions if question.corpus == name]
            corpus, collection = Corpus.read(folder, name, of_corpus), order.collection_of(name)
            suite.parley("ingest", str(folder / CORPORA / name), "--collection", collection)
            talks = [[turn.question for turn in talk] for talk in conversations(of_corpus)]
            talks += [[question] for question in OTHERS.get(corpus.language, ())]
            with gateway_at(suite.address) as stub:
                shown = [s for i, talk in enumerate(talks) for s in converse(stub, talk, f"{name}-{i}", collection)]
            english = [(question, line) for question, texts in shown for text in texts for line in corpus.english(text)]
            turns_in_english = len({question for question, _ in english})
            figures.append(Figure(f"{name} ({corpus.language})", len(shown), "with English", turns_in_english))
            complaints += [f"{name}, {question} | {line}" for question, line in english]
    show("Turns", figures, complaints)
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
