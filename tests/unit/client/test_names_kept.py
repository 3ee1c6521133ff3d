"""The helpers' arguments, and the wordings that they tell."""

from inspect import signature

from parley.client.evaluation import Gateway, process_rewriter_query, query_for_evaluation
from parley.context.v1 import evidence_pb2, query_pb2
from tests.unit.client.callers import QUESTION, Model, asked_of, rewriter
from tests.unit.client.scripted_gateway import ScriptedGateway


class TestTheOrderOfTheArguments:
    """That of the system whose names these are; what was added since is named."""

    def test_of_a_row_is_question_names_of_models_and_models_of_the_caller(
        self, gateway: Gateway, scripted: ScriptedGateway
    ) -> None:
        writer = Model(["Phoenix landed on 25 May 2008 [1]."])
        query_for_evaluation(QUESTION, "large", "small", None, writer, gateway=gateway)
        assert (asked_of(scripted).rewriter_model, asked_of(scripted).answer_model) == (
            "large",
            "rules",
        )
        assert list(signature(query_for_evaluation).parameters) == [
            "question", "rewriter_model", "answer_model", "custom_rewriter_llm", "custom_answer_llm", "gateway",
        ]  # fmt: skip

    def test_of_a_result_is_question_models_of_the_caller_and_the_number_of_documents(
        self, gateway: Gateway, scripted: ScriptedGateway
    ) -> None:
        writer = Model(["Phoenix landed on 25 May 2008 [1]."])
        result = process_rewriter_query(QUESTION, rewriter(), writer, 3, gateway=gateway)
        assert result["answer"] == "Phoenix landed on 25 May 2008.[1]"
        assert (len(asked_of(scripted).wordings), asked_of(scripted).depth.evidence) == (3, 3)


class TestTheWordingsThatAreTold:
    def test_are_those_that_were_searched_each_once(self, gateway: Gateway, scripted: ScriptedGateway) -> None:
        low = evidence_pb2.RELEVANCE_LOW
        wordings = [("When did it touch down?", 0.9), (QUESTION, 0.85), ("When and where did it land?", 0.0)]
        variants = [query_pb2.WeightedText(text=text, weight=weight, closeness=low) for text, weight in wordings]
        scripted.plan = query_pb2.QueryNode(query=query_pb2.WeightedQuery(text=QUESTION, variants=variants))
        metadata = query_for_evaluation(QUESTION, gateway=gateway)["metadata"]
        assert metadata["rewritten_queries"] == [QUESTION, "When did it touch down?"]
        assert metadata["rewrite_labels"] == ["High", "Low"]
        assert metadata["rewrite_count"] == 2

    def test_are_the_plans_own_words_if_nothing_was_reworded(self, gateway: Gateway, scripted: ScriptedGateway) -> None:
        scripted.plan = query_pb2.QueryNode(text=QUESTION)
        assert process_rewriter_query(QUESTION, gateway=gateway)["rewritten_queries"] == [QUESTION]

    def test_are_none_where_nothing_was_searched(self, gateway: Gateway, scripted: ScriptedGateway) -> None:
        scripted.greets, scripted.found, scripted.text = True, [], "Hello."
        row = query_for_evaluation("Hello!", gateway=gateway)
        assert (row["answer"], row["contexts"]) == ("Hello.", [])
        assert (row["metadata"]["rewrite_count"], row["metadata"]["rewritten_queries"]) == (0, [])
