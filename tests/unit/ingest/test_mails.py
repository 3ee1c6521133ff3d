"""What a mail's reader sees is its text; what else is in it is an attachment, metadata, or named."""

from email.message import EmailMessage
from email.policy import EmailPolicy
from pathlib import Path
from typing import Any

import pytest

from ingest.content import Content
from ingest.documents import OmissionReason, ParsedDocument, ReadResult
from ingest.formats.mail import LONGEST, LONGEST_NAME
from ingest.readers import read, read_file
from libs.contracts.structure import BlockKind
from tests.fakes.compound_files import message

DAY = "2024-03-05T10:00:00Z"
STUB = "This message needs an HTML viewer."


def mail(plain: str = "", html: str = "", **headers: str) -> EmailMessage:
    letter = EmailMessage()
    for name, value in {"From": "Ann <ann@example.org>", "Subject": "Plan", **headers}.items():
        letter[name] = value
    letter.set_content(plain)
    if html:
        letter.add_alternative(html, subtype="html")
    return letter


def results_of(letter: EmailMessage | bytes) -> list[ReadResult]:
    data = letter if isinstance(letter, bytes) else letter.as_bytes()
    return list(read(Content("a.eml", "a.eml", "a.eml", data=data)))


def document_of(letter: EmailMessage | bytes) -> ParsedDocument:
    document = results_of(letter)[0]
    assert isinstance(document, ParsedDocument), document
    return document


def own_words(document: ParsedDocument) -> str:
    assert document.structure
    blocks = (block for block in document.structure.blocks if block.kind is not BlockKind.FURNITURE)
    return "\n".join(block.span.of(document.text) for block in blocks)


@pytest.mark.parametrize("plain", ["", " \n \n", STUB, "Your client shows no HTML. See https://example.org/view?m=1"])
def test_a_plain_form_that_says_nothing_gives_way_to_the_html_form(plain: str) -> None:
    document = document_of(mail(plain, "<p>The launch moved to 9 June.</p>"))
    assert document.text == "The launch moved to 9 June."
    assert [omission.excerpt for omission in document.omissions] == ([plain] if plain.strip() else [])


def test_a_plain_form_that_says_the_same_is_kept_and_nothing_is_left_out() -> None:
    document = document_of(mail("The launch moved\nto 9 June.", "<p>The <b>launch</b> moved to 9 June.</p>"))
    assert (document.text, document.omissions) == ("The launch moved\nto 9 June.", ())


def test_headers_are_metadata_and_no_text() -> None:
    headers = "From: Ann <ann@example.org>\nTo: bob@example.org\nSubject: Plan\nDate: Fri, 05 Jul 2024 10:00:00 CEST"
    document = document_of(f"{headers}\n\nAgreed.\n".encode())
    assert (document.title, document.text, document.date) == ("Plan", "Agreed.", "2024-07-05T08:00:00Z")
    assert document.metadata == {"from": "Ann <ann@example.org>", "to": "bob@example.org"}


@pytest.mark.parametrize(
    "plain",
    [
        "I agree.\n\nOn Mon, 4 Mar 2024 at 10:00 Bob <bob@example.org>\nwrote:\n> Shall we?\n>\n> Bob",
        "I agree.\n\nAm 04.03.2024 um 10:00 schrieb Bob:\n\n> Shall we?",
        "> Shall we?\nI agree.\n> And then?",
        "I agree.\n\n-- \nAnn Lee\nHead of Probes",
        "I agree.\n\nFrom: Bob <bob@example.org>\nSent: Monday, 4 March 2024\nTo: Ann\nSubject: Plan",
        "I agree.\n-- \nAnn Lee\n\nHead of Probes\n\nOn 4 March 2024 Bob wrote:\n> Shall we?",
    ],
)
def test_quoted_mail_and_signatures_are_furniture(plain: str) -> None:
    document = document_of(mail(plain))
    assert own_words(document) == "I agree."
    assert document.structure
    assert [section.heading for section in document.structure.sections] == [""]


def test_quotations_and_signatures_of_the_html_form_are_furniture_too() -> None:
    html = (
        "<p>I agree.</p><p>On 4 March 2024 Bob wrote:</p><blockquote><p>Shall we?</p></blockquote><p>--<br>Ann Lee</p>"
    )
    assert own_words(document_of(mail(STUB, html))) == "I agree."


def test_a_mail_that_only_passes_on_what_it_quotes_keeps_it() -> None:
    assert own_words(document_of(mail("> The launch moved to 9 June."))) == "> The launch moved to 9 June."


def test_a_line_of_dashes_above_a_long_text_is_no_signature() -> None:
    body = "\n\n".join(f"Item {number} of the letter is short." for number in range(20))
    assert "Item 19" in own_words(document_of(mail(f"News.\n\n-- \n{body}")))


@pytest.mark.parametrize("piece", ["=?utf-8?q?a?= ", "(", "a@b.c, ", "<", "=?utf-8?b?"])
@pytest.mark.parametrize("name", ["Subject", "To", "Content-Type", "Content-Disposition"])
def test_a_long_header_is_cut_before_it_is_parsed(name: str, piece: str, monkeypatch: pytest.MonkeyPatch) -> None:
    lengths, parse = [], EmailPolicy.header_fetch_parse

    def recorded(policy: "EmailPolicy[Any]", name: str, value: str) -> Any:
        lengths.append(len(value))
        return parse(policy, name, value)

    monkeypatch.setattr(EmailPolicy, "header_fetch_parse", recorded)
    document = document_of(f"From: a@example.org\n{name}: {piece * 50_000}\n\nThe launch moved.\n".encode())
    assert 0 < max(lengths) <= LONGEST
    assert len(document.title) <= 20_000
    assert "The launch moved." in document.text or name.startswith("Content")


