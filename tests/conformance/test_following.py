"""Engines follow the corpus: through restarts, losses and repetitions they come to hold what it holds."""

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from services.retrieve.corpus.documents import Document
from tests.conformance.world import EngineUnderTest, whole


def test_taking_in_the_same_changes_twice_does_no_harm(engine: EngineUnderTest) -> None:
    engine.world.put(whole("a", "moon"), Document("b", "moon " * 600), whole("c", "moon"))
    engine.world.delete("c")
    before = engine.find("moon")
    engine.follow_again()
    assert sorted(engine.find("moon")) == sorted(before)
    assert len(before) > 3


def test_an_engine_goes_on_where_it_stopped(engine: EngineUnderTest) -> None:
    engine.world.put(whole("a", "moon before"), whole("b", "moon before"), whole("c", "moon before"))
    assert len(engine.find("moon")) == 3

    def meanwhile() -> None:
        engine.world.put(whole("a", "moon after"), whole("d", "moon after"))
        engine.world.delete("b")

    engine.world.restart(meanwhile)
    assert sorted(engine.find("moon")) == ["a", "c", "d"]


def test_an_engine_that_was_never_asked_has_everything_after_a_restart(engine: EngineUnderTest) -> None:
    engine.world.put(whole("a", "moon"), whole("b", "moon"))
    engine.world.restart()
    assert sorted(engine.find("moon")) == ["a", "b"]


def test_an_engine_that_lost_everything_takes_it_in_anew(engine: EngineUnderTest) -> None:
    engine.world.put(whole("a", "moon"), whole("b", "moon"), whole("c", "moon"))
    assert len(engine.find("moon")) == 3
    engine.world.delete("b")
    engine.world.restart(engine.world.forget)
    assert sorted(engine.find("moon")) == ["a", "c"]


def test_permissions_are_kept_over_a_restart(engine: EngineUnderTest) -> None:
    engine.world.put(whole("a", "moon", principals=("ann",)), whole("b", "moon"))
    assert engine.find("moon") == ["b"]
    engine.world.restart()
    assert engine.find("moon") == ["b"]


def test_a_collection_deleted_while_nobody_looked_leaves_nothing(engine: EngineUnderTest) -> None:
    engine.world.put(whole("old", "moon"), collection="other")
    assert engine.find("moon", collection="other") == ["old"]
    engine.world.restart(lambda: engine.world.delete_collection("other"))
    engine.world.engines.catch_up()
    engine.world.put(whole("new", "moon"), collection="other")
    assert engine.find("moon", collection="other") == ["new"]


def test_catching_up_takes_in_all_collections(engine: EngineUnderTest) -> None:
    engine.world.put(whole("a", "moon"))
    engine.world.put(whole("b", "moon"), collection="other")
    engine.world.engines.catch_up()
    assert (engine.find("moon"), engine.find("moon", collection="other")) == (["a"], ["b"])


EDITS = st.lists(st.tuples(st.sampled_from("abcd"), st.sampled_from(["", "moon", "mars moon", "venus moon " * 150])))


@settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(EDITS.filter(lambda edits: 0 < len(edits) <= 10), st.sets(st.integers(0, 10)))
def test_after_any_edits_an_engine_holds_what_the_corpus_holds(
    engine: EngineUnderTest, edits: list[tuple[str, str]], looks: set[int]
) -> None:
    collection = f"edits-{abs(hash((tuple(edits), frozenset(looks))))}"
    expected: set[str] = set()
    for number, (name, text) in enumerate(edits):
        if text:
            engine.world.put(Document(name, text), collection=collection)
            expected.add(name)
        elif name in expected:
            engine.world.delete(name, collection)
            expected.remove(name)
        else:
            continue
        if number in looks:
            engine.find("moon", collection=collection)
    if any(text for _, text in edits):
        hits = engine.find("moon mars venus", collection=collection)
        assert len(hits) == len(set(hits)) == engine.world.corpus.collection(collection)[1].passages
        assert {passage.split("#")[0] for passage in hits} == expected
        engine.world.delete_collection(collection)
    engine.world.engines.catch_up()
