"""Reads a turn once, where it enters: its language, its kind, its matter, and what it picks of what was offered.

The gateway makes the reading and sends it to the stages; a stage makes it only for a caller that sends none. No I/O.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final

import regex

from libs.contracts.conversation import (
    AnswerForm,
    ConversationView,
    Courtesy,
    HistoryMessage,
    Speaker,
    TurnKind,
    TurnReading,
)
from libs.language.detection import detect_language, reading_language
from libs.language.files import known_languages
from libs.language.known import ENGLISH, language_of, phrase
from libs.language.topics.grammar import Grammar
from libs.language.topics.turns import Picks, TurnForms
from libs.language.turns.courtesies import LONGEST, Stripped, asks, strip_courtesies
from libs.language.turns.picks import Pick, listed_items, pick_listed, pick_offered
from libs.language.turns.wordings import content_of, phrase_at, words_of

_CLAUSE_END: Final = regex.compile(r"[,.;:–—-]\s+")


def read_turn(turn: str, view: ConversationView, usual: str = ENGLISH) -> TurnReading:
    """Read a turn.

    Args:
        turn: verbatim.
        view: the conversation before it.
        usual: the language of a conversation without an earlier turn.
    """
    language = _language_of(turn, _language_before(view.messages, usual))
    answer = _latest_answer(view.messages)
    offered = view.offered_choices
    if offered and (pick := pick_offered(turn, offered, language)) is not None:
        return _picking(turn, pick, language)
    if (courtesy := _as_courtesy(turn, language)) is not None and not view.asked_back:
        return courtesy
    stripped = strip_courtesies(turn, language)
    if not stripped.text:
        kind = TurnKind.CORRECTION if stripped.complains else TurnKind.QUESTION
        return TurnReading(language, kind, "" if stripped.complains else turn)
    if answer and not view.asked_back and (form := find_form(stripped.text, language)) is not None:
        return TurnReading(language, TurnKind.FORM, form=form[0], form_language=form[1])
    kind, text = _matter(stripped, language, follows=bool(view.messages))
    options = offered or (listed_items(answer) if answer else ())
    picked = pick_listed(text, options, language) or Pick()
    return TurnReading(language, kind, text, picked.options, picked.words)


def with_readings(view: ConversationView) -> ConversationView:
    """The view with a reading of each user's message that has none."""
    messages: list[HistoryMessage] = []
    for message in view.messages:
        if message.speaker is Speaker.USER and message.reading is None:
            message = replace(message, reading=_read_earlier(message.text, tuple(messages[-2:])))
        messages.append(message)
    return view if tuple(messages) == view.messages else replace(view, messages=tuple(messages))


@lru_cache(maxsize=2048)  # taste
def _read_earlier(turn: str, before: tuple[HistoryMessage, ...]) -> TurnReading:
    """Cached, because the turns of a conversation are read again with each new one."""
    return read_turn(turn, ConversationView(before))


def courtesy_reply(reading: TurnReading) -> str:
    """A one-sentence reply to a courtesy, in its language; empty if there is none, or the turn is none."""
    return (
        language_of(reading.language).phrases.get(f"reply_{reading.courtesy}".lower(), "") if reading.courtesy else ""
    )


def joined(options: Sequence[str], language: str) -> str:
    """Several options as one phrase: `A, B and C`."""
    if len(options) < 2:
        return "".join(options)
    return phrase("and_joint", language).format(first=", ".join(options[:-1]), second=options[-1])


def _language_of(turn: str, usual: str) -> str:
    """The language of a turn; that of the conversation for its own courtesies, too short to tell: `ja gerne`."""
    words = words_of(turn)
    if words and (Picks.of(usual).yes.issuperset(words) or not strip_courtesies(turn[:LONGEST], usual).text):
        return usual
    return reading_language(turn, usual=usual)


def _language_before(messages: Sequence[HistoryMessage], usual: str) -> str:
    """The language of the newest user's message."""
    for message in reversed(messages):
        if message.speaker is Speaker.USER:
            return message.reading.language if message.reading else reading_language(message.text, usual=usual)
    return usual


def _latest_answer(messages: Sequence[HistoryMessage]) -> str:
    """What the agent said since the newest user's message; empty for nothing."""
    return messages[-1].text if messages and messages[-1].speaker is Speaker.AGENT else ""


