"""How the parts of a turn emit its events, without knowing who numbers, logs and sends them."""

from collections.abc import Callable

from gateway.events.events import TurnEvent

Emit = Callable[[TurnEvent], None]
