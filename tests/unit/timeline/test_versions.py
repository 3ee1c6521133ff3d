"""Of documents that differ in the year of their titles each says what held in its year."""

from services.timeline.extraction.events import find_events
from tests.unit.timeline.evidence_making import draw_timeline, evidence, passage, when

ALLOWANCES = {"2022": 31, "2023": 33, "2024": 34, "2025": 36}


def test_a_question_about_the_years_gets_the_entry_of_each() -> None:
    policies = [
        passage(f"The daily allowance for meals is {euros} euros.", f"policy-{year}", title=f"Travel policy {year}")
        for year, euros in ALLOWANCES.items()
    ]
    events = draw_timeline(find_events("How did the daily allowance develop?", evidence(*policies)), 0).events
    assert [(when(event), event.text, event.carried) for event in events] == [
        (year, f"The daily allowance for meals is {euros} euros.", True) for year, euros in ALLOWANCES.items()
    ]


def test_the_year_of_a_single_title_dates_nothing() -> None:
    policy = passage("The daily allowance for meals is 31 euros.", title="Travel policy 2022")
    assert find_events("How did the daily allowance develop?", evidence(policy)) == ()
