"""What is read of mutmut's results, and which changes are known to be equivalent."""

import tomllib

from tools.mutation import EQUIVALENTS, RESULT, Change, read_change

RESULTS = """
    libs.graph.layers.x_layers__mutmut_1: killed
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
    assert [(mutant["module"], mutant["result"]) for mutant in RESULT.finditer(RESULTS)] == [
        ("libs.graph.layers", "killed"),
        ("services.retrieve.search.hybrid", "no tests"),
    ]


def test_a_change_is_what_was_there_and_what_is_there_instead() -> None:
    expected = Change("libs.graph.layers", "first = nodes[0] return first", "first = nodes[1] return first")
    assert read_change("libs.graph.layers", DIFFERENCE) == expected


def test_each_equivalent_change_names_a_line_of_its_module() -> None:
    for change in tomllib.loads(EQUIVALENTS.read_text(encoding="utf-8"))["change"]:
        source = EQUIVALENTS.parents[1] / f"{change['module'].replace('.', '/')}.py"
        assert change["before"] in source.read_text(encoding="utf-8")
        assert change["before"] != change["after"]
        assert change["reason"]
