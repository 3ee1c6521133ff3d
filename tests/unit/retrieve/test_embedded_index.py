"""What holds for the embedded full-text index beside what holds for every engine (`tests/conformance`)."""

import math
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from services.retrieve.corpus.deleting import delete_document
from services.retrieve.corpus.filtering import Access
from services.retrieve.corpus.permissions import Caller
from services.retrieve.engines.embedded.lexical import FILLER_TERMS
from services.retrieve.engines.opening import EngineMakers
from tests.conformance.world import ANYBODY, EngineUnderTest, World, whole, world


@pytest.fixture
def place(tmp_path: Path) -> Iterator[World]:
    with world(tmp_path, EngineMakers()) as place:
        yield place


@pytest.fixture
def lexical(place: World) -> EngineUnderTest:
    return EngineUnderTest(place, "lexical")


def folder_of_index(place: World) -> Path:
    (folder,) = (place.folder / "engines").iterdir()
    return folder


def test_a_score_is_bm25_that_hardly_minds_the_length(place: World) -> None:
    lengths = {"short": 2, "middle": 18, "long": 34}  # with the filler these are kept exactly, others within 6 %
    for name, length in lengths.items():
        place.put(whole(name, " ".join(["moon", *[name] * (length - 1)])))
    place.put(whole("last", " ".join(["last"] * 18)))
    hits = place.engines.of("default").lexical().search({"moon": 1.0}, 10, ANYBODY)
    mean = 18.0
    b = 0.75 * mean / (mean + FILLER_TERMS)
    rarity = math.log(1 + (4 - 3 + 0.5) / (3 + 0.5))
    expected = {name: rarity / (1 + 1.2 * (1 - b + b * length / mean)) for name, length in lengths.items()}
    scores = dict(zip(place.ids(hits), hits.scores.tolist(), strict=True))
    assert scores == pytest.approx(expected, rel=1e-5)
    assert list(scores) == ["short", "middle", "long"]


BOB = Access(principals=frozenset({"bob"}))
CREW = Access(principals=frozenset({"bob", "crew"}))


def seen_of(place: World, access: Access) -> list[object]:
    """All that a caller learns from searches by words."""
    index = place.engines.of("default").lexical()
    terms = {"zebra": 1.0, "barn": 0.7, "moon": 2.0}
    hits = index.search(terms, 10, access)
    few = index.search(terms, 2, access)
    exact = index.scores(terms, np.sort(hits.keys), access)
    frequencies = index.document_frequencies(terms, access)
    numbers = [list(each) for each in (hits.keys, hits.scores, few.keys, few.scores, exact)]
    return [*numbers, hits.others, few.others, frequencies]


@pytest.mark.parametrize("access", [ANYBODY, BOB, CREW])
def test_what_one_may_not_see_moves_no_score(place: World, access: Access) -> None:
    place.put(whole("a", "zebra barn"), whole("b", "barn moon moon"), whole("c", "lunar dust"))
    place.put(whole("mine", "zebra zebra barn", principals=("bob",)), whole("ours", "moon", principals=("crew",)))
    before = seen_of(place, access)
    hidden = [whole(f"x{n}", f"zebra {'moon ' * n} barn", principals=("alice",)) for n in range(20)]
    place.put(*hidden, whole("y", " ".join(["long", *["barn"] * 900]), principals=("alice", "carol")))
    assert seen_of(place, access) == before
    place.put(*(replace(each, text="zebra") for each in hidden[:10]))
    place.corpus.write(delete_document, "default", "x3", Caller(is_admin=True)).result()
    assert seen_of(place, access) == before
    place.restart()
    assert seen_of(place, access) == before


def test_who_sees_nothing_restricted_gets_the_scores_of_public_passages_alone(place: World) -> None:
    public = [whole("a", "zebra barn"), whole("b", "barn moon moon"), whole("c", "lunar dust")]
    place.put(*public)
    before = seen_of(place, BOB)
    place.put(whole("x", "zebra moon", principals=("alice",)))
    assert seen_of(place, BOB) == before


def test_restricted_passages_score_nearly_as_public_ones(place: World) -> None:
    texts = {f"d{n}": " ".join(["moon"] * (n % 3) + ["zebra"] * (n > 7) + [f"w{n}", "rock"] * 40) for n in range(12)}
    for readers in ((), ("bob",)):
        collection = "restricted" if readers else "public"
        for name, text in texts.items():
            place.put(whole(name, text, principals=readers), collection=collection)
    found = {}
    for collection in ("public", "restricted"):
        hits = place.engines.of(collection).lexical().search({"moon": 1.0, "zebra": 1.0}, 100, BOB)
        found[collection] = dict(zip(place.ids(hits), hits.scores.tolist(), strict=True))
    assert found["restricted"] == pytest.approx(found["public"], rel=0.2)


def test_public_and_restricted_passages_are_weighed_by_the_same_rarities(place: World) -> None:
    place.put(*(whole(f"x{n}", f"moon rock{n}", principals=("bob",)) for n in range(30)))
    place.put(whole("public", "moon"), whole("rare", "zebra", principals=("bob",)))
    index = place.engines.of("default").lexical()
    assert place.ids(index.search({"moon": 1.0, "zebra": 1.0}, 1, BOB)) == ["rare"]
    scores = index.scores({"moon": 1.0}, place.keys("public", "x1"), BOB)
    assert scores[0] == pytest.approx(scores[1], rel=0.3)


def test_a_damaged_index_of_restricted_passages_is_built_anew(place: World) -> None:
    place.put(whole("a", "zebra"), whole("b", "zebra", principals=("bob",)))
    place.engines.catch_up()
    place.restart(lambda: shutil.rmtree(folder_of_index(place) / "restricted"))
    index = place.engines.of("default").lexical()
    assert sorted(place.ids(index.search({"zebra": 1.0}, 10, BOB))) == ["a", "b"]


@pytest.mark.parametrize("damage", ["gone", "state gone", "cut"])
def test_a_damaged_index_is_built_anew(place: World, lexical: EngineUnderTest, damage: str) -> None:
    def damaged() -> None:
        folder = folder_of_index(place)
        if damage == "gone":
            shutil.rmtree(folder)
        elif damage == "state gone":
            (folder / "state.json").unlink()
        else:
            (folder / "index" / "meta.json").write_text("{")

    place.put(whole("a", "lunar dust"))
    place.engines.catch_up()
    place.restart(damaged)
    assert lexical.find("lunar dust") == ["a"]


def test_an_index_that_forgot_to_say_how_far_it_is_doubles_nothing(place: World, lexical: EngineUnderTest) -> None:
    place.put(whole("a", "early"))
    place.engines.catch_up()
    state = folder_of_index(place) / "state.json"
    early = state.read_text()
    place.put(whole("b", "late"))
    place.engines.catch_up()

    def as_after_a_kill_between_the_commit_of_the_index_and_ours() -> None:
        state.write_text(early)

    place.restart(as_after_a_kill_between_the_commit_of_the_index_and_ours)
    assert lexical.find("early late").count("b") == 1


def test_a_deleted_collection_leaves_no_folder_behind(place: World) -> None:
    place.put(whole("a", "moon"))
    place.put(whole("b", "moon"), collection="other")
    place.engines.catch_up()
    place.delete_collection("other")
    place.engines.catch_up()
    assert len(list((place.folder / "engines").iterdir())) == 1
