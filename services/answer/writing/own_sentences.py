"""OwnSentences that is not quoted, in the question's language: that there is no answer, or what is missing."""

from collections.abc import Sequence
from dataclasses import dataclass

from libs.language.known import Language, language_of


@dataclass(frozen=True, slots=True)
class OwnSentences:
    """Fixed phrases in one language; empty if it has none."""

    language: Language

    @classmethod
    def in_language(cls, code: str) -> "OwnSentences":
        """Return the wording for an ISO 639-1 code."""
        return cls(language_of(code))

    @property
    def nearest(self) -> str:
        """Introduces passages that hold no answer."""
        return self._phrase("answer_nearest")

    @property
    def nothing(self) -> str:
        """States that there is no evidence."""
        return self._phrase("answer_nothing")

    def gap(self, question: str) -> str:
        """Return a sentence for a sub-question without an answer."""
        return self._phrase("answer_gap", question=_without_punctuation(question))

    def uncomputed(self, question: str) -> str:
        """Return a sentence for a question that depends on others, some of which have no answer."""
        return self._phrase("answer_uncomputed", question=_without_punctuation(question))

    def computed(self, question: str, answer: str, values: Sequence[str] = ()) -> str:
        """Return a sentence for an answer that is computed from others, with the values it is based on."""
        text = _without_punctuation(question)
        suffix = f" ({'; '.join(values)})" if values else ""
        return f"{text[:1].upper()}{text[1:]}: {answer.rstrip('.')}{suffix}."

    def _phrase(self, name: str, **values: str) -> str:
        return self.language.phrases.get(name, "").format(**values)


def _without_punctuation(question: str) -> str:
    return " ".join(question.split()).rstrip("?!.？。 ")
