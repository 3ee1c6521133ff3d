"""Sentences of the history: which there are, and which few go with a question."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from libs.contracts.conversation import Speaker
from libs.language.known import ENGLISH
from services.decompose.query import context
from services.decompose.query.clusters import Vectors
from services.decompose.query.context import ContextBounds, extract_sentences
from services.decompose.query.mmr import marginal_relevance, select_context
from tests.fakes.word_embedder import WordEmbedder
from tests.unit.decompose.conversations import REFUND, VIKING, Said, conversation

BOUNDS = ContextBounds()


@pytest.mark.parametrize(
    ("history", "expected"),
    [
        (
            [("I bought a lamp. Can I return it?", "Yes, you can return it. Lamps go back in 30 days of delivery.")],
            ["I bought a lamp. Can I return it?", "Yes, you can return it.", "Lamps go back in 30 days of delivery."],
        ),
        (
            ["Thanks. Does the refund for damaged lamps cover the shipping costs?"],
            ["Thanks. Does the refund for damaged lamps cover the shipping costs?"],
        ),
        (
            [("Refunds?", "Yes, 30 days.\n\n# All about the refund window\n\n"), ("Refunds?", "It depends.")],
            ["Refunds?"],
        ),
        *(
            ([(filler, filler)], [])
            for filler in (
                "Thank you!",
                "Thanks a lot for that.",
                "Hello there",
                "Let me know if you have any other questions.",
                "Sure thing.",
            )
        ),
    ],
)
def test_user_turns_stay_whole_and_filler_headings_and_repetitions_are_dropped(
    history: list[Said], expected: list[str]
) -> None:
    sentences = extract_sentences(conversation(*history), ENGLISH)
    assert [sentence.text for sentence in sentences] == expected
    assert [sentence.speaker for sentence in sentences[:2]] == [Speaker.USER, Speaker.AGENT][: len(sentences)]


def test_only_the_newest_sentences_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(context, "MAX_EXTRACTED", 2)
    window = conversation("Where is Paris?", "Where is Rome?", "Where is Oslo?")
    sentences = extract_sentences(window, ENGLISH)
    assert [sentence.text for sentence in sentences] == ["Where is Rome?", "Where is Oslo?"]


async def test_what_goes_with_the_question_is_chosen_first() -> None:
    window = conversation(REFUND, VIKING, ("What does shipping cost?", "Shipping costs 5 dollars for each parcel."))
    selection = await select_context(
        "Did Viking 1 land in July?", window, WordEmbedder(), ContextBounds(sentences=2), ENGLISH
    )
    assert selection.selected[0].sentence.turn == 1
    assert len(selection.selected) == 2
    assert sum(selection.cluster_sizes) == len(selection.extracted) == 6
    assert all(item.cluster is not None for item in selection.selected)


async def test_one_sentence_is_chosen_without_clusters() -> None:
    selection = await select_context(
        "How long?", conversation("What's our refund window?"), WordEmbedder(), BOUNDS, ENGLISH
    )
    assert [(item.sentence.text, item.cluster) for item in selection.selected] == [("What's our refund window?", None)]
    assert selection.cluster_sizes == ()


async def test_nothing_is_embedded_where_nothing_was_said() -> None:
    embedder = WordEmbedder()
    selection = await select_context(
        "How long?", conversation(("Thanks!", "You are welcome.")), embedder, BOUNDS, ENGLISH
    )
    assert selection.selected == ()
    assert embedder.asked == []


def test_a_repetition_comes_after_something_new() -> None:
    east, also_east, north = (1.0, 0.0), (0.995, 0.0999), (0.6, 0.8)
    vectors = np.array([east, also_east, north], np.float32)
    question = np.array((0.8, 0.6), np.float32)
    assert marginal_relevance(question, vectors, 3, trade_off=1.0) == [2, 1, 0]
    assert marginal_relevance(question, vectors, 3, trade_off=0.5) == [2, 0, 1]


UNITS = arrays(np.float32, st.tuples(st.integers(1, 12), st.just(4)), elements=st.floats(0.125, 1, width=32)).map(
    lambda rows: rows / np.linalg.norm(rows, axis=1, keepdims=True)
)


@given(UNITS, st.floats(0, 1), st.integers(1, 12))
def test_each_choice_is_the_best_of_those_that_were_left(vectors: Vectors, trade_off: float, count: int) -> None:
    question = vectors[0]
    order = marginal_relevance(question, vectors, count, trade_off)
    assert len(order) == len(set(order)) == min(count, len(vectors))
    for place, position in enumerate(order):
        candidates = [other for other in range(len(vectors)) if other not in order[:place]]
        scores = {at: _score(at, order[:place], vectors, question, trade_off) for at in candidates}
        assert scores[position] >= max(scores.values()) - 1e-5


def _score(at: int, selection: list[int], vectors: Vectors, question: np.ndarray, trade_off: float) -> float:
    redundancy = max((float(vectors[at] @ vectors[other]) for other in selection), default=0.0)
    return trade_off * float(vectors[at] @ question) - (1 - trade_off) * redundancy


@pytest.mark.parametrize("trade_off", [-0.1, 1.1])
def test_a_trade_off_out_of_range_is_refused(trade_off: float) -> None:
    with pytest.raises(ValueError, match="trade_off"):
        marginal_relevance(np.ones(2, np.float32), np.ones((1, 2), np.float32), 1, trade_off)
