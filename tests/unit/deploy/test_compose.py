"""The compose file and `full.env` set what there is to set, and nothing else."""

import re
from importlib import import_module
from pathlib import Path

import yaml

from services.runtime.settings import AreaSettings

ROOT = Path(__file__).resolve().parents[3]
AREAS = (
    ("gateway.settings", "GatewaySettings"),
    ("gateway.settings", "SharedStoreSettings"),
    ("services.answer.choreography.settings", "ChoreographySettings"),
    ("services.decompose.settings", "DecomposeSettings"),
    ("services.llm.settings", "LlmSettings"),
    ("services.retrieve.settings", "RetrieveSettings"),
    ("services.retrieve.engines.elasticsearch.settings", "SearchElasticsearchSettings"),
    ("services.retrieve.engines.milvus.settings", "MilvusSettings"),
)


def known_variables() -> set[str]:
    classes: list[type[AreaSettings]] = [getattr(import_module(module), name) for module, name in AREAS]
    return {area.variable(field) for area in classes for field in area.model_fields}


def full_env() -> dict[str, str]:
    lines = (ROOT / "full.env").read_text().splitlines()
    return dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))


def test_every_variable_of_the_compose_file_is_a_setting() -> None:
    services = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]
    given = {name for service in services.values() for name in service.get("environment", {})}
    ours = {name for name in given if name.startswith("PARLEY_")}
    assert "PARLEY_RETRIEVE_MILVUS_URI" in ours
    assert ours <= known_variables()


def test_full_env_sets_what_the_compose_file_asks_for() -> None:
    asked = set(re.findall(r"\$\{(\w+)", (ROOT / "docker-compose.yml").read_text()))
    assert full_env().keys() - {"COMPOSE_PROFILES"} == {name for name in asked if not name.startswith("PARLEY_LLM_")}
    assert full_env().keys() - {"COMPOSE_PROFILES", "PARLEY_EXTRAS"} <= known_variables()


def test_the_profile_full_adds_official_servers_only() -> None:
    services = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]
    added = {name: service["image"].split(":")[0] for name, service in services.items() if "profiles" in service}
    assert added == {
        "elasticsearch": "elasticsearch",
        "milvus": "milvusdb/milvus",
    }
    assert full_env()["COMPOSE_PROFILES"] == "full"


def test_the_large_models_are_named() -> None:
    named = " ".join(full_env().values())
    assert all(model in named for model in ("bge-large", "bge-reranker-v2-m3", "CLIP-ViT-H-14"))
