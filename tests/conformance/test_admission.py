"""Who may find what, whichever engine searches: the same permissions, the same filters."""

from datetime import UTC, datetime

import pytest

from libs.contracts.dates import TimeRange
from libs.contracts.query import Filters
from services.retrieve.corpus.filtering import access_of
from tests.conformance.world import EngineUnderTest, whole


def day(year: int, month: int = 1, day: int = 1) -> datetime:
    return datetime(year, month, day, tzinfo=UTC)


SPRING = TimeRange(day(1969, 3), day(1969, 6))
SHELF = (
    whole("public", "moon", date="1969-04", metadata={"craft": "probe"}),
    whole("late", "moon", date="1970", source="news", metadata={"craft": "lander"}),
    whole("undated", "moon", source="news", metadata={"craft": "probe"}),
    whole("secret", "moon", date="1969-05-02", principals=("ann",)),
    whole("year", "moon", date="1969", principals=("ann", "bob")),
)
ASKED = {
    "nobody in particular finds what is public": (Filters(), (), {"public", "late", "undated"}),
    "a principal finds its own too": (Filters(), ("bob",), {"public", "late", "undated", "year"}),
    "another principal finds nothing more": (Filters(), ("eve",), {"public", "late", "undated"}),
    "several principals find what any of them may": (
        Filters(),
        ("ann", "bob"),
        {"public", "late", "undated", "secret", "year"},
    ),
    "a range of time and a principal": (Filters(dates=SPRING), ("ann",), {"public", "secret", "year"}),
    "a range of time with what is undated": (Filters(dates=SPRING, undated=True), (), {"public", "undated"}),
    "a range with a beginning alone": (Filters(dates=TimeRange(start=day(1970))), (), {"late"}),
    "a range with an end alone": (Filters(dates=TimeRange(end=day(1969, 12))), (), {"public"}),
    "an open range takes what has a date": (Filters(dates=TimeRange()), (), {"public", "late"}),
    "a range touches the last second of a month": (
        Filters(dates=TimeRange(datetime(1969, 4, 30, 23, 59, 59, tzinfo=UTC))),
        (),
        {"public", "late"},
    ),
    "a range's end is not in it": (Filters(dates=TimeRange(end=day(1969, 4))), ("bob",), {"year"}),
    "one of several sources": (Filters(sources=("news", "web")), (), {"late", "undated"}),
    "the source that is meant when none is said": (Filters(sources=("corpus",)), (), {"public"}),
    "a metadata pair": (Filters(metadata={"craft": "probe"}), (), {"public", "undated"}),
    "a metadata pair and a source": (Filters(metadata={"craft": "probe"}, sources=("news",)), (), {"undated"}),
    "several metadata pairs hold together": (Filters(metadata={"craft": "probe", "crew": "two"}), (), set()),
    "documents by their ids": (Filters(document_ids=("late", "undated")), (), {"late", "undated"}),
    "an id is no permission": (Filters(document_ids=("secret", "late")), (), {"late"}),
    "everything together": (
        Filters(dates=SPRING, sources=("corpus",), document_ids=("secret", "public"), undated=True),
        ("ann",),
        {"public", "secret"},
    ),
    "what nothing has": (Filters(metadata={"craft": "probe=lander"}), (), set()),
    "an unknown id": (Filters(document_ids=("nothing",)), (), set()),
}


@pytest.mark.parametrize("case", ASKED)
def test_a_filter_admits(engine: EngineUnderTest, case: str) -> None:
    filters, principals, matches = ASKED[case]
    engine.world.put(*SHELF)
    assert set(engine.find("moon", access_of(filters, principals))) == matches


@pytest.mark.parametrize("date", ["0001", "1815-12-10", "9999-12-30", "2024-02-29T23:59:59+14:00"])
def test_a_date_of_any_time_can_be_filtered_by(engine: EngineUnderTest, date: str) -> None:
    engine.world.put(whole("a", "moon", date=date), whole("b", "moon", date="1969-07"))
    year = int(date[:4])
    of_year = TimeRange(day(year), day(year, 12, 31))
    assert "a" in engine.find("moon", access_of(Filters(dates=of_year), ()))
    assert engine.find("moon", access_of(Filters(dates=SPRING), ())) == []


