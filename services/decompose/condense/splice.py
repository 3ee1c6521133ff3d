"""Splices a fragment into the previous question.

"What about Viking 2?" after "When did Viking 1 land on Mars?" asks when Viking 2 landed on Mars: the fragment replaces
a phrase of its own kind (name for name, year for year, place for place).

Confidences (.65 to .85) and likenesses are chosen by hand; no set measures them. Their order counts, and whether they
reach the .8 from which the intent stage doesn't ask back: only where the kinds or heads of both phrases agree. Pure.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from libs.language.topics.follow_ups import Splicing
from libs.language.topics.grammar import Grammar
from libs.text.tokens import stem
from services.decompose.plan.sentences import body_of, has_verb
from services.decompose.words.domain import Domain, is_among, is_plural, singular
from services.decompose.words.phrases import Phrase, PhraseKind, find_phrases


@dataclass(frozen=True, slots=True)
class SplicedQuestion:
    """A question assembled from a fragment and a frame; its confidence is in [0, 1]."""

    text: str
    reason: str
    confidence: float


def splice(fragment: str, frame: str, domain: Domain, names: frozenset[str], language: str) -> SplicedQuestion | None:
    """Splice a fragment into the previous question. Returns None if it does not fit.

    Args:
        fragment: the turn's own content, such as "Viking 2" or "in Europe".
        frame: the previous question, standalone.
        names: words that are names elsewhere in the conversation.
        language: of the conversation; ISO 639-1.
    """
    parts = find_phrases(fragment, language, names)
    slots = find_phrases(frame, language, names)
    if match := Splicing.of(language).qualified_plural.fullmatch(fragment):
        return _qualify_things(match["quality"], frame, slots, language)
    if not parts or has_verb(fragment, language):
        return None
    if question := _swap_phrases(parts, frame, slots, language):
        return question
    if len(parts) == 1 and parts[0].kind is PhraseKind.THING:
        return _splice_thing(fragment, parts[0], frame, slots, domain, language)
    return _append(fragment, frame, language)


def swap_names(fragment: str, frame: str, names: frozenset[str], language: str) -> SplicedQuestion | None:
    """Replace names and dates of the frame with those of the fragment. Returns None if the frame has no match."""
    parts, slots = find_phrases(fragment, language, names), find_phrases(frame, language, names)
    return _swap_phrases(parts, frame, slots, language)


def _qualify_things(quality: str, frame: str, slots: Sequence[Phrase], language: str) -> SplicedQuestion | None:
    """ "Cheaper ones" after "Show me hotels in Berlin": the previous question with its things qualified."""
    things = [slot for slot in slots if slot.kind is PhraseKind.THING and is_plural(slot.head, language)]
    if not things:
        return None
    slot = things[0]
    text = f"{frame[: slot.start]}{quality.lower()} {frame[slot.start :]}"
    return SplicedQuestion(body_of(text, language), f'"ones" stands for "{slot.text}" of the previous question', 0.75)


def ask_otherwise(question_word: str, frame: str, language: str) -> str | None:
    """Return the previous question with another question word; None if that gives no question."""
    plain, forms = body_of(frame, language), Splicing.of(language)
    if question_word.split()[0].lower() not in forms.adverbial_question_words:
        return None
    if match := forms.asked_otherwise.fullmatch(plain):
        return f"{question_word} {match['rest']}"
    return f"{question_word} {plain[0].lower()}{plain[1:]}" if forms.yes_no.fullmatch(plain) else None


def _swap_phrases(
    parts: Sequence[Phrase], frame: str, slots: Sequence[Phrase], language: str
) -> SplicedQuestion | None:
    """Swap each name or date of the fragment for one of its kind; a phrase with a preposition may be appended."""
    free, swaps, suffixes = list(slots), [], []
    for part in parts:
        slot = max(free, key=lambda slot: _likeness(part, slot), default=None)
        if part.kind is not PhraseKind.THING and slot is not None and _likeness(part, slot) > 0:
            swaps.append((slot, part))
            free.remove(slot)
        elif part.preposition:
            suffixes.append(f"{part.preposition} {part.with_determiner}")
        else:
            return None
    if not swaps:
        return None
    text = frame
    for slot, part in sorted(swaps, key=lambda swap: -swap[0].start):
        text = _replace(text, slot, part, language)
    slot, part = swaps[0]
    reason = f'"{part.text}" takes the place of "{slot.text}" in the previous question'
    return SplicedQuestion(
        " ".join([body_of(text, language), *suffixes]), reason, 0.85 if slot.kind is part.kind else 0.7
    )


def _likeness(part: Phrase, slot: Phrase) -> float:
    """How well a phrase of the fragment fits a slot of the frame; 0 if it does not."""
    if part.text.lower() == slot.text.lower() or part.is_possessive:
        return 0.0
    same_kind = part.kind is slot.kind and part.kind is not PhraseKind.THING
    both_named = {part.kind, slot.kind} == {PhraseKind.NAME, PhraseKind.NUMBERED}
    if not same_kind and not both_named:
        return 0.0
    same_first_word = part.text.split()[0].lower() == slot.text.split()[0].lower()
    same_preposition = bool(part.preposition) and part.preposition == slot.preposition
    first = 0.2 / (1 + slot.start)
    return (2.0 if same_kind else 1.0) + same_first_word + 0.5 * same_preposition + first


def _replace(frame: str, slot: Phrase, part: Phrase, language: str) -> str:
    """The frame with a slot replaced; the new phrase's own article and preposition take precedence."""
    start, articles = slot.start, Grammar.of(language).articles
    new = part.text if slot.tail or not part.tail else f"{part.text} {part.tail}"
    if slot.determiner in articles and not slot.tail:
        start = frame.rindex(slot.determiner, 0, start) if slot.determiner in frame[:start] else _article(frame, start)
    if not slot.tail and part.determiner in articles:
        new = f"{part.determiner} {new}"
    if part.preposition and slot.preposition and part.preposition != slot.preposition:
        before = frame[:start].rstrip()
        start = len(before) - len(slot.preposition)
        new = f"{part.preposition} {new}"
    return frame[:start] + new + frame[slot.end :]