def test_each_place_of_a_mail_is_read_or_named() -> None:
    letter = mail(
        "In the plain form.", "<p>In the plain form.</p>", Subject="In the subject", Cc="in-the-cc@example.org"
    )
    letter.add_alternative("Gathering at noon.", subtype="calendar")
    letter.add_attachment(b"In the attachment.", maintype="text", subtype="plain", filename="a.txt")
    letter.add_attachment(b"\x89PNG", maintype="image", subtype="png", filename="in the picture.png")
    letter.add_attachment(mail("In the mail within."))
    letter.preamble, letter.epilogue = "Preface unseen.\n", "Epilogue unseen.\n"
    results = results_of(letter)
    documents = [one for one in results if isinstance(one, ParsedDocument)]
    texts = " ".join(f"{one.title} {one.text} {one.metadata}" for one in documents)
    for place in ("plain form.", "subject", "cc@example.org", "attachment.", "mail within."):
        assert place in texts.replace("in-the-", "In the "), place
    named = {(omission.reason, omission.excerpt or omission.place) for omission in documents[0].omissions}
    assert named == {
        (OmissionReason.HIDDEN, "Gathering at noon."),
        (OmissionReason.PICTURE, "in the picture.png"),
        (OmissionReason.HIDDEN, "Preface unseen."),
        (OmissionReason.HIDDEN, "Epilogue unseen."),
    }


def test_no_attachment_has_the_id_of_another_document(tmp_path: Path) -> None:
    letter = mail("Reports.")
    for name in ("r.txt", "r.txt", "r-2.txt", "2", "b.eml#r.txt"):
        letter.add_attachment(name.encode(), maintype="text", subtype="plain", filename=name)
    (tmp_path / "a.eml").write_bytes(letter.as_bytes())
    (tmp_path / "a.eml#r.txt").write_text("A file of its own.")
    ids = [one.document_id for one in read_file(tmp_path / "a.eml", "a.eml") if isinstance(one, ParsedDocument)]
    assert len(ids) == len(set(ids)) == 6
    assert not {"a.eml#r.txt", "a.eml#2", "a.eml#b.eml#r.txt"} & set(ids)


def test_a_message_of_outlook_is_a_mail() -> None:
    text = "I agree.\n\n-- \nAnn\n\nOn 4 March 2024 Bob wrote:\n> Shall we?"
    attachments = {"r.txt": b"A report.", "a.png": b"\x89PNG"}
    data = message("Plan", text, attachments=attachments, headers="Cc: Cy <cy@example.org>\nX-Mailer: y")
    mail_document, attached = read(Content("a.msg", "a.msg", "a.msg", data=data))
    assert isinstance(mail_document, ParsedDocument)
    assert isinstance(attached, ParsedDocument)
    assert (mail_document.title, mail_document.date, own_words(mail_document)) == ("Plan", DAY, "I agree.")
    assert mail_document.metadata == {
        "from": "Ann Lee <ann@example.org>",
        "to": "bob@example.org",
        "cc": "Cy <cy@example.org>",
    }
    assert [(omission.reason, omission.place) for omission in mail_document.omissions] == [
        (OmissionReason.PICTURE, "a.png")
    ]
    assert (attached.document_id, attached.text) == ("a.msg#r.txt", "A report.")


def test_a_message_of_outlook_with_html_alone_is_read_and_one_within_it_is_named() -> None:
    data = message("Plan", html="<p>The launch moved to 9 June.</p>", attachments={"inner.msg": None})
    (document,) = read(Content("a.msg", "a.msg", "a.msg", data=data))
    assert isinstance(document, ParsedDocument)
    assert document.text == "The launch moved to 9 June."
    assert [(omission.reason, omission.place) for omission in document.omissions] == [
        (OmissionReason.OBJECT, "inner.msg")
    ]


def test_the_text_of_a_message_that_is_only_compressed_is_named() -> None:
    (document,) = read(Content("a.msg", "a.msg", "a.msg", data=message("Plan", rich=b"LZFu")))
    assert isinstance(document, ParsedDocument)
    assert [omission.place for omission in document.omissions] == ["text as compressed Rich Text"]


def test_what_the_html_form_hides_is_named() -> None:
    html = '<p style="display:none">Seen by nobody.</p><p>The launch moved to 9 June.</p>'
    document = document_of(mail(STUB, html))
    assert document.text == "The launch moved to 9 June."
    assert (OmissionReason.HIDDEN, "Seen by nobody.") in [(one.reason, one.excerpt) for one in document.omissions]


def test_a_form_that_is_no_text_costs_only_itself() -> None:
    letter = mail("x", "<p>The launch moved to 9 June.</p>")
    plain = letter.get_body(("plain",))
    assert plain
    plain.set_payload(bytes(range(32)) * 8)
    document = document_of(letter)
    assert document.text == "The launch moved to 9 June."


def test_a_long_name_of_an_attachment_is_cut_in_its_id(tmp_path: Path) -> None:
    letter = mail("Reports.")
    for number in range(2):
        letter.add_attachment(
            f"Report {number}.".encode(), maintype="text", subtype="plain", filename="r" * 600 + ".txt"
        )
    (tmp_path / "a.eml").write_bytes(letter.as_bytes())
    _, first, second = read_file(tmp_path / "a.eml", "a.eml")
    assert isinstance(first, ParsedDocument)
    assert isinstance(second, ParsedDocument)
    assert first.document_id == f"a.eml#{'r' * LONGEST_NAME}.txt"
    assert second.document_id == f"a.eml#{'r' * LONGEST_NAME}-2.txt"
