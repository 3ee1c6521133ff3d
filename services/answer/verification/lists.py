"""Compares lists: `gold, thorium and potassium` isn't supported by `uranium, thorium and potassium`."""

from libs.language.topics.clauses import ClauseForms
from services.answer.lexicon.related_words import is_covered
from services.answer.lexicon.words import stems_of
from services.answer.verification.claims import Claims

_LEAST_KNOWN = 2


def unlisted_item(claims: Claims, evidence: Claims) -> str | None:
    """Return the only item of a claim's list that is missing in the source, which has the others; None otherwise."""
    forms, language = ClauseForms.of(claims.language), claims.language
    for match in forms.enumeration.finditer(claims.text):
        items = [item for item in forms.separator.split(match[0]) if stems_of(item, language)]
        unknown = [item for item in items if not _is_known(item, evidence, language)]
        if len(unknown) == 1 and len(items) - 1 >= _LEAST_KNOWN and _is_list(items, unknown[0], evidence):
            return unknown[0]
    return None


def _is_known(item: str, evidence: Claims, language: str) -> bool:
    return any(is_covered(stem, evidence.stems, language) for stem in stems_of(item, language))


def _is_list(items: list[str], unknown: str, evidence: Claims) -> bool:
    """Whether the source also has the other items in a list that is at least as long."""
    language, forms = evidence.language, ClauseForms.of(evidence.language)
    others = {stems_of(item, language)[-1] for item in items if item != unknown}
    return any(
        others <= set(stems_of(match[0], language)) and len(_items(match[0], forms)) >= len(items)
        for match in forms.enumeration.finditer(evidence.text)
    )


def _items(text: str, forms: ClauseForms) -> list[str]:
    return [item for item in forms.separator.split(text) if item]
