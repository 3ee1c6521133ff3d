"""How many bad questions the shipped policy refuses, and harmless ones too: `python -m bench.policy`.

`unseen` and `seen` were used to mend the policy, after they had measured it once; `blind` was used against wrong
refusals only; nothing was mended for `held_out`, which alone tells something of wordings that nobody tuned for. The
questions that the policy was written on are a specification: `tests/unit/intent/test_policy.py`. No suite runs.
"""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from rich.console import Console

from bench.labelled import DATA, Figure, complain, read_toml, report
from services.intent.policy.policies import Policies, load_policies

SETS: Final = MappingProxyType(
    {"unseen": "en", "seen": "en", "blind": "en", "held_out": "en", "german": "de", "german_held_out": "de"}
)
"""The sets with their languages."""


@dataclass(frozen=True, slots=True)
class Judgements:
    """What became of the questions of a set."""

    set: str
    bad: int
    harmless: int
    false_negatives: Sequence[str]
    """Bad ones that pass."""
    false_positives: Sequence[str]
    """Harmless ones that do not."""

    def figures(self) -> list[Figure]:
        """Recall of the bad ones, and wrong refusals."""
        name = f"policy, {self.set.replace('_', ' ')}"
        return [
            Figure(f"{name}: bad", self.bad, "refused", self.bad - len(self.false_negatives)),
            Figure(f"{name}: harmless", self.harmless, "refused", len(self.false_positives)),
        ]


def judge(name: str, policies: Policies) -> Judgements:
    """The questions of one set."""
    bad, harmless = _bad_and_harmless(read_toml(DATA / "policy" / f"{name}.toml"))
    false_negatives = [question for question in bad if not policies.judge(question, SETS[name]).is_reject]
    false_positives = [question for question in harmless if policies.judge(question, SETS[name]).is_reject]
    return Judgements(name, len(bad), len(harmless), false_negatives, false_positives)


def _bad_and_harmless(questions: Mapping[str, Sequence[str]]) -> tuple[list[str], list[str]]:
    """The bad ones and the harmless ones; a file may have several lists of each."""
    bad = [question for name, group in questions.items() if not name.endswith("harmless") for question in group]
    return bad, [question for name, group in questions.items() if name.endswith("harmless") for question in group]


def figures() -> list[Figure]:
    """Of all sets."""
    policies = load_policies()
    return [figure for name in SETS for figure in judge(name, policies).figures()]


def main() -> int:
    """Measure and print."""
    console, policies = Console(), load_policies()
    judgements = [judge(name, policies) for name in SETS]
    report(console, "Policy", [figure for each in judgements for figure in each.figures()])
    for each in judgements:
        complain(console, [f"{each.set}, passes: {question}" for question in each.false_negatives])
        complain(console, [f"{each.set}, refused: {question}" for question in each.false_positives])
    return 0


if __name__ == "__main__":
    sys.exit(main())
