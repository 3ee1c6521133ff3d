"""When two URLs mean the same page."""

import re
from typing import Final
from urllib.parse import parse_qsl, urlencode, urlsplit

_TRACKING: Final = re.compile(r"utm_\w+|gclid|dclid|fbclid|msclkid|yclid|mc_[ce]id|igshid|ref_src", re.IGNORECASE)
_DEFAULT_PORTS: Final = {"http": ":80", "https": ":443"}


def page_key(url: str) -> str | None:
    """The key by which pages are the same.

    Equal for URLs that differ in scheme, `www.`, default port, case of the host, fragment, order of parameters,
    tracking parameters, or a slash at the end.

    Returns:
        The key; None for what is no URL of http or https.
    """
    try:
        parts = urlsplit(url.strip())
        host = parts.netloc.lower().removesuffix(_DEFAULT_PORTS.get(parts.scheme.lower(), ":"))
    except ValueError:
        return None
    if parts.scheme.lower() not in _DEFAULT_PORTS or not host:
        return None
    told = sorted((k, v) for k, v in parse_qsl(parts.query, keep_blank_values=True) if not _TRACKING.fullmatch(k))
    query = f"?{urlencode(told)}" if told else ""
    return f"{host.removeprefix('www.')}{parts.path.rstrip('/')}{query}"
