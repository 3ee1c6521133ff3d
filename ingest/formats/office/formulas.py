"""Formulas of Office files (OMML) as LaTeX, the notation of formulas in Markdown. Pure; names are LaTeX's."""

import re
import unicodedata
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from ingest.formats.office.packages import short, tag, value

if TYPE_CHECKING:
    from lxml.etree import _Element

_PAIRS: Final = re.findall(
    r"\S+",
    "∞ infty × times ± pm ÷ div · cdot ⋅ cdot ≤ leq ≥ geq ≠ neq ≈ approx ∈ in ∩ cap ∪ cup → to ∂ partial ∇ nabla "
    "… ldots ϵ epsilon ∑ sum ∏ prod ∫ int ∬ iint ∭ iiint ∮ oint ∯ oiint ∰ oiiint ⋃ bigcup ⋂ bigcap ⋀ bigwedge "
    "⋁ bigvee \u0302 hat \u0303 tilde \u0305 bar \u20d7 vec \u0307 dot ⏞ overbrace ⏟ underbrace",
)
_SYMBOLS: Final = dict(zip(_PAIRS[::2], _PAIRS[1::2], strict=True))
_FUNCTIONS: Final = re.compile("arg|cos|cot|csc|det|exp|gcd|inf|lim|ln|log|max|min|sec|sin|sup|tan")


def formula(element: "_Element") -> str:
    """The LaTeX of an element of a formula; one of an unknown kind is the sequence of what it contains."""
    name = short(element.tag)
    if name == "m:t":
        return "".join(map(_symbol, element.text or ""))
    if name.endswith("Pr") or not isinstance(element.tag, str):
        return ""
    shape = _SHAPES.get(name)
    return shape(element) if shape else "".join(map(formula, element))


def _symbol(character: str) -> str:
    name = _SYMBOLS.get(character, "")
    if not name:
        greek = unicodedata.name(character, "").split()
        if greek[:1] == ["GREEK"] and greek[2:3] == ["LETTER"] and len(greek) == 4:
            name = greek[3].lower() if greek[1] == "SMALL" else greek[3].capitalize()
    return rf" \{name} " if name else character


def _part(element: "_Element", name: str) -> str:
    part = element.find(tag(f"m:{name}"))
    return "" if part is None else formula(part).strip()


def _scripts(element: "_Element") -> str:
    """A base with what stands below and above it."""
    base = _part(element, "e")
    base = f"{{{base}}}" if "\\frac" in base or "\\left" in base else base
    return base + _limits(element)


def _limits(element: "_Element") -> str:
    return "".join(f"{mark}{{{text}}}" for mark, name in (("_", "sub"), ("^", "sup")) if (text := _part(element, name)))


def _fraction(element: "_Element") -> str:
    top, bottom = _part(element, "num"), _part(element, "den")
    if value(element, "m:fPr/m:type") == "noBar":
        return rf"\binom{{{top}}}{{{bottom}}}"
    return rf"\frac{{{top}}}{{{bottom}}}"


def _root(element: "_Element") -> str:
    degree = _part(element, "deg")
    return rf"\sqrt{f'[{degree}]' if degree else ''}{{{_part(element, 'e')}}}"


def _brackets(element: "_Element") -> str:
    begin, end = (value(element, f"m:dPr/m:{name}") for name in ("begChr", "endChr"))
    inner = value(element, "m:dPr/m:sepChr") or "|"
    words = inner.join(formula(part).strip() for part in element.findall(tag("m:e")))
    return rf"\left{_fence(begin, '(')}{words}\right{_fence(end, ')')}"


def _fence(mark: str | None, default: str) -> str:
    mark = default if mark is None else mark
    return f"\\{mark}" if mark in ("{", "}") else mark or "."


def _operator(element: "_Element") -> str:
    sign = _symbol(value(element, "m:naryPr/m:chr") or "∫").strip()
    return f"{sign}{_limits(element)} {_part(element, 'e')}"


def _function(element: "_Element") -> str:
    return f"{_named(_part(element, 'fName'))} {_part(element, 'e')}"


def _limit(element: "_Element") -> str:
    mark = "_" if short(element.tag) == "m:limLow" else "^"
    return f"{_named(_part(element, 'e'))}{mark}{{{_part(element, 'lim')}}}"


def _named(name: str) -> str:
    return f"\\{name}" if _FUNCTIONS.fullmatch(name) else name


def _accent(element: "_Element") -> str:
    kind = short(element.tag)
    default = {"m:acc": "\u0302", "m:bar": "\u0305", "m:groupChr": "⏟"}[kind]
    return rf"{_symbol(value(element, f'{kind}Pr/m:chr') or default).strip()}{{{_part(element, 'e')}}}"


def _matrix(element: "_Element") -> str:
    rows = (r" & ".join(formula(cell).strip() for cell in row) for row in element.iter(tag("m:mr")))
    return r"\begin{matrix}" + r" \\ ".join(rows) + r"\end{matrix}"


_SHAPES: Final[dict[str, Callable[["_Element"], str]]] = {
    **dict.fromkeys(("m:sSup", "m:sSub", "m:sSubSup"), _scripts),
    "m:sPre": lambda element: f"{{}}{_scripts(element)}",
    "m:f": _fraction,
    "m:rad": _root,
    "m:d": _brackets,
    "m:nary": _operator,
    "m:func": _function,
    **dict.fromkeys(("m:limLow", "m:limUpp"), _limit),
    **dict.fromkeys(("m:acc", "m:bar", "m:groupChr"), _accent),
    "m:m": _matrix,
}
