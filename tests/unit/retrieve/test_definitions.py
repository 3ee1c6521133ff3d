"""What opens a page or section, or tells what a thing is, comes first for the question of what it is."""

from dataclasses import replace

from libs.contracts.evidence import Passage
from libs.text.definitions import Thing
from services.retrieve.search.definitions import DefinitionOrder

SENTINEL = Thing(("sentinel",), "en")
OPENING = Passage("s#0", "s", "It watches the servers of a cluster.", title="Sentinel", language="en")
LATER = replace(OPENING, passage_id="s#1", text="Set the port of the watcher.")
SECTION = replace(OPENING, passage_id="m#4", document_id="m", title="Manual", headings=("Parts", "Sentinel"))
TELLING = replace(SECTION, passage_id="m#9", headings=("Words",), text="A sentinel is a process that watches.")


def test_the_opening_of_a_page_or_section_and_a_definition_get_a_bonus_and_nothing_else_does() -> None:
    passages = [OPENING, LATER, SECTION, TELLING, None]
    opening, later, section, telling, deleted = DefinitionOrder.load().bonuses(
        SENTINEL, passages, [None, OPENING, LATER, TELLING, LATER]
    )
    assert min(opening, section, telling) > later == deleted == 0


def test_what_opens_and_tells_gets_both() -> None:
    both = replace(OPENING, text="Sentinel is a process that watches.")
    order = DefinitionOrder.load()
    alone, together = order.bonuses(SENTINEL, [OPENING, both], [LATER, LATER])
    assert order.bonuses(SENTINEL, [], []).shape == (0,)
    assert together > alone == 0
