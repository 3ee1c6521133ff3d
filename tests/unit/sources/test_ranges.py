"""Where a question is looked for: its wording tells the range, the settings tell what a range stands for."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libs.contracts.dates import TimeRange
from libs.contracts.query import Filters
from libs.contracts.stages.retrieve import SearchRange
from services.retrieve.sources.ranges import RangeDetector, RangeSettings, range_of

NOW = datetime(2026, 11, 22, 9, 30, tzinfo=UTC)

QUESTIONS = {
    SearchRange.HOT: """
        What is the latest on Artemis III?
        What are today's headlines?
        What happened on the Moon yesterday?
        Any updates on the strike this week?
        What's new with the James Webb telescope?
        breaking news
        Did anything happen last night in Geneva?
        Which rocket just launched from Kourou?
        What is the price of oil today?
        latest news about the Mars sample return
        Tell me the most recent developments in the trial.
        What is going on in Lisbon right now?
        Who won the match this morning?
        What has ESA said in the past few days?
        latest polling results in Norway
    """,
    SearchRange.NEWS: """
        News about the Europa Clipper mission
        Show me headlines about solar storms.
        What has been in the news about lunar water?
        Which recent missions went to asteroids?
        What did the newest report of the panel say?
        What is the current state of the Gateway station?
        Who currently leads the agency?
        What did the press coverage of the crash say?
        Was there any news about Voyager in 1990?
        Which probes were launched this year?
        Which companies were sold last month?
    """,
    SearchRange.GENERAL: """
        When did Phoenix land on Mars?
        What is water ice?
        Give me the history of the news agency Reuters.
        Who invented the telescope?
        Which of Saturn's moons has an atmosphere?
        What happened on this day in 1969?
        What is the origin of the word planet?
        How does an alternating current motor work?
        What was the latest model of the Apollo guidance computer in 1968?
        Is Pluto still called a planet today?
        What did ancient astronomers think of comets?
        How tall is the tower of Harrow Point?
        Compare Viking 1 and Viking 2.
        Which ocean current warms Norway?
        Who founded BBC News?
        What is Sky News Australia?
        What does a spectrometer measure?
        Which city was known as Byzantium and is a metropolis today?
        How many people lived in Rome in the 2nd century?
        And how high is it?
        Why did the mission end?
    """,
}
GERMAN = {
    SearchRange.HOT: """
        Was ist heute im Stadtrat passiert?
        Was gibt es Neues vom Bau der Brücke?
        Aktuelle Nachrichten zur Linie 3
        Was geschah gestern am Bahnhof?
        Welche Meldungen gab es in den letzten Tagen?
    """,
    SearchRange.NEWS: """
        Nachrichten über das Wasserwerk
        Wer ist derzeit Bürgermeisterin?
        Was stand dazu in der Presse?
        Welche Linien wurden kürzlich eingestellt?
    """,
    SearchRange.GENERAL: """
        Seit wann fährt die Linie 3?
        Wie hoch ist der Rathausturm?
        Welche Stadt hieß Byzanz und ist noch heute eine Metropole?
        Was war die neueste Lokomotive von 1904?
        Erzähle die Geschichte der Nachrichtenagentur.
        Wer hat das Telefon erfunden?
    """,
}
LABELLED = [
    (language, line.strip(), label)
    for language, questions in (("en", QUESTIONS), ("de", GERMAN))
    for label, lines in questions.items()
    for line in lines.splitlines()
    if line.strip()
]


@pytest.mark.parametrize(("language", "question", "expected"), LABELLED, ids=[each[1][:40] for each in LABELLED])
def test_the_wording_tells_the_range(language: str, question: str, expected: SearchRange) -> None:
    assert range_of(question, NOW, language)[0] is expected
    assert RangeDetector(RangeSettings(), web=False).detect(question, NOW).range is expected


def test_the_reason_names_the_words() -> None:
    assert range_of("What are today's headlines?", NOW, language="en")[1] == 'it asks for the newest news ("today\'s")'
    assert range_of("the history of Rome", NOW, language="en")[1] == 'it asks about history ("history")'


@given(st.sampled_from([question for _, question, _ in LABELLED]) | st.text(max_size=60))
def test_where_no_source_of_news_is_configured_a_range_changes_nothing(question: str) -> None:
    detection = RangeDetector(RangeSettings(), web=False).detect(question, NOW)
    assert (detection.filters, detection.web) == (None, False)
    assert detection.reason


def test_a_range_stands_for_what_the_settings_say() -> None:
    settings = RangeSettings(news_sources=("newswire",), hot_sources=("newswire", "web"), hot_days=2)
    two_days = TimeRange(start=NOW - timedelta(days=2))
    without = RangeDetector(settings, web=False)
    assert without.detect("news about Artemis", NOW).filters == Filters(sources=("newswire",))
    assert without.detect("what happened today", NOW).filters == Filters(dates=two_days, sources=("newswire",))
    hot = RangeDetector(settings, web=True).detect("what happened today", NOW)
    assert (hot.filters, hot.web) == (Filters(dates=two_days, sources=("newswire", "web")), False)


def test_a_general_question_may_be_kept_from_the_news_by_a_setting() -> None:
    detector = RangeDetector(RangeSettings(general_sources=("corpus",)), web=True)
    assert detector.detect("What is Artemis?", NOW).filters == Filters(sources=("corpus",))
