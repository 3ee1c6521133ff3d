"""Alerts, recording rules and the dashboard read metrics that the suite exports, and each alert has a section."""

import json
import re
import urllib.request
from collections.abc import Callable
from typing import Any

import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families

from gateway.events.event_sender import count_event
from gateway.events.events import Completed
from libs.contracts.session import Outcome
from libs.contracts.usage import Degraded, Stage, Usage, UsageSource
from libs.llm.model_call import ModelCall
from libs.llm.settings import TaskSettings
from libs.runtime.settings import ServerSettings
from libs.runtime.telemetry import telemetry_names as names
from libs.runtime.telemetry.telemetry import Ambient, Attributes, Telemetry, entered
from libs.runtime.telemetry.telemetry_opening import open_telemetry
from tests.deploy.expressions import names_of
from tests.deploy.tools import DEPLOY, ROOT, run
from tests.unit.docs.test_links import anchors_of

RUNBOOK = ROOT / "docs" / "how-to" / "runbook.md"
PROMETHEUS = DEPLOY / "prometheus"
RULES: dict[str, Any] = yaml.safe_load((PROMETHEUS / "parley.rules.yml").read_text(encoding="utf-8"))
ALL = [rule for group in RULES["groups"] for rule in group["rules"]]
ALERTS = [rule for rule in ALL if "alert" in rule]
RECORDED = {rule["record"] for rule in ALL if "record" in rule}
DASHBOARD: dict[str, Any] = json.loads((DEPLOY / "grafana" / "parley.json").read_text(encoding="utf-8"))
PANELS = [panel for panel in DASHBOARD["panels"] if panel["type"] != "row"]
EXPRESSIONS = [
    *((rule.get("alert") or rule["record"], rule["expr"]) for rule in ALL),
    *((panel["title"], target["expr"]) for panel in PANELS for target in panel["targets"]),
]

OF_PROMETHEUS = {"up", "ALERTS"}
"""Metrics that Prometheus makes itself."""
OF_THE_SCRAPE = {"job", "instance", "namespace", "stage", "le"}
"""Labels of the scrape configuration, of histograms, and the one that the recording rules add."""
ATTRIBUTES: Attributes = {
    names.RPC_SYSTEM: "grpc",
    names.RPC_METHOD: "parley.gateway.v1.GatewayService/Ask",
    names.RPC_STATUS: "UNAVAILABLE",
    names.ERROR_TYPE: "STAGE_UNAVAILABLE",
    names.SERVER_ADDRESS: "127.0.0.1",
    names.SERVER_PORT: 50051,
}

HTTP_ATTRIBUTES: Attributes = {
    names.HTTP_METHOD: "POST",
    names.HTTP_SCHEME: "http",
    names.HTTP_ROUTE: "/upload",
    names.HTTP_STATUS: 503,
    names.ERROR_TYPE: "503",
}


@pytest.fixture(scope="module")
def exported(unused_tcp_port_factory: Callable[[], int]) -> dict[str, set[str]]:
    """Labels by the name of the metric, as Prometheus scrapes them from a process."""
    port = unused_tcp_port_factory()
    settings = ServerSettings(host="127.0.0.1", prometheus_port=port)
    telemetry = open_telemetry(settings, "gateway", "1")
    try:
        observe_each(telemetry)
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=5) as answer:
            text = answer.read().decode()
    finally:
        telemetry.close()
    labels: dict[str, set[str]] = {}
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            labels.setdefault(sample.name, set()).update(sample.labels)
    return labels


def observe_each(telemetry: Telemetry) -> None:
    for histogram in (names.SERVER_DURATION, names.CLIENT_DURATION, names.SERVER_FIRST_MESSAGE):
        telemetry.observe(histogram, 0.1, ATTRIBUTES)
    telemetry.add(names.SERVER_IN_FLIGHT, +1, ATTRIBUTES)
    telemetry.add(names.ADMISSION_WAITING, +1, {})
    telemetry.observe(names.HTTP_SERVER_DURATION, 0.1, HTTP_ATTRIBUTES)
    telemetry.add(names.HTTP_SERVER_IN_FLIGHT, +1, HTTP_ATTRIBUTES)
    with entered(Ambient(telemetry)):
        count_event(Degraded(Stage.RETRIEVE, "NOTHING_FOUND", "Nothing is said."), is_degraded=True)
        count_event(Completed(Outcome.ANSWERED), is_degraded=True)
        with ModelCall("write", TaskSettings(base_url="http://127.0.0.1:1/v1", model="m"), "text", 9) as call:
            call.receives()
            call.finishes(Usage(Stage.ANSWER, "write", usage_source=UsageSource.PROVIDER), "stop")


