"""`#id` stands for a node's answer; any other number sign is text."""

from libs.graph.placeholders import fill_in, named_in


def test_a_placeholder_is_replaced_by_its_nodes_answer() -> None:
    assert fill_in("When did #1 orbit #2?", {"1": "Mariner 9", "2": "Mars"}) == "When did Mariner 9 orbit Mars?"


def test_a_number_sign_that_names_no_node_stays() -> None:
    assert fill_in("Who sang the #1 song of #2?", {"2": "1969"}) == "Who sang the #1 song of 1969?"


def test_all_words_after_a_number_sign_are_named() -> None:
    assert named_in("the #1 song of #year, not # 3") == {"1", "year"}
