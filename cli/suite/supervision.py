"""Settings of `parley up`: how urgent its processes are, when one counts as hung, how long a start and a stop take."""

from pydantic import Field

from libs.runtime.settings import AreaSettings


class SupervisionSettings(AreaSettings, area="up"):
    """How `parley up` starts, watches and stops its processes."""

    check_seconds: float = Field(default=1.0, gt=0)
    """Seconds between two liveness checks of a process, and the timeout of each."""
    misses: int = Field(default=5, ge=0)
    """Failed checks in a row after which a process counts as hung and is restarted; 0: never. The default finds a
    stopped process within 6 s, so that a turn that waits for it ends within 12 s."""
    busy_misses: int = Field(default=30, ge=1)
    """The same for a process that has computed since the first of them (Linux; elsewhere `misses` holds for all)."""
    start_seconds: float = Field(default=60.0, ge=0)
    """Time after a start during which nothing is checked, unless the process is SERVING earlier."""
    stop_seconds: float = Field(default=10.0, gt=0)
    """Time to end in addition to PARLEY_SERVER_LAME_DUCK_SECONDS and PARLEY_SERVER_DRAIN_SECONDS; a process that still
    runs afterwards is killed."""
    stage_niceness: int = Field(default=10, ge=0, le=19)
    """How much lower the priority of the stages is than that of what clients call, so that refusals, health and the
    first words of answers do not wait for processors on which the stages compute; 0: the same priority. At four times
    the load that two cores carry, 95 % of refusals took at most 75 ms with 0, 28 ms with 5, 13 ms with 10."""
