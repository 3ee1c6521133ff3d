"""What is read of mutmut's results: mutants, what they change, and which are known to be equivalent."""

import io

import pytest
from rich.console import Console

from tools.mutation import EQUIVALENTS, Change, Mutant, read_change, read_equivalents, read_mutants, report

RESULTS = """
    libs.graph.layers.x_layers__mutmut_1: killed
    libs.graph.layers.x__check__mutmut_2: survived
    services.retrieve.search.hybrid.xǁEngineSearchǁexact__mutmut_10: no tests
"""
DIFFERENCE = """# libs.graph.layers.x_layers__mutmut_1: survived
--- libs/graph/layers.py
+++ libs/graph/layers.py
@@ -1,3 +1,3 @@
 def layers(nodes):
-    first = nodes[0]
-    return first
+    first = nodes[1]
+    return first
"""


def test_mutants_are_read_with_their_module_and_result() -> None:
    assert [(mutant.module, mutant.result) for mutant in read_mutants(RESULTS)] == [
        ("libs.graph.layers", "killed"),
        ("libs.graph.layers", "survived"),
        ("services.retrieve.search.hybrid", "no tests"),
    ]


def test_a_name_of_another_kind_is_refused() -> None:
    with pytest.raises(ValueError, match="no mutant"):
        _ = Mutant("libs.graph.layers", "killed").module


def test_a_change_is_what_was_there_and_what_is_there_instead() -> None:
    expected = Change("libs.graph.layers", "first = nodes[0] return first", "first = nodes[1] return first")
    assert read_change("libs.graph.layers", DIFFERENCE) == expected


def test_each_equivalent_change_names_a_line_of_its_module() -> None:
    equivalents = read_equivalents(EQUIVALENTS.read_text(encoding="utf-8"))
    root = EQUIVALENTS.parents[1]
    for change, reason in equivalents.items():
        source = (root / f"{change.module.replace('.', '/')}.py").read_text(encoding="utf-8")
        assert change.before in source
        assert change.before != change.after
        assert reason


def test_a_survivor_is_counted_and_so_is_an_equivalent_one() -> None:
    out, mutants = io.StringIO(), list(read_mutants(RESULTS))
    report(Console(file=out, width=100), mutants, mutants[2:])
    rows = [line.split("│")[1:-1] for line in out.getvalue().splitlines() if "│" in line]
    assert [[cell.strip() for cell in row] for row in rows] == [
        ["libs.graph.layers", "2", "1", "1", "0"],
        ["services.retrieve.search.hybrid", "1", "0", "1", "1"],
        ["all", "3", "1", "2", "1"],
    ]
