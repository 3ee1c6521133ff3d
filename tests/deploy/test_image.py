"""The image's file follows hadolint's rules."""

from tests.deploy.tools import ROOT, run


def test_hadolint_accepts_the_dockerfile() -> None:
    process = run("hadolint", "Dockerfile", cwd=ROOT)
    assert process.returncode == 0, process.stdout + process.stderr
