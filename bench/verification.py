"""What the check of sentences catches and what it lets stand: `python -m bench.verification [FOLDER]`.

Over the samples: the committed corrupted pairs (share withdrawn, by kind and by what they were made from) and true
sentences (share withdrawn, share verified), each for the pairs that the rules were made on, for those held out, for
two sets in other styles and for a set of short ones; milliseconds a sentence. With a folder of MTRAG task and passage
files (`*.tasks.jsonl.gz`, `*.passages.jsonl.gz`) also the sentences of the reference answers against the passages that
were judged relevant, and some of those verified made false by rule; without one that is left out. No suite runs. How
many tasks, names and characters are drawn is taste.
"""

import argparse
import random
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from bench import samples
from bench.corruptions import corrupt
from bench.labelled import DATA, Figure, read_lines
from bench.sample_search import sample_index
from libs.contracts.answers import Citation, Verdict
from libs.contracts.evidence import Passage
from libs.contracts.stages.answer import VerifyRequest
from libs.text.sentences import split_sentences
from services.answer.citing.citations import without_markers
from services.answer.verification.claims import read_claims
from services.answer.verification.verify import verify

REQUIRED = ("number", "date", "unit", "name", "negation", "source")
"""What a corruption has to change to be counted among those that must be caught."""
STYLES = {"": "", "_2": "another style", "_3": "a third style", "_short": "short"}
"""Ends of the names of files, and what their sets are called; the first has sentences seen and held out."""
CORRUPTED, TRUE = "corrupted_pairs", "true_sentences"
"""Beginnings of the names of files."""


@dataclass(slots=True)
class Tally:
    """Verdicts by row of a table, and how long each took."""

    verdicts: dict[str, Counter[Verdict]] = field(default_factory=lambda: defaultdict(Counter))
    milliseconds: list[float] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)
    """Of verdicts that are not the wanted ones."""

    def add(self, rows: Sequence[str], sentence: str, passages: Sequence[Passage]) -> Citation:
        """Check a sentence and count its verdict in each of the rows."""
        start = time.perf_counter()
        (citation,) = verify(VerifyRequest((sentence,), tuple(passages)))
        self.milliseconds.append((time.perf_counter() - start) * 1000)
        for row in rows:
            self.verdicts[row][citation.verdict] += 1
        return citation

    def complain(self, citation: Citation, label: str) -> None:
        """Keep a verdict that is not the wanted one."""
        self.complaints.append(f"{citation.verdict} {label}\n    {citation.score:.2f} {citation.reason}")


def check_samples(beginning: str) -> Tally:
    """The files of a beginning, each sentence counted by its kind and by what it was made from."""
    tally, passages = Tally(), sample_passages()
    for end, style in STYLES.items():
        for pair in read_lines(DATA / "verification" / f"{beginning}{end}.jsonl"):
            _check_pair(pair, style, passages[pair["source"]], tally)
    return tally


def sample_passages() -> Mapping[str, Sequence[Passage]]:
    """The samples' passages by document, cut as they are when they are taken in."""
    passages: dict[str, list[Passage]] = defaultdict(list)
    for passage in sample_index().passages:
        passages[passage.document_id].append(passage)
    return passages


def _check_pair(pair: Mapping[str, Any], style: str, passages: Sequence[Passage], tally: Tally) -> None:
    part = style or ("held out" if pair["held_out"] else "seen")
    rows = [f"{part}, {pair['made_from']}", part]
    if "kind" in pair:
        rows.insert(0, f"{part}, {pair['kind']}")
        rows += [f"{part}, required kinds"] * (pair["kind"] in REQUIRED)
    citation = tally.add(rows, pair["sentence"], passages)
    right = Verdict.WITHDRAWN if "kind" in pair else Verdict.VERIFIED
    if citation.verdict is not right and not pair["held_out"]:
        tally.complain(citation, f"{pair.get('kind', 'true')} [{pair['source']}] {pair['sentence']}")