def _picking(turn: str, pick: Pick, language: str) -> TurnReading:
    if pick.declines:
        text = _matter(strip_courtesies(pick.rest, language), language, follows=True)[1] if pick.rest else ""
        courtesy = None if text else Courtesy.APPROVAL
        kind = TurnKind.CORRECTION if text else TurnKind.COURTESY
        return TurnReading(language, kind, text, declines=True, courtesy=courtesy)
    return TurnReading(language, TurnKind.QUESTION, turn, pick.options, pick.words)


def _as_courtesy(turn: str, language: str) -> TurnReading | None:
    """The reading of a turn that is nothing but courtesy, in its own language; None for any other."""
    if len(turn) > LONGEST or asks(turn):
        return None
    for code in _languages(turn, language):
        stripped = strip_courtesies(turn, code)
        if not stripped.text and stripped.courtesy is not None and not stripped.complains:
            return TurnReading(code, TurnKind.COURTESY, courtesy=stripped.courtesy)
    return None


def _languages(turn: str, language: str) -> Sequence[str]:
    """The languages to try, the conversation's first: words such as `super` occur in several.

    Only that one, if the turn does not begin with a courtesy of any language, as most turns do not.
    """
    start = len(turn) - len(turn.lstrip(" \t\n¡¿"))
    if phrase_at(turn, _all_courtesies(), start) == start:
        return (language,)
    return tuple(dict.fromkeys((language, detect_language(turn) or language, ENGLISH, *known_languages())))


@lru_cache(maxsize=1)
def _all_courtesies() -> tuple[str, ...]:
    """The courtesy phrases of all known languages."""
    words = [language_of(code) for code in known_languages()]
    return tuple({phrase for each in words for phrase in (*each.greetings, *each.thanks, *each.approvals)})


def _matter(stripped: Stripped, language: str, follows: bool) -> tuple[TurnKind, str]:
    """The kind of a turn that is no courtesy, and what it is about; wishes are taken off only where turns follow."""
    forms, text = TurnForms.of(language), stripped.text
    if not follows:
        return TurnKind.QUESTION, text
    if (meant := _meant(text, stripped.denies, forms)) is not None:
        return TurnKind.CORRECTION, meant
    if request := forms.request.match(text):
        return TurnKind.CORRECTION if stripped.denies else TurnKind.REQUEST, text[request.end() :]
    begins_question = not Grammar.of(language).wh_words.isdisjoint(text.lower().split()[:1])
    is_fragment = "?" not in text and not begins_question
    return TurnKind.CORRECTION if stripped.denies and is_fragment else TurnKind.QUESTION, text


def _meant(text: str, denies: bool, forms: TurnForms) -> str | None:
    """What a correction means instead; None if nothing is corrected. Without a denial it begins with `I meant`."""
    starts = [0, *(mark.end() for mark in _CLAUSE_END.finditer(text))] if denies else [0]
    match = next((match for start in starts if (match := forms.meant.match(text, start))), None)
    match = match or (forms.instead.match(text) if denies else None)
    return text[match.end() :] or None if match else None


def find_form(text: str, language: str) -> tuple[AnswerForm, str] | None:
    """Return the form that a text wants, and the language of a translation; None if it wants something else."""
    wishes = TurnForms.of(language)
    words = words_of(text)
    if not words or words[0] in wishes.about_things:
        return None
    if (match := wishes.translation.search(text)) and _is_all(text, match.span(), language):
        name = (match["language"] or match["other"] or "").lower()
        return AnswerForm.TRANSLATION, wishes.languages[name] if name else language
    for name, marker in wishes.form_markers.items():
        if (match := marker.search(text)) and _is_all(text, match.span(), language):
            return AnswerForm(name.upper()), ""
    return None


def _is_all(text: str, span: tuple[int, int], language: str) -> bool:
    """Whether a text has no other content beside its marker than words about answers."""
    others = content_of(f"{text[: span[0]]} {text[span[1] :]}", language)
    courtesies = {word for phrase in language_of(language).approvals for word in words_of(phrase)}
    return (TurnForms.of(language).form_words | courtesies).issuperset(others)
