"""What an answer says in words of its own, in the question's language: that there is no answer, what is missing."""

from collections.abc import Sequence
from dataclasses import dataclass

from libs.language.known import Language, language_of


@dataclass(frozen=True, slots=True)
class Wording:
    """The suite's own sentences in one language; empty in one that it has none in."""

    language: Language

    @classmethod
    def in_language(cls, code: str) -> "Wording":
        """In a language by its ISO 639-1 code."""
        return cls(language_of(code))

    @property
    def nearest(self) -> str:
        """Before passages that hold no answer."""
        return self._phrase("answer_nearest")

    @property
    def nothing(self) -> str:
        """Where there is no evidence."""
        return self._phrase("answer_nothing")

    def gap(self, question: str) -> str:
        """One sentence for a sub-question without an answer."""
        return self._phrase("answer_gap", question=_bare(question))

    def uncomputed(self, question: str) -> str:
        """One sentence for what would follow from others, some of which have no answer."""
        return self._phrase("answer_uncomputed", question=_bare(question))

    def computed(self, question: str, answer: str, given: Sequence[str] = ()) -> str:
        """One sentence for an answer that follows from others, and from which values it follows."""
        bare = _bare(question)
        values = f" ({'; '.join(given)})" if given else ""
        return f"{bare[:1].upper()}{bare[1:]}: {answer.rstrip('.')}{values}."

    def _phrase(self, name: str, **values: str) -> str:
        return self.language.phrases.get(name, "").format(**values)


def _bare(question: str) -> str:
    return " ".join(question.split()).rstrip("?!.？。 ")
