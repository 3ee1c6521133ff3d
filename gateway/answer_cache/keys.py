"""The key of a cached answer: all that the answer is made from, apart from what the suite itself is made of."""

import hashlib
import time
from dataclasses import replace

from gateway.answer_cache.miss import AnswerKey
from gateway.request import Act, TurnOptions
from gateway.turn.draft import Draft
from libs.contracts.query import DecisionRecord, Strategy
from libs.contracts.understanding import QuestionRejection, QuestionSupplement, Understanding


def question_key(draft: Draft, moment_seconds: float) -> bytes:
    """Return the key of a condensed question with its conversation, options and principals.

    Args:
        draft: a turn that is condensed.
        moment_seconds: the moment that relative dates refer to counts in steps of this length.
    """
    request = draft.request
    moment = request.options.now.timestamp() if request.options.now else time.time()
    conversation = [(message.speaker, message.text) for message in draft.view.messages]
    return _digest(
        _answered_record(draft.record),
        request.question if draft.is_tentative and conversation else "",
        conversation,
        _answering_options(request.options),
        sorted(request.principals),
        moment // moment_seconds,
    )


def answer_key(draft: Draft, understanding: Understanding, moment_seconds: float) -> AnswerKey:
    """Return the key of the answer to an understood question; see `question_key`."""
    question = question_key(draft, moment_seconds)
    meaning = replace(
        understanding, question_rejection=QuestionRejection(), question_supplement=QuestionSupplement(), ask_score=0.0
    )
    return AnswerKey(question, _digest(question, draft.forms(understanding).grounded, meaning, draft.graph))


def _answered_record(record: DecisionRecord | None) -> DecisionRecord | None:
    """Return the record without what explains it; the raw turn is answered only by one strategy."""
    if record is None:
        return None
    raw = record.raw if record.strategy is Strategy.LAST_TURN else ""
    return replace(record, raw=raw, reason="", confidence=1.0, engine="", selection=None)


def _answering_options(options: TurnOptions) -> TurnOptions:
    """Return the options without those that change only how a turn runs, or only decisions before the answer."""
    return replace(
        options,
        now=None,
        no_cache=False,
        record=False,
        progress=False,
        speculate=None,
        resumable=False,
        ask_back=Act.ACT,
        reject=Act.ACT,
        rewriter_model="",
    )


def _digest(*parts: object) -> bytes:
    return hashlib.blake2b(repr(parts).encode(), digest_size=16).digest()
