"""Which questions are refused, in each language: the shipped policies, or the operator's own.

English rules read questions in every language, since a short text's language is uncertain; the rules of its own
language, if there are some, read it first. The reason is in the question's language.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType
from typing import Final

from libs.contracts.understanding import Category, QuestionRejection
from libs.language.known import ENGLISH, phrase
from services.intent.policy.policy import Policy, load_policy

_SHIPPED: Final = MappingProxyType({"de": "policy.de.toml"})
"""The file of each language besides English, `policy.toml`."""


@dataclass(frozen=True, slots=True)
class Policies:
    """The policies, by language."""

    common: Policy
    """Reads questions in every language."""
    others: Mapping[str, Policy] = field(default_factory=dict)
    """The policies of the other languages; empty if `common` is the operator's own, whose reasons stay as written."""

    def judge(self, question: str, language: str) -> QuestionRejection:
        """Return whether a question is refused, and the deciding category (None if no rule fired).

        Args:
            question: the question.
            language: of the question, ISO 639-1.
        """
        deciding = QuestionRejection()
        for policy in (self.others.get(language), self.common):
            if policy is None or (rule := policy.deciding_rule(question)) is None:
                continue
            rejection = self.rejection(rule.category, language, rule.reason if policy is self._of(language) else "")
            if rejection.is_reject:
                return rejection
            deciding = deciding if deciding.category else rejection
        return deciding

    def rejection(self, category: Category | None, language: str, reason: str = "") -> QuestionRejection:
        """Return whether a question of a category is refused, and why.

        Args:
            category: the question's category; None for an ordinary question.
            language: of the question, ISO 639-1.
            reason: the reason in that language; empty for the category's own.
        """
        if category is None or not self.refuses(category):
            return QuestionRejection(category=category)
        policy = self._of(language)
        own_reason = policy.stances[category].reason if policy else phrase("refusal", language)
        return QuestionRejection(True, reason or own_reason, category)

    def refuses(self, category: Category | None) -> bool:
        """Whether questions of a category are refused."""
        return category is not None and self.common.stances[category].refuse

    def _of(self, language: str) -> Policy | None:
        """The policy whose reasons a question in a language gets."""
        return self.common if language == ENGLISH or not self.others else self.others.get(language)


def load_policies(path: Path | None = None, refuse: Iterable[Category] | None = None) -> Policies:
    """Load the policies.

    Args:
        path: the operator's own policy file, which replaces all shipped ones; its words are read as English.
        refuse: the categories to refuse, overriding the files; None for no override.

    Raises:
        PolicyError: a file cannot be read, or has something unknown, missing or malformed.
    """
    categories = None if refuse is None else tuple(refuse)
    if path is not None:
        return Policies(load_policy(path, ENGLISH, categories))
    folder = files(__package__)
    others = {code: load_policy(folder / name, code, categories) for code, name in _SHIPPED.items()}
    return Policies(load_policy(folder / "policy.toml", ENGLISH, categories), others)
