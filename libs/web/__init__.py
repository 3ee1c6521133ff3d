"""Fetches web pages politely, and only from public addresses.

A base library, like `libs/text`: the retrieve stage (web sources) and ingest (`parley ingest URL`) depend on it,
and it depends on neither. All requests go through `fetching.Fetcher`, bounded by `limits.FetchLimits`; `addresses` and
`robots` decide what it must not request; `pages` extracts title, date, main text and pictures from HTML.
"""
