"""What holds for the embedded full-text index beside what holds for every engine (`tests/conformance`)."""

import math
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

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
