"""What a turn is about is searched: without the courtesies around it, and beside no turn that names nothing."""

from dataclasses import replace

import pytest

from libs.contracts.conversation import ConversationView
from libs.contracts.evidence import RankedPassage
from libs.contracts.query import Decision, WeightedQuery
from libs.contracts.stages.decompose import CondenseRequest
from services.decompose.decomposer import Decomposer
from services.decompose.turn_analysis import DecomposeBounds
from services.decompose.wording.service import StandaloneWording
from tests.fakes.conversations import view_of
from tests.fakes.scripted_wording import GivenWording
from tests.unit.decompose.splitting import DOMAIN


@pytest.mark.parametrize(
    ("turn", "searched"),
    [
        ("Thanks! How tall is the T-12?", "How tall is the T-12?"),
        ("No, I meant the T-12.", "How tall is the T-12?"),
        ("shorter please", "How tall is the T-9?"),
        ("Great, now the lid of the T-12", "the lid of the T-12"),
    ],
)
async def test_what_a_turn_is_about_is_searched_and_its_own_words_are_recorded(turn: str, searched: str) -> None:
    decomposer = Decomposer(DOMAIN, DecomposeBounds())
    view = view_of("How tall is the T-9?", "It is 9 cm tall [1].")
    record = (await decomposer.condense(CondenseRequest(turn, view))).record
    assert record.raw == turn
    assert record.query is not None
    assert record.query.text == searched


@pytest.mark.parametrize("courtesy", ["Thanks!", "shorter please", "No, that's wrong."])
async def test_no_turn_leans_on_one_that_names_nothing(courtesy: str) -> None:
    decomposer = Decomposer(DOMAIN, DecomposeBounds())
    view = view_of("How tall is the T-9?", "It is 9 cm tall [1].", courtesy, "Good.")
    record = (await decomposer.condense(CondenseRequest("And the T-12?", view))).record
    assert record.standalone == "How tall is the T-12?"
    assert record.query is not None
    assert [term.term for term in record.query.terms] == ["How tall is the T-9?"]


async def test_a_turn_that_stands_alone_is_searched_without_one_that_nothing_answered() -> None:
    decomposer = Decomposer(DOMAIN, DecomposeBounds())
    messages = view_of(
        "How tall is the T-9?", "It is 9 cm tall [1].", "Who invented glue?", "Nothing was found."
    ).messages
    view = ConversationView((*messages[:-1], replace(messages[-1], abstained=True)))
    record = (await decomposer.condense(CondenseRequest("How heavy is the T-12 kettle in total?", view))).record
    assert record.query is not None
    assert [term.term for term in record.query.terms] == ["How tall is the T-9?"]


@pytest.mark.parametrize(("need", "terms"), [(0.1, []), (0.4, ["How tall is the T-9?"])])
async def test_a_turn_that_needs_nothing_is_searched_without_earlier_words(need: float, terms: list[str]) -> None:
    turn = "Who invented glue?"
    wording = GivenWording(StandaloneWording(turn, turn, (), need, leaves_topic=False))
    decomposer = Decomposer(DOMAIN, DecomposeBounds(), wording=wording)
    view = view_of("How tall is the T-9?", "It is 9 cm tall [1].")
    record = (await decomposer.condense(CondenseRequest(turn, view))).record
    assert record.decision is Decision.PASS
    assert record.query is not None
    assert [term.term for term in record.query.terms] == terms


@pytest.mark.parametrize(
    ("turn", "recalls"), [("Who invented glue?", True), ("Something else: who invented glue?", False)]
)
async def test_what_seems_to_be_another_topic_is_searched_beside_earlier_passages_unless_it_is_announced(
    turn: str, recalls: bool
) -> None:
    wording = GivenWording(StandaloneWording(turn, turn, (), 0.1, leaves_topic=True))
    decomposer = Decomposer(DOMAIN, DecomposeBounds(), wording=wording)
    asked, answered = view_of("How tall is the T-9?", "It is 9 cm tall [1].").messages
    view = ConversationView((asked, replace(answered, passages=(RankedPassage("t-9", 1.0),))))
    record = (await decomposer.condense(CondenseRequest(turn, view))).record
    assert record.decision is Decision.SWITCH
    assert record.query == WeightedQuery("Who invented glue?", recalls_passages=recalls)


@pytest.mark.parametrize(("turn", "added"), [("No, I meant the T-12.", ["tall"]), ("How tall is it?", [])])
async def test_words_that_the_turn_lacks_are_told(turn: str, added: list[str]) -> None:
    view = view_of("How tall is the T-9?", "It is 9 cm tall [1].")
    record = (await Decomposer(DOMAIN, DecomposeBounds()).condense(CondenseRequest(turn, view))).record
    assert [term.term for term in record.added_terms] == added
