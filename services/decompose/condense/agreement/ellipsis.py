"""Completes elliptical questions: a question word (`Und wann?`), a noun (`Und im Hallenbad?`). No I/O of its own."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

import regex

from libs.language.known import language_of
from libs.language.topics.anaphora import Agreement
from libs.text.mentions import Classes, Mention, MentionReader, classes_of
from libs.text.tokens import tokenize
from services.decompose.condense.agreement.antecedents import AgreementReading

LONGEST = 7
"""Words of an elliptical question (taste)."""
_COMMON_ENDING = 3
"""Letters that two compounds of one kind have in common at their ends: `Freibad`, `Hallenbad` (taste)."""
MARKS = " \t\n,;:.!?…–-"


@dataclass(frozen=True, slots=True)
class Fragment:
    """An elliptical question without its opening word."""

    text: str
    question_word: str = ""
    """Lower-cased, if it is only that and particles."""


def find_fragment(turn: str, language: str) -> Fragment | None:
    """Return the fragment if a turn is elliptical; None if it may be a whole question."""
    words = Agreement.of(language)
    text, has_opener = _without_openers(turn.strip(MARKS), words)
    tokens = [token.text.lower() for token in tokenize(text)]
    if not tokens or len(tokens) > LONGEST or regex.search(r"[.?!;:]\s", text):
        return None
    core = " ".join(token for token in tokens if token not in words.particles and token not in words.negators)
    if core in words.question_words:
        return Fragment(text, core)
    if not _may_be_phrase(text, tokens, has_opener, language):
        return None
    if not _is_phrase(text[len(_question_lead(text, words)) :].split(), words, language):
        return None
    is_marked = has_opener or tokens[0] in words.prepositions or turn.strip().endswith("?")
    return Fragment(text) if is_marked else None


def _question_lead(text: str, words: Agreement) -> str:
    """The longest question word that a text begins with; empty if there is none."""
    lower = text.lower()
    return max((word for word in words.question_words if lower.startswith(f"{word} ")), key=len, default="")


def _is_phrase(pieces: Sequence[str], words: Agreement, language: str) -> bool:
    """Whether words may form noun phrases; an adjective that is not known needs a noun after it."""
    if not all(_is_of_phrase(piece, words, language) for piece in pieces):
        return False
    known = words.prepositions | words.determiners.keys() | words.headless | words.particles
    following = (*pieces[1:], "")
    return all(
        not piece.islower() or piece.strip(MARKS) in known or after[:1].isupper() or after[:1].isdigit()
        for piece, after in zip(pieces, following, strict=True)
    )


def _may_be_phrase(text: str, tokens: Sequence[str], has_opener: bool, language: str) -> bool:
    """Whether a text names a noun, number or one of several; a verb before a determiner asks a whole question."""
    words = Agreement.of(language)
    begins_with_verb = text[:1].isupper() and tokens[0] not in words.prepositions and tokens[0] not in words.determiners
    if begins_with_verb and not has_opener and tokens[1:2] and tokens[1] in words.determiners:
        return False
    has_noun = any(map(str.isdigit, text)) or bool(MentionReader(language).read(f"– {text}"))
    return has_noun or not words.headless.isdisjoint(tokens)


def _without_openers(text: str, words: Agreement) -> tuple[str, bool]:
    """A text without the words that open a follow-up, and whether it had one."""
    openers = sorted(words.openers, key=len, reverse=True)
    for opener in openers:
        if text.lower().startswith(opener) and not text[len(opener) : len(opener) + 1].isalnum():
            return _without_openers(text[len(opener) :].strip(MARKS), words)[0], True
    return text, False


def _is_of_phrase(piece: str, words: Agreement, language: str) -> bool:
    """Whether a word may belong to a noun phrase: no verb, no pronoun, no question word."""
    word = piece.strip(MARKS + "\"'„“»«()")
    lower = word.lower()
    if not word or word[:1].isdigit() or (word[:1].isupper() and lower not in words.question_words):
        return words.finite_verb.fullmatch(word) is None
    known = words.prepositions | words.determiners.keys() | words.headless | words.particles
    return lower in known or (
        lower not in language_of(language).stop_words and lower.endswith(_adjective_endings(words))
    )


def _adjective_endings(words: Agreement) -> tuple[str, ...]:
    """The last two letters of known inflected adjectives."""
    return tuple({adjective[-2:] for adjective in words.headless})


def complete(fragment: Fragment, reading: AgreementReading) -> tuple[str, str]:
    """Complete a fragment from the previous question; returns the question and the reason."""
    if fragment.question_word:
        return _ask_otherwise(fragment, reading), "the previous question is asked with another question word"
    frame_mentions = MentionReader(reading.language).read(reading.frame)
    if lead := _question_lead(fragment.text, Agreement.of(reading.language)):
        return _ask_for_other(fragment, lead, frame_mentions, reading)
    parts = MentionReader(reading.language).read(f"– {fragment.text}")
    if not parts and (answer := _with_noun(fragment, frame_mentions, reading)):
        return answer
    slot = next((slot for part in parts[:1] if (slot := _slot_for(part, frame_mentions))), None)
    if slot is None:
        return beside(fragment.text, reading), "put beside the previous question"
    start = slot.phrase_start if parts[0].preposition or (parts[0].determiner and not slot.preposition) else slot.start
    text = f"{reading.frame[:start]}{fragment.text}{reading.frame[slot.end :]}"
    return text, f'in place of "{slot.text}" of the previous question'


def _ask_for_other(
    fragment: Fragment, lead: str, slots: tuple[Mention, ...], reading: AgreementReading
) -> tuple[str, str]:
    """A question word with a noun (`wie viele Lehrer`) in place of the previous question's own with its noun."""
    slot = next(iter(slots), None)
    if slot is None or not reading.frame.lower().startswith(f"{lead} "):
        return beside(fragment.text, reading), "put beside the previous question"
    return f"{fragment.text}{reading.frame[slot.end :]}", f'in place of "{slot.text}" of the previous question'


