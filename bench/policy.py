"""How many bad questions the shipped policy refuses, and harmless ones too: `python -m bench.policy`.

`unseen` and `seen` were used to mend the policy, after they had measured it once; `blind` was used against wrong
refusals only; nothing was mended for `held_out`, which alone tells something of wordings that nobody tuned for. The
questions that the policy was written on are a specification: `tests/unit/intent/test_policy.py`. No suite runs.
"""

import sys
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from bench.labelled import DATA, Figure, read_toml, show
from services.intent.policy.policies import Policies, load_policies

SETS: Final = MappingProxyType(
    {"unseen": "en", "seen": "en", "blind": "en", "held_out": "en", "german": "de", "german_held_out": "de"}
)
"""The sets with their languages."""


def judge(name: str, policies: Policies) -> tuple[list[Figure], list[str]]:
    """The figures of a set, and a line a wrong judgement."""
    bad, harmless = _bad_and_harmless(read_toml(DATA / "policy" / f"{name}.toml"))
    passing = [question for question in bad if not policies.judge(question, SETS[name]).is_reject]
    refused = [question for question in harmless if policies.judge(question, SETS[name]).is_reject]
    title = f"policy, {name.replace('_', ' ')}"
    figures = [
        Figure(f"{title}: bad", len(bad), "refused", len(bad) - len(passing)),
        Figure(f"{title}: harmless", len(harmless), "refused", len(refused)),
    ]
    wrong = [f"{name}, passes: {question}" for question in passing]
    return figures, [*wrong, *(f"{name}, refused: {question}" for question in refused)]


def _bad_and_harmless(questions: Mapping[str, Sequence[str]]) -> tuple[list[str], list[str]]:
    """The bad ones and the harmless ones; a file may have several lists of each."""
    bad = [question for name, group in questions.items() if not name.endswith("harmless") for question in group]
    return bad, [question for name, group in questions.items() if name.endswith("harmless") for question in group]


def judge_all() -> tuple[list[Figure], list[str]]:
    """The same of all sets."""
    policies = load_policies()
    judged = [judge(name, policies) for name in SETS]
    return [figure for figures, _ in judged for figure in figures], [line for _, lines in judged for line in lines]


def figures() -> list[Figure]:
    """Of all sets."""
    return judge_all()[0]


def main() -> int:
    """Measure and print."""
    show("Policy", *judge_all())
    return 0


if __name__ == "__main__":
    sys.exit(main())
