"""Formulas of Office files (OMML) as LaTeX, the notation of formulas in Markdown. Pure; names are LaTeX's."""

import re
import unicodedata
from typing import Final

from ingest.formats.office.packages import Element, short, value

_NAMES: Final = dict(
    re.findall(
        r"(\S)(\w+)",
        "∞infty ×times ±pm ÷div ·cdot ⋅cdot ≤leq ≥geq ≠neq ≈approx ∈in ∩cap ∪cup →to ∂partial ∇nabla …ldots ϵepsilon "
        "∑sum ∏prod ∫int ∬iint ∭iiint ∮oint ⋃bigcup ⋂bigcap \u0302hat \u0305bar \u20d7vec ⏞overbrace ⏟underbrace",
    )
)
_SHAPES: Final = {
    "m:sSup": "{e}^{{{sup}}}",
    "m:sSub": "{e}_{{{sub}}}",
    "m:sSubSup": "{e}_{{{sub}}}^{{{sup}}}",
    "m:f": r"\{kind}{{{num}}}{{{den}}}",
    "m:rad": r"\sqrt[{deg}]{{{e}}}",
    "m:d": r"\left{begin}{e}\right{end}",
    "m:nary": "{sign}_{{{sub}}}^{{{sup}}} {e}",
    "m:func": r"\{fName} {e}",
    "m:limLow": "{e}_{{{lim}}}",
    "m:limUpp": "{e}^{{{lim}}}",
    **dict.fromkeys(("m:acc", "m:bar", "m:groupChr"), "{sign}{{{e}}}"),
    "m:m": r"\begin{{matrix}}{mr}\end{{matrix}}",
    "m:mr": "{e}",
}
"""What the parts of an element become, by their names."""
_SIGNS: Final = {"m:nary": "∫", "m:acc": "\u0302", "m:bar": "\u0305", "m:groupChr": "⏟"}
"""The signs of elements that state none."""
_BETWEEN: Final = {"m:m": r" \\ ", "m:mr": " & "}
_EMPTY: Final = re.compile(r"[_^]\{\}|\[\]")


def formula(element: Element) -> str:
    """The LaTeX of an element of a formula; one of an unknown kind is the sequence of what it contains."""
    name = short(element.tag)
    if name == "m:t":
        return "".join(map(_symbol, element.text or ""))
    if name.endswith("Pr") or not isinstance(element.tag, str):
        return ""
    if name not in _SHAPES:
        return "".join(map(formula, element))
    return _EMPTY.sub("", _SHAPES[name].format_map(_Parts(element, name)))


class _Parts(dict[str, str]):
    """The LaTeX of the parts of an element by their names; of a part that is missing, nothing."""

    def __init__(self, element: Element, name: str) -> None:
        self["sign"] = _symbol(value(element, f"{name}Pr/m:chr") or _SIGNS.get(name, "")).strip()
        self["kind"] = "binom" if value(element, "m:fPr/m:type") == "noBar" else "frac"
        for side, usual in (("begin", "("), ("end", ")")):
            mark = value(element, f"m:dPr/m:{side[:3]}Chr")
            self[side] = usual if mark is None else f"\\{mark}" if mark in ("{", "}") else mark or "."
        between = _BETWEEN.get(name) or value(element, "m:dPr/m:sepChr") or "|"
        for child in element:
            part, text = short(child.tag).removeprefix("m:"), formula(child).strip()
            self[part] = f"{self[part]}{between}{text}" if part in self else text
        if name.startswith("m:s") and "\\" in self["e"]:
            self["e"] = f"{{{self['e']}}}"

    def __missing__(self, name: str) -> str:
        return ""


def _symbol(character: str) -> str:
    name = _NAMES.get(character, "")
    greek = unicodedata.name(character, "").split() if character else []
    if greek[:1] == ["GREEK"] and greek[2:3] == ["LETTER"] and len(greek) == 4:
        name = greek[3].lower() if greek[1] == "SMALL" else greek[3].capitalize()
    return rf" \{name} " if name else character
