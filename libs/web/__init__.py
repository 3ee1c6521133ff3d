"""Pages of the web, fetched politely and only from addresses that everybody may reach.

A bottom room, like `libs/text`: the retrieve stage (web sources) and the gateway (`parley ingest URL`) both stand
on it, and it knows neither. `fetching.Fetcher` is the one way to a page, `limits.FetchLimits` says how far it goes;
`addresses` and `robots` say what it may not ask; `pages` takes title, date, main text and pictures out of HTML.
"""