class TestWhatIsRead:
    def test_every_metric_is_exported(self, exported: dict[str, set[str]]) -> None:
        known = exported.keys() | RECORDED | OF_PROMETHEUS
        unknown = {(title, name) for title, text in EXPRESSIONS for name in names_of(text).metrics - known}
        assert unknown == set()
        assert len(EXPRESSIONS) > 30

    def test_every_label_is_exported(self, exported: dict[str, set[str]]) -> None:
        known = set().union(*exported.values()) | OF_THE_SCRAPE
        unknown = {(title, name) for title, text in EXPRESSIONS for name in names_of(text).labels - known}
        assert unknown == set()

    def test_every_exported_metric_of_the_suite_is_in_the_runbook(self, exported: dict[str, set[str]]) -> None:
        families = {re.sub(r"_(bucket|count|sum)$", "", name) for name in exported}
        text = RUNBOOK.read_text(encoding="utf-8")
        assert {name for name in families if f"`{name}`" not in text} == set()

    def test_a_metric_that_nobody_exports_is_found(self) -> None:
        read = names_of('sum by (job, stage) (rate(no_such_total{code=~"sum(by)", job!="x"}[5m])) / parley:x:y > 0.5')
        assert read.metrics == {"no_such_total", "parley:x:y"}
        assert read.labels == {"job", "stage", "code"}

    def test_every_method_is_one_of_the_contract(self) -> None:
        protos = "\n".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / "protos").rglob("*.proto")))
        methods = {
            (service, method)
            for _, text in EXPRESSIONS
            for service, group in re.findall(r"(\w+Service)/(\(?[\w|]+)", text)
            for method in group.strip("(").split("|")
        }
        assert len(methods) > 8
        assert {pair for pair in methods if not _declares(protos, *pair)} == set()


def _declares(protos: str, service: str, method: str) -> bool:
    body = re.search(rf"^service {service} \{{(.*?)^\}}", protos, re.MULTILINE | re.DOTALL)
    return body is not None and f"rpc {method}(" in body.group(1)


class TestRunbook:
    def test_every_alert_has_a_section_and_names_it(self) -> None:
        links = {rule["alert"]: rule["annotations"]["runbook"] for rule in ALERTS}
        page = RUNBOOK.relative_to(ROOT).as_posix()
        assert links == {alert: f"{page}#{alert.lower()}" for alert in links}
        assert {alert.lower() for alert in links} <= anchors_of(RUNBOOK)

    def test_a_section_about_an_alert_belongs_to_one_that_exists(self) -> None:
        sections = set(re.findall(r"^## (Parley\w+)$", RUNBOOK.read_text(encoding="utf-8"), re.MULTILINE))
        assert sections == {rule["alert"] for rule in ALERTS}

    def test_an_alert_says_how_bad_it_is(self) -> None:
        assert {rule["labels"]["severity"] for rule in ALERTS} == {"critical", "warning"}
        assert [rule["alert"] for rule in ALERTS if not rule["annotations"]["summary"].endswith(".")] == []


class TestDashboard:
    def test_panels_have_ids_and_places_of_their_own(self) -> None:
        ids = [panel["id"] for panel in DASHBOARD["panels"]]
        assert len(set(ids)) == len(ids)
        cells = [
            (x, y)
            for place in (panel["gridPos"] for panel in DASHBOARD["panels"])
            for x in range(place["x"], place["x"] + place["w"])
            for y in range(place["y"], place["y"] + place["h"])
        ]
        assert len(set(cells)) == len(cells)
        assert max(x for x, _ in cells) < 24

    def test_every_recorded_value_but_the_parts_of_alerts_is_shown(self) -> None:
        shown = set().union(*(names_of(target["expr"]).metrics for panel in PANELS for target in panel["targets"]))
        used = set().union(*(names_of(rule["expr"]).metrics for rule in ALL))
        assert RECORDED - shown - used == set()


class TestPromtool:
    def test_the_configuration_is_valid(self) -> None:
        process = run("promtool", "check", "config", "parley-scrape.yml", cwd=PROMETHEUS)
        assert process.returncode == 0, process.stdout + process.stderr

    def test_the_alerts_fire_on_what_they_are_for(self) -> None:
        process = run("promtool", "test", "rules", "parley.tests.yml", cwd=PROMETHEUS)
        assert process.returncode == 0, process.stdout + process.stderr

    def test_every_alert_is_tested(self) -> None:
        tests = yaml.safe_load((PROMETHEUS / "parley.tests.yml").read_text(encoding="utf-8"))["tests"]
        fired = {
            case["alertname"] for test in tests for case in test.get("alert_rule_test", ()) if case.get("exp_alerts")
        }
        assert fired == {rule["alert"] for rule in ALERTS}

    def test_the_dashboard_s_expressions_are_valid(self, tmp_path: Any) -> None:
        targets = [target["expr"].replace("$", "") for panel in PANELS for target in panel["targets"]]
        rules = [{"record": f"dashboard:{number}", "expr": text} for number, text in enumerate(targets)]
        file = tmp_path / "dashboard.yml"
        file.write_text(yaml.safe_dump({"groups": [{"name": "dashboard", "rules": rules}]}))
        process = run("promtool", "check", "rules", str(file))
        assert process.returncode == 0, process.stdout + process.stderr
