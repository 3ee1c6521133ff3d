"""Whether two texts that read alike tell the same facts, in any language."""

import pytest

from services.retrieve.search.sameness import tell_the_same


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("The pump takes 3.2 bar.", "The pump takes 5.2 bar."),
        ("The tank weighs 4 kg.", "The tank weighs 4 t."),
        ("Payment is due within 30 days.", "Payment is due within 30 weeks."),
        ("The hose bears 40 bar.", "The hose bears 40 psi."),
        ("It pumps 35 litres per minute.", "It pumps 35 litres per hour."),
        ("The rules of 2024 hold.", "The rules of 2025 hold."),
        ("It ends on 31 March.", "It ends on 31 May."),
        ("Closed on Monday.", "Closed on Tuesday."),
        ("The award went to Geneva.", "The award went to Basel."),
        ("Berger leads the team.", "Imhof leads the team."),
        ("The AX-200 is quiet.", "The AX-200 Pro is quiet."),
        ("Wait for E-1234.", "Wait for E-1235."),
        ("Set retry_max in the file.", "Set retry_min in the file."),
        ("Call it with --force.", "Call it with --no-force."),
        ("Send it by FTP.", "Send it by HTTP."),
        ("Dogs are allowed.", "Dogs are not allowed."),
        ("The setting is on.", "The setting is off."),
        ("It stops above 40 km/h.", "It stops below 40 km/h."),
        ("Profit rose in April.", "Profit fell in April."),
    ],
)
def test_texts_that_differ_in_a_fact_tell_something_else(first: str, second: str) -> None:
    assert not tell_the_same(first, second, "en")
    assert not tell_the_same(second, first, "en")


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Adults pay 12 euros, children 8 euros.", "Adults pay 8 euros, children 12 euros."),
        ("Adults pay 12. Children pay 8.", "Adults pay 8. Children pay 12."),
        ("Dogs are allowed, cats are not.", "Dogs are not allowed, cats are."),
        ("Anna manages Paul.", "Paul manages Anna."),
    ],
)
def test_the_same_facts_told_of_each_other_are_not_the_same(first: str, second: str) -> None:
    assert not tell_the_same(first, second, "en")


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("On 25 May 2008 Phoenix landed on Mars.", "Phoenix landed on Mars on May 25, 2008."),
        ("Luna 9 landed softly on the Moon.", "Luna 9 landed softly on the moon!"),
        ("The fee is 1,200 euros. It's due.", "The fee is €1200; it is due!"),
        ("You don't need a ticket.", "You do not need a ticket."),
        ("Twelve members voted.", "12 members voted."),
        ("The AX-200 weighs 5kg.", "The AX200 weighs 5 kg."),
        ("It starts at 2:30 and takes an hour.", "It starts at 2.30 and takes one hour."),
        ("Be there at 9 a.m. on the left.", "Be there at 9 am on the left."),
        ("Shops pay more. The gate is shut.", "The gate is shut. Stores pay more."),
        ("Diving from the side is forbidden.", "It is forbidden to dive from the side."),
        ("BATTERIES MUST NOT BE BURNT", "Batteries must not be burnt."),
    ],
)
def test_another_form_of_the_same_facts_tells_the_same(first: str, second: str) -> None:
    assert tell_the_same(first, second, "en")
    assert tell_the_same(first, first, "en")


def test_little_words_are_equal_where_those_that_deny_are_unknown() -> None:
    assert tell_the_same("Le chien est admis ici.", "Le chien est admis ici !", "fr")
    assert not tell_the_same("Le chien est admis ici.", "Le chien n'est pas admis ici.", "fr")
    assert not tell_the_same("可以带狗进入。", "不可以带狗进入。", "zh")


def test_nearly_the_same_words_may_be_more_of_them_but_none_instead_of_another() -> None:
    text = "The porter opens the gate of the yard at dawn, and the shop sells bread and fresh milk."
    assert tell_the_same(text, f"{text} Please knock.", "en")
    assert tell_the_same(text, text.replace("shop", "store"), "en")
    assert not tell_the_same(text, text.replace("porter", "foreman"), "en")
    assert not tell_the_same(text, f"{text} Ring twice at the red door behind the barn if nobody comes.", "en")