def _with_noun(fragment: Fragment, slots: tuple[Mention, ...], reading: AgreementReading) -> tuple[str, str] | None:
    """A fragment without a noun (`die zweite`) before the noun of the previous question that agrees with it."""
    words = Agreement.of(reading.language)
    determiners = (words.determiners.get(word, ()) for word in fragment.text.lower().split())
    classes = frozenset(next((classes for classes in determiners if classes), ()))
    fitting = [slot for slot in slots if slot.determiner and not slot.is_number and _agree(slot, classes, reading)]
    qualified = [slot for slot in fitting if _is_qualified(slot, reading)]
    slot = next(iter(qualified or fitting), None)
    if slot is None:
        return None
    is_own_word = slot.preposition and slot.preposition != slot.determiner
    lead = f"{slot.preposition} " if is_own_word and not _has_preposition(fragment, words) else ""
    text = f"{reading.frame[: slot.phrase_start]}{lead}{fragment.text} {reading.frame[slot.start :]}"
    return text, f'another "{slot.text}" than in the previous question'


def _agree(slot: Mention, classes: Classes, reading: AgreementReading) -> bool:
    known = classes_of(slot, reading.nouns)
    return not classes or not known or bool(known & classes)


def _is_qualified(slot: Mention, reading: AgreementReading) -> bool:
    """Whether an adjective that may be exchanged is before the noun."""
    before = reading.frame[slot.phrase_start : slot.start].lower().split()
    return not Agreement.of(reading.language).headless.isdisjoint(before)


def _has_preposition(fragment: Fragment, words: Agreement) -> bool:
    return fragment.text.lower().split()[0] in words.prepositions


def _slot_for(part: Mention, slots: tuple[Mention, ...]) -> Mention | None:
    """The mention of the previous question that a fragment replaces: of its kind, else after a preposition alike."""
    if same_kind := [slot for slot in slots if _is_same_kind(part, slot)]:
        return same_kind[-1]
    same_role = [slot for slot in slots if part.preposition and part.preposition[:1] == slot.preposition[:1]]
    plain = [slot for slot in slots if not part.preposition and slot.is_person == part.is_person and not slot.is_number]
    candidates = same_role or (plain if len(plain) == 1 else [])
    return candidates[-1] if candidates else None


def _is_same_kind(part: Mention, slot: Mention) -> bool:
    if part.is_number or slot.is_number:
        return part.is_number and slot.is_number
    ending = takewhile(lambda pair: pair[0] == pair[1], zip(reversed(part.head), reversed(slot.head), strict=False))
    return len(list(ending)) >= _COMMON_ENDING or part.text.split()[0] == slot.text.split()[0]


def _ask_otherwise(fragment: Fragment, reading: AgreementReading) -> str:
    words, frame = Agreement.of(reading.language), reading.frame.strip(MARKS)
    lower = frame.lower()
    lead = max((word for word in words.adverbial_question_words if lower.startswith(f"{word} ")), key=len, default="")
    is_negated = not words.negators.isdisjoint(fragment.text.lower().split())
    is_adverbial = fragment.question_word in words.adverbial_question_words and not is_negated
    if lead and is_adverbial:
        return f"{fragment.text}{frame[len(lead) :]}?"
    first = frame.split(" ", 1)[0]
    if is_adverbial and words.finite_verb.fullmatch(first):
        return f"{fragment.text} {first.lower()}{frame[len(first) :]}?"
    return beside(fragment.text, reading)


def beside(text: str, reading: AgreementReading) -> str:
    """A text after the previous question; without the words that open a follow-up."""
    words = Agreement.of(reading.language)
    plain, _ = _without_openers(text.strip(MARKS), words)
    if not _begins_with_noun(plain, reading.language):
        plain = plain[:1].lower() + plain[1:]
    return words.templates["beside"].format(question=reading.frame.rstrip(MARKS), fragment=plain)


def _begins_with_noun(text: str, language: str) -> bool:
    """Whether a text begins with a noun or name; not with a function word, or a verb before one."""
    words, stop_words = Agreement.of(language), language_of(language).stop_words
    first, second = (*(token.text.lower() for token in tokenize(text)[:2]), "", "")[:2]
    is_function_word = first in stop_words or first in words.prepositions or first in words.determiners
    is_verb = second in words.determiners or second in words.pronouns or words.finite_verb.fullmatch(first) is not None
    return not (is_function_word or is_verb)