STRANGE = (
    *("ann", "Ann", "ann ", "an", "anna", "Änn", "A\u0308nn", "'", '"', "\\", '\\"', "a,b", "a;b", "%", "_", "*", "?"),
    *("[]", '"] or array_length(labels) > 0 or ["', "{ann}", "$meta", "\n", "\t", "\u2028", "\u202e", "月", "🚀", "{}"),
    *("public", "principal:ann", "null", "None", "0", "-1", "x" * 4_000),
)


def test_a_principal_of_any_spelling_finds_its_own_and_nothing_else(engine: EngineUnderTest) -> None:
    engine.world.put_at_once([whole(f"d{n}", "moon", principals=(name,)) for n, name in enumerate(STRANGE)])
    matches = {name: engine.find("moon", access_of(Filters(), (name,))) for name in STRANGE}
    assert matches == {name: [f"d{number}"] for number, name in enumerate(STRANGE)}
    assert engine.find("moon") == []


def test_metadata_of_any_spelling_filters_exactly(engine: EngineUnderTest) -> None:
    engine.world.put_at_once([whole(f"d{n}", "moon", metadata={"k": name}) for n, name in enumerate(STRANGE)])
    matches = {name: engine.find("moon", access_of(Filters(metadata={"k": name}), ())) for name in STRANGE}
    assert matches == {name: [f"d{number}"] for number, name in enumerate(STRANGE)}


def test_a_key_with_a_separator_is_not_taken_for_another_pair(engine: EngineUnderTest) -> None:
    engine.world.put(whole("a", "moon", metadata={"k=v": "w"}), whole("b", "moon", metadata={"k": "v=w"}))
    assert engine.find("moon", access_of(Filters(metadata={"k=v": "w"}), ())) == ["a"]
    assert engine.find("moon", access_of(Filters(metadata={"k": "v=w"}), ())) == ["b"]


def test_what_an_asker_may_not_find_takes_no_place(engine: EngineUnderTest) -> None:
    engine.world.put(*(whole(f"secret{number}", "moon moon moon", principals=("ann",)) for number in range(6)))
    engine.world.put(whole("public", "moon and much else besides"))
    assert engine.find("moon", limit=1) == ["public"]


def test_a_permission_holds_from_the_moment_it_is_given_until_it_is_taken(engine: EngineUnderTest) -> None:
    bob = access_of(Filters(), ("bob",))
    engine.world.put(whole("a", "moon", principals=("ann",)))
    assert engine.find("moon", bob) == []
    engine.world.put(whole("a", "moon", principals=("ann", "bob")))
    assert engine.find("moon", bob) == ["a"]
    engine.world.put(whole("a", "moon", principals=("ann",)))
    assert engine.find("moon", bob) == []


def test_a_filter_changes_no_score(engine: EngineUnderTest) -> None:
    engine.world.put(*SHELF, whole("more", "moon and mars", principals=("ann",)))
    plain = engine.hits("moon", access_of(Filters(), ("ann",)))
    narrow = engine.hits("moon", access_of(Filters(dates=SPRING), ("ann",)))
    scores = dict(zip(engine.world.ids(plain), plain.scores.tolist(), strict=True))
    assert len(narrow.keys) == 3
    for name, score in zip(engine.world.ids(narrow), narrow.scores.tolist(), strict=True):
        assert score == pytest.approx(scores[name], abs=1e-5)


def test_a_date_that_changed_filters_as_it_is_now(engine: EngineUnderTest) -> None:
    in_spring = access_of(Filters(dates=SPRING), ())
    engine.world.put(whole("a", "moon", date="1970"))
    assert engine.find("moon", in_spring) == []
    engine.world.put(whole("a", "moon", date="1969-04-01"))
    assert engine.find("moon", in_spring) == ["a"]


def test_a_thousand_ids_may_be_asked_for(engine: EngineUnderTest) -> None:
    engine.world.put(whole("d7", "moon"), whole("other", "moon"))
    many = Filters(document_ids=tuple(f"d{number}" for number in range(1_000)))
    assert engine.find("moon", access_of(many, ())) == ["d7"]
