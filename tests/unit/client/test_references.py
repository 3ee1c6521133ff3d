"""What an answer cites, as documents: as it was stored, and as it is by now."""

import grpc
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.session import context_codec
from parley.client.evaluation import Gateway, context_decode, context_encode, get_references_result_doc
from parley.context.v1 import evidence_pb2, session_pb2
from parley.gateway.v1 import gateway_pb2
from tests.unit.client.scripted_gateway import DUG, LANDED, ScriptedGateway, references

NOW = "Phoenix landed on 25 May 2008, at 68 degrees north."


def conversation(*turns: list[evidence_pb2.Reference]) -> session_pb2.SessionContext:
    return session_pb2.SessionContext(turns=[session_pb2.Turn(references=turn_references) for turn_references in turns])


CARRIED = context_encode(conversation(references("An older one."), references(LANDED, DUG), []))
CITED = gateway_pb2.GetReferencesResponse(
    question="When did Phoenix land?",
    passages=[gateway_pb2.NumberedPassage(number=number, passage_id=f"p{number}") for number in (2, 1)],
)


@pytest.fixture
def scripted() -> ScriptedGateway:
    scripted = ScriptedGateway()  # type: ignore[abstract]  # the rest is UNIMPLEMENTED
    scripted.sessions["mars"] = CITED
    for place, text in (("p1", NOW), ("p2", DUG)):
        scripted.corpus.held["", place] = evidence_pb2.Passage(passage_id=place, document_id="d", text=text)
    return scripted


class TestTheReferencesOfACarriedConversation:
    def test_are_those_of_its_latest_answer_as_they_were_stored_and_nobody_is_asked(self) -> None:
        docs = get_references_result_doc(False, context=CARRIED, gateway=Gateway("127.0.0.1:1"))
        assert [(doc["number"], doc["page_content"]) for doc in docs] == [(1, LANDED), (2, DUG)]
        assert docs == get_references_result_doc(context=CARRIED)

    def test_have_new_content_where_it_is_wanted_and_keep_how_well_they_fitted(self, gateway: Gateway) -> None:
        turn_references = references(LANDED)
        turn_references[0].evidence.scores.fused = 0.75
        turn_references[0].evidence.relevance = evidence_pb2.RELEVANCE_HIGH
        (doc,) = get_references_result_doc(True, context=context_encode(conversation(turn_references)), gateway=gateway)
        assert (doc["page_content"], doc["document_id"]) == (NOW, "d")
        assert (doc["score"], doc["relevance"]) == (0.75, "High")

    def test_are_none_where_no_answer_has_some(self, gateway: Gateway, scripted: ScriptedGateway) -> None:
        context = context_encode(conversation([], []))
        assert get_references_result_doc(context=context) == []
        assert get_references_result_doc(True, context=context, gateway=gateway) == []
        scripted.sessions["mars"] = gateway_pb2.GetReferencesResponse()
        assert get_references_result_doc(session="mars", gateway=gateway) == []


class TestTheReferencesOfASession:
    def test_come_with_their_present_words_by_number(self, gateway: Gateway, scripted: ScriptedGateway) -> None:
        docs = get_references_result_doc(True, session="mars", gateway=gateway)
        assert [(doc["number"], doc["page_content"]) for doc in docs] == [(1, NOW), (2, DUG)]
        assert set(scripted.corpus.principals) == {"ada"}

    def test_are_looked_up_where_each_was_found(self, gateway: Gateway, scripted: ScriptedGateway) -> None:
        passage = evidence_pb2.Passage(passage_id="p1", text="Elsewhere.", collection="moon")
        scripted.corpus.held["moon", "p1"] = passage
        turn_references = gateway_pb2.NumberedPassage(number=1, passage_id="p1", collection="moon")
        scripted.sessions["moon"] = gateway_pb2.GetReferencesResponse(passages=[turn_references])
        (doc,) = get_references_result_doc(True, session="moon", gateway=gateway)
        assert doc["page_content"] == "Elsewhere."

    @pytest.mark.parametrize("status", [grpc.StatusCode.NOT_FOUND, grpc.StatusCode.PERMISSION_DENIED])
    def test_that_are_gone_or_forbidden_are_left_out_and_the_others_keep_their_numbers(
        self, gateway: Gateway, scripted: ScriptedGateway, status: grpc.StatusCode
    ) -> None:
        scripted.corpus.refuses = status
        del scripted.corpus.held["", "p1"]
        docs = get_references_result_doc(True, session="mars", gateway=gateway)
        assert [(doc["number"], doc["page_content"]) for doc in docs] == [(2, DUG)]

    def test_are_not_halved_where_the_corpus_fails(self, gateway: Gateway, scripted: ScriptedGateway) -> None:
        scripted.corpus.refuses = grpc.StatusCode.UNAVAILABLE
        scripted.corpus.held.clear()
        with pytest.raises(grpc.RpcError):
            get_references_result_doc(True, session="mars", gateway=gateway)

    def test_that_the_suite_does_not_keep_are_refused(self, gateway: Gateway) -> None:
        with pytest.raises(grpc.RpcError) as error:
            get_references_result_doc(True, session="venus", gateway=gateway)
        assert isinstance(error.value, grpc.Call)
        assert error.value.code() is grpc.StatusCode.NOT_FOUND

    def test_come_as_stored_with_how_well_they_fit(self, gateway: Gateway, scripted: ScriptedGateway) -> None:
        cited = references(LANDED, DUG)
        cited[0].evidence.relevance = evidence_pb2.RELEVANCE_HIGH
        scripted.sessions["mars"] = gateway_pb2.GetReferencesResponse(turn_id="q-1")
        scripted.stored_turns["q-1"] = session_pb2.Turn(references=cited)
        docs = get_references_result_doc(session="mars", gateway=gateway)
        assert [(doc["number"], doc["page_content"]) for doc in docs] == [(1, LANDED), (2, DUG)]
        assert docs[0]["relevance"] == "High"
        assert scripted.principals == ["ada"]


@pytest.mark.parametrize("arguments", [{}, {"session": "mars", "context": CARRIED}])
def test_a_conversation_is_named_in_one_way(arguments: dict[str, str]) -> None:
    with pytest.raises(ValueError, match="either session or context"):
        get_references_result_doc(True, **arguments)  # type: ignore[arg-type]  # no flag among them


class TestAContext:
    @given(st.lists(st.text(max_size=20), max_size=5))
    def test_is_read_as_the_suite_wrote_it_and_by_the_suite_as_the_client_wrote_it(self, texts: list[str]) -> None:
        context = conversation(references(*texts))
        assert context_decode(context_codec.context_encode(context)) == context
        (turn,) = context_codec.context_decode(context_encode(context)).turns
        assert [reference.evidence.passage.text for reference in turn.references] == texts

    @pytest.mark.parametrize(
        "text",
        ["", "é", "UA==", CARRIED[:-8], CARRIED[:20] + "AAAA" + CARRIED[24:], "UAk" + CARRIED[3:]],
        ids=["empty", "no base64", "short", "cut", "changed", "of another version"],
    )
    def test_that_cannot_be_read_is_refused(self, text: str) -> None:
        with pytest.raises(ValueError, match="context"):
            context_decode(text)
