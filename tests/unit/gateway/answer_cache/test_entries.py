"""Cached answers in memory: bounded in bytes and time, and gone with their sessions."""

from dataclasses import replace

from gateway.answer_cache.entries import CachedAnswer, CachedAnswers
from gateway.answer_cache.miss import AnswerKey, SuiteState

STATE = SuiteState("v1", "engines")


def key(name: str, question: str = "q") -> AnswerKey:
    return AnswerKey(question.encode(), name.encode())


def entry(name: str, size: int = 1000, question: str = "q", session_id: str = "") -> CachedAnswer:
    empty = CachedAnswer(key(name, question), STATE, b"", (), session_id)
    return replace(empty, turn=bytes(size - empty.size))


def names(answers: CachedAnswers, *candidates: str) -> list[str]:
    return [name for name in candidates if answers.get(key(name)) is not None]


def test_beyond_the_limit_the_least_recently_used_go_first() -> None:
    answers = CachedAnswers(3000, 60)
    for name in "abc":
        answers.put(entry(name))
    assert answers.get(key("a")) is not None
    answers.put(entry("d"))
    assert names(answers, *"abcd") == ["a", "c", "d"]


def test_an_answer_that_is_larger_than_the_cache_is_not_kept() -> None:
    answers = CachedAnswers(3000, 60)
    answers.put(entry("a"))
    answers.put(entry("b", size=3001))
    assert names(answers, "a", "b") == ["a"]


def test_a_new_answer_replaces_the_one_before_it() -> None:
    answers = CachedAnswers(3000, 60)
    for _ in range(10):
        answers.put(entry("a"))
    answers.put(entry("b", size=2000))
    assert names(answers, "a", "b") == ["a", "b"]


def test_an_old_answer_is_gone() -> None:
    answers = CachedAnswers(3000, 0.0)
    answers.put(entry("a"))
    assert answers.get(key("a")) is None
    assert len(answers) == 0


def test_answers_go_with_their_session_and_others_stay() -> None:
    answers = CachedAnswers(9000, 60)
    answers.put(entry("a", session_id="s"))
    answers.put(entry("b", session_id="t"))
    answers.put(entry("c"))
    answers.drop_sessions(["s", ""])
    assert names(answers, *"abc") == ["b", "c"]


def test_a_question_is_known_as_long_as_one_of_its_answers_is() -> None:
    answers = CachedAnswers(9000, 60)
    answers.put(entry("a"))
    answers.put(entry("b"))
    answers.drop(key("a"))
    assert answers.has_question(b"q")
    answers.drop(key("b"))
    assert not answers.has_question(b"q")
