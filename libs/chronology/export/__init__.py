"""Exports a `Timeline` as Markdown, iCalendar or JSON. Plain functions."""
