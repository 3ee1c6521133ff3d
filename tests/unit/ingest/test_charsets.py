"""In which encoding bytes are, and what becomes of bytes that none fits."""

import pytest

from ingest.bounds import ReadingBounds
from ingest.content import BrokenContent, Content
from ingest.detection.charsets import Decoded, decoded
from ingest.documents import Omission, OmissionReason, ParsedDocument
from ingest.readers import read

EURO = "The price is 20 € per unit – see annex."


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (EURO, "cp1252"),
        ("Zoë", "cp1252"),
        ("naïve", "cp1252"),
        ("£5 at ±5 °C", "cp1252"),
        ("©2024 Acme® – «Bonjour», ¡Hola!", "cp1252"),
        ("L’œuvre, 1½ m³/h, x²+y², it’s naïve—really", "cp1252"),
        ("STRASSE ÄÖÜ\n————————", "cp1252"),
        ("São Paulo não é a capital do país.", "cp1252"),
        ("Mødet begynder klokken otte på rådhuset.", "cp1252"),
        ("Nous avons déjà réservé une chambre à l'hôtel près de la gare.", "cp1252"),
        ("Prosimy o kontakt z biurem w Łodzi, jeśli są pytania.", "cp1250"),
        ("Schůze se koná ve středu v osm hodin.", "iso8859_2"),
        ("Toplantı çarşamba günü saat sekizde başlayacak.", "cp1254"),
        ("Привет, мир", "cp1251"),
        ("Version 2: Клапан открыт, see manual.", "cp1251"),
        ("Η τιμή είναι είκοσι ευρώ.", "cp1253"),
        ("价格是二十欧元。会议将于星期三八点开始。", "gb18030"),
        ("価格は二十ユーロです。", "cp932"),
    ],
)
def test_a_short_text_is_read_in_the_encoding_that_its_language_is_written_in(text: str, encoding: str) -> None:
    assert decoded(text.encode(encoding)) == Decoded(text)


def test_a_stated_encoding_counts_if_the_bytes_are_such_and_a_mark_before_all() -> None:
    assert decoded("Привет".encode("koi8_r"), "koi8-r").text == "Привет"
    assert decoded(EURO.encode("cp1252"), "ISO-8859-1").text == EURO
    assert decoded(EURO.encode("cp1252"), "utf-8").text == EURO
    assert decoded(EURO.encode("cp1252"), "no such encoding").text == EURO
    assert decoded(EURO.encode("utf-16"), "cp1252").text == EURO


def test_damaged_bytes_in_utf_8_cost_themselves_and_are_named_by_line() -> None:
    data = "Größe und Länge\nsind gut.\n".encode() + b"Zo\xebs price is \xe2\x82 5.\n"
    assert decoded(data) == Decoded(
        "Größe und Länge\nsind gut.\nZoës price is � 5.\n",
        (Omission(OmissionReason.BYTES, "line 3", "Zoës price is � 5.", 3),),
    )


def test_bytes_that_are_no_text_are_refused() -> None:
    for data in (bytes(range(256)) * 8, b"\xff\xfe\x00"):
        with pytest.raises(BrokenContent, match="is not text"):
            decoded(data)


def test_characters_that_nobody_sees_are_no_text() -> None:
    assert decoded("Wort\u00adtrennung\u200b\r\nand \U000e0041more.".encode()).text == "Worttrennung\nand more."


def table(rows: list[bytes]) -> ParsedDocument:
    (document,) = read(Content("t.csv", "t.csv", "t.csv", data=b"\n".join([b"id,name", *rows, b""])))
    assert isinstance(document, ParsedDocument)
    return document


def test_a_late_byte_of_a_table_tells_its_encoding() -> None:
    document = table([*(f"{number},row {number}".encode() for number in range(9000)), b"9000,Zo\xeb \x80"])
    assert "row 8999" in document.text
    assert document.text.endswith("name: Zoë €.")
    assert document.omissions == ()


def test_a_damaged_byte_of_a_table_costs_that_byte() -> None:
    rows = [f"{number},Größe {number}".encode() for number in range(9000)]
    rows[7000] = b"7000,Gr\xff e"
    document = table(rows)
    assert "name: Gr� e" in document.text
    assert "Größe 8999" in document.text
    assert document.omissions == (Omission(OmissionReason.BYTES, "line 7002", "7000,Gr� e", 1),)


def test_what_is_left_out_of_a_table_is_told_with_the_part_that_it_is_of() -> None:
    rows = [b"1,\xc3\xbc", b"2,\xff", *(b"3," + b"\xc3\xbc" * 50 for _ in range(9)), b"4,\xff"]
    content = Content(
        "t.csv", "t.csv", "t.csv", data=b"id,name\n" + b"\n".join(rows), bounds=ReadingBounds(text_bytes=500)
    )
    parts = [part for part in read(content) if isinstance(part, ParsedDocument)]
    assert len(parts) > 1
    assert [omission.place for omission in parts[0].omissions] == ["line 3"]
    assert sum(len(part.omissions) for part in parts) == 2


def test_a_damaged_byte_of_a_mail_is_named() -> None:
    head = b"From: Ann <ann@example.org>\nSubject: Prices\nContent-Type: text/plain; charset=utf-8\n"
    body = "Content-Transfer-Encoding: 8bit\n\nGröße und Länge.\n".encode() + b"5 \xe2\x82 each.\n"
    (mail,) = read(Content("a.eml", "a.eml", "a.eml", data=head + body))
    assert isinstance(mail, ParsedDocument)
    assert mail.omissions == (Omission(OmissionReason.BYTES, "line 2", "5 � each.", 2),)
