"""Which sentences a paragraph quotes, and in which order.

Retrieval knows better which source answers than a comparison of words does, and words know better which of its
sentences: so a paragraph quotes one source, chosen mostly by its rank, and of it the sentences that score best, as they
follow one another there. A question for a date, a number or a name is answered by a sentence that tells one, wherever
it stands; it needs others only where it is no sure answer.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from services.answer.lexicon.words import has_phrase
from services.answer.priors import best_fused, share_of_best
from services.answer.question import PRECISE, Question, sides_of
from services.answer.requests import Length
from services.answer.scoring import ScoredSentence
from services.answer.sentences import EvidenceSentence
from services.answer.term_credits import leans

WORDS = {Length.SHORT: 30, Length.MEDIUM: 100, Length.LONG: 200}
"""How many words a paragraph has at most, but for its first sentence."""
PRECISE_WORDS = {Length.SHORT: 1, Length.MEDIUM: 60, Length.LONG: 120}
SOURCES = {Length.SHORT: 1, Length.MEDIUM: 1, Length.LONG: 3}
"""How many sources a paragraph quotes at most."""
SENTENCE_WEIGHT = 0.1
"""What a source's best sentence weighs beside its rank, where something is to be told."""
PRECISE_RANK_WEIGHT = 0.5
"""What a passage's rank weighs beside the sentence, where a date, a number or a name is wanted."""
PRECISE_SENTENCE_WEIGHT = 0.3
"""The same for a date, a number or a name that no sentence is a sure answer for."""
PASSAGE_WEIGHT = 0.3
"""What a passage's rank weighs beside a sentence's score within a source."""
SHARED_COVERAGE = 0.5
"""From this coverage on a sentence of a passage that several sub-queries found has all of the passage's rank."""
LEAST_ABOUT = 0.5
"""A sentence about another thing is quoted only where there is no other."""
SURE_COVERAGE = 0.6
"""From this coverage on a sentence that tells what is wanted answers alone."""
SHARE_OF_BEST = 0.4
PRECISE_SHARE = 0.55
"""A further sentence scores at least this share of the best one. Without it an answer has more of a long reference
answer's words (token F1 on MTRAG .29, not .28), and more that is beside the point."""
TELLING_BONUS = 0.3
"""For a sentence that holds an answer of the wanted kind."""
NEARLY = 0.93
"""A sentence with this share of the best one's fit may be the answer as well."""
RIVALS = {Length.SHORT: 0, Length.MEDIUM: 1, Length.LONG: 3}
TELLS = 0.5
"""From this kind score on, a sentence holds an answer of the wanted kind."""
SAME_WORDS = 0.65
"""Two sentences with this share of content stems in common (of the shorter one's) say the same."""


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A sentence with the rank of its passage as a share of the best one's, in [0, 1]."""

    scored: ScoredSentence
    rank: float

    @property
    def sentence(self) -> EvidenceSentence:
        return self.scored.sentence

    @property
    def source(self) -> tuple[str, str]:
        passage = self.sentence.passage
        return passage.collection, passage.document_id


def choose_sentences(
    question: Question, ranked: Sequence[ScoredSentence], length: Length, told: Sequence[EvidenceSentence] = ()
) -> list[ScoredSentence]:
    """The sentences of a paragraph in reading order.

    Args:
        question: what the paragraph answers.
        ranked: all sentences of its evidence, the best first.
        length: how much there may be.
        told: what the answer has said already.
    """
    candidates = _candidates([scored for scored in ranked if not repeats(scored.sentence, told)])
    if not candidates:
        return []
    chosen = (_precise if question.kind in PRECISE else _telling)(candidates, length)
    return [candidate.scored for candidate in (*chosen, *_other_sides(question, chosen, candidates))]


def repeats(sentence: EvidenceSentence, told: Iterable[EvidenceSentence]) -> bool:
    """Whether something that was told says nearly the same words."""
    for other in told:
        common = len(sentence.stem_set & other.stem_set)
        if common >= SAME_WORDS * max(1, min(len(sentence.stem_set), len(other.stem_set))):
            return True
    return False


def _other_sides(
    question: Question, chosen: Sequence[_Candidate], candidates: Sequence[_Candidate]
) -> Iterator[_Candidate]:
    """Of two things set beside each other the best sentence about the one that nothing was told of."""
    for name in sides_of(question):
        if not any(has_phrase(name, candidate.sentence.text) for candidate in chosen):
            own = [candidate for candidate in candidates if has_phrase(name, candidate.sentence.text)]
            yield from sorted(own, key=_precise_fit, reverse=True)[:1]


