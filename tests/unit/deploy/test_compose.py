"""The compose file and `full.env` set what there is to set, and nothing else."""

import re
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import yaml

from cli.suite.running import INFERENCE
from gateway.identity.settings import AuthSettings
from libs.llm.settings import LlmSettings
from libs.runtime.settings import AreaSettings, ServerSettings

ROOT = Path(__file__).resolve().parents[3]
AREAS = (
    ("doors.settings", "DoorsSettings"),
    ("gateway.identity.settings", "AuthSettings"),
    ("gateway.settings", "GatewaySettings"),
    ("services.answer.image_placement.settings", "ImagePlacementSettings"),
    ("services.decompose.settings", "DecomposeSettings"),
    ("libs.llm.settings", "LlmSettings"),
    ("libs.runtime.settings", "ServerSettings"),
    ("services.retrieve.settings", "RetrieveSettings"),
    ("services.timeline.settings", "TimelineSettings"),
    ("services.retrieve.engines.settings", "SearchElasticsearchSettings"),
    ("services.retrieve.engines.settings", "MilvusSettings"),
)


def known_variables() -> set[str]:
    classes: list[type[AreaSettings]] = [getattr(import_module(module), name) for module, name in AREAS]
    return set().union(*map(variables, classes))


def variables(area: type[AreaSettings]) -> set[str]:
    return {area.variable(field) for field in area.model_fields}


def any_of(area: type[AreaSettings], environment: dict[str, str]) -> bool:
    return not variables(area).isdisjoint(environment)


def compose_services() -> dict[str, Any]:
    services: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]
    return services


def reads(name: str, area: type[AreaSettings]) -> bool:
    """Whether the process of a service loads an area of settings, as its sources say."""
    folder = next((ROOT / place for place in (name, f"services/{name}") if (ROOT / place / "stage.py").is_file()), None)
    sources = folder.rglob("*.py") if folder else ()
    return any(f"{area.__name__}.load(" in source.read_text(encoding="utf-8") for source in sources)


def env(name: str) -> dict[str, str]:
    lines = (ROOT / name).read_text().splitlines()
    return dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))


def test_every_variable_of_the_compose_file_is_a_setting() -> None:
    services = compose_services()
    variables_set = {name for service in services.values() for name in service.get("environment", {})}
    ours = {name for name in variables_set if name.startswith("PARLEY_")}
    assert "PARLEY_RETRIEVE_MILVUS_URI" in ours
    assert ours <= known_variables()


def test_whoever_asks_for_an_embedding_model_is_told_where_it_is_by_compose_and_by_parley_up() -> None:
    classes: list[type[AreaSettings]] = [getattr(import_module(module), name) for module, name in AREAS]
    fields = {area.variable("inference"): area.model_fields.get("inference") for area in classes}
    variables_expected = {name for name, field in fields.items() if field is not None and not field.deprecated}
    environments = [service.get("environment", {}) for service in compose_services().values()]
    variables_set = {
        name: value for environment in environments for name, value in environment.items() if name in variables_expected
    }
    assert variables_set == dict.fromkeys(variables_expected, "retrieve:50054")
    assert set(INFERENCE) == variables_expected


def test_the_language_model_is_told_to_every_process_that_asks_it_or_offers_it_and_to_no_other() -> None:
    services = compose_services()
    readers = {name for name in services if reads(name, LlmSettings)}
    variables_set = {name for name, service in services.items() if any_of(LlmSettings, service.get("environment", {}))}
    assert readers == {"gateway", "intent", "decompose", "answer", "timeline"}
    assert variables_set == readers


@pytest.mark.parametrize("name", ["gateway", "intent", "decompose", "answer", "timeline"])
def test_each_setting_of_the_language_model_comes_from_the_variable_of_its_name(name: str) -> None:
    environment = compose_services()[name].get("environment", {})
    variables_expected = {variable: f"${{{variable}:-}}" for variable in variables(LlmSettings)}
    assert {variable: environment.get(variable) for variable in variables_expected} == variables_expected


