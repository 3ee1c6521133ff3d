"""Assembles the gateway's objects for its process: opens stores, channels, threads and background tasks."""

from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from typing import Final

import structlog

from gateway.access.guard import AccessSettings, open_guard
from gateway.access.principals import sender_of, source_of
from gateway.audit.calls import CallAudit
from gateway.audit.sinks import AuditSettings, open_sink
from gateway.calling.access import StageAccess, open_stages
from gateway.calling.kept_languages import LanguageKeepingStages
from gateway.calling.relays import CorpusRelay, VerifyRelay
from gateway.calling.suite_status import NEEDED, SuiteStatus
from gateway.events.resuming import Resuming
from gateway.events.running_turns import running_turns
from gateway.identity.gate import open_gate
from gateway.identity.settings import AuthSettings
from gateway.recording.recorder import RecordingStages
from gateway.recording.servicer import ReplayServicer
from gateway.recording.turn_recording import TurnRecordings
from gateway.servicer import GatewayServicer
from gateway.session.conversations import Conversations
from gateway.session.reference_access import PassageLookups
from gateway.session.retention import Retention, SessionRemoval, in_background
from gateway.session.servicer_sessions import SessionServicer
from gateway.settings import GatewaySettings
from gateway.store.stores import Stores, elasticsearch_stores, sqlite_stores
from gateway.turn.pipeline import Pipeline
from gateway.turn.turn_work import TurnWorker
from gateway.turn.turns import Turns
from libs.contracts.usage import Stage
from libs.elastic.settings import ElasticsearchSettings
from libs.llm.settings import LlmSettings
from libs.llm.usage import Meter
from libs.runtime.limits.admission import AdmissionSettings, admission_of
from libs.runtime.limits.callers import CallerLimits, QuotaSettings
from libs.runtime.limits.pace import Pace
from libs.runtime.security.trust import TrustSettings
from libs.runtime.serving.server_info import Capability
from libs.runtime.serving.service import Service
from libs.runtime.serving.stage import StageServices
from libs.runtime.settings import ServerSettings, SettingsError

_log = structlog.get_logger("parley.gateway")
COSTLY: Final = frozenset(("SupplyQuestion", "Answer", "AnswerOnce", "Ask", "AskOnce"))
"""Methods that run a turn or a part of one."""
INGESTING: Final = frozenset(("PutDocument", "Ingest"))
"""Methods whose messages are documents."""


@asynccontextmanager
async def open_stage(
    server: ServerSettings, local_services: Mapping[str, StageServices] | None = None
) -> AsyncIterator[StageServices]:
    """Open stores and clients, and yield the services of the gateway.

    Args:
        server: the address this process listens on.
        local_services: the opened stages that this process also serves, by name.

    Raises:
        SettingsError: the settings do not fit each other, or name a file or URL that cannot be used.
        UnusableFile: a file of the stores cannot be used.
    """
    settings, llm, auth = GatewaySettings(), LlmSettings.load(), AuthSettings()
    guard = open_guard(AccessSettings.load())
    access = StageAccess.of(settings, server, local_services or {})
    async with AsyncExitStack() as stack:
        _refuse_open_stages(auth, bool(local_services))
        audit = CallAudit(stack.enter_context(open_sink(AuditSettings.load())))
        gate = await stack.enter_async_context(open_gate(auth, TrustSettings()))
        stores, stored_by = await _open_stores(settings, stack)
        stages = await stack.enter_async_context(open_stages(settings, access))
        corpus, inference = await stack.enter_async_context(access.retrieval())
        recordings = TurnRecordings(stores.recordings, settings.record)
        recording_stages = RecordingStages(LanguageKeepingStages(stages))
        log = stores.events
        worker = TurnWorker(
            conversations=Conversations(stores.sessions),
            pipeline=Pipeline(recording_stages, settings, Meter(Stage.ANSWER, llm.prices)),
            recorder=recordings,
        )
        runs = await stack.enter_async_context(running_turns(log, settings.lease_seconds))
        lookups = PassageLookups(corpus, guard)
        resuming = Resuming(log, runs, worker, settings.resume_seconds)
        turns = Turns(worker, resuming, stores.retries, lookups, llm.offered, guard)
        removal = SessionRemoval(stores.sessions, (stores.retries, stores.recordings, stores.events))
        retention = Retention(removal, settings.keep_sessions_days, settings.keep_sessions)
        await stack.enter_async_context(in_background(retention))
        needed = [name for name in NEEDED if name != "intent" or settings.require_intent]
        status = SuiteStatus(f"{server.host}:{server.port}", access.addresses, access.local_services.keys(), needed)
        limits = AdmissionSettings.load()
        admission, pace = admission_of(limits), Pace(limits.calls_per_second)
        callers = CallerLimits(QuotaSettings.load(), admission, sender_of, COSTLY, INGESTING, pace, source_of)
        serve = partial(Service.of, observer=audit.ended, limits=callers)
        yield StageServices(
            name="gateway",
            services=(
                serve(GatewayServicer(turns, status, inference)),
                serve(SessionServicer(stores.sessions, lookups, removal)),
                serve(ReplayServicer(recordings, stages, lookups), long_running=("Replay",)),
                serve(CorpusRelay(corpus, guard, audit), long_running=("Ingest",), relays=True),
                serve(VerifyRelay(stages), relays=True),  # type: ignore[abstract]  # the rest is UNIMPLEMENTED
            ),
            capabilities=(stored_by,),
            ready=status.until_complete,
            gate=gate,
        )


def _refuse_open_stages(auth: AuthSettings, shares_process: bool) -> None:
    """Check that nobody goes round the gateway to a stage, which believes what a request says of its caller.

    Raises:
        SettingsError: stages are served at the gateway's own address, to everybody.
    """
    secret = TrustSettings.variable("secret")
    if not auth.is_set or TrustSettings().is_set:
        return
    if shares_process:
        raise SettingsError(f"{secret}: must be set, as callers need credentials and this process serves stages too")
    _log.warning(f"the stages ask nobody for credentials, so whoever reaches their ports gets in: set {secret}")


async def _open_stores(settings: GatewaySettings, stack: AsyncExitStack) -> tuple[Stores, Capability]:
    """Return the stores of the gateway, and the capability that describes them."""
    if not settings.elasticsearch_url:
        own = await stack.enter_async_context(sqlite_stores(settings.data / "sessions.db"))
        return own, Capability("sessions", "sqlite", "sessions.db; several gateways need Elasticsearch")
    try:
        shared = elasticsearch_stores(settings.elasticsearch_url, ElasticsearchSettings.load())
        common = await stack.enter_async_context(shared)
    except ValueError as error:
        raise SettingsError(f"{settings.variable('elasticsearch_url')}: {error}") from error
    return common, Capability("sessions", "elasticsearch", "shared by all gateways that name it")
