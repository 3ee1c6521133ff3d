"""Tables, duplicates and definitions as strangers ask of them: `python -m bench.strangers [CORPORA…]`.

The sets of `bench/data/strangers` are by somebody who had seen no code. Tables and pairs of passages are of the sets;
definitions are asked over those of their corpora that a folder of CORPORA has. Every question is asked alone.
"""

import re
import sys
import tempfile
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, Final

import grpc

from bench.labelled import DATA, Figure, read_lines, show
from bench.suite import RunningSuite, running_suite
from bench.turns import Stub, ask, gateway_at
from evaluation.documents.scoring import normal_form
from parley.context.v1 import evidence_pb2
from parley.retrieve.v1 import corpus_pb2, corpus_pb2_grpc, retrieve_pb2

FOLDER: Final = DATA / "strangers"
HITS: Final = 5
Lines = Sequence[dict[str, Any]]


def main(arguments: Sequence[str]) -> int:
    """Measure and print; what came out otherwise stands below."""
    figures: list[Figure] = []
    complaints: list[str] = []
    with (
        tempfile.TemporaryDirectory(prefix="parley-strangers-") as work,
        running_suite(Path(work) / "data") as suite,
        gateway_at(suite.address) as stub,
    ):
        sets = (_tables(suite, stub), _pairs(suite, stub, Path(work)), _definitions(suite, arguments))
        for figure, missed in chain.from_iterable(sets):
            figures.append(figure)
            complaints += [f"{figure.set}, {figure.name}: not {line}" for line in missed]
    show("Sets by strangers", figures, complaints)
    return 0


def _tables(suite: RunningSuite, stub: Stub) -> Iterator[tuple[Figure, list[str]]]:
    suite.parley("ingest", str(FOLDER / "tables"), "--collection", "tables")
    lines = list(read_lines(FOLDER / "table_questions.jsonl"))
    answers = [_answer(stub, line["question"], "tables") for line in lines]
    results = [answer.partition("\n| ")[0] for answer in answers]
    right = [_says(line["answer"], result) for line, result in zip(lines, results, strict=True)]
    yield _figure("questions about rows", "answered above the rows", lines, right)
    shown = [_says(line["answer"], answer) for line, answer in zip(lines, answers, strict=True)]
    yield _figure("questions about rows", "answered or shown", lines, shown)


def _pairs(suite: RunningSuite, stub: Stub, work: Path) -> Iterator[tuple[Figure, list[str]]]:
    near = _ingest_pairs(suite, work / "near", "near_duplicates")
    answers = [_answer(stub, line["question"], "near") for line in near]
    yield _figure("near duplicates", "show what was asked for", near, _all_say(near, answers))
    same = _ingest_pairs(suite, work / "same", "true_duplicates")
    for line in same:
        line["question"] = line["title_a"]
    hits = [_search(suite, line["text_a"], "same") for line in same]
    folded = [len(hit[0].near_duplicates) > 0 for hit in hits]
    yield _figure("true duplicates", "folded", same, folded)


def _definitions(suite: RunningSuite, folders: Sequence[str]) -> Iterator[tuple[Figure, list[str]]]:
    paths = {path.name: path for folder in folders for path in Path(folder).iterdir()}
    lines = [line for line in read_lines(FOLDER / "definitions.jsonl") if line["corpus"] in paths]
    for corpus in dict.fromkeys(line["corpus"] for line in lines):
        suite.parley("ingest", str(paths[corpus]), "--collection", corpus)
    hits = [_search(suite, line["question"], line["corpus"]) for line in lines]
    for name, count in (("first passage defines", 1), ("one of three does", 3)):
        texts = ["\n".join(evidence.passage.text for evidence in each[:count]) for each in hits]
        yield _figure("definitions", name, lines, [_says(x["sentence"], t) for x, t in zip(lines, texts, strict=True)])


def _ingest_pairs(suite: RunningSuite, folder: Path, name: str) -> list[dict[str, Any]]:
    lines = list(read_lines(FOLDER / f"{name}.jsonl"))
    folder.mkdir()
    for number, line in enumerate(lines):
        for side in "ab":
            text = f"# {line[f'title_{side}']}\n\n{line[f'text_{side}']}\n"
            (folder / f"{number}-{side}.md").write_text(text, encoding="utf-8")
    suite.parley("ingest", str(folder), "--collection", folder.name)
    return lines


def _answer(stub: Stub, question: str, collection: str) -> str:
    events = ask(stub, question, collection=collection)
    return next((event.text_end.text for event in reversed(events) if event.HasField("text_end")), "")


def _search(suite: RunningSuite, query: str, collection: str) -> Sequence[evidence_pb2.Evidence]:
    options = retrieve_pb2.RetrieveOptions(collection=collection, depth=retrieve_pb2.Depth(evidence=HITS))
    with grpc.insecure_channel(suite.address) as channel:
        request = corpus_pb2.SearchRequest(query=query, options=options)
        return corpus_pb2_grpc.CorpusServiceStub(channel).Search(request).evidence


def _all_say(lines: Lines, answers: Sequence[str]) -> list[bool]:
    return [_says(re.escape(line["wanted"]), answer) for line, answer in zip(lines, answers, strict=True)]


def _says(expression: str, text: str) -> bool:
    return re.search(expression, normal_form(text), re.IGNORECASE | re.DOTALL) is not None


def _figure(name: str, figure: str, lines: Lines, right: Sequence[bool]) -> tuple[Figure, list[str]]:
    missed = [line["question"] for line, is_right in zip(lines, right, strict=True) if not is_right]
    return Figure(name, len(lines), figure, sum(right)), missed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