def test_a_setting_of_the_language_model_that_nobody_sets_keeps_its_default(monkeypatch: pytest.MonkeyPatch) -> None:
    """The compose file hands an empty text over for what is not set."""
    for variable in variables(LlmSettings):
        monkeypatch.setenv(variable, "")
    assert LlmSettings.load() == LlmSettings.model_construct()


def test_how_callers_prove_who_they_are_is_told_to_the_gateway_alone() -> None:
    services = compose_services()
    assert {name for name, each in services.items() if any_of(AuthSettings, each.get("environment", {}))} == {"gateway"}
    environment = services["gateway"]["environment"]
    expected = {variable: f"${{{variable}:-}}" for variable in variables(AuthSettings)}
    assert {variable: environment.get(variable) for variable in expected} == expected


OF_COMPOSE = {"COMPOSE_PROFILES", "PARLEY_EXTRAS", "PARLEY_PUBLIC_ADDRESS"}
"""Variables that Compose reads itself."""


def test_the_env_files_set_what_the_compose_file_asks_for() -> None:
    variables_used = set(re.findall(r"\$\{(\w+)", (ROOT / "docker-compose.yml").read_text()))
    values = env("full.env").keys() | env("monitoring.env").keys()
    assert values - {"COMPOSE_PROFILES"} == {
        name
        for name in variables_used
        if not name.startswith(("PARLEY_LLM_", "PARLEY_PUBLIC_", "PARLEY_DOORS_", "PARLEY_AUTH_"))
    }
    assert values - OF_COMPOSE <= known_variables()


def test_telemetry_is_set_for_every_process_and_prometheus_scrapes_each() -> None:
    services = compose_services()
    always = {name for name, service in services.items() if "profiles" not in service}
    told = {name for name, service in services.items() if any_of(ServerSettings, service.get("environment", {}))}
    assert told == always | {"http"}
    configuration = yaml.safe_load((ROOT / "deploy" / "prometheus" / "compose.yml").read_text())
    (job,) = [job for job in configuration["scrape_configs"] if job["job_name"] == "parley"]
    port = env("monitoring.env")["PARLEY_SERVER_PROMETHEUS_PORT"]
    assert set(job["static_configs"][0]["targets"]) == {f"{name}:{port}" for name in always}
    (looked_up,) = job["dns_sd_configs"]
    assert (looked_up["names"], looked_up["type"], f"{looked_up['port']}") == (["http"], "A", port)


def test_envoy_is_in_the_gateway_s_network_which_publishes_its_port() -> None:
    services = compose_services()
    assert services["envoy"]["network_mode"] == "service:gateway"
    assert any(port.endswith(":8443:8443") for port in services["gateway"]["ports"])


def test_the_files_that_are_mounted_exist() -> None:
    mounted = [
        volume.split(":")[0]
        for service in compose_services().values()
        for volume in service.get("volumes", ())
        if volume.startswith("./") and not volume.startswith("./build")
    ]
    assert len(mounted) > 5
    assert [path for path in mounted if not (ROOT / path).exists()] == []


def test_the_collector_s_pipelines_are_made_of_what_it_defines() -> None:
    collector = yaml.safe_load((ROOT / "deploy" / "collector" / "collector.yaml").read_text())
    pipelines = collector["service"]["pipelines"]
    assert pipelines.keys() == {"traces", "metrics"}
    for kind in ("receivers", "processors", "exporters"):
        parts = {part for pipeline in pipelines.values() for part in pipeline[kind]}
        assert parts == collector[kind].keys()
    port = collector["receivers"]["otlp"]["protocols"]["grpc"]["endpoint"].rpartition(":")[2]
    assert env("monitoring.env")["PARLEY_SERVER_OTLP_ENDPOINT"] == f"http://collector:{port}"
