"""Detects URLs of the same page."""

import re
from typing import Final
from urllib.parse import parse_qsl, urlencode, urlsplit

_TRACKING: Final = re.compile(r"utm_\w+|gclid|dclid|fbclid|msclkid|yclid|mc_[ce]id|igshid|ref_src", re.IGNORECASE)
_DEFAULT_PORTS: Final = {"http": ":80", "https": ":443"}


def page_key(url: str) -> str | None:
    """A key that is equal for URLs of the same page.

    URLs count as equal if they differ only in scheme, `www.`, default port, case of the host, fragment, order of
    parameters, tracking parameters, or a trailing slash.

    Returns:
        The key; None if it is not an http or https URL.
    """
    try:
        parts = urlsplit(url.strip())
        host = parts.netloc.lower().removesuffix(_DEFAULT_PORTS.get(parts.scheme.lower(), ":"))
    except ValueError:
        return None
    if parts.scheme.lower() not in _DEFAULT_PORTS or not host:
        return None
    parameters = sorted((k, v) for k, v in parse_qsl(parts.query, keep_blank_values=True) if not _TRACKING.fullmatch(k))
    query = f"?{urlencode(parameters)}" if parameters else ""
    return f"{host.removeprefix('www.')}{parts.path.rstrip('/')}{query}"
