"""What part of its document a sentence stands in."""

from dataclasses import replace

import pytest

from libs.contracts.spans import Span
from libs.contracts.structure import Block, BlockKind
from services.timeline.extraction.events import find_events
from services.timeline.reading.text_blocks import TextBlock, blocks_in
from tests.unit.timeline.evidence_making import events_of, evidence, passage

TEXT = "Luna 9 landed on 3 February 1966."


def of_kind(kind: BlockKind) -> Block:
    return Block(kind, Span(0, len(TEXT)))


@pytest.mark.parametrize(
    ("kind", "count"),
    [
        (BlockKind.CODE, 0),
        (BlockKind.FURNITURE, 0),
        (BlockKind.PARAGRAPH, 1),
        (BlockKind.LIST, 1),
        (BlockKind.TABLE, 1),
        (BlockKind.QUOTATION, 1),
    ],
)
def test_code_and_furniture_tell_no_events(kind: BlockKind, count: int) -> None:
    assert len(find_events("timeline", evidence(replace(passage(TEXT), blocks=(of_kind(kind),))))) == count


def test_where_the_blocks_are_not_told_the_text_is_read_for_them() -> None:
    assert events_of("It began.\n\n```\nprint('landed on 3 February 1966')\n```\n") == []
    blocks = list(blocks_in(replace(passage("# Probes\n\nIt began.\n\n- One\n- Two\n"), headings=("Moon",))))
    assert [(block.kind, block.headings) for block in blocks] == [
        (BlockKind.PARAGRAPH, ("Moon", "Probes")),
        (BlockKind.LIST, ("Moon", "Probes")),
    ]


def test_the_blocks_that_a_passage_brings_stand_under_its_headings() -> None:
    blocks = list(blocks_in(replace(passage(TEXT), blocks=(of_kind(BlockKind.LIST),), headings=("Moon",))))
    assert blocks == [TextBlock(Span(0, len(TEXT)), BlockKind.LIST, ("Moon",))]
