"""Settings for reading web pages on the user's machine."""

from pydantic import Field

from libs.runtime.settings import AreaSettings
from libs.web.limits import FetchLimits


class IngestSettings(AreaSettings, area="ingest"):
    """How pages are fetched for `parley ingest`."""

    web_seconds: float = Field(default=30.0, gt=0, le=600)
    """Per page, including its redirects."""
    web_max_bytes: int = Field(default=50 * 1024 * 1024, ge=1024, le=1024**3)
    """Per page, PDF or sitemap, unpacked; the default is the limit of the sitemap protocol."""
    web_pause_seconds: float = Field(default=1.0, ge=0, le=60)
    """Between two requests to a host; its Crawl-delay extends the pause, up to ten seconds."""
    web_allow_loopback: bool = False
    """Whether pages may be fetched from this machine's own addresses; `--allow-loopback` allows it for one run."""

    def limits(self, allow_loopback: bool) -> FetchLimits:
        """Return the limits for a fetcher."""
        return FetchLimits(
            seconds=self.web_seconds,
            max_bytes=self.web_max_bytes,
            pause_seconds=self.web_pause_seconds,
            allow_loopback=allow_loopback or self.web_allow_loopback,
        )
