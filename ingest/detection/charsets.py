"""Decode bytes of any encoding to text. CPU work alone.

A byte order mark decides alone; otherwise UTF-8 if the bytes are such, a few damaged ones apart; then the encoding that
is stated; then, by the shape of the bytes, one of another script, or the code page whose letters are those of one
language, the Western one first: a short text tells no more, and statistics over a few bytes name exotic encodings.
"""

import codecs
import io
import re
from dataclasses import dataclass
from functools import partial
from itertools import chain, islice
from typing import BinaryIO, Final

from ingest.content import BrokenContent
from ingest.documents import MAX_EXCERPT, Omission, OmissionReason
from libs.language.characters import without_unseen

MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
"""Byte order marks; of those that begin alike, the longer ones come first."""
DETECTED: Final = 256 * 1024
"""Bytes that are enough to detect an encoding (taste)."""
SCANNED: Final = 64 * 1024 * 1024
"""Bytes of a stream in which the first beyond ASCII is looked for: a twentieth of a second (taste)."""
NO_TEXT: Final = "is not text in a known encoding"
FOREIGN: Final = 0.02
"""Share of control characters above which bytes are not text (taste)."""
CHANCE: Final = 0.5
"""Characters of UTF-8 for each byte that is none, from which on bytes are damaged UTF-8 (taste).

In short texts of Chinese, Japanese, Korean and Russian encodings it is at most .33.
"""
WESTERN: Final = "cp1252"
SCRIPTS: Final = (
    *("cp1251", "koi8_r", "cp1253", "cp1255", "cp1256", "cp874"),
    *("gb18030", "big5", "cp932", "euc_jp", "cp949"),
)
"""What other scripts than Latin are written in, of the encodings that browsers know."""
ALPHABETS: Final = {
    WESTERN: (
        *("äöüß", "àâæçéèêëîïôœùûüÿ", "áéíñóúüºª", "áâãàçéêíóôõúºª", "àèéìíîòóù", "æøåé", "åäöé", "áéëïóöüè"),
        "áðéíóúýþæö",
    ),
    "cp1250": ("ąćęłńóśźż", "áčďéěíňóřšťúůýž", "áäčďéíĺľňóôŕšťúýž", "áéíóöőúüű", "čćđšž", "ăâîşţ"),
    "iso8859_2": ("ąćęłńóśźż", "áčďéěíňóřšťúůýž", "áéíóöőúüű"),
    "cp1254": ("çğıöşüâî",),
}
"""The letters beyond a to z of the languages written in an encoding; of encodings that fit alike the first is taken."""
DAMAGED: Final = 0.25
"""Share of undecodable characters above which bytes are not text (taste)."""
_CONTROL: Final = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x9f]")
_UNDECODED: Final = re.compile("[\udc80-\udcff\ufffd]+")
_WIDE: Final = re.compile(r"[^\x00-\x7f\udc80-\udcff]")
_HIGH: Final = re.compile(rb"[\x80-\xff]")
_SCRIPT: Final = re.compile(rb"(?!(.)\1{3})[\x80-\xff]{4,}", re.DOTALL)
"""Latin letters with marks hardly stand side by side; those of other scripts do."""
_LETTER: Final = r"[^\W\d_¹²³¼½¾]"
_IN_WORD: Final = re.compile(rf"(?<={_LETTER})[^\x00-\x7f]|[^\x00-\x7f](?={_LETTER})")
_SIGN: Final = re.compile(
    rf"(?<!{_LETTER})(?!{_LETTER})[^\x00-\x9f](?!{_LETTER})|[’–—]|[¡¿«‹“„‘©](?={_LETTER})|(?<={_LETTER})[»›”™®°…²³¹](?!{_LETTER})"
)
"""A sign that touches no letter, or one that may."""


@dataclass(frozen=True, slots=True)
class Decoded:
    """A text, with "\\n" as line ends, and the bytes of it that could not be decoded."""

    text: str
    omissions: tuple[Omission, ...] = ()


def decoded(data: bytes, stated_encoding: str = "") -> Decoded:
    """Return the text of bytes; those that no encoding fits become U+FFFD and are named.

    Raises:
        BrokenContent: the bytes are not text.
    """
    try:
        text, is_damaged = data.decode(encoding_of(data) or "utf-8"), False
    except UnicodeError:
        encoding = stream_encoding(io.BytesIO(data), stated_encoding)
        text, is_damaged = data.decode(encoding, errors_of(encoding)), True
    if _is_binary(text):
        raise BrokenContent(NO_TEXT)
    return Decoded(*repaired(clean(text))) if is_damaged else Decoded(clean(text))


