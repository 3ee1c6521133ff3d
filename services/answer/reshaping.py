"""The latest answer in another form, without a model: its sentences again, the best of them, or one a line.

The question of the latest answer is asked again, so that nothing is shown that its reader may no longer see; of what is
then quoted, the sentences that the latest answer had are kept. A form that takes a language model is said to. Pure.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from libs.contracts.conversation import AnswerForm, Speaker
from libs.contracts.stages.answer import WriteRequest
from libs.language.known import phrase
from services.answer.answer_language import question_language
from services.answer.citing.drafts import LINE, AnswerDraft, DraftSentence, Paragraph
from services.answer.verification.windows import plain

BY_MODEL: Final = frozenset((AnswerForm.TABLE, AnswerForm.SIMPLER, AnswerForm.TRANSLATION))
"""Forms that the rules cannot give to quoted sentences."""
_STRONG: Final = "**"
_ITEM: Final = "- "
_LISTED: Final = ("- ", "* ", "|", "1. ")
"""How a sentence begins that is a line of a list or table already."""


def latest_answer(request: WriteRequest) -> str:
    """What the agent said last; empty for nothing."""
    messages = request.view.messages
    return next((each.text for each in reversed(messages) if each.speaker is Speaker.AGENT), "")


def reshaped(draft: AnswerDraft, request: WriteRequest) -> AnswerDraft:
    """Return the draft in the form that the request wants; unchanged for a new answer."""
    if request.form is None:
        return draft
    answer = latest_answer(request)
    kept, nearest = _said_before(draft.quotations, answer), _said_before(draft.nearest, answer)
    if request.form is AnswerForm.SHORTER:
        kept, nearest = _shorter(kept), _shorter(nearest)
    if request.form is AnswerForm.LIST:
        kept, nearest = tuple(map(_as_list, kept)), tuple(map(_as_list, nearest))
    return replace(draft, quotations=kept, nearest=nearest)


def without_model(draft: AnswerDraft, request: WriteRequest) -> AnswerDraft:
    """Return what is said in place of a form that takes a language model, if none writes it: that it does."""
    if request.form not in BY_MODEL:
        return draft
    language = question_language(request.question, [each.evidence.passage for each in request.references])
    message = phrase(f"form_{request.form}".lower(), language)
    return AnswerDraft(gap_messages=((DraftSentence(message),),), abstain_score=draft.abstain_score)


def _said_before(paragraphs: Sequence[Paragraph], answer: str) -> tuple[Paragraph, ...]:
    """The sentences that an answer had, under their headings; all of them if it had none."""
    said = plain(answer.replace(_STRONG, ""))
    return _only(paragraphs, lambda sentence: plain(sentence.text.replace(_STRONG, "")) in said) or tuple(paragraphs)


def _shorter(paragraphs: Sequence[Paragraph]) -> tuple[Paragraph, ...]:
    """Half of the sentences, emphasised ones first; at least one."""
    quoted = [sentence for paragraph in paragraphs for sentence in paragraph if sentence.quotation]
    ranked = sorted(quoted, key=lambda sentence: _STRONG not in sentence.text)
    best = ranked[: max(1, len(ranked) // 2)]
    return _only(paragraphs, lambda sentence: sentence in best)


def _only(paragraphs: Sequence[Paragraph], is_kept: Callable[[DraftSentence], bool]) -> tuple[Paragraph, ...]:
    kept = (tuple(each for each in paragraph if each.quotation is None or is_kept(each)) for paragraph in paragraphs)
    return tuple(paragraph for paragraph in kept if any(sentence.quotation for sentence in paragraph))


def _as_list(paragraph: Paragraph) -> Paragraph:
    return tuple(
        sentence if sentence.quotation is None else replace(sentence, text=_as_item(sentence.text), gap=LINE)
        for sentence in paragraph
    )


def _as_item(text: str) -> str:
    return text if text.lstrip().startswith(_LISTED) else f"{_ITEM}{text}"
