"""The intent stage as a process hosts it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from services.intent.clarify import Clarifier
from services.intent.policy import Policy, PolicyError, load_policy
from services.intent.rules import RulesEngine
from services.intent.servicer import IntentServicer
from services.intent.settings import IntentSettings
from services.intent.understand import Understander
from services.runtime.server_info import Capability
from services.runtime.settings import SettingsError
from services.runtime.stage import StageServices


@asynccontextmanager
async def open_stage(settings: IntentSettings | None = None) -> AsyncIterator[StageServices]:
    """The stage; with the settings of the environment where none are given.

    Raises:
        SettingsError: the policy file can't be used.
    """
    settings = settings or IntentSettings.load()
    engine = RulesEngine(_policy(settings), _clarifier(settings))
    yield StageServices(
        name="intent",
        servicers=(IntentServicer(Understander(engine)),),
        capabilities=(Capability("understand", "rules"), Capability("judge", "rules")),
        warm_up=lambda: asyncio.to_thread(engine.warm_up),
    )


def _policy(settings: IntentSettings) -> Policy:
    try:
        return load_policy(settings.policy, settings.refuse)
    except PolicyError as error:
        raise SettingsError(f"{settings.variable('policy')}: {error}") from None


def _clarifier(settings: IntentSettings) -> Clarifier:
    return Clarifier(settings.ask_threshold, settings.resolved_confidence, settings.most_choices)
