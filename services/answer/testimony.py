"""What of a passage reports something: all but the orders in it, which bear nothing out and are not quoted.

Everything else stays where it stands, so that spans hold in the passage as it is kept.
"""

import re
from dataclasses import replace
from functools import lru_cache

from libs.contracts.answers import Citation, CitedSpan
from libs.contracts.evidence import Passage, Reference
from libs.contracts.spans import Span
from libs.text.orders import APART, without_orders
from services.answer.lexicon.words import stems_of

_without_orders = lru_cache(maxsize=256)(without_orders)
"""An answer reads its passages several times."""
_REPORTED = re.compile(f"[^{APART}]*[^{APART}\\s][^{APART}]*")


def testimony(reference: Reference) -> Reference:
    """The reference with the orders in its passage's text and title set apart; the very same where there are none."""
    passage = reference.evidence.passage
    told = reported(passage)
    return reference if told is passage else replace(reference, evidence=replace(reference.evidence, passage=told))


def reported(passage: Passage) -> Passage:
    """The passage with the orders in its text and title set apart; the very same where there are none."""
    text, title = _without_orders(passage.text), _without_orders(passage.title)
    if (text, title) == (passage.text, passage.title):
        return passage
    return replace(passage, text=text, title=" ".join(title.split()))


def is_told(passage: Passage) -> bool:
    """Whether a passage reports anything at all."""
    return bool(passage.text.strip())


def cite_told(citation: Citation, sentence: str) -> Citation:
    """The citation without the orders that its spans reach across: of each the part nearest to the sentence."""
    if not any(APART in cited.quote for cited in citation.references):
        return citation
    return replace(citation, references=tuple(_nearest_part(cited, sentence) for cited in citation.references))


def _nearest_part(cited: CitedSpan, sentence: str) -> CitedSpan:
    wanted = set(stems_of(sentence))
    parts = list(_REPORTED.finditer(cited.quote))
    best = max(parts, key=lambda part: len(wanted.intersection(stems_of(part[0]))), default=None)
    if best is None:
        return cited
    quote = best[0].strip()
    start = cited.span.start + cited.quote.index(quote, best.start())
    return replace(cited, span=Span(start, start + len(quote)), quote=quote)
