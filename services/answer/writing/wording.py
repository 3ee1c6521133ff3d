"""What an answer says in words of its own: that nothing was found, what is missing, what was computed."""

from collections.abc import Sequence

_MOST_NAMED = 4


def nothing_found(missing: Sequence[str], has_evidence: bool) -> str:
    """An honest sentence instead of an answer."""
    if not has_evidence:
        return "Nothing was found for this question in the documents."
    if missing:
        return f"The documents hold no answer to this question: nothing in them was found about {_listed(missing)}."
    return "The documents touch on this matter, but none of them was found to answer the question."


def gap(question: str) -> str:
    """One sentence for a sub-question without an answer."""
    return f"Nothing was found about this part of the question: {_bare(question)}."


def uncomputed(question: str) -> str:
    """One sentence for what would follow from others, some of which have no answer."""
    return f"Nothing was found to work this out: {_bare(question)}."


def computed(question: str, answer: str, given: Sequence[str] = ()) -> str:
    """One sentence for an answer that follows from others, and from which values it follows."""
    bare = _bare(question)
    values = f" ({'; '.join(given)})" if given else ""
    return f"{bare[:1].upper()}{bare[1:]}: {answer.rstrip('.')}{values}."


def _bare(question: str) -> str:
    return " ".join(question.split()).rstrip("?!. ")


def _listed(missing: Sequence[str]) -> str:
    """`a`, `a or b`, `a, b or c`, in quotation marks."""
    quoted = [f"“{word}”" for word in missing[:_MOST_NAMED]]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} or {quoted[-1]}"