def _candidates(ranked: Sequence[ScoredSentence]) -> list[_Candidate]:
    best = best_fused(scored.sentence.reference for scored in ranked)
    return [_Candidate(scored, _rank(scored, best)) for scored in ranked]


def _rank(scored: ScoredSentence, best: float) -> float:
    """A passage that several sub-queries found has the rank of the one that it suits best: for another it counts by its
    words."""
    reference = scored.sentence.reference
    shared = len(reference.evidence.nodes) > 1
    return share_of_best(reference, best) * (min(1.0, scored.coverage / SHARED_COVERAGE) if shared else 1.0)


def _telling(candidates: Sequence[_Candidate], length: Length) -> list[_Candidate]:
    """The best sentences of the best sources, each source's together."""
    chosen: list[_Candidate] = []
    for source in _best_sources(candidates, SENTENCE_WEIGHT)[: SOURCES[length]]:
        chosen += _best_first(
            _filled(chosen, _worthwhile(sorted(source, key=_fit, reverse=True), SHARE_OF_BEST), WORDS[length])
        )
    return chosen


def _precise(candidates: Sequence[_Candidate], length: Length) -> list[_Candidate]:
    """The sentence that tells what is wanted, and one that is nearly as good; where none is a sure answer, the best of
    the best source."""
    of_it = [candidate for candidate in candidates if candidate.scored.about >= LEAST_ABOUT] or candidates
    by_fit = sorted(of_it, key=_precise_fit, reverse=True)
    first = by_fit[0]
    if first.scored.kind < TELLS or first.scored.coverage < SURE_COVERAGE:
        source = _best_sources(of_it, PRECISE_SENTENCE_WEIGHT)[0]
        by_fit = _worthwhile(sorted(source, key=_precise_fit, reverse=True), PRECISE_SHARE)
        return _best_first(_filled([], by_fit, PRECISE_WORDS[length]))
    rivals = [c for c in by_fit[1:] if c.scored.kind >= TELLS and _precise_fit(c) >= NEARLY * _precise_fit(first)]
    new = [c for c in rivals if not repeats(c.sentence, [first.sentence])]
    opening = [c for c in candidates if c.source == first.source and c.sentence.text == first.scored.context]
    return [*opening, first, *(new[: RIVALS[length]])]


def _worthwhile(by_fit: Sequence[_Candidate], share: float) -> list[_Candidate]:
    """The best one, and what has a good share of its score."""
    least = share * by_fit[0].scored.score
    return [by_fit[0], *(c for c in by_fit[1:] if c.scored.score >= least)]


def _fit(candidate: _Candidate) -> float:
    return candidate.scored.score + PASSAGE_WEIGHT * candidate.rank


def _precise_fit(candidate: _Candidate) -> float:
    telling = TELLING_BONUS if candidate.scored.kind >= TELLS else 0.0
    return candidate.scored.score + PRECISE_RANK_WEIGHT * candidate.rank + telling


def _best_sources(candidates: Sequence[_Candidate], weight: float) -> list[list[_Candidate]]:
    """The sentences by source, the best source first; `weight` is what its best sentence counts beside its rank."""
    sources: dict[tuple[str, str], list[_Candidate]] = {}
    for candidate in candidates:
        sources.setdefault(candidate.source, []).append(candidate)

    def worth(source: Sequence[_Candidate]) -> float:
        return max(c.rank for c in source) + weight * max(c.scored.score for c in source)

    return sorted(sources.values(), key=worth, reverse=True)


def _filled(before: Sequence[_Candidate], by_fit: Sequence[_Candidate], most_words: int) -> list[_Candidate]:
    """What fits beside `before`, the best first, each sentence new."""
    taken: list[_Candidate] = []
    words = sum(_words(c) for c in before)
    for candidate in by_fit:
        said = [c.sentence for c in (*before, *taken)]
        if (not said or words + _words(candidate) <= most_words) and not repeats(candidate.sentence, said):
            taken.append(candidate)
            words += _words(candidate)
    return taken


def _words(candidate: _Candidate) -> int:
    return len(candidate.sentence.text.split())


def _best_first(chosen: Sequence[_Candidate]) -> list[_Candidate]:
    """The best sentence, behind the one that it leans on, then the others as they follow in the source."""
    if not chosen:
        return []
    best = chosen[0]
    before = best.sentence.before[-1:] if leans(best.sentence.text) else ()
    opening = [c for c in chosen[1:] if c.sentence.text in before]
    rest = [c for c in chosen[1:] if c not in opening]
    return [*opening, best, *sorted(rest, key=lambda c: (c.sentence.position, c.sentence.span.start))]
