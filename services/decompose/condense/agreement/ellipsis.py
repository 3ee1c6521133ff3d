"""Completes elliptical questions: a question word alone (`Und wann?`), or a noun (`Und im Hallenbad?`)."""

from dataclasses import dataclass
from itertools import takewhile

import regex

from libs.language.known import language_of
from libs.language.topics.agreement import Agreement
from libs.text.mentions import Mention, MentionReader
from libs.text.tokens import tokenize
from services.decompose.condense.agreement.antecedents import AgreementReading

LONGEST = 7
"""Words of an elliptical question."""
_COMMON_ENDING = 3
"""Letters that two compounds of one kind have in common at their ends: `Freibad`, `Hallenbad`."""
_MARKS = " \t\n,;:.!?…–-"


@dataclass(frozen=True, slots=True)
class Fragment:
    """An elliptical question without its opening word."""

    text: str
    question_word: str = ""
    """Lower-cased, if it is only that and particles."""


def find_fragment(turn: str, language: str) -> Fragment | None:
    """Return the fragment if a turn is elliptical; None if it may be a whole question."""
    words = Agreement.of(language)
    text, has_opener = _without_openers(turn.strip(_MARKS), words)
    tokens = [token.text.lower() for token in tokenize(text)]
    if not tokens or len(tokens) > LONGEST or regex.search(r"[.?!;:]\s", text):
        return None
    core = " ".join(token for token in tokens if token not in words.particles)
    if core in words.question_words:
        return Fragment(text, core)
    if not any(map(str.isdigit, text)) and not MentionReader(language).read(f"– {text}"):
        return None
    is_phrase = all(_is_of_phrase(token, words, language) for token in text.split())
    has_preposition = tokens[0] in words.prepositions
    return Fragment(text) if is_phrase and (has_opener or has_preposition or turn.strip().endswith("?")) else None


def _without_openers(text: str, words: Agreement) -> tuple[str, bool]:
    """A text without the words that open a follow-up, and whether it had one."""
    openers = sorted(words.openers, key=len, reverse=True)
    for opener in openers:
        if text.lower().startswith(opener) and not text[len(opener) : len(opener) + 1].isalnum():
            return _without_openers(text[len(opener) :].strip(_MARKS), words)[0], True
    return text, False


def _is_of_phrase(piece: str, words: Agreement, language: str) -> bool:
    """Whether a word may belong to a noun phrase: no verb, no pronoun, no question word."""
    word = piece.strip(_MARKS + "\"'„“»«()")
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
    parts = [part for part in MentionReader(reading.language).read(f"– {fragment.text}")]
    slot = next((slot for part in parts[:1] if (slot := _slot_for(part, frame_mentions))), None)
    if slot is None:
        return _beside(fragment, reading), "put beside the previous question"
    start = slot.phrase_start if parts[0].preposition or (parts[0].determiner and not slot.preposition) else slot.start
    text = f"{reading.frame[:start]}{fragment.text}{reading.frame[slot.end :]}"
    return text, f'in place of "{slot.text}" of the previous question'


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
    words, frame = Agreement.of(reading.language), reading.frame.strip(_MARKS)
    lower = frame.lower()
    lead = max((word for word in words.adverbial_question_words if lower.startswith(f"{word} ")), key=len, default="")
    is_adverbial = fragment.question_word in words.adverbial_question_words
    if lead and is_adverbial:
        return f"{fragment.text}{frame[len(lead) :]}?"
    first = frame.split(" ", 1)[0]
    if is_adverbial and words.finite_verb.fullmatch(first):
        return f"{fragment.text} {first.lower()}{frame[len(first) :]}?"
    return _beside(fragment, reading)


def _beside(fragment: Fragment, reading: AgreementReading) -> str:
    template = Agreement.of(reading.language).templates["beside"]
    text = fragment.text[:1].lower() + fragment.text[1:] if fragment.question_word else fragment.text
    return template.format(question=reading.frame.rstrip(_MARKS), fragment=text)