def figures() -> list[Figure]:
    """What is caught of the false sentences, and how many of the true ones stand."""
    corrupted, true = check_samples(CORRUPTED).verdicts, check_samples(TRUE).verdicts
    parts = ("seen", "held out", *filter(None, STYLES.values()))
    withdrawals = [
        _figure(f"verification: corrupted, {part}", corrupted[row], Verdict.WITHDRAWN)
        for part in parts
        if (row := f"{part}, required kinds" if f"{part}, required kinds" in corrupted else part) in corrupted
    ]
    rows = [(part, source) for part in parts for source in ("quote", "paraphrase") if f"{part}, {source}" in true]
    return withdrawals + [
        _figure(f"verification: true {source}s, {part}", true[f"{part}, {source}"], verdict)
        for part, source in rows
        for verdict in (Verdict.VERIFIED, Verdict.WITHDRAWN)
    ]


def _figure(name: str, counts: Counter[Verdict], verdict: Verdict) -> Figure:
    return Figure(name, counts.total(), str(verdict).lower(), counts[verdict])


def check_references(folder: Path) -> tuple[Tally, Tally]:
    """The sentences of MTRAG's reference answers against the judged passages of their tasks, by domain and set.

    Then the verified sentences of every eighth task, made false by rule.
    """
    tally, false_tally, chance = Tally(), Tally(), random.Random(7)
    for file in sorted(folder.glob("*.tasks.jsonl.gz")):
        domain, name, *_ = file.name.split(".")
        passages = {row["id"]: row for row in read_lines(folder / f"{domain}.passages.jsonl.gz")}
        names = _names_of(passages.values())
        for number, task in enumerate(read_lines(file)):
            passages_of_task = [_passage(passages[key]) for key in task["qrels"] if key in passages]
            if task["split"] == "dev" and task["answerability"] in ("ANSWERABLE", "PARTIAL") and passages_of_task:
                sentences = _check_reference(task, passages_of_task, [f"{domain} {name}", name, "all"], tally)
                if number % _EVERY == 0:
                    _check_made_false(sentences, passages_of_task, names, chance, false_tally)
    return tally, false_tally


def _names_of(rows: Iterable[Mapping[str, str]]) -> list[str]:
    """Names of the domain, from the beginnings of some passages."""
    texts = (row["text"][:400] for row in islice(rows, 0, 2000, 10))
    return sorted({name.text for text in texts for name in read_claims(text, language="en").names if name.is_sure})


def _check_made_false(
    sentences: Sequence[str], passages: list[Passage], names: Sequence[str], chance: random.Random, tally: Tally
) -> None:
    sources = " ".join(f"{passage.title} {passage.text}" for passage in passages)
    for sentence in sentences:
        for kind, false in corrupt(sentence, sources, names, chance):
            tally.add([kind, "all"], false, passages)


_EVERY = 8


def _check_reference(task: dict[str, Any], passages: list[Passage], rows: list[str], tally: Tally) -> list[str]:
    sentences = []
    for sentence in split_sentences(task["reference_answer"], language="en"):
        text = without_markers(sentence.text)[0]
        if text and not sentence.heading:
            citation = tally.add(rows, text, passages)
            if citation.verdict is Verdict.VERIFIED:
                sentences.append(text)
            else:
                tally.complain(citation, f"[{task['task_id']}] {text}")
    return sentences


def _passage(row: Mapping[str, str]) -> Passage:
    return Passage(row["id"], row["id"], row["text"], title=row["title"] or "")


def report(title: str, tally: Tally) -> None:
    """Shares by row, and the spread of the times."""
    shown = (Verdict.VERIFIED, Verdict.WEAK, Verdict.WITHDRAWN)
    rows = [
        (row, str(counts.total()), *(f"{counts[verdict] / counts.total():.1%}" for verdict in shown))
        for row, counts in sorted(tally.verdicts.items(), reverse=True)
    ]
    times = f"{samples.spread(tally.milliseconds)} a sentence" if rows else "there is no sentence to check"
    samples.report(f"{title}: {times}", rows, ("sentences", "number", *map(str, shown)))


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m bench.verification", description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, help="MTRAG tasks and passages")
    parser.add_argument("--list", action="store_true", help="list the sentences with another verdict than they should")
    options = parser.parse_args(arguments)
    tallies = {"Corrupted": check_samples(CORRUPTED), "True": check_samples(TRUE)}
    if options.folder:
        tallies["Reference answers"], false = check_references(options.folder)
        tallies["Verified reference answers, made false by rule"] = false
    for title, tally in tallies.items():
        report(title, tally)
    if options.list:
        sys.stdout.write("".join(f"{line}\n" for tally in tallies.values() for line in tally.complaints))
    return 0


if __name__ == "__main__":
    sys.exit(main())
