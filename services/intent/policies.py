"""Which questions are refused, in each language: the shipped policies, or the operator's own.

English rules read questions in every language, since a short text's language is uncertain; the rules of its own
language, if there are some, read it first. The reason is in the question's language.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType
from typing import Final

from libs.contracts.understanding import Category, QuestionRejection
from libs.language.known import ENGLISH, phrase
from services.intent.policy import Policy, load_policy

_SHIPPED: Final = MappingProxyType({"de": "policy.de.toml"})
"""The file of each language besides English, `policy.toml`."""


@dataclass(frozen=True, slots=True)
class Policies:
    """The policies, by language."""

    common: Policy
    """Reads questions in every language."""
    others: Mapping[str, Policy] | None = None
    """The policies of the other languages; None if `common` is the operator's own, whose reasons stay as written."""

    def judge(self, question: str, language: str) -> QuestionRejection:
        """Return whether a question is refused, and the deciding category (None if no rule fired).

        Args:
            question: the question.
            language: of the question, ISO 639-1.
        """
        policy = (self.others or {}).get(language)
        own = policy.judge(question) if policy else QuestionRejection()
        if own.is_reject:
            return own
        common = self.common.judge(question)
        if common.is_reject:
            return self.rejection(common.category, language, common.reject_reason)
        return own if own.category else common

    def rejection(self, category: Category | None, language: str, reason: str = "") -> QuestionRejection:
        """Return whether a question of a category is refused, and why.

        Args:
            category: the question's category; None for an ordinary question.
            language: of the question, ISO 639-1.
            reason: the reason of the common policy; empty for the category's own.
        """
        if self.others is None or language == ENGLISH or not self.refuses(category):
            return self.common.rejection(category, reason)
        if policy := self.others.get(language):
            return policy.rejection(category)
        return QuestionRejection(True, phrase("refusal", language), category)

    def refuses(self, category: Category | None) -> bool:
        """Whether questions of a category are refused."""
        return category is not None and self.common.stances[category].refuse


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
    folder = files("services.intent")
    others = {code: load_policy(folder / name, code, categories) for code, name in _SHIPPED.items()}
    return Policies(load_policy(folder / "policy.toml", ENGLISH, categories), others)
