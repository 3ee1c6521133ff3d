"""Values of cells as Excel shows them: percent, dates, times, currencies. Pure; ids of formats are Excel's."""

import re
from datetime import datetime, time, timedelta
from functools import cached_property
from typing import TYPE_CHECKING, Final

from ingest.formats.office.packages import tag, whole

if TYPE_CHECKING:
    from lxml.etree import _Element

_BUILT_IN: Final = {
    **{5: '"$"0', 6: '"$"0', 7: '"$"0.00', 8: '"$"0.00', 9: "0%", 10: "0.00%", 42: '"$"0', 44: '"$"0.00'},
    **dict.fromkeys((14, 15, 16, 17, 22, 27, 30, 36, 50, 57), "yyyy-mm-dd"),
    **dict.fromkeys((18, 19, 20, 21, 45, 46, 47), "h:mm"),
}
_QUOTED: Final = re.compile(r'"([^"]*)"|\\(.)|\[\$([^\]-]*)[^\]]*\]')
"""Words of a format, and the currency of a locale: `[$€-407]`."""
_ASIDE: Final = re.compile(r"\[[^\]]*\]|[_*].")
_CURRENCY: Final = re.compile(r"[$€£¥₹₽₩₺฿]|(?<![A-Za-z])[A-Z]{3}(?![A-Za-z])|\b(?:CHF|kr|zł|Kč|Fr)\b\.?")
_START: Final = datetime(1899, 12, 30)  # noqa: DTZ001 - cells have no zone
_START_1904: Final = datetime(1904, 1, 1)  # noqa: DTZ001


class CellFormats:
    """The number formats of a workbook by the styles of its cells."""

    def __init__(self, styles: "_Element | None", starts_in_1904: bool) -> None:
        self._start = _START_1904 if starts_in_1904 else _START
        own = (
            {} if styles is None else {f.get("numFmtId"): f.get("formatCode", "") for f in styles.iter(tag("s:numFmt"))}
        )
        cells = None if styles is None else styles.find(tag("s:cellXfs"))
        ids = [] if cells is None else [cell.get("numFmtId", "0") for cell in cells]
        self._formats = [_Format(own.get(key) or _BUILT_IN.get(whole(key), "")) for key in ids]

    def shown(self, text: str, style: str) -> str:
        """A number as its style shows it; other text as it is."""
        try:
            number = float(text)
        except ValueError:
            return text
        place = whole(style)
        code = self._formats[place] if place < len(self._formats) else _Format("")
        return code.date(number, self._start) if code.is_date else code.number(number)


class _Format:
    def __init__(self, code: str) -> None:
        first = code.partition(";")[0]
        self.words = "".join("".join(match.groups("")) for match in _QUOTED.finditer(first))
        self._bare = _ASIDE.sub("", _QUOTED.sub("", first))
        self._code = first

    @cached_property
    def is_date(self) -> bool:
        return bool(re.search(r"[ymdhs]", self._bare, re.IGNORECASE)) and "general" not in self._bare.lower()

    def number(self, number: float) -> str:
        decimals = len(re.findall(r"[0#]", self._bare.partition(".")[2]))
        if "%" in self._bare:
            return f"{number * 100:.{decimals}f}%"
        if re.fullmatch(r"0{2,}", self._bare) and number.is_integer():
            return str(int(number)).zfill(len(self._bare))
        currency = _CURRENCY.search(self.words) or _CURRENCY.search(self._bare)
        if currency is None:
            return plain_number(number)
        amount = f"{number:.{decimals}f}"
        digits = re.search(r"[0#]", self._code)
        is_first = digits is None or self._code.find(currency[0]) < digits.start()
        return f"{currency[0]}{amount}" if is_first else f"{amount} {currency[0]}"

    def date(self, number: float, start: datetime) -> str:
        try:
            moment = start + timedelta(seconds=round(number * 86400))
        except (OverflowError, ValueError):
            return plain_number(number)
        if not re.search(r"[yd]", self._bare, re.IGNORECASE) and re.search(r"[hs]", self._bare, re.IGNORECASE):
            minutes, seconds = divmod(round(number * 86400), 60)
            return f"{minutes // 60:02}:{minutes % 60:02}" + (f":{seconds:02}" if seconds else "")
        return moment.date().isoformat() if moment.time() == time() else moment.isoformat(" ", "minutes")


def plain_number(number: float) -> str:
    """A number as people write it: Excel keeps 15 digits; 12 hide the errors of binary fractions (taste)."""
    return str(int(number)) if number.is_integer() and abs(number) < 1e15 else f"{number:.12g}"
