"""What part of its document a sentence stands in."""

from dataclasses import replace

import pytest

from libs.contracts.spans import Span
from libs.contracts.structure import Block, BlockKind
from services.timeline.events import find_events
from services.timeline.places import Place, place_at, places_in
from tests.unit.timeline.evidence_making import events_of, evidence, passage

TEXT = "Luna 9 landed on 3 February 1966."


def of_kind(kind: BlockKind) -> Block:
    return Block(kind, Span(0, len(TEXT)))


@pytest.mark.parametrize("kind", [BlockKind.CODE, BlockKind.FURNITURE])
def test_code_and_furniture_tell_no_events(kind: BlockKind) -> None:
    assert find_events("timeline", evidence(replace(passage(TEXT), blocks=(of_kind(kind),)))).events == ()


@pytest.mark.parametrize("kind", [BlockKind.PARAGRAPH, BlockKind.LIST, BlockKind.TABLE, BlockKind.QUOTATION])
def test_the_other_blocks_do(kind: BlockKind) -> None:
    assert len(find_events("timeline", evidence(replace(passage(TEXT), blocks=(of_kind(kind),)))).events) == 1


def test_where_the_blocks_are_not_told_the_text_is_read_for_them() -> None:
    assert events_of("It began.\n\n```\nprint('landed on 3 February 1966')\n```\n") == []
    places = list(places_in(replace(passage("# Probes\n\nIt began.\n\n- One\n- Two\n"), headings=("Moon",))))
    assert [(place.kind, place.headings) for place in places] == [
        (BlockKind.PARAGRAPH, ("Moon", "Probes")),
        (BlockKind.LIST, ("Moon", "Probes")),
    ]


def test_the_blocks_that_a_passage_brings_stand_under_its_headings() -> None:
    places = list(places_in(replace(passage(TEXT), blocks=(of_kind(BlockKind.LIST),), headings=("Moon",))))
    assert places == [Place(Span(0, len(TEXT)), BlockKind.LIST, ("Moon",))]


def test_a_place_holds_its_positions_and_between_places_another_is_given() -> None:
    first, otherwise = Place(Span(2, 5)), Place(headings=("elsewhere",))
    assert [place_at([first], position, otherwise) for position in (1, 2, 4, 5)] == [
        otherwise,
        first,
        first,
        otherwise,
    ]


def test_a_place_moves_with_its_text() -> None:
    assert Place(Span(2, 5), BlockKind.LIST, ("h",)).shifted(10) == Place(Span(12, 15), BlockKind.LIST, ("h",))