def _article(frame: str, start: int) -> int:
    """The offset of the word before `start`."""
    return frame.rstrip().rfind(" ", 0, start - 1) + 1


def _splice_thing(
    fragment: str, part: Phrase, frame: str, slots: Sequence[Phrase], domain: Domain, language: str
) -> SplicedQuestion | None:
    things = [slot for slot in slots if slot.kind is PhraseKind.THING]
    if question := _ask_for_the_rule(fragment, part, things, domain, language):
        return question
    for slot in things:
        same_head = stem(slot.head, language) == stem(part.head, language) and slot.text.lower() != part.text.lower()
        if same_head or (_is_bare(part) and _is_bare(slot) and _may_swap(part, slot, frame, domain, language)):
            reason = f'"{part.text}" takes the place of "{slot.text}" in the previous question'
            return SplicedQuestion(
                body_of(_replace(frame, slot, part, language), language), reason, 0.8 if same_head else 0.65
            )
    forms = Splicing.of(language)
    if part.text.lower().split()[-1] in forms.people and has_verb(frame, language):
        words = fragment if part.preposition else forms.for_people.format(name=fragment)
        text = f"{body_of(frame, language)} {words}"
        return SplicedQuestion(text, f'the previous question, asked for "{part.text}"', 0.7)
    return _append(fragment, frame, language) if part.preposition else None


def _is_bare(phrase: Phrase) -> bool:
    """Whether a phrase is one word without determiner or preposition: "rice" in "how long does rice keep"."""
    return not (phrase.determiner or phrase.preposition or " " in phrase.text)


def _may_swap(part: Phrase, slot: Phrase, frame: str, domain: Domain, language: str) -> bool:
    forms, name = Splicing.of(language), part.text.lower()
    is_asked_for = not forms.asks_for_next.isdisjoint(frame[: slot.start].lower().split()[-1:])
    other_sort = name in forms.people or is_among(name, domain.relations, language)
    return has_verb(frame, language) and not is_asked_for and not other_sort


def _ask_for_the_rule(
    fragment: str, part: Phrase, things: Sequence[Phrase], domain: Domain, language: str
) -> SplicedQuestion | None:
    """After a question about one facet of a rule (the refund window), another case asks for the whole rule."""
    for slot in things:
        words = slot.text.lower().split()
        subjects = (word for word in words if is_among(word, domain.rule_subjects, language))
        subject = next((singular(word, language) for word in subjects), None)
        if subject is None or (len(words) > 1 and not is_among(words[-1], domain.facets, language)):
            continue
        if is_among(part.text.lower(), domain.rule_subjects, language):
            other = singular(part.text.lower(), language)
            return SplicedQuestion(
                f"{other} {domain.case_connective}", f'the previous question was about "{subject}"', 0.7
            )
        case = (
            fragment.split(" ", 1)[1]
            if part.preposition and fragment.lower().startswith(part.preposition)
            else fragment
        )
        preposition = part.preposition or Splicing.of(language).case_preposition
        reason = f'"{case}" is another case of what "{slot.text}" belongs to'
        return SplicedQuestion(f"{subject} {domain.case_connective} {preposition} {case}", reason, 0.8)
    return None


def _append(fragment: str, frame: str, language: str) -> SplicedQuestion | None:
    """A fragment that begins with a preposition narrows the previous question: "in Europe?"."""
    if not frame or fragment.split()[0].lower() not in Grammar.of(language).prepositions:
        return None
    return SplicedQuestion(
        f"{body_of(frame, language)} {fragment}", f'"{fragment}" narrows the previous question', 0.75
    )
