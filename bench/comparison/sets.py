"""The sets of questions over which two commits are compared: what each ingests and asks.

samples: the samples' conversations and the labelled questions over them, with all strategies and some other options.
german: the questions over the German corpora of `bench/data`.
timelines: questions for a course of events over the samples, and the articles of TimeSET, each asked for its timeline.
docsqa: conversations over documents of many formats. mtrag: MTRAG's development tasks, over passages with vectors.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.labelled import DATA
from bench.samples import SAMPLES
from evaluation.articles import read_articles
from evaluation.corpora import PASSAGES, VECTORS, VECTORS_MODEL
from evaluation.documents.questions import CORPORA, conversations, read_questions
from evaluation.tasks import read_tasks
from evaluation.timelines import MOST

NOW = "2026-02-01T09:00:00Z"  # any moment, so long as it is the same for both commits
RANKING = 20
"""Passages of the ranking before grouping that are compared (taste)."""
RECORD_ONLY = {name: "ACT_RECORD_ONLY" for name in ("ask_back", "reject", "abstain")}
STRATEGIES = ("LAST_TURN", "LADDER", "WEIGHTED", "MMR", "MULTI_QUERY")
VARIANTS: Mapping[str, Mapping[str, Any]] = {
    **{name.lower(): {"strategy": f"STRATEGY_{name}"} for name in STRATEGIES},
    "unplanned": {"plan": "PLAN_OFF"},
    "pro": {"pro": True},
    "short": {"length": "LENGTH_SHORT"},
    "long": {"length": "LENGTH_LONG"},
    "german": {"language": "de"},
    "before-1980": {"filters": {"dates": {"end": "1980-01-01T00:00:00Z"}}},
    "recorded": RECORD_ONLY,
}
"""Options with which the samples' conversations are asked, too; by hand, as the questions below."""
COURSES = (
    "Tell me the course of events of the Cassini mission to Saturn.",
    "What is the history of the exploration of Venus?",
    "Give me a timeline of the landings on the Moon.",
    "What happened to Apollo 13 between the launch and the splashdown?",
    "How did the exploration of Mars proceed since 1997?",
    "Trace the journey of Voyager 2.",
    "Nenne die Stationen der Reise von Rosetta und Cassini.",
    "List the milestones of MESSENGER by date.",
)

Sources = tuple[str, ...]
"""Arguments of `parley ingest`."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A question with its options."""

    turn: str
    conversation: str
    request: Mapping[str, Any]
    """An AskRequest as JSON."""


@dataclass(frozen=True, slots=True)
class QuestionSet:
    """Questions, and what they are asked over."""

    name: str
    sources: tuple[Sources, ...]
    turns: tuple[Turn, ...]

    def limited(self, most: int) -> "QuestionSet":
        """The same with about `most` turns, of conversations spread over all; 0 for all turns."""
        by_conversation: dict[str, list[Turn]] = {}
        for turn in self.turns:
            by_conversation.setdefault(turn.conversation, []).append(turn)
        step = max(1, round(len(self.turns) / most)) if most else 1
        chosen = list(by_conversation.values())[::step]
        return QuestionSet(self.name, self.sources, tuple(turn for turns in chosen for turn in turns))


def question_sets(names: Sequence[str], data: Path, folder: Path) -> Iterator[QuestionSet | str]:
    """The sets of these names; where the data of one are missing, its name.

    Args:
        names: of SETS.
        data: the folder that has docsqa, mtrag and timeset.
        folder: for files that are written to be ingested.
    """
    for name in names:
        if name in IN_REPOSITORY or (data / name).is_dir():
            yield SETS[name](data, folder)
        else:
            yield name


def _samples(data: Path, folder: Path) -> QuestionSet:
    return QuestionSet("samples", ((str(SAMPLES / "corpus"),),), (*_sample_conversations(), *_sample_questions()))


def _sample_conversations() -> Iterator[Turn]:
    files = sorted((SAMPLES / "conversations").glob("*.jsonl"))
    for variant, options in {"": {}, **VARIANTS}.items():
        for file in files:
            conversation = f"{file.stem}-{variant}".rstrip("-")
            for number, line in enumerate(map(json.loads, file.read_text().splitlines()), 1):
                asked = {"now": line.get("now", NOW), "pro": line.get("pro", False)}
                yield _in_session(f"{conversation}-{number}", conversation, line["question"], {**asked, **options})


