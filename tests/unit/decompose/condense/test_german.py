"""German follow-ups are condensed by agreement of gender and number, by compounds, times, events and ellipses."""

import pytest

from libs.contracts.query import Decision
from libs.language.turns.reader import read_turn
from services.decompose.condense.ladder import Condenser
from services.decompose.history import Exchange, HistoryWindow
from services.decompose.words.domain import load_domain

_DEPENDENT = [
    ("Wann wurde das Rathaus gebaut?", "Das Rathaus wurde 1756 gebaut.", "Wer hat es entworfen?", "das Rathaus"),
    ("Wie lang ist die Donau?", "Die Donau ist 2.850 km lang.", "Und wo entspringt sie?", "die Donau"),
    ("Was kostet ein Stellplatz in der Tiefgarage?", "Er kostet 80 Euro.", "Wie bekomme ich ihn?", "Stellplatz"),
    ("Wer gründete den Verein?", "Gegründet hat ihn Anna Berger im Jahr 1921.", "Wann ist sie geboren?", "Anna Berger"),
    ("Wann fährt der Bus nach Neustadt?", "Um 8 Uhr.", "Und nach Altdorf?", "Wann fährt der Bus nach Altdorf"),
    ("Wo steht der Wasserturm?", "Am Nordring.", "Warum wurde er gesperrt?", "der Wasserturm"),
    ("Wann öffnet die Bibliothek?", "Um 10 Uhr.", "Warum?", "Warum öffnet die Bibliothek"),
    ("Wer leitet die Feuerwehr?", "Das ist Peter Lang.", "Seit wann?", "Feuerwehr"),
    ("Wie tief ist der See?", "Er ist 12 m tief.", "Darf man darin baden?", "in See"),
    ("Wie viele Zimmer hat das Hotel am Markt?", "30 Zimmer.", "Und gibt es dort einen Parkplatz?", "in dem Hotel"),
    (
        "Welche Brücken führen über den Fluss?",
        "Die Alte Brücke und die Neue Brücke.",
        "Wie alt ist die zweite?",
        "neue brücke",
    ),
    ("Wann wurde die Orgel eingeweiht?", "Am 3. Mai 1987.", "Wer hat ihre Pfeifen gefertigt?", "Pfeifen von Orgel"),
    (
        "Was ist die Ehrenamtskarte?",
        "Eine Karte für Ehrenamtliche.",
        "Welche Vorteile habe ich davon?",
        "von der Ehrenamtskarte",
    ),
    ("Wie viele Besucher kamen 2019?", "Es kamen 12.000.", "Und 2020?", "kamen 2020"),
    ("Hat das Freibad im Mai geöffnet?", "Ja, ab 15. Mai.", "Und das Hallenbad?", "Hat das Hallenbad im Mai"),
    ("Wo ist die Kita Sonnenschein?", "In der Gartenstraße.", "Wie viele Plätze hat diese Kita?", "Kita Sonnenschein"),
    # Articles as pronouns, short forms of compounds, times, events, and questions without a noun.
    ("Wo fährt die Buslinie 12 ab?", "Am Markt.", "Wie oft fährt die Linie?", "die Buslinie 12"),
    (
        "Wann wurde die Zuckerfabrik gegründet?",
        "Sie wurde 1887 gegründet.",
        "Wie viele Arbeiter gab es dort damals?",
        "Zuckerfabrik&1887",
    ),
    (
        "Was macht die Stadtwache?",
        "Sie kontrolliert die Grünanlagen.",
        "Wie ist deren Telefonnummer?",
        "die Telefonnummer von Stadtwache",
    ),
    (
        "Wer leitet das Stadtarchiv?",
        "Der Leiter ist Dr. Karl Wenzel.",
        "Wie lautet dessen Adresse?",
        "Karl Wenzel|Stadtarchiv",
    ),
    ("Kann ich meinen Hund im Rathaus anmelden?", "Ja, im Steueramt.", "Was kostet das?", "Hund&kostet"),
    ("Wo gibt es Ladesäulen in Erlau?", "Am Bahnhof.", "Was kosten die?", "die Ladesäulen"),
    (
        "Wer war der erste Direktor des Zoos?",
        "Friedrich Amsel.",
        "Wann ist der gestorben?",
        "Wann ist Friedrich Amsel gestorben",
    ),
    ("Wie viele Bäume stehen im Stadtpark?", "Rund 1.400 Bäume.", "Wie viele davon sind Linden?", "Bäume&Linden"),
    (
        "Wann war die erste Sitzung des Stadtrats?",
        "Am 12. Januar.",
        "Und die zweite?",
        "Wann war die zweite Sitzung des Stadtrats",
    ),
    ("Was bekommen die Schöffen?", "Eine Entschädigung.", "Wer zahlt ihnen die Entschädigung?", "den Schöffen"),
    ("Wo beantrage ich den Bewohnerparkausweis?", "Im Bürgeramt.", "Wie lange gilt dieser?", "der Bewohnerparkausweis"),
    ("Wer entscheidet über den Haushalt?", "Der Stadtrat.", "Wann wird darüber abgestimmt?", "über den Haushalt"),
    ("Darf ich im Stadtwald zelten?", "Nein.", "Warum nicht?", "Warum&Stadtwald&zelten"),
    ("Wann schließt das Bürgeramt?", "Um 18 Uhr.", "Und wann öffnet es?", "wann öffnet das Bürgeramt"),
    (
        "Wer hat die Sternwarte gestiftet?",
        "Gestiftet hat sie der Kaufmann Emil Brandt.",
        "Wo ist er begraben?",
        "Wo ist Emil Brandt begraben|Kaufmann Emil Brandt",
    ),
    ("Wie viele Schüler besuchen das Gymnasium?", "Etwa 900 Schüler.", "Und wie viele Lehrer?", "Lehrer&Gymnasium"),
    ("Muss ich meinen Umzug melden?", "Ja, binnen zwei Wochen.", "Welche Frist gilt dafür?", "Umzug"),
    (
        "Welche Spielplätze gibt es am Fluss?",
        "Zwei: am Wehr und an der Mühle.",
        "Und wann ist der größere geöffnet?",
        "der größere Spielpl",
    ),
    (
        "Wer malte die Fresken in der Kapelle?",
        "Die Malerin Clara Voss.",
        "Welche ihrer Bilder hängen im Museum?",
        "Clara Voss",
    ),
    ("Wer entwarf den Bahnhof?", "Der Architekt Paul Lindner.", "Welche Gebäude stammen noch von ihm?", "Paul Lindner"),
]
"""A question, its answer, the follow-up, and what the standalone question must say (`|` or, `&` and)."""

