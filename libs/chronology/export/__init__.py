"""A timeline as people take it along: Markdown, iCalendar, JSON, a picture. Plain functions over `Timeline`."""