def _sample_questions() -> Iterator[Turn]:
    for file in sorted((DATA / "answers").glob("*.jsonl")):
        for number, line in enumerate(map(json.loads, file.read_text(encoding="utf-8").splitlines()), 1):
            conversation = f"{file.stem}-{number}"
            for place, question in enumerate((*line.get("after", ()), line["question"]), 1):
                yield _in_session(f"{conversation}-{place}", conversation, question)


def _german(data: Path, folder: Path) -> QuestionSet:
    return _documents("german", DATA / "german")


def _docsqa(data: Path, folder: Path) -> QuestionSet:
    return _documents("docsqa", data / "docsqa")


def _documents(name: str, folder: Path) -> QuestionSet:
    questions = read_questions(folder)
    collections = {corpus: f"{name}-{corpus}" for corpus in dict.fromkeys(question.corpus for question in questions)}
    sources = tuple(
        (str(folder / CORPORA / corpus), "--collection", collection) for corpus, collection in collections.items()
    )
    turns = tuple(
        _in_session(
            turn.id, f"{turn.corpus}-{turn.conversation}", turn.question, {"collection": collections[turn.corpus]}
        )
        for conversation in conversations(questions)
        for turn in conversation
    )
    return QuestionSet(name, sources, turns)


def _timelines(data: Path, folder: Path) -> QuestionSet:
    courses = [
        _in_session(f"course-{number}", f"course-{number}", question, {"pro": True})
        for number, question in enumerate(COURSES, 1)
    ]
    samples = (str(SAMPLES / "corpus"), "--collection", "default")
    files = sorted((data / "timeset").glob("*.jsonl"))
    # an article of two files is ingested once: a replaced passage counts in the statistics until segments are merged
    articles = list({article.article_id: article for file in files for article in read_articles(file)}.values())
    if not articles:
        return QuestionSet("timelines", (samples,), tuple(courses))
    documents = folder / "articles.jsonl"
    fields = ({"id": a.article_id, "title": a.title, "text": a.text, "date": a.date} for a in articles)
    documents.write_text("".join(json.dumps(each) + "\n" for each in fields))
    options = {
        "collection": "articles",
        "depth": {"evidence": MOST},
        "pro": True,
        "timeline_events": MOST,
        **RECORD_ONLY,
    }
    asked = [
        _in_session(
            article.article_id,
            f"article-{article.article_id}",
            article.title,
            {
                **options,
                "filters": {"document_ids": [article.article_id]},
                "now": f"{article.date}T12:00:00Z",
            },
        )
        for article in articles
    ]
    return QuestionSet("timelines", (samples, (str(documents), "--collection", "articles")), (*courses, *asked))


def _mtrag(data: Path, folder: Path) -> QuestionSet:
    tasks = read_tasks(data / "mtrag")
    sources = tuple(
        (
            *(str(data / "mtrag" / f"{domain}{PASSAGES[0]}"), "--collection", domain),
            *("--vectors", str(data / "mtrag" / f"{domain}{VECTORS}"), "--vectors-model", VECTORS_MODEL),
        )
        for domain in dict.fromkeys(task.domain for task in tasks)
    )
    turns = tuple(
        Turn(
            task.task_id,
            task.task_id,
            {
                "question": task.last_turn,
                "history": [{"speaker": f"SPEAKER_{m.speaker.upper()}", "text": m.text} for m in task.history],
                "options": {"now": NOW, "ranking": RANKING, "collection": task.domain, **RECORD_ONLY},
            },
        )
        for task in tasks
    )
    return QuestionSet("mtrag", sources, turns)


def _in_session(turn: str, conversation: str, question: str, options: Mapping[str, Any] | None = None) -> Turn:
    session = "".join(c if c.isascii() and (c.isalnum() or c in "._-") else "-" for c in conversation)
    return Turn(
        turn,
        conversation,
        {
            "question": question,
            "session_id": f"compared-{session}"[:128],  # the contract's bound
            "options": {"now": NOW, "ranking": RANKING, **(options or {})},
        },
    )


SETS: Mapping[str, Callable[[Path, Path], QuestionSet]] = {
    "samples": _samples,
    "german": _german,
    "timelines": _timelines,
    "docsqa": _docsqa,
    "mtrag": _mtrag,
}
IN_REPOSITORY = frozenset({"samples", "german", "timelines"})
"""Sets that need no data from outside."""
