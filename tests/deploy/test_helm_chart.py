"""The chart, as the real `helm` renders it: ports, probes, variables, replicas, policies."""

import re
from pathlib import Path

import pytest
import yaml

from cli.suite.processes import STAGES
from gateway.identity.settings import AuthSettings
from libs.runtime.settings import ServerSettings
from tests.deploy.chart import (
    AUTHENTICATED,
    CHART,
    KUBERNETES,
    PROFILES,
    WITH_HTTP,
    WORKLOADS,
    Manifest,
    containers,
    of_kind,
    port_of,
    rendered,
    variables,
)
from tests.deploy.tools import DEPLOY, ROOT, run
from tools.reference.areas import areas

MONITORED = ("serviceMonitor.enabled=true", "prometheusRule.enabled=true")
NO_SETTINGS = {"HF_HOME"}
"""Variables of libraries."""
FILES_OF_SECRETS = {"tls.crt", "tls.key"}


@pytest.fixture(params=PROFILES)
def manifests(request: pytest.FixtureRequest) -> tuple[Manifest, ...]:
    return rendered(request.param)


class TestProcesses:
    def test_there_is_one_workload_for_each_process(self, manifests: tuple[Manifest, ...]) -> None:
        assert sorted(name for name, _ in containers(manifests)) == sorted(STAGES)

    def test_every_variable_is_a_setting_with_a_valid_value(
        self, manifests: tuple[Manifest, ...], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        known = {area.variable(field) for _, area in areas() for field in area.model_fields} | NO_SETTINGS
        for name, container in containers(manifests):
            values = variables(container)
            assert values.keys() - known == set(), name
            with monkeypatch.context() as patch:
                for variable, value in values.items():
                    patch.setenv(variable, value)
                for _, area in areas():
                    area.load()

    def test_the_arguments_name_the_stage_and_the_port_that_is_exposed(self, manifests: tuple[Manifest, ...]) -> None:
        for name, container in containers(manifests):
            assert container["args"] == [name, "--host", "0.0.0.0", "--port", str(port_of(container, "grpc"))]
            assert variables(container)["PARLEY_SERVER_PROMETHEUS_PORT"] == str(port_of(container, "metrics"))
            assert variables(container)["PARLEY_SERVER_LIVENESS_ADDRESS"].endswith(f":{port_of(container, 'liveness')}")

    def test_probes_are_health_checks_by_grpc(self, manifests: tuple[Manifest, ...]) -> None:
        for _, container in containers(manifests):
            serving = {"port": port_of(container, "grpc")}
            assert container["startupProbe"]["grpc"] == container["readinessProbe"]["grpc"] == serving
            assert container["livenessProbe"]["grpc"] == {"port": port_of(container, "liveness")}

    def test_a_process_has_time_to_drain(self, manifests: tuple[Manifest, ...]) -> None:
        for workload in of_kind(manifests, *WORKLOADS).values():
            pod = workload["spec"]["template"]["spec"]
            values = variables(pod["containers"][0])
            draining = sum(float(values[f"PARLEY_SERVER_{name}_SECONDS"]) for name in ("LAME_DUCK", "DRAIN"))
            assert pod["terminationGracePeriodSeconds"] >= draining + 10

    def test_nothing_runs_as_root(self, manifests: tuple[Manifest, ...]) -> None:
        for workload in of_kind(manifests, *WORKLOADS).values():
            pod = workload["spec"]["template"]["spec"]
            assert pod["securityContext"]["runAsNonRoot"] is True
            assert pod["automountServiceAccountToken"] is pod["enableServiceLinks"] is False
            assert pod["containers"][0]["securityContext"]["capabilities"] == {"drop": ["ALL"]}


class TestNetwork:
    def test_every_address_is_a_service_with_that_port(self, manifests: tuple[Manifest, ...]) -> None:
        ports = {
            f"{name}:{port['port']}"
            for name, service in of_kind(manifests, "Service").items()
            for port in service["spec"]["ports"]
        }
        addresses = {
            value.removeprefix("dns:///")
            for _, container in containers(manifests)
            for value in variables(container).values()
            if value.startswith("dns:///")
        }
        assert len(addresses) == 5
        assert addresses - ports == set()

    def test_stages_are_headless_and_callers_balance(self, manifests: tuple[Manifest, ...]) -> None:
        services = of_kind(manifests, "Service")
        for name, container in containers(manifests):
            assert (services[f"suite-parley-{name}"]["spec"].get("clusterIP") == "None") == (name != "gateway")
            assert variables(container)["PARLEY_CHANNEL_LOAD_BALANCING"] == "round_robin"

    def test_ports_are_named_for_meshes(self, manifests: tuple[Manifest, ...]) -> None:
        for service in of_kind(manifests, "Service").values():
            assert [(port["name"], port["appProtocol"]) for port in service["spec"]["ports"]] == [
                ("grpc", "grpc"),
                ("http-metrics", "http"),
            ]

    def test_a_stage_accepts_calls_of_the_suite_alone(self, manifests: tuple[Manifest, ...]) -> None:
        policies = of_kind(manifests, "NetworkPolicy")
        assert len(policies) == len(STAGES)
        suite = {"app.kubernetes.io/name": "parley", "app.kubernetes.io/instance": "suite"}
        for name in set(STAGES) - {"gateway"}:
            calls, _ = policies[f"suite-parley-{name}"]["spec"]["ingress"]
            others = [{"key": "app.kubernetes.io/component", "operator": "NotIn", "values": ["http"]}]
            assert calls == {
                "from": [{"podSelector": {"matchLabels": suite, "matchExpressions": others}}],
                "ports": [{"protocol": "TCP", "port": "grpc"}],
            }

    def test_in_a_mesh_services_have_addresses_and_processes_do_not_retry(self) -> None:
        manifests = rendered("values.yaml", "mesh=true")
        services = of_kind(manifests, "Service")
        for name, container in containers(manifests):
            assert "clusterIP" not in services[f"suite-parley-{name}"]["spec"]
            assert variables(container)["PARLEY_CHANNEL_RETRIES"] == "false"
            assert "PARLEY_CHANNEL_LOAD_BALANCING" not in variables(container)


class TestReplicas:
    @pytest.mark.parametrize("stage", ["gateway", "retrieve"])
    def test_what_owns_its_data_has_one_replica(self, stage: str) -> None:
        process = run(
            *("helm", "template", "suite", str(CHART), "--kube-version", KUBERNETES),
            *("--set", f"stages.{stage}.replicas=2"),
        )
        assert process.returncode != 0
        assert f"{stage} can have one replica only" in process.stderr

    def test_what_scales_has_an_autoscaler_and_a_budget(self) -> None:
        manifests = rendered("values-external.yaml")
        names = {f"suite-parley-{name}" for name in STAGES}
        workloads = of_kind(manifests, *WORKLOADS)
        scalers = of_kind(manifests, "HorizontalPodAutoscaler")
        assert scalers.keys() == of_kind(manifests, "PodDisruptionBudget").keys() == names
        for name, scaler in scalers.items():
            assert scaler["spec"]["scaleTargetRef"]["kind"] == workloads[name]["kind"]
            assert "replicas" not in workloads[name]["spec"]

    def test_a_single_process_has_no_budget_that_would_block_a_node_s_drain(self) -> None:
        budgets = of_kind(rendered(), "PodDisruptionBudget")
        assert budgets.keys() == {f"suite-parley-{name}" for name in set(STAGES) - {"gateway", "retrieve"}}


class TestOptions:
    def test_with_tls_readiness_is_asked_over_tls(self) -> None:
        for _, container in containers(rendered("values.yaml", "tls.secretName=suite-tls")):
            values = variables(container)
            assert "PARLEY_SERVER_INSECURE" not in values
            assert values["PARLEY_TLS_CLIENT_CA"] == values["PARLEY_TLS_CA"] == "/tls/ca.crt"
            command = container["readinessProbe"]["exec"]["command"]
            assert command == ["python", "-m", "libs.runtime.serving.health", f"127.0.0.1:{port_of(container, 'grpc')}"]
            assert {"name": "tls", "mountPath": "/tls", "readOnly": True} in container["volumeMounts"]

    def test_every_process_reads_the_secret_of_the_suite(self) -> None:
        for _, container in containers(rendered("values.yaml", "trust.secretName=suite", "trust.names={gateway}")):
            assert variables(container)["PARLEY_TRUST_SECRET"] == "/trust/secret"
            assert variables(container)["PARLEY_TRUST_NAMES"] == '["gateway"]'
            assert {"name": "trust", "mountPath": "/trust", "readOnly": True} in container["volumeMounts"]

    def test_the_gateway_believes_nobody_on_its_own_machine_where_sidecars_are(self) -> None:
        values = {name: variables(container) for name, container in containers(rendered("values.yaml"))}
        assert values["gateway"]["PARLEY_AUTH_LOCAL_PRINCIPALS"] == "false"

    def test_the_gateway_alone_asks_callers_for_credentials(self, monkeypatch: pytest.MonkeyPatch) -> None:
        manifests = rendered("values.yaml", *AUTHENTICATED)
        mount = {"name": "auth", "mountPath": "/auth", "readOnly": True}
        for name, container in containers(manifests):
            values = {key: value for key, value in variables(container).items() if key.startswith("PARLEY_AUTH_")}
            assert bool(values) == (mount in container.get("volumeMounts", [])) == (name == "gateway")
            for variable, value in values.items():
                monkeypatch.setenv(variable, value)
        auth = AuthSettings()
        auth.check()
        assert auth == AuthSettings(
            keys=Path("/auth/keys"),
            jwks="https://login.example.org/keys",
            issuer="https://login.example.org",
            audience=("parley",),
            group_claims=("groups",),
            group_prefix="group:",
            local_principals=False,
        )
        volumes = of_kind(manifests, "StatefulSet")["suite-parley-gateway"]["spec"]["template"]["spec"]["volumes"]
        assert {"name": "auth", "secret": {"secretName": "callers", "defaultMode": 0o440}} in volumes

    def test_secrets_are_read_as_variables_and_never_stand_in_a_workload(self) -> None:
        manifests = rendered("values.yaml", "secretEnv.PARLEY_LLM_API_KEY=some-key")
        assert of_kind(manifests, "Secret")["suite-parley-env"]["stringData"] == {"PARLEY_LLM_API_KEY": "some-key"}
        for _, container in containers(manifests):
            assert container["envFrom"] == [{"secretRef": {"name": "suite-parley-env"}}]
        assert "some-key" not in yaml.safe_dump(list(of_kind(manifests, *WORKLOADS).values()))

    def test_the_operator_scrapes_each_process_once_and_has_the_rules(self) -> None:
        manifests = rendered("values.yaml", *MONITORED)
        (monitor,) = of_kind(manifests, "ServiceMonitor").values()
        (rule,) = of_kind(manifests, "PrometheusRule").values()
        wanted = monitor["spec"]["selector"]["matchLabels"].items()
        services = of_kind(manifests, "Service").values()
        scraped = [each for each in services if wanted <= each["metadata"]["labels"].items()]
        assert len(scraped) == len(STAGES)
        assert {each["metadata"]["labels"][monitor["spec"]["jobLabel"]] for each in scraped} == {"parley"}
        assert rule["spec"] == yaml.safe_load((DEPLOY / "prometheus" / "parley.rules.yml").read_text(encoding="utf-8"))

    def test_the_default_drain_is_the_suite_s_own(self) -> None:
        values = yaml.safe_load((CHART / "values.yaml").read_text(encoding="utf-8"))
        assert values["drainSeconds"] == ServerSettings().drain_seconds


class TestGuide:
    TEXT = (ROOT / "docs" / "how-to" / "kubernetes.md").read_text(encoding="utf-8")

    def test_what_its_commands_set_renders(self) -> None:
        settings = tuple(re.findall(r"--set ([\w.]+=\S+)", self.TEXT))
        assert len(settings) == 5
        for name, container in containers(rendered("values.yaml", *settings)):
            assert container["image"].startswith("registry.example.org/parley:")
            assert container.get("envFrom", []) == ([{"secretRef": {"name": "parley"}}] if name != "http" else [])
            assert variables(container)["PARLEY_LLM_BASE_URL"] == "https://llm.example.org/v1"

    def test_every_value_that_it_names_exists(self) -> None:
        values = yaml.safe_load((CHART / "values.yaml").read_text(encoding="utf-8"))
        paths = re.findall(
            r"`((?:stages|tls|trust|auth|http|networkPolicy|serviceMonitor|prometheusRule)(?:\.\w+)+)[=`]", self.TEXT
        )
        assert len(paths) > 5
        for path in set(paths) - FILES_OF_SECRETS:
            value = values
            for key in path.replace("NAME", "answer").split("."):
                value = value[key]


@pytest.mark.parametrize("profile", PROFILES)
class TestTools:
    def test_helm_lint_accepts_the_chart(self, profile: str) -> None:
        process = run("helm", "lint", "--strict", str(CHART), "-f", str(CHART / profile))
        assert process.returncode == 0, process.stdout + process.stderr

    def test_the_manifests_are_valid_for_kubernetes(self, profile: str, tmp_path: Path) -> None:
        manifests = (
            *rendered(profile),
            *rendered(profile, *AUTHENTICATED, "trust.secretName=suite"),
            *rendered(profile, *WITH_HTTP),
            *rendered(profile, *WITH_HTTP, "http.tls.secretName=web", "tls.secretName=suite"),
        )
        for number, manifest in enumerate(manifests):
            (tmp_path / f"{number}.yaml").write_text(yaml.safe_dump(manifest))
        process = run("kubectl-validate", "--version", "1.30", str(tmp_path))
        assert process.returncode == 0, process.stdout + process.stderr
