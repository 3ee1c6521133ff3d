"""What opens a page or section, or tells what a thing is, comes first for the question of what it is."""

from dataclasses import replace

from libs.contracts.evidence import Passage
from services.retrieve.search.definitions import Thing, bonuses
from services.retrieve.search.ranking import DefinitionBoosts

SENTINEL = Thing(("sentinel",), "en")
OPENING = Passage("s#0", "s", "It watches the servers of a cluster.", title="Sentinel", language="en")
LATER = replace(OPENING, passage_id="s#1", text="Set the port of the watcher.")
SECTION = replace(OPENING, passage_id="m#4", document_id="m", title="Manual", headings=("Parts", "Sentinel"))
TELLING = replace(SECTION, passage_id="m#9", headings=("Words",), text="A sentinel is a process that watches.")


BOOSTS = DefinitionBoosts()


def test_the_opening_of_a_page_or_section_and_a_definition_get_a_bonus_and_nothing_else_does() -> None:
    passages, before = [OPENING, LATER, SECTION, TELLING, None], [None, OPENING, LATER, TELLING, LATER]
    opening, later, section, telling, deleted = bonuses(SENTINEL, passages, before, BOOSTS)
    assert min(opening, section, telling) > later == deleted == 0


def test_what_opens_and_tells_gets_both() -> None:
    both = replace(OPENING, text="Sentinel is a process that watches.")
    opening, together = bonuses(SENTINEL, [OPENING, both], [None, None], BOOSTS)
    _, telling = bonuses(SENTINEL, [OPENING, both], [OPENING, LATER], BOOSTS)
    assert together == opening + telling
    assert bonuses(SENTINEL, [], [], BOOSTS).shape == (0,)