_STANDALONE = [
    "Was kostet eine Jahreskarte im Zoo?",
    "Gibt es in der Stadt ein Kino?",
    "Was muss ein Mieter tun, wenn er auszieht?",
    "Können Sie mir die Adresse der Post nennen?",
    "Wie melde ich den Hund an, der mir zugelaufen ist?",
    "Was muss ich tun, wenn ich die Wohnung wechsle?",
    "Kann man die 3 Museen mit einer Karte besuchen?",
    "wann öffnet die bibliothek?",
    "Wie viele Einwohner hat die Stadt Neuhausen?",
    "Wer bezahlt das Wasser, das aus dem Brunnen kommt?",
    "Wem gehört das alte Haus am See?",
    "In welchem Jahr wurde die erste Schule gebaut?",
    "Wo bekomme ich das Formular?",
]


def _condense(question: str, answer: str, turn: str) -> tuple[Decision, str]:
    record = Condenser(load_domain(language="en")).condense(turn, HistoryWindow((Exchange(question, answer),)))
    return record.decision, record.standalone


@pytest.mark.parametrize(("question", "answer", "turn", "words"), _DEPENDENT)
def test_a_dependent_turn_names_what_it_refers_to(question: str, answer: str, turn: str, words: str) -> None:
    decision, standalone = _condense(question, answer, turn)
    assert decision is Decision.CONDENSE
    choices = [choice.lower().split("&") for choice in words.split("|")]
    assert any(all(word in standalone.lower() for word in choice) for choice in choices), standalone


@pytest.mark.parametrize("turn", _STANDALONE)
@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Wann öffnet das Bürgeramt in der Gartenstraße?", "Es öffnet um 8 Uhr."),
        ("Wie lang ist die Donau?", "2.850 km."),
        ("Wo steht der Turm?", "Am Markt."),
    ],
)
def test_a_standalone_turn_keeps_its_words(question: str, answer: str, turn: str) -> None:
    assert _condense(question, answer, turn) == (Decision.PASS, turn)


@pytest.mark.parametrize(
    ("turn", "option"),
    [("die zweite", "Hallenbad"), ("das Freibad bitte", "Freibad"), ("2", "Hallenbad"), ("Die letzte!", "Hallenbad")],
)
def test_an_option_is_picked_by_its_place_or_words(turn: str, option: str) -> None:
    window = HistoryWindow((Exchange("Wann öffnet das Bad?", "Welches Bad meinen Sie?", asked_back=True),))
    reading = read_turn(turn, window.as_view(("Freibad", "Hallenbad")))
    record = Condenser(load_domain(language="en")).condense(turn, window, reading)
    assert (record.decision, record.antecedents) == (Decision.CONDENSE, (option,))


def test_an_announced_topic_is_a_shift() -> None:
    decision, standalone = _condense("Wo steht der Turm?", "Am Markt.", "Andere Frage: Wann kommt die Müllabfuhr?")
    assert (decision, standalone) == (Decision.SWITCH, "Andere Frage: Wann kommt die Müllabfuhr?")


def test_a_reference_without_antecedent_is_left_open() -> None:
    decision, standalone = _condense("Wie geht das?", "So.", "Wie lange dauert sie?")
    assert (decision, standalone) == (Decision.CLARIFY, "Wie lange dauert sie?")


def test_a_language_without_words_is_left_to_the_weights_of_retrieval() -> None:
    decision, standalone = _condense(
        "Quelle est la longueur du pont de la ville ?", "127 mètres.", "Et quand est-ce qu'il a été construit ?"
    )
    assert (decision, standalone) == (Decision.PASS, "Et quand est-ce qu'il a été construit ?")
