"""The rules engine: draft an answer from quotations, or abstain.

Each sub-question of the plan gets an equal share of the words. If the evidence is doubted, the nearest quotations are
still shown, with a note that they are not an answer.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from libs.contracts.answers import CitedSpan
from libs.contracts.evidence import Section
from libs.contracts.options import Length
from libs.contracts.stages.answer import WriteRequest
from services.answer.drafts import BLOCK, Draft, DraftSentence, Paragraph
from services.answer.quoting.asked import Asked
from services.answer.quoting.choosing import PASSAGES, WORDS, ScoredUnit, choose_units, score_units
from services.answer.quoting.composing import compose
from services.answer.quoting.doubt import doubt_of
from services.answer.quoting.terms import question_language, read_in, terms_asked
from services.answer.quoting.units import Unit, read_units
from services.answer.subquestions import SubQuestion, sub_questions
from services.answer.writing.wording import Wording

LEAST_WORDS: Final = 40
"""Minimum words for each part of an answer in several parts."""
NEAREST_WORDS: Final = 60
"""Words of the nearest quotations if there is no answer."""
BUILT_ON: Final = 1.0
"""Bonus for the unit that contains a short answer on which other sub-questions depend."""
ALWAYS: Final = 2.0
"""A threshold that no doubt reaches."""


@dataclass(frozen=True, slots=True)
class _Part:
    """A sub-question with its scored units and doubt."""

    sub: SubQuestion
    scored: Sequence[ScoredUnit]
    passages: Sequence[Sequence[Unit]]
    wanted: frozenset[str]
    """Terms of the question."""
    doubt: float
    """In [0, 1]: confidence that the evidence has no answer."""

    def paragraphs(self, words: int) -> tuple[Paragraph, ...]:
        """Return the quotations, in about `words` words."""
        chosen = choose_units(self.scored, words)
        return compose(chosen, self.passages, self.wanted) if chosen else ()


def draft_answer(request: WriteRequest, length: Length, threshold: float) -> Draft:
    """Draft an answer from quotations, or abstain.

    Args:
        request: the question, its plan and the references.
        length: how much is quoted (`services.answer.quoting.choosing.WORDS`).
        threshold: the doubt in [0, 1] from which the draft abstains, unless the request forbids it.
    """
    language = question_language(request)
    subs = sub_questions(replace(request, references=read_in(request.references, language)))
    parts = [_read(sub, language, request.follows_up) for sub in subs if sub.computed is None and not sub.uncomputed]
    wording = Wording.in_language(request.language.partition("-")[0].lower() or language)
    bar = ALWAYS if request.never_abstain else threshold
    gaps = [part for part in parts if not part.scored or part.doubt >= bar]
    uncomputed = [sub.text for sub in subs if sub.uncomputed]
    score = min((part.doubt for part in parts), default=0.0)
    if parts and len(gaps) == len(parts):
        return _abstention(request, gaps, wording, score)
    words = max(LEAST_WORDS, WORDS[length] // max(1, len(parts)))
    return Draft(
        computed=tuple(_computed(sub, wording) for sub in subs if sub.computed is not None),
        quoted=_each_once([paragraph for part in parts if part not in gaps for paragraph in part.paragraphs(words)]),
        doubted=_alone(wording.gap(part.sub.text) for part in gaps),
        said=_alone(map(wording.uncomputed, uncomputed)),
        abstains=bool(parts) and all(part.doubt >= threshold for part in parts),
        abstain_score=score,
        gaps=tuple(part.sub.text for part in gaps),
        uncomputed=tuple(uncomputed),
    )


def _read(sub: SubQuestion, language: str, follows_up: bool) -> _Part:
    terms = terms_asked(sub)
    wanted = frozenset(term.term for term in terms)
    ranked = sorted(sub.references, key=lambda reference: reference.evidence.rank or reference.number)
    passages = [read_units(reference, wanted) for reference in ranked[:PASSAGES]]
    asked = Asked(sub.text, language, terms, sub.search is not None, follows_up)
    scored = _built_on(score_units(asked, passages), sub.source)
    if not scored:
        return _Part(sub, (), passages, wanted, 1.0)
    units = [unit for passage in passages for unit in passage]
    doubt = doubt_of(asked, ranked[0].evidence.scores, units)
    return _Part(sub, scored, passages, wanted, doubt)


def _built_on(scored: Sequence[ScoredUnit], source: CitedSpan | None) -> list[ScoredUnit]:
    """Return the units, with the score of the one that contains the short answer raised."""
    if source is None:
        return list(scored)
    raised = [ScoredUnit(s.unit, s.score + BUILT_ON) if _holds(s.unit, source) else s for s in scored]
    return sorted(raised, key=lambda s: -s.score)


def _holds(unit: Unit, span: CitedSpan) -> bool:
    within = unit.span.start <= span.span.start and span.span.end <= unit.span.end
    return within and unit.passage.passage_id == span.passage_id


def _abstention(request: WriteRequest, gaps: Sequence[_Part], wording: Wording, score: float) -> Draft:
    nearest = _each_once([paragraph for part in gaps for paragraph in part.paragraphs(NEAREST_WORDS // len(gaps))])
    return Draft(
        doubted=_alone([wording.nearest if nearest else wording.nothing]),
        nearest=nearest,
        abstained=True,
        abstains=True,
        abstain_score=score,
        gaps=tuple(part.sub.text for part in gaps),
    )


def _alone(texts: Iterable[str]) -> tuple[Paragraph, ...]:
    """Return a paragraph per text, skipping empty texts: some languages have no wording for a message."""
    return tuple((DraftSentence(text),) for text in texts if text)


def _computed(sub: SubQuestion, wording: Wording) -> Paragraph:
    assert sub.computed is not None
    text = wording.computed(sub.text, sub.computed.answer, sub.computed.given)
    return (DraftSentence(text, computed=sub.computed),)


def _each_once(paragraphs: Sequence[Paragraph]) -> tuple[Paragraph, ...]:
    """Drop quotations that another sub-question already has, and merge consecutive paragraphs of one section."""
    told: set[tuple[str, int, int]] = set()
    kept: list[Paragraph] = []
    for heading, *quoted in paragraphs:
        new = [sentence for sentence in quoted if _key(sentence) not in told]
        told.update(map(_key, new))
        if not new:
            continue
        opening = [replace(new[0], gap=BLOCK), *new[1:]]
        if kept and _section(kept[-1][0]) == _section(heading):
            kept[-1] = (*kept[-1], *opening)
        else:
            kept.append((heading, *opening))
    return tuple(kept)


def _section(heading: DraftSentence) -> Section | None:
    return heading.heads.section if heading.heads else None


def _key(sentence: DraftSentence) -> tuple[str, int, int]:
    assert sentence.quotation is not None
    span = sentence.quotation.span
    return sentence.quotation.passage.passage_id, span.start, span.end
