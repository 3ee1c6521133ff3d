"""Sentences of the history: which there are, and which few go with a question."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from libs.contracts.conversation import Speaker
from libs.language.known import ENGLISH
from services.decompose.history import read_window
from services.decompose.query import context
from services.decompose.query.context import (
    SENTENCES,
    TRADE_OFF,
    Floats,
    cluster_count,
    extract_sentences,
    k_means,
    marginal_relevance,
    representatives,
    select_context,
)
from tests.fakes.conversations import view_of
from tests.fakes.word_embedder import WordEmbedder
from tests.unit.decompose.conversations import REFUND, VIKING, conversation

BOUNDS = (SENTENCES, TRADE_OFF)


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (
            ("I bought a lamp. Can I return it? Thanks!", "Yes, you can return it. Lamps go back within 30 days."),
            ["I bought a lamp. Can I return it?", "Yes, you can return it.", "Lamps go back within 30 days."],
        ),
        (
            (
                "When is a refund **paid**?",
                "**Refunds** take *five* working days [1].\n\n- `Cards` take two days more.",
            ),
            ["When is a refund paid?", "Refunds take five working days.", "Cards take two days more."],
        ),
        (
            ("Which lamps?", "You can return any lamp, hope that helps! Let me know if you have other questions."),
            ["Which lamps?", "You can return any lamp"],
        ),
        (
            ("Which lamps?", "Any lamp can go back. Any lamp can go back!\n\n**Any lamp can go back**"),
            ["Which lamps?", "Any lamp can go back."],
        ),
        (("Refunds?", "Yes, 30 days.\n\n# All about the refund window\n\n"), ["Refunds?"]),
        (
            ("Which lamps?", "Thanks to the receipt, any lamp goes back."),
            ["Which lamps?", "Thanks to the receipt, any lamp goes back."],
        ),
        (("Thank you!", "You are welcome, have a nice day."), []),
        (("Hello there", "Hello, how can I help you today? Feel free to ask about lamps and refunds."), []),
    ],
)
def test_sentences_come_without_markup_and_closing_courtesies_none_twice(
    said: tuple[str, str], expected: list[str]
) -> None:
    sentences = extract_sentences(read_window(view_of(*said)), ENGLISH)
    assert [sentence.text for sentence in sentences] == expected
    assert [sentence.speaker for sentence in sentences[:2]] == [Speaker.USER, Speaker.AGENT][: len(sentences)]


def test_a_sentence_that_both_said_or_that_was_said_in_two_turns_is_there_once() -> None:
    window = read_window(
        view_of("Can I return lamps?", "Can I return lamps?", "can I return lamps", "Any lamp can go back.")
    )
    assert [sentence.text for sentence in extract_sentences(window, ENGLISH)] == [
        "Can I return lamps?",
        "Any lamp can go back.",
    ]


def test_courtesies_are_those_of_the_turns_language() -> None:
    said = (
        "Wie lange dauert die Erstattung? Danke im Voraus!",
        "Sie dauert **fünf** Werktage. Melden Sie sich gern bei Fragen.",
    )
    sentences = extract_sentences(read_window(view_of(*said)), "de")
    assert [sentence.text for sentence in sentences] == [
        "Wie lange dauert die Erstattung?",
        "Sie dauert fünf Werktage.",
    ]


def test_only_the_newest_sentences_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(context, "MAX_EXTRACTED", 2)
    window = conversation("Where is Paris?", "Where is Rome?", "Where is Oslo?")
    sentences = extract_sentences(window, ENGLISH)
    assert [sentence.text for sentence in sentences] == ["Where is Rome?", "Where is Oslo?"]


async def test_what_goes_with_the_question_is_chosen_first() -> None:
    window = conversation(REFUND, VIKING, ("What does shipping cost?", "Shipping costs 5 dollars for each parcel."))
    selection = await select_context("Did Viking 1 land in July?", window, WordEmbedder(), ENGLISH, 2, TRADE_OFF)
    assert selection.selected[0].sentence.turn == 1
    assert len(selection.selected) == 2
    assert sum(selection.cluster_sizes) == len(selection.extracted) == 6
    assert all(item.cluster is not None for item in selection.selected)


async def test_one_sentence_is_chosen_without_clusters() -> None:
    selection = await select_context(
        "How long?", conversation("What's our refund window?"), WordEmbedder(), ENGLISH, *BOUNDS
    )
    assert [(item.sentence.text, item.cluster) for item in selection.selected] == [("What's our refund window?", None)]
    assert selection.cluster_sizes == ()


async def test_nothing_is_embedded_where_nothing_was_said() -> None:
    embedder = WordEmbedder()
    selection = await select_context(
        "How long?", read_window(view_of("Thanks!", "You are welcome.")), embedder, ENGLISH, *BOUNDS
    )
    assert selection.selected == ()
    assert embedder.asked == []


POINTS = np.array([[0, 1], [0, 0.9], [0, 0.8], [1, 0], [0.9, 0], [-1, -1]], np.float32)
CLOUDS = arrays(np.float32, st.tuples(st.integers(1, 40), st.just(3)), elements=st.floats(-1, 1, width=32))


@pytest.mark.parametrize(("points", "count"), [(1, 1), (2, 2), (3, 2), (6, 2), (9, 3), (20, 4), (49, 7), (400, 7)])
def test_there_are_about_as_many_clusters_as_the_square_root_of_the_points(points: int, count: int) -> None:
    assert cluster_count(points) == count


def test_points_that_lie_together_are_one_cluster_and_those_nearest_its_centre_stand_for_it() -> None:
    distances = k_means(POINTS, 3)
    labels = distances.argmin(axis=0)
    assert {tuple(np.flatnonzero(labels == label)) for label in range(3)} == {(0, 1, 2), (3, 4), (5,)}
    assert representatives(distances, each=1) == [1, 3, 5]
    assert representatives(distances, each=3) == [0, 1, 2, 3, 4, 5]


@given(CLOUDS, st.integers(1, 7), st.integers(1, 4))
def test_each_cluster_with_points_is_stood_for(vectors: Floats, count: int, each: int) -> None:
    distances = k_means(vectors, min(count, len(vectors)))
    labels, positions = distances.argmin(axis=0), representatives(distances, each)
    assert positions == sorted(set(positions))
    counts = np.bincount(labels[positions], minlength=len(distances)).tolist()
    assert counts == [min(size, each) for size in np.bincount(labels, minlength=len(distances))]


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
def test_each_choice_is_the_best_of_those_that_were_left(vectors: Floats, trade_off: float, count: int) -> None:
    question = vectors[0]
    order = marginal_relevance(question, vectors, count, trade_off)
    assert len(order) == len(set(order)) == min(count, len(vectors))
    for place, position in enumerate(order):
        candidates = [other for other in range(len(vectors)) if other not in order[:place]]
        scores = {at: _score(at, order[:place], vectors, question, trade_off) for at in candidates}
        assert scores[position] >= max(scores.values()) - 1e-5


def _score(at: int, selection: list[int], vectors: Floats, question: np.ndarray, trade_off: float) -> float:
    redundancy = max((float(vectors[at] @ vectors[other]) for other in selection), default=0.0)
    return trade_off * float(vectors[at] @ question) - (1 - trade_off) * redundancy
