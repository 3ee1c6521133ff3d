"""Verdicts on sentences of a real small model, labelled by hand: `python -m bench.model_sentences`.

SmolLM2-135M-Instruct wrote them by `tools/local_llm.py` with the prompt of `tools/local_llm_prompts`, two passages of
the samples before it, temperature .5. Labels: `true` is borne out by the passages, `false` is contradicted by them or
told nowhere, `partly` has a part that is told and another that is not. Those that are not `seen` were labelled after
the others had been read by whoever mended the check. Pieces that were cut off are left out.

Each is checked as the answer stage checks what its model writes, and as `Verify` does, which lets a sentence put
together what several passages tell: by all passages, and by each alone, as if the model had cited that one. No suite
runs: the checks are called in this process.
"""

import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from bench.labelled import DATA, Figure, read_lines, show
from libs.contracts.answers import Verdict
from libs.contracts.evidence import Evidence, Passage, Reference
from libs.contracts.stages.answer import WriteRequest
from services.answer.verification.verify import Checker
from services.answer.verification.windows import WindowSource
from services.answer.writing.checks.checking import SentenceChecks
from services.answer.writing.pieces import SentenceEnds


@dataclass(frozen=True, slots=True)
class ModelSentence:
    """A sentence with its label, and what the model had before it."""

    label: str
    question: str
    sentence: str
    cites: tuple[int, ...]
    sources: tuple[WindowSource, ...]


@dataclass(frozen=True, slots=True)
class Verdicts:
    """On one sentence."""

    labelled: ModelSentence
    written: Verdict
    """Where the answer stage's own model writes it."""
    compared: tuple[Verdict, ...]
    """By `Verify`: by all passages first, then by each alone."""


def read_sentences() -> list[ModelSentence]:
    """All labelled sentences."""
    rows = read_lines(DATA / "verification" / "local_model_sentences.jsonl")
    return [
        ModelSentence(
            row["label"], row["question"], row["sentence"], tuple(row["cites"]), tuple(map(_source, row["passages"]))
        )
        for row in rows
    ]


def _source(row: dict[str, str]) -> WindowSource:
    document = row["passage_id"].partition("#")[0]
    return WindowSource(Passage(row["passage_id"], document, row["text"], title=row["title"]), int(row["number"]))


def verdict_when_written(sentence: ModelSentence) -> Verdict:
    """The verdict where the answer stage's own model writes the sentence."""
    references = tuple(Reference(source.number, Evidence(source.passage)) for source in sentence.sources)
    checks = SentenceChecks(WriteRequest(sentence.question, references=references), references)
    return checks.judge(SentenceEnds(sentence.sentence, sentence.cites), 1).verdict


def judge(sentence: ModelSentence) -> Verdicts:
    """Both ways of checking."""
    source_sets = [list(sentence.sources), *([source] for source in sentence.sources)]
    compared = tuple(Checker(sources).check(sentence.sentence).verdict for sources in source_sets)
    return Verdicts(sentence, verdict_when_written(sentence), compared)


def judge_all() -> list[Verdicts]:
    """One sentence after the other."""
    return [judge(sentence) for sentence in read_sentences()]


def figures_of(verdicts: Sequence[Verdicts]) -> list[Figure]:
    """By label."""
    figures = []
    for label, cases in Counter(each.labelled.label for each in verdicts).items():
        of_label, name = [each for each in verdicts if each.labelled.label == label], f"small model: {label}"
        counts = {
            "written: verified": sum(each.written is Verdict.VERIFIED for each in of_label),
            "written: withdrawn": sum(each.written is Verdict.WITHDRAWN for each in of_label),
            "compared with all: verified": sum(each.compared[0] is Verdict.VERIFIED for each in of_label),
            "compared with any: verified": sum(Verdict.VERIFIED in each.compared for each in of_label),
        }
        figures += [Figure(name, cases, what, count) for what, count in counts.items()]
    return figures


def figures() -> list[Figure]:
    """Of all sentences."""
    return figures_of(judge_all())


def main() -> int:
    """Measure and print."""
    verdicts = judge_all()
    false = [each for each in verdicts if each.labelled.label == "false" and Verdict.VERIFIED in each.compared]
    complaints = [f"false, verified by Verify: {each.labelled.sentence}" for each in false]
    show("Sentences of a small model", figures_of(verdicts), complaints)
    return 0


if __name__ == "__main__":
    sys.exit(main())
