"""What can be set about reading the web on the user's machine."""

from pydantic import Field

from libs.runtime.settings import AreaSettings
from libs.web.limits import FetchLimits


class IngestSettings(AreaSettings, area="ingest"):
    """How pages are fetched for `parley ingest`."""

    web_seconds: float = Field(default=30.0, gt=0, le=600)
    """For a page with its redirects."""
    web_max_bytes: int = Field(default=50 * 1024 * 1024, ge=1024, le=1024**3)
    """Of a page, a PDF or a sitemap, unpacked; a sitemap's greatest by its protocol."""
    web_pause_seconds: float = Field(default=1.0, ge=0, le=60)
    """Between two requests to a host; its Crawl-delay makes it longer, up to ten seconds."""
    web_allow_loopback: bool = False
    """Whether this machine's own addresses may be asked, as `--allow-loopback` does for once."""

    def limits(self, allow_loopback: bool) -> FetchLimits:
        """As a fetcher takes them."""
        return FetchLimits(
            seconds=self.web_seconds,
            max_bytes=self.web_max_bytes,
            pause_seconds=self.web_pause_seconds,
            allow_loopback=allow_loopback or self.web_allow_loopback,
        )
