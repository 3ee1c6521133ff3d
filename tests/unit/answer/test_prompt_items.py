"""The passages of a prompt."""

from services.answer.writing.prompt_building import select_references
from tests.unit.answer.evidence_making import reference


def test_the_best_passages_are_taken_up_to_the_limit_of_words_but_three_always() -> None:
    references = [reference(number, "word " * 100) for number in range(1, 9)]
    assert len(select_references(references, max_passages=6, max_words=520)) == 5
    assert len(select_references(references, max_passages=4, max_words=520)) == 4
    assert len(select_references(references, max_passages=6, max_words=100)) == 3