def encoding_of(data: bytes) -> str:
    """The encoding that a byte order mark indicates; empty without one."""
    return next((encoding for mark, encoding in MARKS if data.startswith(mark)), "")


def stream_encoding(stream: BinaryIO, stated_encoding: str = "") -> str:
    """Return an encoding for the bytes of a stream, of which up to SCANNED are read, or DETECTED beyond ASCII.

    Raises:
        BrokenContent: the bytes are not text.
    """
    first = stream.read(DETECTED)
    if mark := encoding_of(first):
        return mark
    decoder = codecs.getincrementaldecoder("utf-8")("surrogateescape")
    sample, fitting, damaged = bytearray(), 0, 0
    for data in chain([first], islice(iter(partial(stream.read, DETECTED), b""), SCANNED // DETECTED), [b""]):
        text = decoder.decode(data, final=not data)
        if text.isascii():
            continue
        fitting, damaged = fitting + len(_WIDE.findall(text)), damaged + sum(map(len, _UNDECODED.findall(text)))
        sample += data
        if len(sample) >= DETECTED:
            break
    if fitting >= CHANCE * damaged:
        return "utf-8"
    return _stated(bytes(sample), stated_encoding) or _guessed(bytes(sample))


def errors_of(encoding: str) -> str:
    """How undecodable bytes are marked so that `repaired` finds them; those in UTF-8 can be read as something else."""
    return "surrogateescape" if encoding.startswith("utf-8") else "replace"


def repaired(text: str, line: int = 1) -> tuple[str, tuple[Omission, ...]]:
    """The text with U+FFFD for undecodable bytes, and the lines with such bytes; `line` is the number of the first.

    A single one between letters is likely a letter of the Western encoding: it is read as such, and named as well.
    """
    if not _UNDECODED.search(text):
        return text, ()
    lines, omissions = text.split("\n"), list[Omission]()
    for number, damaged in enumerate(lines):
        if count := sum(map(len, _UNDECODED.findall(damaged))):
            lines[number] = _UNDECODED.sub(_replacement, damaged)
            start = max(0, _UNDECODED.search(damaged).start() - MAX_EXCERPT // 2)  # type: ignore[union-attr]
            excerpt = lines[number][start : start + MAX_EXCERPT]
            omissions.append(Omission(OmissionReason.BYTES, f"line {line + number}", excerpt, count))
    return "\n".join(lines), tuple(omissions)


def clean(text: str) -> str:
    """Return the text with "\\n" as its only line end, without NUL and other characters that nobody sees."""
    return without_unseen(text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", ""))


def _is_binary(text: str) -> bool:
    is_foreign = len(_CONTROL.findall(text, 0, DETECTED)) > FOREIGN * min(len(text), DETECTED)
    return is_foreign or text.count("\ufffd") > DAMAGED * len(text)


def _replacement(undecoded: re.Match[str]) -> str:
    data = undecoded[0].encode("utf-8", "surrogateescape")
    letter = data.decode(WESTERN, "replace") if len(data) == 1 else ""
    before, after = undecoded.string[undecoded.start() - 1 : undecoded.start()], undecoded.string[undecoded.end() :][:1]
    return letter if letter.isalpha() and (before + after).isalpha() else "\ufffd"


def _stated(sample: bytes, encoding: str) -> str:
    """The stated encoding if the bytes are such; the names of plain Latin mean the Western one, as in browsers."""
    try:
        name = codecs.lookup(encoding).name
        name = WESTERN if name in ("ascii", "iso8859-1") else name
        sample[: sample.rfind(b"\n") + 1 or None].decode(name)  # the end may cut a character off
    except (UnicodeError, LookupError):
        return ""
    return name


def _guessed(sample: bytes) -> str:
    sample = sample[:DETECTED]
    in_script = sum(len(run[0]) for run in _SCRIPT.finditer(sample))
    if 2 * in_script > len(_HIGH.findall(sample)):
        from charset_normalizer import from_bytes  # only needed if the simple ways failed

        best = from_bytes(sample, cp_isolation=list(SCRIPTS)).best()
        encoding = best.encoding if best is not None else ""
    else:
        encoding = max(ALPHABETS, key=partial(_fitting, sample))
    if not encoding or _is_binary(sample.decode(encoding, "replace")):
        raise BrokenContent(NO_TEXT)
    return encoding


def _fitting(sample: bytes, encoding: str) -> int:
    """How many characters beyond ASCII are letters of one language within words, or signs beside them."""
    text = sample.decode(encoding, "ignore").lower()
    letters = _IN_WORD.findall(text)
    known = max(sum(map(letters.count, alphabet)) for alphabet in ALPHABETS[encoding])
    return known + len(_SIGN.findall(text))
