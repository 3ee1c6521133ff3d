"""What tells forms of verbs from other words; the verbs themselves are in `verbs.txt`."""

from dataclasses import dataclass

from libs.language.topic import Topic


@dataclass(frozen=True)
class VerbForms(Topic):
    """Forms of verbs in a language; lower-cased."""

    also_nouns: frozenset[str]
    """Past forms that are other words, too: `saw`, `ground`."""
    past_endings: tuple[str, ...]
    """Endings of regular past forms: `ed`."""
    finite: frozenset[str]
    """Finite auxiliaries, which follow a subject, and the conjunction between two subjects."""
