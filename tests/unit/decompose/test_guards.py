"""The guards: a standalone question says nothing new, leaves no anaphora, and keeps what the turn said."""

import pytest

from libs.language.known import ENGLISH
from services.decompose.condense.guards import Fault, check
from services.decompose.words.domain import load_domain
from tests.unit.decompose.conversations import REFUND, VIKING, conversation

DOMAIN = load_domain(language="en")


def fault(standalone: str, turn: str, *grounded: str) -> tuple[Fault, tuple[str, ...]] | None:
    finding = check(standalone, turn, conversation(REFUND, VIKING), DOMAIN, ENGLISH, grounded)
    return (finding.fault, finding.words) if finding else None


@pytest.mark.parametrize(
    ("standalone", "turn"),
    [
        ("refund policy for damaged items", "What about damaged items?"),
        ("when did Viking 2 land on Mars", "and Viking 2?"),
        ("what was Viking 1's mass", "What was its mass?"),
        ("Who built Viking 1?", "Who built it?"),
        ("was Viking 1 heavier", "was the first one heavier?"),
    ],
)
def test_words_of_turn_history_and_connectives_in_any_form_pass(standalone: str, turn: str) -> None:
    assert fault(standalone, turn) is None


def test_a_number_that_nobody_said_is_an_over_rewrite() -> None:
    assert fault("who built Viking 3", "Who built it?") == (Fault.OVER_REWRITE, ("3",))


def test_a_grounded_value_may_be_added() -> None:
    assert fault("what happened in March 2024", "What happened last month?") is not None
    assert fault("what happened last month in March 2024", "What happened last month?", "March 2024") is None


def test_a_rewrite_that_answers_the_previous_turn_instead_is_of_a_stale_topic() -> None:
    assert fault("when did Viking 1 land on Mars", "what about cameras and tracks?") == (
        Fault.STALE_TOPIC,
        ("cameras", "tracks"),
    )
    assert fault("when did Viking 1 land on Mars", "and Luna 9?") == (Fault.STALE_TOPIC, ("Luna 9",))
