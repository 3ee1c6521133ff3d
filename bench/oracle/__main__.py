"""Asks the questions, once as the reader answers them and once with a falsehood in each, and prints what arrived."""

import argparse
import json
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from secrets import token_hex

from bench import turns
from bench.oracle.reader import Reader
from bench.suite import RunningSuite, running_suite
from bench.turns import Stub, gateway_at, outcome_of
from cli.view.output import tell, tell_table
from evaluation.documents.asking import PREFIX
from evaluation.documents.questions import CORPORA, DocumentQuestion, conversations, read_questions
from evaluation.documents.scoring import normal_form
from libs.text.sentences import split_sentences
from parley.context.v1 import answer_pb2
from tests.fakes.scripted_llm import in_a_thread

RULES = {"PARLEY_INTENT_ENGINE": "rules", "PARLEY_DECOMPOSE_ENGINE": "rules", "PARLEY_DECOMPOSE_PLAN_ENGINE": "rules"}


@dataclass(slots=True)
class AnswerFate:
    """What became of one answer."""

    id: str
    shape: str = ""
    outcome: str = ""
    engine: str = ""
    """Who wrote the text that holds."""
    stood: int = 0
    """Facts that stood in the prompt."""
    arrived: int = 0
    """Those of them in the text that holds."""
    twice: list[str] = field(default_factory=list)
    """Sentences that stand in it twice."""
    withdrawn: list[tuple[str, str]] = field(default_factory=list)
    """Sentences, with the reason."""
    false: list[tuple[str, str]] = field(default_factory=list)
    """Kinds and sentences that were made false."""
    believed: list[tuple[str, str]] = field(default_factory=list)
    """Those of them that stand in the text."""
    text: str = ""


def ask(stub: Stub, question: DocumentQuestion, session: str, reader: Reader) -> AnswerFate | None:
    """One turn; None where the reader was not asked to write or found nothing to say."""
    reader.question, reader.facts, reader.shape = question, [], ""
    fate, sentences_by_number = AnswerFate(question.id), defaultdict[int, str](str)
    for event in turns.ask(stub, question.question, session, collection=f"{PREFIX}{question.corpus}"):
        kind = event.WhichOneof("event")
        if kind == "text":
            sentences_by_number[event.text.sentence] += event.text.delta
        elif kind == "citation" and event.citation.verdict == answer_pb2.VERDICT_WITHDRAWN:
            fate.withdrawn.append((sentences_by_number[event.citation.sentence].strip(), event.citation.reason))
        elif kind == "text_end":
            fate.text, fate.engine = event.text_end.text, event.text_end.engine
        elif kind == "completed":
            fate.outcome = outcome_of(event.completed)
    return judge(fate, question, reader) if reader.facts or question.answerable else None


def judge(fate: AnswerFate, question: DocumentQuestion, reader: Reader) -> AnswerFate:
    """With what arrived of what the reader wrote."""
    text = normal_form(fate.text)
    hits = [any(e.search(text) for e in question.facts[fact.fact]) for fact in reader.facts]
    fate.shape, fate.stood, fate.arrived = reader.shape, len(hits), sum(hits)
    fate.twice = [sentence for sentence, count in Counter(sentences(fate.text)).items() if count > 1]
    fate.false = list(reader.false)
    fate.believed = [(kind, false) for kind, false in reader.false if normal_form(false) in text]
    return fate


def sentences(text: str) -> Iterator[str]:
    """Those of some length (taste), in one form."""
    for sentence in split_sentences(text, language="en"):
        if len(form := normal_form(sentence.text).casefold()) > 20:
            yield form


def ask_all(suite: RunningSuite, questions: Sequence[DocumentQuestion], reader: Reader) -> list[AnswerFate]:
    """The answerable ones, each conversation in a session."""
    fates = []
    with gateway_at(suite.address) as stub:
        for talk in conversations(questions):
            session = f"oracle-{token_hex(8)}"  # bytes; enough that no name recurs
            fates += [ask(stub, question, session, reader) for question in talk if question.answerable]
    return [fate for fate in fates if fate]


def row(name: str, fates: Sequence[AnswerFate]) -> tuple[str, ...]:
    """What is printed of some answers."""
    in_prompt, arrived = sum(fate.stood for fate in fates), sum(fate.arrived for fate in fates)
    answers = [fate for fate in fates if fate.stood]
    return (
        name,
        str(len(fates)),
        f"{in_prompt}",
        f"{arrived / in_prompt:.3f}" if in_prompt else "-",
        str(sum(len(fate.withdrawn) for fate in answers)),
        str(sum(len(fate.twice) for fate in fates)),
        str(sum(fate.outcome != "ANSWERED" for fate in answers)),
        str(sum(fate.engine == "rules" for fate in answers)),
    )


def show(true: Sequence[AnswerFate], false: Sequence[AnswerFate]) -> None:
    """The tables."""
    shapes = sorted({fate.shape for fate in true if fate.shape})
    tell("what a true answer lost")
    of_texts = ("arrived", "withdrawn", "twice", "not answered", "quoted by rules")
    columns = ("shape", "questions", "facts in the prompt", *of_texts)
    rows = [row(shape, [fate for fate in true if fate.shape == shape]) for shape in shapes]
    tell_table(columns, [*rows, row("all", true)])
    tell("what became of sentences made false")
    kinds = Counter(kind for fate in false for kind, _ in fate.false)
    believed = Counter(kind for fate in false for kind, _ in fate.believed)
    rows_by_kind = [(kind, str(count), f"{1 - believed[kind] / count:.3f}") for kind, count in sorted(kinds.items())]
    whole = 1 - believed.total() / kinds.total() if kinds else 0.0
    tell_table(("kind", "sentences", "withdrawn"), [*rows_by_kind, ("all", str(kinds.total()), f"{whole:.3f}")])


def main() -> int:
    """Measure, print, keep."""
    parser = argparse.ArgumentParser(prog="python -m bench.oracle", description="What of a good answer arrives.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--corpus", action="append", default=[])
    parser.add_argument("--data", type=Path, help="a data folder that holds the corpora already")
    parser.add_argument("--out", type=Path, default=Path("build/oracle"), help="folder of what was seen")
    arguments = parser.parse_args()
    questions = read_questions(arguments.folder, arguments.corpus)
    reader = Reader()
    with tempfile.TemporaryDirectory(prefix="parley-oracle-") as folder, in_a_thread() as llm:
        llm.answer_with(lambda request: reader.answer(request.prompt))
        environment = {**RULES, "PARLEY_LLM_BASE_URL": llm.base_url, "PARLEY_LLM_MODEL": "reader"}
        with running_suite(arguments.data or Path(folder) / "data", environment, 2) as suite:
            for corpus in () if arguments.data else dict.fromkeys(question.corpus for question in questions):
                suite.parley("ingest", str(arguments.folder / CORPORA / corpus), "--collection", f"{PREFIX}{corpus}")
            true = ask_all(suite, questions, reader)
            reader.falsify = True
            false = ask_all(suite, questions, reader)
    arguments.out.mkdir(parents=True, exist_ok=True)
    for name, fates in (("true", true), ("false", false)):
        lines = [json.dumps(asdict(fate), ensure_ascii=False) for fate in fates]
        (arguments.out / f"{name}.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    show(true, false)
    return 0


if __name__ == "__main__":
    sys.exit(main())
