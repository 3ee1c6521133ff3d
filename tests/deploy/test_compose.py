"""The compose file as Compose's own reader renders it."""

from typing import Any

import pytest
import yaml

from tests.deploy.tools import DEPLOY, ROOT, run

SUITE = {"gateway", "intent", "decompose", "retrieve", "answer", "timeline"}
PROFILES = {
    "": set(),
    "full": {"elasticsearch", "milvus"},
    "monitoring": {"collector", "prometheus", "grafana"},
    "public": {"envoy"},
    "full,monitoring,public": {"elasticsearch", "milvus", "collector", "prometheus", "grafana", "envoy"},
}


def rendered() -> dict[str, Any]:
    process = run("compose-render", "docker-compose.yml", cwd=ROOT)
    assert process.returncode == 0, process.stdout + process.stderr
    project: dict[str, Any] = yaml.safe_load(process.stdout)
    return project


@pytest.mark.parametrize("profiles", PROFILES)
def test_a_profile_adds_its_services(profiles: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPOSE_PROFILES", profiles)
    assert rendered()["services"].keys() == SUITE | PROFILES[profiles]


@pytest.mark.parametrize("name", ["full.env", "monitoring.env"])
def test_an_env_file_sets_its_values(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
    values = dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))
    for variable, value in values.items():
        monkeypatch.setenv(variable, value)
    services = rendered()["services"].values()
    environment = {key: value for service in services for key, value in service.get("environment", {}).items() if value}
    expected = {key: value for key, value in values.items() if key not in ("COMPOSE_PROFILES", "PARLEY_EXTRAS")}
    assert expected.items() <= environment.items()


def test_promtool_accepts_the_configuration_of_the_profile_monitoring() -> None:
    process = run("promtool", "check", "config", "compose.yml", cwd=DEPLOY / "prometheus")
    assert process.returncode == 0, process.stdout + process.stderr
