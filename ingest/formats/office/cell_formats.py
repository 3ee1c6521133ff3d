"""Values of cells as Excel shows them: percent, dates, times, currencies. Pure; ids of formats are Excel's."""

import re
from datetime import datetime, time, timedelta
from functools import cache
from typing import Final

from ingest.formats.office.packages import Element, tag, whole

_BUILT_IN: Final = {
    **{5: '"$"0', 6: '"$"0', 7: '"$"0.00', 8: '"$"0.00', 9: "0%", 10: "0.00%", 42: '"$"0', 44: '"$"0.00'},
    **dict.fromkeys((14, 15, 16, 17, 22, 27, 30, 36, 50, 57), "yyyy-mm-dd"),
    **dict.fromkeys((18, 19, 20, 21, 45, 46, 47), "h:mm"),
}
_QUOTED: Final = re.compile(r'"[^"]*"|\\.|\[[^\]]*\]|[_*].')
"""What in a format stands for no digit and no part of a date."""
_CURRENCY: Final = re.compile(r"[$€£¥₹₽₩₺฿]|\b(?:[A-Z]{3}|kr|zł|Kč|Fr)\b\.?")
_START: Final = datetime(1899, 12, 30)  # noqa: DTZ001 - cells have no zone
_START_1904: Final = datetime(1904, 1, 1)  # noqa: DTZ001


class CellFormats:
    """The number formats of a workbook by the styles of its cells."""

    def __init__(self, styles: Element, starts_in_1904: bool) -> None:
        self._start = _START_1904 if starts_in_1904 else _START
        own = {form.get("numFmtId"): form.get("formatCode", "") for form in styles.iter(tag("s:numFmt"))}
        ids = [cell.get("numFmtId", "0") for cell in styles.iterfind(tag("s:cellXfs/*"))]
        self._codes = [(own.get(key) or _BUILT_IN.get(whole(key), "")).partition(";")[0] for key in ids]

    def shown(self, text: str, style: str) -> str:
        """A number as its style shows it; other text as it is."""
        try:
            number = float(text)
        except ValueError:
            return text
        code = self._codes[whole(style)] if whole(style) < len(self._codes) else ""
        if re.search("[ymdhs]", _bare(code)) and "general" not in _bare(code):
            return _moment(number, _bare(code), self._start)
        return _number(number, code, _bare(code))


@cache
def _bare(code: str) -> str:
    return _QUOTED.sub("", code).lower()


def _number(number: float, code: str, bare: str) -> str:
    decimals = len(re.findall(r"[0#]", bare.partition(".")[2]))
    if "%" in bare:
        return f"{number * 100:.{decimals}f}%"
    if re.fullmatch(r"0{2,}", bare) and number.is_integer():
        return str(int(number)).zfill(len(bare))
    currency = _CURRENCY.search(code.replace("[$", "["))
    if currency is None:
        return plain_number(number)
    is_first = re.search("[0#]", code[: currency.start()]) is None
    return f"{currency[0]}{number:.{decimals}f}" if is_first else f"{number:.{decimals}f} {currency[0]}"


def _moment(number: float, bare: str, start: datetime) -> str:
    if not re.search("[yd]", bare) and re.search("[hs]", bare):
        minutes, seconds = divmod(round(number * 86400), 60)
        return f"{minutes // 60:02}:{minutes % 60:02}" + (f":{seconds:02}" if seconds else "")
    try:
        moment = start + timedelta(seconds=round(number * 86400))
    except (OverflowError, ValueError):
        return plain_number(number)
    return moment.date().isoformat() if moment.time() == time() else moment.isoformat(" ", "minutes")


def plain_number(number: float) -> str:
    """A number as people write it: Excel keeps 15 digits; 12 hide the errors of binary fractions (taste)."""
    return str(int(number)) if number.is_integer() and abs(number) < 1e15 else f"{number:.12g}"
