"""The ladder: what a follow-up becomes, and what is left alone."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from libs.contracts.query import Decision, DecisionRecord
from libs.language.known import ENGLISH
from libs.language.turns.reader import read_turn
from services.decompose.condense.ladder import Condenser
from services.decompose.plan.sentences import has_verb
from services.decompose.words.domain import load_domain
from tests.unit.decompose.conversations import REFUND, VIKING, Said, conversation

CONDENSER = Condenser(load_domain(language="en"))


def condense(turn: str, *history: Said, options: tuple[str, ...] = ()) -> DecisionRecord:
    window = conversation(*history)
    return CONDENSER.condense(turn, window, read_turn(turn, window.as_view(options)))


DEVICES = "Compare Viking 1 with Viking 2"
MARINER = ("Which craft first orbited Mars?", "Mariner 9 was the first craft to orbit Mars, in 1971.")
ARMSTRONG = ("Who was the first man on the Moon?", "Neil Armstrong was the first man on the Moon.")

CONDENSED: list[tuple[str, str, tuple[Said, ...]]] = [
    # Another case of the same matter.
    ("What about damaged items?", "refund policy for damaged items", (REFUND,)),
    ("what about damaged items", "refund policy for damaged items", ("Can I get a refund?",)),
    ("Damaged items?", "refund policy for damaged items", (REFUND,)),
    ("and opened software?", "refund policy for opened software", (REFUND, "What about damaged items?")),
    ("and exchanges?", "exchange policy", (REFUND,)),
    ("what about Viking 2?", "when did Viking 2 land on Mars", (VIKING,)),
    ("how about viking 2", "when did viking 2 land on mars", ("when did viking 1 land on mars",)),
    ("what about Venus?", "when did Mariner 10 fly past Venus", ("When did Mariner 10 fly past Mercury?",)),
    ("and Mariner 9?", "when did Mariner 9 land on Mars", (VIKING, "what about Viking 2?")),
    ("and in 1999?", "who won the world cup in 1999", ("Who won the world cup in 1998?",)),
    ("What about children?", "what are the symptoms of flu for children", ("What are the symptoms of flu?",)),
    ("in Europe?", "how much does shipping cost in Europe", ("How much does shipping cost?",)),
    ("What about in Europe?", "how much does shipping cost in Europe", ("How much does shipping cost in Asia?",)),
    ("and Opportunity?", "when did the Opportunity rover get stuck", ("When did the Spirit rover get stuck?",)),
    ("What about Apollo 11?", "did Apollo 11 survive", ("Did Apollo 13 survive?", "why did the tank explode")),
    ("What about Curiosity's wheels?", "Curiosity's wheels", (VIKING,)),
    ("what about the last signal?", "Phoenix last signal", ("When did Phoenix land on Mars?",)),
    ("cheaper ones", "Show me cheaper hotels in Berlin", ("Show me hotels in Berlin",)),
    ("and with a pool?", "Show me cheaper hotels in Berlin with a pool", ("Show me hotels in Berlin", "cheaper ones")),
    ("In Munich", "Show me hotels in Munich", ("Show me hotels in Berlin",)),
    # A question word alone, more, a choice, an hypothesis.
    ("why?", "why did Viking 1 land on Mars", (VIKING,)),
    ("and where?", "where did Viking 1 land on Mars", (VIKING,)),
    ("tell me more", "more about Viking 1", (VIKING,)),
    ("which is larger?", "which is larger, Viking 1 or Viking 2", (DEVICES,)),
    ("what if I lost the receipt?", "refund window if I lost the receipt", (REFUND,)),
    # Pronouns.
    ("Who built it?", "who built Viking 1", (VIKING,)),
    (
        "How often must I change it?",
        "how often must I change my password",
        ("What if UDP is blocked?", "How long must my password be?"),
    ),
    (
        "Who may delete a project there?",
        "who may delete a project in Parquet",
        (("What does it export to?", "It exports to Parquet. Known problem: long files fail."),),
    ),
    ("what about its cameras?", "Viking 2 cameras", (VIKING, "what about Viking 2?")),
    ("What was its mass?", "what was Viking 1's mass", (VIKING,)),
    ("When did it launch?", "when did Mariner 9 launch", (MARINER,)),
    ("who lives there?", "who lives in France", ("What is the capital of France?",)),
    ("Are they free?", "are checking accounts free", ("What are checking accounts?",)),
    ("how does that work?", "how does the heat shield work", ("What is a heat shield?",)),
    (
        "How far away is it and how big is it?",
        "how far away is Jupiter and how big is it",
        ("What is Jupiter made of?",),
    ),
    ("was the second one heavier?", "was Viking 2 heavier", (DEVICES,)),
    ("How high is its tower?", "how high is Harrow Point's tower", ("When was Harrow Point lit?",)),
    # One of a class, or of several.
    ("How heavy is the old one?", "how heavy is the old printer", ("Compare the old printer with the new printer",)),
    ("How heavy is the old one?", "how heavy is the old telescope", ("Which telescopes are there?",)),
    ("How heavy is the old one?", "how heavy is the old one of Viking 1 and Viking 2", (DEVICES,)),
    ("And the bigger one?", "the bigger one of Viking 1 and Viking 2", (DEVICES,)),
    ("How heavy is that one?", "how heavy is the telescope", ("Which telescopes are there?",)),
    ("How heavy is this one?", "how heavy is Viking 1", (VIKING,)),
    ("Is another one planned?", "is another telescope planned", ("Which telescopes are there?",)),
    ("How do I get a new one?", "how do I get a new passport", ("How do I report a lost passport?",)),
    ("Are there cheaper ones?", "are there cheaper hotels", ("Which hotels are in Berlin?",)),
    ("Which one is heavier?", "which one is heavier, Viking 1 or Viking 2", (DEVICES,)),
    ("How heavy is the latter?", "how heavy is Viking 2", (DEVICES,)),
    ("What was the other one for?", "what was Viking 2 for", (DEVICES,)),
    ("and the budget?", "Viking 1 budget", (DEVICES, "How heavy is the old one?")),
    ("How big is it?", "how big is the Sun", ("What is the distance to the Sun?",)),
    ("How do the two differ?", "how do Spirit and Opportunity differ", ("How long did Spirit and Opportunity last?",)),
    ("How long do I have to do that?", "how long do I have to file a claim", ("How do I file a claim?",)),
    # Demonstratives and bare definites.
    (
        "And how long does that refund take to process?",
        "how long does the refund take to process",
        (REFUND, "What about damaged items?"),
    ),
    ("what did that mission find?", "what did the Viking 1 mission find", ("When did the Viking 1 mission land?",)),
    ("When did the mission end?", "when did the Viking 1 mission end", (VIKING,)),
    ("What was the cost?", "what was the cost of Viking 1", (VIKING,)),
    ("what happened that year?", "what happened in 1976", (VIKING,)),
    ("How deep is it?", "how deep is the second well", ("When was the second well finished?",)),
    ("Who built it?", "who built your well", ("When was your well finished?",)),
    ("How deep is it?", "how deep is the pond", ("How well was the pond cleaned?",)),
]


@pytest.mark.parametrize(("turn", "standalone", "history"), CONDENSED)
def test_a_turn_that_leans_on_the_conversation_is_made_to_stand_alone(
    turn: str, standalone: str, history: tuple[Said, ...]
) -> None:
    record = condense(turn, *history)
    assert (record.standalone, record.decision) == (standalone, Decision.CONDENSE)
    assert record.raw == turn
    assert 0 < record.confidence < 1


LEFT_ALONE: list[tuple[str, tuple[Said, ...]]] = [
    ("how do I track my order?", (REFUND,)),
    ("and is there a mobile app?", ("How is billing done?", "Can I pay by invoice?")),
    ("Is it safe to look at the Sun?", (VIKING,)),
    ("Is it true that Venus has rings?", (VIKING,)),
    ("How long does it take to build a rover?", (VIKING,)),
    ("Does NASA publish its budget?", (VIKING,)),
    ("When did Luna 9 launch and where did it land?", (VIKING,)),
    ("I'm told guinea pigs are eaten in Peru. Is that true?", ("What do guinea pigs eat?",)),
    ("What happened this year?", (VIKING,)),
    ("Which type can I create?", ("What is an intent?",)),
    ("small business credit card", ("How do I open a shop?",)),
    ("bonds versus stocks", ("Why do cities issue bonds?",)),
    ("Who was the commander of Apollo 11?", (VIKING,)),
    ("What is the mission that brought rock home?", (VIKING,)),
    ("If people pay late, what do they owe?", (REFUND,)),
    ("Thank you!", (VIKING,)),
    ("That's too bad.", (VIKING,)),
    ("I see, that sounds like a lot of work.", (VIKING,)),
    ("Got it. Can I change my plan in May?", ("Which plans are there?",)),
    ("Are there other rovers out there?", (VIKING,)),
    ("What happened one day later?", (VIKING,)),
    ("Is one of the landers still at work?", (VIKING,)),
    ("Which one of the landers is at work?", (VIKING,)),
    ("Is the number one cause of death smoking?", ("What causes cancer?",)),
    ("Where is Formula One held?", ("What is motor sport?",)),
    ("Is there one million people in Oslo?", ("Where is Oslo?",)),
    ("Which one is heavier, Viking 1 or Viking 2?", (DEVICES,)),
    ("What did no one know of Mars?", (VIKING,)),
    ("How many days after its launch did Cassini reach Saturn?", (VIKING,)),
    ("After its landing, what did Philae find?", (VIKING,)),
]


@pytest.mark.parametrize(("turn", "history"), LEFT_ALONE)
def test_a_turn_that_stands_alone_keeps_its_words_byte_for_byte(turn: str, history: tuple[Said, ...]) -> None:
    record = condense(turn, *history)
    assert record.standalone == turn
    assert record.decision in {Decision.PASS, Decision.SWITCH}
    assert not record.added_terms


@pytest.mark.parametrize("turn", ["Who built it?", "what about damaged items?", "When did Viking 1 land?"])
def test_without_a_history_every_turn_is_taken_as_it_is(turn: str) -> None:
    record = condense(turn)
    assert (record.decision, record.standalone, record.confidence) == (Decision.PASS, turn, 1.0)


@pytest.mark.parametrize(
    "turn",
    ["What is the capital of Sweden?", "By the way, do you sell bicycles?", "ok, another question: how is tea made?"],
)
def test_a_change_of_topic_is_said_and_its_words_are_left_alone(turn: str) -> None:
    record = condense(turn, VIKING)
    assert (record.decision, record.standalone) == (Decision.SWITCH, turn)


@pytest.mark.parametrize("turn", ["Who built it?", "what about that?", "why?"])
def test_a_conversation_without_a_topic_leaves_the_raw_words_and_hints_at_asking_back(turn: str) -> None:
    record = condense(turn, "hello", "thanks")
    assert (record.decision, record.standalone) == (Decision.CLARIFY, turn)
    assert record.confidence < 0.5


def test_two_likely_antecedents_are_both_named_and_lower_the_confidence() -> None:
    clear, rivalled = condense("Who built it?", VIKING), condense("Who built it?", DEVICES)
    assert clear.antecedents == ("Viking 1",)
    assert rivalled.antecedents == ("Viking 1", "Viking 2")
    assert rivalled.confidence < clear.confidence
    assert '"Viking 2"' in rivalled.reason


def test_one_of_two_names_both_and_lowers_the_confidence() -> None:
    record = condense("How heavy is the old one?", DEVICES)
    assert record.antecedents == ("Viking 1", "Viking 2")
    assert record.confidence == 0.5
    assert record.reason.endswith('"the old one" stands for "Viking 1" (or "Viking 2")')


def test_a_quality_that_was_asked_for_is_no_topic() -> None:
    record = condense("What about the budget?", "How heavy is the old one?")
    assert (record.decision, record.standalone) == (Decision.CLARIFY, "What about the budget?")


def test_the_turn_that_is_leant_on_is_told() -> None:
    assert condense("Who built it?", VIKING, "thanks").antecedent_turn == 0
    assert condense("Who built it?", "How is tea made?", VIKING).antecedent_turn == 1


def test_the_words_that_the_history_added_are_told() -> None:
    record = condense("Who built it?", VIKING)
    assert [term.term for term in record.added_terms] == ["viking", "1"]


def test_each_step_gives_its_own_reason() -> None:
    reasons = [
        condense(turn, VIKING).reason for turn in ("Who built it?", "why?", "what about Viking 2?", "tell me more")
    ]
    assert len(set(reasons)) == len(reasons)


@pytest.mark.parametrize(
    ("turn", "choice"), [("the second one", "Viking 2"), ("2", "Viking 2"), ("viking 1", "Viking 1")]
)
def test_a_pick_among_offered_options_completes_the_question_that_was_asked(turn: str, choice: str) -> None:
    record = condense(turn, "When did the lander touch down?", options=("Viking 1", "Viking 2"))
    assert record.standalone == f"when did the lander touch down {choice}"
    assert record.antecedents == (choice,)


TURNS = st.one_of(
    st.sampled_from([turn for turn, *_ in CONDENSED] + [turn for turn, _ in LEFT_ALONE]),
    st.text(max_size=60),
)


@given(TURNS, st.lists(st.tuples(TURNS, st.text(max_size=40)), max_size=3))
def test_whatever_is_said_the_raw_words_stay_and_what_is_left_alone_is_left_alone(
    turn: str, history: list[tuple[str, str]]
) -> None:
    record = condense(turn, *history)
    assert record.raw == turn
    assert record.decision is Decision.CONDENSE or record.standalone == turn
    assert 0 <= record.confidence <= 1


@given(st.sampled_from(CONDENSED))
def test_a_question_that_was_made_to_stand_alone_stands_alone(case: tuple[str, str, tuple[Said, ...]]) -> None:
    _, standalone, history = case
    assume(has_verb(standalone, ENGLISH))
    assert condense(standalone, *history).standalone == standalone
