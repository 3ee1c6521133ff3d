"""The command of the security guide, by grpcurl itself, at a server with mTLS."""

import asyncio
import os
import subprocess
from pathlib import Path

from libs.runtime.security.tls import TlsSettings
from libs.runtime.serving.server import running
from libs.runtime.settings import ServerSettings
from tests.deploy.envoys import Gateway
from tests.deploy.tools import path_of
from tests.fakes.certificates import Authority, CertificateFiles
from tests.system.docs_pages import block_beginning

COMMAND = block_beginning("grpcurl -cacert")


async def answer_of(command: str, folder: Path, port: int) -> subprocess.CompletedProcess[str]:
    code = command.replace("localhost:50051", f"localhost:{port}")
    return await asyncio.to_thread(
        subprocess.run,
        ["sh", "-e", "-c", code],
        cwd=folder,
        env=os.environ,
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )


async def test_grpcurl_lists_the_services_with_a_certificate_and_without_one_it_does_not(tmp_path: Path) -> None:
    path_of("grpcurl")
    authority = Authority()
    files = CertificateFiles(tmp_path / "tls").trust(authority).hold(authority, "localhost")
    tls = TlsSettings(certificate=files.certificate, key=files.key, ca=str(files.ca), client_ca=files.ca)
    settings = ServerSettings(port=0, lame_duck_seconds=0, drain_seconds=1)
    async with running(settings, Gateway(), tls=tls) as server:  # type: ignore[abstract]
        listing = await answer_of(COMMAND, tmp_path, server.port)
        assert "parley.gateway.v1.GatewayService" in listing.stdout, listing.stderr
        bare = COMMAND.replace("-cert tls/tls.crt -key tls/tls.key ", "")
        assert bare != COMMAND
        assert (await answer_of(bare, tmp_path, server.port)).returncode != 0
